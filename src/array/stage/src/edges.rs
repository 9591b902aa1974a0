//! Surroundings of the array: links, lanes of skew registers and waiting operands, results that leave, the names of rows
//! and columns, and labels of unused ones.

use super::cells::{PARTIAL, RESULT, TEXT_MIN, extend_token, fitted_sum, ink_of, tag_within, text_width, token};
use super::geometry::{Edge, Side};
use super::{Detail, Frame, Layout, Scene, SumSet};
use display::Tone;
use display::picture::{Anchor, Dash, Identity, Mark, Outline, Picture, Rect, Stroke, between, px};
use studio::defect::{BrokenMachine, EdgeLane};
use systolic::{
    Activity, Axis, Block, Cycle, Cycles, Drain, Fold, Hold, Load, Operand, Overlap, PeId, Schedule, StreamPosition,
    SumOf,
};

/// Draws the links between PEs, and the fronts of the wave. A link is thick and has an arrow if a value passed over this
/// link at this clock edge.
pub(super) fn draw_links(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let prober = frame.plan.prober();
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
            // The north delivers B (OS), loaded rows, or sums, which rows outside the problem pass on.
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
    let schedule = frame.plan.schedule();
    draw_stair(frame, layout, Side::West, picture);
    draw_lanes(frame, layout, Side::West, picture);
    match schedule.dataflow().hold() {
        Hold::Result => {
            draw_stair(frame, layout, Side::North, picture);
            draw_lanes(frame, layout, Side::North, picture);
        }
        // A fault that removes the skew changes the times of a diagonal load, so this load is not drawn.
        Hold::Operand if frame.broken.is_some() && schedule.design().load() == Load::Diagonal => {}
        Hold::Operand if frame.is_wall() => {}
        Hold::Operand => draw_load_stack(frame, layout, picture),
    }
    if frame.broken.is_none() && has_results(schedule) {
        draw_results(frame, layout, picture);
    }
}

/// True if results leave the array in the south.
pub(super) fn has_results(schedule: &Schedule) -> bool {
    schedule.dataflow().hold() == Hold::Operand || schedule.design().drain == Drain::South
}

/// Returns the streamed vector that reaches a PE in `ahead` cycles, and the fold of this vector.
pub(super) fn coming(frame: &Frame<'_>, pe: PeId, ahead: u32) -> Option<(Fold, u64)> {
    let schedule = frame.plan.schedule();
    let then = frame.cycle.after(Cycles(ahead.into()));
    if then > schedule.last_cycle() { None } else { schedule.vector_at(then, schedule.hops(pe)) }
}

/// Returns the block of PEs that the current fold of the corner PE uses.
pub(super) fn next_mapped(schedule: &Schedule, cycle: Cycle) -> Block {
    schedule.fold_at(cycle, PeId::new(0, 0)).mapped
}

/// Largest number of operands that wait in front of the registers of a lane.
const WAITING_MAX: u32 = 2;

/// Draws the lanes of an edge. Lane `n` has `n` skew registers, which are boxes. In an array with a fault, a lane can have
/// more or fewer registers. Elements that are still in memory have a dotted outline and no box. In the north, B enters
/// (OS).
fn draw_lanes(frame: &Frame<'_>, layout: &Layout, side: Side, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let is_west = side == Side::West;
    let operand = if is_west { schedule.dataflow().from_west() } else { Operand::B };
    let Edge { tokens, pitch: step, lead } = layout.edge(side);
    let (w, h) = layout.token_size(side);
    let has_space = !frame.is_wall() && layout.detail >= Detail::Registers && layout.pitch - h >= 34.0;
    let has_tags = is_west && has_space && tokens > 0;
    // These are the distances from a token to the box of its register.
    let (across, down) = if is_west { ((step - 1.0 - w) / 2.0, 3.0) } else { (3.0, 2.0) };
    for lane in layout.lanes_seen(side) {
        let pe = side.pe(lane);
        let n_mapped = side.lanes(schedule.fold_at(frame.cycle, pe).mapped);
        // Lanes that no element enters have the padding label next to them.
        if lane >= n_mapped && lane >= side.lanes(next_mapped(schedule, frame.cycle)) {
            continue;
        }
        let rect = layout.cell_of(pe);
        let (x, y) = rect.center();
        let arrives = |ahead: u32| coming(frame, pe, ahead).filter(|(fold, _)| lane < side.lanes(fold.mapped));
        let broken = frame.broken.and_then(|broken| lane_of(broken, side, lane));
        let registers = broken.map_or(lane, |lane| lane.registers);
        for ahead in 1..=tokens.min(registers + WAITING_MAX) {
            let place = layout.lane_place(side, lane, ahead, (w, h));
            let is_register = ahead <= registers;
            let sound = || {
                arrives(ahead).map(|(fold, time)| {
                    let (row, col) = match side {
                        Side::West => (schedule.row_index(fold.row_origin + u64::from(lane)), 0),
                        Side::North => (0, fold.col_origin + u64::from(lane)),
                    };
                    let (i, j) = schedule.mapping().mkn(row, col, time).of(operand);
                    (frame.plan.prober().element(operand, i, j), fold.index + 1)
                })
            };
            let element = broken.map_or_else(sound, |lane| lane.element(ahead).map(|element| (element, 0)));
            if is_register {
                let (w, h) = (place.w + 2.0 * across, place.h + 2.0 * down);
                let around = Rect::new(place.x - across, place.y - down, w, h);
                picture.shape(around, Outline::Box(3), Tone::Clear, Stroke::solid(Tone::Faint, 1.0));
            }
            if let Some((element, fold)) = element {
                let dash = if is_register { Dash::Solid } else { Dash::Dotted };
                token(picture, place, &element, fold, dash, false);
                // The element's place in the matrix is below, if there is space between two lanes and between two
                // tokens.
                if let Some(tag) = tag_within(&element, step - 3.0, TEXT_MIN).filter(|_| has_tags) {
                    let below = (place.center().0, place.y + h + 10.0);
                    picture.text(below, tag, TEXT_MIN, Anchor::Middle, Tone::Quiet);
                    extend_token(picture);
                }
            } else if is_register {
                picture.text(place.center(), "·", 14.0, Anchor::Middle, Tone::Quiet);
            }
        }
        // In a magnified array, a lane has more registers than fit.
        if registers > tokens && tokens > 0 && !has_tags && !frame.is_wall() {
            let text = format!("+{}", registers - tokens);
            if is_west {
                let x = rect.x - lead - w / 2.0 - px(tokens - 1) * step;
                picture.text((x, y + h / 2.0 + 9.0), text, TEXT_MIN, Anchor::Middle, Tone::Quiet);
            } else {
                // The registers of the next column are next to the text.
                let at = (x + w / 2.0 + 6.0, rect.y - lead - h / 2.0 - px(tokens - 1) * step);
                let end = if lane + 1 == layout.cols { picture.width } else { x + layout.pitch - w / 2.0 - 4.0 };
                if at.0 + text_width(&text, TEXT_MIN) < end {
                    picture.text(at, text, TEXT_MIN, Anchor::Start, Tone::Quiet);
                }
            }
        }
        if lane < n_mapped {
            let takes = |broken: &BrokenMachine| match side {
                Side::West => broken.takes_west(lane),
                Side::North => broken.takes_north(lane),
            };
            let (from, to) = match side {
                Side::West => ((rect.x - lead + 1.0, y), (rect.x, y)),
                Side::North => ((x, rect.y - lead + 1.0), (x, rect.y)),
            };
            link(picture, from, to, frame.broken.map_or_else(|| arrives(0).is_some(), takes));
        }
    }
    if is_west && !frame.is_wall() {
        name_registers(frame, layout, has_tags, picture);
    }
}

/// Returns a lane of an array with a fault.
pub(super) fn lane_of(broken: &BrokenMachine, side: Side, lane: u32) -> Option<&EdgeLane> {
    match side {
        Side::West => broken.west(lane),
        Side::North => broken.north(lane),
    }
}

/// Draws, above the array, the rows of the stationary operand that are not loaded yet (WS, IS). The next row is nearest
/// to the array.
fn draw_load_stack(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let (lead, (w, h)) = (layout.sizes.load_gap, layout.sizes.load);
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
            token(picture, place, &frame.plan.prober().element(operand, i, j), 0, Dash::Dotted, false);
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
    let (w, below, h) = (layout.cell * share, layout.sizes.result_gap, layout.sizes.result);
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
    let (sums, unit) = (frame.sums(SumSet::Stage, layout.block_seen()), frame.plan.unit());
    let drained = (!flows && overlaps).then(|| frame.sums(SumSet::Drained, layout.block_seen()));
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
                let fits = |tag: &String| text_width(tag, TEXT_MIN) <= room.min(end);
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

/// Draws the names of rows and columns, such as `k=3`: the index of M, K or N that the row or column processes.
pub(super) fn draw_names(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let (mapping, hold) = (schedule.mapping(), schedule.dataflow().hold());
    let queues = frame.broken.filter(|_| layout.detail == Detail::Value);
    let letter = |axis: Axis| match axis {
        Axis::M => "m",
        Axis::K => "k",
        Axis::N => "n",
    };
    let (size, (west, width)) = (layout.sizes.name, layout.sizes.names);
    // Coarser layouts name every 2nd, 4th, 8th … row and column, with steps as wide as the longest name.
    let mut every = 1;
    while layout.pitch * px(every) < width {
        every *= 2;
    }
    let has_skew = frame.broken.is_none() && frame.zoom.is_whole();
    let busy_north = layout.detail >= Detail::Compact;
    let plate = |place: Rect, picture: &mut Picture| {
        picture.shape(place, Outline::Box(3), Tone::Ground, Stroke::solid(Tone::Clear, 0.0));
    };
    for side in [Side::North, Side::West] {
        for lane in layout.lanes_seen(side).filter(|lane| lane % every == 0) {
            let pe = side.pe(lane);
            // With overlap, each row and column changes to the next fold when the wave arrives.
            let fold = schedule.fold_at(frame.cycle, pe);
            // An element that is about to enter replaces the name.
            let waits = queues.and_then(|broken| lane_of(broken, side, lane)?.element(1)).is_some();
            if lane >= side.lanes(fold.mapped) || waits {
                continue;
            }
            let rect = layout.cell_of(pe);
            if side == Side::North {
                // Names stay above the place of waiting tokens even if no token waits, because names that jump are hard
                // to read.
                let lift = match hold {
                    _ if busy_north && layout.north.tokens == 0 => 0.0,
                    Hold::Result if busy_north => layout.north.lead + px(layout.north.tokens) * layout.north.pitch,
                    Hold::Operand if busy_north => layout.north.lead + layout.sizes.load.1,
                    Hold::Result if has_skew => {
                        let last = (lane + every - 1).min(layout.cols - 1);
                        layout.north.lead + px(last) * layout.north.pitch - 4.0
                    }
                    _ => 0.0,
                };
                let (x, y) = (rect.x + rect.w / 2.0, rect.y - if busy_north { 6.3 } else { 12.0 } - lift);
                if y < 0.0 {
                    plate(Rect::new(x - width / 2.0, 0.0, width, 17.0), picture);
                }
                let text = format!("{}={}", letter(mapping.cols), fold.col_origin + u64::from(lane));
                let size = if busy_north { TEXT_MIN } else { size };
                picture.text((x, y.max(8.0)), text, size, Anchor::Middle, Tone::Quiet);
                continue;
            }
            let (x, y) = if layout.west.tokens > 0 {
                let below = if layout.detail == Detail::Compact { 2.5 } else { layout.cell * 0.16 };
                (rect.x - 8.0, rect.y + below)
            } else {
                // The name is next to the last register of the lane.
                let registers = if has_skew { layout.west.lead + px(lane) * layout.west.pitch } else { 0.0 };
                (rect.x - 6.0 - registers, rect.y + rect.h / 2.0)
            };
            let text = format!("{}={}", letter(mapping.rows), schedule.row_index(fold.row_origin + u64::from(lane)));
            // The numbers of the rows stay in view when the array's edge does not.
            let inside = x.max(west - 6.0);
            if inside > x {
                plate(Rect::new(0.0, y - 9.0, west - 3.0, 18.0), picture);
            }
            picture.text((inside, y), text, size, Anchor::End, Tone::Quiet);
        }
    }
}

/// Draws the background of the skew registers at an edge: a staircase with one step for each lane.
pub(super) fn draw_stair(frame: &Frame<'_>, layout: &Layout, side: Side, picture: &mut Picture) {
    let (edge, n) = (layout.edge(side), side.lanes(next_mapped(frame.plan.schedule(), frame.cycle)));
    if frame.broken.is_some() || !frame.zoom.is_whole() || n < 2 || (edge.tokens == 0 && !frame.is_wall()) {
        return;
    }
    let (array, margin) = (layout.array(), (layout.pitch - layout.cell) / 2.0);
    let start = edge.lead - 4.0;
    let place = |along: f32, away: f32| match side {
        Side::West => (array.x - away, array.y + along),
        Side::North => (array.x + along, array.y - away),
    };
    // The points go along the steps and back along the array.
    let mut points = vec![place(layout.pitch - margin, start)];
    for lane in 1..n {
        let away = edge.lead + px(lane) * edge.pitch + 2.0;
        points.extend([lane, lane + 1].map(|step| place(px(step) * layout.pitch - margin, away)));
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
        let fits = |text: &&str| text_width(text, TEXT_MIN) <= room;
        let [rule, name] = words::picture::SKEW_REGISTERS;
        // The question of a lesson card may be how long rows wait, so the rule is hidden until the answer.
        let rule = Some(rule).filter(|_| frame.broken.is_none() && frame.filter.judges());
        rule.into_iter().chain([name, words::picture::SKEW]).find(fits)
    };
    // The name is below the elements of the last lane, and in front of the background of the registers.
    let tall = layout.token_size(Side::West).1;
    let below = last.center().1 + tall / 2.0 + if has_tags { 23.0 } else { 11.0 };
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
        // The name is above the wire from the matrix to the first lane.
        let at = (first.x - waiting - 6.0, first.center().1 - TEXT_MIN * 0.75);
        picture.text(at, name, TEXT_MIN, Anchor::End, Tone::Quiet);
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
        draw_small_registers(frame, layout, dataflow.from_west(), Side::West, picture);
    }
    if dataflow.hold() == Hold::Result && layout.north.tokens == 0 {
        draw_small_registers(frame, layout, Operand::B, Side::North, picture);
    }
}

/// Smallest distance between two registers that are drawn one by one.
const REGISTER_MIN: f32 = 5.0;
/// Smallest height of a bar, which can represent several lanes. `PLACES_MAX` is the largest number of places along a
/// bar.
const BAR_MIN: f32 = 2.0;
const PLACES_MAX: u32 = 36;

/// Draws the registers of an edge. A register that has an operand is filled.
fn draw_small_registers(frame: &Frame<'_>, layout: &Layout, operand: Operand, side: Side, picture: &mut Picture) {
    let (edge, n) = (layout.edge(side), side.lanes(next_mapped(frame.plan.schedule(), frame.cycle)));
    let array = layout.array();
    // Returns the rectangle between two distances from the array, along some lanes.
    let bar = |lane: f32, lanes: f32, from: f32, to: f32| {
        let (along, wide) = (lane * layout.pitch, lanes * layout.pitch - (layout.pitch - layout.cell));
        match side {
            Side::West => Rect::new(array.x - edge.lead - to, array.y + along + wide * 0.15, to - from, wide * 0.7),
            Side::North => Rect::new(array.x + along + wide * 0.15, array.y - edge.lead - to, wide * 0.7, to - from),
        }
    };
    let (ink, tint, _) = ink_of(operand);
    let is_full = |lane: u32, ahead: u32| {
        coming(frame, side.pe(lane), ahead).is_some_and(|(fold, _)| lane < side.lanes(fold.mapped))
    };
    if edge.pitch >= REGISTER_MIN {
        for (lane, ahead) in (1..n).flat_map(|lane| (1..=lane).map(move |ahead| (lane, ahead))) {
            let place = bar(px(lane), 1.0, px(ahead - 1) * edge.pitch + 1.0, px(ahead) * edge.pitch);
            let (fill, tone) = if is_full(lane, ahead) { (tint, ink) } else { (Tone::Clear, Tone::Faint) };
            picture.shape(place, Outline::Box(1), fill, Stroke::solid(tone, 1.0));
        }
        return;
    }
    let (long, far) = (px(n) * layout.pitch, px(n.saturating_sub(1)) * edge.pitch);
    let (x, y) = (array.x - edge.lead, array.y - edge.lead);
    let points = match side {
        Side::West => vec![(x, array.y), (x - far, array.y + long), (x, array.y + long)],
        Side::North => vec![(array.x, y), (array.x + long, y - far), (array.x + long, y)],
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
    let (array, margins, mapped) = (layout.array(), scene.margins, next_mapped(schedule, frame.cycle));
    let mut wire = |points: &[(f32, f32)]| draw_lines(points, Stroke::solid(Tone::Ghost, 1.0), picture);
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
    if let Some(last) = mapped.cols.checked_sub(1).filter(|_| has_results(schedule)) {
        let (below, height) = (layout.sizes.result_gap, layout.sizes.result);
        let start = col(last) + BESIDE_NAME + layout.cell * 0.45;
        let (y, into) = (array.y + array.h + below + height / 2.0, c.rect.x - BRACKET);
        let turn = (into - 9.0).max(start);
        let end = between(y, c.rect.y + OFF, c.rect.y + c.rect.h - OFF);
        wire(&[(start, y), (turn, y), (turn, end)]);
        let stroke = Stroke::solid(Tone::C, 1.5);
        picture.marks.push(Mark::Line { from: (turn, end), to: (into, end), stroke, arrow: true });
    }
}

/// Draws a line through points.
#[inline(never)]
fn draw_lines(points: &[(f32, f32)], stroke: Stroke, picture: &mut Picture) {
    for ends in points.windows(2) {
        picture.line(ends[0], ends[1], stroke);
    }
}

/// Draws a label and a bracket for the PEs that an edge fold leaves unused. The label shows the share of these PEs.
pub(super) fn draw_padding(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    // The question of a lesson card may be this share, so the share is hidden until the answer.
    if !frame.filter.judges() {
        return;
    }
    let schedule = frame.plan.schedule();
    // While one fold follows another, only PEs that both folds leave unused count as padding.
    let (south, east) = (layout.rows - 1, layout.cols - 1);
    let corners = [(0, 0), (south, 0), (0, east), (south, east)];
    let folds = corners.map(|(row, col)| schedule.fold_at(frame.cycle, PeId::new(row, col)).mapped);
    let most = |side: Side| folds.iter().map(|fold| side.lanes(*fold)).fold(0, u32::max);
    let mapped = Block { rows: most(Side::West), cols: most(Side::North) };
    let roomy = layout.detail >= Detail::Compact;
    let stroke = Stroke::solid(Tone::Quiet, 1.0);
    let idle_cols = layout.cols - mapped.cols;
    if idle_cols > 0 {
        let block = layout.block_of(0..layout.rows, mapped.cols..layout.cols);
        let share = words::picture::padding_share(idle_cols, layout.cols);
        if roomy {
            let y = block.y - 9.0;
            let end = block.x + block.w;
            draw_lines(&[(block.x, y + 4.0), (block.x, y), (end, y), (end, y + 4.0)], stroke, picture);
            let fits = |text: &String| text_width(text, TEXT_MIN) <= block.w + 8.0;
            if let Some(label) = words::picture::padding_cols_labels(&share).into_iter().find(fits) {
                let at = (block.x + block.w / 2.0, y - 8.0);
                picture.text(at, label, TEXT_MIN, Anchor::Middle, Tone::Quiet);
            }
        } else {
            // The label ends with the array, so that it never leaves the view in the east.
            let text = words::picture::padding_cols(idle_cols, &share);
            let y = if schedule.dataflow().hold() == Hold::Result {
                // Registers are above the array, so this label is below it. The first line there has the label of the
                // rows.
                (block.y + block.h + 27.0).min(picture.height - 6.0)
            } else {
                block.y - if mapped.cols == 0 { 12.0 } else { 24.0 }
            };
            let [short, ..] = words::picture::padding_cols_labels(&share);
            beside(picture, block.x + block.w, y, [text, short]);
        }
    }
    let idle_rows = layout.rows - mapped.rows;
    if idle_rows > 0 {
        let block = layout.block_of(mapped.rows..layout.rows, 0..layout.cols);
        // PEs in unused columns already count in the share of the columns.
        let share = words::picture::padding_share(idle_rows * mapped.cols, layout.rows * layout.cols);
        if roomy {
            // No operand enters these rows, so the space west of them is free.
            let x = block.x - 8.0;
            let end = block.y + block.h;
            draw_lines(&[(x + 4.0, block.y), (x, block.y), (x, end), (x + 4.0, end)], stroke, picture);
            let n_lines: u32 = if block.h < 3.2 * LINE { 2 } else { 3 };
            let bottom = block.center().1 + LINE * px(n_lines - 1) / 2.0;
            let lines = words::picture::padding_rows_lines(idle_rows, &share).into_iter().take(n_lines as usize);
            for (above, line) in lines.rev().enumerate() {
                let y = bottom - px(above as u64) * LINE;
                picture.text((x - 6.0, y), line, TEXT_MIN, Anchor::End, Tone::Quiet);
            }
        } else {
            let y = (block.y + block.h + 13.0).min(picture.height - 6.0);
            let [_, short, _] = words::picture::padding_rows_lines(idle_rows, &share);
            let texts = [words::picture::padding_rows(idle_rows, &share), short];
            beside(picture, block.x + block.w, y, texts);
        }
    }
}

/// Distance between two lines of a label.
const LINE: f32 = 13.0;

/// Draws the first text that fits in the width of the view. The text ends at `end`, or farther east if the text would
/// leave the view in the west.
fn beside(picture: &mut Picture, end: f32, y: f32, texts: [String; 2]) {
    const SIZE: f32 = 12.0;
    let width = |text: &str| text_width(text, SIZE) + 4.0;
    if let Some(text) = texts.into_iter().find(|text| width(text) <= picture.width) {
        picture.text((end.max(width(&text)), y), text, SIZE, Anchor::End, Tone::Quiet);
    }
}
