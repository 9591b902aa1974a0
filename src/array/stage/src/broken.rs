//! Parts of a picture that are drawn only for an array with a fault: elements that enter next, and sums that leave.

use super::cells::{fitted, token};
use super::edges::{has_results, lane_of};
use super::geometry::Side;
use super::{Detail, Frame, Layout, Scene};
use display::Tone;
use display::picture::{Anchor, Dash, Mark, Outline, Picture, Rect, Stroke};
use studio::defect::BrokenMachine;
use systolic::{Hold, PeId, StreamPosition};

/// Layer for an array with a fault: draws the sums that leave or, if cells are small, the elements that enter next.
pub fn draw_queues(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let Some(broken) = frame.broken else { return };
    let layout = &scene.layout;
    match layout.detail {
        Detail::Value => draw_next(broken, layout, picture),
        Detail::Compact | Detail::Registers | Detail::Tagged if has_results(frame.plan.schedule()) => {
            draw_results(frame, broken, layout, picture);
        }
        _ => {}
    }
}

/// Draws all sums that leave the last row of an array with a fault, including sums that are not elements of C.
fn draw_results(frame: &Frame<'_>, broken: &BrokenMachine, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    // Sums in place shift out once the last sum has all its terms. A fault does not change this time, because it
    // changes only values.
    let farthest = schedule.hops(PeId::new(layout.rows - 1, layout.cols - 1));
    let flows = schedule.dataflow().hold() == Hold::Operand;
    let shifts = flows || schedule.stream_position(frame.cycle, farthest).1 == StreamPosition::Past;
    let (below, h) = (layout.sizes.result_gap, layout.sizes.result);
    let w = layout.cell * if layout.detail == Detail::Compact { 0.86 } else { 0.62 };
    let last = layout.rows - 1;
    for col in layout.cols_seen().filter(|_| layout.rows_seen().contains(&last)) {
        let pe = PeId::new(last, col);
        let leaving = broken.cell(pe).and_then(|cell| {
            let in_place = || cell.sum.filter(|_| shifts).map(|sum| (sum, cell.is_wrong));
            cell.drained.or_else(in_place)
        });
        let Some((sum, is_wrong)) = leaving else { continue };
        let rect = layout.cell_of(pe);
        let place = Rect::new(rect.x + (layout.cell - w) / 2.0, rect.y + layout.cell + below, w, h);
        let (x, stroke) = (place.x + w / 2.0, Stroke::solid(Tone::Ink, 2.0));
        picture.marks.push(Mark::Line { from: (x, rect.y + rect.h), to: (x, place.y), stroke, arrow: true });
        // The colors are those of C.
        let (tone, dash, ink) = match is_wrong {
            true => (Tone::Wrong, Dash::Dashed, Tone::Wrong),
            false => (Tone::C, Dash::Solid, Tone::Ink),
        };
        picture.shape(place, Outline::Hexagon, Tone::CTint, Stroke { tone, width: 1.5, dash });
        let (text, size) = fitted(sum, place.w, place.h * 0.6);
        picture.bold(place.center(), text, size, Anchor::Middle, ink);
    }
}

/// Draws, for each row and column, the element that enters next. The element replaces the number of the row or column.
/// A layout whose cells show only one value has no space for queues next to the array.
fn draw_next(broken: &BrokenMachine, layout: &Layout, picture: &mut Picture) {
    const WIDE: f32 = 26.0;
    const TALL: f32 = 13.5;
    // Avoids overlap of neighboring notches.
    let wide = WIDE.min(layout.pitch - 1.0);
    for side in [Side::West, Side::North] {
        for lane in layout.lanes_seen(side) {
            let Some(element) = lane_of(broken, side, lane).and_then(|lane| lane.element(1)) else { continue };
            let rect = layout.cell_of(side.pe(lane));
            let (x, y) = rect.center();
            let place = match side {
                Side::West => Rect::new((rect.x - 5.0 - WIDE).max(0.0), y - TALL / 2.0, WIDE, TALL),
                Side::North => Rect::new(x - wide / 2.0, (rect.y - 11.0 - TALL).max(0.0), wide, TALL),
            };
            token(picture, place, &element, 0, Dash::Dotted, false);
        }
    }
}
