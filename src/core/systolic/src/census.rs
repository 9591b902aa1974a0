//! Number of PEs in each activity at a cycle, counted without visiting each PE.

use crate::fold_residency::FoldResidency;
use crate::lattice::{Lattice, signed};
use crate::{Cycle, Hold, Schedule};

/// Number of PEs in each activity at one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Number of PEs that are idle outside the problem.
    pub unmapped: u64,
    /// Number of PEs shifting the stationary operand in, or waiting for the stationary operand of the next fold.
    pub loading: u64,
    /// Number of PEs waiting for the wave.
    pub waiting: u64,
    /// Number of PEs multiplying elements of the problem.
    pub useful: u64,
    /// Number of PEs multiplying padding.
    pub on_padding: u64,
    /// Number of PEs that the wave has passed.
    pub done: u64,
    /// Number of PEs stalled, because the bandwidth of an edge is too low.
    pub stalled: u64,
}

impl Schedule {
    /// Number of PEs in each activity at a cycle. Each fold in the array is counted in closed form.
    ///
    /// ```
    /// use systolic::prelude::*;
    ///
    /// // Four cycles of loading, then the wave starts at the corner.
    /// let schedule = Schedule::builder([6, 4, 3], [4, 4]).build()?;
    /// let useful = |cycle| schedule.census(Cycle(cycle)).useful;
    /// assert_eq!([useful(3), useful(4), useful(5), useful(7)], [0, 1, 3, 9]);
    /// # Ok::<(), RangeError>(())
    /// ```
    #[must_use]
    pub fn census(&self, cycle: Cycle) -> Census {
        let cycle = cycle.min(self.last_cycle());
        let mut census = Census::default();
        for residency in self.residencies_at(cycle) {
            self.add_residency(&residency, &mut census);
        }
        census
    }

    fn add_residency(&self, residency: &FoldResidency, census: &mut Census) {
        let timing = self.timing();
        let fold = &residency.fold;
        let elapsed = residency.streaming_after(timing.load);
        let lattice = |block| Lattice::new(block, timing.row_hop);
        let (mapped, whole) = (lattice(fold.mapped), lattice(self.whole_array()));
        // PEs that the stream could have reached at least `n` cycles ago.
        let since = |lattice: Lattice, n: u64| lattice.reached(elapsed - signed(n));
        let here = |lattice: Lattice, pes: u64| {
            let came = if residency.is_loaded_here { pes } else { since(lattice, 0) };
            came - residency.period.map_or(0, |period| since(lattice, period))
        };
        census.unmapped += here(whole, self.array().pes()) - here(mapped, fold.mapped.pes());
        if residency.is_loaded_here {
            let (shifting, starved) = self.columns_loading(residency.elapsed, fold.mapped.cols);
            let rows = u64::from(fold.mapped.rows);
            census.loading += rows * shifting;
            census.stalled += rows * starved;
            census.waiting += fold.mapped.pes() - since(mapped, 0) - rows * (shifting + starved);
        }
        let useful = self.multiplying(lattice(fold.real), elapsed, self.real_stream_len());
        let busy = self.multiplying(mapped, elapsed, self.stream_len());
        census.useful += useful;
        census.on_padding += busy - useful;
        let passed = since(mapped, timing.stream);
        census.stalled += since(mapped, 0) - passed - busy;
        let Some(period) = residency.period else {
            census.done += passed;
            return;
        };
        let starved = since(mapped, timing.period_unlimited.max(timing.stream)) - since(mapped, period);
        let gap = passed - since(mapped, period) - starved;
        census.stalled += starved;
        match self.dataflow().hold() {
            Hold::Operand => census.loading += gap,
            Hold::Result => census.done += gap,
        }
    }

    /// Number of columns that load a row, and number of columns that wait for their next row, in the last of `elapsed`
    /// cycles. Only the first `cols` columns count.
    fn columns_loading(&self, elapsed: u64, cols: u32) -> (u64, u64) {
        let (mut shifting, mut starved) = (0, 0);
        for col in 0..u64::from(cols) {
            let since = (elapsed - 1).checked_sub(self.load_delay(col)).filter(|&since| since < self.timing().load);
            match since.map(|since| self.timing().load_pace.vector_at(since, self.array().rows().into())) {
                Some(Some(_)) => shifting += 1,
                Some(None) => starved += 1,
                None => {}
            }
        }
        (shifting, starved)
    }

    /// Number of PEs in a block that multiply one of the first `n` vectors of a stream, `elapsed` cycles after the
    /// stream could enter.
    fn multiplying(&self, lattice: Lattice, elapsed: i64, n: u64) -> u64 {
        let pace = self.timing().pace;
        if pace.is_full() {
            return lattice.reached(elapsed) - lattice.reached(elapsed - signed(n));
        }
        lattice.sum_by_distance(&|distance| {
            let since = u64::try_from(elapsed - 1 - signed(distance)).ok();
            u64::from(since.is_some_and(|since| pace.vector_at(since, n).is_some()))
        })
    }
}
