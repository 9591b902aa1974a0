//! Compares training times and FLOP counts with published ones.

use perfmodel::PeakDtype::{Bf16, F16, Int8};
use perfmodel::{Attention, Chip, FlopsPerSec, MfuRefusal, PeakDtype, Remat, Seconds, TransformerFlops, Work};

const LLAMA2_7B: TransformerFlops =
    TransformerFlops { matmul_parameters: 6_607_077_376.0, layers: 32, heads: 32, head_size: 128 };
const LLAMA2_70B: TransformerFlops =
    TransformerFlops { matmul_parameters: 68_713_185_280.0, layers: 80, heads: 64, head_size: 128 };
const LLAMA3_8B: TransformerFlops =
    TransformerFlops { matmul_parameters: 7_504_658_432.0, layers: 32, heads: 32, head_size: 128 };
const LLAMA3_70B: TransformerFlops =
    TransformerFlops { matmul_parameters: 69_501_714_432.0, layers: 80, heads: 64, head_size: 128 };
const GEMMA_2B: TransformerFlops =
    TransformerFlops { matmul_parameters: 2_506_358_784.0, layers: 18, heads: 8, head_size: 256 };
const GEMMA_7B: TransformerFlops =
    TransformerFlops { matmul_parameters: 8_537_899_008.0, layers: 28, heads: 16, head_size: 256 };

/// FLOP to train BERT-Large with LAMB.
const BERT: f64 = 1.63e20;

fn peak(id: &str, dtype: PeakDtype) -> FlopsPerSec {
    Chip::by_id(id).and_then(|chip| chip.peak_flops(dtype)).expect("known")
}

fn work(model_flops: f64, chips: u64, id: &str, dtype: PeakDtype) -> Work {
    Work { model_flops, chips, peak: peak(id, dtype) }
}

/// Returns the MFU of work that takes these seconds.
fn mfu(work: Work, seconds: f64) -> f64 {
    work.mfu(Seconds(seconds)).expect("possible").ratio
}

#[track_caller]
fn close(found: f64, printed: f64, within: f64) {
    assert!((found - printed).abs() < within, "{found} instead of {printed}");
}

/// Returns the MFU in percent of one chip that trains this many tokens per second.
fn mfu_percent(tokens_per_sec: f64, model: &TransformerFlops, sequence: f64, attention: Attention, id: &str) -> f64 {
    let flops = tokens_per_sec * model.train_flops_per_token(sequence, attention);
    100.0 * mfu(work(flops, 1, id, Bf16), 1.0)
}

#[test]
fn maxtext_counts_the_same_flops_per_step() {
    // MaxText pull request 1988 (2025-07) has TFLOP per step and device of Llama 2 7B, before and after causal
    // counting. The rows agree with 4 sequences per device.
    for (sequence, full, causal) in [(8192.0, 1721.22, 1510.11), (129_024.0, 125_194.40, 72_826.86)] {
        for (attention, printed) in [(Attention::Full, full), (Attention::Causal, causal)] {
            let found = 4.0 * sequence * LLAMA2_7B.train_flops_per_token(sequence, attention) / 1e12;
            close(found, printed, 0.006);
        }
    }
    // MaxText pull request 644 (2024-05) counts full attention. Its defaults then were 12 sequences of 2048.
    for (model, printed) in [(LLAMA2_7B, 1053.4), (LLAMA2_70B, 10528.0), (GEMMA_7B, 1328.2), (GEMMA_2B, 391.8)] {
        let found = 12.0 * 2048.0 * model.train_flops_per_token(2048.0, Attention::Full) / 1e12;
        close(found, printed, 0.06);
    }
}

#[test]
fn palm_takes_the_time_its_paper_says_and_its_hfu_is_at_most_a_third_above() {
    let palm = TransformerFlops { matmul_parameters: 540.35e9, layers: 118, heads: 48, head_size: 256 };
    let second = work(238.3e3 * palm.train_flops_per_token(2048.0, Attention::Full), 6144, "tpu-v4", Bf16);
    let ratio = mfu(second, 1.0);
    close(ratio, 0.462, 0.0005);
    close(second.time(ratio).expect("possible").0, 1.0, 1e-12);
    // The printed HFU is 57.8%. That is below full rematerialization (61.6%) and above no rematerialization.
    let hfu = |remat| second.hfu(Seconds(1.0), remat).expect("possible").ratio;
    assert!(hfu(Remat::None) < 0.578 && 0.578 < hfu(Remat::Full));
}

#[test]
fn published_throughput_gives_the_published_mfu() {
    // MaxText's tiering page for v6e with 8192 tokens has 7207 tokens/s for the 8B model and 960 for the 70B model.
    let eight = mfu_percent(7207.0, &LLAMA3_8B, 8192.0, Attention::Full, "tpu-v6e");
    close(eight, 45.46, 0.02);
    let seventy = |attention| mfu_percent(960.0, &LLAMA3_70B, 8192.0, attention, "tpu-v6e");
    close(seventy(Attention::Full), 50.33, 0.03);
    close(seventy(Attention::Causal), 47.0, 0.05);
    let recounted = LLAMA3_70B.recount(50.33, 8192.0, Attention::Full, Attention::Causal);
    close(recounted, 47.0, 0.05);
}

#[test]
fn two_published_rows_contradict_their_own_throughput() {
    // For Llama 2 70B on v5p, 65.4% is printed. 692 tokens/s give 67.0%, or 64.6% with causal counting.
    let v5p = |attention| mfu_percent(692.0, &LLAMA2_70B, 4096.0, attention, "tpu-v5p");
    close(v5p(Attention::Full), 67.0, 0.05);
    close(v5p(Attention::Causal), 64.6, 0.05);
    // For Llama 3.1 405B on v6e, 38.55% is printed. 123 tokens/s give 35.2%, and less with causal counting. The
    // dimensions are from its paper: 126 layers of 2·16384² + 2·16384·1024 + 3·16384·53248, and a head of 128256.
    let model = TransformerFlops { matmul_parameters: 403.75e9, layers: 126, heads: 128, head_size: 128 };
    let v6e = mfu_percent(123.0, &model, 8192.0, Attention::Full, "tpu-v6e");
    close(v6e, 35.2, 0.05);
}

#[test]
fn the_halved_term_matters_more_for_long_sequences_and_small_models() {
    // At 8192 tokens, the change is 7% of the causal count for the 70B model, and 12.5% for the 8B model.
    let change = |model: &TransformerFlops| model.recount(1.0, 8192.0, Attention::Causal, Attention::Full) - 1.0;
    close(change(&LLAMA3_70B), 0.07, 0.005);
    close(change(&LLAMA3_8B), 0.125, 0.0005);
}

#[test]
fn worked_times_of_the_scaling_book_come_out() {
    // 6.3e24 FLOP take 44.3 days on 8960 v5p at 40%, and 16.9 days on 18,823 chips at 50%.
    for (chips, mfu, days) in [(8960, 0.4, 44.3), (18_823, 0.5, 16.9)] {
        let found = work(6.3e24, chips, "tpu-v5p", Bf16).time(mfu).expect("possible").hours() / 24.0;
        close(found, days, 0.05);
    }
}

#[test]
fn a_diffusion_step_is_six_flop_per_mac_too() {
    // SDXL has 3380.618 GMAC in a forward pass of an image. A training step of 8 images has 162.27 TFLOP (tpu-recipes,
    // v5p SDXL).
    let step: f64 = 8.0 * 6.0 * 3_380_618_199_040.0;
    close(step / 1e12, 162.27, 0.005);
    let time = work(step, 1, "tpu-v5p", Bf16).time(1.0).expect("possible").0;
    close(time, 162.27 / 459.0, 1e-4);
}

#[test]
fn the_peak_of_another_dtype_halves_the_mfu_of_the_same_run() {
    // In MaxText's GPT-3 log on v5p, 397 TFLOP/s per chip are 86.5% of the bf16 peak and 43% of the int8 peak.
    let ratio = |dtype| mfu(work(397e12, 1, "tpu-v5p", dtype), 1.0);
    close(ratio(Bf16), 0.865, 0.0005);
    close(ratio(Int8), 0.4325, 0.0005);
}

#[test]
fn an_mfu_above_one_is_refused_in_both_directions() {
    let bert = |chips| work(BERT, chips, "tpu-v3", Bf16);
    // The claim is "BERT-Large in 76 minutes on 512 cores". 512 cores are 256 chips, which would have an MFU of 113.7%.
    let minutes = Seconds(76.0 * 60.0);
    let claim = bert(256).mfu(minutes);
    assert!(matches!(claim, Err(MfuRefusal::AboveOne { ratio }) if (ratio - 1.137).abs() < 0.002), "{claim:?}");
    assert!(matches!(bert(256).time(1.137), Err(MfuRefusal::AboveOne { .. })));
    assert_eq!(bert(256).time(0.0), Err(MfuRefusal::NoRate));
    assert_eq!(bert(0).time(0.5), Err(MfuRefusal::NoRate));
    assert_eq!(bert(1).time(f64::NAN), Err(MfuRefusal::NoRate));
}

#[test]
fn a_claimed_speedup_implies_a_ratio_of_mfus() {
    // The claim is "v5e trains 4.6 times as fast as an A100". A v5e has 0.63 of the peak, so it would need 7.3 times
    // the MFU. A published A100 reaches 64%, so the v5e would need 467%. 4.66 is the ratio of the peaks of v6e and v5e.
    let peaks = peak("tpu-v5e", Bf16).0 / peak("a100-40", Bf16).0;
    close(peaks, 0.631, 0.0005);
    let implied = 4.6 / peaks;
    close(implied, 7.3, 0.05);
    let a100 = work(1e20, 8, "a100-40", Bf16).time(0.6423).expect("possible");
    let claim = work(1e20, 8, "tpu-v5e", Bf16).mfu(Seconds(a100.0 / 4.6));
    assert!(matches!(claim, Err(MfuRefusal::AboveOne { ratio }) if ratio > 4.6), "{claim:?}");
    close(peak("tpu-v6e", Bf16).0 / peak("tpu-v5e", Bf16).0, 4.66, 0.005);
}

#[test]
fn a_run_of_eighteen_hours_on_eight_a100_takes_twenty_two_on_as_many_v5e() {
    // The claim is 6 to 8 hours on "an equivalent slice". 8 chips at 58.5% take 22 h, and 7 h need 26 chips.
    let flops = 8.0 * 0.46 * peak("a100-40", Bf16).0 * 18.0 * 3600.0;
    let eight = work(flops, 8, "tpu-v5e", Bf16);
    let hours = eight.time(0.585).expect("possible").hours();
    close(hours, 22.4, 0.05);
    assert_eq!(eight.chips_for(Seconds(7.0 * 3600.0), 0.585), Ok(26.0));
    assert_eq!(eight.chips_for(Seconds(0.0), 0.585), Err(MfuRefusal::NoRate));
}

#[test]
fn the_other_bert_rows_are_possible_but_odd() {
    // 64 V100 for 4 days would have an MFU of only 5.9%, so the comparison is unfair. 64 A100 for 6 hours have 37.8%.
    // "v4: 45 min for $460 at $1.20 per 8 cores" are 2044 chips at 10.7%.
    let percent = |chips, id, dtype, hours: f64| 100.0 * mfu(work(BERT, chips, id, dtype), hours * 3600.0);
    close(percent(64, "v100", F16, 96.0), 5.9, 0.05);
    close(percent(64, "a100-80", Bf16, 6.0), 37.8, 0.05);
    close(percent(2044, "tpu-v4", Bf16, 0.75), 10.7, 0.05);
}
