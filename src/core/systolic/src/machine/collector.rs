//! Accumulators outside the array: they count the sums that arrive and add the partial sums of each result.

use crate::units::len_usize;
use crate::{Axis, Fold, Hold, Lane, Mkn, Operand, Schedule};

/// Accumulators that collect C fold by fold.
#[derive(Clone, Debug)]
pub(super) struct Collector<L: Lane> {
    lane: L,
    schedule: Schedule,
    /// Progress of each column in its folds (WS, IS).
    columns: Columns,
    /// Number of sums read in place from each PE (OS).
    n_read: Vec<u64>,
    /// Number of sums that have left each column through the south edge (OS).
    n_drained: Vec<u64>,
    /// The elements of C that are collected; empty if sums are only counted.
    ///
    /// For WS and IS, there is one plane for each fold along the columns. A plane keeps the skew: sums that leave the
    /// array at one clock edge are adjacent in memory. For OS, the elements are stored row by row.
    result: Vec<L::Sum>,
}

/// Counters of all columns, with one vector per kind of counter. One loop can therefore compare and count many columns
/// at once.
#[derive(Clone, Debug)]
struct Columns {
    fold: Vec<u64>,
    /// Number of sums of the current fold that have not arrived yet.
    n_left: Vec<u64>,
    /// Place of the next sum in the result.
    next: Vec<usize>,
    /// True if sums are added to the stored values.
    adds: Vec<bool>,
    stretch: UniformStretch,
}

/// A stretch of consecutive clock edges in which every column receives one sum per edge. The sums of one edge go to
/// adjacent places in memory. One counter counts the sums of a stretch for all columns.
#[derive(Clone, Copy, Debug, Default)]
struct UniformStretch {
    /// Number of sums per column that the columns' counters do not include yet.
    n_uncounted: usize,
    /// Number of later clock edges that certainly belong to the stretch.
    n_uniform: u64,
}

impl Columns {
    /// Counts `n_sums` sums for each of `n` columns from `col` on.
    fn advance(&mut self, col: usize, n: usize, n_sums: usize) {
        let step = self.next.len() * n_sums;
        self.next[col..col + n].iter_mut().for_each(|next| *next += step);
        self.n_left[col..col + n].iter_mut().for_each(|n_left| *n_left -= n_sums as u64);
    }

    /// Ends a uniform stretch and counts its sums for every column.
    fn catch_up(&mut self) {
        let UniformStretch { n_uncounted, .. } = core::mem::take(&mut self.stretch);
        if n_uncounted > 0 {
            self.advance(0, self.next.len(), n_uncounted);
        }
    }

    /// Number of columns from `col` on, at most `n`, whose next sums can be stored together: at adjacent places, and
    /// all stored or all added.
    fn n_beside(&self, col: usize, n: usize) -> usize {
        let (next, adds) = (&self.next[col..col + n], &self.adds[col..col + n]);
        let n_left = &self.n_left[col..col + n];
        let differs = |place: usize| {
            (next[place] ^ (next[0] + place)) | usize::from(adds[place] != adds[0]) | usize::from(n_left[place] == 0)
        };
        // The loop has no early exit, so that the compiler can compare several columns at a time.
        if (0..n).fold(0, |any, place| any | differs(place)) == 0 {
            return n;
        }
        (0..n).take_while(|&place| differs(place) == 0).count()
    }
}

impl<L: Lane> Collector<L> {
    pub(super) fn new(lane: L, schedule: &Schedule) -> Self {
        let (gemm, cols) = (schedule.gemm(), schedule.array().cols() as usize);
        let flows = schedule.dataflow().hold() == Hold::Operand;
        let elements = if flows { schedule.col_folds() * plane_len(schedule) as u64 } else { gemm.m() * gemm.n() };
        let counters = || vec![0; cols];
        let columns = Columns {
            fold: counters(),
            n_left: counters(),
            next: vec![0; cols],
            adds: vec![false; cols],
            stretch: UniformStretch::default(),
        };
        let mut collector = Self {
            lane,
            schedule: *schedule,
            columns,
            n_read: vec![0; len_usize(schedule.array().pes())],
            n_drained: counters(),
            result: vec![L::Sum::default(); len_usize(elements)],
        };
        (0..cols).for_each(|col| collector.turn_to(col, 0));
        collector
    }

    /// This collector without storage, if the machine does not need the sums: it counts sums and drops them.
    pub(super) fn counting(self) -> Self {
        let needs_sums = self.lane.continues() && self.schedule.folds_per_result() > 1;
        Self { result: if needs_sums { self.result } else { Vec::new() }, ..self }
    }

    /// Index of the fold whose sums a column collects, and the number of sums of that fold so far (WS, IS).
    pub(super) fn collected(&self, col: usize) -> (u64, u64) {
        let Columns { fold, n_left, stretch, .. } = &self.columns;
        (fold[col], self.schedule.stream_len() - n_left[col] + stretch.n_uncounted as u64)
    }

    /// C, row by row.
    pub(super) fn result(&self) -> Vec<L::Sum> {
        let (gemm, mapping, cols) = (self.schedule.gemm(), self.schedule.mapping(), self.schedule.array().cols());
        let mut c = Vec::with_capacity(len_usize(gemm.m() * gemm.n()));
        for m in 0..gemm.m() {
            for n in 0..gemm.n() {
                let place = match self.schedule.dataflow().hold() {
                    Hold::Result => len_usize(m * gemm.n() + n),
                    Hold::Operand => {
                        let mkn = Mkn { m, k: 0, n };
                        let (along, time) = (mkn.along(mapping.cols), len_usize(mkn.along(mapping.time)));
                        let (col_fold, col) = (len_usize(along / u64::from(cols)), len_usize(along % u64::from(cols)));
                        col_fold * plane_len(&self.schedule) + place(&self.schedule, time, col)
                    }
                };
                c.extend(self.result.get(place));
            }
        }
        c
    }

    /// Switches a column to the first fold, at index `from` or later, that uses the column (WS, IS).
    fn turn_to(&mut self, col: usize, from: u64) {
        let schedule = &self.schedule;
        let uses = |index: &u64| (col as u64) < u64::from(schedule.fold(*index).mapped.cols);
        let Some(index) = (from..schedule.folds()).find(uses) else { return };
        let fold = schedule.fold(index);
        self.columns.fold[col] = index;
        self.columns.n_left[col] = schedule.stream_len();
        self.columns.next[col] = len_usize(fold.col_fold) * plane_len(schedule) + place(schedule, 0, col);
        // A sum that went on from the fold before replaces the sum of that fold.
        self.columns.adds[col] = schedule.mapping().rows == Axis::K && fold.row_fold > 0 && !self.lane.continues();
    }

    /// The collected sum of a column of a fold, for an index along time (WS, IS).
    pub(super) fn sum(&self, fold: &Fold, time: u64, col: usize) -> L::Sum {
        let plane = len_usize(fold.col_fold) * plane_len(&self.schedule);
        self.result.get(plane + place(&self.schedule, len_usize(time), col)).copied().unwrap_or_default()
    }

    /// Collects the next sum of each of the `sums.len()` columns that start at `first_col` (WS, IS).
    pub(super) fn take_streamed(&mut self, first_col: usize, mut sums: &[L::Sum]) {
        let n_cols = self.columns.next.len();
        let UniformStretch { n_uncounted, n_uniform } = self.columns.stretch;
        if n_uniform > 0 && sums.len() == n_cols {
            self.columns.stretch = UniformStretch { n_uncounted: n_uncounted + 1, n_uniform: n_uniform - 1 };
            self.store(0, self.columns.next[0] + n_uncounted * n_cols, sums);
            return;
        }
        self.columns.catch_up();
        let mut col = first_col;
        while !sums.is_empty() {
            // A machine with a fault may give more sums than its folds have.
            if self.columns.n_left[col] == 0 {
                (col, sums) = (col + 1, &sums[1..]);
                continue;
            }
            // With overlap, sums of two folds may arrive at once, each for its own plane.
            let n = self.columns.n_beside(col, sums.len());
            let (now, later) = sums.split_at(n);
            self.store(col, self.columns.next[col], now);
            let n_least = self.count(col, n);
            if n == n_cols {
                self.columns.stretch.n_uniform = n_least.saturating_sub(1);
            }
            (col, sums) = (col + n, later);
        }
    }

    /// Stores or adds the sums of the columns from `col` on, at the places from `next` on.
    fn store(&mut self, col: usize, next: usize, sums: &[L::Sum]) {
        if self.result.is_empty() {
            return;
        }
        let places = &mut self.result[next..next + sums.len()];
        if self.columns.adds[col] {
            for (place, &sum) in places.iter_mut().zip(sums) {
                *place = self.lane.add(*place, sum);
            }
        } else {
            places.copy_from_slice(sums);
        }
    }

    /// Counts one sum for each of `n` columns from `col` on. Returns the smallest number of remaining sums among these
    /// columns.
    fn count(&mut self, col: usize, n: usize) -> u64 {
        self.columns.advance(col, n, 1);
        let n_least = self.columns.n_left[col..col + n].iter().fold(u64::MAX, |least, &n_left| least.min(n_left));
        if n_least == 0 {
            for done in (col..col + n).filter(|&col| self.columns.n_left[col] == 0).collect::<Vec<_>>() {
                self.turn_to(done, self.columns.fold[done] + 1);
            }
        }
        n_least
    }

    /// Collects a finished sum of a PE. The sum belongs to the first fold whose sum the PE has not delivered yet (OS).
    pub(super) fn take_in_place(&mut self, row: usize, col: usize, sum: Option<L::Sum>) {
        let n_read = &mut self.n_read[row * self.n_drained.len() + col];
        let index = *n_read;
        *n_read += 1;
        self.put(index, row as u64, col as u64, sum);
    }

    /// Collects the sum that a shift moves out of a column, the last row first (OS).
    pub(super) fn take_from_south(&mut self, col: usize, sum: Option<L::Sum>) {
        let rows = u64::from(self.schedule.array().rows());
        let n_drained = self.n_drained[col];
        self.n_drained[col] += 1;
        self.put(n_drained / rows, rows - 1 - n_drained % rows, col as u64, sum);
    }

    fn put(&mut self, index: u64, row: u64, col: u64, sum: Option<L::Sum>) {
        let Some(sum) = sum else { return };
        let fold = self.schedule.fold(index);
        let mapping = self.schedule.mapping();
        let (m, n) = mapping.mkn(fold.row_origin + row, fold.col_origin + col, 0).of(Operand::C);
        let gemm = self.schedule.gemm();
        if m < gemm.m()
            && n < gemm.n()
            && let Some(place) = self.result.get_mut(len_usize(m * gemm.n() + n))
        {
            *place = sum;
        }
    }
}

/// Number of elements in one plane. The plane has one row per clock edge, from the first sum of the first column to the
/// last sum of the last column.
fn plane_len(schedule: &Schedule) -> usize {
    let cols = u64::from(schedule.array().cols());
    len_usize((schedule.stream_len() + cols) * cols)
}

/// Index, in the plane, of a column's sum number `nth`. The row in the plane is the clock edge at which the sum
/// arrives.
fn place(schedule: &Schedule, nth: usize, col: usize) -> usize {
    (nth + col) * schedule.array().cols() as usize + col
}
