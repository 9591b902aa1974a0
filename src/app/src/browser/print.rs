//! The page on paper.

use leptos::leptos_dom::helpers::window_event_listener_untyped;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Opens the browser's dialog for printing.
pub(crate) fn print() {
    if let Some(window) = super::window() {
        // Where a frame forbids it, nothing happens; the browser's own command works.
        let _ = window.print();
    }
}

/// Marks what is open for the printer alone.
const CLOSED: &str = "data-closed";

fn each(css: &str, act: impl Fn(&Element)) {
    let Some(found) = super::document().and_then(|document| document.query_selector_all(css).ok()) else { return };
    for index in 0..found.length() {
        if let Some(element) = found.get(index).and_then(|node| node.dyn_into::<Element>().ok()) {
            act(&element);
        }
    }
}

/// Opens the closed details of the estimate while the page is printed: on paper nothing opens.
pub(crate) fn open_details() {
    // These elements take any attribute.
    let before = window_event_listener_untyped("beforeprint", |_| {
        each("#estimate details:not([open])", |element| {
            let _ = element.set_attribute(CLOSED, "").and_then(|()| element.set_attribute("open", ""));
        });
    });
    let after = window_event_listener_untyped("afterprint", |_| {
        each("#estimate details[data-closed]", |element| {
            let _ = element.remove_attribute("open").and_then(|()| element.remove_attribute(CLOSED));
        });
    });
    on_cleanup(move || {
        before.remove();
        after.remove();
    });
}
