//! The numbers that cross the edge of the array in the whole run, as bars next to the array. The length of a bar is how
//! often each number of its matrix crosses: each step to the right is twice as often.
//!
//! While a lesson card asks a question, the drawing has only the array and empty tracks.

use display::Tone;
use display::picture::{Anchor, Outline, Picture, Rect, Stroke, px};
use studio::Plan;
use systolic::Operand;
use words::drawing;

use crate::Frame;
use crate::cells::ink_of;

/// Size of the names, and of the numbers.
const TEXT: f32 = 13.0;
const SMALL: f32 = 11.0;
const MARGIN: f32 = 24.0;
/// Narrowest view with the bars next to the array.
const BESIDE: f32 = 560.0;
/// Lowest place for the array.
const ROOM_MIN: f32 = 60.0;
/// Smallest PE with a border.
const PE_MIN: f32 = 4.0;
/// Least and greatest height of a bar with its text, and share of the bar alone.
const STEP: (f32, f32) = (60.0, 120.0);
const BAR: f32 = 0.43;
/// Height of the axis below the bars.
const AXIS: f32 = 16.0;
/// Number of doublings on the axis.
const DOUBLINGS: u32 = 8;

/// Returns how many numbers of A, B and C cross the edge, and the size of each matrix.
fn counts(plan: &Plan) -> [(Operand, u64, u64); 3] {
    let (edge, gemm) = (plan.schedule().edge_traffic(), plan.schedule().gemm());
    let (m, k, n) = (gemm.m(), gemm.k(), gemm.n());
    [
        (Operand::A, edge.a_reads.get(), m * k),
        (Operand::B, edge.b_reads.get(), k * n),
        (Operand::C, edge.c_writes.get(), m * n),
    ]
}

/// Draws the array at its proportions, with a border for each PE if there is room.
fn array(frame: &Frame<'_>, room: &Rect, picture: &mut Picture) {
    let array = frame.plan.schedule().array();
    let (rows, cols) = (px(array.rows()), px(array.cols()));
    let size = (room.w / cols).min(room.h / rows);
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
    picture.text(below, drawing::array(array.rows(), array.cols()), TEXT, Anchor::Middle, Tone::Quiet);
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
        array(frame, &room, picture);
    }
    let products = frame.plan.schedule().gemm().macs().get();
    let counts = counts(frame.plan);
    let shows = frame.filter.judges();
    let step = bars.w / (px(DOUBLINGS) + 1.0);
    let mut row = |nth: u64, name: &str, (n, size): (u64, u64), (fill, edge): (Tone, Tone)| {
        let y = bars.y + px(nth) * high;
        picture.bold((bars.x, y + 8.0), name, text, Anchor::Start, Tone::Ink);
        let track = Rect::new(bars.x, y + 5.0 + text, bars.w, high * BAR);
        picture.shape(track, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Ghost, 1.0));
        for doubling in 1..=DOUBLINGS {
            let x = bars.x + px(doubling) * step;
            picture.line((x, track.y), (x, track.y + track.h), Stroke::solid(Tone::Ghost, 1.0));
        }
        if shows {
            let w = ((px(n) / px(size.max(1))).max(1.0).log2() + 1.0) * step;
            let long = Rect { w: w.min(bars.w), ..track };
            picture.shape(long, Outline::Box(0), fill, Stroke::solid(edge, 1.0));
            let crossing = drawing::crossing(n, products);
            picture.text((bars.x + bars.w, y + 8.0), crossing, small, Anchor::End, Tone::Ink);
        }
    };
    let mut total = (0, 0);
    for ((operand, n, size), nth) in counts.into_iter().zip(0..) {
        let (ink, tint, _) = ink_of(operand);
        row(nth, drawing::crosses(operand), (n, size), (tint, ink));
        total = (total.0 + n, total.1 + size);
    }
    row(3, drawing::TOTAL, total, (Tone::Ink, Tone::Ink));
    let y = bars.y + (n_bars - 1.0 + BAR) * high + text + AXIS;
    for doubling in 0..=DOUBLINGS {
        let x = bars.x + (px(doubling) + 1.0) * step;
        picture.text((x, y), drawing::times(1 << doubling), small, Anchor::End, Tone::Quiet);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_row_of_pes_moves_the_numbers_that_are_counted_by_hand() {
        let of = |query: &str| {
            let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
            counts(&plan).map(|(_, n, _)| n)
        };
        let run = "m=64&k=64&n=64&df=ws&dt=int8&overlap=double-buffered";
        // In a row, A enters once, and each product leaves as a sum.
        assert_eq!(of(&format!("rows=1&cols=64&{run}")), [64 * 64, 64 * 64, 64 * 64 * 64]);
        // In a square of 8x8, A enters once for each 8 columns, and a sum of 8 products leaves.
        assert_eq!(of(&format!("rows=8&cols=8&{run}")), [64 * 64 * 8, 64 * 64, 64 * 64 * 8]);
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
