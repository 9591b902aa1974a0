//! Sentences about an estimate of a model.

use display::number::{grouped, percent};

/// Words of a question about a model that change no entry.
const EXPECTED: &[&str] = &[
    "achieve",
    "achieved",
    "achieves",
    "average",
    "b",
    "bad",
    "batch",
    "bs",
    "calculate",
    "chip",
    "chips",
    "compute",
    "computed",
    "context",
    "correct",
    "cost",
    "costs",
    "d",
    "device",
    "devices",
    "each",
    "estimate",
    "expect",
    "expected",
    "fast",
    "flops",
    "flop",
    "fsdp",
    "g",
    "getting",
    "global",
    "good",
    "gpu",
    "gpus",
    "high",
    "hfu",
    "hours",
    "instruct",
    "k",
    "length",
    "llm",
    "long",
    "low",
    "maxtext",
    "mfu",
    "model",
    "my",
    "node",
    "normal",
    "number",
    "ok",
    "parameters",
    "params",
    "per",
    "performance",
    "possible",
    "predict",
    "predicted",
    "price",
    "rate",
    "reach",
    "real",
    "realistic",
    "reasonable",
    "report",
    "reported",
    "run",
    "second",
    "seq",
    "sequence",
    "sequences",
    "single",
    "size",
    "slice",
    "speed",
    "step",
    "take",
    "takes",
    "tensor",
    "throughput",
    "time",
    "tok",
    "token",
    "tokens",
    "total",
    "tpu",
    "tpus",
    "true",
    "typical",
    "users",
    "using",
    "utilization",
    "v",
    "vs",
    "versus",
    "weights",
    "x",
    "10",
    "pod",
];

/// True if a word of a question changes no entry of an estimate.
pub(crate) fn is_expected(word: &str) -> bool {
    EXPECTED.contains(&word)
}

/// Returns the title: `LLaMA 3 70B, training on 64 × H100 80GB SXM5`.
pub(crate) fn title(model: Option<&str>, pass: Option<&str>, chips: &[&str], n_chips: Option<u64>) -> String {
    let pass = pass.filter(|pass| *pass != "train").unwrap_or("training");
    let chips = chips.join(" and ");
    let on = match (n_chips, chips.is_empty()) {
        (Some(number), false) => format!(" on {} × {chips}", grouped(number)),
        (Some(number), true) => format!(" on {} chips", grouped(number)),
        (None, false) => format!(" on {chips}"),
        (None, true) => String::new(),
    };
    format!("{}, {pass}{on}", model.unwrap_or(USUAL_MODEL))
}

/// Model of a question that names none.
const USUAL_MODEL: &str = "LLaMA 3 8B, unless you choose another model";

/// Returns a sentence on an estimate.
pub(crate) fn says(measured: &[String], seq: Option<u64>) -> String {
    let seq = seq.map_or_else(String::new, |seq| format!(", with {} tokens in a sequence", grouped(seq)));
    if measured.is_empty() {
        return format!("Real models estimates step time, MFU and cost{seq}, and lists the nearest published runs.");
    }
    let measured = measured.join(" and ");
    format!("Real models compares {measured} with the predicted interval and with published runs{seq}.")
}

/// Returns a sentence on a model that is not listed, with the MFU that follows from its number of parameters.
pub(crate) fn of_parameters(name: &str, mfu: f64) -> String {
    let mfu = percent(mfu);
    format!(
        "6 FLOP per parameter and token give {mfu} % MFU without attention; paste the config.json of {name} for all FLOP."
    )
}

/// Returns a sentence on a model that is not listed.
pub(crate) fn not_listed(name: &str) -> String {
    format!("{name} is not in the list of models: paste its config.json under “Paste or open your own”.")
}

/// Returns a sentence that lists words which change no entry.
pub(crate) fn not_used(words: &[&str]) -> String {
    let list: Vec<String> = words.iter().take(4).map(|word| plain::quote(word)).collect();
    let rest = if words.len() > list.len() { " …" } else { "" };
    format!("The estimate does not use these words: {}{rest}.", list.join(", "))
}
