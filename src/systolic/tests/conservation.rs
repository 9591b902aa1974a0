//! Every PE-cycle is counted once, and the constant-time counts equal a walk over all PEs and cycles.

mod common;

use common::{cases, runner};
use proptest::prop_assert_eq;
use systolic::{Activity, Census, Cycle, EventKind, PeCycles, Schedule, Slot, Tally};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn walk_census(schedule: &Schedule, cycle: Cycle) -> Census {
    let moment = schedule.locate(cycle);
    let mut census = Census::default();
    for pe in schedule.array().iter() {
        *match schedule.activity(&moment, pe) {
            Activity::Unmapped => &mut census.unmapped,
            Activity::Loading => &mut census.loading,
            Activity::Waiting => &mut census.waiting,
            Activity::Useful => &mut census.useful,
            Activity::OnPadding => &mut census.on_padding,
            Activity::Done => &mut census.done,
        } += 1;
    }
    census
}

fn add_cycle(tally: &mut Tally, schedule: &Schedule, cycle: Cycle) {
    let moment = schedule.locate(cycle);
    for pe in schedule.array().iter() {
        *match schedule.slot(&moment, pe) {
            Slot::Useful => &mut tally.useful,
            Slot::Padding => &mut tally.padding,
            Slot::Load => &mut tally.load,
            Slot::Fill => &mut tally.fill,
            Slot::Drain => &mut tally.drain,
            Slot::Stall => &mut tally.stall,
        } += PeCycles(1);
    }
}

#[test]
fn census_and_tally_equal_a_walk_over_every_pe_and_cycle() {
    runner(400)
        .run(&cases(), |case| {
            let schedule = case.schedule;
            let mut walked = Tally::default();
            for cycle in (0..schedule.cycles().get()).map(Cycle) {
                prop_assert_eq!(schedule.census(cycle), walk_census(&schedule, cycle));
                add_cycle(&mut walked, &schedule, cycle);
                prop_assert_eq!(schedule.tally_until(cycle), walked);
            }
            prop_assert_eq!(schedule.tally(), walked);
            prop_assert_eq!(walked.total(), schedule.pe_cycles());
            prop_assert_eq!(walked.useful.get(), schedule.gemm().macs().get());
            Ok(())
        })
        .expect("the accounts close");
}

#[test]
fn useful_work_is_the_problem_however_large() {
    let gemm = systolic::Gemm::new(8192, 8192, 8192).expect("in range");
    let array = systolic::ArrayShape::new(128, 128).expect("in range");
    for dataflow in systolic::Dataflow::ALL {
        let schedule = Schedule::new(gemm, array, dataflow, systolic::Padding::Ragged).expect("in range");
        assert_eq!(schedule.tally().useful.get(), gemm.macs().get());
        assert_eq!(schedule.tally().total(), schedule.pe_cycles());
        assert_eq!(schedule.tally_until(schedule.last_cycle()), schedule.tally());
    }
}

#[test]
fn events_are_what_their_names_say() {
    runner(400)
        .run(&cases(), |case| {
            let schedule = case.schedule;
            for index in 0..schedule.folds() {
                let fold = schedule.fold(index);
                for event in schedule.events_of(&fold) {
                    let census = |cycle| walk_census(&schedule, cycle);
                    let busy = |census: Census| census.useful + census.on_padding;
                    let now = busy(census(event.cycle));
                    let in_fold = event.cycle > schedule.fold_start(index);
                    let before = if in_fold { busy(census(Cycle(event.cycle.get() - 1))) } else { 0 };
                    match event.kind {
                        EventKind::FoldStart => prop_assert_eq!(event.cycle, schedule.fold_start(index)),
                        EventKind::FirstMac => prop_assert_eq!((before, now), (0, 1)),
                        EventKind::ArrayFull => {
                            prop_assert_eq!(now, fold.mapped.pes());
                            proptest::prop_assert!(before < now);
                        }
                        EventKind::LastMac => {
                            proptest::prop_assert!(now >= 1);
                            let after = busy(census(Cycle(event.cycle.get() + 1)));
                            if event.cycle.get() + 1
                                < schedule.fold_start(index).get() + schedule.cycles_per_fold().get()
                            {
                                prop_assert_eq!(after, 0);
                            }
                        }
                        EventKind::FirstResult => {
                            let prober_operands = case.operands();
                            let prober = systolic::Prober::new(&schedule, &prober_operands, case.unit);
                            let row = match schedule.dataflow().hold() {
                                systolic::Hold::Operand => schedule.array().rows() - 1,
                                systolic::Hold::Result => 0,
                            };
                            let sum = prober.at(event.cycle, systolic::PeId::new(row, 0)).sum.expect("a result");
                            prop_assert_eq!(sum.terms, sum.terms_max);
                        }
                        EventKind::End => prop_assert_eq!(event.cycle, schedule.last_cycle()),
                    }
                }
            }
            Ok(())
        })
        .expect("events happen when they are said to");
}

#[test]
fn jumping_between_events_visits_the_same_events_both_ways() {
    runner(200)
        .run(&cases(), |case| {
            let schedule = case.schedule;
            let mut forward = vec![];
            let mut at = Cycle(0);
            while let Some(event) = schedule.event_after(at) {
                at = event.cycle;
                forward.push(at);
            }
            let mut backward = vec![];
            while let Some(event) = schedule.event_before(at) {
                backward.push(at);
                at = event.cycle;
            }
            backward.reverse();
            prop_assert_eq!(forward, backward);
            prop_assert_eq!(at, Cycle(0));
            Ok(())
        })
        .expect("jumps are inverse");
}
