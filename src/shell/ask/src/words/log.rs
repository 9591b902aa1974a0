//! Sentences about a line of a training log.

use display::number::{percent, readable};
use perfmodel::Chip;

/// Labels of logs of training programs, in lower case. `estimate` reads the lines.
pub(crate) const LABELS: [&str; 19] = [
    "ms, mfu",
    "completed step",
    "tflop/s/device",
    "tokens/s/device",
    "tflop/s/gpu",
    "elapsed time per iteration",
    "tok/sec",
    "step_avg",
    "train_step_timing",
    "tps:",
    "wps:",
    "samplespersec",
    "train_samples_per_second",
    "train_steps_per_second",
    "tflops:",
    "generation throughput",
    "tokens_per_sec",
    "step_time",
    "s/it",
];
/// Title of the estimate next to a line of a log.
pub(crate) const TITLE: &str = "Your log line, next to the estimate";
/// Note on a log of several lines.
pub(crate) const LAST_LINE: &str = "Only the last line of the log counts.";

/// Peak that nanoGPT divides by, in FLOP/s: that of an A100 in bf16.
const NANOGPT_PEAK: f64 = 312e12;

/// Returns a sentence on the `mfu` of nanoGPT. On every chip, nanoGPT divides by the peak of an A100.
pub(crate) fn nanogpt(mfu_percent: f64, peak: Option<(&str, f64)>) -> String {
    let flops = mfu_percent / 100.0 * NANOGPT_PEAK;
    let own = match peak {
        Some((name, peak)) => format!("{} % of the dense peak of {name}", percent(flops / peak)),
        None => "divide this by the dense peak of your chip, and choose the model and the chip".to_owned(),
    };
    let (mfu, rate) = (readable(mfu_percent, 3), readable(flops / 1e12, 3));
    format!(
        "nanoGPT takes the peak of an A100, 312 TFLOPS, on any chip: {mfu} % are {rate} TFLOP/s for each GPU; {own}."
    )
}

/// Returns a sentence with the share of the peak of each chip, and the size of the model that the line implies.
pub(crate) fn says(shares: &[(&Chip, f64)], parameters: Option<f64>, is_complete: bool) -> String {
    let possible = shares.iter().filter(|(_, share)| *share <= 1.0);
    let list: Vec<String> = possible.map(|(chip, share)| format!("{} % of {}", percent(*share), chip.name)).collect();
    let model = parameters.map_or_else(String::new, |parameters| {
        format!(", for a model of about {} billion parameters", readable(parameters / 1e9, 2))
    });
    let rest = if is_complete { "" } else { "; choose the model, the chip and the number of chips" };
    if list.is_empty() {
        return format!("The tab Real models compares this line with its prediction{model}{rest}.");
    }
    format!("The rate is {} bf16 peak{model}{rest}.", joined(&list))
}

fn joined(list: &[String]) -> String {
    match list {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => list.join(""),
    }
}
