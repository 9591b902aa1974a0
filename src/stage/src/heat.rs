//! Drawing of large arrays: one block of color per PE, and lines at the fronts of the wave.
//!
//! The position of the stream depends only on the row + column of a PE. So nearly every row of the picture is a piece
//! of one strip of colors, shifted by one PE per row.

use super::cells::GLYPH;
use super::{Frame, Layout};
use display::Tone;
use display::picture::{Anchor, Dash, Mark, Outline, Picture, Rect, Stroke, between, px};
use systolic::{Block, Fold, Overlap, Schedule, StreamPosition};

/// Number of waves in a stripe of one color. Stripes of only one wave would flicker.
const STRIPE: u64 = 8;

pub(super) fn draw(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
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
        load_front(layout, mapped, rows, picture);
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
        front(layout, near.mapped, hops as u64 + 1, stroke, label, picture);
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
    // If one fold is everywhere and all columns are loaded equally, each row is simple. The problem's PEs in a row are
    // all loading, or are a window of the strip.
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
fn front(layout: &Layout, block: Block, hops: u64, stroke: Stroke, label: &str, picture: &mut Picture) {
    let (rows, cols) = (u64::from(block.rows), u64::from(block.cols));
    if hops == 0 || hops >= rows + cols - 1 || rows == 0 || cols == 0 {
        return;
    }
    let point = |col: f32, row: f32| (layout.left + col * layout.pitch, layout.top + row * layout.pitch);
    // Line from the west or south edge of the block to its north or east edge.
    let low = if hops <= rows { (0.0, px(hops)) } else { (px(hops - rows), px(rows)) };
    let high = if hops <= cols { (px(hops), 0.0) } else { (px(cols), px(hops - cols)) };
    let (from, to) = (point(low.0, low.1), point(high.0, high.1));
    picture.line(from, to, stroke);
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    label_at(layout, middle, label, picture);
}

/// Draws a line below the rows of PEs that are loaded.
fn load_front(layout: &Layout, block: Block, rows: u64, picture: &mut Picture) {
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
    #[expect(clippy::cast_precision_loss, reason = "a short label")]
    let width = label.chars().count() as f32 * GLYPH * SIZE + 6.0;
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
