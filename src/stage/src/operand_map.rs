//! The three matrices as blocks: what of A and B has come into the array, and what of C is complete.
//!
//! A stands left of C and B above it, so that a row of A and a column of B meet at their element of C. Small matrices show
//! their numbers, C each number once it is complete. Sides of larger ones grow with the square root of their lengths, so
//! that a long side leaves room for a short one.

use display::Tone;
use display::picture::{Anchor, Outline, Picture, Rect, Stroke, between, px};
use studio::progress_blocks::{ProgressBlock, axes, progress_blocks};
use studio::{Plan, value_text, words};
use systolic::{Cycle, Lane, Operand, Value, dispatch_lane, product};

/// Parts of an axis beyond which they are not drawn one by one.
const PARTS_MAX: u64 = 48;

/// A part of a whole, from 0 to 1.
#[expect(clippy::cast_possible_truncation, reason = "a share")]
fn share(part: u64, all: u64) -> f32 {
    (systolic::Elements(part).as_f64() / systolic::Elements(all.max(1)).as_f64()) as f32
}

/// Where the three matrices lie.
#[derive(Clone, Copy, Debug)]
struct Layout {
    left: f32,
    top: f32,
    /// Lengths of K and N across, of K and M down on the screen.
    across: [f32; 2],
    down: [f32; 2],
    /// Whether elements have room for numbers.
    has_numbers: bool,
}

const GAP: f32 = 16.0;
/// Height of the text in an element, in px.
const TEXT: f32 = 11.0;
/// Width and height of the smallest element that holds a number.
const ELEMENT_MIN: (f32, f32) = (25.0, 14.0);
/// Width and height of the largest element with a number.
const ELEMENT_MAX: (f32, f32) = (44.0, 24.0);
/// The smallest side of a matrix.
const SIDE_MIN: f32 = 10.0;

impl Layout {
    fn new(plan: &Plan, width: f32, height: f32) -> Self {
        let run = plan.schedule().run();
        let room = (width - GAP - 12.0, height - GAP - 40.0);
        let (left, top) = (6.0, 20.0);
        let [m, k, n] = [run.m(), run.k(), run.n()].map(px);
        let element = ((room.0 / (k + n)).min(ELEMENT_MAX.0), (room.1 / (k + m)).min(ELEMENT_MAX.1));
        if element.0 >= ELEMENT_MIN.0 && element.1 >= ELEMENT_MIN.1 {
            let (across, down) = ([k, n].map(|side| side * element.0), [k, m].map(|side| side * element.1));
            return Self { left, top, across, down, has_numbers: true };
        }
        let [m, k, n] = [m, k, n].map(|length| length.sqrt().max(1.0));
        let scale = (room.0 / (k + n)).min(room.1 / (k + m));
        // No side vanishes, and none leaves another less than its room.
        let sides = |lengths: [f32; 2], room: f32| {
            let least = SIDE_MIN.min(room / 2.0).max(0.0);
            lengths.map(|length| between(length * scale, least, (room - least).max(least)))
        };
        Self { left, top, across: sides([k, n], room.0), down: sides([k, m], room.1), has_numbers: false }
    }

    /// Where the name of a matrix begins, in a picture of this width: above the matrix, and moved west where it would
    /// leave the picture. A name of `text` px that is wider than A stands below A, because the name of C is beside it.
    fn label(&self, operand: Operand, text: f32, width: f32) -> (f32, f32) {
        let rect = self.of(operand);
        let x = rect.x.min(width - text - 2.0).max(0.0);
        let is_below = operand == Operand::A && text > rect.w + GAP / 2.0;
        (x, if is_below { rect.y + rect.h + 10.0 } else { rect.y - 8.0 })
    }

    fn of(&self, operand: Operand) -> Rect {
        let ([k, n], [deep, m]) = (self.across, self.down);
        let (right, below) = (self.left + k + GAP, self.top + deep + GAP);
        match operand {
            Operand::A => Rect::new(self.left, below, k, m),
            Operand::B => Rect::new(right, self.top, n, deep),
            Operand::C => Rect::new(right, below, n, m),
        }
    }
}

/// Width of a text in px: a glyph of the monospaced face is 0.6 of its size.
fn text_width(text: &str) -> f32 {
    0.6 * TEXT * px(text.chars().count() as u64)
}

/// Draws the matrices into a picture of this size.
pub fn draw(plan: &Plan, cycle: Cycle, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    let schedule = plan.schedule();
    let layout = Layout::new(plan, width, height);
    let blocks = progress_blocks(plan, cycle);
    let looks = [
        (Operand::A, Tone::A, Tone::ATint, "A"),
        (Operand::B, Tone::B, Tone::BTint, "B"),
        (Operand::C, Tone::C, Tone::CTint, "C"),
    ];
    for (operand, ink, tint, name) in looks {
        let rect = layout.of(operand);
        let (down, across) = axes(operand);
        picture.shape(rect, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Quiet, 1.0));
        let lengths = (schedule.run().extent(down), schedule.run().extent(across));
        for block in blocks.iter().filter(|block| block.operand == operand) {
            let (top, bottom) = (share(block.rows.0, lengths.0), share(block.rows.1, lengths.0));
            let (left, right) = (share(block.cols.0, lengths.1), share(block.cols.1, lengths.1));
            let (w, h) = ((right - left) * rect.w, (bottom - top) * rect.h);
            if w <= 0.0 || h <= 0.0 {
                continue;
            }
            let place = Rect::new(rect.x + left * rect.w, rect.y + top * rect.h, w, h);
            let (tint, ink) = if block.is_partial { (Tone::SumTint, Tone::Sum) } else { (tint, ink) };
            let around = if block.is_current { 2.0 } else { 0.0 };
            picture.shape(place, Outline::Box(0), tint, Stroke::solid(ink, around));
        }
        for (axis, is_down) in [(down, true), (across, false)] {
            let side = if axis == schedule.mapping().rows { schedule.array().rows() } else { schedule.array().cols() };
            let length = schedule.run().extent(axis);
            let parts = length.div_ceil(side.into());
            if axis == schedule.mapping().time || parts > PARTS_MAX {
                continue;
            }
            for nth in 1..parts {
                let at = share(nth * u64::from(side), length);
                let (x, y) = (rect.x + at * rect.w, rect.y + at * rect.h);
                let (from, to) =
                    if is_down { ((rect.x, y), (rect.x + rect.w, y)) } else { ((x, rect.y), (x, rect.y + rect.h)) };
                picture.line(from, to, Stroke::solid(Tone::Faint, 1.0));
            }
        }
        let text = words::picture::matrix(name, schedule.run().extent(down), schedule.run().extent(across));
        let at = layout.label(operand, text_width(&text), width);
        picture.text(at, text, TEXT, Anchor::Start, Tone::Quiet);
    }
    if layout.has_numbers {
        draw_numbers(plan, &layout, &blocks, picture);
    }
}

/// Every element of A and B, and those of C that are complete.
fn draw_numbers(plan: &Plan, layout: &Layout, blocks: &[ProgressBlock], picture: &mut Picture) {
    let (schedule, prober, gemm) = (plan.schedule(), plan.prober(), plan.schedule().gemm());
    let unit = plan.unit();
    let results: Vec<Value> = dispatch_lane!(unit, lane => {
        product(lane, schedule, plan.operands(), |_| {}).into_iter().map(|sum| lane.sum(sum)).collect()
    });
    let is_complete = |row: u64, col: u64| {
        let holds = |block: &&ProgressBlock| {
            (block.rows.0..block.rows.1).contains(&row) && (block.cols.0..block.cols.1).contains(&col)
        };
        blocks.iter().filter(|block| block.operand == Operand::C && !block.is_partial).any(|block| holds(&block))
    };
    for (operand, rows, cols) in
        [(Operand::A, gemm.m(), gemm.k()), (Operand::B, gemm.k(), gemm.n()), (Operand::C, gemm.m(), gemm.n())]
    {
        let rect = layout.of(operand);
        let (down, across) = axes(operand);
        let (w, h) = (rect.w / px(schedule.run().extent(across)), rect.h / px(schedule.run().extent(down)));
        for (index, (row, col)) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).enumerate() {
            let value = match operand {
                Operand::A | Operand::B => Some(prober.element(operand, row, col).value),
                Operand::C => results.get(index).copied().filter(|_| is_complete(row, col)),
            };
            let Some(value) = value else { continue };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few glyphs")]
            let text = value_text::fitting(value, ((w - 2.0) / (0.6 * TEXT)) as usize);
            let at = (rect.x + (px(col) + 0.5) * w, rect.y + (px(row) + 0.5) * h);
            picture.text(at, text, TEXT, Anchor::Middle, Tone::Ink);
        }
    }
}

#[cfg(test)]
mod tests;
