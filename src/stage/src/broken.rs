//! What is drawn of a machine with a defect alone.

use super::cells::fitted;
use super::{Detail, Layout};
use display::Tone;
use display::picture::{Anchor, Mark, Outline, Picture, Rect, Stroke};
use studio::defect::BrokenMachine;
use systolic::PeId;

/// What leaves the last row of a machine with a defect: no element of C has to be what it makes.
pub(super) fn draw_results(broken: &BrokenMachine, layout: &Layout, picture: &mut Picture) {
    let (w, h) =
        (layout.cell * if layout.detail == Detail::Compact { 0.86 } else { 0.62 }, (layout.cell * 0.27).max(15.0));
    let last = layout.rows - 1;
    for col in layout.cols_seen().filter(|_| layout.rows_seen().contains(&last)) {
        let pe = PeId::new(last, col);
        let Some((sum, is_wrong)) = broken.cell(pe).and_then(|cell| Some((cell.sum?, cell.is_wrong))) else { continue };
        let rect = layout.cell_of(pe);
        let place = Rect::new(rect.x + (layout.cell - w) / 2.0, rect.y + layout.cell * 1.17, w, h);
        let (x, stroke) = (place.x + w / 2.0, Stroke::solid(Tone::Ink, 2.0));
        picture.marks.push(Mark::Line { from: (x, rect.y + rect.h), to: (x, place.y), stroke, arrow: true });
        let edge = if is_wrong { Tone::Wrong } else { Tone::C };
        picture.shape(place, Outline::Hexagon, Tone::CTint, Stroke::solid(edge, 1.5));
        let (text, size) = fitted(sum, place.w, place.h * 0.6);
        picture.bold(place.center(), text, size, Anchor::Middle, Tone::Ink);
    }
}
