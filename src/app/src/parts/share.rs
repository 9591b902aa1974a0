//! What is handed on, as a part: links, code and files for a person, and answers for the page around this one.

use crate::browser::{self, Place};
use leptos::prelude::*;

use super::{Fill, host};
use crate::browser::host::Greeting;
use crate::ctx::Ctx;
use crate::panels::share::Share;

/// What the part hands over.
pub(crate) struct Sharing {
    /// Draws the dialog.
    pub(crate) dialog: Fill,
    /// Answers a page around this one that greets.
    pub(crate) answer: fn(Ctx, Greeting),
}

/// All of it.
pub(super) static SHARING: Sharing = Sharing { dialog: fill, answer: host::answer };

fn fill(place: Place) {
    browser::wear(include_str!("../../../../style/share.css"));
    mount_to(place, || view! { <Share /> }).forget();
}
