//! The model estimates, as a part that is loaded on demand.

use crate::browser::{self, Place};
use leptos::prelude::*;

use crate::panels::estimate::Estimate;

/// Draws the model estimates.
pub(super) fn fill(place: Place) {
    browser::add_stylesheet(concat!(
        include_str!("../../../../../style/figures.css"),
        include_str!("../../../../../style/estimate.css")
    ));
    mount_to(place, || view! { <main class="room"><Estimate /></main> }).forget();
}
