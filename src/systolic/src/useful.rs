//! How much useful work one PE has done, by closed form.

use crate::{Cycle, FoldOrder, Macs, Overlap, PeId, Schedule};

impl Schedule {
    /// Multiply-accumulates of the problem that a PE has done up to and including a cycle; those on padding do not count.
    #[must_use]
    pub fn useful_of(&self, cycle: Cycle, pe: PeId) -> Macs {
        let Some(at) = self.wave_at(cycle, self.hops(pe)) else {
            // Without overlap the folds before this one are over, though its own stream has not come; with it no stream
            // has come at all.
            let over = match self.design().overlap {
                Overlap::None => self.locate(cycle).fold.index,
                Overlap::DoubleBuffered => 0,
            };
            return Macs(self.real_folds_of(over, pe) * self.real_stream_len());
        };
        let arrived = self.timing().pace.delivered(at.since + 1, self.stream_len()).min(self.real_stream_len());
        let is_real = self.fold(at.fold).real.contains(pe);
        let now = if is_real { arrived } else { 0 };
        Macs(self.real_folds_of(at.fold, pe) * self.real_stream_len() + now)
    }

    /// Of the first `folds` folds, those in which a PE is within the problem.
    fn real_folds_of(&self, folds: u64, pe: PeId) -> u64 {
        let (gemm, mapping, array) = (self.gemm(), self.mapping(), self.array());
        // Folds along one axis in which this row or column is within the problem: all but the last few.
        let within = |extent: u64, side: u32, place: u32| (extent.saturating_sub(place.into())).div_ceil(side.into());
        let rows = within(gemm.extent(mapping.rows), array.rows(), pe.row);
        let cols = within(gemm.extent(mapping.cols), array.cols(), pe.col);
        let (inner_all, inner, outer) = match self.design().order {
            FoldOrder::Rows => (self.row_folds(), rows, cols),
            FoldOrder::Cols => (self.col_folds(), cols, rows),
        };
        let (begun, rest) = (folds / inner_all, folds % inner_all);
        begun.min(outer) * inner + if begun < outer { rest.min(inner) } else { 0 }
    }
}
