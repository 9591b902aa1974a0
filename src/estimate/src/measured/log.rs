//! Reader of lines that training programs log.

use super::Measured;
use perfmodel::Seconds;

/// Measurement of a value.
type Of = fn(f64) -> Measured;

/// Labels of measurements in logs, best first. A time is better than a rate, because a rate depends on how the program
/// counts FLOPs and devices.
const LABELS: [(&str, Of); 21] = [
    // Megatron-LM.
    ("iteration (ms)", |ms| Measured::Step(Seconds(ms / 1e3))),
    // NeMo.
    ("train_step_timing in s", |s| Measured::Step(Seconds(s))),
    // MaxText: `completed step: 14, seconds: 54.803, TFLOP/s/device: 392.454, Tokens/s/device: 149.482`.
    ("seconds", |s| Measured::Step(Seconds(s))),
    ("step_time", |s| Measured::Step(Seconds(s))),
    // Trainer of Hugging Face.
    ("train_steps_per_second", |rate| Measured::Step(Seconds(1.0 / rate))),
    // torchtitan counts tokens on each device. Old versions call tokens words.
    ("throughput(tps)", Measured::TokensPerSecPerChip),
    ("tps", Measured::TokensPerSecPerChip),
    ("wps", Measured::TokensPerSecPerChip),
    ("tokens/s/device", Measured::TokensPerSecPerChip),
    ("tokens/s/gpu", Measured::TokensPerSecPerChip),
    ("tokens_per_sec_per_gpu", Measured::TokensPerSecPerChip),
    ("train_samples_per_second", Measured::SequencesPerSec),
    ("samplespersec", Measured::SequencesPerSec),
    ("samples/sec", Measured::SequencesPerSec),
    ("tokens_per_sec", Measured::TokensPerSec),
    // vLLM.
    ("generation throughput", Measured::TokensPerSec),
    ("(tflop/s/gpu)", |rate| Measured::FlopsPerSecPerChip(rate * 1e12)),
    ("tflop/s/device", |rate| Measured::FlopsPerSecPerChip(rate * 1e12)),
    ("tflops_per_gpu", |rate| Measured::FlopsPerSecPerChip(rate * 1e12)),
    ("tflops_per_sec_per_gpu", |rate| Measured::FlopsPerSecPerChip(rate * 1e12)),
    ("tflops", |rate| Measured::FlopsPerSecPerChip(rate * 1e12)),
];

/// Rates that progress bars print behind a number.
const RATES: [(&str, Of); 2] =
    [("s/it", |s| Measured::Step(Seconds(s))), ("it/s", |rate| Measured::Step(Seconds(1.0 / rate)))];

impl Measured {
    /// Reads the last rate in FLOP/s on each chip from lines of a log.
    pub(crate) fn rate_of_log(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let mut rates = LABELS.iter().filter(|(label, _)| label.contains("flop"));
        rates.find_map(|(label, of)| Some(of(last(&text, label)?)))
    }
}

/// Reads the last measurement in lines of a log.
pub(super) fn read(text: &str) -> Option<Measured> {
    let text = text.to_ascii_lowercase();
    let labeled = LABELS.iter().find_map(|(label, of)| Some(of(last(&text, label)?)));
    // nanoGPT: `iter 250: loss 2.4012, time 342.15ms, mfu 38.21%`.
    let timed = || {
        let (_, rest) = text.rsplit_once("time ")?;
        let (number, rest) = number(rest)?;
        let ms = if rest.starts_with("ms") { 1e-3 } else { rest.starts_with('s').then_some(1.0)? };
        Some(Measured::Step(Seconds(number * ms)))
    };
    let rated = || {
        let (at, of) = RATES.iter().find_map(|(rate, of)| Some((text.rfind(rate)?, of)))?;
        let before = text.get(..at)?;
        let start = before.rfind(|c: char| !c.is_ascii_digit() && c != '.').map_or(0, |at| at + 1);
        Some(of(number(before.get(start..)?)?.0))
    };
    labeled.or_else(timed).or_else(rated)
}

/// Number behind the last occurrence of a label as a whole word.
fn last(text: &str, label: &str) -> Option<f64> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let places = text.rmatch_indices(label).filter(|(at, _)| !text[..*at].ends_with(is_of_word));
    places.into_iter().find_map(|(at, _)| {
        let rest = text[at + label.len()..].trim_start_matches(['"', '\'', ' ']);
        let rest = rest.strip_prefix([':', '='])?;
        Some(number(rest)?.0)
    })
}

/// Number at the beginning of a text, with separators of thousands or `k` or `m`, and the rest of the text.
fn number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start_matches(['"', '\'', ' ']);
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let group = || text[at + 1..].chars().take_while(char::is_ascii_digit).count() == 3;
        if !(c.is_ascii_digit() || c == '.' || c == ',' && at > 0 && group()) {
            break;
        }
        end = at + 1;
    }
    let number = text[..end].replace(',', "").parse::<f64>().ok()?;
    let rest = &text[end..];
    let (factor, rest) = match (rest.strip_prefix('k'), rest.strip_prefix('m')) {
        (Some(rest), _) => (1e3, rest),
        (_, Some(millions)) if !millions.starts_with(char::is_alphabetic) => (1e6, millions),
        _ => (1.0, rest),
    };
    Some((number * factor, rest)).filter(|(number, _)| super::NUMBERS.contains(number))
}
