//! Stepping, any cycle at once, counting and drawing, natively. Run with `cargo bench -p benches --bench core`.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::hint::black_box;

use benches::{Outcome, against};
use studio::stage::{self, Frame};
use studio::{Link, Picture, Plan};
use systolic::lane::{Bf16, F32, Int8};
use systolic::{
    ArrayShape, Cycle, Dataflow, Dtype, Fill, Gemm, Lane, MacUnit, Machine, Matrix, Operands, Padding, Schedule,
    Snapshot,
};

const SIDE: usize = 256;

fn run(dataflow: Dataflow, stream: u64) -> Schedule {
    let side = SIDE as u64;
    let (m, k, n) = match dataflow {
        Dataflow::WeightStationary => (stream, side, side),
        Dataflow::OutputStationary => (side, stream, side),
        Dataflow::InputStationary => (side, side, stream),
    };
    let gemm = Gemm::new(m, k, n).expect("in range");
    Schedule::new(gemm, ArrayShape::new(side, side).expect("in range"), dataflow, Padding::Ragged).expect("in range")
}

fn operands(schedule: &Schedule, dtype: Dtype) -> Operands {
    let gemm = schedule.gemm();
    let list = |rows: u64, cols: u64, salt: u64| {
        let computed = Matrix::new(rows, cols, Fill::Small { seed: 7 }, salt, dtype);
        let values: Vec<f64> =
            (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))).map(|(i, j)| computed.at(i, j)).collect();
        Matrix::new(rows, cols, Fill::Listed(values.into()), salt, dtype)
    };
    Operands { a: list(gemm.m(), gemm.k(), 0), b: list(gemm.k(), gemm.n(), 1) }
}

/// `d = 0.5·d + x·w` over as many numbers as the array has PEs: the memory traffic of a step, without its order.
fn triad() -> impl FnMut() {
    let mut d = vec![1.0f32; SIDE * SIDE];
    let (x, w) = (vec![0.5f32; SIDE * SIDE], vec![0.25f32; SIDE * SIDE]);
    move || {
        for ((d, &x), &w) in d.iter_mut().zip(&x).zip(&w) {
            *d = 0.5 * *d + x * w;
        }
        black_box(&mut d);
    }
}

/// One clock edge in the middle of a long stream, when every PE multiplies.
fn stepping<L: Lane>(lane: L, dtype: Dtype, dataflow: Dataflow) -> Outcome {
    let schedule = run(dataflow, 8192);
    let operands = operands(&schedule, dtype);
    let mut machine = Machine::new(lane, &schedule, &operands, None);
    for _ in 0..1024 {
        machine.tick();
    }
    let steady = machine.clone();
    let mut n_steps = 0;
    let step = move || {
        if n_steps == 4096 {
            (machine, n_steps) = (steady.clone(), 0);
        }
        n_steps += 1;
        machine.tick();
        black_box(&machine);
    };
    against(step, triad())
}

fn plan(query: &str) -> Plan {
    Plan::new(&Link::parse(query, "").scenario).expect("a run")
}

fn main() {
    println!("{:<44}{:>12}{:>12}{:>10}", "", "work", "bound", "ratio");
    let show = |name: &str, outcome: Outcome, ratio: f64, unit: &str| {
        let us = |sec: f64| format!("{:.3} µs", sec * 1e6);
        println!("{name:<44}{:>12}{:>12}{ratio:>8.2} {unit}", us(outcome.work_sec), us(outcome.bound_sec));
    };
    for (name, outcome) in [
        ("step WS f32 256×256", stepping(F32, Dtype::F32, Dataflow::WeightStationary)),
        ("step WS bf16 256×256", stepping(Bf16, Dtype::Bf16, Dataflow::WeightStationary)),
        ("step WS int8 256×256", stepping(Int8(Dtype::Int8), Dtype::Int8, Dataflow::WeightStationary)),
        ("step OS f32 256×256", stepping(F32, Dtype::F32, Dataflow::OutputStationary)),
    ] {
        show(name, outcome, 1.0 / outcome.times_bound(), "of the f32 triad's rate");
    }

    let schedule = run(Dataflow::WeightStationary, 8192);
    let inputs = operands(&schedule, Dtype::F32);
    let mut machine = Machine::new(F32, &schedule, &inputs, None);
    for _ in 0..1024 {
        machine.tick();
    }
    let outcome = against(
        || {
            black_box(Snapshot::at(&schedule, &inputs, MacUnit::new(Dtype::F32), Cycle(4000)));
        },
        || {
            if machine.cycle().is_some_and(|cycle| cycle.get() > 8000) {
                machine = Machine::new(F32, &schedule, &inputs, None);
                for _ in 0..1024 {
                    machine.tick();
                }
            }
            machine.tick();
        },
    );
    show("any cycle, WS f32 256×256", outcome, outcome.times_bound(), "steps of the same machine");

    let gemm = Gemm::new(8192, 8192, 8192).expect("in range");
    let array = ArrayShape::new(128, 128).expect("in range");
    let count = || {
        let schedule =
            Schedule::new(black_box(gemm), array, Dataflow::WeightStationary, Padding::Ragged).expect("in range");
        black_box((schedule.cycles(), schedule.tally()));
    };
    let formula = || {
        let (k, n, m) = black_box((8192u64, 8192u64, 8192u64));
        black_box(k.div_ceil(black_box(128)) * n.div_ceil(black_box(128)) * (2 * 128 + 128 + m - 2));
    };
    let outcome = against(count, formula);
    show("cycles and the six accounts of one GEMM", outcome, outcome.times_bound(), "evaluations of the cycle formula");

    let plan_256 = plan("rows=256&cols=256&m=512&k=256&n=200&df=ws&dt=bf16&chip=tpu-v6e");
    let mut picture = Picture::default();
    let mut pixels = vec![0u8; SIDE * SIDE];
    let draw = || {
        let frame = Frame { plan: &plan_256, cycle: Cycle(700), selected: None };
        stage::draw(&frame, 800.0, 700.0, &mut picture);
        black_box(&picture);
    };
    let outcome = against(draw, || {
        pixels.fill(black_box(3));
        black_box(&pixels);
    });
    show("draw the 256×256 field", outcome, outcome.times_bound(), "fills of as many bytes");

    let first = Plan::default();
    let mut picture = Picture::default();
    let draw = || {
        let frame = Frame { plan: &first, cycle: Cycle(7), selected: None };
        stage::draw(&frame, 700.0, 600.0, &mut picture);
        black_box(&picture);
    };
    let probe = || {
        let prober = first.prober();
        for pe in first.schedule().array().iter() {
            black_box(prober.at(black_box(Cycle(7)), pe));
        }
    };
    let outcome = against(draw, probe);
    show("draw the first screen", outcome, outcome.times_bound(), "looks at all its registers");
}
