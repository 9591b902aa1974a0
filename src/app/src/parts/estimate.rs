//! The questions about models on chips, as a part.

use crate::browser::Place;
use leptos::prelude::*;

use crate::panels::estimate::Estimate;

/// Draws the questions with their answers.
pub(super) fn fill(place: Place) {
    mount_to(place, || view! { <main class="room"><Estimate /></main> }).forget();
}
