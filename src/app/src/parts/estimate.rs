//! The questions about models on chips, as a part.

use crate::browser::Place;
use leptos::prelude::*;

use crate::panels::desk::Desk;

/// Draws the questions with their answers.
pub(super) fn fill(place: Place) {
    mount_to(place, || view! { <main class="room"><Desk /></main> }).forget();
}
