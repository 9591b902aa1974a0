//! Which terms the sum in a PE has gathered.

use crate::units::len_usize;
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

/// What the sums of all PEs have in common that are as many hops from the corner.
#[derive(Clone, Copy, Debug)]
struct Common {
    fold: Fold,
    /// The vector that is there (WS, IS), or the terms that have come (OS).
    wave_or_terms: u64,
}

/// The sums of a block of PEs at one clock edge.
pub(crate) struct PartialSums<'a> {
    schedule: &'a Schedule,
    of: SumOf,
    cycle: Cycle,
    /// Hops of the first PE of the block.
    hops_min: u64,
    /// By further hops; none where sums have left the PEs that made them.
    common: Option<Vec<Option<Common>>>,
}

impl PartialSums<'_> {
    /// The sum of a PE of the block.
    pub(crate) fn at(&self, pe: PeId) -> Option<PartialSum> {
        match (&self.common, self.of) {
            (Some(common), _) => {
                let place = len_usize(self.schedule.hops(pe) - self.hops_min);
                self.schedule.sum_of(common.get(place)?.as_ref()?, pe)
            }
            (None, SumOf::Register) => self.schedule.partial_sum(self.cycle, pe),
            (None, SumOf::Drained) => self.schedule.drained_partial_sum(self.cycle, pe),
        }
    }
}

impl Schedule {
    /// The sums of the PEs from one to another, row by row and column by column.
    pub(crate) fn partial_sums(&self, of: SumOf, cycle: Cycle, (first, last): (PeId, PeId)) -> PartialSums<'_> {
        let is_shifted = self.dataflow().hold() == Hold::Result && self.shifts(cycle) > 0;
        let (hops_min, hops_max) = (self.hops(first), self.hops(last));
        let common = (of == SumOf::Register && !is_shifted)
            .then(|| (hops_min..=hops_max).map(|hops| self.common(cycle, hops)).collect());
        PartialSums { schedule: self, of, cycle, hops_min, common }
    }

    fn common(&self, cycle: Cycle, hops: u64) -> Option<Common> {
        let delay = hops + self.timing().product_delay;
        match self.dataflow().hold() {
            Hold::Operand => {
                let (fold, wave_or_terms) = self.vector_at(cycle, delay)?;
                Some(Common { fold, wave_or_terms })
            }
            Hold::Result => {
                let at = self.wave_at(cycle, delay)?;
                if self.sets_sums_aside() && at.since >= self.timing().stream {
                    return None;
                }
                let wave_or_terms = self.timing().pace.delivered(at.since + 1, self.stream_len());
                (wave_or_terms > 0).then(|| Common { fold: self.fold(at.fold), wave_or_terms })
            }
        }
    }

    fn sum_of(&self, common: &Common, pe: PeId) -> Option<PartialSum> {
        let fold = common.fold;
        match self.dataflow().hold() {
            Hold::Operand => {
                let terms_max = u64::from(fold.mapped.rows);
                let first = self.mkn(&fold, PeId { row: 0, col: pe.col }, common.wave_or_terms)?;
                Some(PartialSum { fold, first, terms: u64::from(pe.row + 1).min(terms_max), terms_max })
            }
            Hold::Result => {
                let first = self.mkn(&fold, pe, 0)?;
                Some(PartialSum { fold, first, terms: common.wave_or_terms, terms_max: self.stream_len() })
            }
        }
    }

    /// The sum of a PE: down the rows of one column (WS, IS), or along the stream of one PE (OS).
    pub(crate) fn partial_sum(&self, cycle: Cycle, pe: PeId) -> Option<PartialSum> {
        let shifts = if self.dataflow().hold() == Hold::Result { self.shifts(cycle) } else { 0 };
        if shifts > 0 {
            return self.shifted(&self.locate(cycle).fold, pe, shifts);
        }
        self.partial_sum_made(cycle, pe)
    }

    /// The sum that this PE made, though it may have been shifted south since.
    pub(crate) fn partial_sum_made(&self, cycle: Cycle, pe: PeId) -> Option<PartialSum> {
        self.sum_of(&self.common(cycle, self.hops(pe))?, pe)
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
