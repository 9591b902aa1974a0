//! Whether the browser keeps the page for when there is no network. `public/offline.js` asks it to.

use super::by_name::property;

/// Whether this page opens again without a network.
pub(crate) fn is_kept() -> bool {
    let container = super::window().and_then(|window| property(&property(&window, "navigator")?, "serviceWorker"));
    container.is_some_and(|container| property(&container, "controller").is_some())
}
