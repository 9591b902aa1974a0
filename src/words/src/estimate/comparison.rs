//! Words of the comparison of runs.

use display::number::readable;

/// Name of the comparison for screen readers.
pub const TITLE: &str = "Comparison of chips";
/// Title of the rows with the factors of the MFU.
pub const WHERE_THE_PEAK_GOES: &str = "Where the peak goes";
/// Name of the column of a measured run.
pub const YOUR_RUN: &str = "Your run";
/// Derivation of a figure of a measured run.
pub const MEASURED: &str = "computed from your measurement";
/// Name of the row with the recomputed activations.
pub const RECOMPUTATION: &str = "Recomputation";
/// First line of the comparison as CSV.
pub const CSV_HEAD: &str = "model,run,chips,price,fits,measure,value,low,high";
/// Mark of the best run of a row.
pub const BEST: &str = "best";
/// Mark of the largest loss of a run.
pub const LARGEST_LOSS: &str = "largest loss";
/// Sentence if no run fits in memory.
pub const NONE_FITS: &str = "No run fits in memory with its activations.";
/// Text of a cell of dollars without a price.
pub const NEEDS_A_PRICE: &str = "needs a price";
/// Id of the figure with an interval bar.
pub const MFU: &str = "mfu";
/// Id of the figure with a memory bar.
pub const MEMORY: &str = "weights-per-chip";

/// Formats a factor: "× 0.75".
#[must_use]
pub fn times(factor: f64) -> String {
    format!("× {}", readable(factor, 3))
}
