//! Drawing of the array at a cycle, as a separate SVG file in the colors of a theme of the page.

use ::words::caption;
use display::Picture;
use studio::defect::BrokenMachine;
use systolic::Cycle;

use crate::colors::hex;
use crate::{View, explained};

/// Returns an SVG document of the cycle that the link names, in the theme that the link names.
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
    written(view, cycle, broken, &picture)
}

/// Returns an SVG document of the cycle that the link names, with a legend, the caption and `address` below the array.
#[must_use]
pub fn explained(view: &View<'_>, address: &str) -> String {
    let cycle = view.cycle();
    written(view, cycle, view.broken_at(cycle), &explained::picture(view, address))
}

fn written(view: &View<'_>, cycle: Cycle, broken: Option<BrokenMachine>, picture: &Picture) -> String {
    let status = match broken {
        Some(broken) => {
            let said = view.caption_at(cycle, Some(&broken));
            format!("{}. {}", said.headline, said.sentence)
        }
        None => caption::status(view.plan, cycle, view.link.view.selected),
    };
    display::svg::document(picture, &status, &|tone| hex(view.link.view.theme, tone))
}
