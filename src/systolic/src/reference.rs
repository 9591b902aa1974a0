//! Matrix multiplication by definition, in the array's order of accumulation.
//!
//! Weight- and input-stationary: k ascends from zero within a fold, and the results of the folds are added in order.
//! Output-stationary: k ascends over all of K.

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
        let mut part = L::Sum::default();
        for k in origin..origin + (end - k) {
            part = lane.mac(part, raw(Operand::A, (m, k)), raw(Operand::B, (k, n)));
        }
        total = Some(total.map_or(part, |total| lane.add(total, part)));
        k = end;
    }
    total.unwrap_or_default()
}
