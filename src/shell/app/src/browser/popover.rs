//! Popovers: elements that open over the page and close when a person clicks elsewhere.

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement};

/// True if the popover that sent an event is open now. An open popover also gets the focus. The browser restores the
/// focus when the popover closes.
///
/// The HTML attribute for this focus (`autofocus`) would also move the focus when the page opens. An embed must not
/// take the focus at that time.
pub(crate) fn has_opened(event: &Event) -> bool {
    let element = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    // A browser that does not know this selector has no open popover.
    let open = element.filter(|element| element.matches(":popover-open").unwrap_or(false));
    if let Some(open) = &open {
        let _ = open.focus();
    }
    open.is_some()
}
