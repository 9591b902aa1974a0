//! Work of the PEs at a clock edge: multiply, add, and pass on.

use super::Machine;
use super::bits::BitRow;
use super::ring::Run;
use crate::{Hold, Lane, Pipeline};

impl<L: Lane> Machine<L> {
    fn rows(&self) -> usize {
        self.schedule.array().rows() as usize
    }

    fn cols(&self) -> usize {
        self.schedule.array().cols() as usize
    }

    /// Moves sums one register south and adds each PE's product to the sum that arrives (WS, IS).
    pub(super) fn multiply_and_pass_sums(&mut self) {
        let pipeline = self.schedule.design().pipeline;
        let cols = self.cols();
        let were_full = self.sums.all_full();
        self.sums.shift_south(&[], BitRow::new(cols));
        if pipeline == Pipeline::default() && were_full && self.east_valid.is_full() && self.held.all_full() {
            self.sums.row_mut(0).fill(L::Sum::default());
            if let Some(starts) = &mut self.starts {
                starts.begin_at_top(0..cols, &self.collector, &self.vectors, self.sums.row_mut(0));
            }
            self.sums.set_valid(0, BitRow::first(cols, cols));
            let (lane, x, w) = (self.lane, self.east.all(), self.held.parts());
            let (early, late) = self.sums.parts_mut();
            let (x_early, x_late) = x.split_at(early.len());
            add_plane(lane, early, x_early, w, 0);
            add_plane(lane, late, x_late, w, x_early.len());
            return;
        }
        for row in 0..self.rows() {
            let operands = self.operands_valid(row);
            self.add_products(row, self.south_row(row), operands);
        }
    }

    /// Adds the products of a row of PEs to their sums. If a PE has no sum, a new sum starts from zero.
    fn add_products(&mut self, row: usize, sum_row: usize, operands: BitRow) {
        let lane = self.lane;
        let has_products = self.schedule.design().pipeline.product_register;
        let adding = if has_products { *self.products.valid(row) } else { operands };
        let beginning = adding.and_not(self.sums.valid(sum_row));
        let second = match self.schedule.dataflow().hold() {
            Hold::Operand => self.held.row(row),
            Hold::Result => self.south.row(self.south_row(row)),
        };
        let sums = self.sums.row_mut(sum_row);
        beginning.runs().for_each(|run| sums[run].fill(L::Sum::default()));
        if let Some(starts) = &mut self.starts {
            for run in beginning.runs() {
                match self.schedule.dataflow().hold() {
                    Hold::Operand if row == 0 => starts.begin_at_top(run, &self.collector, &self.vectors, sums),
                    Hold::Operand => {}
                    Hold::Result => starts.begin_in_place(row, run, &self.vectors, sums),
                }
            }
        }
        for run in adding.runs() {
            let sums = &mut sums[run.clone()];
            if has_products {
                for (sum, &product) in sums.iter_mut().zip(&self.products.row(row)[run]) {
                    *sum = lane.add(*sum, product);
                }
            } else {
                mac_row(lane, sums, &self.east.row(row)[run.clone()], &second[run]);
            }
        }
        if !beginning.is_empty() {
            self.sums.set_valid(sum_row, self.sums.valid(sum_row).or(&adding));
        }
        if has_products {
            self.latch_products(row, operands);
        }
    }

    /// Columns of a row in which both operands are valid.
    fn operands_valid(&self, row: usize) -> BitRow {
        let cols = self.cols();
        let second = match self.schedule.dataflow().hold() {
            Hold::Operand => *self.held.valid(row),
            Hold::Result => *self.south.valid(self.south_row(row)),
        };
        match self.east_valid.run(row) {
            Run::Empty => BitRow::new(cols),
            Run::Full => second,
            Run::Mixed => self.east_valid.row(row).and(&second),
        }
    }

    fn latch_products(&mut self, row: usize, operands: BitRow) {
        let lane = self.lane;
        let second = match self.schedule.dataflow().hold() {
            Hold::Operand => self.held.row(row),
            Hold::Result => self.south.row(self.south_row(row)),
        };
        let (x, products) = (self.east.row(row), self.products.row_mut(row));
        for run in operands.runs() {
            for ((product, &x), &w) in products[run.clone()].iter_mut().zip(&x[run.clone()]).zip(&second[run]) {
                *product = lane.product(x, w);
            }
        }
        self.products.set_valid(row, operands);
    }

    /// Closes the blocks of the sums in the last row that the fold uses (WS, IS). Folds with other numbers of rows never
    /// overlap, because a sum that goes on from fold to fold needs folds without overlap.
    pub(super) fn close_last_row(&mut self) {
        let row = self.streaming.fold.mapped.rows as usize - 1;
        let (lane, place) = (self.lane, self.south_row(row));
        let valid = *self.sums.valid(place);
        for run in valid.runs() {
            self.sums.row_mut(place)[run].iter_mut().for_each(|sum| *sum = lane.closed(*sum));
        }
    }

    /// Closes the blocks of the sums that have just got their last product (OS).
    pub(super) fn close_finished(&mut self) {
        let Some(closing) = self.closing.as_ref().filter(|closing| !closing.is_empty()) else { return };
        let lane = self.lane;
        for row in 0..self.schedule.array().rows() as usize {
            for run in closing.row(row).runs() {
                self.sums.row_mut(row)[run].iter_mut().for_each(|sum| *sum = lane.closed(*sum));
            }
        }
    }

    /// Index, in a plane that shifts south, of the first row of registers of PE row `row`.
    fn south_row(&self, row: usize) -> usize {
        if self.schedule.design().pipeline.two_registers_south { 2 * row } else { row }
    }

    /// Adds each PE's product to the PE's own sum (OS). The sum starts from zero when a fold begins.
    pub(super) fn multiply_in_place(&mut self) {
        let pipeline = self.schedule.design().pipeline;
        let begins = self.marks.as_ref().is_some_and(|marks| !marks.begin.is_empty());
        let all_add = self.east_valid.is_full() && self.south.all_full() && self.sums.all_full() && !begins;
        if all_add && pipeline == Pipeline::default() {
            let (x, w) = (self.east.all(), self.south.parts());
            let (early, late) = self.sums.parts_mut();
            let (x_early, x_late) = x.split_at(early.len());
            add_plane(self.lane, early, x_early, w, 0);
            add_plane(self.lane, late, x_late, w, x_early.len());
            return;
        }
        for row in 0..self.rows() {
            if let Some(marks) = &self.marks {
                let begins = marks.begin.row(row);
                if !begins.is_empty() {
                    self.sums.set_valid(row, self.sums.valid(row).and_not(&begins));
                }
            }
            let operands = self.operands_valid(row);
            self.add_products(row, row, operands);
        }
    }
}

/// Adds `x·w` to each sum of many rows at once. The operand `w` is in two parts, and the function skips the first
/// `skip` elements of `w`.
fn add_plane<L: Lane>(
    lane: L,
    sums: &mut [L::Sum],
    x: &[L::Operand],
    (early, late): (&[L::Operand], &[L::Operand]),
    skip: usize,
) {
    let w = &early[skip.min(early.len())..];
    let n = w.len().min(sums.len());
    let (first, second) = sums.split_at_mut(n);
    mac_row(lane, first, &x[..n], &w[..n]);
    let skip = (skip + n).saturating_sub(early.len());
    mac_row(lane, second, &x[n..], &late[skip..skip + x.len() - n]);
}

/// Adds `x·w` to each sum of a row.
#[inline(never)]
fn mac_row<L: Lane>(lane: L, sums: &mut [L::Sum], x: &[L::Operand], w: &[L::Operand]) {
    lane.mac_all(sums, x, w);
}
