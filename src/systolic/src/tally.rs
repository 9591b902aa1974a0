//! Where the PE-cycles went: six slots whose sum is R · C · cycles, always.

use crate::{Block, Cycle, PeCycles, Schedule, Slot, lattice};

/// PE-cycles by slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Multiply-accumulates of the problem.
    pub useful: PeCycles,
    /// PEs outside the problem, and multiply-accumulates on padding.
    pub padding: PeCycles,
    /// Shifting the stationary operand in.
    pub load: PeCycles,
    /// Waiting for the wave.
    pub fill: PeCycles,
    /// After the wave, until the fold ends.
    pub drain: PeCycles,
    /// Clock gated for want of data.
    pub stall: PeCycles,
}

impl Tally {
    /// One slot.
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

    /// All PE-cycles.
    #[must_use]
    pub fn total(&self) -> PeCycles {
        Slot::ALL.into_iter().fold(PeCycles::ZERO, |sum, slot| sum + self.get(slot))
    }

    /// Useful PE-cycles ÷ all PE-cycles: the utilization of the array.
    #[must_use]
    pub fn utilization(&self) -> f64 {
        self.useful.as_f64() / self.total().as_f64().max(1.0)
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

/// Number of folds along one axis that share an extent of real PEs.
type Run = (u64, u32);

/// Full folds, the partial one and those of nothing but padding, among the first `n` folds along an axis.
#[expect(clippy::cast_possible_truncation, reason = "a remainder of a u32 side")]
fn runs(real: u64, side: u32, n: u64) -> [Run; 3] {
    let full = (real / u64::from(side)).min(n);
    let rest = (real % u64::from(side)) as u32;
    let partial = u64::from(rest > 0 && n > real / u64::from(side));
    [(full, side), (partial, rest), (n - full - partial, 0)]
}

impl Schedule {
    /// The accounts of the whole run.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally_of_folds(self.folds())
    }

    /// The accounts from the start up to and including a cycle.
    #[must_use]
    pub fn tally_until(&self, cycle: Cycle) -> Tally {
        let moment = self.locate(cycle);
        let mut tally = self.tally_of_folds(moment.fold.index);
        tally.add(&self.tally_of_part(moment.fold.real, moment.since.0 + 1), 1);
        tally
    }

    fn tally_of_folds(&self, folds: u64) -> Tally {
        let (gemm, array, mapping) = (self.gemm(), self.array(), self.mapping());
        let (real_rows, real_cols) = (gemm.extent(mapping.rows), gemm.extent(mapping.cols));
        let (whole_cols, more_rows) = (folds / self.row_folds(), folds % self.row_folds());
        let mut tally = Tally::default();
        let mut add = |row_runs: [Run; 3], col_runs: [Run; 3]| {
            for (n_rows, rows) in row_runs {
                for (n_cols, cols) in col_runs {
                    if n_rows * n_cols > 0 {
                        let fold = self.tally_of_part(Block { rows, cols }, self.cycles_per_fold().0);
                        tally.add(&fold, n_rows * n_cols);
                    }
                }
            }
        };
        add(runs(real_rows, array.rows(), self.row_folds()), runs(real_cols, array.cols(), whole_cols));
        if more_rows > 0 {
            let last = crate::fold::share(real_cols, array.cols(), whole_cols);
            add(runs(real_rows, array.rows(), more_rows), [(1, last), (0, 0), (0, 0)]);
        }
        tally
    }

    /// The first `elapsed` cycles of a fold whose real PEs are `real`.
    fn tally_of_part(&self, real: Block, elapsed: u64) -> Tally {
        let load_cycles = self.load_cycles().0;
        let loading = elapsed.min(load_cycles);
        let waves = lattice::signed(elapsed - loading);
        let since = |cut: u64| lattice::since_reached(real, waves - lattice::signed(cut));
        let reached = since(0);
        let useful = reached - since(self.real_stream_len());
        let on_padding = since(self.real_stream_len()) - since(self.stream_len());
        let drain = since(self.stream_len());
        let fill = real.pes() * (elapsed - loading) - reached;
        Tally {
            useful: PeCycles(useful),
            padding: PeCycles((self.array().pes() - real.pes()) * elapsed + on_padding),
            load: PeCycles(real.pes() * loading),
            fill: PeCycles(fill),
            drain: PeCycles(drain),
            stall: PeCycles::ZERO,
        }
    }
}
