//! Final values of C in an array with a fault.

use super::places::{Mix, Tag, places};
use super::{Defect, Plan};
use std::sync::Arc;
use systolic::{Fault, Lane, MacUnit, Machine, Operand, Value, Vectors, dispatch_lane};

/// Final value of an element of C in an array with a fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The value that the array computes.
    pub value: Value,
    /// True if the value differs from the correct value.
    pub is_wrong: bool,
}

/// An element of C with a wrong final value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongResult {
    /// Row of the element.
    pub row: u64,
    /// Column of the element.
    pub col: u64,
    /// The value that the array computes.
    pub result: Value,
    /// The correct value.
    pub right: Value,
    /// The first mismatch in the sum of the element. `None` if elements meet at the same times as in the fault-free
    /// array.
    pub mix: Option<Mix>,
}

/// Returns C at the end of the run, row by row, with or without a fault.
fn finish(plan: &Plan, unit: MacUnit, fault: Option<Fault>) -> Vec<Value> {
    let schedule = plan.schedule();
    dispatch_lane!(unit, lane => {
        let vectors = Vectors::new(lane, schedule, plan.operands());
        let mut machine = Machine::new(schedule, &vectors, fault);
        machine.finish();
        machine.result().into_iter().map(|sum| lane.sum(sum)).collect()
    })
}

fn differ(a: Value, b: Value) -> bool {
    a.as_f64().to_bits() != b.as_f64().to_bits()
}

/// Returns the final values of C, row by row, each with a mark if it is wrong.
#[must_use]
pub fn outcomes(plan: &Plan, defect: Defect) -> Arc<[Outcome]> {
    let results = finish(plan, unit(plan, defect), defect.fault());
    let right = finish(plan, plan.unit(), None);
    let pairs = results.into_iter().zip(right);
    pairs.map(|(value, right)| Outcome { value, is_wrong: differ(value, right) }).collect()
}

/// Returns the elements of C that have a wrong value at the end of the run.
#[must_use]
pub fn wrong_results(plan: &Plan, defect: Defect) -> Vec<WrongResult> {
    let results = finish(plan, unit(plan, defect), defect.fault());
    let right = finish(plan, plan.unit(), None);
    let mixes = if defect.moves() { mixes(plan, defect) } else { vec![None; results.len()] };
    let cols = plan.schedule().gemm().n();
    let places = (0u64..).map(|index| (index / cols, index % cols));
    places
        .zip(results.into_iter().zip(right).zip(mixes))
        .filter(|(_, ((result, right), _))| differ(*result, *right))
        .map(|((row, col), ((result, right), mix))| WrongResult { row, col, result, right, mix })
        .collect()
}

/// Returns the first mismatch of each element of C, row by row; [`Mix::Missing`] for an element without a mismatch.
fn mixes(plan: &Plan, defect: Defect) -> Vec<Option<Mix>> {
    let schedule = plan.schedule();
    let places = places(plan);
    let tag = Tag { west_is_a: schedule.dataflow().from_west() == Operand::A };
    let vectors = Vectors::new(tag, schedule, &places);
    let mut machine = Machine::new(schedule, &vectors, defect.fault());
    machine.finish();
    machine.result().into_iter().map(|sum| sum.mix().or(Some(Mix::Missing))).collect()
}

pub(super) fn unit(plan: &Plan, defect: Defect) -> MacUnit {
    match defect {
        Defect::NarrowSum(accumulator) => plan.unit().with_accumulator(accumulator).unwrap_or(plan.unit()),
        _ => plan.unit(),
    }
}
