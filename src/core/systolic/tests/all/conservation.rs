//! Tests that every PE-cycle is counted once, and that the constant-time counts equal a walk over all PEs and cycles.

use crate::common::{cases, runner};
use proptest::{prop_assert, prop_assert_eq};
use systolic::{Activity, Census, Cycle, EventKind, Hold, PeCycles, PeId, Prober, Schedule, Slot, Tally};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn walk_census(schedule: &Schedule, cycle: Cycle) -> Census {
    let mut census = Census::default();
    for pe in schedule.array().iter() {
        *match schedule.activity(cycle, pe) {
            Activity::Unmapped => &mut census.unmapped,
            Activity::Loading => &mut census.loading,
            Activity::Waiting => &mut census.waiting,
            Activity::Useful => &mut census.useful,
            Activity::OnPadding => &mut census.on_padding,
            Activity::Done => &mut census.done,
            Activity::Stalled => &mut census.stalled,
        } += 1;
    }
    census
}

fn add_cycle(tally: &mut Tally, schedule: &Schedule, cycle: Cycle) {
    for pe in schedule.array().iter() {
        *match schedule.slot(cycle, pe) {
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
fn the_useful_work_of_each_pe_equals_a_walk_over_every_cycle() {
    runner(200)
        .run(&cases(), |case| {
            let schedule = case.schedule;
            let mut walked = vec![0u64; schedule.array().iter().count()];
            for cycle in (0..schedule.cycles().get()).map(Cycle) {
                for (count, pe) in walked.iter_mut().zip(schedule.array().iter()) {
                    *count += u64::from(schedule.slot(cycle, pe) == Slot::Useful);
                    prop_assert_eq!(schedule.useful_of(cycle, pe).get(), *count, "{:?} in {:?}", pe, cycle);
                }
                let mut all = Vec::new();
                schedule.each_useful(cycle, |useful| all.push(useful.get()));
                prop_assert_eq!(&all, &walked, "all PEs in {:?}", cycle);
            }
            prop_assert_eq!(walked.iter().sum::<u64>(), schedule.gemm().macs().get());
            Ok(())
        })
        .expect("every multiply-accumulate has its PE");
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

/// Counts the PEs that multiply for a fold at a cycle. Returns 0 outside the run.
fn busy_for(schedule: &Schedule, fold: u64, cycle: Option<u64>) -> u64 {
    let Some(cycle) = cycle.filter(|&cycle| cycle <= schedule.last_cycle().get()).map(Cycle) else { return 0 };
    let multiplies = |pe: PeId| matches!(schedule.activity(cycle, pe), Activity::Useful | Activity::OnPadding);
    schedule.array().iter().filter(|&pe| schedule.fold_at(cycle, pe).index == fold && multiplies(pe)).count() as u64
}

#[test]
fn events_are_what_their_names_say() {
    runner(400)
        .run(&cases(), |case| {
            let schedule = case.schedule;
            for index in 0..schedule.folds() {
                let fold = schedule.fold(index);
                let events = schedule.events_of(&fold);
                let has = |kind: EventKind| events.iter().filter(|event| event.kind == kind).count();
                let once = [EventKind::FoldStart, EventKind::FirstMac, EventKind::FirstResult, EventKind::LastMac];
                prop_assert!(once.into_iter().all(|kind| has(kind) == 1), "{:?}", events);
                prop_assert_eq!(has(EventKind::End), usize::from(index + 1 == schedule.folds()));
                prop_assert!(events.is_sorted(), "{:?}", events);
                if schedule.slow_edge().is_none() {
                    let is_full = |cycle: u64| busy_for(&schedule, index, Some(cycle)) == fold.mapped.pes();
                    let ever = (0..schedule.cycles().get()).any(is_full);
                    prop_assert_eq!(has(EventKind::ArrayFull), usize::from(ever));
                }
                for event in events {
                    let at = event.cycle.get();
                    let before = busy_for(&schedule, index, at.checked_sub(1));
                    let now = busy_for(&schedule, index, Some(at));
                    let after = busy_for(&schedule, index, Some(at + 1));
                    match event.kind {
                        EventKind::FoldStart => prop_assert_eq!(event.cycle, schedule.fold_start(index)),
                        EventKind::FirstMac => prop_assert_eq!((before, now), (0, 1)),
                        EventKind::ArrayFull => {
                            prop_assert_eq!(now, fold.mapped.pes());
                            prop_assert!(before < now);
                        }
                        EventKind::LastMac => prop_assert!(now >= 1 && after == 0),
                        EventKind::FirstResult => {
                            let operands = case.operands();
                            let prober = Prober::new(&schedule, &operands, case.unit);
                            let row = match schedule.dataflow().hold() {
                                Hold::Operand => schedule.array().rows() - 1,
                                Hold::Result => 0,
                            };
                            let sum = |cycle| prober.at(cycle, PeId::new(row, 0)).sum;
                            let (first, place) = (sum(event.cycle), fold_place(&schedule, index));
                            let first = first.expect("a result");
                            prop_assert_eq!(
                                (first.terms, (first.row, first.col, first.k_from)),
                                (first.terms_max, place)
                            );
                            let earlier = at.checked_sub(1).and_then(|at| sum(Cycle(at)));
                            let is_new = earlier.is_none_or(|earlier| {
                                earlier.terms < earlier.terms_max
                                    || (earlier.row, earlier.col, earlier.k_from)
                                        != (first.row, first.col, first.k_from)
                            });
                            prop_assert!(is_new, "the first result was there before");
                        }
                        EventKind::End => prop_assert_eq!(event.cycle, schedule.last_cycle()),
                    }
                }
            }
            Ok(())
        })
        .expect("events happen when they are said to");
}

/// Returns m, n and k of the first product of the corner PE in a fold.
fn fold_place(schedule: &Schedule, index: u64) -> (u64, u64, u64) {
    let fold = schedule.fold(index);
    let mkn = schedule.mkn(&fold, PeId::new(0, 0), 0).expect("mapped");
    (mkn.m, mkn.n, mkn.k)
}

#[test]
fn the_first_useful_cycle_of_a_pe_is_found_by_asking_each_cycle() {
    runner(200)
        .run(&cases(), |case| {
            let schedule = case.schedule;
            for pe in schedule.array().iter() {
                let useful = |cycle: &Cycle| schedule.activity(*cycle, pe) == Activity::Useful;
                let asked = (0..schedule.cycles().get()).map(Cycle).find(useful);
                prop_assert_eq!(schedule.first_useful(pe), asked, "{:?}", pe);
            }
            Ok(())
        })
        .expect("the first fold uses the most PEs");
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
            let folds = (0..schedule.folds()).flat_map(|index| schedule.events_of(&schedule.fold(index)));
            let all: std::collections::BTreeSet<Cycle> = folds.map(|event| event.cycle).collect();
            prop_assert_eq!(&forward, &all.iter().copied().filter(|&at| at > Cycle(0)).collect::<Vec<_>>());
            prop_assert_eq!(&backward, &forward);
            prop_assert_eq!(at, Cycle(0));
            Ok(())
        })
        .expect("jumps are inverse");
}
