//! Functions that copy text to the clipboard. They use the older command `copy` of the browser, because it needs no
//! permission, no secure origin and no promise.

use leptos::html::{Input, Textarea};
use leptos::prelude::*;

use super::by_name::call;

/// Copies the selection. Returns true if the browser allowed the copy.
fn copy_selection() -> bool {
    let document = super::document();
    let copied = document.and_then(|document| call(&document, "execCommand", ["copy".into()]));
    copied.is_some_and(|copied| copied.is_truthy())
}

/// Selects and copies the text of an input. If the browser refuses, returns false, and the text stays selected.
pub(crate) fn copy_input(field: NodeRef<Input>) -> bool {
    field.get_untracked().is_some_and(|field| {
        field.select();
        copy_selection()
    })
}

/// Selects and copies the text of a text area. If the browser refuses, returns false, and the text stays selected.
pub(crate) fn copy_area(field: NodeRef<Textarea>) -> bool {
    field.get_untracked().is_some_and(|field| {
        field.select();
        copy_selection()
    })
}
