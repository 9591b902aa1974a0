//! Elements that cross the edges of the array: what SCALE-Sim calls SRAM reads and writes.
//!
//! One difference is deliberate: SCALE-Sim 3.0.0 adds R + C output writes per output-stationary fold that write nothing;
//! here each result is written once.

use crate::{Axis, Elements, Schedule};

/// Elements that enter and leave the array in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Elements of A that enter.
    pub a_reads: Elements,
    /// Elements of B that enter.
    pub b_reads: Elements,
    /// Sums that leave, one for each fold of a result.
    pub c_writes: Elements,
}

impl Schedule {
    /// What crosses the edges of the array, zeros of padding included.
    ///
    /// A matrix is read again for every fold along the one axis that it does not have; C is written once per fold
    /// along K.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        let (run, mapping) = (self.run(), self.mapping());
        let folds_along = |axis: Axis| {
            if mapping.rows == axis {
                self.row_folds()
            } else if mapping.cols == axis {
                self.col_folds()
            } else {
                1
            }
        };
        let count = |x: u64, y: u64, again: Axis| Elements(x.saturating_mul(y).saturating_mul(folds_along(again)));
        Traffic {
            a_reads: count(run.m(), run.k(), Axis::N),
            b_reads: count(run.k(), run.n(), Axis::M),
            c_writes: count(run.m(), run.n(), Axis::K),
        }
    }

    /// Mapped PEs ÷ PEs, as a mean over the folds: SCALE-Sim's mapping efficiency.
    #[must_use]
    pub fn mapping_efficiency(&self) -> f64 {
        let (gemm, mapping) = (self.gemm(), self.mapping());
        let share = |axis: Axis, folds: u64, side: u32| {
            Elements(gemm.extent(axis)).as_f64() / (Elements(folds).as_f64() * f64::from(side))
        };
        share(mapping.rows, self.row_folds(), self.array().rows())
            * share(mapping.cols, self.col_folds(), self.array().cols())
    }
}
