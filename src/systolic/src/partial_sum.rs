//! Which terms the sum in a PE has gathered.

use crate::{Cycle, Fold, Hold, Mkn, PeId, Schedule, SumOf};

/// The terms of a sum: k ascends from that of the first multiply-accumulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartialSum {
    /// The fold.
    pub(crate) fold: Fold,
    /// The first multiply-accumulate.
    pub(crate) first: Mkn,
    /// Terms gathered so far.
    pub(crate) terms: u64,
    /// Terms that the sum will have when the fold is done with it.
    pub(crate) terms_max: u64,
}

impl Schedule {
    /// The sum of a PE: down the rows of one column (WS, IS), or along the stream of one PE (OS).
    pub(crate) fn partial_sum(&self, cycle: Cycle, pe: PeId) -> Option<PartialSum> {
        match self.dataflow().hold() {
            Hold::Operand => {
                let (fold, wave) = self.vector_at(cycle, self.hops(pe) + self.timing().product_delay)?;
                let terms_max = u64::from(fold.mapped.rows);
                let first = self.mkn(&fold, PeId { row: 0, col: pe.col }, wave)?;
                Some(PartialSum { fold, first, terms: u64::from(pe.row + 1).min(terms_max), terms_max })
            }
            Hold::Result => {
                let shifts = self.shifts(cycle);
                if shifts > 0 {
                    return self.shifted(&self.locate(cycle).fold, pe, shifts);
                }
                self.partial_sum_made(cycle, pe)
            }
        }
    }

    /// The sum that this PE made, though it may have been shifted south since.
    pub(crate) fn partial_sum_made(&self, cycle: Cycle, pe: PeId) -> Option<PartialSum> {
        match self.dataflow().hold() {
            Hold::Operand => self.partial_sum(cycle, pe),
            Hold::Result => {
                let delay = self.hops(pe) + self.timing().product_delay;
                let at = self.wave_at(cycle, delay)?;
                if self.sets_sums_aside() && at.since >= self.timing().stream {
                    return None;
                }
                let terms_max = self.stream_len();
                let terms = self.timing().pace.delivered(at.since + 1, terms_max);
                let fold = self.fold(at.fold);
                let first = self.mkn(&fold, pe, 0)?;
                (terms > 0).then_some(PartialSum { fold, first, terms, terms_max })
            }
        }
    }

    /// Row and column of the element of C that a PE's sum belongs to, in constant time.
    #[must_use]
    pub fn sum_place(&self, of: SumOf, cycle: Cycle, pe: PeId) -> Option<(u64, u64)> {
        let partial = match of {
            SumOf::Register => self.partial_sum(cycle, pe),
            SumOf::Drained => self.drained_partial_sum(cycle, pe),
        };
        partial.map(|partial| (partial.first.m, partial.first.n))
    }

    /// The sum of a PE that is set aside and shifts out.
    pub(crate) fn drained_partial_sum(&self, cycle: Cycle, pe: PeId) -> Option<PartialSum> {
        let draining = self.draining(cycle, pe)?;
        self.shifted(&draining.fold, pe, draining.shifts)
    }

    /// The finished sum that shifting south has brought to a PE.
    fn shifted(&self, fold: &Fold, pe: PeId, shifts: u64) -> Option<PartialSum> {
        let row = pe.row.checked_sub(u32::try_from(shifts).ok()?)?;
        let first = self.mkn(fold, PeId { row, ..pe }, 0)?;
        let terms = self.stream_len();
        Some(PartialSum { fold: *fold, first, terms, terms_max: terms })
    }
}
