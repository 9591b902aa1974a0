//! Sums of all PEs at once, in closed form and without the earlier cycles, optimized for speed.
//!
//! In a weight-stationary array, no two sums share a prefix, because the PEs are at different elements of the stream. A
//! full snapshot therefore costs C·R(R+1)/2 multiply-accumulates. An output-stationary snapshot with k terms per sum
//! costs R·C·k. The sums are computed in blocks that stay in CPU registers, and k ascends in each sum.

mod flowing;
mod in_place;
mod packed;
mod starts;

use self::packed::Packed;
use self::starts::Starts;
use crate::fold_residency::FoldResidency;
use crate::units::len_usize;
use crate::{Cycle, Hold, Lane, Overlap, PeId, Schedule, Vectors};

/// A run prepared for snapshots at any cycle, with its operands in the order in which snapshots read them.
///
/// ```
/// use systolic::prelude::*;
/// use systolic::{Replay, Vectors, lane::Int8};
///
/// let schedule = Schedule::builder([1, 2, 2], [2, 2]).build()?;
/// let (a, b) = (Matrix::listed(1, 2, [1.0, 2.0])?, Matrix::listed(2, 2, [3.0, 4.0, 5.0, 6.0])?);
/// let vectors = Vectors::new(Int8(Dtype::Int8), &schedule, &Operands::new(a, b));
/// let replay = Replay::new(&schedule, &vectors);
/// // The first product, 1·3, then the sum of column 0 one row below: 3 + 2·5.
/// let sums = replay.at(Cycle(2));
/// assert_eq!(sums.sum(PeId::new(0, 0)), Some(3));
/// assert_eq!(sums.advance(1).sum(PeId::new(1, 0)), Some(13));
/// # Ok::<(), RangeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay<'a, L: Lane> {
    schedule: &'a Schedule,
    vectors: &'a Vectors<L>,
    packed: Packed<L::Operand>,
    starts: Option<Starts<L::Sum>>,
}

/// Sums of all PEs just after a clock edge, in the number type of the lane.
#[derive(Clone, Debug)]
pub struct Sums<'a, L: Lane> {
    replay: &'a Replay<'a, L>,
    cycle: Cycle,
    /// One value per PE; the value is arbitrary if the PE has no sum. A sum that shifts out is stored at the PE that
    /// computed the sum.
    plane: Vec<L::Sum>,
}

/// Earlier snapshot, from which the computation of a later snapshot continues.
#[derive(Clone, Copy, Debug)]
struct Earlier<'p, S> {
    plane: &'p [S],
    cycles: u64,
}

impl<'a, L: Lane> Replay<'a, L> {
    /// Prepares a run. `vectors` has all operands of the run. For WS and IS, a copy of the operands is stored in the
    /// order in which snapshots read them.
    #[must_use]
    pub fn new(schedule: &'a Schedule, vectors: &'a Vectors<L>) -> Self {
        Self { schedule, vectors, packed: Packed::new(schedule, vectors), starts: Starts::new(schedule, vectors) }
    }

    /// Sums of every PE just after a clock edge.
    #[must_use]
    pub fn at(&'a self, cycle: Cycle) -> Sums<'a, L> {
        let cycle = cycle.min(self.schedule.last_cycle());
        let mut plane = self.empty();
        for residency in residencies(self.schedule, cycle) {
            self.add_residency(&residency, None, &mut plane);
        }
        Sums { replay: self, cycle, plane }
    }

    fn empty(&self) -> Vec<L::Sum> {
        vec![L::Sum::default(); len_usize(self.schedule.array().pes())]
    }

    fn add_residency(&self, residency: &FoldResidency, earlier: Option<Earlier<'_, L::Sum>>, plane: &mut [L::Sum]) {
        let Self { schedule, vectors, packed, starts } = self;
        let clock = clock(schedule, residency);
        if clock < 0 {
            return;
        }
        match schedule.dataflow().hold() {
            Hold::Operand => {
                let operands = (packed, starts.as_ref());
                flowing::add(vectors.lane(), schedule, operands, (&residency.fold, clock), earlier, plane);
            }
            Hold::Result => in_place::add(schedule, vectors, residency, clock, earlier, plane),
        }
    }
}

impl<L: Lane> Sums<'_, L> {
    /// Sums of all PEs after `cycles` more clock edges. The call costs at most as much as [`Replay::at`], and less for
    /// few cycles.
    #[must_use]
    pub fn advance(self, cycles: u64) -> Self {
        let schedule = self.replay.schedule;
        let cycle = Cycle(self.cycle.0.saturating_add(cycles)).min(schedule.last_cycle());
        let earlier = Earlier { plane: &self.plane, cycles: cycle.0 - self.cycle.0 };
        let mut plane = self.replay.empty();
        for residency in residencies(schedule, cycle) {
            // A fold that was not in the array at the earlier edge has no sums to continue from.
            let earlier = (residency.elapsed > earlier.cycles).then_some(earlier);
            self.replay.add_residency(&residency, earlier, &mut plane);
        }
        Self { cycle, plane, ..self }
    }

    /// Clock edge of these sums.
    #[must_use]
    pub const fn cycle(&self) -> Cycle {
        self.cycle
    }

    /// Sum of one PE; `None` if the PE has no sum.
    #[must_use]
    pub fn sum(&self, pe: PeId) -> Option<L::Sum> {
        let schedule = self.replay.schedule;
        schedule.partial_sum(self.cycle, pe)?;
        let row = pe.row.checked_sub(u32::try_from(schedule.shifts(self.cycle)).ok()?)?;
        self.plane.get(row as usize * schedule.array().cols() as usize + pe.col as usize).copied()
    }
}

/// Folds that have a sum in the array at a cycle. A product register delays sums by one cycle, so a fold also leaves
/// one cycle later.
pub(crate) fn residencies(schedule: &Schedule, cycle: Cycle) -> impl Iterator<Item = FoldResidency> {
    let newest = schedule.locate(cycle).fold.index;
    let oldest = match schedule.design().overlap {
        Overlap::None => newest,
        Overlap::DoubleBuffered => schedule.folds_gone(Cycle(cycle.0.saturating_sub(schedule.timing().product_delay))),
    };
    (oldest..=newest).map(move |index| schedule.residency(index, cycle))
}

/// Cycles since the earliest possible arrival of the fold's stream at the sum of the corner PE; negative before this
/// arrival.
fn clock(schedule: &Schedule, residency: &FoldResidency) -> i64 {
    residency.streaming_after(schedule.timing().load) - 1 - crate::lattice::signed(schedule.timing().product_delay)
}
