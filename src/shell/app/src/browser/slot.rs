//! An element of the page that stays empty until a part is loaded and fills the element.

use std::cell::Cell;

use leptos::html::Div;
use leptos::prelude::*;

use wasm_bindgen::JsCast;

use crate::part_state::Fill;

/// Fills the element `place` once, as soon as `fill` returns a drawing function. The drawing function can use the state
/// of the page.
pub(crate) fn follow(place: NodeRef<Div>, fill: Box<dyn Fn() -> Option<Fill>>) {
    let Some(owner) = Owner::current() else { return };
    let filled = Cell::new(false);
    super::effect(move || {
        let (Some(place), Some(fill)) = (place.get(), fill()) else { return };
        if !filled.replace(true) {
            // The page may reuse the element of an earlier card, with its old contents.
            place.set_text_content(None);
            owner.with(|| untrack(|| fill(place.into())));
        }
    });
}

/// Returns the first element that matches a CSS selector, in the page that contains the element `place`.
pub(crate) fn find_on_same_page(place: &super::Place, css: &str) -> Option<super::Place> {
    place.closest(".page").ok()??.query_selector(css).ok()??.dyn_into().ok()
}
