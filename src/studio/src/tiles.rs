//! The three matrices as blocks: which tile each is at, how far the stream has come, and which folds are to come.
//!
//! A stands left of C and B above it, so that a row of A and a column of B meet at their element of C. Sides grow with
//! the square root of their lengths: a long one would leave nothing of a short one.

use crate::picture::{Anchor, Outline, Picture, Rect, Stroke, between};
use crate::{Plan, Tone, words};
use systolic::{Axis, Cycle, Fold, Operand, Passage, PeId};

/// Parts of an axis beyond which they are not drawn one by one.
const PARTS_MAX: u64 = 48;

#[expect(clippy::cast_possible_truncation, reason = "a share")]
fn share(part: u64, all: u64) -> f32 {
    (systolic::Elements(part).as_f64() / systolic::Elements(all.max(1)).as_f64()) as f32
}

/// Where the three matrices lie.
#[derive(Clone, Copy, Debug)]
struct Sheet {
    left: f32,
    top: f32,
    /// Lengths of M, K and N on the screen.
    m: f32,
    k: f32,
    n: f32,
}

const GAP: f32 = 16.0;

impl Sheet {
    fn new(plan: &Plan, width: f32, height: f32) -> Self {
        let run = plan.schedule().run();
        let root = |length: u64| share(length, 1).sqrt().max(1.0);
        let (m, k, n) = (root(run.m()), root(run.k()), root(run.n()));
        let room = (width - GAP - 12.0, height - GAP - 40.0);
        let scale = (room.0 / (k + n)).min(room.1 / (k + m)).max(1.0);
        // No side vanishes.
        let side = |length: f32| between(length * scale, 10.0, room.0.min(room.1).max(10.0));
        Self { left: 6.0, top: 20.0, m: side(m), k: side(k), n: side(n) }
    }

    fn of(&self, operand: Operand) -> Rect {
        let (right, below) = (self.left + self.k + GAP, self.top + self.k + GAP);
        match operand {
            Operand::A => Rect::new(self.left, below, self.k, self.m),
            Operand::B => Rect::new(right, self.top, self.n, self.k),
            Operand::C => Rect::new(right, below, self.n, self.m),
        }
    }
}

/// The axes of a matrix, down and across.
const fn axes(operand: Operand) -> (Axis, Axis) {
    match operand {
        Operand::A => (Axis::M, Axis::K),
        Operand::B => (Axis::K, Axis::N),
        Operand::C => (Axis::M, Axis::N),
    }
}

/// The fold that the corner PE is at, and how many vectors of its stream have come in.
#[must_use]
pub fn progress(plan: &Plan, cycle: Cycle) -> (Fold, u64) {
    let schedule = plan.schedule();
    let (fold, passage) = schedule.passage(cycle, schedule.hops(PeId::new(0, 0)));
    let came = match passage {
        Passage::Before => 0,
        Passage::At(wave) => wave + 1,
        Passage::Gap | Passage::Past => schedule.stream_len(),
    };
    (fold, came)
}

/// The part of an axis that a fold is at, as shares of its length.
fn part(plan: &Plan, fold: &Fold, came: u64, axis: Axis) -> (f32, f32) {
    let schedule = plan.schedule();
    let (mapping, all) = (schedule.mapping(), schedule.run().extent(axis));
    if axis == mapping.rows {
        (share(fold.row_origin, all), share(fold.row_origin + u64::from(fold.mapped.rows), all))
    } else if axis == mapping.cols {
        (share(fold.col_origin, all), share(fold.col_origin + u64::from(fold.mapped.cols), all))
    } else {
        (0.0, share(came, all))
    }
}

/// Draws the matrices into a picture of this size.
pub fn draw(plan: &Plan, cycle: Cycle, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    let schedule = plan.schedule();
    let sheet = Sheet::new(plan, width, height);
    let (fold, came) = progress(plan, cycle);
    let looks = [
        (Operand::A, Tone::A, Tone::ATint, "A"),
        (Operand::B, Tone::B, Tone::BTint, "B"),
        (Operand::C, Tone::C, Tone::CTint, "C"),
    ];
    for (operand, ink, tint, name) in looks {
        let rect = sheet.of(operand);
        let (down, across) = axes(operand);
        picture.shape(rect, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Quiet, 1.0));
        let (rows, cols) = (part(plan, &fold, came, down), part(plan, &fold, came, across));
        let tile = Rect::new(
            rect.x + cols.0 * rect.w,
            rect.y + rows.0 * rect.h,
            ((cols.1 - cols.0) * rect.w).max(0.0),
            ((rows.1 - rows.0) * rect.h).max(0.0),
        );
        if tile.w > 0.0 && tile.h > 0.0 {
            picture.shape(tile, Outline::Box(0), tint, Stroke::solid(ink, 2.0));
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
        let text = words::stage::matrix(name, schedule.run().extent(down), schedule.run().extent(across));
        picture.text((rect.x, rect.y - 8.0), text, 11.0, Anchor::Start, Tone::Quiet);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Mark;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&crate::Link::parse(query, "").scenario).expect("a run")
    }

    #[test]
    fn tiles_and_parts_lie_inside_their_matrices() {
        for query in [
            "rows=4&cols=4&m=6&k=9&n=7&df=ws",
            "rows=4&cols=4&m=6&k=9&n=7&df=os",
            "rows=4&cols=4&m=6&k=9&n=7&df=is&overlap=double-buffered",
            "rows=128&cols=128&m=65536&k=1&n=1&df=ws",
            "rows=1&cols=1&m=1&k=1&n=1&df=os",
        ] {
            let plan = plan(query);
            let last = plan.last().get();
            for cycle in (0..=last).step_by(usize::try_from(last / 50 + 1).expect("small")) {
                let mut picture = Picture::default();
                draw(&plan, Cycle(cycle), 320.0, 300.0, &mut picture);
                for mark in &picture.marks {
                    let Mark::Shape { rect, .. } = mark else { continue };
                    let inside = rect.x >= 0.0 && rect.y >= 0.0 && rect.x + rect.w <= 320.0 && rect.y + rect.h <= 300.0;
                    assert!(inside, "{query} {cycle}: {rect:?}");
                }
            }
        }
    }

    #[test]
    fn at_the_last_vector_of_a_fold_the_whole_stream_has_come() {
        let plan = plan("rows=4&cols=4&m=6&k=9&n=7&df=ws");
        let schedule = plan.schedule();
        for index in 0..schedule.folds() {
            let last =
                Cycle(schedule.fold_start(index).get() + schedule.load_cycles().get() + schedule.stream_len() - 1);
            let (fold, came) = progress(&plan, last);
            assert_eq!((fold.index, came), (index, 6));
            assert_eq!(progress(&plan, schedule.fold_start(index)).1, 0);
        }
    }
}
