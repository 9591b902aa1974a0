//! Tests that the two independent descriptions of the machine always agree: the register machine and the closed forms.

use crate::common::{Case, cases, runner, thorough};
use proptest::test_runner::{TestCaseError, TestError};
use systolic::{Cycle, Fault, Lane, Machine, Prober, Replay, Snapshot, Vectors, dispatch_machine_lane, reference};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Steps the register machine through the whole run, and compares both closed forms with it at every PE and every
/// cycle.
fn disagreement<L: Lane>(lane: L, case: &Case, fault: Option<Fault>) -> Option<String> {
    let (schedule, operands) = (&case.schedule, &case.operands());
    let prober = Prober::new(schedule, operands, case.unit);
    let vectors = Vectors::new(lane, schedule, operands);
    let mut machine = Machine::new(schedule, &vectors, fault);
    for cycle in (0..schedule.cycles().get()).map(Cycle) {
        machine.tick();
        let snapshot = Snapshot::at(schedule, operands, case.unit, cycle);
        for pe in schedule.array().iter() {
            let stepped = machine.registers(pe);
            let (probed, sum) = (prober.registers(cycle, pe), snapshot.sum(pe));
            if stepped != probed || stepped.sum != sum {
                return Some(format!("cycle {cycle} {pe:?}: machine {stepped:?}, probe {probed:?}, snapshot {sum:?}"));
            }
        }
    }
    assert!(machine.finished(), "the machine stops when the schedule does");
    let expected = reference::product(lane, schedule, operands);
    let result = machine.result();
    let same = result.iter().zip(&expected).all(|(&got, &want)| lane.sum(got) == lane.sum(want));
    (!same || result.len() != expected.len()).then(|| format!("C is {result:?}, by definition it is {expected:?}"))
}

fn check(case: &Case, fault: Option<Fault>) -> Option<String> {
    dispatch_machine_lane!(case.unit, lane => disagreement(lane, case, fault))
}

#[test]
fn the_closed_forms_equal_every_register_of_the_machine_at_every_cycle() {
    let outcome = runner(thorough(10_000))
        .run(&cases(), |case| check(&case, None).map_or(Ok(()), |what| Err(TestCaseError::fail(what))));
    if let Err(TestError::Fail(why, case)) = outcome {
        panic!("{why}\n{case:#?}");
    }
    outcome.expect("no case is rejected");
}

#[test]
fn a_sum_that_is_carried_on_is_the_one_that_is_worked_out_anew() {
    let outcome = runner(500).run(&cases(), |case| {
        let operands = case.operands();
        let prober = Prober::new(&case.schedule, &operands, case.unit);
        let last = case.schedule.last_cycle().get();
        // The range begins in the first half and ends in the second half.
        let (from, to) = (case.seed % (last / 2 + 1), last - case.seed % (last / 2 + 1));
        for pe in case.schedule.array().iter() {
            let anew: Vec<_> = (from..=to).map(|cycle| prober.at(Cycle(cycle), pe)).collect();
            // The values are compared as text, because a sum may be NaN.
            let (carried, anew) = (format!("{:?}", prober.during(from..=to, pe)), format!("{anew:?}"));
            proptest::prop_assert_eq!(carried, anew, "{:?} from {} to {}", pe, from, to);
        }
        Ok(())
    });
    outcome.expect("the same at every cycle");
}

/// Advances the sums through the run in large steps. After each step, compares them with the sums of two programs that
/// compute each cycle directly.
fn leaps<L: Lane>(lane: L, case: &Case) -> Option<String> {
    let schedule = &case.schedule;
    let vectors = Vectors::new(lane, schedule, &case.operands());
    let mut leap = case.seed % 5 + 1;
    let replay = Replay::new(schedule, &vectors);
    let mut sums = replay.at(Cycle(0));
    while sums.cycle() < schedule.last_cycle() {
        sums = sums.advance(leap);
        leap = leap * 7 % 11 + 1;
        let direct = replay.at(sums.cycle());
        let snapshot = Snapshot::at(schedule, &case.operands(), case.unit, sums.cycle());
        for pe in schedule.array().iter() {
            let value = |sum: Option<L::Sum>| sum.map(|sum| lane.sum(sum));
            let (went, expected) = (value(sums.sum(pe)), value(direct.sum(pe)));
            if went != expected {
                return Some(format!("cycle {} {pe:?}: after leaps {went:?}, directly {expected:?}", sums.cycle()));
            }
            // The values are compared as text, because a sum may be NaN.
            if format!("{expected:?}") != format!("{:?}", snapshot.sum(pe)) {
                let snapshot = snapshot.sum(pe);
                return Some(format!("cycle {} {pe:?}: replayed {expected:?}, snapshot {snapshot:?}", sums.cycle()));
            }
        }
    }
    None
}

#[test]
fn leaping_forward_gives_the_sums_worked_out_directly() {
    let outcome = runner(1_000).run(&cases(), |case| {
        dispatch_machine_lane!(case.unit, lane => leaps(lane, &case))
            .map_or(Ok(()), |what| Err(TestCaseError::fail(what)))
    });
    if let Err(TestError::Fail(why, case)) = outcome {
        panic!("{why}\n{case:#?}");
    }
    outcome.expect("no case is rejected");
}

#[test]
fn a_machine_with_one_late_lane_is_caught() {
    let outcome = runner(300).run(&cases(), |case| {
        // The lane must have an element that can be late.
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
            dispatch_machine_lane!(unit, lane => {
                let vectors = Vectors::new(lane, &schedule, &operands);
                let mut machine = Machine::new(&schedule, &vectors, None);
                machine.finish();
                assert_eq!(machine.result(), reference::product(lane, &schedule, &operands), "{dataflow:?} {unit:?}");
            });
        }
    }
}
