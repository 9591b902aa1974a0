//! Drawing of the PEs: blocks of color, a glyph for the state, one value, or all registers, with the tokens of elements and
//! sums that other painters also draw.

use super::{Detail, Frame, Layout, SumSet};
use display::Tone;
use display::picture::{Anchor, Dash, Identity, Mark, Outline, Picture, Rect, Stroke, between, px};
use studio::value_text;
use systolic::{
    Activity, Block, Drain, Element, Fold, Hold, Operand, Overlap, PeId, Probe, Schedule, StreamPosition, SumOf,
    SumStatus, Value,
};

/// Returns the fill and border of a cell for the activity of its PE. The cell of a PE on padding looks like the cell of
/// a useful PE, except for the hatching.
fn frame_of(activity: Activity, thick: f32) -> (Tone, Stroke) {
    match activity {
        Activity::Unmapped => (Tone::Clear, Stroke::solid(Tone::Faint, 1.0)),
        Activity::Loading => (Tone::Ground, Stroke::solid(Tone::Faint, 1.0)),
        Activity::Waiting => (Tone::Ground, Stroke { tone: Tone::Quiet, width: 1.2, dash: Dash::Dotted }),
        Activity::Useful | Activity::OnPadding => (Tone::Active, Stroke::solid(Tone::Ink, thick)),
        Activity::Done => (Tone::Ground, Stroke { tone: Tone::Quiet, width: 1.2, dash: Dash::Dashed }),
        Activity::Stalled => (Tone::Ground, Stroke { tone: Tone::Ink, width: 2.0, dash: Dash::Dotted }),
    }
}

pub(super) fn body(picture: &mut Picture, rect: Rect, activity: Activity, thick: f32, radius: u8) {
    let (fill, stroke) = frame_of(activity, thick);
    picture.shape(rect, Outline::Box(radius), fill, stroke);
    match activity {
        Activity::Unmapped => picture.marks.push(Mark::Hatch { rect, tone: Tone::Faint, rising: true }),
        Activity::OnPadding => picture.marks.push(Mark::Hatch { rect, tone: Tone::Padding, rising: false }),
        Activity::Loading | Activity::Waiting | Activity::Useful | Activity::Done | Activity::Stalled => {}
    }
}

/// Draws the token of an element. If `cell` has space, also draws the element's place in the matrix, next to the token.
/// The token is then in one half of the cell, and the place is in the other half.
fn token_with_tag(picture: &mut Picture, whole: Rect, element: &Element, fold: u64, dash: Dash, cell: &Rect) {
    // In a smaller cell, only some places would fit, so the cell shows none.
    let Some(tag) = tag_within(element, cell.w * 0.5, TEXT_MIN).filter(|_| cell.w >= TAG_MIN) else {
        return token(picture, whole, element, fold, dash, false);
    };
    token(picture, Rect { x: cell.x + cell.w * 0.03, w: cell.w * 0.46, ..whole }, element, fold, dash, false);
    let at = (cell.x + cell.w * 0.735, whole.y + whole.h / 2.0 + 0.5);
    picture.text(at, tag, TEXT_MIN, Anchor::Middle, Tone::Quiet);
    extend_token(picture);
}

/// Width of the smallest cell with the names of its elements.
const TAG_MIN: f32 = 70.0;

/// Smallest cell that shows the product of its operands.
pub(super) const PRODUCT_MIN: f32 = 102.0;

/// Draws every register of every PE.
pub(super) fn draw_registers(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let prober = frame.plan.prober();
    let schedule = frame.plan.schedule();
    let (overlaps, flows) =
        (schedule.design().overlap == Overlap::DoubleBuffered, schedule.dataflow().hold() == Hold::Operand);
    let sets_aside = overlaps && !flows && schedule.design().drain == Drain::South;
    let shows = Shows { shadow: overlaps && flows, drained: sets_aside, whole: frame.plan.dtype().is_integer() };
    if let Some(broken) = frame.broken {
        for cell in layout.pes().filter_map(|pe| broken.cell(pe)) {
            draw_pe(&cell.probe, (known(cell.sum), SumStatus::Nothing), 0, shows, layout, picture);
        }
        return;
    }
    let (sums, unit) = (frame.sums(SumSet::Stage, layout.block_seen()), frame.plan.unit());
    let drained = sets_aside.then(|| frame.sums(SumSet::Drained, layout.block_seen()));
    for pe in layout.pes() {
        let probe = prober.without_sum(frame.cycle, pe);
        let drained = drained.as_ref().map_or(SumStatus::Nothing, |sums| sums.sum(pe, unit));
        let fold = schedule.vector_at(frame.cycle, schedule.hops(pe)).map_or(0, |(fold, _)| fold.index + 1);
        let first_token = picture.tokens.len();
        draw_pe(&probe, (sums.sum(pe, unit), drained), fold, shows, layout, picture);
        name_sums(frame, pe, first_token, picture);
    }
}

/// Adds the row and column in C to the identities of a PE's sums. The drawing functions do not know this row and
/// column.
fn name_sums(frame: &Frame<'_>, pe: PeId, first_token: usize, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    for token in picture.tokens.iter_mut().skip(first_token).filter(|token| token.id.kind == SUM) {
        let of = if token.id.nth == 0 { SumOf::Register } else { SumOf::Drained };
        let (row, col) = schedule.sum_place(of, frame.cycle, pe).unwrap_or((u64::MAX, u64::MAX));
        token.id = Identity { kind: SUM, nth: schedule.fold_at(frame.cycle, pe).index, row, col };
    }
}

/// Registers that the PEs of a run have, and the type of their values.
#[derive(Clone, Copy)]
struct Shows {
    /// True if the PEs have a register for the stationary operand of the next fold.
    shadow: bool,
    /// True if the PEs have a register for a sum that drains.
    drained: bool,
    /// True if values are integers.
    whole: bool,
}

/// Draws a PE with its sum and its draining sum. `fold` is part of the identities of the moving operands.
fn draw_pe(
    probe: &Probe,
    (sum, drained): (SumStatus, SumStatus),
    fold: u64,
    shows: Shows,
    layout: &Layout,
    picture: &mut Picture,
) {
    let rect = layout.cell_of(probe.pe);
    let is_compact = layout.detail == Detail::Compact;
    body(picture, rect, probe.activity, if is_compact { 2.0 } else { 3.0 }, if is_compact { 5 } else { 8 });
    let rows = Rows::new(layout);
    if is_compact && !rows.are_three {
        draw_compact_operands(probe, fold, &rows, layout, picture);
    } else {
        draw_operands(probe, fold, shows, &rows, layout, picture);
    }
    if probe.east.is_none() && probe.activity == Activity::Waiting {
        picture.bold((rect.x + rect.w / 2.0, rect.y + rect.h * 0.54), "·", rect.w * 0.2, Anchor::Middle, Tone::Quiet);
    } else if probe.east.is_none() && probe.activity == Activity::Done && sum == SumStatus::Nothing {
        let size = text_size(rect.w * 0.16);
        picture.text((rect.x + rect.w / 2.0, rect.y + rect.h * 0.54), "✓", size, Anchor::Middle, Tone::Quiet);
    }
    // The lower part has the current sum, and next to it the previous sum, which drains.
    let whole = rows.sum_place(&rect);
    let half = |x: f32| Rect { x: rect.x + rect.w * x, w: rect.w * 0.43, ..whole };
    let is_split = shows.drained && !is_compact;
    let (left, right) = if is_split { (half(0.05), half(0.52)) } else { (whole, whole) };
    // A small cell has space for only one of the two sums.
    let drained = if is_compact && sum != SumStatus::Nothing { SumStatus::Nothing } else { drained };
    for (nth, (sum, place, dash)) in [(sum, left, Dash::Solid), (drained, right, Dash::Dashed)].into_iter().enumerate()
    {
        if sum == SumStatus::Nothing {
            continue;
        }
        let first_mark = picture.marks.len();
        let (text, size) = fitted_sum(sum, place.w, place.h * 0.62);
        picture.shape(place, Outline::Chevron, Tone::SumTint, Stroke { tone: Tone::Sum, width: 1.5, dash });
        let (x, _) = place.center();
        picture.bold((x, place.y + place.h * 0.44), text, size, Anchor::Middle, Tone::Ink);
        picture.token(Identity { kind: SUM, nth: nth as u64, row: 0, col: 0 }, place, first_mark, (0.0, 0.0));
    }
}

/// Position and height of each line of registers in a cell, as shares of the cell's side.
struct Rows {
    above: (f32, f32),
    middle: (f32, f32),
    below: (f32, f32),
    /// True if each of the three registers has its own line.
    are_three: bool,
    /// True if tokens show their places in the matrices.
    has_tags: bool,
}

/// Smallest cell with space for three lines of the smallest text.
pub(super) const THREE_MIN: f32 = 41.0;

impl Rows {
    fn new(layout: &Layout) -> Self {
        let has_tags = layout.detail == Detail::Tagged && layout.cell >= PRODUCT_MIN;
        let are_three = layout.detail != Detail::Compact || layout.cell >= THREE_MIN;
        let (above, middle, below) = match layout.detail {
            Detail::Compact if are_three => ((0.03, 0.295), (0.345, 0.295), (0.66, 0.32)),
            Detail::Compact => ((0.0, 0.0), (0.07, 0.41), (0.51, 0.44)),
            _ if has_tags => ((0.055, 0.28), (0.375, 0.27), (0.69, 0.25)),
            _ => ((0.08, 0.24), (0.385, 0.235), (0.69, 0.25)),
        };
        Self { above, middle, below, are_three, has_tags }
    }

    fn sum_place(&self, rect: &Rect) -> Rect {
        // A small cell uses its full width for a sum.
        let inset = match rect.w {
            ..30.0 => 0.01,
            30.0..52.0 => 0.05,
            _ => 0.11,
        };
        let w = rect.w * (1.0 - 2.0 * inset);
        Rect::new(rect.x + rect.w * inset, rect.y + rect.h * self.below.0, w, rect.h * self.below.1)
    }
}

/// Draws the operands of a small cell: the moving operands, or the operand that is being loaded. A stationary operand
/// appears only as a marked corner.
fn draw_compact_operands(probe: &Probe, fold: u64, rows: &Rows, layout: &Layout, picture: &mut Picture) {
    let rect = layout.cell_of(probe.pe);
    let (y, h) = (rect.y + rect.h * rows.middle.0, rect.h * rows.middle.1);
    let place = |x: f32, w: f32| Rect::new(rect.x + rect.w * x, y, rect.w * w, h);
    match (probe.east, probe.south, probe.held) {
        (Some(east), Some(south), _)
            if rect.w >= HALVES_MIN && [east, south].iter().all(|element| fits_half(element, rect.w)) =>
        {
            moving(picture, place(0.05, 0.44), &east, fold, layout, probe.pe);
            token(picture, place(0.51, 0.44), &south, fold, Dash::Solid, false);
        }
        (Some(east), ..) => moving(picture, place(0.15, 0.62), &east, fold, layout, probe.pe),
        (None, None, Some(held)) if matches!(probe.activity, Activity::Loading) => {
            token(picture, place(0.15, 0.62), &held, 0, Dash::Dashed, false);
        }
        _ => {}
    }
    // Cells on a wall are smaller, and only some numbers would fit. A corner marks the operand instead.
    if let Some(south) = probe.south.filter(|_| rect.w < HALVES_MIN) {
        corner(&rect, CORNER, south.operand, picture);
    }
    if let Some(held) = probe.held.filter(|_| probe.activity != Activity::Loading) {
        corner(&rect, CORNER, held.operand, picture);
    }
}

/// Smallest cell with two operands next to each other.
const HALVES_MIN: f32 = 33.0;
/// Side of the marked corner in a small cell.
const CORNER: f32 = 8.0;

/// True if half of a small cell has space for a value.
fn fits_half(element: &Element, cell: f32) -> bool {
    text_width(&value_text::short(element.value), TEXT_MIN) <= cell * 0.44
}

/// Draws the operand that moves east.
fn moving(picture: &mut Picture, place: Rect, east: &Element, fold: u64, layout: &Layout, pe: PeId) {
    token(picture, place, east, fold, Dash::Solid, layout.cell >= PRODUCT_MIN);
    mark_leaving_token(picture, layout, pe);
}

/// Makes the last token leave the array to the east if `pe` is in the last column. The token ends at the edge of the
/// PE, because a matrix may be next to the array.
fn mark_leaving_token(picture: &mut Picture, layout: &Layout, pe: PeId) {
    if pe.col + 1 == layout.cols
        && let Some(token) = picture.tokens.last_mut()
    {
        let cell = layout.cell_of(pe);
        token.leaves_by = ((cell.x + cell.w - token.rect.x - token.rect.w).max(1.0), 0.0);
    }
}

/// Draws the operands of a PE and their product.
fn draw_operands(probe: &Probe, fold: u64, shows: Shows, rows: &Rows, layout: &Layout, picture: &mut Picture) {
    let rect = layout.cell_of(probe.pe);
    let cell = layout.cell;
    // The upper part has the stationary operand (WS, IS) or the operand from the north (OS), dashed while it only
    // passes through. The stationary operand of the next fold is next to it.
    let is_compact = layout.detail == Detail::Compact;
    let tall_min = if is_compact { TEXT_MIN } else { TALL_MIN };
    // A small cell uses more of its width for a number.
    let wide = if is_compact { 0.82 } else { 0.64 };
    let place = |(y, h): (f32, f32), wide: f32| {
        Rect::new(rect.x + cell * (1.0 - wide) / 2.0, rect.y + cell * y, cell * wide, (cell * h).max(tall_min))
    };
    let whole = place(rows.above, wide);
    let half = |x: f32| Rect { x: rect.x + cell * x, w: cell * 0.43, ..whole };
    // Halves of a small cell have no space for a number.
    let is_split = shows.shadow && !is_compact;
    let (left, right) = if is_split { (half(0.05), half(0.52)) } else { (whole, whole) };
    let passes = probe.activity == Activity::Loading && !shows.shadow;
    let held_dash = if passes { Dash::Dashed } else { Dash::Solid };
    let held = probe.held.map(|element| (element, 0, held_dash));
    if let Some((above, fold, dash)) = held.or_else(|| Some((probe.south?, fold, Dash::Solid))) {
        if rows.has_tags || shows.shadow || is_compact {
            token(picture, left, &above, fold, dash, rows.has_tags);
        } else {
            token_with_tag(picture, left, &above, fold, dash, &rect);
        }
    }
    match probe.shadow {
        Some(shadow) if is_compact && probe.held.is_some() => corner(&rect, CORNER, shadow.operand, picture),
        Some(shadow) => token(picture, right, &shadow, 0, Dash::Dashed, rows.has_tags),
        None => {}
    }
    // The middle has the operand that moves east, and the product or the operand's place in its matrix.
    let Some(east) = probe.east else { return };
    let width = match (is_compact, rows.has_tags) {
        (true, _) => wide,
        (_, true) => 0.435,
        (_, false) => 0.46,
    };
    let whole = place(rows.middle, width);
    let Rect { y, h: height, .. } = whole;
    if rows.has_tags || is_compact {
        let x = if rows.has_tags && probe.product.is_some() { rect.x + cell * 0.06 } else { whole.x };
        moving(picture, Rect { x, ..whole }, &east, fold, layout, probe.pe);
    } else {
        // A PE outside the problem has hatching behind the operand that passes through, so it does not show the
        // operand's place.
        let room = if probe.activity == Activity::Unmapped { Rect { w: 0.0, ..rect } } else { rect };
        token_with_tag(picture, whole, &east, fold, Dash::Solid, &room);
        mark_leaving_token(picture, layout, probe.pe);
    }
    if let Some(product) = probe.product.filter(|_| rows.has_tags)
        && let Some(other) = probe.held.or(probe.south)
    {
        #[expect(clippy::cast_possible_truncation, reason = "shown with three digits")]
        let product = match shows.whole {
            true => Value::Int(product as i32),
            false => Value::Float(product as f32),
        };
        let room = cell * 0.44 - 2.0 * GLYPH * TEXT_MIN;
        let x = rect.x + cell * 0.53;
        for (line, (sign, value)) in [("×", other.value), ("=", product)].into_iter().enumerate() {
            let (text, size) = fitted(value, room, text_size(cell * 0.11));
            let at = (x, y + height * if line == 0 { 0.27 } else { 0.77 });
            picture.text(at, format!("{sign} {text}"), size, Anchor::Start, Tone::Quiet);
        }
    }
}

/// Draws lines around a PE, each with a distance and a width. Around a small PE, all lines are closer.
pub(super) fn ring(layout: &Layout, pe: PeId, lines: &[(f32, f32)], picture: &mut Picture) {
    let rect = layout.cell_of(pe);
    let scale = if layout.detail >= Detail::Registers { 1.0 } else { 0.5 };
    let (x, y) = rect.center();
    for (off, width) in lines {
        let side = 9.0f32.max(rect.w + 2.0 * off * scale);
        let around = Rect::new(x - side / 2.0, y - side / 2.0, side, side);
        let corner = if scale < 1.0 { 3 } else { 12 };
        picture.shape(around, Outline::Box(corner), Tone::Clear, Stroke::solid(Tone::Chosen, *width));
    }
}

/// Draws one value for each PE that the layout shows: its sum in `set`, or the operand that is being loaded.
pub(super) fn draw_values(frame: &Frame<'_>, layout: &Layout, set: SumSet, picture: &mut Picture) {
    if let Some(broken) = frame.broken {
        for pe in layout.pes() {
            draw_value(frame, layout, pe, known(broken.cell(pe).and_then(|cell| cell.sum)), picture);
        }
        return;
    }
    let (sums, unit) = (frame.sums(set, layout.block_seen()), frame.plan.unit());
    for pe in layout.pes() {
        draw_value(frame, layout, pe, sums.sum(pe, unit), picture);
    }
}

/// Draws the value of one PE.
fn draw_value(frame: &Frame<'_>, layout: &Layout, pe: PeId, sum: SumStatus, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let size = between(layout.cell * 0.34, 11.0, 18.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of glyphs")]
    let fitting = |value, size: f32| value_text::fitting(value, (layout.cell / (size * GLYPH)) as usize);
    let rect = layout.cell_of(pe);
    let activity = schedule.activity(frame.cycle, pe);
    body(picture, rect, activity, 2.0, 4);
    let held = frame.plan.prober().held_at(frame.cycle, pe);
    let (x, y) = rect.center();
    match (activity, sum, held) {
        // PEs outside the problem pass on the sums from the north.
        (_, SumStatus::Underway, _) => picture.text((x, y), UNDERWAY, size, Anchor::Middle, Tone::Quiet),
        (_, SumStatus::Sum(sum), _) => {
            // The sum has its shape, as in larger cells.
            let place = Rect::new(rect.x, rect.y + rect.h * 0.2, rect.w, rect.h * 0.68);
            picture.shape(place, Outline::Chevron, Tone::SumTint, Stroke::solid(Tone::Sum, 1.0));
            let text = fitting(sum, 11.0);
            let widest = (rect.w - 4.0) / (GLYPH * px(text.chars().count().max(1) as u64));
            picture.bold((x, y), text, between(widest, 11.0, size), Anchor::Middle, Tone::Ink);
        }
        (Activity::Unmapped, ..) => {}
        (Activity::Loading, SumStatus::Nothing, Some(held)) => {
            let (tone, ..) = ink_of(schedule.dataflow().stationary());
            picture.text((x, y), fitting(held.value, size), size, Anchor::Middle, tone);
        }
        (Activity::Done, SumStatus::Nothing, _) => picture.text((x, y), "✓", size, Anchor::Middle, Tone::Quiet),
        _ => picture.text((x, y), "·", size, Anchor::Middle, Tone::Quiet),
    }
    if held.is_some() {
        let (tone, ..) = ink_of(schedule.dataflow().stationary());
        let notch = Rect::new(rect.x + 1.0, rect.y + 1.0, 5.0, 4.0);
        picture.shape(notch, Outline::Box(0), tone, Stroke::solid(Tone::Clear, 0.0));
    }
}

/// Draws a glyph for the state of each PE, without numbers.
pub(super) fn draw_glyphs(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let size = layout.cell * 0.6;
    for pe in layout.pes() {
        let rect = layout.cell_of(pe);
        let activity = schedule.activity(frame.cycle, pe);
        body(picture, rect, activity, 1.5, 2);
        let glyph = match activity {
            Activity::Unmapped => continue,
            Activity::Loading => "↓",
            Activity::Waiting => "·",
            Activity::Useful => "×",
            Activity::OnPadding => "0",
            Activity::Done => "✓",
            Activity::Stalled => "‖",
        };
        let tone = if activity == Activity::Useful { Tone::Ink } else { Tone::Quiet };
        let (x, y) = rect.center();
        picture.text((x, y), glyph, size, Anchor::Middle, tone);
    }
}

/// Number of waves in a stripe of one color. Stripes of only one wave would flicker.
const STRIPE: u64 = 8;

/// Draws a large array: one block of color per PE, and lines at the fronts of the wave.
///
/// The position of the stream depends only on the row + column of a PE. So nearly every row of the picture is a piece of
/// one strip of colors, shifted by one PE per row.
pub(super) fn draw_blocks(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let rect = layout.array();
    let strip: Vec<(Fold, StreamPosition)> =
        (0..u64::from(layout.rows + layout.cols)).map(|hops| schedule.stream_position(frame.cycle, hops)).collect();
    fill_pixels(frame, layout, &strip, &mut picture.pixels);
    picture.marks.push(Mark::Bitmap { rect, cols: layout.cols, rows: layout.rows });
    let mapped = strip[0].0.mapped;
    if mapped.cols < layout.cols {
        let idle = layout.block_of(0..layout.rows, mapped.cols..layout.cols);
        picture.marks.push(Mark::Hatch { rect: idle, tone: Tone::Faint, rising: true });
    }
    if mapped.rows < layout.rows {
        let idle = layout.block_of(mapped.rows..layout.rows, 0..mapped.cols.max(1));
        picture.marks.push(Mark::Hatch { rect: idle, tone: Tone::Faint, rising: true });
    }
    picture.shape(rect, Outline::Box(0), Tone::Clear, Stroke::solid(Tone::Quiet, 1.0));
    if let Some(rows) = rows_in(frame) {
        draw_load_front(layout, mapped, rows, picture);
        return;
    }
    draw_fronts(schedule, layout, &strip, picture);
    let farthest = u64::from(layout.rows + layout.cols).saturating_sub(2);
    if schedule.is_starved(frame.cycle, 0) && schedule.is_starved(frame.cycle, farthest) {
        let block = layout.block_of(0..mapped.rows, 0..mapped.cols);
        label_at(layout, block.center(), words::picture::STARVED, picture);
    }
}

/// Returns the number of loaded rows while the array only loads; `None` once the array multiplies.
fn rows_in(frame: &Frame<'_>) -> Option<u64> {
    let schedule = frame.plan.schedule();
    let moment = schedule.locate(frame.cycle);
    let loads = schedule.design().overlap == Overlap::None || moment.fold.index == 0;
    if !loads || moment.since >= schedule.load_cycles() {
        return None;
    }
    schedule.rows_loaded(frame.cycle, 0).map(|(_, rows)| rows)
}

/// Draws the lines at which one fold follows another, or at which the stream begins or ends.
fn draw_fronts(schedule: &Schedule, layout: &Layout, strip: &[(Fold, StreamPosition)], picture: &mut Picture) {
    let band = px(schedule.stream_len().min(4096)) * layout.pitch;
    // A band thinner than its outline becomes a single line in the band's color.
    let thin = band < 9.0;
    for (hops, pair) in strip.windows(2).enumerate() {
        let [(near, here), (far, there)] = pair else { continue };
        let is_stream = |position: &StreamPosition| matches!(position, StreamPosition::At(_) | StreamPosition::Gap);
        let solid = Stroke::solid(if thin { Tone::Useful } else { Tone::Ink }, 2.5);
        let dashed = Stroke { tone: Tone::Ink, width: 2.5, dash: Dash::Dashed };
        let (stroke, label) = if is_stream(here) && near.index != far.index {
            (solid, words::picture::FOLD_FRONT)
        } else if is_stream(here) && !is_stream(there) {
            (solid, words::picture::FILL_FRONT)
        } else if !thin && *here == StreamPosition::Past && is_stream(there) {
            (dashed, words::picture::DRAIN_FRONT)
        } else {
            continue;
        };
        draw_front(layout, near.mapped, hops as u64 + 1, stroke, label, picture);
    }
}

fn fill_pixels(frame: &Frame<'_>, layout: &Layout, strip: &[(Fold, StreamPosition)], pixels: &mut Vec<u8>) {
    let (rows, cols) = (layout.rows as usize, layout.cols as usize);
    pixels.resize(rows * cols, Tone::Ground as u8);
    let schedule = frame.plan.schedule();
    let is_starved = |hops: usize| schedule.is_starved(frame.cycle, hops as u64);
    let tone = |(hops, (_, position)): (usize, &(Fold, StreamPosition))| match position {
        StreamPosition::Past if is_starved(hops) => Tone::Stall,
        _ => tone_of(schedule, *position),
    };
    let tones: Vec<Tone> = strip.iter().enumerate().map(tone).collect();
    // While loading, a row has this fold's elements once shifting has reached the row.
    let loading = rows_in(frame).is_some();
    let loaded: Vec<usize> = (0..layout.cols)
        .map(|col| schedule.rows_loaded(frame.cycle, col).filter(|_| loading))
        .map(|loaded| loaded.and_then(|(_, rows)| usize::try_from(rows).ok()).unwrap_or_default())
        .collect();
    // If the whole array has one fold and all columns are loaded equally, the PEs of a row are all loading, or they are
    // a window of the strip.
    let (first, level) = (strip[0].0, loaded[0]);
    let codes: Vec<u8> = tones.iter().map(|&tone| tone as u8).collect();
    let is_one = loaded.iter().all(|rows| *rows == level) && strip.iter().all(|(fold, _)| fold.index == first.index);
    for (i, row) in pixels.chunks_exact_mut(cols).enumerate() {
        let own = if is_one && i < first.real.rows as usize { first.real.cols as usize } else { 0 };
        if i < level && rows - level + i < first.mapped.rows as usize {
            row[..own].fill(Tone::Load as u8);
        } else {
            row[..own].copy_from_slice(&codes[i..i + own]);
        }
        for (j, pixel) in row.iter_mut().enumerate().skip(own) {
            let ((fold, _), tone) = (&strip[i + j], tones[i + j]);
            let inside = |block: Block| i < block.rows as usize && j < block.cols as usize;
            let multiplies = tone == Tone::Useful || tone == Tone::UsefulStripe;
            let tone = if !inside(fold.mapped) {
                Tone::Ground
            } else if multiplies && !inside(fold.real) {
                Tone::Padding
            } else if i < loaded[j] && rows - loaded[j] + i < fold.mapped.rows as usize {
                Tone::Load
            } else {
                tone
            };
            *pixel = tone as u8;
        }
    }
}

/// Returns the color of a PE that the fold uses, for the position of the stream at this PE.
fn tone_of(schedule: &Schedule, position: StreamPosition) -> Tone {
    match position {
        StreamPosition::Before => Tone::Ground,
        StreamPosition::Gap => Tone::Stall,
        StreamPosition::Past => Tone::Drain,
        StreamPosition::At(wave) if wave >= schedule.real_stream_len() => Tone::Padding,
        StreamPosition::At(wave) if (wave / STRIPE).is_multiple_of(2) => Tone::Useful,
        StreamPosition::At(_) => Tone::UsefulStripe,
    }
}

/// Draws the border between PEs with row + column < `hops` and all other PEs, as a straight line instead of a
/// staircase.
fn draw_front(layout: &Layout, block: Block, hops: u64, stroke: Stroke, label: &str, picture: &mut Picture) {
    let (rows, cols) = (u64::from(block.rows), u64::from(block.cols));
    if hops == 0 || hops >= rows + cols - 1 || rows == 0 || cols == 0 {
        return;
    }
    let point = |col: f32, row: f32| (layout.left + col * layout.pitch, layout.top + row * layout.pitch);
    // The line goes from the west or south edge of the block to its north or east edge.
    let low = if hops <= rows { (0.0, px(hops)) } else { (px(hops - rows), px(rows)) };
    let high = if hops <= cols { (px(hops), 0.0) } else { (px(cols), px(hops - cols)) };
    let (from, to) = (point(low.0, low.1), point(high.0, high.1));
    picture.line(from, to, stroke);
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    label_at(layout, middle, label, picture);
}

/// Draws a line below the rows of PEs that are loaded.
fn draw_load_front(layout: &Layout, block: Block, rows: u64, picture: &mut Picture) {
    let y = layout.top + px(rows.min(u64::from(block.rows))) * layout.pitch;
    let x = layout.left;
    let end = x + px(u64::from(block.cols)) * layout.pitch;
    picture.line((x, y), (end, y), Stroke::solid(Tone::Ink, 2.5));
    label_at(layout, ((x + end) / 2.0, y), words::picture::LOAD_FRONT, picture);
}

/// Draws a label inside the array. Omits the label in a small array, because the label would cover the numbers of rows
/// and columns.
fn label_at(layout: &Layout, (x, y): (f32, f32), label: &str, picture: &mut Picture) {
    const SIZE: f32 = 12.0;
    let width = text_width(label, SIZE) + 6.0;
    let array = layout.array();
    if array.w < width || array.h < 60.0 {
        return;
    }
    let x = between(x, array.x + width / 2.0, array.x + array.w - width / 2.0);
    let y = between(y, array.y + 10.0, array.y + array.h - 10.0);
    let plate = Rect::new(x - width / 2.0, y - 9.0, width, 18.0);
    picture.shape(plate, Outline::Box(3), Tone::Ground, Stroke::solid(Tone::Clear, 0.0));
    picture.text((x, y), label, SIZE, Anchor::Middle, Tone::Ink);
}

/// Returns the border color, the fill color and the shape of an operand's tokens.
pub(crate) fn ink_of(operand: Operand) -> (Tone, Tone, Outline) {
    match operand {
        Operand::A => (Tone::A, Tone::ATint, Outline::Pill),
        Operand::B => (Tone::B, Tone::BTint, Outline::Notch),
        Operand::C => (Tone::C, Tone::CTint, Outline::Hexagon),
    }
}

/// Returns the identity of the token for an element of A or B. By this identity, the token is found again in another
/// picture. `fold` distinguishes copies of an element that is in two PEs at once. A stationary element has fold 0,
/// because it exists only once.
pub(crate) const fn identity(element: &Element, fold: u64) -> Identity {
    Identity { kind: element.operand as u8, nth: fold, row: element.row, col: element.col }
}

/// Kind of the tokens for sums in PEs; `RESULT` and `PARTIAL` are the kinds for complete and partial results that leave
/// the array.
pub(crate) const SUM: u8 = 3;
pub(crate) const RESULT: u8 = 4;
pub(crate) const PARTIAL: u8 = 5;

/// Draws the token of an element with the element's value. If `tag` is true and there is space, also draws the
/// element's place in the matrix.
pub(crate) fn token(picture: &mut Picture, rect: Rect, element: &Element, fold: u64, dash: Dash, tag: bool) {
    let first_mark = picture.marks.len();
    let (tone, tint, outline) = ink_of(element.operand);
    // With a tag below the number, a pill needs straighter ends.
    let shape = if tag && outline == Outline::Pill { Outline::Box(12) } else { outline };
    picture.shape(rect, shape, tint, Stroke { tone, width: 1.5, dash });
    let (x, y) = rect.center();
    let (text, size) = fitted(element.value, rect.w, rect.h * if tag { 0.46 } else { 0.62 });
    if tag {
        // A notch needs the space above the number.
        let lower = if outline == Outline::Notch { 0.05 } else { 0.0 };
        picture.text((x, rect.y + rect.h * (0.35 + lower)), text, size, Anchor::Middle, Tone::Ink);
        let small = between(rect.h * 0.29, 11.0, 12.0);
        if let Some(tag) = tag_within(element, rect.w, small) {
            picture.text((x, rect.y + rect.h * (0.74 + lower)), tag, small, Anchor::Middle, Tone::Quiet);
        }
    } else {
        // In a notch the number is lower, depending on the height.
        let lower = match outline {
            Outline::Notch if rect.h < TALL_MIN => 0.9,
            Outline::Notch => rect.h * 0.06,
            _ => 0.0,
        };
        picture.text((x, y + 0.5 + lower), text, size, Anchor::Middle, Tone::Ink);
    }
    picture.token(identity(element, fold), rect, first_mark, (0.0, 0.0));
}

/// Returns a number as text that fits this width, and the text size. The size is at most `tall`, but never below
/// [`TEXT_MIN`].
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few glyphs"
)]
pub(crate) fn fitted(value: Value, wide: f32, tall: f32) -> (String, f32) {
    // The width of a monospaced glyph is 0.6 of its height, including a margin. The ends of most shapes need some of
    // the width.
    let text = value_text::fitting(value, ((wide + 1.0) / (GLYPH * TEXT_MIN)) as usize);
    let widest = wide * 0.9 / (GLYPH * text.chars().count().max(1) as f32);
    (text, text_size(widest.min(tall)))
}

/// Returns a sum as text that fits this width, and the text size. The text is `…` if the sum is not known yet.
pub(crate) fn fitted_sum(sum: SumStatus, wide: f32, tall: f32) -> (String, f32) {
    match sum {
        SumStatus::Sum(value) => fitted(value, wide, tall),
        SumStatus::Nothing | SumStatus::Underway => (UNDERWAY.to_owned(), text_size(tall)),
    }
}

/// Returns the name of an element, `a[2,1]`, if the name fits this width.
pub(crate) fn tag_within(element: &Element, room: f32, size: f32) -> Option<String> {
    Some(words::caption::place(element)).filter(|tag| text_width(tag, size) <= room)
}

/// Returns the width of a text in the widest font of the page.
pub(crate) fn text_width(text: &str, size: f32) -> f32 {
    px(text.chars().count() as u64) * GLYPH * size
}

/// Returns a value as text of the smallest size that fits this width.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few glyphs")]
pub(crate) fn fitting(value: Value, width: f32) -> String {
    value_text::fitting(value, (width / (GLYPH * TEXT_MIN)) as usize)
}

/// Width of a glyph of the monospaced font, divided by the size of the font.
pub(crate) const GLYPH: f32 = 0.6;
/// Size of the smallest text.
pub(crate) const TEXT_MIN: f32 = 11.0;

fn text_size(wanted: f32) -> f32 {
    between(wanted, TEXT_MIN, 24.0)
}

/// Text in place of a sum whose terms are still being added.
pub(crate) const UNDERWAY: &str = "…";

/// Converts a known sum to a status; `None` means that the PE has no sum.
pub(crate) fn known(sum: Option<Value>) -> SumStatus {
    sum.map_or(SumStatus::Nothing, SumStatus::Sum)
}

/// Marks the corner of a cell in place of an element whose value does not fit.
pub(crate) fn corner(rect: &Rect, side: f32, operand: Operand, picture: &mut Picture) {
    let (tone, ..) = ink_of(operand);
    let (right, top) = (rect.x + rect.w - 1.0, rect.y + 1.0);
    picture.marks.push(Mark::Area { points: vec![(right - side, top), (right, top), (right, top + side)], fill: tone });
}

/// Makes all marks after the last token a part of this token, so that token and marks move together.
pub(crate) fn extend_token(picture: &mut Picture) {
    let end = picture.marks.len();
    if let Some(token) = picture.tokens.last_mut() {
        token.marks.end = end;
    }
}

/// Smallest height of a token with a number.
const TALL_MIN: f32 = 12.5;
