//! Fields of a grid as a spreadsheet has them: what is pasted into one, and which keys lead to the next.

use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Event, HtmlInputElement, KeyboardEvent};

fn input_of(event: &Event) -> Option<HtmlInputElement> {
    event.target()?.dyn_into().ok()
}

/// The text of a paste that is more than one word; the browser then leaves it to the page. A word it puts in itself.
pub(crate) fn block(event: &ClipboardEvent) -> Option<String> {
    let text = event.clipboard_data()?.get_data("text/plain").ok()?;
    let is_block = text.trim().contains([' ', ',', ';', '\t', '\n', '\r', '[']);
    is_block.then(|| {
        event.prevent_default();
        text
    })
}

/// Selects what is in a field, so that typing takes its place.
pub(crate) fn select(event: &Event) {
    if let Some(input) = input_of(event) {
        input.select();
    }
}

/// Where a key leads from a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// As many rows and columns on, where there are fields.
    By(i64, i64),
    /// To the next field down, then to the top of the next column; or back.
    Next(i64),
    /// Out, back to what was there before.
    Out,
}

/// Where a key leads; nowhere while it moves in the text of the field.
pub(crate) fn way(event: &KeyboardEvent) -> Option<Way> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let key = event.key();
    match (key.as_str(), event.shift_key()) {
        ("Enter", is_back) => Some(Way::Next(if is_back { -1 } else { 1 })),
        ("Escape", _) => Some(Way::Out),
        ("ArrowUp", false) => Some(Way::By(-1, 0)),
        ("ArrowDown", false) => Some(Way::By(1, 0)),
        ("ArrowLeft" | "ArrowRight", false) => {
            let input = input_of(event)?;
            let end = u32::try_from(input.value().encode_utf16().count()).ok()?;
            let (from, to) = (input.selection_start().ok()??, input.selection_end().ok()??);
            let is_left = key == "ArrowLeft";
            let at_edge = if is_left { from == 0 } else { to == end };
            at_edge.then_some(Way::By(0, if is_left { -1 } else { 1 }))
        }
        _ => None,
    }
}
