//! The search, as a part that is loaded on demand.

use leptos::prelude::*;

use crate::browser::{self, Place};
use crate::panels::Ask;

/// Draws the dialog of the search.
pub(super) fn fill(place: Place) {
    browser::add_stylesheet(include_str!("../../../../../style/ask.css"));
    mount_to(place, || view! { <Ask /> }).forget();
}
