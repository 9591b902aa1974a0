//! Which cycles of a PE count for which fold.
//!
//! Without overlap every PE changes from one fold to the next at the same cycle. With it a PE changes when the wave of
//! the next fold comes: the first fold also has the cycles before its wave, the last one all that follow.

use crate::{Block, Cycle, Fold, Overlap, PeId, Schedule};

/// A fold in the array, up to a cycle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoldResidency {
    /// The fold.
    pub(crate) fold: Fold,
    /// Cycles since it began to load.
    pub(crate) elapsed: u64,
    /// Whether the cycles before its wave count for it.
    pub(crate) is_loaded_here: bool,
    /// Cycles from its wave to that of the next fold, where the next one takes its PEs over.
    pub(crate) period: Option<u64>,
}

impl FoldResidency {
    /// Cycles since the stream could have entered at the corner.
    pub(crate) fn streaming_after(&self, load: u64) -> i64 {
        crate::lattice::signed(self.elapsed) - crate::lattice::signed(load)
    }
}

impl Schedule {
    /// The array as a block.
    pub(crate) const fn whole_array(&self) -> Block {
        Block { rows: self.array().rows(), cols: self.array().cols() }
    }

    /// Cycles from the start of a fold's load to its start in a column.
    pub(crate) fn load_delay(&self, col: u64) -> u64 {
        match self.design().load() {
            crate::Load::Rows => 0,
            crate::Load::Diagonal => col,
        }
    }

    /// A fold in the array, up to and including a cycle.
    pub(crate) fn residency(&self, index: u64, cycle: Cycle) -> FoldResidency {
        let overlapped = self.design().overlap == Overlap::DoubleBuffered;
        FoldResidency {
            fold: self.fold(index),
            elapsed: cycle.0 + 1 - self.fold_start(index).0,
            is_loaded_here: !overlapped || index == 0,
            period: (overlapped && index + 1 < self.folds()).then_some(self.timing().period),
        }
    }

    /// The PE that the wave comes to last.
    pub(crate) const fn farthest(&self) -> PeId {
        PeId { row: self.array().rows() - 1, col: self.array().cols() - 1 }
    }

    /// Folds that have no PE any more at a cycle.
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

    /// The folds that have a PE at a cycle.
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
