//! The state of each PE as a color, for an array on a wall whose cells are too small for numbers.

use super::cells::{THREE_MIN, corner};
use super::edges::{coming, draw_stair, next_mapped};
use super::geometry::Side;
use super::{Detail, Frame, Layout, Scene};
use display::Tone;
use display::picture::{Mark, Outline, Picture, Rect, Stroke, px};
use systolic::{Activity, Hold, Operand, PeId, SumOf};
use words::present::Cells;

/// Colors of the wave. They alternate along the dimension that streams in, so that each diagonal has one color.
pub const WAVE: [Tone; 4] = [Tone::Wave0, Tone::Wave1, Tone::Wave2, Tone::Wave3];

/// Returns how the cells of an array on a wall look.
#[must_use]
pub fn cells_of(layout: &Layout) -> Cells {
    match layout.detail {
        Detail::Pixel => Cells::Points,
        Detail::Block | Detail::Glyph | Detail::Value => Cells::States,
        Detail::Compact if layout.cell < THREE_MIN => Cells::Pairs,
        Detail::Compact | Detail::Registers | Detail::Tagged => Cells::Numbers,
    }
}

/// Returns the color of a streamed vector.
fn wave(time: u64) -> Tone {
    WAVE[usize::from(time.to_le_bytes()[0] % 4)]
}

/// Draws a cell for each PE, the registers at the edges, and the results that leave.
pub fn draw(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let layout = &scene.layout;
    if frame.zoom.is_whole() {
        let has_north = frame.plan.schedule().dataflow().hold() == Hold::Result;
        for side in [Side::West, Side::North].into_iter().filter(|side| *side == Side::West || has_north) {
            draw_stair(frame, layout, side, picture);
            draw_registers(frame, layout, side, picture);
        }
        draw_results(frame, layout, picture);
    }
    draw_cells(frame, layout, picture);
}

fn draw_cells(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let held = schedule.dataflow().hold() == Hold::Operand;
    let line = Stroke::solid(Tone::Faint, 0.5);
    for pe in layout.pes() {
        let place = layout.cell_of(pe);
        let gap = if layout.pitch > place.w { 0.0 } else { place.w * 0.05 };
        let rect = Rect::new(place.x + gap, place.y + gap, place.w - 2.0 * gap, place.h - 2.0 * gap);
        let activity = schedule.activity(frame.cycle, pe);
        let (fill, stroke) = match activity {
            Activity::Unmapped => {
                picture.shape(rect, Outline::Box(1), Tone::Clear, line);
                picture.marks.push(Mark::Hatch { rect, tone: Tone::Faint, rising: true });
                continue;
            }
            Activity::Useful => {
                let time = schedule.vector_at(frame.cycle, schedule.hops(pe)).map_or(0, |(_, time)| time);
                (wave(time), Stroke::solid(Tone::Clear, 0.0))
            }
            Activity::OnPadding => (Tone::Ghost, line),
            Activity::Loading => (Tone::BTint, Stroke::solid(Tone::B, 0.5)),
            Activity::Stalled => (Tone::Ground, Stroke::solid(Tone::Stall, 1.0)),
            Activity::Waiting => (Tone::Ground, Stroke::solid(Tone::Quiet, 0.5)),
            Activity::Done => (Tone::Sunken, line),
        };
        picture.shape(rect, Outline::Box(1), fill, stroke);
        if held && matches!(activity, Activity::Waiting | Activity::Stalled) {
            corner(&rect, rect.w * 0.4, Operand::B, picture);
        }
    }
}

/// Draws the registers of an edge. A register that holds an operand has the color in which
/// the operand's vector crosses the array.
fn draw_registers(frame: &Frame<'_>, layout: &Layout, side: Side, picture: &mut Picture) {
    let (edge, n) = (layout.edge(side), side.lanes(next_mapped(frame.plan.schedule(), frame.cycle)));
    let (wide, high) = ((edge.pitch - 1.0).max(1.0), layout.cell * 0.6);
    for (lane, ahead) in (1..n).flat_map(|lane| (1..=lane).map(move |ahead| (lane, ahead))) {
        let pe = side.pe(lane);
        let (cell, away) = (layout.cell_of(pe), edge.lead + px(ahead) * edge.pitch);
        let place = match side {
            Side::West => Rect::new(cell.x - away, cell.center().1 - high / 2.0, wide, high),
            Side::North => Rect::new(cell.center().0 - high / 2.0, cell.y - away, high, wide),
        };
        match coming(frame, pe, ahead).filter(|(fold, _)| lane < side.lanes(fold.mapped)) {
            Some((_, time)) => picture.shape(place, Outline::Pill, wave(time), Stroke::solid(Tone::Clear, 0.0)),
            None => {
                let (x, y) = place.center();
                let dot = Rect::new(x - 0.6, y - 0.6, 1.2, 1.2);
                picture.shape(dot, Outline::Pill, Tone::Faint, Stroke::solid(Tone::Clear, 0.0));
            }
        }
    }
}

/// Draws the results that leave the array in the south.
fn draw_results(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let flows = schedule.dataflow().hold() == Hold::Operand;
    for col in layout.cols_seen() {
        let pe = PeId::new(layout.rows - 1, col);
        let leaves = if flows { SumOf::Register } else { SumOf::Drained };
        if schedule.sum_place(leaves, frame.cycle, pe).is_none() {
            continue;
        }
        let cell = layout.cell_of(pe);
        let place = Rect::new(cell.x + cell.w * 0.08, cell.y + cell.h + 1.5, cell.w * 0.84, cell.w * 0.5);
        picture.shape(place, Outline::Hexagon, Tone::CTint, Stroke::solid(Tone::C, 1.0));
    }
}
