//! Wires between the matrices and the array.

use super::edges::next_mapped;
use super::margins::result;
use super::{Detail, Frame, Scene};
use display::Tone;
use display::picture::{Mark, Picture, Stroke, between};
use systolic::{Drain, Hold, Operand, PeId};

/// Distance from the margins of the array to a wire that leads to several rows or columns.
const OFF: f32 = 4.0;
/// Distance from the middle of a column to the wire that enters it. The name of the column is in the middle.
const BESIDE_NAME: f32 = 15.0;
/// Distance from a matrix to its bracket.
const BRACKET: f32 = 5.0;

/// Draws the wires from the operands to the rows and columns of the array, and from the results to C.
pub(super) fn draw_wires(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let (layout, schedule) = (&scene.layout, frame.plan.schedule());
    if scene.is_strip || frame.broken.is_some() || layout.detail < Detail::Compact {
        return;
    }
    let west = schedule.dataflow().from_west();
    let east = if west == Operand::A { Operand::B } else { Operand::A };
    let places = (scene.place(west), scene.place(east), scene.place(Operand::C));
    let (Some(west), Some(east), Some(c)) = places else { return };
    let (array, margins, mapped) = (layout.array(), scene.margins(), next_mapped(schedule, frame.cycle));
    let mut wire = |points: &[(f32, f32)]| draw_wire(points, picture);
    let row = |row: u32| layout.cell_of(PeId::new(row, 0)).center().1;
    let (trunk, out) = (array.x - margins.west - OFF, west.rect.center().1);
    let (first, last) = (row(0), row(mapped.rows.saturating_sub(1)));
    wire(&[(west.rect.x + west.rect.w + BRACKET, out), (trunk, out)]);
    wire(&[(trunk, first.min(out)), (trunk, last.max(out))]);
    for y in (0..mapped.rows).map(row) {
        wire(&[(trunk, y), (array.x - layout.west.lead, y)]);
    }
    let col = |col: u32| layout.cell_of(PeId::new(0, col)).center().0 - BESIDE_NAME;
    let (above, side) = (array.y - margins.north - OFF, array.x + array.w + margins.east + OFF);
    if above > 1.0 {
        let out = east.rect.y + OFF;
        wire(&[(east.rect.x - BRACKET, out), (side, out), (side, above), (col(0), above)]);
        for x in (0..mapped.cols).map(col) {
            wire(&[(x, above), (x, array.y - layout.north.lead)]);
        }
    }
    let leaves = schedule.dataflow().hold() == Hold::Operand || schedule.design().drain == Drain::South;
    if let Some(last) = mapped.cols.checked_sub(1).filter(|_| leaves) {
        let (below, height) = result(layout.cell, frame.is_wall());
        let start = col(last) + BESIDE_NAME + layout.cell * 0.45;
        let (y, into) = (array.y + array.h + below + height / 2.0, c.rect.x - BRACKET);
        let turn = (into - 9.0).max(start);
        let end = between(y, c.rect.y + OFF, c.rect.y + c.rect.h - OFF);
        wire(&[(start, y), (turn, y), (turn, end)]);
        let stroke = Stroke::solid(Tone::C, 1.5);
        picture.marks.push(Mark::Line { from: (turn, end), to: (into, end), stroke, arrow: true });
    }
}

#[inline(never)]
fn draw_wire(points: &[(f32, f32)], picture: &mut Picture) {
    for ends in points.windows(2) {
        picture.line(ends[0], ends[1], Stroke::solid(Tone::Ghost, 1.0));
    }
}
