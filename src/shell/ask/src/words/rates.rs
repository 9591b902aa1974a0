//! Sentences about rates and limits, and cards that are not listed.

use display::figure::dollars;
use display::number::{grouped, percent, readable};
use perfmodel::{Chip, PeakDtype};

/// A chip or a card, with its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Card {
    pub(crate) name: &'static str,
    /// Dense peak in TFLOPS. For a card that is not listed, this is the peak in 16 bits with sums in f32 (P100: in
    /// f16).
    pub(crate) tflops: Option<f64>,
    pub(crate) gb_per_sec: f64,
    /// True if the peak with 2:4 sparsity is twice the dense peak. Unused for a listed chip.
    pub(crate) is_sparse: bool,
}

impl Card {
    /// Cards that are not listed, each with its name without spaces.
    pub(crate) fn unlisted() -> impl Iterator<Item = (&'static str, Self)> {
        super::outside::NAMES.lines().filter_map(|line| {
            let ["card", name, key, tflops, gb_per_sec, peak] = *line.split('\t').collect::<Vec<_>>() else {
                return None;
            };
            let (tflops, gb_per_sec) = (tflops.parse().ok(), gb_per_sec.parse().ok()?);
            Some((key, Self { name, tflops, gb_per_sec, is_sparse: peak == "sparse" }))
        })
    }

    /// Limits of a listed chip.
    pub(crate) fn of(chip: &'static Chip, dtype: PeakDtype) -> Option<Self> {
        let peak = chip.peak_flops(dtype).or_else(|| chip.peak_flops(PeakDtype::Bf16));
        Some(Self {
            name: chip.name,
            tflops: peak.map(|peak| peak.0 / 1e12),
            gb_per_sec: chip.memory.gb_per_sec.value?,
            is_sparse: false,
        })
    }

    /// Returns a sentence on a card that is not listed.
    pub(crate) fn says(&self) -> String {
        let of = |peak: f64| {
            let sparse =
                if self.is_sparse { format!(" ({} with sparsity)", readable(2.0 * peak, 4)) } else { String::new() };
            format!("{} TFLOPS, dense in 16 bits{sparse}, and ", readable(peak, 4))
        };
        let (peak, rate) = (self.tflops.map_or_else(String::new, of), readable(self.gb_per_sec, 4));
        format!("This page does not list the {}; it has {peak}{rate} GB/s. Compare rates with these.", self.name)
    }
}

/// Returns the title: `LLaMA 2 7B on A100 80GB SXM and H100 80GB SXM5: rates and limits`.
pub(crate) fn title(model: Option<&str>, cards: &[&str], n_chips: Option<u64>) -> String {
    let number = n_chips.map_or_else(String::new, |number| format!("{} × ", grouped(number)));
    let model = model.map_or_else(String::new, |model| format!("{model} on "));
    format!("{model}{number}{}: rates and limits", cards.join(" and "))
}

/// Returns a sentence with the hours of all chips.
pub(crate) fn hours(number: u64, hours: f64, usd_per_hour: Option<f64>) -> String {
    let all = crate::words::as_f64(number) * hours;
    let cost = usd_per_hour
        .map_or_else(String::new, |usd| format!(", and cost {} at {} an hour", dollars(all * usd), dollars(usd)));
    let (number, each, all) = (grouped(number), readable(hours, 6), readable(all, 6));
    format!("{number} chips for {each} hours are {all} chip-hours{cost}. For the MFU, add parameters and tokens.")
}

/// Parameters of a model that a question does not name.
pub(crate) const USUAL_PARAMETERS: f64 = 7e9;

/// Returns a sentence with the maximum tokens per second on each card. If a rate is given, adds the share of each
/// maximum that the rate reaches.
pub(crate) fn ceilings(bytes: f64, all: &[(&str, f64)], rate: Option<f64>, is_assumed: bool) -> String {
    let share = |limit: f64| rate.map_or_else(String::new, |rate| format!(" ({} %)", percent(rate / limit)));
    let list: Vec<String> =
        all.iter().map(|(name, limit)| format!("{}{} on {name}", readable(*limit, 3), share(*limit))).collect();
    let assumed = if is_assumed { " (7 billion in 16 bits: name your model for its own)" } else { "" };
    let is_low = rate.zip(all.first()).is_some_and(|(rate, (_, limit))| rate < 0.5 * limit);
    let shares = rate.map_or_else(String::new, |rate| format!("; in brackets, the share of {}", readable(rate, 4)));
    let cause = if is_low { " Below half of it, launches and the CPU limit, not the chip." } else { "" };
    let gb = readable(bytes / 1e9, 3);
    format!(
        "One user reads {gb} GB of weights{assumed} for each token, so bandwidth allows at most these tokens/s: {}{shares}.{cause}",
        list.join(", ")
    )
}

/// Returns a sentence with shares of the peak.
pub(crate) fn achieved(rates: &[f64], name: &str, peak: f64, is_training: bool) -> String {
    let list: Vec<String> =
        rates.iter().map(|rate| format!("{} TFLOP/s are {} %", readable(*rate, 4), percent(rate / peak))).collect();
    let usual = match rates.first().map(|rate| rate / peak) {
        _ if is_training => "Training usually reaches 30 to 60 %.",
        Some(share) if share < 0.15 => "So low a share points to tiles that are too small, to memory or to launches.",
        _ => "Large matmuls reach 50 to 97 %, and with an equal peak the kernel makes the difference.",
    };
    format!("{} of the dense peak of {name}, {} TFLOPS. {usual}", list.join(", "), readable(peak, 4))
}
