//! The product by definition, in the array's order of accumulation.
//!
//! Weight- and input-stationary: k ascends from zero within a fold, and the results of the folds are added in order.
//! Output-stationary: k ascends over all of K.

use crate::{Axis, Lane, Operand, Operands, Schedule};

/// C, row by row, without the rows and columns of padding.
#[must_use]
pub fn product<L: Lane>(lane: L, schedule: &Schedule, operands: &Operands) -> Vec<L::Sum> {
    let (gemm, run) = (schedule.gemm(), schedule.run());
    let block = if schedule.mapping().rows == Axis::K { u64::from(schedule.array().rows()) } else { run.k() };
    let raw = |operand: Operand, place: (u64, u64)| lane.encode(operands.at(operand, place));
    let mut c = Vec::new();
    for m in 0..gemm.m() {
        for n in 0..gemm.n() {
            let mut total: Option<L::Sum> = None;
            let mut k = 0;
            while k < run.k() {
                let end = (k + block).min(run.k());
                let part = (k..end)
                    .fold(L::Sum::default(), |sum, k| lane.mac(sum, raw(Operand::A, (m, k)), raw(Operand::B, (k, n))));
                total = Some(total.map_or(part, |total| lane.add(total, part)));
                k = end;
            }
            c.push(total.unwrap_or_default());
        }
    }
    c
}
