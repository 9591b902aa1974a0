//! A dialog over the page. The browser keeps the focus in the dialog, closes the dialog when a person presses Escape,
//! and then restores the focus.

use super::timer::later;
use leptos::html::Dialog;
use leptos::prelude::*;

/// Opens the share dialog when `opened` becomes true, and moves the focus to the title of the dialog. When `opened`
/// becomes false, closes the dialog and moves the focus to the element `opener`.
pub(crate) fn follow(dialog: NodeRef<Dialog>, opened: RwSignal<bool>, opener: &'static str) {
    super::effect(move || {
        let (is_open, Some(dialog)) = (opened.get(), dialog.get()) else { return };
        if is_open && !dialog.open() {
            // The place around the dialog becomes visible in the same round of effects. A hidden dialog cannot open.
            later(
                move || {
                    // Fails only if the dialog is already open, or no longer on the page.
                    let _ = dialog.show_modal();
                    super::focus::focus("share-title");
                },
                core::time::Duration::ZERO,
            );
        } else if !is_open {
            // An open dialog, even an empty one, keeps the pointer from the page.
            if dialog.open() {
                dialog.close();
            }
            super::focus::focus(opener);
        }
    });
}

/// Closes a dialog in the same way as the Escape key.
pub(crate) fn close(dialog: NodeRef<Dialog>) {
    if let Some(dialog) = dialog.get_untracked() {
        dialog.close();
    }
}
