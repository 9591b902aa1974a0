//! The accumulators outside the array: they count what arrives and add the folds of one result together.

use crate::{Axis, Lane, Operand, Schedule};

/// C, gathered fold by fold.
#[derive(Clone, Debug)]
pub(super) struct Collector<L: Lane> {
    lane: L,
    schedule: Schedule,
    /// WS, IS: what each column is at, and in which fold.
    columns: Vec<Column>,
    folds: Vec<u64>,
    /// OS: how many sums each PE has given, or how many have left each column in the south.
    given: Vec<u64>,
    left: Vec<u64>,
    /// WS, IS: by the axis on the columns, then by time, so that what leaves a column follows itself; OS: row by row.
    result: Vec<L::Sum>,
}

/// Where the sums of a column go: what is needed for each of them, and no more.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    /// Sums of the fold that are still to come, and how many of them belong to the problem.
    n_left: u64,
    n_real: u64,
    /// The place of the next one.
    next: usize,
    /// Whether they are added to what is there.
    adds: bool,
}

impl<L: Lane> Collector<L> {
    pub(super) fn new(lane: L, schedule: &Schedule) -> Self {
        let (gemm, array) = (schedule.gemm(), schedule.array());
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let mut collector = Self {
            lane,
            schedule: *schedule,
            columns: vec![Column::default(); array.cols() as usize],
            folds: vec![0; array.cols() as usize],
            given: vec![0; size(array.pes())],
            left: vec![0; array.cols() as usize],
            result: vec![L::Sum::default(); size(gemm.m() * gemm.n())],
        };
        for col in 0..collector.columns.len() {
            collector.turn_to(col, 0);
        }
        collector
    }

    /// C, row by row.
    pub(super) fn result(&self) -> Vec<L::Sum> {
        let (gemm, mapping) = (self.schedule.gemm(), self.schedule.mapping());
        let mut c = Vec::with_capacity(self.result.len());
        for m in 0..gemm.m() {
            for n in 0..gemm.n() {
                let index = if mapping.time == Axis::M { n * gemm.m() + m } else { m * gemm.n() + n };
                c.extend(usize::try_from(index).ok().and_then(|index| self.result.get(index)));
            }
        }
        c
    }

    /// WS, IS: turns a column to the first fold from a number on that uses it.
    fn turn_to(&mut self, col: usize, from: u64) {
        let schedule = &self.schedule;
        let uses = |index: &u64| (col as u64) < u64::from(schedule.fold(*index).mapped.cols);
        let Some(index) = (from..schedule.folds()).find(uses) else { return };
        let fold = schedule.fold(index);
        let mapping = schedule.mapping();
        let place = fold.col_origin + col as u64;
        let time = schedule.gemm().extent(mapping.time);
        let is_real = place < schedule.gemm().extent(mapping.cols);
        self.folds[col] = index;
        self.columns[col] = Column {
            n_left: schedule.stream_len(),
            n_real: if is_real { time } else { 0 },
            next: usize::try_from(place * time).unwrap_or(usize::MAX),
            adds: mapping.rows == Axis::K && fold.row_fold > 0,
        };
    }

    /// WS, IS: the next sums of some columns.
    pub(super) fn take_streamed(&mut self, first_col: usize, sums: &[L::Sum]) {
        for (col, &sum) in (first_col..).zip(sums) {
            let column = &mut self.columns[col];
            if column.n_real > 0 {
                let place = &mut self.result[column.next];
                *place = if column.adds { self.lane.add(*place, sum) } else { sum };
                column.next += 1;
                column.n_real -= 1;
            }
            column.n_left -= 1;
            if column.n_left == 0 {
                self.turn_to(col, self.folds[col] + 1);
            }
        }
    }

    /// OS: the finished sum of a PE, fold after fold.
    pub(super) fn take_in_place(&mut self, row: usize, col: usize, sum: Option<L::Sum>) {
        let given = &mut self.given[row * self.columns.len() + col];
        let index = *given;
        *given += 1;
        self.put(index, row as u64, col as u64, sum);
    }

    /// OS: what a shift brings out of a column, the last row first.
    pub(super) fn take_from_south(&mut self, col: usize, sum: Option<L::Sum>) {
        let rows = u64::from(self.schedule.array().rows());
        let left = self.left[col];
        self.left[col] += 1;
        self.put(left / rows, rows - 1 - left % rows, col as u64, sum);
    }

    fn put(&mut self, index: u64, row: u64, col: u64, sum: Option<L::Sum>) {
        let Some(sum) = sum else { return };
        let fold = self.schedule.fold(index);
        let mapping = self.schedule.mapping();
        let (m, n) = mapping.mkn(fold.row_origin + row, fold.col_origin + col, 0).of(Operand::C);
        let gemm = self.schedule.gemm();
        if m < gemm.m()
            && n < gemm.n()
            && let Ok(place) = usize::try_from(m * gemm.n() + n)
        {
            self.result[place] = sum;
        }
    }
}
