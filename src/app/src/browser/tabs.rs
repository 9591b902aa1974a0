//! Places of the page as panels of its tabs, while the row of tabs is on the screen.

use leptos::html::Div;
use leptos::prelude::*;

use super::measure;
use crate::tab::Tab;

/// What the style sheet shows of the places where there are tabs.
const SHOWN: &str = "data-shown";

/// Marks the chosen tab's place, and makes all of them panels where the style sheet shows the row: whether it does is
/// decided there alone.
pub(crate) fn follow(row: NodeRef<Div>, tab: RwSignal<Tab>) {
    let size = measure::size_of(row);
    super::effect(Box::new(move || {
        let (has_tabs, chosen) = (size.get().width > 0.0, tab.get());
        // What the style sheet of a projector asks: with `:has`, every text that changes below would have the whole page
        // styled anew.
        if let Some(page) = row.get_untracked().and_then(|row| row.closest(".page").ok().flatten()) {
            let _ = page.set_attribute("data-tab", chosen.place());
        }
        for one in Tab::ALL {
            let place = super::document().and_then(|document| document.get_element_by_id(one.place()));
            let Some(place) = place else { continue };
            // These elements take any attribute.
            let _ = if one == chosen { place.set_attribute(SHOWN, "") } else { place.remove_attribute(SHOWN) };
            let _ = if has_tabs {
                place
                    .set_attribute("role", "tabpanel")
                    .and_then(|()| place.set_attribute("aria-labelledby", one.button()))
            } else {
                place.remove_attribute("role").and_then(|()| place.remove_attribute("aria-labelledby"))
            };
        }
    }));
}
