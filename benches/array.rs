//! Benchmarks of the core: stepping, any cycle at once, counting. They run natively and in WebAssembly.

use std::hint::black_box;

use systolic::lane::{Bf16, F32, Int8};
use systolic::{
    ArrayShape, Cycle, Dataflow, Dtype, Fill, Gemm, Lane, Machine, Matrix, Operands, Padding, Replay, Schedule, Vectors,
};

use crate::{Line, Outcome, against, in_turns, seconds_per_call_on};

/// Number of rows, and of columns, of the timed array.
pub const SIDE: usize = 256;

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
    let computed = Operands::filled(gemm, Fill::Small { seed: 7 }, dtype);
    let list = |matrix: &Matrix| Matrix::from_fn(matrix.rows(), matrix.cols(), |row, col| matrix.at(row, col));
    Operands::new(list(&computed.a), list(&computed.b))
}

/// Computes `d = 0.5·d + x·w` once, with one number per PE in each array. A step of the machine has the same memory
/// traffic in another order.
#[inline(never)]
fn triad_once(d: &mut [Line64], x: &[Line64], w: &[Line64]) {
    for ((d, x), w) in d.iter_mut().zip(x).zip(w) {
        for ((d, &x), &w) in d.0.iter_mut().zip(&x.0).zip(&w.0) {
            *d = 0.5 * *d + x * w;
        }
    }
}

/// Sixteen numbers that fill one aligned cache line, so that the bound is as fast as possible.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line64([f32; 16]);

fn triad() -> impl FnMut() {
    let plane = |value: f32| vec![Line64([value; 16]); SIDE * SIDE / 16];
    let (mut d, x, w) = (plane(1.0), plane(0.5), plane(0.25));
    move || {
        triad_once(&mut d, &x, &w);
        black_box(&mut d);
    }
}

/// Number of clock edges in one timing.
const STEPS: u32 = 2048;

/// Times one clock edge in the middle of a long stream, when every PE multiplies. The bound is the f32 triad.
fn stepping<L: Lane>(lane: L, dtype: Dtype, dataflow: Dataflow) -> Outcome {
    let schedule = run(dataflow, 4096);
    let vectors = Vectors::new(lane, &schedule, &operands(&schedule, dtype));
    let mut steady = Machine::new(&schedule, &vectors, None);
    steady.advance(1024);
    in_turns(|| seconds_per_call_on(&steady, STEPS, Machine::tick), triad())
}

/// Returns every figure of the core with its bound.
pub fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for (name, outcome) in [
        ("step WS f32 256×256", stepping(F32, Dtype::F32, Dataflow::WeightStationary)),
        ("step WS bf16 256×256", stepping(Bf16, Dtype::Bf16, Dataflow::WeightStationary)),
        ("step WS int8 256×256", stepping(Int8(Dtype::Int8), Dtype::Int8, Dataflow::WeightStationary)),
        ("step OS f32 256×256", stepping(F32, Dtype::F32, Dataflow::OutputStationary)),
    ] {
        lines.push(Line { name, outcome, ratio: 1.0 / outcome.times_bound(), unit: "of the f32 triad's rate" });
    }

    let schedule = run(Dataflow::WeightStationary, 4096);
    let vectors = Vectors::new(F32, &schedule, &operands(&schedule, Dtype::F32));
    let mut steady = Machine::new(&schedule, &vectors, None);
    steady.advance(1024);
    let replay = Replay::new(&schedule, &vectors);
    let snapshot = || {
        black_box(replay.at(Cycle(2000)));
    };
    let step_sec = || seconds_per_call_on(&steady, STEPS, Machine::tick);
    let outcome = in_turns(step_sec, snapshot);
    let outcome = Outcome { work_sec: outcome.bound_sec, bound_sec: outcome.work_sec };
    let unit = "steps of the same machine";
    lines.push(Line { name: "any cycle, WS f32 256×256", outcome, ratio: outcome.times_bound(), unit });

    let gemm = Gemm::new(8192, 8192, 8192).expect("in range");
    let array = ArrayShape::new(128, 128).expect("in range");
    let laid_out =
        || Schedule::new(black_box(gemm), array, Dataflow::WeightStationary, Padding::Ragged).expect("in range");
    let formula = || {
        let (k, n, m) = black_box((8192u64, 8192u64, 8192u64));
        black_box(k.div_ceil(black_box(128)) * n.div_ceil(black_box(128)) * (2 * 128 + 128 + m - 2));
    };
    let cycles = || {
        black_box(laid_out().cycles());
    };
    let accounts = || {
        let schedule = laid_out();
        black_box((schedule.cycles(), schedule.tally()));
    };
    let unit = "evaluations of the cycle formula";
    let outcome = against(cycles, formula);
    lines.push(Line { name: "cycles of one GEMM", outcome, ratio: outcome.times_bound(), unit });
    let outcome = against(accounts, formula);
    lines.push(Line { name: "cycles and the six accounts of one GEMM", outcome, ratio: outcome.times_bound(), unit });
    lines
}
