//! Sums of many PEs. Each call does a bounded amount of work and continues the sums of the call before.
//!
//! A sum of K terms costs K multiply-accumulates, and a picture of the array needs the sums of many PEs at once. The
//! sums of 64×64 PEs with 65 536 terms each cost 268 million multiply-accumulates. Each sum therefore keeps its
//! progress, and the next call continues from there, at the same or another clock edge. One clock edge later, most sums
//! are only one term longer.

mod blocks;
mod lines;

use core::ops::Range;

use self::blocks::first_sum;
use self::lines::{BLOCK, Lines};
use crate::lane::{Grouped, Narrow, Whole};
use crate::partial_sum::Gathered;
use crate::units::len_usize;
use crate::{Accumulator, Cycle, ExactSum, Lane, MacUnit, Operand, Operands, PeId, Schedule, Value};

/// Register of a PE whose sum is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumOf {
    /// Sum register.
    Register,
    /// Output buffer with the finished sum (OS, double-buffered and drained south).
    Drained,
}

/// State of a sum that is computed step by step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SumStatus {
    /// No sum in the PE.
    Nothing,
    /// Unfinished sum: some terms are still to be added.
    Underway,
    /// Finished sum: its value at the clock edge.
    Sum(Value),
}

/// The sums of a block of PEs of one run.
#[derive(Clone, Debug)]
pub struct CarriedSums {
    of: SumOf,
    rows: Range<u32>,
    cols: Range<u32>,
    /// Current clock edge; `None` before the first call of [`CarriedSums::go_to`].
    cycle: Option<Cycle>,
    /// Previous clock edge.
    before: Cycle,
    /// Rows that are not yet updated to the current clock edge: the northernmost rows.
    behind: Range<u32>,
    /// Progress of each sum, row by row.
    parts: Vec<Part>,
    /// Exact value of each sum, row by row; empty unless `is_exact`.
    exact: Vec<ExactSum>,
    is_exact: bool,
    /// Value of each sum before its open block, row by row; empty unless the PEs add blocks of products.
    before_block: Vec<f32>,
    /// Schedule of the run; `None` before the first call of [`CarriedSums::go_to`].
    schedule: Option<Schedule>,
    n_missing: u64,
}

/// Progress of one sum. Two values of `Part` with equal `first` belong to the same sum.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// m, k and n of the first product: all below 2^32.
    first: [u32; 3],
    /// Number of terms at the clock edge; 0 if the PE has no sum.
    terms: u32,
    /// Number of terms added so far.
    done: u32,
    sum: SumBits,
}

/// A partial sum in 32 bits, for any arithmetic: an f32 or an i32.
#[derive(Clone, Copy, Debug, Default)]
struct SumBits(u32);

impl SumBits {
    const fn value(self, accumulator: Accumulator) -> Value {
        match accumulator {
            Accumulator::Int32 => Value::Int(self.0.cast_signed()),
            _ => Value::Float(f32::from_bits(self.0)),
        }
    }
}

/// A sum type of 32 bits.
trait AsBits: Copy {
    fn from_bits(bits: u32) -> Self;
    fn bits(self) -> u32;
}

impl AsBits for f32 {
    fn from_bits(bits: u32) -> Self {
        Self::from_bits(bits)
    }
    fn bits(self) -> u32 {
        self.to_bits()
    }
}

impl AsBits for i32 {
    fn from_bits(bits: u32) -> Self {
        bits.cast_signed()
    }
    fn bits(self) -> u32 {
        self.cast_unsigned()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "extents of a product are below 2^32")]
const fn narrow(value: u64) -> u32 {
    value as u32
}

impl Part {
    fn of(Gathered { first, terms }: Gathered) -> Self {
        Self { first, terms, ..Self::default() }
    }

    /// Index k of the next term.
    const fn next_k(&self) -> u64 {
        self.first[1] as u64 + self.done as u64
    }

    /// Block of k that contains the next term.
    const fn next_block(&self) -> u64 {
        self.next_k() / BLOCK
    }

    const fn n_missing(&self) -> u64 {
        self.terms as u64 - self.done as u64
    }

    /// True if this sum can continue from `known`: `known` has the same first product, more added terms, and no term
    /// beyond the end of this sum.
    fn goes_on_from(&self, known: &Self) -> bool {
        (self.done + 1..=self.terms).contains(&known.done) && known.first == self.first
    }
}

/// Operands for the terms to add, with the budget and the work done so far.
struct Adding<'a, L: Lane> {
    lane: L,
    operands: &'a Operands,
    a: Lines<L::Operand>,
    b: Lines<L::Operand>,
    budget: u64,
    work: u64,
}

impl CarriedSums {
    /// Work of adding one term to an exact sum. One multiply-accumulate is 1 unit of work.
    pub const EXACT_WORK: u64 = 8;

    /// Work of updating one PE to another clock edge.
    pub const GOING_WORK: u64 = 4;

    /// The sums of a block of PEs, before the first clock edge.
    #[must_use]
    pub fn new(of: SumOf, rows: Range<u32>, cols: Range<u32>) -> Self {
        let n_pes = rows.len() * cols.len();
        let parts = vec![Part::default(); n_pes];
        let (cycle, before, behind) = (None, Cycle::default(), 0..0);
        let (exact, before_block) = (Vec::new(), Vec::new());
        let (is_exact, schedule, n_missing) = (false, None, 0);
        Self { of, rows, cols, cycle, before, behind, parts, exact, is_exact, before_block, schedule, n_missing }
    }

    /// These sums, each with its exact value, which is computed without rounding.
    #[must_use]
    pub fn with_exact(mut self) -> Self {
        self.exact = vec![ExactSum::default(); self.parts.len()];
        self.is_exact = true;
        self
    }

    /// Updates the sums to a clock edge, row by row, and stops early if `budget` is used up. Returns the work done.
    ///
    /// Each call updates at least one row. All calls must have the schedule of the same run. Only [`work`](Self::work)
    /// adds terms.
    pub fn go_to(&mut self, schedule: &Schedule, cycle: Cycle, budget: u64) -> u64 {
        if self.cycle != Some(cycle) {
            self.before = self.cycle.replace(cycle).unwrap_or(cycle);
            (self.behind, self.n_missing) = (self.rows.clone(), 0);
        }
        let of_row = self.cols.len() as u64 * Self::GOING_WORK;
        let n_rows = (budget / of_row.max(1)).max(1).min(self.behind.len() as u64);
        let rows = self.behind.end - narrow(n_rows)..self.behind.end;
        self.behind.end = rows.start;
        if !rows.is_empty() {
            self.go_on(schedule, cycle, rows);
        }
        n_rows * of_row
    }

    /// True if some rows are not yet updated to the clock edge. All sums are then [`SumStatus::Underway`].
    #[must_use]
    pub const fn is_going(&self) -> bool {
        self.behind.start < self.behind.end
    }

    fn go_on(&mut self, schedule: &Schedule, cycle: Cycle, rows: Range<u32>) {
        self.schedule = Some(*schedule);
        let south = len_usize(schedule.hops(PeId::new(1, 0)));
        let later = len_usize(cycle.0.saturating_sub(self.before.0));
        let n_cols = self.cols.len();
        // A sum comes from the same PE or from a PE farther north. Rows are visited from south to north, so that a row
        // farther north still has its old sums.
        let moved = [0, later, later / south];
        let moved = if south == 1 { &moved[..2] } else { &moved };
        let corner = PeId::new(rows.end - 1, self.cols.end.saturating_sub(1));
        let partials = schedule.partial_sums(self.of, cycle, (PeId::new(rows.start, self.cols.start), corner));
        let mut parts = Vec::with_capacity(n_cols);
        for row in rows.rev() {
            let nth = (row - self.rows.start) as usize;
            parts.clear();
            parts.extend(self.cols.clone().map(|col| Part::of(partials.at(PeId { row, col }))));
            if schedule.goes_on() {
                parts.iter_mut().for_each(|part| *part = part.with_folds_before(schedule));
            }
            for from in moved.iter().filter_map(|&rows| nth.checked_sub(rows)) {
                self.carry(&mut parts, from * n_cols, nth * n_cols);
            }
            self.n_missing += parts.iter().map(Part::n_missing).sum::<u64>();
            self.parts[nth * n_cols..][..n_cols].copy_from_slice(&parts);
            for (part, exact) in parts.iter().zip(self.exact.iter_mut().skip(nth * n_cols)) {
                if part.done == 0 {
                    *exact = ExactSum::default();
                }
            }
        }
    }

    /// Continues the sums in `parts` from stored sums with more added terms. `parts` is for the row at index `to`; the
    /// stored sums begin at index `from`.
    fn carry(&mut self, parts: &mut [Part], from: usize, to: usize) {
        let has_blocks = !self.before_block.is_empty();
        for (nth, (part, known)) in parts.iter_mut().zip(&self.parts[from..]).enumerate() {
            if part.goes_on_from(known) {
                (part.done, part.sum) = (known.done, known.sum);
                if self.is_exact && from != to {
                    self.exact[to + nth] = self.exact[from + nth].clone();
                }
                if has_blocks {
                    self.before_block[to + nth] = self.before_block[from + nth];
                }
            }
        }
    }

    /// Adds terms until no term is missing or `budget` is used up. Returns the work done.
    ///
    /// Adding a term is 1 unit of work, or 1 + [`EXACT_WORK`](Self::EXACT_WORK) with exact sums. Encoding an element is
    /// 1 unit. A call may exceed the budget by a few hundred units.
    pub fn work(&mut self, operands: &Operands, unit: MacUnit, budget: u64) -> u64 {
        if self.n_missing == 0 || self.is_going() {
            return 0;
        }
        match Grouped::new(unit) {
            Some(lane) => self.work_in_blocks(lane, operands, budget),
            None if unit.accumulator() == Accumulator::Int32 => self.work_in(Whole(unit), operands, budget),
            None => self.work_in(Narrow(unit), operands, budget),
        }
    }

    fn work_in<L: Lane<Sum: AsBits>>(&mut self, lane: L, operands: &Operands, budget: u64) -> u64 {
        let n_lines = self.rows.len() + self.cols.len();
        let mut adding = Adding { lane, operands, a: Lines::new(n_lines), b: Lines::new(n_lines), budget, work: 0 };
        let missing = self.parts.iter().filter(|part| part.n_missing() > 0);
        let Some(first) = missing.map(Part::next_block).min() else { return 0 };
        let mut pending = self.add_block(&mut adding, first, 0..self.parts.len());
        while let Some(places) = pending {
            let Some(block) = places.iter().map(|&index| self.parts[index].next_block()).min() else { break };
            pending = self.add_block(&mut adding, block, places.into_iter());
        }
        adding.work
    }

    /// Adds the terms of one block of k to the sums at `places`. Returns the places of the sums that need more terms;
    /// `None` if the budget is used up.
    fn add_block<L: Lane<Sum: AsBits>>(
        &mut self,
        adding: &mut Adding<'_, L>,
        block: u64,
        places: impl Iterator<Item = usize>,
    ) -> Option<Vec<usize>> {
        let cost = self.cost();
        let Adding { lane, operands, a: a_lines, b: b_lines, budget, work } = adding;
        let (mut pending, schedule) = (Vec::new(), self.schedule);
        let has_c = operands.c.is_some();
        for index in places {
            let part = &mut self.parts[index];
            if part.n_missing() == 0 {
                continue;
            }
            let from = part.next_k();
            if from / BLOCK == block {
                let left = budget.saturating_sub(*work) / cost;
                let n = part.n_missing().min((block + 1) * BLOCK - from).min(left);
                if n == 0 {
                    return None;
                }
                let [m, _, n_of_c] = part.first.map(u64::from);
                let a = a_lines.get(m, block, |k| lane.encode(operands.at(Operand::A, (m, k))), work);
                let b = b_lines.get(n_of_c, block, |k| lane.encode(operands.at(Operand::B, (k, n_of_c))), work);
                let (a, b) = (span(a, from, n), span(b, from, n));
                if has_c
                    && part.done == 0
                    && let Some(start) = first_sum(*lane, schedule.as_ref(), operands, part)
                {
                    part.sum = SumBits(start.bits());
                    if let Some(exact) = self.exact.get_mut(index) {
                        exact.add(lane.sum(start).as_f64());
                    }
                }
                let sum = a.iter().zip(b).fold(L::Sum::from_bits(part.sum.0), |sum, (&a, &b)| lane.mac(sum, a, b));
                part.sum = SumBits(sum.bits());
                if let Some(exact) = self.exact.get_mut(index) {
                    a.iter().zip(b).for_each(|(&a, &b)| exact.add_product(lane.operand(a), lane.operand(b)));
                }
                part.done += narrow(n);
                self.n_missing -= n;
                *work += n * cost;
            }
            if part.n_missing() > 0 {
                pending.push(index);
            }
        }
        Some(pending)
    }

    /// Work of the terms still to be added, in the units of [`work`](Self::work). While [`is_going`](Self::is_going) is
    /// true, only rows that are updated to the clock edge count.
    #[must_use]
    pub const fn missing(&self) -> u64 {
        self.n_missing * self.cost()
    }

    /// Work of one term.
    const fn cost(&self) -> u64 {
        if self.is_exact { 1 + Self::EXACT_WORK } else { 1 }
    }

    /// Rows and columns of the block of PEs.
    #[must_use]
    pub fn block(&self) -> (Range<u32>, Range<u32>) {
        (self.rows.clone(), self.cols.clone())
    }

    /// State of the sum of a PE; always [`SumStatus::Underway`] for a PE outside the block.
    #[must_use]
    pub fn sum(&self, pe: PeId, unit: MacUnit) -> SumStatus {
        match self.index(pe).map(|index| self.parts[index]) {
            _ if self.is_going() => SumStatus::Underway,
            Some(Part { terms: 0, .. }) => SumStatus::Nothing,
            Some(part) if part.done == part.terms => SumStatus::Sum(part.sum.value(unit.accumulator())),
            _ => SumStatus::Underway,
        }
    }

    /// Calls `see` with the absolute value of each PE's sum in the block, row by row. The value is `None` if the PE has
    /// no sum or the sum is unfinished.
    ///
    /// A picture of a million PEs needs all sums in every frame. This function therefore checks the format of the sums
    /// once, not for each PE.
    pub fn each_size(&self, unit: MacUnit, see: impl FnMut(Option<f64>)) {
        match unit.accumulator() {
            Accumulator::Int32 => self.each_bits(|sum| f64::from(sum.cast_signed().unsigned_abs()), see),
            _ => self.each_bits(|sum| f64::from(f32::from_bits(sum).abs()), see),
        }
    }

    fn each_bits(&self, size: impl Fn(u32) -> f64, mut see: impl FnMut(Option<f64>)) {
        let is_there = !self.is_going();
        for part in &self.parts {
            see((is_there && part.terms > 0 && part.done == part.terms).then(|| size(part.sum.0)));
        }
    }

    /// Error of a PE's sum against the exact sum, in units in the last place (ulp).
    ///
    /// Returns `None` if the PE has no sum, the sum is unfinished, [`with_exact`](Self::with_exact) was not called, or
    /// [`ExactSum::ulps_off`] returns `None`.
    #[must_use]
    pub fn ulps_off(&self, pe: PeId, unit: MacUnit) -> Option<f64> {
        let SumStatus::Sum(sum) = self.sum(pe, unit) else { return None };
        self.exact.get(self.index(pe)?)?.ulps_off(sum, unit)
    }

    fn index(&self, pe: PeId) -> Option<usize> {
        let is_inside = self.rows.contains(&pe.row) && self.cols.contains(&pe.col);
        is_inside.then(|| (pe.row - self.rows.start) as usize * self.cols.len() + (pe.col - self.cols.start) as usize)
    }
}

/// The `n` elements of an encoded block from index k = `from` on.
#[expect(clippy::cast_possible_truncation, reason = "at most the length of a block")]
fn span<T>(line: &[T], from: u64, n: u64) -> &[T] {
    let start = (from % BLOCK) as usize;
    &line[start..start + n as usize]
}
