//! The lessons, as a part that is loaded on demand.

use crate::browser::{self, Place};
use leptos::prelude::*;

use crate::panels::learn::Learn;

/// Draws the list of the lessons, or the lesson card next to the array.
pub(super) fn fill(place: Place) {
    browser::add_stylesheet(include_str!("../../../../../style/learn.css"));
    mount_to(place, || view! { <Learn /> }).forget();
}
