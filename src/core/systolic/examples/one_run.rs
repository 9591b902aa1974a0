//! A complete run: cycle counts, the state of one PE at one cycle, the result, and a comparison with the register
//! machine.
//!
//! `cargo run -p systolic --example one_run`
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use systolic::prelude::*;

/// A 64×96 by 96×32 GEMM in bf16 on a double-buffered 16×16 array.
fn run() -> Result<Run, RangeError> {
    let schedule = Schedule::builder([64, 96, 32], [16, 16]).overlap(Overlap::DoubleBuffered).build()?;
    Ok(Run::filled(schedule, Fill::Small { seed: 1 }, Dtype::Bf16))
}

fn main() -> Result<(), RangeError> {
    let run = run()?;
    let schedule = run.schedule();
    println!("{} cycles, utilization {:.1} %", schedule.cycles(), 100.0 * schedule.tally().utilization());
    for cycle in [0, 40, 400].map(Cycle) {
        println!("cycle {cycle}: {:?}", schedule.census(cycle));
    }
    let probe = run.at(Cycle(40), PeId::new(3, 5));
    println!("PE 3,5 at cycle 40: {:?}, sum {:?}", probe.activity, probe.sum);
    println!("c[0,0] = {:?}, {} elements cross a port", run.result().first(), run.trace().count());
    Ok(())
}

#[test]
fn the_register_machine_of_any_arithmetic_has_the_same_registers_and_result() {
    let run = run().expect("in range");
    let (mut machine, mut cycle) = (run.machine(), Cycle(0));
    let prober = run.prober();
    while !machine.is_finished() {
        machine.tick();
        if cycle.get() % 50 == 7 {
            for pe in run.schedule().array().iter() {
                assert_eq!(machine.registers(pe), prober.registers(cycle, pe), "cycle {cycle}, {pe:?}");
            }
        }
        cycle = Cycle(cycle.get() + 1);
    }
    assert_eq!((cycle.get(), machine.result()), (run.schedule().cycles().get(), run.result()));
}

#[test]
fn matrices_of_other_sizes_are_refused_by_the_side_that_is_wrong() {
    let schedule = *run().expect("in range").schedule();
    let unit = MacUnit::new(Dtype::Bf16);
    let matrix = |rows, cols| Matrix::from_fn(rows, cols, |_, _| 1.0);
    let given = |a: (u64, u64), b: (u64, u64)| {
        let operands = Operands::new(matrix(a.0, a.1), matrix(b.0, b.1));
        Run::new(schedule, operands, unit).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(given((64, 96), (96, 32)), Ok(()));
    for (a, b, says) in [
        ((63, 96), (96, 32), "rows of A = 63: use 64"),
        ((64, 95), (96, 32), "columns of A = 95: use 96"),
        ((64, 96), (97, 32), "rows of B = 97: use 96"),
        ((64, 96), (96, 33), "columns of B = 33: use 32"),
    ] {
        assert_eq!(given(a, b), Err(says.to_owned()));
    }
}

#[test]
fn every_row_of_the_result_is_counted_and_a_and_b_differ() {
    let run = run().expect("in range");
    let mut rows = Vec::new();
    let _ = run.result_with(|done| rows.push(done));
    assert_eq!(rows, (1..=64).collect::<Vec<_>>());
    let (a, b) = (&run.operands().a, &run.operands().b);
    assert!((0..32).any(|at| a.at(at, at) != b.at(at, at)), "one seed gives two matrices");
}

#[test]
fn a_list_of_another_length_is_refused() {
    let schedule = *run().expect("in range").schedule();
    let unit = MacUnit::new(Dtype::Bf16);
    let refused = Run::listed(schedule, &[0.0; 64 * 96 - 1], &[0.0; 96 * 32], unit).expect_err("one is missing");
    assert_eq!(refused.to_string(), "elements = 6143: use 6144");
}
