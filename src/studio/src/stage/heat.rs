//! Large arrays: one block of color per PE, with the fronts of the wave drawn over it.
//!
//! What a mapped PE does depends on row + column alone, so one strip of tones, read through a window that moves by one
//! block per row, is the whole field.

use super::{Frame, Layout};
use crate::picture::{Anchor, Dash, Mark, Outline, Picture, Rect, Stroke, between};
use crate::{Tone, words};
use systolic::{Block, Moment, Schedule};

/// Elements of the stream that share a stripe: the motion of single ones would flicker.
const STRIPE: u64 = 8;

pub(super) fn draw(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let moment = schedule.locate(frame.cycle);
    let rect = layout.array();
    fill_pixels(schedule, &moment, layout, &mut picture.pixels);
    picture.marks.push(Mark::Bitmap { rect, cols: layout.cols, rows: layout.rows });
    let mapped = moment.fold.mapped;
    if mapped.cols < layout.cols {
        let idle = layout.block_of(0..layout.rows, mapped.cols..layout.cols);
        picture.marks.push(Mark::Hatch { rect: idle, tone: Tone::Faint, rising: true });
    }
    if mapped.rows < layout.rows {
        let idle = layout.block_of(mapped.rows..layout.rows, 0..mapped.cols.max(1));
        picture.marks.push(Mark::Hatch { rect: idle, tone: Tone::Faint, rising: true });
    }
    picture.shape(rect, Outline::Box(0), Tone::Clear, Stroke::solid(Tone::Quiet, 1.0));
    let load = schedule.load_cycles().get();
    if let Some(waves) = moment.since.get().checked_sub(load) {
        let band = f(schedule.stream_len().min(4096)) * layout.pitch;
        // A band thinner than its outline is drawn as one line of its own color.
        let thin = band < 9.0;
        let tone = if thin { Tone::Useful } else { Tone::Ink };
        front(layout, mapped, waves + 1, Stroke::solid(tone, 2.5), words::stage::FILL_FRONT, picture);
        if let Some(past) = (waves + 1).checked_sub(schedule.stream_len()).filter(|_| !thin) {
            let drain = Stroke { tone: Tone::Ink, width: 2.5, dash: Dash::Dashed };
            front(layout, mapped, past, drain, words::stage::DRAIN_FRONT, picture);
        }
    } else {
        load_front(layout, mapped, moment.since.get() + 1, picture);
    }
}

fn fill_pixels(schedule: &Schedule, moment: &Moment, layout: &Layout, pixels: &mut Vec<u8>) {
    let (rows, cols) = (layout.rows as usize, layout.cols as usize);
    let mapped = moment.fold.mapped;
    pixels.resize(rows * cols, Tone::Ground as u8);
    let loading = moment.since < schedule.load_cycles();
    let strip: Vec<u8> = (0..rows + cols).map(|hops| tone_at(schedule, moment, hops as u64) as u8).collect();
    for (i, row) in pixels.chunks_exact_mut(cols).enumerate() {
        let (inside, outside) = row.split_at_mut(if i < mapped.rows as usize { mapped.cols as usize } else { 0 });
        outside.fill(Tone::Ground as u8);
        if loading {
            // While loading, a row holds this fold's elements once the shifting has reached it.
            let from_last = schedule.load_cycles().get() - 1;
            let line = (from_last + i as u64).checked_sub(moment.since.get());
            let here = i as u64 <= moment.since.get() && line.is_some_and(|line| line < u64::from(mapped.rows));
            inside.fill(if here { Tone::Load } else { Tone::Ground } as u8);
        } else {
            inside.copy_from_slice(&strip[i..i + inside.len()]);
        }
    }
    // Elements of padding along the stream are told from the problem's own PE by PE only at the mapped edges.
    let real = moment.fold.real;
    if !loading && (real.rows < mapped.rows || real.cols < mapped.cols) {
        for (i, row) in pixels.chunks_exact_mut(cols).enumerate() {
            for (j, pixel) in row.iter_mut().enumerate() {
                let padded = i >= real.rows as usize || j >= real.cols as usize;
                if padded && (*pixel == Tone::Useful as u8 || *pixel == Tone::UsefulStripe as u8) {
                    *pixel = Tone::Padding as u8;
                }
            }
        }
    }
}

/// What a mapped PE so many hops from the corner does after loading.
fn tone_at(schedule: &Schedule, moment: &Moment, hops: u64) -> Tone {
    match moment.since.get().checked_sub(schedule.load_cycles().get() + hops) {
        None => Tone::Ground,
        Some(wave) if wave >= schedule.stream_len() => Tone::Drain,
        Some(wave) if wave >= schedule.real_stream_len() => Tone::Padding,
        Some(wave) if (wave / STRIPE).is_multiple_of(2) => Tone::Useful,
        Some(_) => Tone::UsefulStripe,
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 2048")]
const fn f(value: u64) -> f32 {
    value as f32
}

/// The staircase between PEs with row + column < `hops` and the others, drawn as the straight line it looks like.
fn front(layout: &Layout, block: Block, hops: u64, stroke: Stroke, label: &str, picture: &mut Picture) {
    let (rows, cols) = (u64::from(block.rows), u64::from(block.cols));
    if hops == 0 || hops >= rows + cols - 1 || rows == 0 || cols == 0 {
        return;
    }
    let point = |col: f32, row: f32| (layout.left + col * layout.pitch, layout.top + row * layout.pitch);
    // From the west or south edge of the block to its north or east edge.
    let low = if hops <= rows { (0.0, f(hops)) } else { (f(hops - rows), f(rows)) };
    let high = if hops <= cols { (f(hops), 0.0) } else { (f(cols), f(hops - cols)) };
    let (from, to) = (point(low.0, low.1), point(high.0, high.1));
    picture.line(from, to, stroke);
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    label_at(middle, label, picture);
}

/// How far the rows of the stationary matrix have been shifted in.
fn load_front(layout: &Layout, block: Block, rows: u64, picture: &mut Picture) {
    let y = layout.top + f(rows.min(u64::from(block.rows))) * layout.pitch;
    let x = layout.left;
    let end = x + f(u64::from(block.cols)) * layout.pitch;
    picture.line((x, y), (end, y), Stroke::solid(Tone::Ink, 2.5));
    label_at(((x + end) / 2.0, y), words::stage::LOAD_FRONT, picture);
}

fn label_at((x, y): (f32, f32), label: &str, picture: &mut Picture) {
    #[expect(clippy::cast_precision_loss, reason = "a short label")]
    let width = label.chars().count() as f32 * 6.6 + 10.0;
    let x = between(x, width / 2.0, picture.width - width / 2.0);
    let y = between(y, 10.0, picture.height - 10.0);
    let plate = Rect::new(x - width / 2.0, y - 9.0, width, 18.0);
    picture.shape(plate, Outline::Box(3), Tone::Ground, Stroke::solid(Tone::Clear, 0.0));
    picture.text((x, y), label, 12.0, Anchor::Middle, Tone::Ink);
}
