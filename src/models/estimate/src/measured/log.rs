//! Reader of lines that training programs log.

use super::Measured;
use perfmodel::Seconds;

/// Measurement of a value.
type Of = fn(f64) -> Measured;

/// Labels of times in logs, best first. A time is better than a rate, because a rate depends on how the program counts
/// FLOPs and devices.
const TIMES: [(&str, Of); 5] = [
    // Megatron-LM prints this.
    ("iteration (ms)", |ms| Measured::Step(Seconds(ms / 1e3))),
    // NeMo prints this.
    ("train_step_timing in s", |s| Measured::Step(Seconds(s))),
    // MaxText: `completed step: 14, seconds: 54.803, TFLOP/s/device: 392.454, Tokens/s/device: 149.482`.
    ("seconds", |s| Measured::Step(Seconds(s))),
    ("step_time", |s| Measured::Step(Seconds(s))),
    // The trainer of Hugging Face prints this.
    ("train_steps_per_second", |rate| Measured::Step(Seconds(1.0 / rate))),
];

/// Words before a time with a unit.
const WITH_UNIT: [&str; 3] = [
    // nanochat: `step 00004/21400 (0.02%) | loss: 8.893647 | dt: 989.44ms | tok/sec: 529,882 | mfu: 74.13`.
    "dt: ",
    // modded-nanogpt prints this.
    "step_avg:",
    // nanoGPT: `iter 250: loss 2.4012, time 342.15ms, mfu 38.21%`.
    "time ",
];

/// Labels of rates in logs, best first.
const LABELS: [(&str, Of); 19] = [
    // torchtitan counts tokens on each device. Old versions call tokens words.
    ("throughput(tps)", Measured::TokensPerSecPerChip),
    ("tps", Measured::TokensPerSecPerChip),
    ("wps", Measured::TokensPerSecPerChip),
    ("tokens/s/device", Measured::TokensPerSecPerChip),
    ("tokens/s/gpu", Measured::TokensPerSecPerChip),
    ("tokens_per_sec_per_gpu", Measured::TokensPerSecPerChip),
    ("train_samples_per_second", Measured::SequencesPerSec),
    ("samplespersec", Measured::SequencesPerSec),
    // DeepSpeed: the rate of the last steps, then the mean of all steps.
    ("currsamplespersec", Measured::SequencesPerSec),
    ("runningavgsamplespersec", Measured::SequencesPerSec),
    ("samples/sec", Measured::SequencesPerSec),
    ("tokens_per_sec", Measured::TokensPerSec),
    // nanochat prints this.
    ("tok/sec", Measured::TokensPerSec),
    // vLLM prints this.
    ("generation throughput", Measured::TokensPerSec),
    ("(tflop/s/gpu)", |rate| Measured::FlopsPerSecPerChip(rate * 1e12)),
    ("tflop/s/device", |rate| Measured::FlopsPerSecPerChip(rate * 1e12)),
    ("tflops_per_gpu", |rate| Measured::FlopsPerSecPerChip(rate * 1e12)),
    ("tflops_per_sec_per_gpu", |rate| Measured::FlopsPerSecPerChip(rate * 1e12)),
    ("tflops", |rate| Measured::FlopsPerSecPerChip(rate * 1e12)),
];

/// Rates that progress bars print behind a number.
const RATES: [(&str, Of); 5] = [
    ("s/it", |s| Measured::Step(Seconds(s))),
    ("it/s", |rate| Measured::Step(Seconds(1.0 / rate))),
    // llm.c: `step 61/74 | loss 3.208939 (+nanz)| lr 3.00e-04 | 1200.57 ms | -100.0% bf16 MFU | 436700 tok/s`.
    ("ms |", |ms| Measured::Step(Seconds(ms / 1e3))),
    ("tok/s", Measured::TokensPerSec),
    ("tokens/s", Measured::TokensPerSec),
];

impl Measured {
    /// Reads the tokens of a step on each chip from lines of a log that print the time of a step and the tokens per second
    /// of each chip.
    pub(crate) fn tokens_of_log(text: &str) -> Option<f64> {
        let Self::Step(Seconds(seconds)) = read(text)? else { return None };
        let text = text.to_ascii_lowercase();
        let rates = LABELS.iter().filter_map(|(label, of)| Some(of(last(&text, label)?)));
        rates.into_iter().find_map(|rate| match rate {
            Self::TokensPerSecPerChip(rate) => Some(rate * seconds),
            _ => None,
        })
    }

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
    let labeled = |labels: &[(&str, Of)]| labels.iter().find_map(|(label, of)| Some(of(last(&text, label)?)));
    let timed = || {
        WITH_UNIT.iter().find_map(|word| {
            let (before, rest) = text.rsplit_once(word)?;
            let (number, rest) = number(rest).filter(|_| !before.ends_with(is_of_word))?;
            let ms = if rest.starts_with("ms") { 1e-3 } else { rest.starts_with('s').then_some(1.0)? };
            Some(Measured::Step(Seconds(number * ms)))
        })
    };
    let rated = || {
        RATES.iter().find_map(|(rate, of)| {
            let (before, after) = text.rsplit_once(rate)?;
            // `tok/s/gpu` and `tok/sec` are other units.
            let before = before.trim_end();
            let start = before.rfind(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).map_or(0, |at| at + 1);
            let (number, rest) = number(before.get(start..)?)?;
            (rest.is_empty() && !after.starts_with(|c| c == '/' || is_of_word(c))).then(|| of(number))
        })
    };
    labeled(&TIMES).or_else(timed).or_else(|| labeled(&LABELS)).or_else(rated)
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Number behind the last occurrence of a label as a whole word.
fn last(text: &str, label: &str) -> Option<f64> {
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
    // This is a comma before decimals.
    if text[end..].strip_prefix(',').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    let number = text[..end].replace(',', "").parse::<f64>().ok()?;
    let rest = &text[end..];
    let (factor, rest) = match (rest.strip_prefix('k'), rest.strip_prefix('m')) {
        (Some(rest), _) => (1e3, rest),
        (_, Some(millions)) if !millions.starts_with(char::is_alphabetic) => (1e6, millions),
        _ => (1.0, rest),
    };
    Some((number * factor, rest)).filter(|(number, _)| super::number::NUMBERS.contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_time_of_a_line_is_read_with_its_unit_and_a_rate_without_its_time() {
        let step = |seconds| Some(Measured::Step(Seconds(seconds)));
        for (program, line, measured) in [
            (
                "nanochat",
                "step 7/90 (7.8%) | loss: 3.1 | dt: 812.50ms | tok/sec: 645,277 | total time: 0.1m",
                step(0.8125),
            ),
            ("nanochat without dt", "step 7/90 | tok/sec: 645,277 |", Some(Measured::TokensPerSec(645_277.0))),
            ("modded-nanogpt", "step:9/1750 val_loss:3.2797 train_time:755ms step_avg:83.90ms", step(0.0839)),
            (
                "llm.c",
                "step 9/74 | loss 3.2 (+nanz)| lr 3.00e-04 | 640.5 ms | 51.2% bf16 MFU | 818400 tok/s",
                step(0.6405),
            ),
            ("llm.c without time", "step 9/74 | loss 3.2 | 818,400 tok/s", Some(Measured::TokensPerSec(818_400.0))),
            (
                "DeepSpeed",
                "global_step=40, RunningAvgSamplesPerSec=21.5, CurrSamplesPerSec=20.25, MemAllocated=10GB",
                Some(Measured::SequencesPerSec(20.25)),
            ),
            ("only DeepSpeed's mean", "RunningAvgSamplesPerSec=21.5,", Some(Measured::SequencesPerSec(21.5))),
            ("a decimal comma", "seconds: 2,5, loss: 3", None),
            ("no time of a step", "width: 5 s", None),
            ("another unit", "818400 tok/s/node", None),
        ] {
            assert_eq!(read(line), measured, "{program}");
        }
    }
}
