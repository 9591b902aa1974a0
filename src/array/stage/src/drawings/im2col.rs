//! A convolution as a matmul: the picture with the place of the filter, and A with the row that this place becomes.
//!
//! A matmul does not state the sizes of a picture. If M and K are square numbers, A can be the matrix of a square
//! filter on a square picture. Each row of A is one place of the filter.
//!
//! While a lesson card asks a question, the drawing has no counts.

use display::Tone;
use display::picture::{Anchor, Outline, Picture, Rect, Stroke, px};
use studio::{Field, FieldValue, Plan};
use systolic::PeId;
use words::drawing;

use crate::Frame;

const TEXT: f32 = 13.0;
const MARGIN: f32 = 24.0;
/// Widest picture that is drawn, in pixels of the picture.
const SIDE_MAX: u64 = 64;
/// Narrowest view with A next to the picture.
const BESIDE: f32 = 520.0;

/// A square picture under a square filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Convolution {
    /// Number of places of the filter in each direction.
    places: u64,
    /// Width of the filter in pixels.
    filter: u64,
}

impl Convolution {
    /// Returns the convolution whose filter has `m` places and `k` pixels. `None` if `m` or `k` is not a square number.
    fn of_sizes(m: u64, k: u64) -> Option<Self> {
        let root = |n: u64| Some(n.isqrt()).filter(|root| root * root == n);
        Some(Self { places: root(m)?, filter: root(k)? })
    }

    /// Returns the convolution of a run, if its picture is drawn.
    fn drawn(plan: &Plan) -> Option<Self> {
        let gemm = plan.schedule().gemm();
        Self::of_sizes(gemm.m(), gemm.k()).filter(|convolution| convolution.side() <= SIDE_MAX)
    }

    const fn side(self) -> u64 {
        self.places + self.filter - 1
    }

    /// True if the filter covers a pixel when the filter is at a place.
    fn covers(self, place: u64, (row, col): (u64, u64)) -> bool {
        let (top, left) = (place / self.places, place % self.places);
        (top..top + self.filter).contains(&row) && (left..left + self.filter).contains(&col)
    }

    /// Returns the number of rows of A that contain a pixel.
    fn copies(self, (row, col): (u64, u64)) -> u64 {
        let along = |at: u64| {
            let (first, last) = ((at + 1).saturating_sub(self.filter), at.min(self.places - 1));
            last + 1 - first
        };
        along(row) * along(col)
    }
}

/// Returns M and K of a matmul that has a picture. `None` if the matmul of this run already has one.
pub(super) fn sizes_with_picture(plan: &Plan) -> Option<[(Field, FieldValue); 2]> {
    let sizes = [(Field::M, FieldValue::Count(36)), (Field::K, FieldValue::Count(9))];
    Convolution::drawn(plan).is_none().then_some(sizes)
}

/// Draws the picture with the filter at the place whose row of A enters the array, and A with this row.
pub(super) fn draw(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    let gemm = frame.plan.schedule().gemm();
    let Some(convolution) = Convolution::drawn(frame.plan) else {
        let middle = (width / 2.0, height / 2.0);
        picture.text(middle, drawing::NO_PICTURE, TEXT, Anchor::Middle, Tone::Quiet);
        return;
    };
    let probe = frame.plan.prober().without_sum(frame.cycle, PeId::new(0, 0));
    let place = probe.east.map_or(0, |element| element.row).min(gemm.m() - 1);
    let is_beside = width >= BESIDE;
    let half = if is_beside { (width / 2.0, height) } else { (width, height / 2.0) };
    let side = (half.0.min(half.1) - 2.0 * MARGIN - 16.0).max(20.0);
    let corner = ((half.0 - side) / 2.0, (half.1 - side) / 2.0 + 8.0);
    let other = if is_beside { (half.0 + corner.0, corner.1) } else { (corner.0, half.1 + corner.1) };
    pixels(frame, convolution, place, &Rect::new(corner.0, corner.1, side, side), picture);
    matrix(frame, place, &Rect::new(other.0, other.1, side, side), picture);
}

fn pixels(frame: &Frame<'_>, convolution: Convolution, place: u64, room: &Rect, picture: &mut Picture) {
    let side = convolution.side();
    let size = room.w / px(side);
    let shows = frame.filter.judges();
    let title = drawing::pixels(side, convolution.filter);
    picture.bold((room.x, room.y - 14.0), title, TEXT, Anchor::Start, Tone::Ink);
    for row in 0..side {
        for col in 0..side {
            let at = (room.x + px(col) * size, room.y + px(row) * size);
            let rect = Rect::new(at.0, at.1, size - 1.0, size - 1.0);
            let is_under = convolution.covers(place, (row, col));
            let copies = convolution.copies((row, col));
            let fill = match (is_under, shows) {
                (true, _) => Tone::Useful,
                (false, true) if 2 * copies > convolution.filter * convolution.filter => Tone::ATint,
                _ => Tone::Ground,
            };
            picture.shape(rect, Outline::Box(1), fill, Stroke::solid(Tone::A, 1.0));
            if shows && size >= 14.0 {
                let tone = if is_under { Tone::Ground } else { Tone::Ink };
                let text = display::number::grouped(copies);
                picture.text(rect.center(), text, (size * 0.5).min(TEXT), Anchor::Middle, tone);
            }
        }
    }
    if shows {
        let gemm = frame.plan.schedule().gemm();
        let text = drawing::copies(gemm.m() * gemm.k(), side * side);
        picture.text((room.center().0, room.y + room.h + 14.0), text, TEXT, Anchor::Middle, Tone::Ink);
    }
}

fn matrix(frame: &Frame<'_>, place: u64, room: &Rect, picture: &mut Picture) {
    let gemm = frame.plan.schedule().gemm();
    let (tall, wide) = (room.h / px(gemm.m()), (room.w / px(gemm.k())).min(24.0));
    picture.bold((room.x, room.y - 14.0), drawing::rows_of_a(place), TEXT, Anchor::Start, Tone::Ink);
    let whole = Rect::new(room.x, room.y, wide * px(gemm.k()), room.h);
    picture.shape(whole, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::A, 1.0));
    for col in 1..gemm.k() {
        let x = room.x + px(col) * wide;
        picture.line((x, room.y), (x, room.y + room.h), Stroke::solid(Tone::Ghost, 0.5));
    }
    if tall >= 3.0 {
        for row in 1..gemm.m() {
            let y = room.y + px(row) * tall;
            picture.line((whole.x, y), (whole.x + whole.w, y), Stroke::solid(Tone::Ghost, 0.5));
        }
    }
    let row = Rect::new(whole.x, room.y + px(place) * tall, whole.w, tall.max(2.0));
    picture.shape(row, Outline::Box(0), Tone::Useful, Stroke::solid(Tone::A, 1.0));
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_copies_of_all_pixels_are_the_numbers_of_a() {
        let one = Convolution::of_sizes(36, 9).expect("squares");
        assert_eq!((one.places, one.filter, one.side()), (6, 3, 8));
        let all = (0..8).flat_map(|row| (0..8).map(move |col| (row, col)));
        assert_eq!(all.clone().map(|pixel| one.copies(pixel)).sum::<u64>(), 36 * 9);
        // This counts place by place, without the formula.
        for pixel in all {
            let n = (0..36).filter(|&place| one.covers(place, pixel)).count() as u64;
            assert_eq!(one.copies(pixel), n, "{pixel:?}");
        }
        assert_eq!([one.copies((0, 0)), one.copies((0, 3)), one.copies((4, 4))], [1, 3, 9]);
    }

    #[test]
    fn sizes_without_a_picture_have_others_with_one() {
        let plan = |query: &str| Plan::new(&studio::Link::parse(query, "").scenario).expect("a run");
        for query in ["m=6&k=4", "m=36&k=8", "m=65536&k=4"] {
            let sizes = sizes_with_picture(&plan(query)).expect("no picture");
            let text = sizes.map(|(field, value)| format!("{}={}", field.id(), value)).join("&");
            assert_eq!(sizes_with_picture(&plan(&text)), None, "{query}: {text}");
        }
        assert_eq!(sizes_with_picture(&plan("m=64&k=16")), None);
    }

    #[test]
    fn sizes_that_are_no_squares_are_no_picture() {
        assert_eq!(Convolution::of_sizes(6, 4), None);
        assert_eq!(Convolution::of_sizes(12_544, 49).map(Convolution::side), Some(118));
    }
}
