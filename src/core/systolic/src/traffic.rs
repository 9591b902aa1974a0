//! Elements that cross the edges of the array (SCALE-Sim: SRAM reads and writes), and memory traffic.
//!
//! One difference from SCALE-Sim is deliberate. For each output-stationary fold, SCALE-Sim 3.0.0 counts R + C
//! additional output writes that write nothing. This crate writes each result once.

use crate::{Axis, Elements, Schedule};

/// Level of the memory hierarchy at which elements move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Transfers through the ports of the array.
    Edge,
    /// Transfers between the array and on-chip memory, accumulators included.
    OnChip,
    /// Transfers between off-chip and on-chip memory. On-chip memory keeps all data that is used again, so each matrix
    /// crosses once.
    OffChip,
}

/// Traffic at one level of the memory hierarchy: numbers of elements read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryTraffic {
    /// Number of elements of A that are read.
    pub a_reads: Elements,
    /// Number of elements of B that are read.
    pub b_reads: Elements,
    /// Number of partial sums that are read back for another add.
    pub psum_reads: Elements,
    /// Number of written sums that are not yet results.
    pub psum_writes: Elements,
    /// Number of written results.
    pub c_writes: Elements,
}

crate::named! {
    Level {
        Edge => "edge",
        OnChip => "on-chip",
        OffChip => "off-chip",
    }
}

/// Numbers of elements that enter and leave the array in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeTraffic {
    /// Number of elements of A that enter.
    pub a_reads: Elements,
    /// Number of elements of B that enter.
    pub b_reads: Elements,
    /// Number of sums that leave. Each result leaves as one sum per fold along K.
    pub c_writes: Elements,
}

impl Schedule {
    /// Elements that cross the edges of the array, zeros of padding included.
    ///
    /// A is read again for every fold along N, and B for every fold along M. C is written once per fold along K.
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

    /// Elements moved at one level.
    ///
    /// A sum that leaves the array is partial until its last fold along K. The accumulators read the partial sum back
    /// and write it again for each further fold. Off-chip traffic counts only elements of the problem, without padding.
    ///
    /// ```
    /// use systolic::prelude::*;
    ///
    /// // Two folds along N read A twice.
    /// let schedule = Schedule::builder([8, 4, 8], [4, 4]).build()?;
    /// assert_eq!(schedule.memory_traffic(Level::Edge).a_reads.get(), 64);
    /// assert_eq!(schedule.memory_traffic(Level::OffChip).a_reads.get(), 32);
    /// # Ok::<(), RangeError>(())
    /// ```
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

    /// Mapping efficiency, as in SCALE-Sim: PEs with elements of the problem ÷ all PEs, as a mean over the folds.
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
