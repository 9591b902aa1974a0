//! A whole matrix multiplication in the array's order of accumulation, computed without simulating the array.
//!
//! [`mod@crate::reference`] computes equal results element by element. This module reads B row by row, so that rows of
//! B stay in the CPU cache.

use crate::units::len_usize;
use crate::{Axis, Lane, Operand, Operands, Schedule};

/// Rows of C, each computed on request. C has `m × n` elements, without the rows and columns of padding.
#[derive(Clone, Debug)]
pub struct ProductRows<L: Lane> {
    lane: L,
    /// B, row by row, in the order of the rows of PEs.
    b: Vec<L::Operand>,
    /// Index k of each row of `b`.
    order: Vec<u64>,
    n: usize,
    /// Number of products that are added before a sum leaves the array.
    block: usize,
    /// Tiles of k in the order in which their products are added.
    tiles: Vec<usize>,
}

impl<L: Lane> ProductRows<L> {
    /// Prepares the computation of C, row by row, for a run.
    #[must_use]
    pub fn new(lane: L, schedule: &Schedule, operands: &Operands) -> Self {
        let (gemm, run) = (schedule.gemm(), schedule.run());
        let block = if schedule.mapping().rows == Axis::K { u64::from(schedule.array().rows()) } else { run.k() };
        let tiles = (0..run.k().div_ceil(block)).map(|place| len_usize(schedule.row_tile(place))).collect();
        let order: Vec<u64> = (0..run.k()).map(|nth| schedule.row_index(nth)).collect();
        let mut b = Vec::with_capacity(order.len() * len_usize(gemm.n()));
        for &k in &order {
            b.extend((0..gemm.n()).map(|n| lane.encode(operands.at(Operand::B, (k, n)))));
        }
        Self { lane, b, order, n: len_usize(gemm.n()), block: len_usize(block), tiles }
    }

    /// Appends the `n` sums of row `m` to `c`.
    pub fn push(&self, operands: &Operands, m: u64, c: &mut Vec<L::Sum>) {
        let (lane, n, block) = (self.lane, self.n, self.block);
        let a: Vec<L::Operand> = self.order.iter().map(|&k| lane.encode(operands.at(Operand::A, (m, k)))).collect();
        let row = c.len();
        let mut part = vec![L::Sum::default(); n];
        for (index, &tile) in self.tiles.iter().enumerate() {
            if index == 0 && operands.c.is_some() {
                (0..).zip(&mut part).for_each(|(n, part)| *part = lane.start(operands.of_c(m, n)));
            } else if !lane.continues() {
                part.fill(L::Sum::default());
            }
            for (&a, b) in a.iter().zip(self.b.chunks_exact(n)).skip(tile * block).take(block) {
                for (sum, &b) in part.iter_mut().zip(b) {
                    *sum = lane.mac(*sum, a, b);
                }
            }
            if L::IN_BLOCKS {
                part.iter_mut().for_each(|part| *part = lane.closed(*part));
            }
            if lane.continues() {
                c.truncate(row);
            }
            if index == 0 || lane.continues() {
                c.extend_from_slice(&part);
            } else {
                for (total, &part) in c[row..].iter_mut().zip(&part) {
                    *total = lane.add(*total, part);
                }
            }
        }
    }
}

/// C, row by row, without the rows and columns of padding. Calls `done` after each row with the number of finished
/// rows.
#[must_use]
pub fn product<L: Lane>(lane: L, schedule: &Schedule, operands: &Operands, mut done: impl FnMut(u64)) -> Vec<L::Sum> {
    let gemm = schedule.gemm();
    let rows = ProductRows::new(lane, schedule, operands);
    let mut c = Vec::with_capacity(len_usize(gemm.m()) * len_usize(gemm.n()));
    for m in 0..gemm.m() {
        rows.push(operands, m, &mut c);
        done(m + 1);
    }
    c
}
