//! What opens over the page and closes by itself.

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement};

/// Whether what an event is about is open now. If so it has the focus, and gives it back when it closes.
///
/// The attribute that asks for this makes a browser look for the focus when the page opens, too, which an embed must not
/// have.
pub(crate) fn has_opened(event: &Event) -> bool {
    let element = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    // A browser that does not know the word has none that is open.
    let open = element.filter(|element| element.matches(":popover-open").unwrap_or(false));
    if let Some(open) = &open {
        let _ = open.focus();
    }
    open.is_some()
}
