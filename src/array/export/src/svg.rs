//! Drawing of the array at a cycle, as a separate SVG file in the colors of a theme of the page.

use ::words::caption;
use display::Picture;
use studio::defect::BrokenMachine;
use systolic::Cycle;

use crate::colors::hex;
use crate::{View, explained, slide};

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
    let picture = if view.is_slide() { slide::around(view, cycle, broken.as_ref(), picture) } else { picture };
    titled(view, &status(view, cycle, broken.as_ref()), &picture)
}

/// Returns an SVG document of the cycle that the link names, with a legend, the caption and `address` below the array.
#[must_use]
pub fn explained(view: &View<'_>, address: &str) -> String {
    let cycle = view.cycle();
    titled(view, &status(view, cycle, view.broken_at(cycle).as_ref()), &explained::picture(view, address))
}

/// Returns the caption of a cycle. If `broken` is given, the caption describes this faulty array.
pub(crate) fn status(view: &View<'_>, cycle: Cycle, broken: Option<&BrokenMachine>) -> String {
    match broken {
        Some(broken) => {
            let said = view.caption_at(cycle, Some(broken));
            format!("{}. {}", said.headline, said.sentence)
        }
        None => caption::status(view.plan, cycle, view.link.view.selected),
    }
}

/// Returns the SVG document of a picture with a title.
pub(crate) fn titled(view: &View<'_>, title: &str, picture: &Picture) -> String {
    display::svg::document(picture, title, &|tone| hex(view.link.view.theme, tone))
}
