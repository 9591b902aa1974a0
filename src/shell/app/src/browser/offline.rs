//! Offline use of the page, which `public/offline.js` sets up.

use super::by_name::property;

/// True if this page opens again without a network.
pub(crate) fn is_kept() -> bool {
    let container = super::window().and_then(|window| property(&property(&window, "navigator")?, "serviceWorker"));
    container.is_some_and(|container| property(&container, "controller").is_some())
}
