//! The widths of the timelines of two runs.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::browser::Place;
use crate::tab::Tab;

/// Passes the widths of the two timelines, in percent, to the style sheet.
pub(crate) fn follow(widths: Memo<(u64, u64)>) {
    super::effect(move || {
        let (first, second) = widths.get();
        let place = super::document().and_then(|document| document.get_element_by_id(Tab::Run.place()));
        let Some(place) = place.and_then(|place| place.dyn_into::<Place>().ok()) else { return };
        for (name, percent) in [("--first", first), ("--second", second)] {
            // A custom property accepts any value.
            let _ = place.style().set_property(name, &format!("{percent}%"));
        }
    });
}
