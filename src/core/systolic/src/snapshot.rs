//! The sums of every PE of a small array, in any format.
//!
//! Only operands that are in the array are encoded, each once. For large arrays, [`Sums`](crate::Sums) is many times as
//! fast as this module, but needs many times as much code.

use core::ops::Range;

use crate::partial_sum::PartialSum;
use crate::reference::start;
use crate::sums::residencies;
use crate::{Cycle, Hold, Lane, MacUnit, Operands, PeId, Schedule, Value, Vectors, dispatch_lane};

/// The sums of every PE just after a clock edge. A [`Prober`](crate::Prober) computes the other registers in constant
/// time.
#[derive(Clone, Debug)]
pub struct Snapshot {
    cols: u32,
    sums: Vec<Option<Value>>,
}

impl Snapshot {
    /// Sums of every PE just after a clock edge.
    #[must_use]
    pub fn at(schedule: &Schedule, operands: &Operands, unit: MacUnit, cycle: Cycle) -> Self {
        let sums = dispatch_lane!(unit, lane => sums(lane, schedule, operands, cycle));
        Self { cols: schedule.array().cols(), sums }
    }

    /// Sum of one PE; `None` if the PE has no sum.
    #[must_use]
    pub fn sum(&self, pe: PeId) -> Option<Value> {
        self.sums.get(pe.row as usize * self.cols as usize + pe.col as usize).copied().flatten()
    }
}

fn sums<L: Lane>(lane: L, schedule: &Schedule, operands: &Operands, cycle: Cycle) -> Vec<Option<Value>> {
    let partials: Vec<Option<PartialSum>> = schedule.array().iter().map(|pe| schedule.partial_sum(cycle, pe)).collect();
    let mut sums = vec![None; partials.len()];
    for residency in residencies(schedule, cycle) {
        let fold = &residency.fold;
        let of_fold = |partial: &&PartialSum| partial.fold.index == fold.index;
        // These are the indices along the time axis that the sums of this fold need.
        let (mut from, mut to) = (u64::MAX, 0);
        for partial in partials.iter().flatten().filter(of_fold) {
            let times = times_of(schedule, partial);
            (from, to) = (from.min(times.start), to.max(times.end));
        }
        if from >= to {
            continue;
        }
        let vectors = Vectors::of_fold(lane, schedule, operands, fold, from..to);
        for (sum, partial) in sums.iter_mut().zip(&partials) {
            if let Some(partial) = partial.as_ref().filter(of_fold) {
                let place = (partial.first.m, partial.first.n);
                let start = start(lane, schedule, operands, fold.row_fold, place).unwrap_or_default();
                *sum = Some(lane.sum(sum_of(schedule, &vectors, partial, start)));
            }
        }
    }
    sums
}

/// Indices, along the time axis, of the vectors that a sum needs: one index (WS, IS), or the first indices (OS).
fn times_of(schedule: &Schedule, partial: &PartialSum) -> Range<u64> {
    match schedule.dataflow().hold() {
        Hold::Operand => {
            let time = partial.first.along(schedule.mapping().time);
            time..time + 1
        }
        Hold::Result => 0..partial.terms,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "places in the array")]
fn sum_of<L: Lane>(schedule: &Schedule, vectors: &Vectors<L>, partial: &PartialSum, start: L::Sum) -> L::Sum {
    let (lane, fold, mapping) = (vectors.lane(), &partial.fold, schedule.mapping());
    let col = (partial.first.along(mapping.cols) - fold.col_origin) as usize;
    let row = (partial.first.along(mapping.rows) - fold.row_origin) as usize;
    let hold = schedule.dataflow().hold();
    let time = partial.first.along(mapping.time);
    let sum = (0..partial.terms).fold(start, |sum, k| {
        let x = match hold {
            Hold::Operand => vectors.west_vector(fold, time)[k as usize],
            Hold::Result => vectors.west_vector(fold, k)[row],
        };
        lane.mac(sum, x, vectors.north_vector(fold, hold, k)[col])
    });
    if partial.terms == partial.terms_max { lane.closed(sum) } else { sum }
}
