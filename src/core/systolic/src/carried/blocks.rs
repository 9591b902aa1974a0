//! Sums of PEs that add blocks of products.
//!
//! Each sum stores its value before the open block, in 32 bits. A call adds the products of the open block again, because
//! an open block of a million PEs would need hundreds of megabytes. A sum that goes on from fold to fold is one sum: its
//! terms are counted from the first tile.

use super::{CarriedSums, Part, SumBits, narrow};
use crate::lane::Grouped;
use crate::reference::start;
use crate::{Lane, Mkn, Operand, Operands, Schedule};

/// Number of the fold, along the rows, of a sum whose first term has this k.
pub(super) fn row_fold(schedule: &Schedule, first_k: u64) -> u64 {
    if schedule.folds_per_result() > 1 { schedule.row_fold_of(first_k / u64::from(schedule.array().rows())) } else { 0 }
}

impl Part {
    /// This sum with the terms of the folds before.
    pub(super) fn with_folds_before(self, schedule: &Schedule) -> Self {
        let [m, k, n] = self.first;
        let before = row_fold(schedule, k.into()) * u64::from(schedule.array().rows());
        if self.terms == 0 { self } else { Self { first: [m, 0, n], terms: self.terms + narrow(before), ..self } }
    }
}

impl CarriedSums {
    /// Adds terms to the sums of PEs that add blocks, as [`work`](Self::work) does.
    pub(super) fn work_in_blocks(&mut self, lane: Grouped, operands: &Operands, budget: u64) -> u64 {
        let Some(schedule) = self.schedule else { return 0 };
        self.before_block.resize(self.parts.len(), 0.0);
        let (cost, block, rows) = (self.cost(), lane.block(), u64::from(schedule.array().rows()));
        let goes_on = schedule.goes_on();
        let mut work = 0;
        for (index, part) in self.parts.iter_mut().enumerate().filter(|(_, part)| part.n_missing() > 0) {
            let n = part.n_missing().min(budget.saturating_sub(work) / cost);
            if n == 0 {
                break;
            }
            let [m, first_k, n_of_c] = part.first.map(u64::from);
            let done = u64::from(part.done);
            let n_again = done % block;
            let mut sum = lane.start(self.before_block[index].into());
            if done == 0 {
                // `before` of a sum that goes on is c, because its terms are counted from the first tile.
                let row_fold = if goes_on { 0 } else { row_fold(&schedule, first_k) };
                sum = start(lane, &schedule, operands, row_fold, (m, n_of_c)).unwrap_or_default();
                if let Some(exact) = self.exact.get_mut(index) {
                    exact.add(lane.sum(sum).as_f64());
                }
            }
            for nth in done - n_again..done + n {
                let in_order = if goes_on { schedule.row_tile(nth / rows) * rows + nth % rows } else { first_k + nth };
                let mkn = Mkn { m, k: schedule.row_index(in_order), n: n_of_c };
                let [a, b] = [Operand::A, Operand::B].map(|of| lane.encode(operands.at(of, mkn.of(of))));
                sum = lane.mac(sum, a, b);
                if nth >= done
                    && let Some(exact) = self.exact.get_mut(index)
                {
                    exact.add_product(lane.operand(a), lane.operand(b));
                }
            }
            part.done += narrow(n);
            self.before_block[index] = sum.before();
            // With several folds, blocks end where folds end. The last block may be shorter.
            let is_complete = u64::from(part.done) == schedule.run().k();
            part.sum = SumBits(if is_complete { lane.closed(sum) } else { sum }.nearest().to_bits());
            self.n_missing -= n;
            work += n * cost + n_again;
        }
        work
    }
}

/// Value from which a sum starts if sums start from c, for PEs that add one product at a time.
pub(super) fn first_sum<L: Lane>(
    lane: L,
    schedule: Option<&Schedule>,
    operands: &Operands,
    part: &Part,
) -> Option<L::Sum> {
    let [m, k, n] = part.first.map(u64::from);
    operands.c.as_ref()?;
    start(lane, schedule?, operands, row_fold(schedule?, k), (m, n))
}
