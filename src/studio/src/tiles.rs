//! The three matrices as blocks: what of A and B has come into the array, and what of C is complete.
//!
//! A stands left of C and B above it, so that a row of A and a column of B meet at their element of C. Small ones have
//! their numbers, those of C as they are complete; sides of others grow with the square root of their lengths: a long one
//! would leave nothing of a short one.

use crate::{Plan, value_text, words};
use display::Tone;
use display::picture::{Anchor, Outline, Picture, Rect, Stroke, between};
use systolic::{Axis, Cycle, Fold, Hold, Lane, Operand, Passage, PeId, Value, product, with_lane};

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
    /// Lengths of K and N across, of K and M down on the screen.
    across: [f32; 2],
    down: [f32; 2],
    /// Whether elements have room for numbers.
    has_numbers: bool,
}

const GAP: f32 = 16.0;
/// Text in an element, and the least element that holds one.
const TEXT: f32 = 11.0;
const LEAST: (f32, f32) = (25.0, 14.0);
/// The largest element with a number.
const MOST: (f32, f32) = (44.0, 24.0);

impl Sheet {
    fn new(plan: &Plan, width: f32, height: f32) -> Self {
        let run = plan.schedule().run();
        let room = (width - GAP - 12.0, height - GAP - 40.0);
        let (left, top) = (6.0, 20.0);
        let [m, k, n] = [run.m(), run.k(), run.n()].map(|length| share(length, 1));
        let element = ((room.0 / (k + n)).min(MOST.0), (room.1 / (k + m)).min(MOST.1));
        if element.0 >= LEAST.0 && element.1 >= LEAST.1 {
            let (across, down) = ([k, n].map(|side| side * element.0), [k, m].map(|side| side * element.1));
            return Self { left, top, across, down, has_numbers: true };
        }
        let [m, k, n] = [m, k, n].map(|length| length.sqrt().max(1.0));
        let scale = (room.0 / (k + n)).min(room.1 / (k + m)).max(1.0);
        // No side vanishes.
        let side = |length: f32| between(length * scale, 10.0, room.0.min(room.1).max(10.0));
        Self { left, top, across: [k, n].map(side), down: [k, m].map(side), has_numbers: false }
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

/// A part of a matrix that is in the array, or of C that is complete or has partial sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The matrix.
    pub operand: Operand,
    /// From this row to before that.
    pub rows: (u64, u64),
    /// From this column to before that.
    pub cols: (u64, u64),
    /// Whether the fold that runs works on it.
    pub is_current: bool,
    /// Whether sums over the rest of K are still to be added.
    pub is_partial: bool,
}

/// Folds whose blocks of C are told one by one.
const FOLDS_MAX: u64 = 4096;

/// Vectors of a fold's stream that have reached places so many cycles behind the corner.
fn reached(plan: &Plan, cycle: Cycle, index: u64, delay: u64) -> u64 {
    let schedule = plan.schedule();
    let (fold, passage) = schedule.passage(cycle, delay);
    match (fold.index.cmp(&index), passage) {
        (core::cmp::Ordering::Greater, _) => schedule.stream_len(),
        (core::cmp::Ordering::Less, _) | (_, Passage::Before) => 0,
        (_, Passage::At(wave)) => wave + 1,
        (_, Passage::Gap | Passage::Past) => schedule.stream_len(),
    }
}

/// What of A and B has come into the array wholly in the fold that runs, and what of C is complete in all folds.
#[must_use]
pub fn blocks(plan: &Plan, cycle: Cycle) -> Vec<Block> {
    let schedule = plan.schedule();
    let mapping = schedule.mapping();
    let (now, _) = progress(plan, cycle);
    // Of a fold: its rows and columns of the array as places on their axes, and so much of the stream.
    let block = |operand: Operand, fold: &Fold, from_row: u64, stream: u64, is_partial: bool| {
        let side = |axis: Axis| {
            if axis == mapping.rows {
                (fold.row_origin + from_row, fold.row_origin + u64::from(fold.mapped.rows))
            } else if axis == mapping.cols {
                (fold.col_origin, fold.col_origin + u64::from(fold.mapped.cols))
            } else {
                (0, stream)
            }
        };
        let (down, across) = axes(operand);
        let is_current = fold.index == now.index;
        Block { operand, rows: side(down), cols: side(across), is_current, is_partial }
    };
    let (last_row, last_col) = (now.mapped.rows.saturating_sub(1), now.mapped.cols.saturating_sub(1));
    let dataflow = schedule.dataflow();
    let from_west = reached(plan, cycle, now.index, schedule.hops(PeId::new(last_row, 0)));
    let mut all = vec![block(dataflow.from_west(), &now, 0, from_west, false)];
    if dataflow.hold() == Hold::Operand {
        // The last row comes in first, and rows that are padding before it.
        let loaded = schedule.rows_loaded(cycle, last_col).filter(|(fold, _)| fold.index == now.index);
        let (all_rows, mapped) = (u64::from(schedule.array().rows()), u64::from(now.mapped.rows));
        let loaded = loaded.map_or(mapped, |(_, rows)| (rows + mapped).saturating_sub(all_rows));
        all.push(block(dataflow.stationary(), &now, mapped - loaded, 0, false));
    } else {
        let from_north = reached(plan, cycle, now.index, schedule.hops(PeId::new(0, last_col)));
        all.push(block(Operand::B, &now, 0, from_north, false));
    }
    let per_result = schedule.folds_per_result();
    for index in 0..=now.index.min(FOLDS_MAX) {
        let fold = schedule.fold(index);
        let (rows, cols) = (fold.mapped.rows.saturating_sub(1), fold.mapped.cols.saturating_sub(1));
        // Sums run down to the last row of the array; those that stay are complete where they are.
        let flows = dataflow.hold() == Hold::Operand;
        let row = if flows { schedule.array().rows() - 1 } else { rows };
        let complete = reached(plan, cycle, index, schedule.hops(PeId::new(row, cols)));
        let stream = if flows { complete } else { schedule.stream_len() };
        if complete == 0 || (!flows && complete < schedule.stream_len()) {
            continue;
        }
        let is_last = per_result == 1 || fold.row_fold + 1 == schedule.row_folds();
        all.push(block(Operand::C, &fold, 0, stream, !is_last));
    }
    all
}

/// Draws the matrices into a picture of this size.
pub fn draw(plan: &Plan, cycle: Cycle, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    let schedule = plan.schedule();
    let sheet = Sheet::new(plan, width, height);
    let blocks = blocks(plan, cycle);
    let looks = [
        (Operand::A, Tone::A, Tone::ATint, "A"),
        (Operand::B, Tone::B, Tone::BTint, "B"),
        (Operand::C, Tone::C, Tone::CTint, "C"),
    ];
    for (operand, ink, tint, name) in looks {
        let rect = sheet.of(operand);
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
        let text = words::stage::matrix(name, schedule.run().extent(down), schedule.run().extent(across));
        picture.text((rect.x, rect.y - 8.0), text, TEXT, Anchor::Start, Tone::Quiet);
    }
    if sheet.has_numbers {
        draw_numbers(plan, &sheet, &blocks, picture);
    }
}

/// Every element of A and B, and those of C that are complete.
fn draw_numbers(plan: &Plan, sheet: &Sheet, blocks: &[Block], picture: &mut Picture) {
    let (schedule, prober, gemm) = (plan.schedule(), plan.prober(), plan.schedule().gemm());
    let unit = plan.unit();
    let results: Vec<Value> = with_lane!(unit, lane => {
        product(lane, schedule, plan.operands(), |_| {}).into_iter().map(|sum| lane.sum(sum)).collect()
    });
    let is_complete = |row: u64, col: u64| {
        let holds =
            |block: &&Block| (block.rows.0..block.rows.1).contains(&row) && (block.cols.0..block.cols.1).contains(&col);
        blocks.iter().filter(|block| block.operand == Operand::C && !block.is_partial).any(|block| holds(&block))
    };
    for (operand, rows, cols) in
        [(Operand::A, gemm.m(), gemm.k()), (Operand::B, gemm.k(), gemm.n()), (Operand::C, gemm.m(), gemm.n())]
    {
        let rect = sheet.of(operand);
        let (down, across) = axes(operand);
        let (w, h) = (rect.w / share(schedule.run().extent(across), 1), rect.h / share(schedule.run().extent(down), 1));
        for (index, (row, col)) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).enumerate() {
            let value = match operand {
                Operand::A | Operand::B => Some(prober.element(operand, row, col).value),
                Operand::C => results.get(index).copied().filter(|_| is_complete(row, col)),
            };
            let Some(value) = value else { continue };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few glyphs")]
            let text = value_text::fitting(value, ((w - 2.0) / (0.6 * TEXT)) as usize);
            let at = (rect.x + (share(col, 1) + 0.5) * w, rect.y + (share(row, 1) + 0.5) * h);
            picture.text(at, text, TEXT, Anchor::Middle, Tone::Ink);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use display::picture::Mark;
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
    fn small_matrices_have_their_numbers_and_c_those_that_are_complete() {
        let (query, fragment) = ("rows=2&cols=2&m=2&k=2&n=2&fill=custom", "a=1,2;3,4&b=5,6;7,8");
        let run = Plan::new(&crate::Link::parse(query, fragment).scenario).expect("a run");
        let texts = |cycle| {
            let mut picture = Picture::default();
            draw(&run, cycle, 320.0, 260.0, &mut picture);
            picture.texts().filter(|text| !text.contains('×')).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(texts(Cycle(0)), ["1", "2", "3", "4", "5", "6", "7", "8"]);
        // By hand: 1·5 + 2·7, 1·6 + 2·8, 3·5 + 4·7, 3·6 + 4·8.
        assert_eq!(texts(run.last())[8..], ["19", "22", "43", "50"]);
        let between = (0..run.last().get()).map(|cycle| texts(Cycle(cycle)).len()).collect::<Vec<_>>();
        assert!(between.is_sorted() && between.iter().any(|n| (9..12).contains(n)), "{between:?}");
        // Larger ones have none.
        let mut picture = Picture::default();
        draw(&plan("rows=8&cols=8&m=20&k=20&n=20"), Cycle(9), 320.0, 260.0, &mut picture);
        assert_eq!(picture.texts().count(), 3);
    }

    #[test]
    fn blocks_are_what_the_registers_have_held() {
        use std::collections::BTreeSet;
        for query in [
            "rows=4&cols=3&m=6&k=4&n=3&df=ws&dt=int8",
            "rows=4&cols=3&m=5&k=9&n=7&df=ws&dt=int8",
            "rows=3&cols=4&m=5&k=7&n=6&df=is&dt=int8",
            "rows=4&cols=3&m=6&k=5&n=7&df=os&dt=int8",
        ] {
            let plan = plan(query);
            let schedule = plan.schedule();
            let flows = schedule.dataflow().hold() == Hold::Operand;
            let mut results = BTreeSet::new();
            for cycle in (0..=plan.last().get()).map(Cycle) {
                for pe in schedule.array().iter() {
                    let probe = plan.prober().at(cycle, pe);
                    // A sum is complete in the last row of the array, or where it stays with all its terms.
                    let Some(sum) = probe.sum else { continue };
                    let done = if flows { pe.row + 1 == schedule.array().rows() } else { sum.terms == sum.terms_max };
                    let fold = schedule.fold_at(cycle, pe);
                    let last = schedule.folds_per_result() == 1 || fold.row_fold + 1 == schedule.row_folds();
                    if done && last && pe.col < fold.mapped.cols {
                        results.insert((sum.row, sum.col));
                    }
                }
                let mut told = BTreeSet::new();
                let complete = |block: &&Block| block.operand == Operand::C && !block.is_partial;
                let all = blocks(&plan, cycle);
                for block in all.iter().filter(complete) {
                    told.extend(
                        (block.rows.0..block.rows.1).flat_map(|i| (block.cols.0..block.cols.1).map(move |j| (i, j))),
                    );
                }
                // Whole rows or columns are told, so those that have begun to be complete are not told yet.
                assert!(told.is_subset(&results), "{query} cycle {cycle}: {told:?} of {results:?}");
                let side = u64::from(schedule.array().cols().max(schedule.array().rows()));
                let skewed = side * side;
                assert!(told.len() as u64 + skewed >= results.len() as u64, "{query} cycle {cycle}");
            }
            let gemm = schedule.gemm();
            assert_eq!(results.len() as u64, gemm.m() * gemm.n(), "{query}");
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
