//! A dialog over the page. The browser keeps the focus in the dialog, closes the dialog when a person presses Escape,
//! and then restores the focus.

use super::timer::later;
use leptos::html::Dialog;
use leptos::prelude::*;

/// Opens a dialog when `opened` becomes true, and moves the focus to the element `first`. When `opened` becomes false,
/// closes the dialog and moves the focus to the element `opener`; without `opener`, the browser restores the focus.
pub(crate) fn follow(
    dialog: NodeRef<Dialog>,
    opened: RwSignal<bool>,
    first: &'static str,
    opener: Option<&'static str>,
) {
    super::effect(move || {
        let (is_open, Some(dialog)) = (opened.get(), dialog.get()) else { return };
        if is_open && !dialog.open() {
            // The place around the dialog becomes visible in the same round of effects. A hidden dialog cannot open.
            later(
                move || {
                    // Fails only if the dialog is already open, or no longer on the page.
                    let _ = dialog.show_modal();
                    super::focus::focus(first);
                },
                core::time::Duration::ZERO,
            );
        } else if !is_open {
            // An open dialog, even an empty one, keeps the pointer from the page.
            if dialog.open() {
                dialog.close();
            }
            if let Some(opener) = opener {
                super::focus::focus(opener);
            }
        }
    });
}

/// Closes a dialog in the same way as the Escape key.
pub(crate) fn close(dialog: NodeRef<Dialog>) {
    if let Some(dialog) = dialog.get_untracked() {
        dialog.close();
    }
}
