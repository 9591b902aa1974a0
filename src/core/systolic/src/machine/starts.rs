//! Beginning of sums: sums begin from zero, from the matrix c, or from the sum of the fold before.

use core::ops::Range;

use super::collector::Collector;
use crate::{Axis, Fold, Hold, Lane, PeId, Schedule, Vectors};

/// Counters of the sums that have begun.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    schedule: Schedule,
    /// True if the sums of a later tile of k begin from the sums of the tile before.
    goes_on: bool,
    /// Progress of each column (WS, IS) or PE (OS).
    places: Vec<Progress>,
}

/// Progress in the folds that use a place.
#[derive(Clone, Copy, Debug)]
struct Progress {
    /// Fold in which the next sum begins; `None` after the last fold.
    fold: Option<Fold>,
    /// Number of sums of this fold that have begun.
    n_begun: u64,
}

impl Starts {
    /// Counters of a run; `None` if all sums begin from zero.
    pub(super) fn new<L: Lane>(schedule: &Schedule, vectors: &Vectors<L>) -> Option<Self> {
        let goes_on = schedule.folds_per_result() > 1 && vectors.lane().continues();
        let (rows, cols) = match schedule.dataflow().hold() {
            Hold::Operand => (1, schedule.array().cols()),
            Hold::Result => (schedule.array().rows(), schedule.array().cols()),
        };
        let pes = (0..rows).flat_map(|row| (0..cols).map(move |col| PeId { row, col }));
        let progress = |pe: PeId| Progress { fold: next_fold(schedule, 0, pe), n_begun: 0 };
        (goes_on || vectors.has_c()).then(|| Self { schedule: *schedule, goes_on, places: pes.map(progress).collect() })
    }

    /// Sets the sums that begin in some columns of the first row (WS, IS).
    pub(super) fn begin_at_top<L: Lane>(
        &mut self,
        cols: Range<usize>,
        collector: &Collector<L>,
        vectors: &Vectors<L>,
        sums: &mut [L::Sum],
    ) {
        let mapping = self.schedule.mapping();
        for col in cols {
            let Progress { fold: Some(fold), n_begun } = self.places[col] else { continue };
            if mapping.rows != Axis::K || fold.row_fold == 0 {
                sums[col] = vectors.start(mapping.mkn(0, fold.col_origin + col as u64, n_begun));
            } else if self.goes_on {
                sums[col] = collector.sum(&fold, n_begun, col);
            }
            self.places[col] = if n_begun + 1 < self.schedule.stream_len() {
                Progress { fold: Some(fold), n_begun: n_begun + 1 }
            } else {
                let pe = PeId { row: 0, col: u32::try_from(col).unwrap_or(u32::MAX) };
                Progress { fold: next_fold(&self.schedule, fold.index + 1, pe), n_begun: 0 }
            };
        }
    }

    /// Sets the sums that begin in some columns of a row (OS).
    pub(super) fn begin_in_place<L: Lane>(
        &mut self,
        row: usize,
        cols: Range<usize>,
        vectors: &Vectors<L>,
        sums: &mut [L::Sum],
    ) {
        let n_cols = self.schedule.array().cols() as usize;
        for col in cols {
            let place = row * n_cols + col;
            let Some(fold) = self.places[place].fold else { continue };
            let (row, along) = (row as u64, fold.col_origin + col as u64);
            sums[col] = vectors.start(self.schedule.mapping().mkn(fold.row_origin + row, along, 0));
            let narrow = |place: u64| u32::try_from(place).unwrap_or(u32::MAX);
            let pe = PeId { row: narrow(row), col: narrow(col as u64) };
            self.places[place].fold = next_fold(&self.schedule, fold.index + 1, pe);
        }
    }
}

/// First fold from index `from` on that uses a PE.
fn next_fold(schedule: &Schedule, from: u64, pe: PeId) -> Option<Fold> {
    (from..schedule.folds()).map(|index| schedule.fold(index)).find(|fold| fold.mapped.contains(pe))
}
