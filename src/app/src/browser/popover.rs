//! Popovers: elements that open over the page and close when a person clicks elsewhere.

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement};

/// Gives the focus to the popover of an event if the popover is open now, and then returns true. The browser restores
/// the focus when the popover closes.
///
/// The HTML attribute for this focus (`autofocus`) would also move the focus when the page opens, which an embed must
/// not do.
pub(crate) fn has_opened(event: &Event) -> bool {
    let element = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    // A browser that does not know this selector has no open popover.
    let open = element.filter(|element| element.matches(":popover-open").unwrap_or(false));
    if let Some(open) = &open {
        let _ = open.focus();
    }
    open.is_some()
}
