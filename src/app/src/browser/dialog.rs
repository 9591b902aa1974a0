//! A dialog over the page: the browser keeps the focus in it, closes it at Escape and gives the focus back.

use super::timer::later;
use leptos::html::Dialog;
use leptos::prelude::*;

/// Opens the dialog when the signal says so, and leads a screen reader to its title.
pub(crate) fn follow(dialog: NodeRef<Dialog>, opened: RwSignal<bool>, opener: &'static str) {
    super::effect(Box::new(move || {
        let (is_open, Some(dialog)) = (opened.get(), dialog.get()) else { return };
        if is_open && !dialog.open() {
            // The place around it comes to sight in the same round of effects; a dialog out of sight cannot open.
            later(
                move || {
                    // Fails only where it is open, or not on the page any more.
                    let _ = dialog.show_modal();
                    super::focus::focus("share-title");
                },
                core::time::Duration::ZERO,
            );
        } else if !is_open {
            super::focus::focus(opener);
        }
    }));
}

/// Closes it, as Escape does.
pub(crate) fn close(dialog: NodeRef<Dialog>) {
    if let Some(dialog) = dialog.get_untracked() {
        dialog.close();
    }
}
