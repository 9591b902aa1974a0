//! Compares the states of elements with the registers of the machine.

use super::*;
use crate::Link;
use proptest::prelude::*;
use std::collections::BTreeSet;
use systolic::{Lane, Ports, Rate, dispatch_lane, product};

/// Returns runs of every dataflow with folds, overlap, drains, padding and slower hops.
fn plans() -> impl Strategy<Value = Plan> {
    let sides = (1u64..6, 1u64..6, 1u64..9, 1u64..9, 1u64..9);
    let design = (0usize..3, 0usize..2, 0usize..3, 0usize..3, 0u32..7, 0usize..8);
    (sides, design).prop_map(|((rows, cols, m, k, n), (dataflow, overlap, drain, padding, fed, adder))| {
        // An adder of blocks needs whole tiles of k, and `tpu` needs k along the rows.
        let adder = ["tpu", "h100"].get(adder).copied().unwrap_or("f32");
        let (rows, k) = if adder == "f32" { (rows, k) } else { (32, 32 * (1 + k % 2)) };
        let dataflow = if adder == "tpu" { 2 * (dataflow % 2) } else { dataflow };
        let overlap = if adder == "h100" { 0 } else { overlap };
        let dataflow = ["ws", "os", "is"][dataflow];
        let overlap = ["", "&overlap=double-buffered"][overlap];
        let drain = ["", "&drain=south", ""][drain];
        let padding = ["ragged", "zero", "ragged"][padding];
        let format = match (adder, dataflow) {
            ("f32", _) => "int8",
            ("tpu", _) => "bf16&adder=tpu&ktiles=down",
            _ => "bf16&adder=h100",
        };
        let design = format!("df={dataflow}&pad={padding}{overlap}{drain}");
        let query = format!("rows={rows}&cols={cols}&m={m}&k={k}&n={n}&{design}&dt={format}");
        let link = Link::parse(&query, "");
        assert!(link.notices.is_empty(), "{query}: {:?}", link.notices);
        // In every other run, B arrives more slowly than the array can read it, as from memory.
        let rate = Rate::new(fed + 1, 2).filter(|_| fed < 4);
        let ports = match link.scenario.dataflow.from_west() {
            Operand::B => Ports { west: rate, ..Ports::default() },
            Operand::A | Operand::C => Ports { north: rate, ..Ports::default() },
        };
        Plan::new(&link.scenario).expect("a run").with_ports(ports)
    })
}

fn run(check: impl Fn(&Plan, Cycle) -> Result<(), TestCaseError>) {
    let config = proptest::test_runner::Config { cases: 60, failure_persistence: None, ..Default::default() };
    let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[9; 32]);
    proptest::test_runner::TestRunner::new_with_rng(config, rng)
        .run(&plans(), |plan| (0..=plan.last().get()).try_for_each(|cycle| check(&plan, Cycle(cycle))))
        .expect("the matrices agree with the registers");
}

fn all(plan: &Plan, cycle: Cycle, operand: Operand, wanted: Whereabouts) -> BTreeSet<(u64, u64)> {
    let (_, cols) = extent(plan.schedule().run(), operand);
    let states = operands(plan, cycle, operand);
    let places = (0..).map(|index: u64| (index / cols, index % cols));
    states.into_iter().zip(places).filter(|(state, _)| *state == wanted).map(|(_, place)| place).collect()
}

#[test]
fn an_element_is_inside_when_a_register_of_a_pe_has_it() {
    run(|plan, cycle| {
        let array = plan.schedule().array();
        let mut registers = [BTreeSet::new(), BTreeSet::new()];
        for pe in (0..array.rows()).flat_map(|row| (0..array.cols()).map(move |col| PeId::new(row, col))) {
            let probe = plan.prober().without_sum(cycle, pe);
            for element in [probe.held, probe.shadow, probe.east, probe.south].into_iter().flatten() {
                let (rows, cols) = extent(plan.schedule().run(), element.operand);
                if element.row < rows && element.col < cols {
                    registers[element.operand as usize].insert((element.row, element.col));
                }
            }
        }
        for operand in [Operand::A, Operand::B] {
            let inside = all(plan, cycle, operand, Whereabouts::Inside);
            prop_assert_eq!(&inside, &registers[operand as usize], "{:?} {:?} {:?}", operand, cycle, plan.scenario());
        }
        Ok(())
    });
}

#[test]
fn an_element_goes_from_memory_through_its_registers_into_the_pes() {
    run(|plan, cycle| {
        if cycle == plan.last() {
            return Ok(());
        }
        for operand in [Operand::A, Operand::B] {
            let (now, then) = (operands(plan, cycle, operand), operands(plan, cycle.after(Cycles(1)), operand));
            for (now, then) in now.into_iter().zip(then) {
                use Whereabouts::{Inside, Next, Passed, Queued, Waiting};
                let is_step = match now {
                    Waiting => matches!(then, Waiting | Next),
                    Next | Queued => matches!(then, Queued | Inside),
                    // Between two folds that read it, an element goes back to memory.
                    Inside => matches!(then, Inside | Passed | Waiting | Next | Queued),
                    Passed => then == Passed,
                };
                prop_assert!(is_step, "{:?} {:?} to {:?} {:?} {:?}", operand, now, then, cycle, plan.scenario());
            }
        }
        Ok(())
    });
}

#[test]
fn an_element_of_c_is_complete_when_the_last_pe_of_its_way_has_its_value() {
    run(|plan, cycle| {
        let schedule = plan.schedule();
        let (run, gemm) = (schedule.run(), schedule.gemm());
        let unit = plan.unit();
        let values: Vec<_> = dispatch_lane!(unit, lane => {
            product(lane, schedule, plan.operands(), |_| {}).into_iter().map(|sum| lane.sum(sum)).collect()
        });
        let growth = results(plan, cycle);
        let mut n = 0;
        for (m, col) in (0..gemm.m()).flat_map(|m| (0..gemm.n()).map(move |n| (m, n))) {
            let place = |cols: u64| usize::try_from(m * cols + col).expect("small");
            let growth = growth[place(run.n())];
            n += u64::from(growth.is_complete);
            prop_assert!(growth.terms <= run.k() && (!growth.is_complete || growth.terms == run.k()));
            if growth.is_new && schedule.folds_per_result() == 1 {
                let (fold, pe, _) = schedule.place_of(Mkn { m, k: run.k() - 1, n: col });
                let flows = schedule.dataflow().hold() == Hold::Operand;
                let pe = if flows { PeId::new(schedule.array().rows() - 1, pe.col) } else { pe };
                let sum = plan.prober().at(cycle, pe).sum;
                prop_assert_eq!(
                    sum.map(|sum| (sum.row, sum.col, sum.value)),
                    Some((m, col, values[place(gemm.n())])),
                    "{:?} fold {} {:?}",
                    cycle,
                    fold.index,
                    plan.scenario()
                );
            }
        }
        prop_assert_eq!(n_complete(plan, cycle), (n, gemm.m() * gemm.n()), "{:?} {:?}", cycle, plan.scenario());
        if cycle == plan.last() {
            prop_assert_eq!(n, gemm.m() * gemm.n(), "{:?}", plan.scenario());
        }
        Ok(())
    });
}

#[test]
fn every_complete_element_of_c_is_in_a_block_or_among_the_coming_ones_and_no_other_is() {
    run(|plan, cycle| {
        let (run, rows_down) = (plan.schedule().run(), crate::progress_blocks::axes(Operand::C).0);
        let mut shown = BTreeSet::new();
        for block in crate::progress_blocks::progress_blocks(plan, cycle) {
            if block.operand == Operand::C && !block.is_partial {
                shown.extend(
                    (block.rows.0..block.rows.1)
                        .flat_map(|row| (block.cols.0..block.cols.1).map(move |col| (row, col))),
                );
            }
        }
        for coming in coming_results(plan, cycle).into_iter().filter(|coming| !coming.is_partial) {
            for band in coming.bands {
                let place = |at| if coming.lanes == rows_down { (band.lane, at) } else { (at, band.lane) };
                shown.extend((band.from..band.to).map(place));
            }
        }
        let places = (0..run.m()).flat_map(|m| (0..run.n()).map(move |n| (m, n)));
        for ((m, n), growth) in places.zip(results(plan, cycle)) {
            // A block shows a sum from the clock edge at which its last operands meet. A latched product arrives one
            // edge later.
            let is_shown = shown.contains(&(m, n));
            prop_assert!(
                is_shown == growth.is_complete || is_shown && product_delay(plan) > 0,
                "{:?} {:?} {:?}",
                (m, n),
                cycle,
                plan.scenario()
            );
        }
        Ok(())
    });
}

#[test]
fn a_band_has_the_elements_that_are_inside() {
    run(|plan, cycle| {
        let schedule = plan.schedule();
        let moving = [schedule.dataflow().from_west(), Operand::B];
        for operand in moving.into_iter().filter(|&operand| operand != schedule.dataflow().stationary()) {
            let inside = all(plan, cycle, operand, Whereabouts::Inside);
            let (down, _) = crate::progress_blocks::axes(operand);
            let is_down = down == schedule.mapping().time;
            for band in band(plan, cycle, operand) {
                for wave in band.from..band.to {
                    let place = if is_down { (wave, band.lane) } else { (band.lane, wave) };
                    prop_assert!(inside.contains(&place), "{:?} {:?} {:?} {:?}", operand, band, cycle, plan.scenario());
                }
            }
        }
        Ok(())
    });
}

#[test]
fn the_bands_of_rows_in_another_order_are_sampled_where_their_edges_bend() {
    let query = "rows=32&cols=2&m=40&k=64&n=2&dt=bf16&adder=tpu&ktiles=down";
    let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
    let mut n_inside = 0;
    for cycle in (0..=plan.last().get()).map(Cycle) {
        let (inside, bands) = (all(&plan, cycle, Operand::A, Whereabouts::Inside), band(&plan, cycle, Operand::A));
        let lanes: Vec<u64> = bands.iter().map(|band| band.lane % 32).collect();
        assert_eq!(lanes, [0, 7, 8, 15, 16, 23, 24, 31], "{cycle:?}");
        for band in bands {
            let shown: BTreeSet<_> = (band.from..band.to).map(|m| (m, band.lane)).collect();
            let of_lane: BTreeSet<_> = inside.iter().copied().filter(|(_, k)| *k == band.lane).collect();
            assert_eq!(shown, of_lane, "{cycle:?} {band:?}");
            n_inside += shown.len();
        }
    }
    assert!(n_inside > 1000, "{n_inside}");
}

#[test]
fn an_element_alone_is_where_it_is_among_all() {
    run(|plan, cycle| {
        let run = plan.schedule().run();
        let places = |operand| {
            let (rows, cols) = extent(run, operand);
            (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)))
        };
        for operand in [Operand::A, Operand::B] {
            let alone: Vec<Whereabouts> = places(operand).map(|at| one::operand(plan, cycle, operand, at)).collect();
            prop_assert_eq!(alone, operands(plan, cycle, operand), "{:?} {:?}", operand, plan.scenario());
        }
        let alone: Vec<ResultProgress> = places(Operand::C).map(|at| one::result(plan, cycle, at)).collect();
        prop_assert_eq!(alone, results(plan, cycle), "{:?}", plan.scenario());
        Ok(())
    });
}
