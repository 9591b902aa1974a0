//! Points and lines of marks, shared by all painters.

use super::{Outline, Rect};

/// Returns the corners of an outline. The result is empty for a box and a pill.
#[must_use]
pub fn corners(outline: Outline, rect: &Rect) -> Vec<(f32, f32)> {
    let Rect { x, y, w, h } = *rect;
    // If the shape of an element of B has little height, its notch is flat. The notch then stays clear of the number
    // below it.
    let is_flat = outline == Outline::Notch && h < 16.0;
    let notch = (h * if is_flat { 0.16 } else { 0.22 }).min(6.0);
    match outline {
        Outline::Box(_) | Outline::Pill => Vec::new(),
        Outline::Notch => {
            let (middle, half) = (x + w / 2.0, notch);
            vec![
                (x, y),
                (middle - half, y),
                (middle, y + notch),
                (middle + half, y),
                (x + w, y),
                (x + w, y + h),
                (x, y + h),
            ]
        }
        Outline::Chevron => {
            let shoulder = y + h - notch;
            vec![(x, y), (x + w, y), (x + w, shoulder), (x + w / 2.0, y + h), (x, shoulder)]
        }
        Outline::Hexagon => {
            let inset = (h * 0.4).min(w / 3.0);
            let middle = y + h / 2.0;
            vec![
                (x + inset, y),
                (x + w - inset, y),
                (x + w, middle),
                (x + w - inset, y + h),
                (x + inset, y + h),
                (x, middle),
            ]
        }
    }
}

/// Returns the three corners of an arrowhead that ends at `to`.
#[must_use]
pub fn arrowhead(from: (f32, f32), to: (f32, f32)) -> [(f32, f32); 3] {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let size = length.min(9.0);
    let base = (to.0 - ux * size, to.1 - uy * size);
    let half = size * 0.55;
    [to, (base.0 - uy * half, base.1 + ux * half), (base.0 + uy * half, base.1 - ux * half)]
}

/// Lines of a hatch, 6 px apart, clipped to the rectangle.
pub fn hatch_lines(rect: &Rect, rising: bool) -> impl Iterator<Item = ((f32, f32), (f32, f32))> {
    let Rect { x, y, w, h } = *rect;
    let step = 8.5;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of lines on a screen")]
    let n_lines = ((w + h) / step) as u32;
    (1..=n_lines).map(move |line| {
        #[expect(clippy::cast_precision_loss, reason = "a number of lines on a screen")]
        let d = line as f32 * step;
        // The line is x + y = d in a rectangle at the origin, from the left or bottom edge to the top or right edge.
        let (low, high) = ((((d - h).max(0.0)), d.min(h)), (d.min(w), (d - w).max(0.0)));
        let place = |(px, py): (f32, f32)| (x + px, if rising { y + py } else { y + h - py });
        (place(low), place(high))
    })
}
