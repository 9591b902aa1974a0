//! The surroundings of the PEs: links, skew registers, queues, results that leave, and the numbers of rows and columns.

use super::cells::{GLYPH, PARTIAL, RESULT, TEXT_MIN, extend_token, fitted_sum, tag_within, token};
use super::layout::Edge;
use super::margins::{load, load_width, result};
use super::{Detail, Frame, Layout, SumSet};
use display::Tone;
use display::picture::{Anchor, Dash, Identity, Mark, Outline, Picture, Rect, Stroke, px};
use studio::defect::EdgeLane;
use systolic::{
    Activity, Axis, Cycle, Cycles, Drain, Fold, Hold, Load, Operand, Overlap, PeId, Schedule, StreamPosition, SumOf,
};

/// Returns the distance from the upper edge of a row's PEs to the row's name, in a layout with queues.
fn row_name_below(layout: &Layout) -> f32 {
    if layout.detail == Detail::Compact { 2.5 } else { layout.cell * 0.16 }
}

/// Smallest height of a token with a number.
pub(super) const TOKEN_MIN: f32 = 13.5;

/// Draws the links between PEs, and the fronts of the wave. A link is thick and has an arrow if a value passed over this
/// link at this clock edge.
pub(super) fn draw_links(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let prober = frame.prober();
    let flows = schedule.dataflow().hold() == Hold::Operand;
    let gap = layout.pitch - layout.cell;
    for pe in layout.pes() {
        let rect = layout.cell_of(pe);
        let (x, y) = rect.center();
        let probe = prober.without_sum(frame.cycle, pe);
        if let Some(dash) = front(schedule, frame.cycle, pe) {
            let (left, top) = (rect.x - gap / 2.0, rect.y - gap / 2.0);
            let stroke = Stroke { tone: Tone::Ink, width: 2.5, dash };
            for (is_inside, to) in [(pe.col > 0, (left, top + layout.pitch)), (pe.row > 0, (left + layout.pitch, top))]
            {
                if is_inside {
                    picture.line((left, top), to, stroke);
                }
            }
        }
        if pe.col > 0 {
            link(picture, (rect.x - gap, y), (rect.x, y), probe.east.is_some());
        }
        if pe.row > 0 {
            // From the north come B (OS), loaded rows, or sums, which rows outside the problem pass on.
            let passes_sums = flows && pe.col < schedule.fold_at(frame.cycle, pe).mapped.cols;
            let carried = probe.south.is_some()
                || passes_sums && schedule.is_in_wave(frame.cycle, pe)
                || probe.activity == Activity::Loading && probe.held.is_some();
            link(picture, (x, rect.y - gap), (x, rect.y), carried);
        }
    }
}

/// Returns the stroke of the line north and west of a PE, if the wave begins or ends there: solid if the wave has not
/// reached this PE, dashed if the wave has left the PEs before it.
fn front(schedule: &Schedule, cycle: Cycle, pe: PeId) -> Option<Dash> {
    let is_stream = |position: StreamPosition| matches!(position, StreamPosition::At(_) | StreamPosition::Gap);
    let hops = schedule.hops(pe);
    let (near, before) = schedule.stream_position(cycle, hops.checked_sub(1)?);
    let (far, here) = schedule.stream_position(cycle, hops);
    if !near.mapped.contains(pe) {
        None
    } else if is_stream(before) {
        (near.index != far.index || !is_stream(here)).then_some(Dash::Solid)
    } else {
        (before == StreamPosition::Past && is_stream(here)).then_some(Dash::Dashed)
    }
}

fn link(picture: &mut Picture, from: (f32, f32), to: (f32, f32), carried: bool) {
    let stroke = if carried { Stroke::solid(Tone::Ink, 2.0) } else { Stroke::solid(Tone::Ghost, 1.0) };
    picture.marks.push(Mark::Line { from, to, stroke, arrow: carried });
}

/// Draws skew registers and queues in the west and north, and results in the south.
pub(super) fn draw_feeders(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    super::skew::draw_stair(frame, layout, true, picture);
    draw_west(frame, layout, picture);
    match frame.plan.schedule().dataflow().hold() {
        Hold::Result => {
            super::skew::draw_stair(frame, layout, false, picture);
            draw_north(frame, layout, picture);
        }
        // A fault that removes the skew changes the times of a diagonal load.
        Hold::Operand if frame.broken.is_some() && frame.plan.schedule().design().load() == Load::Diagonal => {}
        Hold::Operand if frame.is_wall() => {}
        Hold::Operand => draw_load_stack(frame, layout, picture),
    }
    let schedule = frame.plan.schedule();
    let flows = schedule.dataflow().hold() == Hold::Operand;
    let leaves = flows || schedule.design().drain == Drain::South;
    if frame.broken.is_none() && leaves {
        draw_results(frame, layout, picture);
    }
}

/// Returns the streamed vector that reaches a PE in `ahead` cycles, and the fold of this vector.
pub(super) fn coming(frame: &Frame<'_>, pe: PeId, ahead: u32) -> Option<(Fold, u64)> {
    let schedule = frame.plan.schedule();
    let then = frame.cycle.after(Cycles(ahead.into()));
    if then > schedule.last_cycle() { None } else { schedule.vector_at(then, schedule.hops(pe)) }
}

/// Returns the block of PEs that the current fold of the corner PE uses.
pub(super) fn next_mapped(schedule: &Schedule, cycle: Cycle) -> systolic::Block {
    schedule.fold_at(cycle, PeId::new(0, 0)).mapped
}

/// Draws the lanes of the west edge. Lane `r` has `r` skew registers, which are boxes. In an array with a fault, a lane
/// can have more or fewer registers. Elements that are still in memory have a dotted outline and no box.
fn draw_west(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let operand = schedule.dataflow().from_west();
    let Edge { tokens, pitch: step, lead } = layout.west;
    // On a wall, a minus and a digit fit between the ends of a token.
    let w = step - if frame.is_wall() { 1.5 } else { 5.0 };
    let h = (layout.cell * 0.235).max(TOKEN_MIN);
    let has_tags = !frame.is_wall() && tokens > 0 && layout.detail >= Detail::Registers && layout.pitch - h >= 34.0;
    for row in layout.rows_seen() {
        let pe = PeId::new(row, 0);
        // Rows that no element enters have the padding label next to them.
        if row >= schedule.fold_at(frame.cycle, pe).mapped.rows && row >= next_mapped(schedule, frame.cycle).rows {
            continue;
        }
        let rect = layout.cell_of(pe);
        let (_, y) = rect.center();
        let arrives = |ahead: u32| coming(frame, pe, ahead).filter(|(fold, _)| row < fold.mapped.rows);
        let broken = frame.broken.and_then(|broken| broken.west(row));
        let registers = broken.map_or(row, |lane| lane.registers);
        for ahead in 1..=tokens.min(registers + WAITING_MAX) {
            let x = rect.x - lead - w - px(ahead - 1) * step;
            let place = Rect::new(x, y - h / 2.0, w, h);
            let is_register = ahead <= registers;
            let sound = || {
                arrives(ahead).map(|(fold, time)| {
                    let nth = schedule.row_index(fold.row_origin + u64::from(row));
                    let (i, j) = schedule.mapping().mkn(nth, 0, time).of(operand);
                    (frame.prober().element(operand, i, j), fold.index + 1)
                })
            };
            let element = broken.map_or_else(sound, |lane| lane.element(ahead).map(|element| (element, 0)));
            if is_register {
                let wide = (step - 1.0 - w) / 2.0;
                let around = Rect::new(place.x - wide, place.y - 3.0, place.w + 2.0 * wide, place.h + 6.0);
                picture.shape(around, Outline::Box(3), Tone::Clear, Stroke::solid(Tone::Faint, 1.0));
            }
            match element {
                Some((element, fold)) => {
                    let dash = if is_register { Dash::Solid } else { Dash::Dotted };
                    token(picture, place, &element, fold, dash, false);
                    // The element's place in the matrix is below, if there is space between two lanes and between two
                    // tokens.
                    if let Some(tag) = tag_within(&element, step - 3.0, TEXT_MIN).filter(|_| has_tags) {
                        let below = (place.center().0, place.y + h + 10.0);
                        picture.text(below, tag, TEXT_MIN, Anchor::Middle, Tone::Quiet);
                        extend_token(picture);
                    }
                }
                None if is_register => {
                    picture.text(place.center(), "·", 14.0, Anchor::Middle, Tone::Quiet);
                }
                None => {}
            }
        }
        if registers > tokens && tokens > 0 && !has_tags {
            // In a magnified array, the lane has more registers than fit.
            let x = rect.x - lead - w / 2.0 - px(tokens - 1) * step;
            let at = (x, y + h / 2.0 + 9.0);
            picture.text(at, format!("+{}", registers - tokens), TEXT_MIN, Anchor::Middle, Tone::Quiet);
        }
        if row < schedule.fold_at(frame.cycle, pe).mapped.rows {
            let is_loaded = frame.broken.map_or_else(|| arrives(0).is_some(), |broken| broken.takes_west(row));
            link(picture, (rect.x - lead + 1.0, y), (rect.x, y), is_loaded);
        }
    }
    if !frame.is_wall() {
        super::skew::name_registers(frame, layout, has_tags, picture);
    }
}

/// Largest number of operands that wait in front of the registers of a lane.
pub(super) const WAITING_MAX: u32 = 2;

/// Returns the height of all tokens above the array, including the boxes around them.
fn stack_height(layout: &Layout, hold: Hold) -> f32 {
    let Edge { tokens, pitch, lead } = layout.north;
    match (tokens, hold) {
        (0, _) => 0.0,
        (_, Hold::Result) => lead + px(tokens) * pitch,
        (_, Hold::Operand) => lead + load(layout.cell).1,
    }
}

/// Draws the lanes of the north edge for OS. B enters from the north, skewed by one register per column.
fn draw_north(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let w = (layout.cell * 0.5).max(24.0);
    let Edge { tokens, pitch: step, lead } = layout.north;
    let h = step - 6.0;
    for col in layout.cols_seen() {
        let pe = PeId::new(0, col);
        if col >= schedule.fold_at(frame.cycle, pe).mapped.cols && col >= next_mapped(schedule, frame.cycle).cols {
            continue;
        }
        let rect = layout.cell_of(pe);
        let (x, _) = rect.center();
        let arrives = |ahead: u32| coming(frame, pe, ahead).filter(|(fold, _)| col < fold.mapped.cols);
        let broken = frame.broken.and_then(|broken| broken.north(col));
        let registers = broken.map_or(col, |lane| lane.registers);
        let sound = |ahead: u32| {
            arrives(ahead).map(|(fold, time)| {
                let (i, j) = schedule.mapping().mkn(0, fold.col_origin + u64::from(col), time).of(Operand::B);
                (frame.prober().element(Operand::B, i, j), fold.index + 1)
            })
        };
        let element = |ahead: u32| match broken {
            Some(lane) => lane.element(ahead).map(|element| (element, 0)),
            None => sound(ahead),
        };
        for ahead in 1..=tokens.min(registers + WAITING_MAX) {
            let place = Rect::new(x - w / 2.0, rect.y - lead - h - px(ahead - 1) * step, w, h);
            let is_register = ahead <= registers;
            if is_register {
                let around = Rect::new(place.x - 3.0, place.y - 2.0, place.w + 6.0, place.h + 4.0);
                picture.shape(around, Outline::Box(3), Tone::Clear, Stroke::solid(Tone::Faint, 1.0));
            }
            if let Some((element, fold)) = element(ahead) {
                let dash = if is_register { Dash::Solid } else { Dash::Dotted };
                token(picture, place, &element, fold, dash, false);
            } else if is_register {
                picture.text(place.center(), "·", 14.0, Anchor::Middle, Tone::Quiet);
            }
        }
        if registers > tokens && tokens > 0 {
            // In a magnified array, the lane has more registers than fit. The registers of the next column are next to
            // the text.
            let y = rect.y - lead - h / 2.0 - px(tokens - 1) * step;
            let (at, text) = ((x + w / 2.0 + 6.0, y), format!("+{}", registers - tokens));
            let end = if col + 1 == layout.cols { picture.width } else { x + layout.pitch - w / 2.0 - 4.0 };
            if at.0 + px(text.len() as u64) * GLYPH * TEXT_MIN < end {
                picture.text(at, text, TEXT_MIN, Anchor::Start, Tone::Quiet);
            }
        }
        if col < schedule.fold_at(frame.cycle, pe).mapped.cols {
            let is_loaded = frame.broken.map_or_else(|| arrives(0).is_some(), |broken| broken.takes_north(col));
            link(picture, (x, rect.y - lead + 1.0), (x, rect.y), is_loaded);
        }
    }
}

/// Draws, above the array, the rows of the stationary operand that are not loaded yet (WS, IS). The next row is nearest
/// to the array.
fn draw_load_stack(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let w = load_width(frame.plan, layout.cell);
    let (lead, h) = load(layout.cell);
    let step = h + 2.0;
    for col in layout.cols_seen() {
        let rect = layout.cell_of(PeId::new(0, col));
        for ahead in 1..=layout.north.tokens {
            let loaded = |ahead: u32| schedule.rows_loaded(frame.cycle.after(Cycles(ahead.into())), col);
            let Some((fold, rows)) = loaded(ahead) else { continue };
            let comes = loaded(ahead - 1).is_none_or(|(before, had)| had != rows || before.index != fold.index);
            let line = u64::from(layout.rows) - rows;
            if !comes || line >= u64::from(fold.mapped.rows) || col >= fold.mapped.cols {
                continue;
            }
            let y = rect.y - lead - h - px(ahead - 1) * step;
            let place = Rect::new(rect.x + (layout.cell - w) / 2.0, y, w, h);
            let operand = schedule.dataflow().stationary();
            let origin = (schedule.row_index(fold.row_origin + line), fold.col_origin + u64::from(col));
            let (i, j) = schedule.mapping().mkn(origin.0, origin.1, 0).of(operand);
            token(picture, place, &frame.prober().element(operand, i, j), 0, Dash::Dotted, false);
        }
    }
}

/// Draws the results that leave the last row: the sums of WS and IS, and the sums of OS that drain through the south
/// edge.
fn draw_results(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let is_compact = layout.detail == Detail::Compact;
    let share = match (is_compact, frame.is_wall()) {
        (true, true) => 1.0,
        (true, false) => 0.86,
        (false, _) => 0.62,
    };
    let (w, (below, h)) = (layout.cell * share, result(layout.cell, frame.is_wall()));
    let schedule = frame.plan.schedule();
    let flows = schedule.dataflow().hold() == Hold::Operand;
    // Sums in place shift out when the last sum is complete.
    let farthest = schedule.hops(PeId::new(layout.rows - 1, layout.cols - 1));
    let shifts = schedule.stream_position(frame.cycle, farthest).1 == StreamPosition::Past;
    // The last row is outside the view.
    if !layout.rows_seen().contains(&(layout.rows - 1)) {
        return;
    }
    let overlaps = schedule.design().overlap == Overlap::DoubleBuffered;
    let (sums, unit) = (frame.sums(SumSet::Stage, layout.block()), frame.plan.unit());
    let drained = (!flows && overlaps).then(|| frame.sums(SumSet::Drained, layout.block()));
    for col in layout.cols_seen() {
        let pe = PeId::new(layout.rows - 1, col);
        if col >= schedule.fold_at(frame.cycle, pe).mapped.cols {
            continue;
        }
        let rect = layout.cell_of(pe);
        let place = Rect::new(rect.x + (layout.cell - w) / 2.0, rect.y + layout.cell + below, w, h);
        let place_of = |of: SumOf| schedule.sum_place(of, frame.cycle, pe);
        let leaves_drained = drained.as_ref().and_then(|sums| Some((place_of(SumOf::Drained)?, sums.sum(pe, unit))));
        let leaves = || Some((place_of(SumOf::Register)?, sums.sum(pe, unit)));
        let leaving = leaves_drained.or_else(|| if flows || shifts { leaves() } else { None });
        match leaving {
            Some(((c_row, c_col), sum)) => {
                let (x, y) = (place.x + place.w / 2.0, place.y);
                let stroke = Stroke::solid(Tone::Ink, 2.0);
                picture.marks.push(Mark::Line { from: (x, rect.y + rect.h), to: (x, y), stroke, arrow: true });
                // A sum over a part of K is not yet an element of C: the accumulators outside add the parts, or the next
                // fold goes on.
                let (fold, goes_on) = (schedule.fold_at(frame.cycle, pe), frame.plan.sums_go_on());
                let folds = schedule.folds_per_result();
                let partial = folds > 1 && !(goes_on && fold.row_fold + 1 == folds);
                let (outline, tint, tone, sign) = if partial {
                    (Outline::Chevron, Tone::SumTint, Tone::Sum, if goes_on { "" } else { "+→ " })
                } else {
                    (Outline::Hexagon, Tone::CTint, Tone::C, "")
                };
                let first_mark = picture.marks.len();
                picture.shape(place, outline, tint, Stroke::solid(tone, 1.5));
                let (text, size) = fitted_sum(sum, place.w, place.h * 0.6);
                picture.bold(place.center(), text, size, Anchor::Middle, Tone::Ink);
                let (kind, nth) = if partial { (PARTIAL, fold.index) } else { (RESULT, 0) };
                picture.token(Identity { kind, nth, row: c_row, col: c_col }, place, first_mark, (0.0, 0.0));
                if is_compact || frame.is_wall() {
                    continue;
                }
                let tags = [format!("{sign}c[{c_row},{c_col}]"), format!("c[{c_row},{c_col}]")];
                // The place in C is between the result and the result before it.
                let (end, room) = (place.x - 4.0, layout.pitch - w - 8.0);
                let fits = |tag: &String| px(tag.chars().count() as u64) * GLYPH * TEXT_MIN <= room.min(end);
                if let Some(tag) = tags.into_iter().find(fits) {
                    picture.text((end, place.center().1), tag, TEXT_MIN, Anchor::End, Tone::Quiet);
                }
            }
            None => {
                let stroke = Stroke { tone: Tone::Faint, width: 1.0, dash: Dash::Dashed };
                picture.shape(place, Outline::Hexagon, Tone::Clear, stroke);
            }
        }
    }
}

/// Returns the width for the name of a row or column with a number below `end`, such as `k=255`.
fn label_width(end: u64, size: f32) -> f32 {
    let digits = end.saturating_sub(1).checked_ilog10().unwrap_or(0) + 1;
    px(digits + 2) * GLYPH * size + 8.0
}

/// Returns the text size for the names of rows and columns.
fn name_size(detail: Detail) -> f32 {
    if detail >= Detail::Registers { 13.0 } else { 11.0 }
}

/// Returns the width for the names of rows at a level of detail.
pub(super) fn row_names(schedule: &Schedule, detail: Detail) -> f32 {
    label_width(schedule.row_folds() * u64::from(schedule.array().rows()), name_size(detail))
}

/// Draws the names of rows and columns, such as `k=3`: the index of M, K or N that the row or column processes.
pub(super) fn draw_rims(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let mapping = schedule.mapping();
    let queues = frame.broken.filter(|_| layout.detail == Detail::Value);
    // An element that is about to enter replaces the name.
    let waits = |lane: Option<&EdgeLane>| lane.is_some_and(|lane| lane.element(1).is_some());
    let row_waits = |row| queues.is_some_and(|broken| waits(broken.west(row)));
    let col_waits = |col| queues.is_some_and(|broken| waits(broken.north(col)));
    // With overlap, each row and column changes to the next fold when the wave arrives.
    let fold_at = |row: u32, col: u32| schedule.fold_at(frame.cycle, PeId::new(row, col));
    let letter = |axis: Axis| match axis {
        Axis::M => "m",
        Axis::K => "k",
        Axis::N => "n",
    };
    let size = name_size(layout.detail);
    // Coarser layouts name every 2nd, 4th, 8th … row and column, with steps as wide as the longest name.
    let widest = |folds: u64, side: u32| label_width(folds * u64::from(side), size);
    let (width, west) = (widest(schedule.col_folds(), layout.cols), widest(schedule.row_folds(), layout.rows));
    let mut every = 1;
    while layout.pitch * px(every) < width {
        every *= 2;
    }
    // Names are above the tokens that may wait there, even if none does: names that jump are hard to read.
    let has_skew = frame.broken.is_none() && frame.zoom.is_whole();
    let busy_north = layout.detail >= Detail::Compact;
    for col in layout.cols_seen().filter(|col| col % every == 0) {
        let fold = fold_at(0, col);
        if col >= fold.mapped.cols || col_waits(col) {
            continue;
        }
        let rect = layout.cell_of(PeId::new(0, col));
        let hold = schedule.dataflow().hold();
        let lift = match hold {
            _ if busy_north => stack_height(layout, hold),
            Hold::Result if has_skew => {
                let last = (col + every - 1).min(layout.cols - 1);
                layout.north.lead + px(last) * layout.north.pitch - 4.0
            }
            _ => 0.0,
        };
        let (x, y) = (rect.x + rect.w / 2.0, rect.y - if busy_north { 6.3 } else { 12.0 } - lift);
        let at = (x, y.max(8.0));
        if y < 0.0 {
            let plate = Rect::new(x - width / 2.0, 0.0, width, 17.0);
            picture.shape(plate, Outline::Box(3), Tone::Ground, Stroke::solid(Tone::Clear, 0.0));
        }
        let text = format!("{}={}", letter(mapping.cols), fold.col_origin + u64::from(col));
        let size = if busy_north { TEXT_MIN } else { size };
        picture.text(at, text, size, Anchor::Middle, Tone::Quiet);
    }
    for row in layout.rows_seen().filter(|row| row % every == 0) {
        let fold = fold_at(row, 0);
        if row >= fold.mapped.rows || row_waits(row) {
            continue;
        }
        let rect = layout.cell_of(PeId::new(row, 0));
        let (x, y) = if layout.west.tokens > 0 {
            (rect.x - 8.0, rect.y + row_name_below(layout))
        } else {
            // The name is next to the last register of the lane.
            let registers = if has_skew { layout.west.lead + px(row) * layout.west.pitch } else { 0.0 };
            (rect.x - 6.0 - registers, rect.y + rect.h / 2.0)
        };
        let index = schedule.row_index(fold.row_origin + u64::from(row));
        let text = format!("{}={index}", letter(mapping.rows));
        // The numbers of the rows stay in view when the array's edge does not.
        let inside = x.max(west - 6.0);
        if inside > x {
            picture.shape(
                Rect::new(0.0, y - 9.0, west - 3.0, 18.0),
                Outline::Box(3),
                Tone::Ground,
                Stroke::solid(Tone::Clear, 0.0),
            );
        }
        picture.text((inside, y), text, size, Anchor::End, Tone::Quiet);
    }
}
