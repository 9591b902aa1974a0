//! The skew registers of an array: background, name, and registers that are too small for values.

use super::cells::{GLYPH, TEXT_MIN, ink_of};
use super::edges::{TOKEN_MIN, WAITING_MAX, coming, next_mapped};
use super::layout::Edge;
use super::{Frame, Layout};
use display::Tone;
use display::picture::{Anchor, Mark, Outline, Picture, Rect, Stroke, px};
use studio::defect::BrokenMachine;
use systolic::{Fold, Hold, Operand, PeId};

/// Draws the background of the skew registers at the west edge or the north edge: a staircase with one step for each
/// lane.
pub(super) fn draw_stair(frame: &Frame<'_>, layout: &Layout, is_west: bool, picture: &mut Picture) {
    let mapped = next_mapped(frame.plan.schedule(), frame.cycle);
    let (edge, n) = if is_west { (layout.west, mapped.rows) } else { (layout.north, mapped.cols) };
    if frame.broken.is_some() || !frame.zoom.is_whole() || n < 2 || (edge.tokens == 0 && !frame.is_wall()) {
        return;
    }
    let (array, margin) = (layout.array(), (layout.pitch - layout.cell) / 2.0);
    let start = edge.lead - 4.0;
    let place = |along: f32, away: f32| match is_west {
        true => (array.x - away, array.y + along),
        false => (array.x + along, array.y - away),
    };
    // The points go along the steps and back along the array.
    let mut points = vec![place(layout.pitch - margin, start)];
    for lane in 1..n {
        let away = edge.lead + px(lane) * edge.pitch + 2.0;
        points.push(place(px(lane) * layout.pitch - margin, away));
        points.push(place(px(lane + 1) * layout.pitch - margin, away));
    }
    points.push(place(px(n) * layout.pitch - margin, start));
    picture.marks.push(Mark::Area { points, fill: Tone::Sunken });
}

/// Draws the name of the skew registers: below the last lane, or left of the operands that wait in front of the first
/// lane.
pub(super) fn name_registers(frame: &Frame<'_>, layout: &Layout, has_tags: bool, picture: &mut Picture) {
    let used = next_mapped(frame.plan.schedule(), frame.cycle).rows.min(layout.rows_seen().end);
    let has_registers = frame.broken.is_none_or(BrokenMachine::has_west_registers);
    if used < 3 || !has_registers || layout.west.tokens == 0 || !layout.rows_seen().contains(&(used - 1)) {
        return;
    }
    let Edge { tokens, pitch, lead } = layout.west;
    let (first, last) = (layout.cell_of(PeId::new(0, 0)), layout.cell_of(PeId::new(used - 1, 0)));
    let fitting = |room: f32| {
        let fits = |text: &&str| px(text.len() as u64) * GLYPH * TEXT_MIN <= room;
        let [rule, name] = words::picture::SKEW_REGISTERS;
        let rule = Some(rule).filter(|_| frame.broken.is_none());
        rule.into_iter().chain([name, words::picture::SKEW]).find(fits)
    };
    // Below the places of the last lane's elements, in front of the background of the registers.
    let below = last.center().1 + (layout.cell * 0.235).max(TOKEN_MIN) / 2.0 + if has_tags { 23.0 } else { 11.0 };
    let room = last.x - lead;
    // A chosen PE of this lane has the cycles of its operand there.
    let is_free = frame.selected.is_none_or(|pe| pe.row + 1 != used);
    let fits_below = below + TEXT_MIN / 2.0 <= last.y + last.h + 2.0;
    if let Some(name) = fitting(room).filter(|_| is_free && fits_below) {
        picture.text((room, below), name, TEXT_MIN, Anchor::End, Tone::Quiet);
        return;
    }
    let waiting = px(WAITING_MAX.min(tokens)) * pitch + lead;
    let free = px(tokens) * pitch + lead - waiting - 6.0;
    if let Some(name) = fitting(free).filter(|_| frame.zoom.is_whole() && !fits_below) {
        // Above the wire from the matrix to the first lane.
        picture.text(
            (first.x - waiting - 6.0, first.center().1 - TEXT_MIN * 0.75),
            name,
            TEXT_MIN,
            Anchor::End,
            Tone::Quiet,
        );
    }
}

/// Draws the skew registers of the edges whose registers have no space for values.
pub(super) fn draw_skew(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    // The skew of an array with a fault differs, and a magnified array has no space around it.
    if frame.broken.is_some() || !frame.zoom.is_whole() {
        return;
    }
    let dataflow = frame.plan.schedule().dataflow();
    if layout.west.tokens == 0 {
        draw_small_registers(frame, layout, dataflow.from_west(), true, picture);
    }
    if dataflow.hold() == Hold::Result && layout.north.tokens == 0 {
        draw_small_registers(frame, layout, Operand::B, false, picture);
    }
}

/// Smallest distance between two registers that are drawn one by one.
const REGISTER_MIN: f32 = 5.0;
/// Smallest height of a bar, which can represent several lanes. `PLACES_MAX` is the largest number of places along a
/// bar.
const BAR_MIN: f32 = 2.0;
const PLACES_MAX: u32 = 36;

/// Draws the registers of the west edge, or of the north edge. A register that has an operand is filled.
fn draw_small_registers(frame: &Frame<'_>, layout: &Layout, operand: Operand, is_west: bool, picture: &mut Picture) {
    let mapped = next_mapped(frame.plan.schedule(), frame.cycle);
    let (edge, n) = if is_west { (layout.west, mapped.rows) } else { (layout.north, mapped.cols) };
    let array = layout.array();
    // The place between two distances from the array, along some lanes.
    let bar = |lane: f32, lanes: f32, from: f32, to: f32| {
        let (along, wide) = (lane * layout.pitch, lanes * layout.pitch - (layout.pitch - layout.cell));
        if is_west {
            Rect::new(array.x - edge.lead - to, array.y + along + wide * 0.15, to - from, wide * 0.7)
        } else {
            Rect::new(array.x + along + wide * 0.15, array.y - edge.lead - to, wide * 0.7, to - from)
        }
    };
    let (ink, tint, _) = ink_of(operand);
    let is_full = |lane: u32, ahead: u32| {
        let pe = if is_west { PeId::new(lane, 0) } else { PeId::new(0, lane) };
        let side = |fold: Fold| if is_west { fold.mapped.rows } else { fold.mapped.cols };
        coming(frame, pe, ahead).is_some_and(|(fold, _)| lane < side(fold))
    };
    if edge.pitch >= REGISTER_MIN {
        for (lane, ahead) in (1..n).flat_map(|lane| (1..=lane).map(move |ahead| (lane, ahead))) {
            let place = bar(px(lane), 1.0, px(ahead - 1) * edge.pitch + 1.0, px(ahead) * edge.pitch);
            let (fill, tone) = if is_full(lane, ahead) { (tint, ink) } else { (Tone::Clear, Tone::Faint) };
            picture.shape(place, Outline::Box(1), fill, Stroke::solid(tone, 1.0));
        }
        return;
    }
    let side = |lanes: u32| px(lanes) * layout.pitch;
    let far = px(n.saturating_sub(1)) * edge.pitch;
    let points = if is_west {
        let x = array.x - edge.lead;
        vec![(x, array.y), (x - far, array.y + side(n)), (x, array.y + side(n))]
    } else {
        let y = array.y - edge.lead;
        vec![(array.x, y), (array.x + side(n), y - far), (array.x + side(n), y)]
    };
    picture.marks.push(Mark::Area { points, fill: Tone::Sunken });
    let mut every: u32 = 1;
    while layout.pitch * px(every) < BAR_MIN {
        every *= 2;
    }
    for lane in (1..n).step_by(every as usize) {
        let step = lane.div_ceil(PLACES_MAX);
        let places = (1..=lane).step_by(step as usize).map(|ahead| (ahead, is_full(lane, ahead)));
        let mut start = None;
        for (ahead, full) in places.chain([(lane + 1, false)]) {
            match (start, full) {
                (None, true) => start = Some(ahead),
                (Some(from), false) => {
                    let place = bar(px(lane), px(every), px(from - 1) * edge.pitch, px(ahead - 1) * edge.pitch);
                    picture.shape(place, Outline::Box(0), ink, Stroke::solid(Tone::Clear, 0.0));
                    start = None;
                }
                (None, false) | (Some(_), true) => {}
            }
        }
    }
}
