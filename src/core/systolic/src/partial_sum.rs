//! Terms of the sum in a PE at a cycle.

use crate::units::len_usize;
use crate::{Block, Cycle, Fold, Hold, Mkn, PeId, Schedule, SumOf};

/// Terms of a partial sum. The index k ascends from the first multiply-accumulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartialSum {
    /// Fold of the sum.
    pub(crate) fold: Fold,
    /// First multiply-accumulate of the sum.
    pub(crate) first: Mkn,
    /// Number of terms so far.
    pub(crate) terms: u64,
    /// Number of terms at the end of the fold.
    pub(crate) terms_max: u64,
}

/// State that is common to the sums of all PEs at one distance from the corner.
#[derive(Clone, Copy, Debug)]
struct Common {
    fold: Fold,
    /// Index of the vector at these PEs (WS, IS), or number of terms that these sums have (OS).
    wave_or_terms: u64,
}

/// First multiply-accumulate of a sum, and the number of terms so far; 0 terms if the PE has no sum. All extents are
/// below 2^32, so 32 bits per index are enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gathered {
    /// m, k and n of the first multiply-accumulate.
    pub(crate) first: [u32; 3],
    pub(crate) terms: u32,
}

/// State of [`Common`] in a form from which a few additions give the terms of each sum. This form is fast enough for a
/// million PEs.
#[derive(Clone, Copy, Debug)]
struct Corner {
    /// First multiply-accumulate of the corner PE's sum.
    first: [u32; 3],
    mapped: Block,
    /// Maximum number of terms of a sum at this distance from the corner.
    terms: u32,
}

/// The sums of a block of PEs at one clock edge.
pub(crate) struct PartialSums<'a> {
    schedule: &'a Schedule,
    of: SumOf,
    cycle: Cycle,
    /// Hops from the corner to the first PE of the block.
    hops_min: u64,
    /// Common state of the sums at each number of hops, from `hops_min` on. `None` if sums may have left the PEs that
    /// computed them.
    corners: Option<Vec<Option<Corner>>>,
    /// Increments of `first` from one row to the next, and from one column to the next.
    steps: [[u32; 3]; 2],
    /// True if a sum gains a term in each row on its way south.
    grows_south: bool,
}

impl PartialSums<'_> {
    /// The sum of a PE of the block.
    #[inline]
    pub(crate) fn at(&self, pe: PeId) -> Gathered {
        let Some(corners) = &self.corners else { return self.shifted(pe).unwrap_or_default() };
        let place = len_usize(self.schedule.hops(pe) - self.hops_min);
        let Some(Some(corner)) = corners.get(place) else { return Gathered::default() };
        let (row, terms) = if self.grows_south { (0, corner.terms.min(pe.row + 1)) } else { (pe.row, corner.terms) };
        let [by_row, by_col] = self.steps;
        let first = core::array::from_fn(|axis| corner.first[axis] + row * by_row[axis] + pe.col * by_col[axis]);
        Gathered { first, terms: if corner.mapped.contains(PeId { row, ..pe }) { terms } else { 0 } }
    }

    /// Sum of a PE of the block, if sums may have left the PEs that computed them.
    #[cold]
    fn shifted(&self, pe: PeId) -> Option<Gathered> {
        let partial = match self.of {
            SumOf::Register => self.schedule.partial_sum(self.cycle, pe),
            SumOf::Drained => self.schedule.drained_partial_sum(self.cycle, pe),
        }?;
        Some(Gathered { first: narrow(partial.first), terms: narrow_one(partial.terms) })
    }
}

fn narrow(mkn: Mkn) -> [u32; 3] {
    [mkn.m, mkn.k, mkn.n].map(narrow_one)
}

#[expect(clippy::cast_possible_truncation, reason = "extents of a product are below 2^32")]
const fn narrow_one(value: u64) -> u32 {
    value as u32
}

impl Schedule {
    /// Sums of the block of PEs from the PE `first` to the PE `last`.
    pub(crate) fn partial_sums(&self, of: SumOf, cycle: Cycle, (first, last): (PeId, PeId)) -> PartialSums<'_> {
        let is_shifted = self.dataflow().hold() == Hold::Result && self.shifts(cycle) > 0;
        let (hops_min, hops_max) = (self.hops(first), self.hops(last));
        let corner = |hops| self.corner(&self.common(cycle, hops)?);
        let corners = (of == SumOf::Register && !is_shifted).then(|| (hops_min..=hops_max).map(corner).collect());
        let steps = [(1, 0), (0, 1)].map(|(row, col)| narrow(self.mapping().mkn(row, col, 0)));
        let grows_south = self.dataflow().hold() == Hold::Operand;
        PartialSums { schedule: self, of, cycle, hops_min, corners, steps, grows_south }
    }

    fn corner(&self, common: &Common) -> Option<Corner> {
        let partial = self.sum_of(common, PeId::default())?;
        let mapped = common.fold.mapped;
        let terms = match self.dataflow().hold() {
            Hold::Operand => mapped.rows,
            Hold::Result => narrow_one(partial.terms),
        };
        Some(Corner { first: narrow(partial.first), mapped, terms })
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

    /// Partial sum in the sum register of a PE. The terms are products that the PEs of one column compute (WS, IS), or
    /// that one PE computes from its stream (OS).
    pub(crate) fn partial_sum(&self, cycle: Cycle, pe: PeId) -> Option<PartialSum> {
        let shifts = if self.dataflow().hold() == Hold::Result { self.shifts(cycle) } else { 0 };
        if shifts > 0 {
            return self.shifted(&self.locate(cycle).fold, pe, shifts);
        }
        self.partial_sum_made(cycle, pe)
    }

    /// Partial sum that a PE computed, even if the sum has shifted south since.
    pub(crate) fn partial_sum_made(&self, cycle: Cycle, pe: PeId) -> Option<PartialSum> {
        self.sum_of(&self.common(cycle, self.hops(pe))?, pe)
    }

    /// Row and column of the element of C that a PE's sum belongs to. The call takes constant time.
    #[must_use]
    pub fn sum_place(&self, of: SumOf, cycle: Cycle, pe: PeId) -> Option<(u64, u64)> {
        let partial = match of {
            SumOf::Register => self.partial_sum(cycle, pe),
            SumOf::Drained => self.drained_partial_sum(cycle, pe),
        };
        partial.map(|partial| (partial.first.m, partial.first.n))
    }

    /// Finished sum in the output buffer of a PE.
    pub(crate) fn drained_partial_sum(&self, cycle: Cycle, pe: PeId) -> Option<PartialSum> {
        let draining = self.draining(cycle, pe)?;
        self.shifted(&draining.fold, pe, draining.shifts)
    }

    /// Finished sum that has reached a PE after `shifts` shifts to the south.
    fn shifted(&self, fold: &Fold, pe: PeId, shifts: u64) -> Option<PartialSum> {
        let row = pe.row.checked_sub(u32::try_from(shifts).ok()?)?;
        let first = self.mkn(fold, PeId { row, ..pe }, 0)?;
        let terms = self.stream_len();
        Some(PartialSum { fold: *fold, first, terms, terms_max: terms })
    }
}
