//! What is said of a model on chips.

use crate::estimate::{Estimate, Why, Wrong};
use crate::number::significant;
use perfmodel::gemm_time::{calibration, tpu_v4};
use perfmodel::{Chip, Compute, Per};

/// The panel.
pub const TITLE: &str = "A model on chips";
/// Where a model's own file or list is given.
pub const IMPORT: &str = "your own: config.json, SCALE-Sim table, M,K,N lines, StableHLO";
/// What happens to it.
pub const STAYS_HERE: &str = "Read in this tab; nothing is uploaded.";
/// Where a file is in no format that is known.
pub const NO_FORMAT: &str = "This is in none of the formats that are read: config.json of Hugging Face, a SCALE-Sim table, \
                             lines of M,K,N, StableHLO text, ONNX or safetensors.";
/// What a model is given by instead of a name.
pub const OWN: &str = "own list";
/// Beside the table of products.
pub const PRODUCTS: &str = "Products, by time";
/// Columns of that table.
pub const PRODUCT_HEADS: [&str; 6] = ["product", "M × K × N", "times", "of the time", "bound by", "fills"];
/// Beside what the answer rests on.
pub const ASSUMPTIONS: &str = "What this rests on";
/// Columns of that.
pub const ASSUMPTION_HEADS: [&str; 2] = ["what", "value"];
/// Why exchange between chips is not in a step.
pub const NO_EXCHANGE: &str = "not counted: none is needed, or the rate of the links is not published";

/// The name of a part of a question.
#[must_use]
pub fn name(part: &str) -> &'static str {
    match part {
        "model" => "model",
        "chip" => "chip",
        "dtype" => "format",
        "chips" => "chips",
        "pass" => "pass",
        "seq" => "tokens per sequence",
        "batch" => "sequences per chip",
        "remat" => "computed again",
        "attention" => "attention counts",
        "split" => "split",
        "overlap" => "overlap in %",
        "usd" => "own $ per chip-hour",
        "tokens" => "tokens of the run",
        _ => "other",
    }
}

/// What the times of the products rest on.
#[must_use]
pub fn basis(estimate: &Estimate) -> String {
    let asked = &estimate.asked;
    if tpu_v4::is_for(asked.chip, asked.dtype, Per::Chip) {
        return calibration::Basis::Fitted.says().to_owned();
    }
    let (constants, basis) = calibration::of(asked.chip);
    format!(
        "{} Products reach {} of the peak, memory {} of its bandwidth ({}).",
        basis.says(),
        significant(constants.math_share, 3),
        significant(constants.memory_share, 3),
        constants.chip
    )
}

/// What the rest of a step rests on.
#[must_use]
pub fn share(estimate: &Estimate) -> String {
    let Some((share, own)) = estimate.share else { return String::new() };
    let value = share.share.value.map_or_else(|| "unknown".to_owned(), |share| significant(share, 3));
    let whose = if own { "measured on this chip" } else { "of another chip: trust the shape, not the height" };
    let error = share.held_out_error_percent.map_or_else(String::new, |error| {
        format!("; off by {} % on runs it was not taken from", significant(error, 2))
    });
    format!("products take {value} of a step ({}, {whose}{error})", share.chip)
}

/// The sides of a chip's arrays.
#[must_use]
pub fn sides(chip: &Chip) -> String {
    match &chip.compute {
        Compute::Arrays { rows, cols, .. } => match rows.value.zip(cols.value) {
            Some((rows, cols)) => format!("R = {rows}, C = {cols}"),
            None => "the sides of its arrays are not published".to_owned(),
        },
        Compute::TensorCores { .. } => "tensor cores are no systolic arrays".to_owned(),
        Compute::Unknown(_) => "what multiplies in it is not published".to_owned(),
    }
}

/// One sentence about a part of a question that cannot be used.
#[must_use]
pub fn wrong(wrong: &Wrong) -> String {
    let given = if wrong.given.is_empty() { "nothing" } else { &wrong.given };
    format!("{} = {given}: allowed is {}.", wrong.name, wrong.allowed)
}

/// One sentence on why there is no answer.
#[must_use]
pub fn why(why: &Why) -> String {
    match why {
        Why::Model(sentence) => sentence.clone(),
        Why::Chip(refusal) => refusal.says().to_owned(),
    }
}
