//! Example: the model FLOPs utilization of a published training run, computed from its tokens per second.
//!
//! `cargo run -p perfmodel --example mfu`
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use perfmodel::{Chip, FlopsPerSec, Mfu, MfuRefusal, Missing, PeakDtype, Seconds};

/// MFU of PaLM 540B with the numbers of its paper (Chowdhery et al. 2022, appendix B): 6144 TPU v4 chips, and sequences
/// of 2048 tokens.
fn palm(tokens_per_sec: f64) -> Result<Mfu, MfuRefusal> {
    let (parameters, layers, heads, head_size, sequence) = (540.35e9, 118.0, 48.0, 256.0, 2048.0);
    // The forward and backward pass have 6 FLOPs per parameter, and 12 per layer, head, head element and sequence
    // token.
    let flops_per_token = 6.0 * parameters + 12.0 * layers * heads * head_size * sequence;
    let peak = Chip::by_id("tpu-v4").and_then(|chip| chip.peak_flops(PeakDtype::Bf16));
    let peak = peak.ok_or(MfuRefusal::Unknown { missing: Missing::Peak(PeakDtype::Bf16) })?;
    Mfu::new(tokens_per_sec * flops_per_token, Seconds(1.0), FlopsPerSec(6144.0 * peak.0))
}

fn main() {
    for tokens_per_sec in [238_300.0, 600_000.0] {
        match palm(tokens_per_sec) {
            Ok(mfu) => println!("{tokens_per_sec} tokens/s: an MFU of {:.1} %", 100.0 * mfu.ratio),
            Err(refusal) => println!("{tokens_per_sec} tokens/s: {}", refusal.says()),
        }
    }
}

#[test]
fn the_mfu_is_the_one_that_the_paper_prints() {
    assert_eq!((1000.0 * palm(238_300.0).expect("possible").ratio).round(), 462.0);
}

#[test]
fn a_speed_above_the_peak_is_refused() {
    assert!(matches!(palm(600_000.0), Err(MfuRefusal::AboveOne { .. })));
}
