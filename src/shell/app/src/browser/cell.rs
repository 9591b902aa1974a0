//! Input fields in a grid, as in a spreadsheet: the fields accept pasted blocks, and keys move from field to field.

use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Event, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

fn input_of(event: &Event) -> Option<HtmlInputElement> {
    event.target()?.dyn_into().ok()
}

/// True if a text field of the page receives this event.
pub(crate) fn is_in_field(event: &Event) -> bool {
    let is_text = |input: HtmlInputElement| !matches!(input.type_().as_str(), "range" | "radio" | "checkbox");
    let is_area = event.target().is_some_and(|target| target.has_type::<HtmlTextAreaElement>());
    is_area || input_of(event).is_some_and(is_text)
}

/// Returns the pasted text.
pub(crate) fn text(event: &ClipboardEvent) -> Option<String> {
    event.clipboard_data()?.get_data("text/plain").ok()
}

/// Returns the pasted text if the text has more than one word, and stops the browser from inserting this text. The
/// browser itself inserts a single word.
pub(crate) fn block(event: &ClipboardEvent) -> Option<String> {
    let text = text(event)?;
    let is_block = text.trim().contains([' ', ',', ';', '\t', '\n', '\r', '[']);
    is_block.then(|| {
        event.prevent_default();
        text
    })
}

/// Selects the text of a field, so that typing replaces it.
pub(crate) fn select(event: &Event) {
    if let Some(input) = input_of(event) {
        input.select();
    }
}

/// Movement from one field to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Movement by this number of rows and columns.
    By(i64, i64),
    /// Movement by this number of fields, down a column and then to the top of the next column.
    Next(i64),
    /// Exit from editing, which restores the old text.
    Out,
}

/// Returns the movement that a key causes, or `None` if the key moves the cursor inside the text of the field.
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
