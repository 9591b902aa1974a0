//! Drawing of the array at a cycle, as a separate SVG file with colors for light mode and dark mode.

use ::words::caption;
use systolic::Cycle;

use crate::View;
use crate::colors::style_of;

/// Returns an SVG document of the cycle that the link names.
///
/// ```
/// use studio::{Link, Plan};
/// let link = Link::default();
/// let plan = Plan::new(&link.scenario).unwrap();
/// let svg = export::svg::document(&export::View { plan: &plan, link: &link, size: (900.0, 700.0) });
/// assert!(svg.contains("<title>Cycle 7"));
/// ```
#[must_use]
pub fn document(view: &View<'_>) -> String {
    document_at(view, view.cycle())
}

/// Returns an SVG document of a given cycle of the run.
#[must_use]
pub fn document_at(view: &View<'_>, cycle: Cycle) -> String {
    let broken = view.broken_at(cycle);
    let picture = view.picture_at(cycle, broken.as_ref());
    let selected = view.link.view.selected;
    let status = match broken {
        Some(broken) => {
            let said = caption::broken(view.plan, &broken, selected);
            format!("{}. {}", said.headline, said.sentence)
        }
        None => caption::status(view.plan, cycle, selected),
    };
    display::svg::document(&picture, &status, &style_of(&display::svg::document(&picture, &status, "")))
}
