//! Numbers that others computed or published.

use systolic::{
    ArrayShape, Cycle, Dataflow, Dtype, Fill, Gemm, MacUnit, Matrix, Operand, Operands, Padding, PeId, Prober, Schedule,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const RUNS: &str = include_str!("../../../tests/golden/scalesim_runs.csv");
const TRACES: &str = include_str!("../../../tests/golden/scalesim_traces.csv");

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split(',').collect())
}

fn schedule(m: &str, n: &str, k: &str, r: &str, c: &str, dataflow: &str) -> Schedule {
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let gemm = Gemm::new(number(m), number(k), number(n)).expect("in range");
    let array = ArrayShape::new(number(r), number(c)).expect("in range");
    let dataflow = Dataflow::from_id(dataflow).expect("a dataflow");
    Schedule::new(gemm, array, dataflow, Padding::Ragged).expect("in range")
}

#[test]
fn cycles_equal_every_run_of_scale_sim() {
    let mut n_rows = 0;
    for row in rows(RUNS) {
        let &[label, m, n, k, r, c, dataflow, cycles, efficiency, ..] = &row[..] else { panic!("short row {row:?}") };
        let schedule = schedule(m, n, k, r, c, dataflow);
        assert_eq!(schedule.cycles().to_string(), cycles, "{label}");
        let mapping = schedule.mapping();
        let gemm = schedule.gemm();
        let used = (gemm.extent(mapping.rows) * gemm.extent(mapping.cols)) as f64;
        let slots = (schedule.folds() * schedule.array().pes()) as f64;
        let efficiency: f64 = efficiency.parse().expect("a percentage");
        assert!((used / slots * 100.0 - efficiency).abs() < 1e-9, "{label}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 152);
}

#[test]
fn port_events_equal_the_traces_of_scale_sim() {
    let mut n_events = 0;
    for row in rows(TRACES) {
        let &[r, c, m, n, k, dataflow, cycle, operand, edge, port, i, j] = &row[..] else {
            panic!("short row {row:?}")
        };
        let number = |text: &str| text.parse::<u64>().expect("a number");
        let schedule = schedule(m, n, k, r, c, dataflow);
        let gemm = schedule.gemm();
        let fill = Fill::Small { seed: 1 };
        let operands = Operands {
            a: Matrix::new(gemm.m(), gemm.k(), fill.clone(), 0, true),
            b: Matrix::new(gemm.k(), gemm.n(), fill, 1, true),
        };
        let prober = Prober::new(&schedule, &operands, MacUnit::new(Dtype::Int8));
        let port = u32::try_from(number(port)).expect("a port");
        let place = (number(i), number(j));
        let cycle = Cycle(number(cycle));
        let seen = match (operand, edge) {
            ("O", _) => {
                let sum = prober.at(cycle, PeId::new(schedule.array().rows() - 1, port)).sum;
                sum.map(|sum| (sum.row, sum.col))
            }
            (name, "west") => {
                let east = prober.at(cycle, PeId::new(port, 0)).east.expect("an operand enters");
                assert_eq!(east.operand, if name == "A" { Operand::A } else { Operand::B }, "{row:?}");
                Some((east.row, east.col))
            }
            (name, _) => {
                let probe = prober.at(cycle, PeId::new(0, port));
                let entered = probe.held.or(probe.south).expect("an operand enters");
                assert_eq!(entered.operand, if name == "A" { Operand::A } else { Operand::B }, "{row:?}");
                Some((entered.row, entered.col))
            }
        };
        assert_eq!(seen, Some(place), "{row:?}");
        n_events += 1;
    }
    assert!(n_events > 1000, "{n_events}");
}

#[test]
fn a_four_cubed_product_takes_the_fourteen_cycles_of_the_tiny_tpu_rtl() {
    // deaneeth/tiny-tpu: 4 load + 7 stream + 3 drain for 4×4×4 on 4×4, weight-stationary.
    assert_eq!(schedule("4", "4", "4", "4", "4", "ws").cycles().get(), 14);
}

#[test]
fn bert_large_qkv_at_sequence_128_keeps_a_quarter_of_the_array_busy() {
    let schedule = schedule("128", "1024", "1024", "128", "128", "ws");
    assert_eq!(schedule.cycles().get(), 32_640);
    assert!((schedule.tally().utilization() * 100.0 - 25.098).abs() < 0.001);
}
