//! Words of the comparison of runs.

use display::amount::Amount;
use display::number::{grouped, percent, readable};

/// Name of the comparison for screen readers.
pub const TITLE: &str = "Comparison of chips";
/// Title of the rows with the factors of the MFU.
pub const WHERE_THE_PEAK_GOES: &str = "Where the peak goes";
/// Name of the column of a measured run.
pub const YOUR_RUN: &str = "Your run";
/// Name of the row with the recomputed activations.
pub const RECOMPUTATION: &str = "Recomputation";
/// Mark of the best run of a row.
pub const BEST: &str = "best";
/// Mark of the largest loss of a run.
pub const LARGEST_LOSS: &str = "largest loss";
/// Sentence if an interval is too wide to rank the runs.
pub const TOO_WIDE: &str = "The 80 % intervals are too wide to rank these runs.";

/// Mark of a run that does not fit in memory with its activations.
pub const NO_ROOM: &str = "too little memory";
/// Title of the list of settings that raise the MFU of a run.
#[must_use]
pub fn raise_title(chip: &str) -> String {
    format!("What raises the MFU of {chip}")
}

/// Returns the text of the list if no setting helps. `rate` is the tokens per second that each user must get.
#[must_use]
pub fn nothing_raises(rate: Option<f64>) -> String {
    match rate {
        None => "No other batch, number of chips, parallelism or recomputation that fits in memory raises this MFU by more than 1 %.".to_owned(),
        Some(rate) => format!(
            "No other batch, number of chips or parallelism that fits in memory and keeps {} tokens/s per user raises this MFU by more than 1 %.",
            readable(rate, 4)
        ),
    }
}

/// Formats a number of sequences: "3 sequences".
#[must_use]
pub fn sequences(number: u64) -> String {
    format!("{} {}", grouped(number), if number == 1 { "sequence" } else { "sequences" })
}

/// Name of the row with the number of sequences.
pub const SEQUENCES: &str = "Sequences per chip";

/// Formats a number of chips: "64 chips".
#[must_use]
pub fn chips(number: u64) -> String {
    if number == 1 { "1 chip".to_owned() } else { format!("{} chips", grouped(number)) }
}

/// Formats a price of a chip-hour in dollars.
#[must_use]
pub fn price(usd: Option<f64>) -> String {
    usd.map_or_else(|| "no list price: enter yours".to_owned(), |usd| format!("{} a chip-hour", Amount::Usd(usd)))
}

/// Formats a factor, and the share of the peak that is left after the factor: "× 0.75 → 45.2 %".
#[must_use]
pub fn times(factor: Option<f64>, left: f64) -> String {
    factor.map_or_else(
        || "not counted".to_owned(),
        |factor| format!("× {} → {}\u{a0}%", readable(factor, 3), percent(left)),
    )
}
