//! `details` elements, which a person opens and closes in place.

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlDetailsElement};

/// True if the `details` element of an event is open now.
pub(crate) fn is_open(event: &Event) -> bool {
    let details = event.current_target().or_else(|| event.target());
    details.and_then(|element| element.dyn_into::<HtmlDetailsElement>().ok()).is_some_and(|details| details.open())
}

/// Opens a `details` element, if the page has it.
pub(crate) fn open(id: &str) {
    if let Some(element) = super::document().and_then(|document| document.get_element_by_id(id)) {
        // The element accepts any attribute.
        let _ = element.set_attribute("open", "");
    }
}
