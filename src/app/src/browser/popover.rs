//! What opens over the page and closes by itself.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

/// Whether what an event is about is open now.
pub(crate) fn is_open(event: &Event) -> bool {
    let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    // A browser that does not know the word has none that is open.
    element.is_some_and(|element| element.matches(":popover-open").unwrap_or(false))
}
