//! The numbers that cross the edge of the array in the whole run, as bars next to the array. All bars have one linear axis
//! from zero, so the bar of all numbers is as long as the bars of A, B and C together.
//!
//! While a lesson card asks a question, the drawing has only the array, empty tracks and an axis without numbers. After
//! the answer, a card that changes settings has both arrays on one scale, and a thin bar for the run before above each
//! bar.

use display::Tone;
use display::picture::{Anchor, Outline, Picture, Rect, Stroke, px};
use display::plot::Axis;
use studio::Plan;
use systolic::{ArrayShape, Operand};
use words::drawing;

use crate::Frame;
use crate::cells::ink_of;

/// Size of the names, and of the numbers.
const TEXT: f32 = 13.0;
const SMALL: f32 = 11.0;
const MARGIN: f32 = 24.0;
/// Narrowest view with the bars next to the array.
const BESIDE: f32 = 560.0;
/// Smallest height of the place for the array.
const ROOM_MIN: f32 = 60.0;
/// Height of the name between two arrays.
const GAP: f32 = 34.0;
/// Smallest PE with a border.
const PE_MIN: f32 = 4.0;
/// Smallest and largest height of a bar with its text, and the share of this height for the bar alone.
const STEP: (f32, f32) = (60.0, 120.0);
const BAR: f32 = 0.43;
/// Height of the thin bar for the run before, as a share of the height of a bar.
const THIN: f32 = 0.4;
/// Height of the axis below the bars.
const AXIS: f32 = 16.0;
/// Largest number of ticks on the axis.
const TICKS_MAX: usize = 5;

/// Returns how many elements of A and B, and how many sums cross the edge.
fn counts(plan: &Plan) -> [(Operand, u64); 3] {
    let edge = plan.schedule().edge_traffic();
    [(Operand::A, edge.a_reads.get()), (Operand::B, edge.b_reads.get()), (Operand::C, edge.c_writes.get())]
}

/// A bar: its name, its numbers that cross the edge, and its colors.
type Bar = (&'static str, u64, (Tone, Tone));

/// Returns the bars of A, B, C and all numbers.
fn totalled(plan: &Plan) -> [Bar; 4] {
    let bars = counts(plan).map(|(operand, n)| {
        let (ink, tint, _) = ink_of(operand);
        (drawing::crosses(operand), n, (tint, ink))
    });
    let total = bars.iter().map(|(_, n, _)| n).sum();
    let [a, b, c] = bars;
    [a, b, c, (drawing::TOTAL, total, (Tone::Ink, Tone::Ink))]
}

/// Returns the width and the height of an array in PEs.
fn sides(array: ArrayShape) -> (f32, f32) {
    (px(array.cols()), px(array.rows()))
}

/// Draws the array, and above it the array of the run before.
fn arrays(frame: &Frame<'_>, room: &Rect, picture: &mut Picture) {
    let now = frame.plan.schedule().array();
    let Some(before) = frame.before.map(|before| before.schedule().array()).filter(|before| *before != now) else {
        let (cols, rows) = sides(now);
        array(now, (room.w / cols).min(room.h / rows), room, drawing::array(now.rows(), now.cols()), picture);
        return;
    };
    let ((cols_before, rows_before), (cols, rows)) = (sides(before), sides(now));
    let high = (room.h - GAP).max(8.0);
    let size = (room.w / cols.max(cols_before)).min(high / (rows + rows_before));
    let upper = Rect { h: (high * rows_before / (rows + rows_before)).max(size * rows_before), ..*room };
    let lower = Rect { y: upper.y + upper.h + GAP, h: high - upper.h, ..*room };
    for (shape, room, name) in [(before, upper, drawing::BEFORE), (now, lower, drawing::NOW)] {
        let name = format!("{name}: {}", drawing::array(shape.rows(), shape.cols()));
        array(shape, size, &room, name, picture);
    }
}

/// Draws an array in the middle of a room, with PEs of this size. Large PEs have a border.
fn array(array: ArrayShape, size: f32, room: &Rect, name: String, picture: &mut Picture) {
    let (cols, rows) = sides(array);
    let place = Rect::new(
        room.x + (room.w - size * cols) / 2.0,
        room.y + (room.h - size * rows) / 2.0,
        size * cols,
        size * rows,
    );
    if size < PE_MIN {
        picture.shape(place, Outline::Box(2), Tone::Active, Stroke::solid(Tone::Ink, 1.5));
    } else {
        for pe in array.iter() {
            let at = (place.x + px(pe.col) * size, place.y + px(pe.row) * size);
            let rect = Rect::new(at.0, at.1, size - 1.0, size - 1.0);
            picture.shape(rect, Outline::Box(1), Tone::Active, Stroke::solid(Tone::Ink, 1.0));
        }
    }
    let below = (room.x + room.w / 2.0, place.y + place.h + 14.0);
    picture.text(below, name, TEXT, Anchor::Middle, Tone::Quiet);
}

/// Draws the array, and one bar each for A, B, C and their total.
pub(super) fn draw(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    let is_beside = width >= BESIDE;
    let n_bars = 4.0;
    let high = if is_beside { (height - 2.0 * MARGIN - AXIS) / n_bars } else { height * 0.6 / n_bars };
    let high = high.clamp(STEP.0, STEP.1);
    // Larger bars have larger texts.
    let scale = (high / STEP.0).min(1.3);
    let (text, small) = (TEXT * scale, SMALL * scale);
    let bars_height = n_bars * high;
    let (room, bars) = if is_beside {
        let left = width * 0.36;
        let top = ((height - bars_height - AXIS) / 2.0).max(8.0);
        (
            Rect::new(MARGIN, MARGIN, left - 2.0 * MARGIN, (height - 2.0 * MARGIN - 20.0).max(8.0)),
            Rect::new(left, top, width - left - MARGIN, bars_height),
        )
    } else {
        let top = (height - bars_height - AXIS).max(0.0);
        (
            Rect::new(MARGIN, 8.0, width - 2.0 * MARGIN, (top - 36.0).max(8.0)),
            Rect::new(MARGIN, top, width - 2.0 * MARGIN, bars_height),
        )
    };
    if room.h >= ROOM_MIN {
        arrays(frame, &room, picture);
    }
    let products = frame.plan.schedule().gemm().macs().get();
    let before = frame.before.map(totalled);
    let shows = frame.filter.judges();
    let now = totalled(frame.plan);
    let most = before.iter().chain([&now]).map(|[.., (_, total, _)]| *total).max().unwrap_or(1);
    let axis = Axis::round(drawing::CROSSINGS_AXIS, f64::from(px(most)));
    let along = |value: f64| length(axis.place(value), bars.w);
    let ticks = axis.ticks(TICKS_MAX);
    for (nth, (name, now, (fill, edge))) in now.into_iter().enumerate() {
        let y = bars.y + px(nth as u64) * high;
        picture.bold((bars.x, y + 8.0), name, text, Anchor::Start, Tone::Ink);
        let track = Rect::new(bars.x, y + 5.0 + text, bars.w, high * BAR);
        picture.shape(track, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Ghost, 1.0));
        for (value, _) in &ticks {
            let x = bars.x + along(*value);
            picture.line((x, track.y), (x, track.y + track.h), Stroke::solid(Tone::Ghost, 1.0));
        }
        if shows {
            let thin = track.h * THIN;
            let above = if let Some(before) = &before {
                let rect = Rect { w: along(f64::from(px(before[nth].1))), h: thin, ..track };
                picture.shape(rect, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Quiet, 1.0));
                thin + 2.0
            } else {
                0.0
            };
            let long = Rect { w: along(f64::from(px(now))), y: track.y + above, h: track.h - above, ..track };
            picture.shape(long, Outline::Box(0), fill, Stroke::solid(edge, 1.0));
            let crossing = match &before {
                Some(before) => drawing::crossing_then_and_now(before[nth].1, now),
                None => drawing::crossing(now, products),
            };
            picture.text((bars.x + bars.w, y + 8.0), crossing, small, Anchor::End, Tone::Ink);
        }
    }
    let y = bars.y + (n_bars - 1.0 + BAR) * high + text + AXIS;
    // The numbers of the axis would tell a card that asks how many numbers cross.
    for (value, text) in ticks.iter().filter(|_| shows) {
        let x = bars.x + along(*value);
        let anchor = if *value == axis.ends.1 { Anchor::End } else { Anchor::Middle };
        picture.text((x, y), text.clone(), small, anchor, Tone::Quiet);
    }
    picture.text((bars.x + bars.w, y + AXIS), drawing::CROSSINGS_AXIS, small, Anchor::End, Tone::Quiet);
}

#[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
fn length(share: f64, width: f32) -> f32 {
    share as f32 * width
}

#[cfg(test)]
mod tests {
    use super::*;
    use display::picture::Mark;
    use studio::Link;
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_row_of_pes_moves_the_numbers_that_are_counted_by_hand() {
        let of = |query: &str| {
            let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
            counts(&plan).map(|(_, n)| n)
        };
        let run = "m=64&k=64&n=64&df=ws&dt=int8&overlap=double-buffered";
        // In one row of PEs, A enters once, and each product leaves as a sum.
        assert_eq!(of(&format!("rows=1&cols=64&{run}")), [64 * 64, 64 * 64, 64 * 64 * 64]);
        // In 8×8 PEs, A enters once for every 8 columns, and each sum that leaves has 8 products.
        assert_eq!(of(&format!("rows=8&cols=8&{run}")), [64 * 64 * 8, 64 * 64, 64 * 64 * 8]);
    }

    #[test]
    fn two_arrays_have_pes_of_one_size_and_two_bars_have_one_axis() {
        let plan = |side: u32| {
            let query = format!("rows={side}&cols={side}&m=512&k=512&n=512&overlap=double-buffered");
            Plan::new(&Link::parse(&query, "").scenario).expect("a run")
        };
        let (before, now) = (plan(128), plan(256));
        let mut picture = Picture::default();
        draw(&Frame { before: Some(&before), ..Frame::new(&now, Cycle(0)) }, 800.0, 400.0, &mut picture);
        let widths = |tone: Tone| -> Vec<f32> {
            let shapes = picture.marks.iter().filter_map(|mark| match mark {
                Mark::Shape { rect, fill, .. } if *fill == tone => Some(rect.w),
                _ => None,
            });
            shapes.collect()
        };
        let [small, large] = widths(Tone::Active)[..] else { panic!("{:?}", widths(Tone::Active)) };
        assert!((large - 2.0 * small).abs() < 0.01, "{small} {large}");
        // A enters an array of 128 columns four times, and one of 256 columns twice. B enters once. Sums leave as often as
        // A enters, because B has as many rows of tiles as columns.
        let numbers = 512 * 512;
        let bars = |tone: Tone| widths(tone).into_iter().find(|w| *w > 0.0).expect("a bar");
        let [a, b, total] = [ink_of(Operand::A).1, ink_of(Operand::B).1, Tone::Ink].map(bars);
        assert!((a - 2.0 * b).abs() < 0.01 && (total - 5.0 * b).abs() < 0.01, "{a} {b} {total}");
        let bars_before: Vec<f32> = picture
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Shape { rect, fill: Tone::Ground, stroke, .. } if stroke.tone == Tone::Quiet => Some(rect.w),
                _ => None,
            })
            .collect();
        assert!((bars_before[0] - 4.0 * b).abs() < 0.01 && (bars_before[3] - 9.0 * b).abs() < 0.01, "{bars_before:?}");
        assert!(picture.texts().any(|text| text == drawing::crossing_then_and_now(4 * numbers, 2 * numbers)));
    }

    #[test]
    fn a_card_that_asks_sees_no_number() {
        let plan = Plan::new(&Link::parse("rows=8&cols=8&m=64&k=64&n=64", "").scenario).expect("a run");
        let drawn = |asks: bool| {
            let frame = Frame::new(&plan, Cycle(0));
            let mut picture = Picture::default();
            draw(&Frame { filter: frame.filter.with_verdicts(!asks), ..frame }, 800.0, 400.0, &mut picture);
            picture
        };
        let numbers = |picture: &Picture| picture.texts().filter(|text| text.contains("for each")).count();
        assert_eq!((numbers(&drawn(true)), numbers(&drawn(false))), (0, 4));
    }
}
