//! The accumulators outside the array: they count what arrives and add the folds of one result together.

use crate::{Axis, Fold, Lane, Operand, Schedule};

/// C, gathered fold by fold.
#[derive(Clone, Debug)]
pub(super) struct Collector<L: Lane> {
    lane: L,
    schedule: Schedule,
    fold: Fold,
    /// How many results have left each column in this fold.
    arrived: Vec<u64>,
    result: Vec<L::Sum>,
}

impl<L: Lane> Collector<L> {
    pub(super) fn new(lane: L, schedule: &Schedule) -> Self {
        let gemm = schedule.gemm();
        let elements = usize::try_from(gemm.m() * gemm.n()).unwrap_or(usize::MAX);
        Self {
            lane,
            schedule: *schedule,
            fold: schedule.fold(0),
            arrived: vec![0; schedule.array().cols() as usize],
            result: vec![L::Sum::default(); elements],
        }
    }

    pub(super) fn begin_fold(&mut self, fold: &Fold) {
        self.fold = *fold;
        self.arrived.fill(0);
    }

    pub(super) fn result(&self) -> &[L::Sum] {
        &self.result
    }

    /// WS, IS: the next result of a column.
    pub(super) fn take_streamed(&mut self, col: usize, sum: L::Sum) {
        let time = self.arrived[col];
        self.arrived[col] += 1;
        self.take(0, col as u64, time, sum);
    }

    /// OS: the result of a PE.
    pub(super) fn take_in_place(&mut self, row: usize, col: usize, sum: L::Sum) {
        self.take(row as u64, col as u64, 0, sum);
    }

    fn take(&mut self, row: u64, col: u64, time: u64, sum: L::Sum) {
        let mapping = self.schedule.mapping();
        let (m, n) = mapping.mkn(self.fold.row_origin + row, self.fold.col_origin + col, time).of(Operand::C);
        let gemm = self.schedule.gemm();
        if m >= gemm.m() || n >= gemm.n() {
            return;
        }
        let Ok(index) = usize::try_from(m * gemm.n() + n) else { return };
        let first = mapping.rows != Axis::K || self.fold.row_fold == 0;
        self.result[index] = if first { sum } else { self.lane.add(self.result[index], sum) };
    }
}
