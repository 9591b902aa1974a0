//! A bigger array that is slower: an example from section 7 of the first TPU paper (ISCA 2017), computed from cycle
//! counts.
//!
//! `cargo run -p systolic --example bigger_array`
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use systolic::prelude::*;
use systolic::{Ports, Rate};

const CLOCK_HZ: f64 = 700e6;

/// Number of folds of an 8×600 by 600×600 GEMM on `side`×`side` PEs, and the microseconds per fold.
fn folds(side: u64) -> Result<(u64, f64), RangeError> {
    // 34 GB/s of one-byte weights at 700 MHz are 340 weights in 7 cycles. They load while the previous fold still runs.
    let ports = Ports { north: Rate::new(340, 7), ..Ports::default() };
    let design = Design { overlap: Overlap::DoubleBuffered, ports, ..Design::default() };
    let run = Schedule::builder([8, 600, 600], [side, side]).padding(Padding::ToArray).design(design).build()?;
    Ok((run.folds(), run.period().get() as f64 / CLOCK_HZ * 1e6))
}

fn main() -> Result<(), RangeError> {
    for side in [256, 512] {
        let (n_folds, us) = folds(side)?;
        println!("{side}×{side}: {n_folds} folds of {us:.2} µs, {:.1} µs in all", n_folds as f64 * us);
    }
    Ok(())
}

#[test]
fn the_smaller_array_is_faster_as_jouppi_et_al_print() {
    // ISCA 2017, section 7, has 9 steps of 2 µs on 256×256, 18 µs in all. On 512×512, it has 4 steps of 8 µs, 32 µs in
    // all.
    for (side, n_steps, printed_us) in [(256, 9, 2.0), (512, 4, 8.0)] {
        let (n_folds, us) = folds(side).expect("in range");
        assert_eq!((n_folds, us.round()), (n_steps, printed_us));
    }
}
