//! Useful work that one PE has done, in closed form.

use crate::units::len_usize;
use crate::{Block, Cycle, FoldOrder, Macs, Overlap, PeId, Schedule};

/// State that is common to all PEs at one distance from the corner.
struct Reached {
    /// Number of finished passes over all folds of the inner axis. `rest` is the number of finished folds in the
    /// current pass.
    begun: u64,
    rest: u64,
    /// Multiply-accumulates of the problem so far in the current fold, for the PEs of the block `real`.
    now: u64,
    real: Block,
}

/// Numbers of row folds and of column folds in which a PE holds elements of the problem.
#[derive(Clone, Copy)]
struct Within {
    rows: u64,
    cols: u64,
}

impl Schedule {
    /// Number of multiply-accumulates that a PE has done up to and including a cycle, without multiply-accumulates on
    /// padding.
    #[must_use]
    pub fn useful_of(&self, cycle: Cycle, pe: PeId) -> Macs {
        let within = Within { rows: self.row_folds_of(pe.row), cols: self.col_folds_of(pe.col) };
        self.useful(&self.reached(cycle, self.hops(pe)), within, pe)
    }

    /// Calls `see` with [`useful_of`](Self::useful_of) for all PEs, row by row.
    pub fn each_useful(&self, cycle: Cycle, mut see: impl FnMut(Macs)) {
        let array = self.array();
        let farthest = self.hops(PeId::new(array.rows() - 1, array.cols() - 1));
        let reached: Vec<_> = (0..=farthest).map(|hops| self.reached(cycle, hops)).collect();
        let cols: Vec<_> = (0..array.cols()).map(|col| self.col_folds_of(col)).collect();
        for row in 0..array.rows() {
            let rows = self.row_folds_of(row);
            let reached = reached.iter().skip(len_usize(self.hops(PeId::new(row, 0))));
            for ((col, &cols), reached) in (0..).zip(&cols).zip(reached) {
                see(self.useful(reached, Within { rows, cols }, PeId::new(row, col)));
            }
        }
    }

    fn reached(&self, cycle: Cycle, hops: u64) -> Reached {
        let inner_all = match self.design().order {
            FoldOrder::Rows => self.row_folds(),
            FoldOrder::Cols => self.col_folds(),
        };
        let nobody = Block { rows: 0, cols: 0 };
        let (folds, now, real) = match self.wave_at(cycle, hops) {
            Some(at) => {
                let arrived = self.timing().pace.delivered(at.since + 1, self.stream_len());
                (at.fold, arrived.min(self.real_stream_len()), self.fold(at.fold).real)
            }
            // Without overlap, the earlier folds are over, but the stream of this fold has not arrived. With overlap,
            // no stream has arrived.
            None => match self.design().overlap {
                Overlap::None => (self.locate(cycle).fold.index, 0, nobody),
                Overlap::DoubleBuffered => (0, 0, nobody),
            },
        };
        Reached { begun: folds / inner_all, rest: folds % inner_all, now, real }
    }

    fn useful(&self, reached: &Reached, within: Within, pe: PeId) -> Macs {
        let (inner, outer) = match self.design().order {
            FoldOrder::Rows => (within.rows, within.cols),
            FoldOrder::Cols => (within.cols, within.rows),
        };
        let rest = if reached.begun < outer { reached.rest.min(inner) } else { 0 };
        let now = if reached.real.contains(pe) { reached.now } else { 0 };
        Macs((reached.begun.min(outer) * inner + rest) * self.real_stream_len() + now)
    }

    /// Number of row folds in which this row of PEs holds elements of the problem. Only the last row folds can lack an
    /// element for this row.
    fn row_folds_of(&self, row: u32) -> u64 {
        let extent = self.gemm().extent(self.mapping().rows);
        extent.saturating_sub(row.into()).div_ceil(self.array().rows().into())
    }

    /// Number of column folds in which this column of PEs holds elements of the problem.
    fn col_folds_of(&self, col: u32) -> u64 {
        let extent = self.gemm().extent(self.mapping().cols);
        extent.saturating_sub(col.into()).div_ceil(self.array().cols().into())
    }
}
