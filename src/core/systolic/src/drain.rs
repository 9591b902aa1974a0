//! Shifting of output-stationary sums out of the array, through the south edge.
//!
//! Without overlap, the sum registers of all columns shift south at once, when the fold is done. With double buffering,
//! a PE copies its sum to the output buffer one cycle after its last add, so the copies follow the wave. The buffered
//! sums of a column shift south as soon as the last row has copied its sum.

use crate::{Cycle, Fold, Overlap, PeId, Schedule};

/// State of the sums that shift south in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Draining {
    /// Fold of the sums.
    pub(crate) fold: Fold,
    /// Number of shifts so far.
    pub(crate) shifts: u64,
}

impl Schedule {
    /// True if the sum registers shift south at the end of a fold.
    pub(crate) fn shifts_sums(&self) -> bool {
        self.timing().drain > 0 && self.design().overlap == Overlap::None
    }

    /// True if finished sums are buffered while the next fold runs.
    pub(crate) fn sets_sums_aside(&self) -> bool {
        self.timing().drain > 0 && self.design().overlap == Overlap::DoubleBuffered
    }

    /// Number of shifts of the sum registers since the current fold began, up to and including this cycle.
    pub(crate) fn shifts(&self, cycle: Cycle) -> u64 {
        if !self.shifts_sums() {
            return 0;
        }
        let timing = self.timing();
        let elapsed = (self.locate(cycle).since.0 + 1).saturating_sub(timing.fold - timing.drain);
        timing.drain_pace.delivered(elapsed, self.array().rows().into())
    }

    /// Fold of the buffered sums at a PE, and the number of shifts so far; `None` if sums are not buffered.
    pub(crate) fn draining(&self, cycle: Cycle, pe: PeId) -> Option<Draining> {
        if !self.sets_sums_aside() {
            return None;
        }
        let timing = self.timing();
        let at = self.wave_at(cycle, self.hops(pe) + timing.stream + timing.product_delay)?;
        // The last row copies its sum to the buffer this many cycles later than this row.
        let behind = timing.row_hop * u64::from(self.array().rows() - 1 - pe.row);
        let shifts = timing.drain_pace.delivered(at.since.saturating_sub(behind), self.array().rows().into());
        Some(Draining { fold: self.fold(at.fold), shifts })
    }

    /// Fold of the sum that leaves a column at a clock edge, and the row that computed the sum; `None` if no sum
    /// leaves.
    pub(crate) fn leaving(&self, cycle: Cycle, col: u32) -> Option<(Fold, u32)> {
        if self.timing().drain == 0 {
            return None;
        }
        let rows = self.array().rows();
        let bottom = PeId { row: rows - 1, col };
        let seen = |cycle: Cycle| match self.design().overlap {
            Overlap::None => Some(Draining { fold: self.locate(cycle).fold, shifts: self.shifts(cycle) }),
            Overlap::DoubleBuffered => self.draining(cycle, bottom),
        };
        // The fold may change at this edge: the last sum of a fold leaves while the first sum of the next fold is
        // buffered.
        let now = seen(cycle)?;
        let before = cycle.0.checked_sub(1).and_then(|cycle| seen(Cycle(cycle)));
        let (fold, shifts) = match before {
            Some(before) if before.fold != now.fold && before.shifts < u64::from(rows) => {
                (before.fold, before.shifts + 1)
            }
            Some(before) if before.fold == now.fold && before.shifts < now.shifts => (now.fold, now.shifts),
            _ => return None,
        };
        u32::try_from(u64::from(rows) - shifts).ok().map(|row| (fold, row))
    }
}
