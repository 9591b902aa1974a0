//! The surroundings of the PEs: links, skew registers, queues, results that leave, and the numbers of rows and columns.

use super::cells::{GLYPH, PARTIAL, RESULT, TEXT_MIN, extend_token, fitted_sum, tag_within, text_size, token};
use super::{Detail, Frame, Layout, SumSet};
use display::Tone;
use display::picture::{Anchor, Dash, Identity, Mark, Outline, Picture, Rect, Stroke, px};
use studio::defect::{BrokenMachine, EdgeLane};
use systolic::{
    Activity, Axis, Cycles, Drain, Fold, Hold, Load, Operand, Overlap, PeId, Schedule, StreamPosition, SumOf,
};

/// Returns the distance from the upper edge of a row's PEs to the row's name, in a layout with queues.
fn row_name_below(layout: &Layout) -> f32 {
    if layout.detail == Detail::Compact { 2.5 } else { layout.cell * 0.16 }
}

/// Returns half of the height of a row's name.
fn row_name_half(layout: &Layout) -> f32 {
    if layout.detail >= Detail::Registers { 6.5 } else { 5.5 }
}

/// Smallest height of a token with a number.
const TOKEN_MIN: f32 = 13.5;

/// Draws the links between PEs. A link is thick with an arrow if it loaded a register at this clock edge.
pub(super) fn draw_links(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let prober = frame.prober();
    let flows = schedule.dataflow().hold() == Hold::Operand;
    let gap = layout.pitch - layout.cell;
    for pe in layout.pes() {
        let rect = layout.cell_of(pe);
        let (x, y) = rect.center();
        let probe = prober.without_sum(frame.cycle, pe);
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

fn link(picture: &mut Picture, from: (f32, f32), to: (f32, f32), carried: bool) {
    let stroke = if carried { Stroke::solid(Tone::Ink, 2.0) } else { Stroke::solid(Tone::Ghost, 1.0) };
    picture.marks.push(Mark::Line { from, to, stroke, arrow: carried });
}

/// Draws skew registers and queues in the west and north, and results in the south.
pub(super) fn draw_feeders(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    draw_west(frame, layout, picture);
    match frame.plan.schedule().dataflow().hold() {
        Hold::Result => draw_north(frame, layout, picture),
        // A fault that removes the skew changes the times of a diagonal load.
        Hold::Operand if frame.broken.is_some() && frame.plan.schedule().design().load() == Load::Diagonal => {}
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
fn coming(frame: &Frame<'_>, pe: PeId, ahead: u32) -> Option<(Fold, u64)> {
    let schedule = frame.plan.schedule();
    let then = frame.cycle.after(Cycles(ahead.into()));
    if then > schedule.last_cycle() { None } else { schedule.vector_at(then, schedule.hops(pe)) }
}

/// Returns the mapped block of the fold that enters the array.
fn next_mapped(schedule: &Schedule, cycle: systolic::Cycle) -> systolic::Block {
    schedule.fold_at(cycle, PeId::new(0, 0)).mapped
}

/// Draws the lanes of the west edge. Lane `r` has `r` skew registers, or fewer in an array with a fault, drawn as
/// boxes. Elements still in memory have no box and a dotted outline.
fn draw_west(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let operand = schedule.dataflow().from_west();
    // Fractions need more space than small whole numbers.
    let least = if frame.plan.dtype().is_integer() { 24.0 } else { 36.0 };
    let (w, h) = ((layout.cell * 0.36).max(least), (layout.cell * 0.235).max(TOKEN_MIN));
    let step = w + layout.cell * 0.06;
    let room = (layout.cell * layout.west - layout.cell * 0.22) / step;
    let has_tags = layout.queue > 0 && layout.detail >= Detail::Registers && layout.pitch - h >= 34.0;
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
        for ahead in (1..=layout.queue).take_while(|&ahead| px(ahead) <= room) {
            let x = rect.x - layout.cell * 0.22 - w - px(ahead - 1) * step;
            let place = Rect::new(x, y - h / 2.0, w, h);
            let is_register = ahead <= registers;
            let sound = || {
                arrives(ahead).map(|(fold, time)| {
                    let (i, j) = schedule.mapping().mkn(fold.row_origin + u64::from(row), 0, time).of(operand);
                    (frame.prober().element(operand, i, j), fold.index + 1)
                })
            };
            let element = broken.map_or_else(sound, |lane| lane.element(ahead).map(|element| (element, 0)));
            if is_register {
                let around = Rect::new(place.x - 3.0, place.y - 3.0, place.w + 6.0, place.h + 6.0);
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
        let drawn = (1..=layout.queue).take_while(|&ahead| px(ahead) <= room).count();
        let drawn = u32::try_from(drawn).unwrap_or(u32::MAX);
        if registers > drawn && drawn > 0 {
            // The lane has more registers than fit.
            let x = rect.x - layout.cell * 0.22 - w / 2.0 - px(drawn - 1) * step;
            // Text next to the last box, or below it if no place of an element is there.
            let text = format!("+{}", registers - drawn);
            let wide = px(text.len() as u64) * GLYPH * TEXT_MIN;
            let beside = x - w / 2.0 - 5.0;
            if has_tags && beside - wide > 0.0 {
                picture.text((beside, y), text, TEXT_MIN, Anchor::End, Tone::Quiet);
            } else if !has_tags {
                let at = (x, y + h / 2.0 + 11.0);
                // Text in a box, like the registers that it counts, if the name of the next row leaves space.
                let boxed = Rect::new(x - wide / 2.0 - 3.0, at.1 - 6.5, wide + 6.0, 13.0);
                let next_name = rect.y + layout.pitch + row_name_below(layout) - row_name_half(layout);
                if boxed.y + boxed.h < next_name {
                    picture.shape(boxed, Outline::Box(3), Tone::Clear, Stroke::solid(Tone::Faint, 1.0));
                    picture.text(at, text, TEXT_MIN, Anchor::Middle, Tone::Quiet);
                } else {
                    picture.text((x, at.1 - 2.0), text, TEXT_MIN, Anchor::Middle, Tone::Quiet);
                }
            }
        }
        if row < schedule.fold_at(frame.cycle, pe).mapped.rows {
            let is_loaded = frame.broken.map_or_else(|| arrives(0).is_some(), |broken| broken.takes_west(row));
            link(picture, (rect.x - layout.cell * 0.18, y), (rect.x, y), is_loaded);
        }
    }
    let has_registers = frame.broken.is_none_or(BrokenMachine::has_west_registers);
    if layout.queue >= 3 && layout.rows >= 3 && has_registers {
        let last = layout.cell_of(PeId::new(layout.rows - 1, 0));
        // Text below the registers of the last lane, where nothing else is drawn.
        let room = last.x - layout.cell * 0.22;
        let at = (room, last.y + (layout.cell * 0.86).max(layout.cell * 0.62 + 22.0));
        let fits = |text: &str| px(text.len() as u64) * GLYPH * TEXT_MIN <= room;
        let name = [words::picture::SKEW_REGISTERS, words::picture::SKEW].into_iter().find(|text| fits(text));
        if let Some(name) = name {
            let size = text_size(room / (GLYPH * px(name.len() as u64))).min(12.0);
            picture.text(at, name, size, Anchor::End, Tone::Quiet);
        }
    }
}

/// Returns the height and step of the tokens above the array, and the distance of the nearest token from the array.
fn stack(layout: &Layout, hold: Hold) -> (f32, f32, f32) {
    let (tall, step, off) = match hold {
        Hold::Result => (0.23, 0.31, 0.2),
        Hold::Operand => (0.22, 0.28, 0.3),
    };
    let h = (layout.cell * tall).max(TOKEN_MIN);
    (h, (layout.cell * step).max(h + if hold == Hold::Result { 6.0 } else { 2.0 }), layout.cell * off)
}

/// Returns the height of all tokens above the array, including the boxes around them.
fn stack_height(layout: &Layout, hold: Hold) -> f32 {
    let (h, step, off) = stack(layout, hold);
    if layout.stack == 0 { 0.0 } else { off + h + px(layout.stack - 1) * step + 2.0 }
}

/// Draws the lanes of the north edge for OS. B enters from the north, skewed by one register per column.
fn draw_north(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let w = (layout.cell * 0.5).max(24.0);
    let (h, step, off) = stack(layout, Hold::Result);
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
        for ahead in 1..=layout.stack {
            let place = Rect::new(x - w / 2.0, rect.y - off - h - px(ahead - 1) * step, w, h);
            let is_register = ahead <= registers;
            if is_register {
                let around = Rect::new(place.x - 3.0, place.y - 3.0, place.w + 6.0, place.h + 6.0);
                picture.shape(around, Outline::Box(3), Tone::Clear, Stroke::solid(Tone::Faint, 1.0));
            }
            if let Some((element, fold)) = element(ahead) {
                let dash = if is_register { Dash::Solid } else { Dash::Dotted };
                token(picture, place, &element, fold, dash, false);
            } else if is_register {
                picture.text(place.center(), "·", 14.0, Anchor::Middle, Tone::Quiet);
            }
        }
        if registers > layout.stack && layout.stack > 0 {
            let y = rect.y - off - h / 2.0 - px(layout.stack - 1) * step;
            let (at, text) = ((x + w / 2.0 + 6.0, y), format!("+{}", registers - layout.stack));
            let is_before_label =
                layout.detail == Detail::Compact && col + 1 == next_mapped(schedule, frame.cycle).cols;
            // The registers of the next column are next to it.
            let is_last = col + 1 == layout.cols;
            let end = if is_last { picture.width } else { x + layout.pitch - w / 2.0 - 4.0 };
            let has_room = !is_before_label || is_last;
            if has_room && at.0 + px(text.len() as u64) * GLYPH * TEXT_MIN < end {
                picture.text(at, text, TEXT_MIN, Anchor::Start, Tone::Quiet);
            }
        }
        if col < schedule.fold_at(frame.cycle, pe).mapped.cols {
            let is_loaded = frame.broken.map_or_else(|| arrives(0).is_some(), |broken| broken.takes_north(col));
            link(picture, (x, rect.y - layout.cell * 0.16), (x, rect.y), is_loaded);
        }
    }
}

/// Draws the rows that are still to be loaded (WS, IS) above the array, the next row nearest.
fn draw_load_stack(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let w = (layout.cell * 0.56).max(24.0);
    let (h, step, off) = stack(layout, Hold::Operand);
    for col in layout.cols_seen() {
        let rect = layout.cell_of(PeId::new(0, col));
        for ahead in 1..=layout.stack {
            let loaded = |ahead: u32| schedule.rows_loaded(frame.cycle.after(Cycles(ahead.into())), col);
            let Some((fold, rows)) = loaded(ahead) else { continue };
            let comes = loaded(ahead - 1).is_none_or(|(before, had)| had != rows || before.index != fold.index);
            let line = u64::from(layout.rows) - rows;
            if !comes || line >= u64::from(fold.mapped.rows) || col >= fold.mapped.cols {
                continue;
            }
            let y = rect.y - off - h - px(ahead - 1) * step;
            let place = Rect::new(rect.x + (layout.cell - w) / 2.0, y, w, h);
            let operand = schedule.dataflow().stationary();
            let origin = (fold.row_origin + line, fold.col_origin + u64::from(col));
            let (i, j) = schedule.mapping().mkn(origin.0, origin.1, 0).of(operand);
            token(picture, place, &frame.prober().element(operand, i, j), 0, Dash::Dotted, false);
        }
    }
}

/// Draws the results that leave the last row: the sums of WS and IS, and the sums of OS that drain through the south
/// edge.
fn draw_results(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let is_compact = layout.detail == Detail::Compact;
    let (w, h) = (layout.cell * if is_compact { 0.86 } else { 0.62 }, (layout.cell * 0.27).max(15.0));
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
        let place = Rect::new(rect.x + (layout.cell - w) / 2.0, rect.y + layout.cell * 1.17, w, h);
        let place_of = |of: SumOf| schedule.sum_place(of, frame.cycle, pe);
        let leaves_drained = drained.as_ref().and_then(|sums| Some((place_of(SumOf::Drained)?, sums.sum(pe, unit))));
        let leaves = || Some((place_of(SumOf::Register)?, sums.sum(pe, unit)));
        let leaving = leaves_drained.or_else(|| if flows || shifts { leaves() } else { None });
        match leaving {
            Some(((c_row, c_col), sum)) => {
                let (x, y) = (place.x + place.w / 2.0, place.y);
                let stroke = Stroke::solid(Tone::Ink, 2.0);
                picture.marks.push(Mark::Line { from: (x, rect.y + rect.h), to: (x, y), stroke, arrow: true });
                // A sum over a part of K is not yet an element of C: the accumulators outside add the parts.
                let partial = schedule.folds_per_result() > 1;
                let (outline, tint, tone, sign) = if partial {
                    (Outline::Chevron, Tone::SumTint, Tone::Sum, "+→ ")
                } else {
                    (Outline::Hexagon, Tone::CTint, Tone::C, "")
                };
                let first_mark = picture.marks.len();
                picture.shape(place, outline, tint, Stroke::solid(tone, 1.5));
                let (text, size) = fitted_sum(sum, place.w, place.h * 0.6);
                picture.bold(place.center(), text, size, Anchor::Middle, Tone::Ink);
                let fold = schedule.fold_at(frame.cycle, pe).index;
                let (kind, nth) = if partial { (PARTIAL, fold) } else { (RESULT, 0) };
                picture.token(Identity { kind, nth, row: c_row, col: c_col }, place, first_mark, (0.0, 0.0));
                if is_compact {
                    continue;
                }
                let at = (x, place.y + place.h + 9.0);
                let tags =
                    [format!("{sign}c[{c_row},{c_col}]"), format!("c[{c_row},{c_col}]"), format!("{c_row},{c_col}")];
                let fits = |tag: &String| px(tag.chars().count() as u64) * GLYPH * TEXT_MIN <= layout.pitch - 4.0;
                if let Some(tag) = tags.into_iter().find(fits) {
                    picture.text(at, tag, TEXT_MIN, Anchor::Middle, Tone::Quiet);
                    extend_token(picture);
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

/// Returns the width for the names of the rows in the west of a coarse layout.
pub(super) fn names(schedule: &Schedule) -> f32 {
    label_width(schedule.row_folds() * u64::from(schedule.array().rows()), 11.0)
}

/// Draws the names of rows and columns: the indices of the problem that they process.
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
    let size = if layout.detail >= Detail::Registers { 13.0 } else { 11.0 };
    // Coarser layouts name every 2nd, 4th, 8th … row and column, with steps as wide as the longest name.
    let widest = |folds: u64, side: u32| label_width(folds * u64::from(side), size);
    let (width, west) = (widest(schedule.col_folds(), layout.cols), widest(schedule.row_folds(), layout.rows));
    let mut every = 1;
    while layout.pitch * px(every) < width {
        every *= 2;
    }
    // Names are above the tokens that may wait there, even if none does: names that jump are hard to read.
    let busy_north = layout.detail >= Detail::Compact;
    for col in layout.cols_seen().filter(|col| col % every == 0) {
        let fold = fold_at(0, col);
        if col >= fold.mapped.cols || col_waits(col) {
            continue;
        }
        let rect = layout.cell_of(PeId::new(0, col));
        let lift = if busy_north { stack_height(layout, schedule.dataflow().hold()) } else { 0.0 };
        let (x, y) = (rect.x + rect.w / 2.0, rect.y - 12.0 - lift);
        let at = (x, y.max(8.0));
        if y < 0.0 {
            let plate = Rect::new(x - width / 2.0, 0.0, width, 17.0);
            picture.shape(plate, Outline::Box(3), Tone::Ground, Stroke::solid(Tone::Clear, 0.0));
        }
        let text = format!("{}={}", letter(mapping.cols), fold.col_origin + u64::from(col));
        picture.text(at, text, size, Anchor::Middle, Tone::Quiet);
    }
    for row in layout.rows_seen().filter(|row| row % every == 0) {
        let fold = fold_at(row, 0);
        if row >= fold.mapped.rows || row_waits(row) {
            continue;
        }
        let rect = layout.cell_of(PeId::new(row, 0));
        let (x, y) = if layout.queue > 0 {
            (rect.x - 8.0, rect.y + row_name_below(layout))
        } else {
            (rect.x - 6.0, rect.y + rect.h / 2.0)
        };
        let text = format!("{}={}", letter(mapping.rows), fold.row_origin + u64::from(row));
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
