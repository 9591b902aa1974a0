//! Places of the page: elements that are tab panels while the row of tabs is on the screen.

use leptos::html::Div;
use leptos::prelude::*;

use super::measure;
use crate::tab::Tab;

/// Attribute of the place for the chosen tab. If the page has tabs, the style sheet shows this place.
const SHOWN: &str = "data-shown";

/// Marks the place that belongs to the chosen tab. While the row of tabs is visible, all places are tab panels. Only
/// the style sheet decides whether the row is visible.
pub(crate) fn follow(row: NodeRef<Div>, tab: RwSignal<Tab>) {
    let size = measure::size_of(row);
    super::effect(move || {
        let (has_tabs, chosen) = (size.get().width > 0.0, tab.get());
        // The style sheet of the projector theme reads this attribute. With `:has`, each changed text below would make
        // the browser style the whole page again.
        if let Some(page) = row.get_untracked().and_then(|row| row.closest(".page").ok().flatten()) {
            let _ = page.set_attribute("data-tab", chosen.place());
        }
        for one in Tab::ALL {
            let place = super::document().and_then(|document| document.get_element_by_id(one.place()));
            let Some(place) = place else { continue };
            // These elements accept any attribute.
            let _ = if one == chosen { place.set_attribute(SHOWN, "") } else { place.remove_attribute(SHOWN) };
            let _ = if has_tabs {
                place
                    .set_attribute("role", "tabpanel")
                    .and_then(|()| place.set_attribute("aria-labelledby", one.button()))
            } else {
                place.remove_attribute("role").and_then(|()| place.remove_attribute("aria-labelledby"))
            };
        }
    });
}
