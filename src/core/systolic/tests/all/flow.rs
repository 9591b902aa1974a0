//! Tests of dataflows that a person chooses: their text, their array, and the goals.

use std::collections::BTreeSet;

use systolic::flow::{FaultKind, Flow, FlowRun, Goal, Label, Meeting, Mirror, Move};
use systolic::prelude::*;
use systolic::{Cycle, Cycles, Drain, Elements, Mkn, Operand};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::flow_agreement::all_flows;

fn gemm([m, k, n]: [u64; 3]) -> Gemm {
    Gemm::new(m, k, n).expect("small")
}

/// Returns a run of small numbers with seed 7, as on the first screen.
fn run(flow: Flow, sides: [u64; 3]) -> FlowRun {
    let operands = Operands::filled(gemm(sides), Fill::Small { seed: 7 }, Dtype::Int8);
    FlowRun::new(flow, gemm(sides), &operands).expect("small")
}

fn flow(text: &str) -> Flow {
    text.parse().expect("a flow")
}

fn unit_flows() -> impl Iterator<Item = Flow> {
    all_flows().filter(|flow| ![flow.a, flow.b, flow.sums].iter().any(|motion| motion.is_broadcast()))
}

fn sides_to_4(from: u64) -> impl Iterator<Item = [u64; 3]> {
    let pairs = (from..=4).flat_map(move |m| (from..=4).map(move |k| (m, k)));
    pairs.flat_map(move |(m, k)| (from..=4).map(move |n| [m, k, n]))
}

#[test]
fn the_text_of_each_flow_gives_the_flow_again() {
    let texts: BTreeSet<String> = all_flows().map(|flow| flow.to_string()).collect();
    assert_eq!(texts.len(), 343 * 9);
    for flow in all_flows() {
        assert_eq!(flow.to_string().parse(), Ok(flow));
    }
}

#[test]
fn an_error_names_the_part_and_what_is_allowed() {
    let error = |text: &str| text.parse::<Flow>().unwrap_err().to_string();
    assert_eq!(error("east,stays,south,1"), "flow = east,stays,south,1: use a,b,sums,row_delay,col_delay");
    assert!(error("east,stays,south,1,1,1").starts_with("flow = east"));
    let moves = "stays, east, south, west, north, along-row, along-col";
    assert_eq!(error("up,stays,south,1,1"), format!("a = up: use {moves}"));
    assert_eq!(error("east,stays,,1,1"), format!("sums = : use {moves}"));
    assert_eq!(error("east,stays,south,3,1"), "row_delay = 3: use 0 to 2");
    assert_eq!(error("east,stays,south,1,01"), "col_delay = 01: use 0 to 2");
    assert_eq!(error("east,stays,south,1,-1"), "col_delay = -1: use 0 to 2");
    let long = FlowRun::new(
        flow("east,stays,south,1,1"),
        gemm([9, 4, 4]),
        &Operands::filled(gemm([9, 4, 4]), Fill::Counting, Dtype::Int8),
    );
    assert_eq!(long.map(|_| ()).map_err(|error| error.to_string()), Err("m = 9: use 1 to 8".to_owned()));
}

#[test]
fn each_dataflow_has_eight_images() {
    let images: Vec<(Dataflow, Mirror)> = unit_flows().filter_map(Flow::image).collect();
    assert_eq!(images.len(), 24);
    for dataflow in Dataflow::ALL {
        let named = Flow::named(dataflow);
        assert_eq!(named.dataflow(), Some(dataflow));
        assert_eq!(named.image(), Some((dataflow, Mirror::default())));
        let of_dataflow: BTreeSet<String> = Mirror::all().map(|mirror| named.mirrored(mirror).to_string()).collect();
        assert_eq!(of_dataflow.len(), 8);
        let stays = [Operand::A, Operand::B, Operand::C].into_iter().find(|&operand| named.of(operand) == Move::Stays);
        assert_eq!(stays, Some(dataflow.stationary()));
        assert_eq!(named.of(dataflow.from_west()), Move::East);
    }
    assert_eq!(
        flow("west,stays,south,1,1").image(),
        Some((Dataflow::WeightStationary, Mirror { flips_cols: true, ..Mirror::default() }))
    );
    assert_eq!(flow("west,stays,south,1,1").dataflow(), None);
    assert_eq!(flow("east,stays,south,1,2").image(), None);
}

/// Returns the determinant of row, column and cycle as functions of m, k and n. If it is not 0, no two products share a
/// PE and a cycle.
fn determinant(flow: Flow) -> i64 {
    let [m, k, n] = [flow.b, flow.sums, flow.a].map(Move::step);
    let minor = |x: [i64; 2], y: [i64; 2]| x[0] * y[1] - x[1] * y[0];
    minor(m, k) + minor(k, n) + minor(n, m)
}

#[test]
fn with_delays_of_1_exactly_48_unit_moves_multiply_right() {
    for sides in sides_to_4(2) {
        let right: Vec<Flow> = unit_flows().filter(|flow| flow.verdict(gemm(sides)).is_right()).collect();
        let with_1: Vec<Flow> =
            right.iter().copied().filter(|flow| (flow.row_delay, flow.col_delay) == (1, 1)).collect();
        assert_eq!(with_1.len(), 48, "{sides:?}");
        assert!(with_1.iter().all(|&flow| determinant(flow) != 0));
        assert_eq!(with_1.iter().filter(|flow| flow.image().is_some()).count(), 24);
        if sides.iter().all(|&side| side >= 3) {
            assert_eq!(right.len(), 48, "no other delay: {sides:?}");
        }
    }
}

#[test]
fn if_nothing_stays_each_pe_multiplies_in_at_most_every_other_cycle() {
    let nothing_stays = unit_flows().filter(|flow| flow.image().is_none() && flow.verdict(gemm([4, 4, 4])).is_right());
    let mut n_flows = 0;
    for flow in nothing_stays {
        n_flows += 1;
        let run = run(flow, [4, 4, 4]);
        assert_eq!(run.n_wrong_sums(), 0);
        let works = |cycle: u64, pe: PeId| run.at(cycle, pe).is_some_and(|state| state.meeting == Meeting::Right);
        for pe in run.array().iter() {
            assert!((1..run.n_cycles()).all(|cycle| !(works(cycle - 1, pe) && works(cycle, pe))), "{flow}: {pe:?}");
        }
        assert_eq!((0..run.n_cycles()).map(|cycle| run.n_meetings(cycle, Meeting::Right)).sum::<u64>(), 64);
        assert_eq!(run.loading().get(), 0);
    }
    assert_eq!(n_flows, 24);
}

#[test]
fn the_three_dataflows_equal_the_runs_of_the_core_in_each_pe_and_cycle() {
    for (sides, dataflow) in [[4, 4, 4], [3, 4, 2], [1, 3, 5], [6, 1, 2]]
        .into_iter()
        .flat_map(|sides| Dataflow::ALL.map(|dataflow| (sides, dataflow)))
    {
        let flow_run = run(Flow::named(dataflow), sides);
        let array = flow_run.array();
        let schedule = |drain| {
            let design = Design { drain, ..Design::default() };
            Schedule::new(gemm(sides), array, dataflow, Padding::Ragged).expect("small").with(design).expect("small")
        };
        for drain in [Drain::InPlace, Drain::South] {
            assert_eq!(flow_run.total_cycles(drain), schedule(drain).cycles(), "{dataflow:?} {sides:?} {drain:?}");
        }
        let utilization = schedule(Drain::InPlace).tally().utilization();
        assert!((flow_run.mfu(Drain::InPlace) - utilization).abs() < 1e-12, "{dataflow:?} {sides:?}");
        let core = Run::filled(schedule(Drain::InPlace), Fill::Small { seed: 7 }, Dtype::Int8);
        for (cycle, pe) in (0..flow_run.n_cycles()).flat_map(|cycle| array.iter().map(move |pe| (cycle, pe))) {
            let probe = core.at(Cycle(cycle + flow_run.loading().get()), pe);
            let state = flow_run.at(cycle, pe).expect("inside the array");
            for operand in [Operand::A, Operand::B] {
                let expected = probe.operand(operand).map(|it| (it.row, it.col, it.value.as_f64()));
                let got = state.token(operand).map(|token| (token.label.row, token.label.col, token.value as f64));
                assert_eq!(got, expected, "{dataflow:?} {sides:?}: {operand:?} in cycle {cycle} in {pe:?}");
            }
            let expected = probe.sum.map(|sum| (sum.row, sum.col, sum.value.as_f64()));
            let got = state.token(Operand::C).map(|token| (token.label.row, token.label.col, token.value as f64));
            // A stationary sum is in its PE before its first product, with the value 0.
            let waits = dataflow == Dataflow::OutputStationary && expected.is_none();
            assert_eq!(got.filter(|_| !waits), expected, "{dataflow:?} {sides:?}: sum in cycle {cycle} in {pe:?}");
            assert!(!waits || got.is_some_and(|(.., value)| value == 0.0));
            assert_eq!(state.meeting == Meeting::Right, probe.mac.is_some());
        }
    }
}

#[test]
fn weights_without_skew_meet_the_wrong_sums() {
    let run = run(flow("east,stays,south,0,1"), [4, 4, 4]);
    assert_eq!((run.n_wrong_sums(), run.n_cycles()), (16, 10));
    let fault = run.first_fault().expect("a wrong pair");
    assert_eq!((fault.cycle, fault.pe), (1, PeId::new(1, 0)));
    let label = |operand, row, col| Label { operand, row, col };
    let (needed, came) = (label(Operand::A, 0, 1), label(Operand::A, 1, 1));
    let partner = label(Operand::C, 0, 0);
    assert_eq!(fault.kind, FaultKind::Mismatch { partner, needed, came: Some(came), early: Some(1) });
    assert_eq!([needed, came].map(|label| run.value(label)), [7, -4]);
    let counts = [Meeting::Right, Meeting::Wrong, Meeting::Alone].map(|meeting| run.n_meetings(1, meeting));
    assert_eq!(counts, [2, 1, 5]);
    let c: Vec<i64> = run.c().iter().flatten().copied().collect();
    assert_eq!(c[..8], [103, 38, -38, 4, -50, -15, 62, -42]);
    assert_eq!(run.mfu(Drain::InPlace), 0.0);
    // The elements a[2,1] and a[3,1] wait in front of row 1, without a register.
    let waiting: Vec<_> = run.waiting(Operand::A, 1, 1).map(|waiting| (waiting.token.value, waiting.cycles)).collect();
    assert_eq!((waiting, run.skew(Operand::A, 1)), (vec![(6, 1), (8, 2)], 0));
    assert_eq!([0, 1, 2, 3].map(|col| run.skew(Operand::C, col)), [0, 1, 2, 3]);
}

#[test]
fn only_delays_of_1_leave_no_wrong_sum_of_the_dataflows_and_their_swaps() {
    for dataflow in Dataflow::ALL {
        for swaps in [false, true] {
            let named = Flow::named(dataflow).mirrored(Mirror { swaps, ..Mirror::default() });
            for (row_delay, col_delay) in (0..3).flat_map(|row| (0..3).map(move |col| (row, col))) {
                let n_wrong = run(Flow { row_delay, col_delay, ..named }, [4, 4, 4]).n_wrong_sums();
                let expected = match (dataflow, swaps, row_delay, col_delay) {
                    (.., 1, 1) => 0,
                    (Dataflow::WeightStationary, false, 1, _) => 12,
                    (Dataflow::WeightStationary, false, ..) => 16,
                    _ => n_wrong.max(1),
                };
                assert_eq!(n_wrong, expected, "{dataflow:?} {swaps} {row_delay} {col_delay}");
            }
        }
    }
}

#[test]
fn figures_of_weight_stationary_and_of_its_broadcast() {
    let run_of = |text: &str| run(flow(text), [4, 4, 4]);
    let systolic = run_of("east,stays,south,1,1");
    assert_eq!((systolic.total_cycles(Drain::InPlace).get(), systolic.useful().get()), (14, 64));
    assert!((systolic.mfu(Drain::InPlace) - 64.0 / (16.0 * 14.0)).abs() < 1e-12);
    assert_eq!((systolic.registers(), systolic.skew_registers()), (Elements(48), Elements(12)));
    assert_eq!([systolic.n_wires(), systolic.longest_wire_steps(), systolic.wire_steps()], [0, 0, 0]);
    // Each row of A has one wire, and each column of sums has one adder.
    let wired = run_of("along-row,stays,along-col,0,0");
    assert_eq!((wired.n_wrong_sums(), wired.n_cycles(), wired.total_cycles(Drain::InPlace).get()), (0, 4, 8));
    assert_eq!((wired.registers(), wired.skew_registers()), (Elements(16), Elements(0)));
    assert_eq!([wired.n_wires(), wired.longest_wire_steps(), wired.wire_steps()], [8, 3, 24]);
    // If sums stay and both factors are broadcast, each cycle adds one outer product.
    let outer = run_of("along-row,along-col,stays,0,0");
    assert_eq!((outer.n_wrong_sums(), outer.n_cycles(), outer.total_cycles(Drain::South).get()), (0, 4, 8));
}

#[test]
fn two_matrices_with_the_same_step_are_named_and_multiply_wrong() {
    assert_eq!(flow("east,stays,south,1,1").equal_steps(), None);
    assert_eq!(flow("east,east,south,1,1").equal_steps(), Some([Operand::A, Operand::B]));
    assert_eq!(flow("along-row,stays,east,1,1").equal_steps(), Some([Operand::A, Operand::C]));
    for flow in all_flows().filter(|flow| flow.equal_steps().is_some()) {
        assert!(!flow.verdict(gemm([2, 2, 2])).is_right(), "{flow}");
    }
}

#[test]
fn the_conditions_that_fail_are_named() {
    let skewless = flow("east,stays,south,0,1").verdict(gemm([4, 4, 4]));
    assert_eq!(skewless.apart, Some([Operand::A, Operand::C]));
    let [of_a, of_b, of_sums] = skewless.cycles;
    assert_eq!(of_a.map(|cycle| [cycle.m, cycle.k, cycle.n]), Some([1, 0, 1]));
    assert_eq!((of_b, of_sums.map(|cycle| [cycle.m, cycle.k, cycle.n])), (None, Some([1, 1, 1])));
    assert_eq!([skewless.row, skewless.col].map(|place| [place.m, place.k, place.n]), [[0, 1, 0], [0, 0, 1]]);
    assert_eq!((skewless.shared, skewless.crowded), (None, None));
    let together = flow("east,east,south,1,1").verdict(gemm([2, 2, 2]));
    assert!(together.shared.is_some() && together.crowded.is_some() && together.apart.is_none());
}

#[test]
fn goals_count_the_flows_that_reach_them() {
    for sides in sides_to_4(2) {
        // The elements are squares, so that no wrong sum is right by accident.
        let square = |rows: u64, cols: u64, shift: u64| {
            Matrix::from_fn(rows, cols, |row, col| Cycles(((row * cols + col + shift) * 37 % 1009).pow(2)).as_f64())
        };
        let operands = Operands::new(square(sides[0], sides[1], 5), square(sides[1], sides[2], 11));
        let run = |flow: Flow| FlowRun::new(flow, gemm(sides), &operands).expect("small");
        let right: Vec<FlowRun> = all_flows().map(run).filter(|run| run.n_wrong_sums() == 0).collect();
        for goal in Goal::ALL {
            let n_reached = right.iter().filter(|run| goal.is_reached(run)).count() as u64;
            assert!(n_reached > 0, "{goal:?}");
            // If a matmul has only 2 rows or columns, other delays can be right, too.
            let is_large = sides.iter().all(|&side| side >= 3);
            assert_eq!(goal.n_flows().filter(|_| is_large).unwrap_or(n_reached), n_reached, "{goal:?}");
        }
        let all_registers = right.iter().map(|run| run.registers() + run.skew_registers());
        assert_eq!(all_registers.min(), Some(Goal::registers_min(gemm(sides))), "{sides:?}");
    }
    assert!(!Goal::WeightsStay.is_reached(&run(flow("east,stays,south,0,1"), [4, 4, 4])));
}

#[test]
fn a_mirror_image_counts_its_pes_as_its_dataflow_does() {
    let sides = [2, 3, 4];
    for (dataflow, mirror) in Dataflow::ALL.into_iter().flat_map(|one| Mirror::all().map(move |mirror| (one, mirror))) {
        let named = run(Flow::named(dataflow), sides);
        let image = run(Flow::named(dataflow).mirrored(mirror), sides);
        let products = (0..2).flat_map(|m| (0..3).flat_map(move |k| (0..4).map(move |n| Mkn { m, k, n })));
        for product in products {
            let PeId { row, col } = named.pe_of(product);
            let wanted = if mirror.swaps { PeId::new(col, row) } else { PeId::new(row, col) };
            let pe = image.pe_of(product);
            assert_eq!(image.counted(pe), wanted, "{} {product:?}", image.flow());
            assert_eq!(image.counted(wanted), pe, "{}", image.flow());
        }
    }
}
