//! How the sums of an output-stationary fold leave through the south edge.
//!
//! Without overlap the PEs' own sums shift south when the fold is done, all columns at once. Double-buffered, a PE sets
//! its sum aside one cycle after the last add, column by column as the wave goes, and the sums set aside shift south
//! once the last row of the column has its own.

use crate::{Cycle, Fold, Overlap, PeId, Schedule};

/// The sums of a column that shift south.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Draining {
    /// The fold that they are results of.
    pub(crate) fold: Fold,
    /// Shifts so far.
    pub(crate) shifts: u64,
}

impl Schedule {
    /// Whether the PEs' own sums shift out at the end of a fold.
    pub(crate) fn shifts_sums(&self) -> bool {
        self.timing().drain > 0 && self.design().overlap == Overlap::None
    }

    /// Whether sums are set aside while the next fold runs.
    pub(crate) fn sets_sums_aside(&self) -> bool {
        self.timing().drain > 0 && self.design().overlap == Overlap::DoubleBuffered
    }

    /// Shifts of the PEs' own sums in the fold that a cycle belongs to.
    pub(crate) fn shifts(&self, cycle: Cycle) -> u64 {
        if !self.shifts_sums() {
            return 0;
        }
        let timing = self.timing();
        let elapsed = (self.locate(cycle).since.0 + 1).saturating_sub(timing.fold - timing.drain);
        timing.drain_pace.delivered(elapsed, self.array().rows().into())
    }

    /// The sums set aside in a column, as the register of one row sees them.
    pub(crate) fn draining(&self, cycle: Cycle, pe: PeId) -> Option<Draining> {
        if !self.sets_sums_aside() {
            return None;
        }
        let timing = self.timing();
        let at = self.wave_at(cycle, self.hops(pe) + timing.stream + timing.product_delay)?;
        // The last row's sum is set aside this much later than this row's.
        let behind = timing.row_hop * u64::from(self.array().rows() - 1 - pe.row);
        let shifts = timing.drain_pace.delivered(at.since.saturating_sub(behind), self.array().rows().into());
        Some(Draining { fold: self.fold(at.fold), shifts })
    }

    /// The row of C's block that leaves a column at a clock edge.
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
        // The fold may change at this very edge: the last sum of a fold leaves as the next fold's is set aside.
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
