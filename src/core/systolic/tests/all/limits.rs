//! Tests of schedules: padding, names of fields in errors, and refusals.

use systolic::{ArrayShape, Axis, Dataflow, Design, Edge, Elements, Gemm, Level, Padding, PeId, Ports, Rate, Schedule};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn run(m: u64, k: u64, n: u64, array: (u64, u64), dataflow: Dataflow, padding: Padding) -> Schedule {
    let gemm = Gemm::new(m, k, n).expect("in range");
    let array = ArrayShape::new(array.0, array.1).expect("in range");
    Schedule::new(gemm, array, dataflow, padding).expect("in range")
}

#[test]
fn zeros_fill_the_two_axes_on_the_array_and_no_other() {
    for dataflow in Dataflow::ALL {
        let padded = run(5, 6, 7, (4, 3), dataflow, Padding::ToArray).run();
        let mapping = dataflow.mapping();
        for axis in [Axis::M, Axis::K, Axis::N] {
            let real = Gemm::new(5, 6, 7).expect("in range").extent(axis);
            let expected = if axis == mapping.rows {
                8
            } else if axis == mapping.cols {
                real.div_ceil(3) * 3
            } else {
                real
            };
            assert_eq!(padded.extent(axis), expected, "{dataflow:?} {axis:?}");
        }
        let bucketed = run(5, 6, 7, (4, 3), dataflow, Padding::MultipleOfM(4)).run();
        assert_eq!((bucketed.m(), bucketed.k(), bucketed.n()), (8, 6, 7));
        let ragged = run(5, 6, 7, (4, 3), dataflow, Padding::Ragged).run();
        assert_eq!((ragged.m(), ragged.k(), ragged.n()), (5, 6, 7));
    }
}

#[test]
fn a_run_is_refused_only_when_its_pe_cycles_cannot_be_counted() {
    let most = Gemm::DIM_MAX;
    let all = Gemm::new(most, most, most).expect("each is allowed");
    let one = ArrayShape::new(1, 1).expect("in range");
    let error = Schedule::new(all, one, Dataflow::WeightStationary, Padding::Ragged).expect_err("2^93 PE-cycles");
    assert_eq!((error.field, error.max), ("pe_cycles", Schedule::PE_CYCLES_MAX));
    // 2^30 folds of 2^31 cycles and one cycle are just below the limit. Twice as many folds are above it.
    let within = Gemm::new(most, 1 << 15, 1 << 15).expect("in range");
    let schedule = Schedule::new(within, one, Dataflow::WeightStationary, Padding::Ragged).expect("within");
    assert_eq!(schedule.pe_cycles().get(), (1 << 30) * ((1 << 31) + 1));
    assert_eq!(schedule.tally().total(), schedule.pe_cycles());
    let beyond = Gemm::new(most, 1 << 16, 1 << 15).expect("in range");
    assert!(Schedule::new(beyond, one, Dataflow::WeightStationary, Padding::Ragged).is_err());
    // Another design of an allowed run may be above the limit.
    let slow = Design { ports: Ports { west: Rate::new(1, 1000), ..Ports::default() }, ..Design::default() };
    assert!(schedule.with(slow).is_err());
}

#[test]
fn there_is_no_multiply_accumulate_outside_a_fold() {
    let schedule = run(3, 4, 2, (4, 4), Dataflow::WeightStationary, Padding::Ragged);
    let (fold, corner) = (schedule.fold(0), PeId::new(0, 0));
    assert!(schedule.mkn(&fold, corner, 2).is_some());
    assert_eq!(schedule.mkn(&fold, corner, 3), None, "the stream has three elements");
    assert_eq!(schedule.mkn(&fold, PeId::new(0, 2), 0), None, "two columns are mapped");
    assert_eq!(schedule.mkn(&fold, PeId::new(4, 0), 0), None, "four rows are");
}

#[test]
fn a_result_is_the_sum_of_as_many_folds_as_k_takes_on_the_rows() {
    let folds = |dataflow| run(10, 100, 10, (8, 8), dataflow, Padding::Ragged).folds_per_result();
    assert_eq!(Dataflow::ALL.map(folds), [13, 1, 13]);
}

#[test]
fn partial_sums_are_moved_once_per_fold_of_k_but_the_last() {
    let moved = |padding: Padding, level: Level| {
        let moved = run(10, 20, 6, (8, 4), Dataflow::WeightStationary, padding).memory_traffic(level);
        [moved.a_reads, moved.b_reads, moved.psum_reads, moved.psum_writes, moved.c_writes].map(Elements::get)
    };
    // A is read for both folds along N. Every sum leaves three times and is read back twice.
    assert_eq!(moved(Padding::Ragged, Level::Edge), [400, 120, 0, 120, 60]);
    assert_eq!(moved(Padding::Ragged, Level::OnChip), [400, 120, 120, 120, 60]);
    assert_eq!(moved(Padding::Ragged, Level::OffChip), [200, 120, 0, 0, 60]);
    assert_eq!(moved(Padding::MultipleOfM(16), Level::OnChip), [640, 120, 192, 192, 96]);
    assert_eq!(moved(Padding::MultipleOfM(16), Level::OffChip), [200, 120, 0, 0, 60]);
    assert_eq!(Level::ALL.map(Level::id), ["edge", "on-chip", "off-chip"]);
}

#[test]
fn the_slowest_edge_sets_the_pace_and_is_named() {
    let named = |dataflow: Dataflow, west: u32, north: u32, south: u32| {
        let rate = |elements| Rate::new(elements, 1);
        let ports = Ports { west: rate(west), north: rate(north), south: rate(south) };
        let plain = run(32, 32, 32, (16, 16), dataflow, Padding::Ragged);
        plain.with(Design { ports, ..Design::default() }).expect("in range").slow_edge()
    };
    let (ws, os) = (Dataflow::WeightStationary, Dataflow::OutputStationary);
    assert_eq!(named(ws, 16, 1, 16), None, "a slow load is not a slow stream");
    assert_eq!(named(ws, 15, 1, 16), Some(Edge::West));
    assert_eq!(named(ws, 15, 16, 14), Some(Edge::South));
    assert_eq!(named(os, 16, 15, 1), Some(Edge::North));
    assert_eq!(named(os, 14, 15, 16), Some(Edge::West));
    assert_eq!(named(os, 15, 15, 16), Some(Edge::West), "of two that are as slow the first");
}
