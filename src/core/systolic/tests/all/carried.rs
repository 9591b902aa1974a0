//! Compares carried sums with the sums of the register machine. Carried sums continue from one clock edge to another,
//! and the register machine adds all terms again.

use proptest::prelude::*;
use systolic::{
    CarriedSums, Cycle, ExactSum, Lane, MacUnit, Machine, Operand, PeId, Prober, Registers, SumOf, SumStatus, Value,
    Vectors, dispatch_lane, dispatch_machine_lane,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::common::{Case, cases, runner};

/// Returns the registers of every PE after each clock edge.
fn stepped(case: &Case) -> Vec<Vec<Registers>> {
    dispatch_machine_lane!(case.unit, lane => {
        let vectors = Vectors::new(lane, &case.schedule, &case.operands());
        let mut machine = Machine::new(&case.schedule, &vectors, None);
        let cycles = 0..case.schedule.cycles().get();
        cycles.map(|_| { machine.tick(); case.schedule.array().iter().map(|pe| machine.registers(pe)).collect() }).collect()
    })
}

/// Returns an element of c as the start of a sum.
fn start(unit: MacUnit, c: f64) -> f64 {
    dispatch_lane!(unit, lane => lane.sum(lane.start(c)).as_f64())
}

/// True if both have equal bits, or both are NaN.
fn is_same(known: SumStatus, machine: Option<Value>) -> bool {
    match (known, machine) {
        (SumStatus::Nothing, None) => true,
        (SumStatus::Sum(sum), Some(value)) => sum == value || (sum.as_f64().is_nan() && value.as_f64().is_nan()),
        _ => false,
    }
}

#[test]
fn carried_sums_equal_the_machine_s_wherever_time_goes_and_however_small_the_budget() {
    runner(600)
        .run(&(cases(), prop::collection::vec((any::<u64>(), 1u64..60), 1..12), any::<u32>()), |(case, moves, at)| {
            let (schedule, operands) = (&case.schedule, &case.operands());
            let machine = stepped(&case);
            let array = schedule.array();
            // The sums belong to a part of the array, so that some of its edges are inside the array.
            let first = PeId::new(at % array.rows(), at / 7 % array.cols());
            let (rows, cols) = (first.row..array.rows(), first.col..array.cols());
            let mut sums = CarriedSums::new(SumOf::Register, rows.clone(), cols.clone());
            let mut drained = CarriedSums::new(SumOf::Drained, rows, cols);
            for (step, budget) in moves {
                // Most steps are a few edges long, and some lead anywhere.
                let cycle = Cycle(step % schedule.cycles().get());
                for carried in [&mut sums, &mut drained] {
                    // Sometimes, the target changes before the first rows have reached it.
                    let mut rounds = budget % 5;
                    carried.go_to(schedule, cycle, budget);
                    while carried.is_going() && rounds > 0 {
                        carried.go_to(schedule, cycle, budget);
                        rounds -= u64::from(budget % 3 > 0);
                    }
                    // Every second computation stops half done.
                    let rounds = if budget % 2 == 0 { 2 } else { u64::MAX };
                    let mut round = 0;
                    while !carried.is_going() && carried.missing() > 0 && round < rounds {
                        let missing = carried.missing();
                        let work = carried.work(operands, case.unit, budget);
                        prop_assert!(work > 0 && work <= budget + 512, "{} for a budget of {}", work, budget);
                        prop_assert!(carried.missing() < missing);
                        round += 1;
                    }
                }
                for carried in [&sums, &drained] {
                    let one_by_one = array.iter().filter(|pe| pe.row >= first.row && pe.col >= first.col).map(|pe| {
                        match carried.sum(pe, case.unit) {
                            SumStatus::Sum(sum) => Some(sum.as_f64().abs().to_bits()),
                            SumStatus::Nothing | SumStatus::Underway => None,
                        }
                    });
                    let mut at_once = Vec::new();
                    carried.each_size(case.unit, |size| at_once.push(size.map(f64::to_bits)));
                    prop_assert_eq!(at_once, one_by_one.collect::<Vec<_>>());
                }
                let is_done = [&sums, &drained].iter().all(|carried| !carried.is_going() && carried.missing() == 0);
                for (pe, registers) in array.iter().zip(&machine[usize::try_from(cycle.get()).expect("a short run")]) {
                    if pe.row < first.row || pe.col < first.col {
                        continue;
                    }
                    for (carried, value) in [(&sums, registers.sum), (&drained, registers.drained)] {
                        let known = carried.sum(pe, case.unit);
                        let is_right = is_same(known, value) || (!is_done && known == SumStatus::Underway);
                        prop_assert!(is_right, "{:?} {:?}: {:?}, machine {:?}", cycle, pe, known, value);
                    }
                }
            }
            Ok(())
        })
        .expect("equal");
}

#[test]
fn carried_errors_are_those_of_sums_without_rounding() {
    runner(300)
        .run(&(cases(), any::<u64>(), any::<u64>()), |(case, from, to)| {
            let (schedule, operands) = (&case.schedule, &case.operands());
            let prober = Prober::new(schedule, operands, case.unit);
            let array = schedule.array();
            let mut carried = CarriedSums::new(SumOf::Register, 0..array.rows(), 0..array.cols()).with_exact();
            for cycle in [from, to].map(|cycle| Cycle(cycle % schedule.cycles().get())) {
                // The sums move one row at a time.
                carried.go_to(schedule, cycle, 1);
                while carried.is_going() {
                    carried.go_to(schedule, cycle, 1);
                }
                carried.work(operands, case.unit, u64::MAX);
                for pe in array.iter() {
                    let mut exact = ExactSum::default();
                    let sum = prober.at(cycle, pe).sum;
                    // The first sum of an element starts from c.
                    let is_first = sum.is_some_and(|sum| sum.k_from / u64::from(array.rows()) == schedule.row_tile(0));
                    if let (Some(c), Some(sum)) = (&operands.c, sum)
                        && (is_first || schedule.folds_per_result() == 1)
                    {
                        exact.add(start(case.unit, c.at(sum.row, sum.col)));
                    }
                    for term in schedule.terms(cycle, pe) {
                        let [a, b] = [Operand::A, Operand::B].map(|operand| {
                            let (row, col) = term.mkn.of(operand);
                            prober.element(operand, row, col).value
                        });
                        exact.add_product(a, b);
                    }
                    let off = sum.and_then(|sum| exact.ulps_off(sum.value, case.unit));
                    prop_assert_eq!(carried.ulps_off(pe, case.unit).map(f64::to_bits), off.map(f64::to_bits));
                }
            }
            Ok(())
        })
        .expect("equal");
}

#[test]
fn an_edge_later_most_sums_are_one_term_longer() {
    // This test counts work, and measures no time. Continuing 32×32 sums of up to 5,000 terms costs one term each.
    // Unchanged sums cost nothing.
    use systolic::{ArrayShape, Dataflow, Dtype, Fill, Gemm, Matrix, Operands, Padding, Schedule};
    for dataflow in Dataflow::ALL {
        let gemm = Gemm::new(5000, 5000, 5000).expect("a product");
        let array = ArrayShape::new(32, 32).expect("an array");
        let schedule = Schedule::new(gemm, array, dataflow, Padding::Ragged).expect("a schedule");
        let fill = Fill::Small { seed: 1 };
        let matrix = |salt| Matrix::new(5000, 5000, fill, salt, Dtype::Int8);
        let (operands, unit) = (Operands::new(matrix(0), matrix(1)), MacUnit::new(Dtype::Int8));
        let mut carried = CarriedSums::new(SumOf::Register, 0..32, 0..32);
        carried.go_to(&schedule, Cycle(4000), u64::MAX);
        let first = carried.missing();
        carried.work(&operands, unit, u64::MAX);
        carried.go_to(&schedule, Cycle(4001), u64::MAX);
        assert!(carried.missing() <= 1024 && first >= 16 * 1024, "{dataflow:?}: {first}, then {}", carried.missing());
        carried.work(&operands, unit, u64::MAX);
        carried.go_to(&schedule, Cycle(4001), u64::MAX);
        assert_eq!(carried.missing(), 0, "{dataflow:?}");
    }
}
