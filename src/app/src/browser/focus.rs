//! The keyboard focus.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Gives the focus to an element.
pub(crate) fn focus(id: &str) {
    let element = super::document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // If the element cannot get the focus, the focus does not change.
        let _ = element.focus();
    }
}

/// Takes the focus from an element.
pub(crate) fn blur(id: &str) {
    let element = super::document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.blur();
    }
}
