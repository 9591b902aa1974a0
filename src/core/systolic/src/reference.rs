//! Matrix multiplication by definition, in the array's order of accumulation.
//!
//! Weight- and input-stationary: k ascends from zero within a fold, and the results of the folds are added in order.
//! Output-stationary: k ascends over all of K. The first sum of an element starts from c. An [`Adder`](crate::Adder)
//! may change the order of k in a fold, round once per block of products, or continue a sum from fold to fold.

use crate::{Axis, Lane, Operand, Operands, Schedule};

/// C, row by row, without the rows and columns of padding.
#[must_use]
pub fn product<L: Lane>(lane: L, schedule: &Schedule, operands: &Operands) -> Vec<L::Sum> {
    let (gemm, terms) = (schedule.gemm(), schedule.run().k());
    let places = (0..gemm.m()).flat_map(|m| (0..gemm.n()).map(move |n| (m, n)));
    places.map(|place| element(lane, schedule, operands, place, terms)).collect()
}

/// Element of C at row `m` and column `n`, with only the first `terms` terms of its sum.
#[must_use]
pub fn element<L: Lane>(lane: L, schedule: &Schedule, operands: &Operands, (m, n): (u64, u64), terms: u64) -> L::Sum {
    let run = schedule.run();
    let block = if schedule.mapping().rows == Axis::K { u64::from(schedule.array().rows()) } else { run.k() };
    let raw = |operand: Operand, place: (u64, u64)| lane.encode(operands.at(operand, place));
    let mut total: Option<L::Sum> = None;
    let (mut k, terms) = (0, terms.min(run.k()));
    while k < terms {
        let end = (k + block).min(terms);
        let origin = schedule.row_tile(k / block) * block;
        let mut part = match total {
            None => first_start(lane, operands, (m, n)),
            Some(total) if lane.continues() => total,
            Some(_) => L::Sum::default(),
        };
        for k in (origin..origin + (end - k)).map(|nth| schedule.row_index(nth)) {
            part = lane.mac(part, raw(Operand::A, (m, k)), raw(Operand::B, (k, n)));
        }
        let is_complete = end == run.k() || end - k == block;
        total = Some(match total {
            Some(total) if !lane.continues() => lane.add(total, lane.closed(part)),
            _ if is_complete => lane.closed(part),
            _ => part,
        });
        k = end;
    }
    total.unwrap_or_default()
}

/// Sum from which the first fold of an element of C starts.
fn first_start<L: Lane>(lane: L, operands: &Operands, (m, n): (u64, u64)) -> L::Sum {
    operands.c.as_ref().map_or_else(L::Sum::default, |_| lane.start(operands.of_c(m, n)))
}

/// Sum from which a partial sum of an element of C starts, in the fold that runs as number `row_fold` along the rows.
/// `None` if this sum starts from zero because nothing comes before it.
pub(crate) fn start<L: Lane>(
    lane: L,
    schedule: &Schedule,
    operands: &Operands,
    row_fold: u64,
    place: (u64, u64),
) -> Option<L::Sum> {
    if row_fold == 0 || schedule.mapping().rows != Axis::K {
        return operands.c.as_ref().map(|_| first_start(lane, operands, place));
    }
    let before = row_fold * u64::from(schedule.array().rows());
    lane.continues().then(|| element(lane, schedule, operands, place, before))
}
