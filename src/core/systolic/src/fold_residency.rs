//! Assignment of PE-cycles to folds: the cycles of a PE that count for a fold.
//!
//! Without overlap, all PEs start the next fold in the same cycle. With overlap, a PE starts the next fold when the
//! wave of the next fold arrives. The cycles before the first wave count for the first fold, and all cycles after the
//! last wave count for the last fold.

use crate::{Block, Cycle, Fold, Overlap, PeId, Schedule};

/// State of a fold in the array at a cycle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoldResidency {
    /// Fold that is in the array.
    pub(crate) fold: Fold,
    /// Cycles since the fold began to load.
    pub(crate) elapsed: u64,
    /// True if the cycles before the arrival of the fold's wave count for this fold.
    pub(crate) is_loaded_here: bool,
    /// Cycles from the wave of this fold to the wave of the next fold; `None` if no overlapping fold follows.
    pub(crate) period: Option<u64>,
}

impl FoldResidency {
    /// Cycles since the stream could first enter at the corner PE, after `load` cycles of loading. The number is
    /// negative before that time.
    pub(crate) fn streaming_after(&self, load: u64) -> i64 {
        crate::lattice::signed(self.elapsed) - crate::lattice::signed(load)
    }
}

impl Schedule {
    /// Block of all PEs of the array.
    pub(crate) const fn whole_array(&self) -> Block {
        Block { rows: self.array().rows(), cols: self.array().cols() }
    }

    /// Cycles from the start of a fold's load to the cycle in which a column begins to load.
    pub(crate) fn load_delay(&self, col: u64) -> u64 {
        match self.design().load() {
            crate::Load::Rows => 0,
            crate::Load::Diagonal => col,
        }
    }

    /// State of fold number `index` at the end of a cycle.
    pub(crate) fn residency(&self, index: u64, cycle: Cycle) -> FoldResidency {
        let overlapped = self.design().overlap == Overlap::DoubleBuffered;
        FoldResidency {
            fold: self.fold(index),
            elapsed: cycle.0 + 1 - self.fold_start(index).0,
            is_loaded_here: !overlapped || index == 0,
            period: (overlapped && index + 1 < self.folds()).then_some(self.timing().period),
        }
    }

    /// Last PE that the wave reaches.
    pub(crate) const fn farthest(&self) -> PeId {
        PeId { row: self.array().rows() - 1, col: self.array().cols() - 1 }
    }

    /// Number of folds that have left all PEs at a cycle.
    pub(crate) fn folds_gone(&self, cycle: Cycle) -> u64 {
        let timing = self.timing();
        let last = self.folds() - 1;
        match self.design().overlap {
            Overlap::None => (cycle.0 / timing.period).min(last),
            Overlap::DoubleBuffered => {
                let of_farthest = cycle.0.checked_sub(timing.load + self.hops(self.farthest()));
                of_farthest.map_or(0, |cycles| cycles / timing.period).min(last)
            }
        }
    }

    /// Folds that occupy at least one PE at a cycle.
    pub(crate) fn residencies_at(&self, cycle: Cycle) -> impl Iterator<Item = FoldResidency> {
        let newest = match self.design().overlap {
            Overlap::None => self.folds_gone(cycle),
            Overlap::DoubleBuffered => {
                let streaming = cycle.0.checked_sub(self.timing().load);
                streaming.map_or(0, |cycles| cycles / self.timing().period).min(self.folds() - 1)
            }
        };
        (self.folds_gone(cycle)..=newest).map(move |index| self.residency(index, cycle))
    }
}
