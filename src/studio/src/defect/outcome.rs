//! What becomes of C in a machine with a defect.

use super::places::{Mix, Tag, places};
use super::{Defect, Plan};
use std::sync::Arc;
use systolic::{Fault, Lane, MacUnit, Machine, Operand, Value, Vectors, dispatch_lane};

/// An element of C as the machine makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// What comes out.
    pub value: Value,
    /// Whether it is not what it should be.
    pub is_wrong: bool,
}

/// An element of C that came out wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongResult {
    /// Its row.
    pub row: u64,
    /// Its column.
    pub col: u64,
    /// What the machine made of it.
    pub result: Value,
    /// What it should be.
    pub right: Value,
    /// The first mismatched pair of operands in its sum; none where everything met as it should.
    pub mix: Option<Mix>,
}

/// C at the end of the run, with a fault or without.
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

/// Every element of C as it comes out, row by row: what a fault moves is when terms come, not when a result leaves.
#[must_use]
pub fn outcomes(plan: &Plan, defect: Defect) -> Arc<[Outcome]> {
    let results = finish(plan, unit(plan, defect), defect.fault());
    let right = finish(plan, plan.unit(), None);
    let pairs = results.into_iter().zip(right);
    pairs.map(|(value, right)| Outcome { value, is_wrong: differ(value, right) }).collect()
}

/// The elements of C that come out wrong at the end of the run.
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

/// What each element of C mixes, row by row.
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
