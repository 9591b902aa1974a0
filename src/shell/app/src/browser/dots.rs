//! The dots of a plot: clicks on them, and their details in the list next to the plot.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};

/// Returns the number of the clicked dot, if the click was on a dot.
pub(crate) fn clicked(event: &Event) -> Option<String> {
    let element = event.target()?.dyn_into::<Element>().ok()?;
    element.closest("[data-dot]").ok()??.get_attribute("data-dot")
}

/// Opens the list of dots and the details of a dot in it, and gives the details the focus.
pub(crate) fn unfold(id: &str) {
    let Some(details) = super::document().and_then(|document| document.get_element_by_id(id)) else { return };
    let list = details.parent_element().and_then(|parent| parent.closest("details").ok().flatten());
    for element in list.iter().chain([&details]) {
        // The element accepts any attribute.
        let _ = element.set_attribute("open", "");
    }
    if let Some(Ok(summary)) = details.first_element_child().map(|summary| summary.dyn_into::<HtmlElement>()) {
        // If the element cannot get the focus, the focus does not change.
        let _ = summary.focus();
    }
}
