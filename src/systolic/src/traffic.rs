//! Elements that cross the edges of the array: what SCALE-Sim calls SRAM reads and writes.
//!
//! One difference is deliberate: SCALE-Sim 3.0.0 adds R + C output writes per output-stationary fold that write nothing;
//! here each result is written once.

use crate::{Axis, Elements, Schedule};

/// Where elements are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Through the ports of the array.
    Edge,
    /// Between on-chip memory, the accumulators included, and the array.
    OnChip,
    /// Between memory outside the chip and on-chip memory that holds whatever is used again: each matrix crosses once.
    OffChip,
}

/// Elements moved at one level, by what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryTraffic {
    /// Elements of A read.
    pub a_reads: Elements,
    /// Elements of B read.
    pub b_reads: Elements,
    /// Partial sums read back, to be added to.
    pub psum_reads: Elements,
    /// Partial sums written that are not yet results.
    pub psum_writes: Elements,
    /// Results written.
    pub c_writes: Elements,
}

crate::named! {
    Level {
        Edge => "edge",
        OnChip => "on-chip",
        OffChip => "off-chip",
    }
}

/// Elements that enter and leave the array in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeTraffic {
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
    pub fn edge_traffic(&self) -> EdgeTraffic {
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
        EdgeTraffic {
            a_reads: count(run.m(), run.k(), Axis::N),
            b_reads: count(run.k(), run.n(), Axis::M),
            c_writes: count(run.m(), run.n(), Axis::K),
        }
    }

    /// What is moved at one level.
    ///
    /// A sum that leaves the array is a partial one until its last fold along K; the accumulators read it back and write
    /// it again for each further fold. Memory outside the chip sees the problem alone, without its padding.
    #[must_use]
    pub fn memory_traffic(&self, level: Level) -> MemoryTraffic {
        let (edge, gemm, run) = (self.edge_traffic(), self.gemm(), self.run());
        let results = Elements(run.m().saturating_mul(run.n()));
        let partial = edge.c_writes - results;
        let none = Elements::ZERO;
        match level {
            Level::Edge => MemoryTraffic {
                a_reads: edge.a_reads,
                b_reads: edge.b_reads,
                psum_reads: none,
                psum_writes: partial,
                c_writes: results,
            },
            Level::OnChip => MemoryTraffic {
                a_reads: edge.a_reads,
                b_reads: edge.b_reads,
                psum_reads: partial,
                psum_writes: partial,
                c_writes: results,
            },
            Level::OffChip => MemoryTraffic {
                a_reads: Elements(gemm.m().saturating_mul(gemm.k())),
                b_reads: Elements(gemm.k().saturating_mul(gemm.n())),
                psum_reads: none,
                psum_writes: none,
                c_writes: Elements(gemm.m().saturating_mul(gemm.n())),
            },
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
