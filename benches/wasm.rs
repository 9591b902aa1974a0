//! Benchmarks of the core, of the estimate and of reading in WebAssembly, under Node. They assert no times.
//!
//! Run with `cargo test --release -p benches --target wasm32-unknown-unknown --test wasm -- --nocapture`.
#![cfg(target_arch = "wasm32")]

use benches::{Line, array, estimates, import};
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

fn told(lines: &[Line]) {
    console_log!("{}", Line::HEADER);
    for line in lines {
        console_log!("{line}");
    }
    assert!(lines.iter().all(|line| line.ratio.is_finite()), "every figure was taken");
}

#[wasm_bindgen_test]
fn figures_of_the_core() {
    told(&array::lines());
}

#[wasm_bindgen_test]
fn figures_of_the_estimate() {
    told(&estimates::lines());
}

#[wasm_bindgen_test]
fn longest_calls_of_reading() {
    told(&import::lines());
}
