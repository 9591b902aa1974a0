//! Compares rules of thumb and claims about training with arithmetic. Claims about MFU, prices and units are with the
//! tests of their modules.

use perfmodel::PeakDtype::Bf16;
use perfmodel::{
    BatchLayout, Batching, Buckets, Checkpointing, Chip, Compilation, Compute, FailureRate, Mfu, MfuRefusal, Seconds,
    critical_tokens_per_chip,
};

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;

fn chip(id: &str) -> &'static Chip {
    Chip::by_id(id).expect("the chip exists")
}

#[test]
fn saving_every_fifteen_to_thirty_minutes_is_right_on_ten_thousand_chips_and_not_on_two_hundred() {
    // At the failure rate of Llama 3 405B, 16,384 chips need an interval of 19 minutes, and 256 chips need hours.
    let rate = FailureRate::observed(419, Seconds(54.0 * 24.0 * HOUR), 16_384).expect("failed");
    let best = |chips| {
        let mtbf = rate.slice_mtbf(chips).expect("chips");
        Checkpointing { mtbf, save: Seconds(60.0), restart: Seconds(600.0) }.young().expect("sound").0
    };
    assert!((15.0 * MINUTE..30.0 * MINUTE).contains(&best(16_384)));
    assert!(best(256) > 2.0 * HOUR, "{}", best(256) / HOUR);
}

#[test]
fn an_interval_in_steps_hides_its_minutes() {
    // The claim is "every 500 steps". At 5.67 s per step, as in a published log, this is 47 minutes. That is longer
    // than the rule of thumb in the claim.
    assert!((500.0_f64 * 5.67 / MINUTE - 47.0).abs() < 0.5);
    let run = Checkpointing { mtbf: Seconds(3.09 * HOUR), save: Seconds(60.0), restart: Seconds(600.0) };
    let hidden = run.overhead(Seconds(500.0 * 5.67)).expect("sound");
    let least = run.young().and_then(|young| run.overhead(young)).expect("sound");
    assert!(hidden > least + 0.04);
}

#[test]
fn a_share_of_odd_steps_does_not_say_what_recompiling_costs() {
    // The claim is "above 20% of variable-shape steps the gain is gone". One odd shape in 20% of the steps costs 1.2%.
    // A new shape in 1% of the steps costs 61%.
    let overhead = |lengths: &[u32]| {
        let batching = Batching::Padded { batch: 1, sorted: false, buckets: Buckets::Exact };
        let layout = BatchLayout::new(lengths, batching).expect("allowed");
        let (shapes, steps) = (layout.shapes().len() as u64, layout.steps.len() as u64);
        Compilation { shapes, compile: Seconds(60.0), steps, step: Seconds(1.0) }.overhead().expect("steps")
    };
    let often: Vec<u32> = (0..10_000).map(|step| if step % 5 == 0 { 96 } else { 128 }).collect();
    let rarely: Vec<u32> = (0..10_000).map(|step| if step % 100 == 0 { 1000 + step } else { 128 }).collect();
    assert!((overhead(&often) - 2.0 * 0.006).abs() < 1e-12);
    assert!((overhead(&rarely) - 101.0 * 0.006).abs() < 1e-12);
}

#[test]
fn two_arrays_would_make_a_v4_a_quarter_of_itself() {
    // The claim is "a TPU v4 has two MXUs per chip". Its peak would be 69 TFLOPS, and PaLM's MFU would be 185%.
    let v4 = chip("tpu-v4");
    let Compute::Arrays { rows, cols, .. } = &v4.compute else { panic!("it has arrays") };
    let pes = f64::from(rows.value.expect("known") * cols.value.expect("known"));
    let claimed = 2.0 * pes * 2.0 * v4.clock_mhz.value.expect("known") * 1e6;
    assert!((claimed / 1e12 - 69.0).abs() < 0.5);
    let peak = v4.peak_flops(Bf16).expect("known");
    let achieved = 0.462 * peak.0;
    let mfu = Mfu::new(achieved, Seconds(1.0), perfmodel::FlopsPerSec(claimed));
    assert!(matches!(mfu, Err(MfuRefusal::AboveOne { ratio }) if (ratio - 1.85).abs() < 0.01), "{mfu:?}");
}

#[test]
fn nothing_about_a_v5p_slice_of_fewer_than_256_chips_makes_it_communication_bound() {
    // The claim is "256 chips are the least for more than 60%". Two facts contradict the claim: the critical batch per
    // chip is equal on closed axes of any length, and MaxText's 32B reaches an MFU of 71.47% on only 64 chips.
    let critical = |chips_per_axis| {
        let torus = perfmodel::Torus::of(chip("tpu-v5p"), 3, chips_per_axis).expect("known");
        critical_tokens_per_chip(chip("tpu-v5p").peak_flops(Bf16).expect("known"), &torus).expect("known")
    };
    assert_eq!(critical(4), critical(16));
    let best = perfmodel::PublishedMfu::all().iter().find(|row| row.chip == "tpu-v5p").expect("published");
    assert!(best.chips < Some(256) && best.mfu_percent.value > Some(60.0));
}
