//! The soul of the project: two independent descriptions of one machine never disagree.

mod common;

use common::{Case, cases, runner};
use proptest::test_runner::{TestCaseError, TestError};
use systolic::{Cycle, Fault, Lane, Machine, Prober, Snapshot, reference, with_machine_lane};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Steps the register machine through the whole run and asks both closed forms at every PE and every cycle.
fn disagreement<L: Lane>(lane: L, case: &Case, fault: Option<Fault>) -> Option<String> {
    let (schedule, operands) = (&case.schedule, &case.operands());
    let prober = Prober::new(schedule, operands, case.unit);
    let mut machine = Machine::new(lane, schedule, operands, fault);
    for cycle in (0..schedule.cycles().get()).map(Cycle) {
        machine.tick();
        let snapshot = Snapshot::at(schedule, operands, case.unit, cycle);
        for pe in schedule.array().iter() {
            let stepped = machine.registers(pe);
            let (probed, sum) = (prober.at(cycle, pe).registers(), snapshot.sum(pe));
            if stepped != probed || stepped.sum != sum {
                return Some(format!("cycle {cycle} {pe:?}: machine {stepped:?}, probe {probed:?}, snapshot {sum:?}"));
            }
        }
    }
    assert!(machine.finished(), "the machine stops when the schedule does");
    let expected = reference::product(lane, schedule, operands);
    let same = machine.result().iter().zip(&expected).all(|(&got, &want)| lane.sum(got) == lane.sum(want));
    (!same || machine.result().len() != expected.len())
        .then(|| format!("C is {:?}, by definition it is {expected:?}", machine.result()))
}

fn check(case: &Case, fault: Option<Fault>) -> Option<String> {
    with_machine_lane!(case.unit, lane => disagreement(lane, case, fault))
}

#[test]
fn the_closed_forms_tell_every_register_of_the_machine_at_every_cycle() {
    let outcome =
        runner(10_000).run(&cases(), |case| check(&case, None).map_or(Ok(()), |what| Err(TestCaseError::fail(what))));
    if let Err(TestError::Fail(why, case)) = outcome {
        panic!("{why}\n{case:#?}");
    }
    outcome.expect("no case is rejected");
}

#[test]
fn a_machine_with_one_late_lane_is_caught() {
    let outcome = runner(300).run(&cases(), |case| {
        // The lane must have something to be late with.
        let row = case.schedule.fold(0).mapped.rows - 1;
        match check(&case, Some(Fault::LateLane { row })) {
            Some(_) => Ok(()),
            None => Err(TestCaseError::fail("the broken machine agrees")),
        }
    });
    outcome.expect("every broken machine disagrees");
}

#[test]
fn a_larger_rectangular_array_gives_the_product_bit_by_bit() {
    let gemm = systolic::Gemm::new(40, 70, 50).expect("in range");
    let array = systolic::ArrayShape::new(33, 17).expect("in range");
    for dataflow in systolic::Dataflow::ALL {
        for unit in systolic::Dtype::ALL.map(systolic::MacUnit::new) {
            let schedule = systolic::Schedule::new(gemm, array, dataflow, systolic::Padding::Ragged).expect("in range");
            let case = Case { schedule, unit, seed: 3, uniform: true };
            let operands = case.operands();
            with_machine_lane!(unit, lane => {
                let mut machine = Machine::new(lane, &schedule, &operands, None);
                machine.finish();
                assert_eq!(machine.result(), reference::product(lane, &schedule, &operands), "{dataflow:?} {unit:?}");
            });
        }
    }
}
