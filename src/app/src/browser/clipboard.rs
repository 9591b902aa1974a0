//! Texts for the clipboard. The older way is used on purpose: it needs no permission, no secure origin and no answer that
//! comes later.

use leptos::html::{Input, Textarea};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlDocument;

/// Copies what is selected; whether the browser let it.
fn copy_selection() -> bool {
    let document = super::document().and_then(|document| document.dyn_into::<HtmlDocument>().ok());
    document.is_some_and(|document| document.exec_command("copy").unwrap_or(false))
}

/// Selects and copies what stands in a field; where that is refused it stays selected.
pub(crate) fn copy_input(field: NodeRef<Input>) -> bool {
    field.get_untracked().is_some_and(|field| {
        field.select();
        copy_selection()
    })
}

/// The same for a field of several lines.
pub(crate) fn copy_area(field: NodeRef<Textarea>) -> bool {
    field.get_untracked().is_some_and(|field| {
        field.select();
        copy_selection()
    })
}
