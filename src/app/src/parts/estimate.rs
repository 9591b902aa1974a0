//! The questions about models on chips, as a part.

use leptos::prelude::*;
use web_sys::HtmlElement;

use crate::panels::desk::Desk;

/// Draws the questions with their answers.
pub(super) fn fill(place: HtmlElement) {
    mount_to(place, || view! { <main class="room"><Desk /></main> }).forget();
}
