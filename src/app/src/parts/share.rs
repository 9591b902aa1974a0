//! Sharing, as a part: links, code and files for a person, and answers for the page around this one.

use leptos::prelude::*;

use crate::browser::{self, Place};
use crate::effects::host;
use crate::panels::share::Share;
use crate::part_state::Sharing;

/// The dialog and the answers.
pub(super) const SHARING: Sharing = Sharing { dialog: fill, answer: host::answer };

fn fill(place: Place) {
    browser::add_stylesheet(include_str!("../../../../style/share.css"));
    mount_to(place, || view! { <Share /> }).forget();
}
