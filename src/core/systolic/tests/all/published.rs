//! Compares runs with numbers that others computed or published.

use systolic::{
    ArrayShape, Cycle, Dataflow, Design, Drain, Dtype, Fill, Gemm, Hold, MacUnit, Operand, Operands, Overlap, Padding,
    PeId, Pipeline, Ports, Prober, Rate, Schedule,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const RUNS: &str = include_str!("../../../../../tests/golden/scalesim_runs.csv");
const TRACES: &str = include_str!("../../../../../tests/golden/scalesim_traces.csv");

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
        let &[label, m, n, k, r, c, dataflow, cycles, efficiency, a_reads, b_reads, c_writes] = &row[..] else {
            panic!("short row {row:?}")
        };
        let schedule = schedule(m, n, k, r, c, dataflow);
        assert_eq!(schedule.cycles().to_string(), cycles, "{label}");
        let efficiency: f64 = efficiency.parse().expect("a percentage");
        assert!((schedule.mapping_efficiency() * 100.0 - efficiency).abs() < 1e-9, "{label}");
        let traffic = schedule.edge_traffic();
        assert_eq!(traffic.a_reads.to_string(), a_reads, "{label}");
        assert_eq!(traffic.b_reads.to_string(), b_reads, "{label}");
        // In each output-stationary fold, SCALE-Sim counts R + C writes too many (a known defect).
        let array = schedule.array();
        let surplus = match schedule.dataflow().hold() {
            Hold::Result => schedule.folds() * u64::from(array.rows() + array.cols()),
            Hold::Operand => 0,
        };
        assert_eq!((traffic.c_writes.get() + surplus).to_string(), c_writes, "{label}");
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
        let operands = Operands::filled(gemm, fill, Dtype::Int8);
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
fn the_trace_is_the_one_of_scale_sim_and_nothing_else() {
    use std::collections::{BTreeMap, BTreeSet};
    // These are the golden events by case. They omit output-stationary O events, which pass no port here.
    let mut golden: BTreeMap<Vec<&str>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for row in rows(TRACES) {
        golden.entry(row[..6].to_vec()).or_default().insert(row[6..].iter().map(|&text| text.to_owned()).collect());
    }
    for (case, expected) in golden {
        let &[r, c, m, n, k, dataflow] = &case[..] else { panic!("short case {case:?}") };
        let schedule = schedule(m, n, k, r, c, dataflow);
        let mut seen = BTreeSet::new();
        for cycle in (0..schedule.cycles().get()).map(Cycle) {
            schedule.port_events(cycle, |event| {
                let operand = match event.operand {
                    Operand::A => "A",
                    Operand::B => "B",
                    Operand::C => "O",
                };
                let (edge, port) = (event.edge.id().to_owned(), event.port.to_string());
                let place = [event.i.to_string(), event.j.to_string()];
                let [i, j] = place;
                seen.insert(vec![event.cycle.to_string(), operand.to_owned(), edge, port, i, j]);
            });
        }
        assert_eq!(seen, expected, "{case:?}");
    }
}

#[test]
fn a_four_cubed_product_takes_the_fourteen_cycles_of_the_tiny_tpu_rtl() {
    // deaneeth/tiny-tpu takes 4 cycles to load, 7 to stream and 3 to drain a weight-stationary 4×4×4 on 4×4.
    assert_eq!(schedule("4", "4", "4", "4", "4", "ws").cycles().get(), 14);
}

#[test]
fn bert_large_qkv_at_sequence_128_keeps_a_quarter_of_the_array_busy() {
    let schedule = schedule("128", "1024", "1024", "128", "128", "ws");
    assert_eq!(schedule.cycles().get(), 32_640);
    assert!((schedule.tally().utilization() * 100.0 - 25.098).abs() < 0.001);
}

fn overlapped() -> Design {
    Design { overlap: Overlap::DoubleBuffered, ..Design::default() }
}

#[test]
fn double_buffering_hides_all_but_the_first_load_and_the_last_drain() {
    // The formulas are R + (F − 1) · max(T, R) + T + R + C − 2, and F · T + R + C − 2 for sums that are read in place.
    for (m, k, n, dataflow, cycles) in [
        ("512", "1024", "1024", "ws", 33_150),
        ("512", "1024", "1024", "os", 33_022),
        ("128", "1024", "1024", "ws", 8_574),
        ("129", "129", "129", "ws", 898),
        ("8192", "8192", "8192", "ws", 33_554_814),
        // A stream shorter than the array waits for the next weights. The last fold takes only its own length.
        ("1", "4096", "4096", "ws", 128 + 1023 * 128 + 1 + 254),
    ] {
        let run = schedule(m, n, k, "128", "128", dataflow).with(overlapped()).expect("in range");
        assert_eq!(run.cycles().get(), cycles, "{m}×{k}×{n} {dataflow}");
        assert_eq!(run.tally().total(), run.pe_cycles());
    }
}

#[test]
fn other_designs_take_the_cycles_that_their_registers_cost() {
    let run = |design: Design, dataflow: &str| {
        schedule("100", "8", "8", "8", "8", dataflow).with(design).expect("in range").cycles().get()
    };
    let plain = Design::default();
    let (ws, os) = (run(plain, "ws"), schedule("8", "8", "100", "8", "8", "os").cycles().get());
    assert_eq!((ws, os), (2 * 8 + 8 + 100 - 2, 8 + 8 + 100 - 2));
    let product_register = Pipeline { product_register: true, two_registers_south: false };
    assert_eq!(run(Design { pipeline: product_register, ..plain }, "ws"), ws + 1);
    let two = Pipeline { product_register: false, two_registers_south: true };
    assert_eq!(run(Design { pipeline: two, ..plain }, "ws"), ws + 7);
    let drained = schedule("8", "8", "100", "8", "8", "os").with(Design { drain: Drain::South, ..plain });
    assert_eq!(drained.expect("in range").cycles().get(), os + 8);
}

/// Design of the TPU v1. A weight has one byte. The weight memory delivers 34 GB/s, which is 340 weights in 7 cycles at
/// 700 MHz.
fn tpu_v1(west: Option<Rate>) -> Design {
    Design { ports: Ports { west, north: Rate::new(340, 7), south: None }, ..overlapped() }
}

const TPU_V1_HZ: f64 = 700e6;

#[test]
fn a_bigger_array_can_be_slower_as_the_tpu_paper_says() {
    // In section 7 of Jouppi et al., ISCA 2017, a 600×600 matrix takes 9 steps of 2 µs on 256×256, 18 µs in all. On
    // 512×512, it takes 4 steps of 8 µs, 32 µs in all. Without rounding, these are 9 · 1.93 = 17.3 µs and 4 · 7.71 =
    // 30.8 µs.
    for (side, tiles, tile_us, all_us) in [("256", 9, 1.93, 17.3), ("512", 4, 7.71, 30.8)] {
        let whole = |text: &str| text.parse::<u64>().expect("a number");
        let gemm = Gemm::new(8, 600, 600).expect("in range");
        let array = ArrayShape::new(whole(side), whole(side)).expect("in range");
        let run = Schedule::new(gemm, array, Dataflow::WeightStationary, Padding::ToArray).expect("in range");
        let run = run.with(tpu_v1(None)).expect("in range");
        assert_eq!(run.folds(), tiles);
        let us = |cycles: u64| cycles as f64 / TPU_V1_HZ * 1e6;
        assert!((us(run.period().get()) - tile_us).abs() < 0.005, "{}", us(run.period().get()));
        assert!((us(run.folds() * run.period().get()) - all_us).abs() < 0.08);
        // The fill and drain of the whole run are not in the steps. They must take less than one step.
        let rest = run.cycles().get() - run.folds() * run.period().get();
        assert!(rest < run.period().get());
    }
}

#[test]
fn the_tpu_papers_table_3_follows_from_the_weight_bandwidth() {
    // Table 3 of Jouppi et al., ISCA 2017, has percentages of all cycles: array active, weight stall and weight shift.
    // The share of non-matrix work is from the table, and the batch sizes are from Table 1. Nothing is fitted.
    for (name, batch, half_speed, not_matrix, active, stall_and_shift) in [
        ("MLP0", 200, false, 17.5, 12.7, 53.9 + 15.9),
        ("MLP1", 168, false, 31.9, 10.6, 44.2 + 13.4),
        ("LSTM0", 64, true, 17.9, 8.2, 58.1 + 15.8),
        ("LSTM1", 96, true, 10.3, 10.5, 62.1 + 17.1),
    ] {
        let gemm = Gemm::new(batch, 256 * 8, 256 * 8).expect("in range");
        let array = ArrayShape::new(256, 256).expect("in range");
        let run = Schedule::new(gemm, array, Dataflow::WeightStationary, Padding::Ragged).expect("in range");
        // The LSTMs have 16-bit activations, which enter at half speed.
        let west = if half_speed { Rate::new(128, 1) } else { None };
        let run = run.with(tpu_v1(west)).expect("in range");
        let share = 100.0 - not_matrix;
        let stream = if half_speed { 2 * batch } else { batch };
        let predicted = share * stream as f64 / run.period().get() as f64;
        assert!((predicted - active).abs() < 2.4, "{name}: {predicted:.1} % active, the paper has {active}");
        assert!((share - predicted - stall_and_shift).abs() < 2.4, "{name}");
        // The tally of the whole run agrees, except for the start and the end of the run.
        let tally = run.tally();
        let streamed = tally.useful.as_f64() * if half_speed { 2.0 } else { 1.0 };
        assert!((share * streamed / tally.total().as_f64() - predicted).abs() < 0.3, "{name}");
        assert!(tally.stall.as_f64() > 0.6 * tally.total().as_f64(), "{name}: the weights are what it waits for");
    }
}

#[test]
fn a_long_matmul_costs_what_the_neuron_kernel_interface_says() {
    // nc_matmul of AWS NKI takes max(min(64, stationary columns), moving columns) cycles, and four times as many for
    // fp32. Its array has 128×128 PEs and loads the stationary operand in the background, with up to four rows per
    // cycle. Our array loads one row per cycle. The two agree if the moving side is at least as long as the array.
    let nki = |stationary: u64, moving: u64, fp32: bool| stationary.min(64).max(moving) * if fp32 { 4 } else { 1 };
    for moving in [128, 200, 512] {
        for (fp32, west) in [(false, None), (true, Rate::new(32, 1))] {
            let gemm = Gemm::new(moving, 128 * 4, 128).expect("in range");
            let array = ArrayShape::new(128, 128).expect("in range");
            let run = Schedule::new(gemm, array, Dataflow::WeightStationary, Padding::Ragged).expect("in range");
            let ports = Ports { west, ..Ports::default() };
            let run = run.with(Design { ports, ..overlapped() }).expect("in range");
            assert_eq!(run.period().get(), nki(128, moving, fp32), "{moving} fp32 {fp32}");
        }
    }
}
