//! PE-cycles of a run in six classes. The total of the classes is always R · C · cycles.

use crate::fold_residency::FoldResidency;
use crate::lattice::{Lattice, signed};
use crate::{Block, Cycle, FoldOrder, Hold, Overlap, PeCycles, Schedule, Slot};

/// PE-cycles by class ([`Slot`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// PE-cycles with multiply-accumulates that the problem needs.
    pub useful: PeCycles,
    /// PE-cycles of PEs that get no element of the problem, and PE-cycles with multiply-accumulates on padding.
    pub padding: PeCycles,
    /// PE-cycles in which PEs shift the stationary operand in, or wait for the stationary operand of the next fold.
    pub load: PeCycles,
    /// PE-cycles in which PEs wait for the wave.
    pub fill: PeCycles,
    /// PE-cycles after the wave, until the fold ends.
    pub drain: PeCycles,
    /// PE-cycles in which PEs stall, because the bandwidth of an edge is too low.
    pub stall: PeCycles,
}

impl Tally {
    /// PE-cycles of one class.
    #[must_use]
    pub const fn get(&self, slot: Slot) -> PeCycles {
        match slot {
            Slot::Useful => self.useful,
            Slot::Padding => self.padding,
            Slot::Load => self.load,
            Slot::Fill => self.fill,
            Slot::Drain => self.drain,
            Slot::Stall => self.stall,
        }
    }

    /// PE-cycles of all classes.
    #[must_use]
    pub fn total(&self) -> PeCycles {
        Slot::ALL.into_iter().fold(PeCycles::ZERO, |sum, slot| sum + self.get(slot))
    }

    /// Utilization of the array: useful PE-cycles ÷ all PE-cycles.
    #[must_use]
    pub fn utilization(&self) -> f64 {
        self.useful.as_f64() / self.total().as_f64().max(1.0)
    }

    fn minus(self, other: &Self) -> Self {
        let less = |slot: Slot| self.get(slot) - other.get(slot);
        Self {
            useful: less(Slot::Useful),
            padding: less(Slot::Padding),
            load: less(Slot::Load),
            fill: less(Slot::Fill),
            drain: less(Slot::Drain),
            stall: less(Slot::Stall),
        }
    }

    fn add(&mut self, other: &Self, times: u64) {
        let pairs = [
            (&mut self.useful, other.useful),
            (&mut self.padding, other.padding),
            (&mut self.load, other.load),
            (&mut self.fill, other.fill),
            (&mut self.drain, other.drain),
            (&mut self.stall, other.stall),
        ];
        for (sum, part) in pairs {
            sum.0 += part.0 * times;
        }
    }
}

/// Folds with equal extents along one axis: the number of folds, and the number of PEs per fold that get elements of
/// the problem.
type Run = (u64, u32);

/// Full folds, the partial fold and the folds that contain only padding, among the first `n` folds along an axis.
#[expect(clippy::cast_possible_truncation, reason = "a remainder of a u32 side")]
fn runs(real: u64, side: u32, n: u64) -> [Run; 3] {
    let full = (real / u64::from(side)).min(n);
    let rest = (real % u64::from(side)) as u32;
    let partial = u64::from(rest > 0 && n > real / u64::from(side));
    [(full, side), (partial, rest), (n - full - partial, 0)]
}

impl Schedule {
    /// PE-cycles of the whole run, by class.
    ///
    /// ```
    /// use systolic::prelude::*;
    ///
    /// let tally = Schedule::builder([6, 4, 3], [4, 4]).build()?.tally();
    /// assert_eq!((tally.useful.get(), tally.total().get()), (72, 256));
    /// assert_eq!(tally.utilization(), 0.281_25);
    /// # Ok::<(), RangeError>(())
    /// ```
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally_until(self.last_cycle())
    }

    /// PE-cycles from the start up to and including a cycle, by class.
    #[must_use]
    pub fn tally_until(&self, cycle: Cycle) -> Tally {
        let cycle = cycle.min(self.last_cycle());
        let gone = self.folds_gone(cycle);
        let mut tally = self.tally_of_gone(gone);
        for residency in self.residencies_at(cycle) {
            tally.add(&self.tally_of_residency(residency.fold.real, &residency), 1);
        }
        tally
    }

    /// PE-cycles of the first `n` folds, which have all left the array.
    fn tally_of_gone(&self, n: u64) -> Tally {
        let mut tally = Tally::default();
        if n == 0 {
            return tally;
        }
        // With this value of `elapsed`, a fold has left all PEs.
        let complete =
            FoldResidency { elapsed: self.timing().period + self.timing().fold, ..self.residency(0, Cycle(0)) };
        let complete = match self.design().overlap {
            Overlap::None => FoldResidency { elapsed: self.timing().fold, ..complete },
            Overlap::DoubleBuffered => {
                let first = self.fold(0).real;
                tally.add(&self.tally_of_residency(first, &complete), 1);
                let later = FoldResidency { is_loaded_here: false, ..complete };
                let again = self.tally_of_residency(first, &later);
                // The first fold is counted with the others below. Keep only its additional PE-cycles here.
                tally = tally.minus(&again);
                later
            }
        };
        let (gemm, array, mapping) = (self.gemm(), self.array(), self.mapping());
        let rows = (gemm.extent(mapping.rows), array.rows(), self.row_folds());
        let cols = (gemm.extent(mapping.cols), array.cols(), self.col_folds());
        let by_rows = self.design().order == FoldOrder::Rows;
        let (inner, outer) = if by_rows { (rows, cols) } else { (cols, rows) };
        let mut add = |inner_runs: [Run; 3], outer_runs: [Run; 3]| {
            for (n_inner, inner) in inner_runs {
                for (n_outer, outer) in outer_runs {
                    if n_inner * n_outer > 0 {
                        let (rows, cols) = if by_rows { (inner, outer) } else { (outer, inner) };
                        tally.add(&self.tally_of_residency(Block { rows, cols }, &complete), n_inner * n_outer);
                    }
                }
            }
        };
        let (whole, more) = (n / inner.2, n % inner.2);
        add(runs(inner.0, inner.1, inner.2), runs(outer.0, outer.1, whole));
        if more > 0 {
            let last = crate::fold::share(outer.0, outer.1, whole);
            add(runs(inner.0, inner.1, more), [(1, last), (0, 0), (0, 0)]);
        }
        tally
    }

    /// PE-cycles, so far, of a fold that is in the array. The PEs of `real` get elements of the problem.
    fn tally_of_residency(&self, real: Block, residency: &FoldResidency) -> Tally {
        let timing = self.timing();
        let elapsed = residency.streaming_after(timing.load);
        let lattice = |block| Lattice::new(block, timing.row_hop);
        let (block, whole) = (lattice(real), lattice(self.whole_array()));
        // PE-cycles that are at least `n` cycles after the stream could have reached their PE.
        let since = |lattice: Lattice, n: u64| lattice.since_reached(elapsed - signed(n));
        let here = |lattice: Lattice, pes: u64| {
            let came = if residency.is_loaded_here { pes * residency.elapsed } else { since(lattice, 0) };
            came - residency.period.map_or(0, |period| since(lattice, period))
        };
        let total = here(block, real.pes());
        let streamed = since(block, 0) - since(block, timing.stream);
        let useful = self.multiplied(block, elapsed, self.real_stream_len());
        let on_padding = self.multiplied(block, elapsed, self.stream_len()) - useful;
        let (mut load, mut starved, mut fill) = (0, streamed - useful - on_padding, 0);
        if residency.is_loaded_here {
            let (shifting, waiting) = self.columns_loaded(residency.elapsed, real.cols);
            load = u64::from(real.rows) * shifting;
            starved += u64::from(real.rows) * waiting;
            fill = real.pes() * residency.elapsed - since(block, 0) - u64::from(real.rows) * (shifting + waiting);
        }
        let mut drain = since(block, timing.stream);
        if let Some(period) = residency.period {
            let overdue = since(block, timing.period_unlimited.max(timing.stream)) - since(block, period);
            let gap = since(block, timing.stream) - since(block, period) - overdue;
            starved += overdue;
            (load, drain) = match self.dataflow().hold() {
                Hold::Operand => (load + gap, 0),
                Hold::Result => (load, gap),
            };
        }
        Tally {
            useful: PeCycles(useful),
            padding: PeCycles(here(whole, self.array().pes()) - total + on_padding),
            load: PeCycles(load),
            fill: PeCycles(fill),
            drain: PeCycles(drain),
            stall: PeCycles(starved),
        }
    }

    /// Totals over the first `cols` columns: cycles in which a row was shifted in, and cycles of waiting for a row.
    fn columns_loaded(&self, elapsed: u64, cols: u32) -> (u64, u64) {
        let (load, rows) = (self.timing().load, u64::from(self.array().rows()));
        if load == 0 {
            return (0, 0);
        }
        let part = |since: u64| {
            let shifting = self.timing().load_pace.delivered(since, rows);
            (shifting, since.min(load) - shifting)
        };
        if elapsed >= load + u64::from(cols) || self.load_delay(1) == 0 {
            let (shifting, waiting) = part(elapsed);
            return (shifting * u64::from(cols), waiting * u64::from(cols));
        }
        let parts = (0..u64::from(cols)).map(|col| part(elapsed.saturating_sub(self.load_delay(col))));
        parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }

    /// Number of multiply-accumulates that a block has done on the first `n` vectors of a stream. `elapsed` is the
    /// number of cycles since the earliest possible entry of the stream.
    fn multiplied(&self, lattice: Lattice, elapsed: i64, n: u64) -> u64 {
        let pace = self.timing().pace;
        if pace.is_full() {
            return lattice.since_reached(elapsed) - lattice.since_reached(elapsed - signed(n));
        }
        lattice.sum_by_distance(&|distance| pace.delivered((elapsed - signed(distance)).max(0).cast_unsigned(), n))
    }
}
