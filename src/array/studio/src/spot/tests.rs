//! Compares lists of terms with the register machine, which uses none of the formulas behind the lists.

use super::*;
use crate::{Link, whereabouts};
use proptest::prelude::*;
use systolic::{Lane, Machine, Registers, Vectors};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Returns the registers of every PE after each clock edge.
fn machine_registers(plan: &Plan) -> Vec<Vec<Registers>> {
    let schedule = plan.schedule();
    dispatch_lane!(plan.unit(), lane => {
        let vectors = Vectors::new(lane, schedule, plan.operands());
        let mut machine = Machine::new(schedule, &vectors, None);
        let cycles = 0..schedule.cycles().get();
        cycles
            .map(|_| {
                machine.tick();
                schedule.array().iter().map(|pe| machine.registers(pe)).collect()
            })
            .collect()
    })
}

fn runs(check: impl Fn(&Plan) -> Result<(), TestCaseError>) {
    let config = proptest::test_runner::Config { cases: 60, failure_persistence: None, ..Default::default() };
    let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[7; 32]);
    let designs = ["", "&overlap=double-buffered", "&load=diagonal", "&drain=south", "&mul=registered"];
    let shapes = (1u64..6, 1u64..6, 1u64..8, 1u64..12, 1u64..8, 0usize..3, 0usize..designs.len(), 0usize..8);
    proptest::test_runner::TestRunner::new_with_rng(config, rng)
        .run(&shapes, |(rows, cols, m, k, n, dataflow, design, adder)| {
            let dataflow = ["ws", "os", "is"][dataflow];
            let design = designs[design];
            // An adder of blocks needs whole tiles of k. Small numbers have exact sums with each adder. With fewer than 32
            // rows, `tpu` has the usual order.
            let adder = ["tpu", "h100", "v100"].get(adder);
            let (rows, k) = adder.map_or((rows, k), |_| (32, 32 * (1 + k % 2)));
            let format = match adder {
                None => "dt=int8".to_owned(),
                Some(adder) => {
                    let dtype = if *adder == "v100" { "f16" } else { "bf16" };
                    let order = if dataflow == "os" { "" } else { "&ktiles=down" };
                    format!("dt={dtype}&adder={adder}{order}")
                }
            };
            let query = format!("rows={rows}&cols={cols}&m={m}&k={k}&n={n}&df={dataflow}&{format}{design}");
            let scenario = Link::parse(&query, "").scenario;
            // Not every dataflow has every design.
            Plan::new(&scenario).map_or(Ok(()), |plan| check(&plan))
        })
        .expect("every list is right");
}

/// Returns the product of the step's operands, which are whole numbers.
fn product_of(step: &Step) -> f64 {
    step.a.value.as_f64() * step.b.value.as_f64()
}

#[test]
fn the_terms_of_an_element_of_c_add_up_to_it_and_the_machine_holds_their_operands_then_and_there() {
    runs(|plan| {
        let (schedule, registers) = (plan.schedule(), machine_registers(plan));
        let gemm = schedule.gemm();
        let product: Vec<Value> = dispatch_lane!(plan.unit(), lane => {
            systolic::product(lane, schedule, plan.operands(), |_| {}).into_iter().map(|sum| lane.sum(sum)).collect()
        });
        for (index, (m, n)) in (0..gemm.m()).flat_map(|m| (0..gemm.n()).map(move |n| (m, n))).enumerate() {
            let found =
                trace(plan, plan.last(), PointedValue::Element(Operand::C, m, n), usize::MAX).expect("an element");
            prop_assert_eq!((found.n_steps, found.n_done), (schedule.run().k(), schedule.run().k()));
            prop_assert_eq!(found.value, product.get(index).copied());
            let sum: f64 = found.steps.iter().map(product_of).sum();
            prop_assert_eq!(Some(sum), found.value.map(Value::as_f64));
            let in_order = found.steps.windows(2).all(|steps| {
                let [first, second] = [&steps[0], &steps[1]].map(|step| step.term.cycle);
                first < second
            });
            prop_assert!(in_order, "terms of c[{}, {}]: {:?}", m, n, plan.scenario());
            for step in &found.steps {
                let cycle = usize::try_from(step.term.cycle.get()).expect("small");
                let pe = step.term.pe;
                let held = &registers[cycle][(pe.row * schedule.array().cols() + pe.col) as usize];
                let found = [held.east, held.held.or(held.south)].map(|value| value.map(Value::as_f64));
                let mut wanted = [Some(step.a.value.as_f64()), Some(step.b.value.as_f64())];
                if schedule.dataflow().from_west() != Operand::A {
                    wanted.reverse();
                }
                prop_assert_eq!(found, wanted, "{:?}", step);
            }
        }
        Ok(())
    });
}

#[test]
fn at_every_cycle_a_sum_is_that_of_its_terms_and_an_element_is_as_far_as_its_growth() {
    runs(|plan| {
        let schedule = plan.schedule();
        let run = schedule.run();
        for cycle in (0..=plan.last().get()).map(Cycle) {
            for pe in schedule.array().iter() {
                for spot in PointedValue::all_of(plan, cycle, pe) {
                    let found = trace(plan, cycle, spot, usize::MAX).expect("what is there has a trace");
                    let sum: f64 = found.steps.iter().filter(|step| step.is_done).map(product_of).sum();
                    let value = found.value.map(Value::as_f64);
                    match spot {
                        PointedValue::Sum(_) => {
                            let start = found.start.map_or(0.0, Value::as_f64);
                            prop_assert_eq!(value, Some(start + sum), "{:?}", plan.scenario());
                        }
                        PointedValue::Element(Operand::C, ..) => prop_assert_eq!(value, Some(sum)),
                        PointedValue::Element(..) => prop_assert!(found.now.is_some(), "{:?} {:?}", spot, pe),
                        PointedValue::Product(pe) => prop_assert_eq!(found.steps[0].term.pe, pe),
                    }
                }
            }
            let growth = whereabouts::results(plan, cycle);
            for (nth, (m, n)) in (0..run.m()).flat_map(|m| (0..run.n()).map(move |n| (m, n))).enumerate() {
                let found = trace(plan, cycle, PointedValue::Element(Operand::C, m, n), 0).expect("an element");
                prop_assert_eq!(found.n_done, growth[nth].terms);
                prop_assert_eq!(complete_at(plan, m, n) <= cycle, growth[nth].is_complete);
            }
        }
        Ok(())
    });
}
