//! A whole product in the array's order of accumulation, without the array.
//!
//! [`mod@crate::reference`] says the same element by element; here rows of B stay in the cache.

use crate::units::len_usize;
use crate::{Axis, Lane, Operand, Operands, Schedule};

/// C, row by row, without the rows and columns of padding. `done` is called after each row with the number of rows done.
#[must_use]
pub fn product<L: Lane>(lane: L, schedule: &Schedule, operands: &Operands, mut done: impl FnMut(u64)) -> Vec<L::Sum> {
    let (gemm, run) = (schedule.gemm(), schedule.run());
    let block = if schedule.mapping().rows == Axis::K { u64::from(schedule.array().rows()) } else { run.k() };
    let encoded = |operand: Operand, row: u64, col: u64| lane.encode(operands.at(operand, (row, col)));
    let b: Vec<L::Operand> =
        (0..run.k()).flat_map(|k| (0..gemm.n()).map(move |n| (k, n))).map(|(k, n)| encoded(Operand::B, k, n)).collect();
    let n = len_usize(gemm.n());
    let mut c = Vec::with_capacity(len_usize(gemm.m()) * n);
    let mut part = vec![L::Sum::default(); n];
    for m in 0..gemm.m() {
        let a: Vec<L::Operand> = (0..run.k()).map(|k| encoded(Operand::A, m, k)).collect();
        let row = c.len();
        for (index, a) in a.chunks(len_usize(block)).enumerate() {
            part.fill(L::Sum::default());
            for (&a, b) in a.iter().zip(b.chunks_exact(n).skip(index * len_usize(block))) {
                for (sum, &b) in part.iter_mut().zip(b) {
                    *sum = lane.mac(*sum, a, b);
                }
            }
            if index == 0 {
                c.extend_from_slice(&part);
            } else {
                for (total, &part) in c[row..].iter_mut().zip(&part) {
                    *total = lane.add(*total, part);
                }
            }
        }
        done(m + 1);
    }
    c
}
