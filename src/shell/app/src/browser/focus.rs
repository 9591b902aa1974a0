//! The keyboard focus.

use core::time::Duration;

use wasm_bindgen::JsCast;
use web_sys::{Event, FocusEvent, HtmlElement, KeyboardEvent};

use super::by_name;
use super::timer::later;

/// Returns the id of the element that an event is for.
pub(crate) fn target_id(event: &Event) -> Option<String> {
    Some(event.target()?.dyn_into::<HtmlElement>().ok()?.id())
}

/// Gives the focus to an element.
pub(crate) fn focus(id: &str) {
    let element = super::document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // If the element cannot get the focus, the focus does not change.
        let _ = element.focus();
    }
}

/// Scrolls an element to the top of its panel and gives it the focus.
pub(crate) fn go_to(id: &str) {
    if let Some(element) = super::document().and_then(|document| document.get_element_by_id(id)) {
        element.scroll_into_view();
    }
    focus(id);
}

/// Takes the focus from an element.
pub(crate) fn blur(id: &str) {
    let element = super::document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.blur();
    }
}

/// Takes the focus from the element that has it. A text field then reports its change.
pub(crate) fn leave() {
    let focused = super::document().and_then(|document| document.active_element());
    if let Some(element) = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.blur();
    }
}

/// True if the focus is in an element that `css` selects.
pub(crate) fn is_within(css: &str) -> bool {
    let focused = super::document().and_then(|document| document.active_element());
    focused.and_then(|focused| focused.closest(css).ok().flatten()).is_some()
}

/// Scrolls the first element that `css` selects into view, if the element ends below its panel.
pub(crate) fn reveal(css: &str) {
    let Some(element) = super::document().and_then(|document| document.query_selector(css).ok().flatten()) else {
        return;
    };
    let panel = |css: &str| {
        let rect = element.closest(css).ok().flatten()?.get_bounding_client_rect();
        (rect.height() > 0.0).then_some(rect)
    };
    let panels: Vec<_> = [".live", ".place"].into_iter().filter_map(panel).collect();
    let rect = element.get_bounding_client_rect();
    if panels.iter().any(|panel| rect.bottom() > panel.bottom()) {
        // An element that is taller than its panel is scrolled to its start.
        element.scroll_into_view_with_bool(panels.iter().any(|panel| rect.height() > panel.height()));
    }
}

/// Moves the focus with the arrow keys, in rows of `n_cols` elements. The id of an element is `ids` followed by an
/// index.
pub(crate) fn walk(event: &KeyboardEvent, ids: &str, n_cols: isize) {
    let by = match event.key().as_str() {
        "ArrowRight" => 1,
        "ArrowLeft" => -1,
        "ArrowDown" => n_cols,
        "ArrowUp" => -n_cols,
        _ => return,
    };
    let at = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    let index = at.and_then(|at| at.id().strip_prefix(ids)?.parse::<isize>().ok());
    if let Some(index) = index {
        event.prevent_default();
        focus(&format!("{ids}{}", index + by));
    }
}

/// Presses an element, if the page has it.
pub(crate) fn press(id: &str) {
    let element = super::document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        element.click();
    }
}

/// Selects the whole text of the field that got the focus.
pub(crate) fn choose_all(event: &FocusEvent) {
    if let Some(field) = event.target() {
        // A pointer places the caret after this event.
        later(move || _ = by_name::call(&field, "select", []), Duration::ZERO);
    }
}
