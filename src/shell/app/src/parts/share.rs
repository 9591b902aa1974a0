//! Sharing, as a part that is loaded on demand: the share dialog for a person, and the answers to the host page.

use leptos::prelude::*;

use crate::browser::{self, Place};
use crate::effects::host;
use crate::panels::Present;
use crate::panels::share::Share;
use crate::part_state::Sharing;

/// The share dialog, presentation mode, the answers to the host page, and the pictures of worksheets.
pub(super) const SHARING: Sharing =
    Sharing { dialog: fill, wall, answer: host::answer, worksheet: export::card::pictures };

fn fill(place: Place) {
    browser::add_stylesheet(include_str!("../../../../../style/share.css"));
    mount_to(place, || view! { <Share /> }).forget();
}

fn wall(place: Place) {
    mount_to(place, || view! { <Present /> }).forget();
}
