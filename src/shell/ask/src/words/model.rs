//! Sentences about an estimate of a model.

use display::figure::{dollars, duration};
use display::number::{grouped, percent, readable};
use perfmodel::Chip;

use super::as_f64;

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
    format!("The tab Real models compares {measured} with the predicted interval and with published runs{seq}.")
}

/// Returns a sentence with the MFU that follows from a number of parameters and a rate.
pub(crate) fn of_parameters(parameters: f64, mfu: f64, is_one_chip: bool) -> String {
    let (billions, mfu) = (readable(parameters / 1e9, 3), percent(mfu));
    let chips = if is_one_chip { " if the rate is that of one chip: else add the number of chips" } else { "" };
    format!(
        "6 FLOP for each of {billions} billion parameters and each token give {mfu} % MFU without attention{chips}."
    )
}

/// Returns a sentence with the number of chips of a run whose tokens and time are known.
pub(crate) fn needs_chips(parameters: f64, at_peak: f64) -> String {
    let of = |chips: f64| readable(chips.ceil(), 4);
    let billions = readable(parameters / 1e9, 3);
    let (all, usual) = (of(at_peak), of(at_peak / USUAL_MFU));
    format!(
        "6 FLOP for each of {billions} billion parameters and each token need {all} chips at the peak, and {usual} at 40 % MFU."
    )
}

/// MFU of a usual training.
pub(crate) const USUAL_MFU: f64 = 0.4;

/// Returns a sentence on a share that refers to the peak with sparsity.
pub(crate) fn sparse(claimed: Option<f64>, sparse: f64) -> String {
    let (dense, sparse) = (readable(sparse / 2.0, 4), readable(sparse, 4));
    let share = claimed.map_or_else(String::new, |share| {
        format!(", so {} % of it are {} % of the dense peak", readable(share, 3), readable(2.0 * share, 3))
    });
    format!("{sparse} TFLOPS is the peak with sparsity, and the dense peak is {dense}{share}.")
}

/// Returns a sentence with the minimum time of a decode step. With a prompt, adds the minimum time of prefill and the
/// maximum number of requests per second.
pub(crate) fn decode(bytes: f64, step: f64, batch: u64, prompt: Option<(f64, f64)>) -> String {
    let (gb, time, rate) = (readable(bytes / 1e9, 3), duration(step), readable(1.0 / step, 3));
    let all = readable(as_f64(batch) / step, 3);
    let decode = format!("Each step of decode reads {gb} GB of weights, which takes at least {time}");
    match prompt {
        Some((prefill, requests)) => format!(
            "Prefill takes at least {}. {decode}, so a batch of {batch} answers at most {} requests/s.",
            duration(prefill),
            readable(requests, 3)
        ),
        None if batch > 1 => {
            format!("{decode}: at most {all} tokens/s for a batch of {batch}, and more for a larger batch.")
        }
        None => format!("{decode}: at most {rate} tokens/s for one sequence, and a larger batch shares this time."),
    }
}

/// Returns a sentence with the MFU of a run whose hours of all chips are known.
pub(crate) fn of_hours(parameters: f64, tokens: f64, hours: f64, mfu: f64, chip: Option<&Chip>) -> String {
    let flop = readable(6.0 * parameters * tokens, 3);
    let (hours, mfu, name) = (readable(hours, 4), percent(mfu), chip.map_or("the chip", |chip| chip.name));
    format!("6 · parameters · tokens = {flop} FLOP in {hours} chip-hours are {mfu} % of the bf16 peak of {name}.")
}

/// A training run whose time is asked for.
pub(crate) struct Budget {
    /// Number of parameters; one billion if unknown.
    pub(crate) parameters: Option<f64>,
    pub(crate) tokens: f64,
    /// True if the text has no number of tokens.
    pub(crate) is_assumed: bool,
    /// MFU.
    pub(crate) share: f64,
    pub(crate) chip: &'static Chip,
    /// Hours of all chips together.
    pub(crate) hours: f64,
}

impl Budget {
    /// Returns a sentence with the chip-hours of a run, its days and its cost.
    pub(crate) fn says(&self, n_chips: Option<u64>) -> String {
        let of = match self.parameters {
            Some(parameters) => format!("{} billion parameters", readable(parameters / 1e9, 3)),
            None => "each billion parameters".to_owned(),
        };
        let assumed = if self.is_assumed { " (20 for each parameter)" } else { "" };
        let (tokens, hours) = (readable(self.tokens / 1e9, 4), readable(self.hours, 3));
        let time = n_chips.map_or_else(String::new, |chips| {
            let days = readable(self.hours / 24.0 / as_f64(chips.max(1)), 3);
            format!(", or {days} days on {} chips", grouped(chips))
        });
        let price = self.chip.default_price().and_then(|price| price.usd_per_chip_hour.value);
        let cost = price.map_or_else(String::new, |usd| {
            format!(" At {} an hour, this costs {}.", dollars(usd), dollars(usd * self.hours))
        });
        let (share, name) = (percent(self.share), self.chip.name);
        format!("{tokens} billion tokens{assumed} with {of} take {hours} hours of {name} at {share} % MFU{time}.{cost}")
    }
}

/// Returns a sentence with the tokens per second of a training run at a given share of the peak.
pub(crate) fn expected_rate(parameters: f64, share: f64, rate: f64, chip: &str, n_chips: Option<u64>) -> String {
    let all = n_chips.filter(|chips| *chips > 1).map_or_else(String::new, |chips| {
        format!(", and {} on {} chips", readable(rate * as_f64(chips), 3), grouped(chips))
    });
    let (billions, share, rate) = (readable(parameters / 1e9, 3), percent(share), readable(rate, 3));
    format!("In training, {billions} billion parameters at {share} % MFU make {rate} tokens/s for each {chip}{all}.")
}

/// Returns a sentence with the memory that the weights or the training need, and with the memory of the given number of
/// chips.
pub(crate) fn memory(
    parameters: f64,
    each: f64,
    is_trained: bool,
    training: Option<f64>,
    has: Option<(&Chip, f64, u64)>,
) -> String {
    let gb = |bytes: f64| readable(bytes / 1e9, 3);
    let needed = parameters * each;
    let (billions, bytes) = (readable(parameters / 1e9, 3), readable(each, 2));
    let of =
        if is_trained { "weights, gradients and Adam, before activations" } else { "weights, before the KV cache" };
    let training = training.map_or_else(String::new, |bytes| format!("; training with Adam needs {} GB", gb(bytes)));
    let has = has.map_or_else(String::new, |(chip, capacity, n_chips)| {
        let least = (needed / (capacity / as_f64(n_chips))).ceil();
        let fits = if needed < capacity {
            "which has room".to_owned()
        } else {
            format!("too little: at least {least} are needed")
        };
        format!(" {n_chips} × {}: {} GB, {fits}.", chip.name, gb(capacity))
    });
    format!("{billions} billion parameters with {bytes} bytes each need {} GB for {of}{training}.{has}", gb(needed))
}

/// Returns a sentence on states that do not fit in the memory of the chips.
pub(crate) fn shortage(needed: f64, has: f64) -> String {
    let gb = |bytes: f64| readable(bytes / 1e9, 3);
    format!(
        "With Adam, 16 bytes for each parameter are {} GB, and the chips have {} GB: the rest is offloaded, so the host limits the speed. ",
        gb(needed),
        gb(has)
    )
}

/// Returns a sentence with the bytes of keys and values.
pub(crate) fn cache(bytes: f64, seq: Option<u64>, batch: Option<u64>) -> String {
    let kib = readable(bytes / 1024.0, 4);
    let all = seq.map_or_else(String::new, |seq| {
        let gib = readable(bytes * as_f64(seq) * as_f64(batch.unwrap_or(1)) / 1_073_741_824.0, 3);
        format!(", so {} × {} tokens need {gib} GiB", batch.unwrap_or(1), grouped(seq))
    });
    format!("In bf16, 2 · layers · KV heads · head width · 2 bytes are {kib} KiB for each token{all}.")
}

/// Returns a sentence with the cost of a million tokens.
pub(crate) fn cost(usd_per_hour: f64, rate: f64) -> String {
    let million = perfmodel::usd_per_million_tokens(usd_per_hour, rate).map_or_else(String::new, dollars);
    format!(
        "{} an hour ÷ (3600 · {} tokens/s) is {million} per million tokens.",
        dollars(usd_per_hour),
        readable(rate, 4)
    )
}

/// Returns the note on a model that is not listed.
pub(crate) fn nearest(name: &str, title: &str) -> String {
    format!("{name} is not listed, so the answer takes {title}; paste the config.json of {name} for its own numbers.")
}

/// Returns a sentence that lists words which change no entry.
pub(crate) fn not_used(words: &[&str]) -> String {
    let list: Vec<String> = words.iter().take(4).map(|word| plain::quote(word)).collect();
    let rest = if words.len() > list.len() { " …" } else { "" };
    format!("The estimate does not use these words: {}{rest}.", list.join(", "))
}
