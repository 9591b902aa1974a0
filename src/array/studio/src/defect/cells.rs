//! Registers of each PE in an array with a fault, and what is wrong with them.

use super::Cell;
use super::places::{Tag, TagSum, element, product_place};
use crate::Plan;
use crate::whereabouts::product_delay;
use systolic::{Activity, Cycle, Element, Hold, Lane, Machine, Operand, PeId, Probe, Value};

/// Two sums of each PE, row by row: the current sum, and the sum that is leaving the array.
pub(super) type RightSums = Vec<(Option<Value>, Option<Value>)>;

/// Returns the sums of all PEs.
pub(super) fn sums<L: Lane>(machine: &Machine<L>) -> RightSums {
    let registers = machine.schedule().array().iter().map(|pe| machine.registers(pe));
    registers.map(|registers| (registers.sum, registers.drained)).collect()
}

/// Returns the states of all PEs, row by row. If wrong sums are found by comparing values, `right` has the correct sums
/// of the PEs.
pub(super) fn cells<L: Lane>(
    plan: &Plan,
    cycle: Cycle,
    machines: (&Machine<L>, &Machine<Tag>),
    right: Option<&RightSums>,
) -> Vec<Cell> {
    let pes = plan.schedule().array().iter().enumerate();
    pes.map(|(place, pe)| cell(plan, cycle, pe, machines, right.map(|right| right[place]))).collect()
}

fn cell<L: Lane>(
    plan: &Plan,
    cycle: Cycle,
    pe: PeId,
    (values, tags): (&Machine<L>, &Machine<Tag>),
    right: Option<(Option<Value>, Option<Value>)>,
) -> Cell {
    let schedule = plan.schedule();
    let dataflow = schedule.dataflow();
    let (value, tag) = (values.registers(pe), tags.registers(pe));
    let east = element(dataflow.from_west(), value.east, tag.east);
    let held = element(dataflow.stationary(), value.held, tag.held);
    let shadow = element(dataflow.stationary(), value.shadow, tag.shadow);
    let south = element(Operand::B, value.south, tag.south);
    let pair = east.zip(held.or(south));
    let k_of = |element: &Element| if element.operand == Operand::A { element.col } else { element.row };
    let clash = pair.filter(|(x, w)| k_of(x) != k_of(w));
    let (tag_of_sum, tag_of_drained) = tags.sums(pe);
    let (own, of_sum) = (pair.map(|(x, w)| product_place(&x, &w)), tag_of_sum.map(|sum| sum.place()));
    let sound = plan.prober().without_sum(cycle, pe);
    let mixes = tag_of_sum.is_some_and(TagSum::is_mixed);
    let lacks = lacking(plan, cycle, pe, tag_of_sum);
    let differs = right.is_some_and(|(sum, _)| sum != value.sum);
    let activity = match pair {
        Some(_) => Activity::Useful,
        None if sound.activity == Activity::Useful || sound.activity == Activity::OnPadding => Activity::Waiting,
        None => sound.activity,
    };
    let product = pair.map(|(x, w)| x.value.as_f64() * w.value.as_f64());
    let probe = Probe { activity, held, shadow, east, south, product, ..sound };
    let drained = value.drained.map(|sum| {
        let differs = right.is_some_and(|(_, drained)| drained != Some(sum));
        (sum, differs || tag_of_drained.is_some_and(TagSum::is_mixed))
    });
    let is_wrong = value.sum.is_some() && (mixes || differs || lacks.is_some());
    let stray = own.zip(of_sum).filter(|(own, sum)| mixes && clash.is_none() && own != sum);
    Cell { probe, sum: value.sum, clash, stray, is_wrong, is_mix: is_wrong && mixes, lacks, drained }
}

/// Actual number of terms of a flowing sum, and the number of terms that is right in this PE. `None` if no term is
/// missing.
fn lacking(plan: &Plan, cycle: Cycle, pe: PeId, sum: Option<TagSum>) -> Option<(u64, u64)> {
    let schedule = plan.schedule();
    if schedule.dataflow().hold() == Hold::Result {
        return None;
    }
    // Each used row adds one term.
    let before = Cycle(cycle.get().saturating_sub(product_delay(plan)));
    let used = [before, cycle].map(|cycle| schedule.fold_at(cycle, pe).mapped.rows).into_iter().min()?;
    let due = u64::from(used.min(pe.row + 1));
    let n_terms = sum?.n_terms();
    (n_terms < due).then_some((n_terms, due))
}
