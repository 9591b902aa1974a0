//! Tests that the content of a register was at its stated origin, and that it is later at its stated destination.

use crate::common::{Case, cases, runner};
use proptest::prelude::*;
use systolic::{Cycle, Element, Hold, Next, Origin, Probe, Prober, Register};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const OPERANDS: [Register; 4] = [Register::Held, Register::Shadow, Register::East, Register::South];

fn operand(probe: &Probe, register: Register) -> Option<Element> {
    match register {
        Register::Held => probe.held,
        Register::Shadow => probe.shadow,
        Register::East => probe.east,
        Register::South => probe.south,
        Register::Sum => None,
    }
}

fn check(case: &Case) -> Result<(), TestCaseError> {
    let schedule = &case.schedule;
    let operands = case.operands();
    let prober = Prober::new(schedule, &operands, case.unit);
    let last = schedule.last_cycle();
    for cycle in (0..=last.get()).map(Cycle) {
        for pe in schedule.array().iter() {
            let probe = prober.at(cycle, pe);
            // Every term of a sum was multiplied at its stated place and time. The list has all terms in order.
            let terms = schedule.terms(cycle, pe);
            prop_assert_eq!(terms.len() as u64, probe.sum.map_or(0, |sum| sum.terms));
            for (step, term) in (0..).zip(&terms) {
                prop_assert_eq!(schedule.mac(term.cycle, term.pe), Some(term.mkn));
                prop_assert_eq!(schedule.term(term.mkn), *term);
                let sum = probe.sum.expect("there are terms");
                prop_assert_eq!((term.mkn.m, term.mkn.n, term.mkn.k), (sum.row, sum.col, sum.k_from + step));
            }
            for register in OPERANDS {
                let here = operand(&probe, register);
                let (origin, next) = (schedule.origin(cycle, pe, register), schedule.next(cycle, pe, register));
                prop_assert_eq!(origin.is_some(), here.is_some(), "{:?} {} {:?}", register, cycle, pe);
                prop_assert_eq!(next.is_some(), here.is_some(), "{:?} {} {:?}", register, cycle, pe);
                let (Some(here), Some(Origin { edge, port, cycle: entered }), Some(next)) = (here, origin, next) else {
                    continue;
                };
                let mut came = None;
                schedule.port_events(entered, |event| {
                    if (event.edge, event.port, event.operand) == (edge, port, here.operand) {
                        came = Some((event.i, event.j));
                    }
                });
                prop_assert_eq!(came, Some((here.row, here.col)), "{:?} {} {:?}", register, cycle, pe);
                let found = |at: Cycle, to, register| operand(&prober.at(at, to), register);
                match next {
                    Next::Moves { at, .. } | Next::IsTakenOver { at } if at > last => {}
                    Next::Moves { to, at } => {
                        prop_assert!(at > cycle);
                        prop_assert_eq!(found(at, to, register), Some(here), "{:?} {} {:?}", register, cycle, pe);
                    }
                    Next::IsTakenOver { at } => prop_assert_eq!(found(at, pe, Register::Held), Some(here)),
                    Next::Stays if cycle < last && register == Register::Held => {
                        let after = found(Cycle(cycle.get() + 1), pe, register);
                        // With double buffering, the next fold overwrites the held element.
                        let is_new = schedule.fold_at(Cycle(cycle.get() + 1), pe) != schedule.fold_at(cycle, pe);
                        prop_assert!(after == Some(here) || is_new, "{} {:?}: {:?}", cycle, pe, after);
                    }
                    Next::Stays | Next::IsDropped => {}
                    Next::Leaves { .. } => prop_assert!(false, "an operand does not leave as a result"),
                }
            }
            let Some(sum) = probe.sum else {
                prop_assert_eq!(schedule.next(cycle, pe, Register::Sum), None);
                continue;
            };
            let place = |probe: &Probe| probe.sum.map(|sum| (sum.row, sum.col, sum.k_from));
            let flows = schedule.dataflow().hold() == Hold::Operand;
            match schedule.next(cycle, pe, Register::Sum).expect("a sum goes somewhere") {
                Next::Moves { to, at } if at <= last => {
                    prop_assert_eq!(place(&prober.at(at, to)), Some((sum.row, sum.col, sum.k_from)));
                }
                Next::Stays if cycle < last => {
                    let after = prober.at(Cycle(cycle.get() + 1), pe);
                    prop_assert_eq!(place(&after), Some((sum.row, sum.col, sum.k_from)), "{} {:?}", cycle, pe);
                }
                Next::Leaves { through, .. } => {
                    prop_assert_eq!(sum.terms, sum.terms_max);
                    prop_assert!(!flows || (through.is_some() && pe.row + 1 == schedule.array().rows()));
                }
                Next::Moves { .. } | Next::Stays => {}
                Next::IsTakenOver { .. } | Next::IsDropped => prop_assert!(false, "a sum is not lost"),
            }
        }
    }
    Ok(())
}

#[test]
fn every_content_comes_from_its_origin_and_goes_to_its_next_place() {
    runner(600).run(&cases(), |case| check(&case)).expect("provenance is true");
}
