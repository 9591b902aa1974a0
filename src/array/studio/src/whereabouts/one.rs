//! Positions of single elements, for matrices of any size.

use super::{ResultProgress, Whereabouts, is_added, is_complete, of_stationary, of_stream, partition};
use crate::Plan;
use crate::spot::nth_k;
use systolic::{Cycle, Mkn, Operand, PeId};

/// Returns the position of an element of A or B.
#[must_use]
pub fn operand(plan: &Plan, cycle: Cycle, operand: Operand, (row, col): (u64, u64)) -> Whereabouts {
    let schedule = plan.schedule();
    let mkn = match operand {
        Operand::A => Mkn { m: row, k: col, n: 0 },
        Operand::B | Operand::C => Mkn { m: 0, k: row, n: col },
    };
    if schedule.dataflow().stationary() != operand {
        return of_stream(plan, cycle, operand, mkn);
    }
    // While the element is shifted in, any PE of its column may have it.
    let (_, pe, _) = schedule.place_of(mkn);
    let prober = plan.prober();
    let is_held = (0..schedule.array().rows()).any(|row_of_array| {
        let probe = prober.without_sum(cycle, PeId::new(row_of_array, pe.col));
        let held = [probe.held, probe.shadow].into_iter().flatten();
        held.into_iter().any(|element| (element.row, element.col) == (row, col))
    });
    if is_held { Whereabouts::Inside } else { of_stationary(plan, cycle, mkn) }
}

/// Returns the progress of an element of C.
#[must_use]
pub fn result(plan: &Plan, cycle: Cycle, (m, n): (u64, u64)) -> ResultProgress {
    let is_complete_at = |cycle| is_complete(plan, cycle, m, n);
    let is_new =
        is_complete_at(cycle) && !cycle.get().checked_sub(1).is_some_and(|before| is_complete_at(Cycle(before)));
    let schedule = plan.schedule();
    let is_term = |nth: &u64| is_added(plan, cycle, Mkn { m, k: nth_k(schedule, *nth), n });
    let terms = partition(schedule.run().k(), is_term);
    ResultProgress { terms, is_complete: is_complete_at(cycle), is_new }
}
