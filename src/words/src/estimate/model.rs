//! What is said of a model on chips.

pub use display::amount::UNKNOWN;

use super::entry;
use display::amount::Amount;
use display::figure::cents;
use display::number::{fixed, grouped, joined, readable};
use estimate::{Dear, Estimate, Question};
use perfmodel::gemm_time::accuracy::{self, Check};
use perfmodel::gemm_time::calibration;
use perfmodel::{Chip, Compute, MfuRefusal, Missing, Per, Price, PriceKind, ProductShare, Sharding, product_share};
use workload::PassKind;

/// Said above an answer where an entry cannot be used.
pub const WITHOUT_WRONG: &str = "One entry is invalid and was ignored. See the message next to it.";

/// The panel.
pub const TITLE: &str = "Real models";
/// Over the entry for one's own file or list.
pub const IMPORT: &str = "config.json, SCALE-Sim table, M,K,N lines, StableHLO, ONNX, safetensors";
/// What happens to it.
pub const STAYS_HERE: &str = "Read in this tab; nothing is uploaded.";
/// Where a file is in no format that is known.
pub const NO_FORMAT: &str = "Format not recognized. Use a Hugging Face config.json, a SCALE-Sim table, lines of M,K,N, StableHLO \
                             text, ONNX or safetensors.";
/// Where a file has no product.
pub const NO_PRODUCTS: &str = "This file has no matmul that can be counted, so there is nothing to time.";
/// A field for pasted lines.
pub const PASTE: &str = "Paste or open your own";
/// What few change.
pub const MORE: &str = "More settings";
/// What may stand in it.
pub const PASTE_HINT: &str = "paste a config.json, or lines of M,K,N";
/// A field for a file.
pub const FILE: &str = "Choose a file";
/// What is said while a file is read.
#[must_use]
pub fn reading(name: &str, percent: u8) -> String {
    let of = if name.is_empty() { "" } else { " " };
    format!("Reading{of}{name}: {percent} %")
}

/// Leaves one's own model for the selected one.
pub const NO_OWN: &str = "use the selected model instead";
/// What stands for the name of a list.
pub const OWN: &str = "own list";
/// Beside the table of products.
pub const PRODUCTS: &str = "Matmuls by time";
/// Columns of that table.
pub const PRODUCT_HEADS: [&str; 7] =
    ["product", "M × K × N", "count", "share of time", "time each", "bound by", "tile efficiency"];
/// How far those times are off.
pub const ERRORS: &str = "Error of the predicted times";
/// Columns of that where hundreds were measured.
pub const ERROR_HEADS: [&str; 9] =
    ["sides", "share of time", "measured", "mean error", "median", "90 % within", "bias", "worst", "held out"];
/// Columns of that where a few were.
pub const CHECK_HEADS: [&str; 5] = ["product", "measured", "predicted", "error", "used as"];
/// A range in which nothing was measured.
pub const UNMEASURED: &str = "none";
/// A product that a constant was set by.
pub const SETS: &str = "calibration";
/// A product that no constant was set by.
pub const TRIES: &str = "check";

/// "1024³ in bf16 on one core".
#[must_use]
pub fn square(check: &Check) -> String {
    let part = if check.per == Per::Core { "one core" } else { "the chip" };
    format!("{}³ in {} on {part}", grouped(check.side), check.dtype.word())
}

/// An error in percent: as many decimals as it is worth.
#[must_use]
pub fn error(percent: f64) -> String {
    format!("{} %", fixed(percent, u32::from(percent.abs() < 9.95)))
}

/// Beside what the answer rests on.
pub const ASSUMPTIONS: &str = "Sources and assumptions";
/// The column headings of the ladder.
pub const ASSUMPTION_HEADS: [&str; 2] = ["what", "value"];

/// Where failures cost as much as the work itself.
#[must_use]
pub fn no_progress(overhead: Option<f64>) -> Option<String> {
    overhead.filter(|share| *share >= 1.0).map(|_| {
        "Checkpoints, repeated work and restarts take longer than the work between failures. The formulas apply only to rare failures, and such a run would make little progress."
            .to_owned()
    })
}

/// The time of one product.
pub const TIME: &str = "Time";
/// The time of a step that makes one token of every sequence.
pub const TIME_PER_TOKEN: &str = "Time per token";

/// Sequences that are generated together.
#[must_use]
pub fn at_once(sequences: u64) -> String {
    let noun = if sequences == 1 { "sequence" } else { "sequences" };
    format!("{} {noun} at once", grouped(sequences))
}

/// At a number of chips on which a model does not fit: how many do.
#[must_use]
pub fn too_few(chips: u64, enough: Option<u64>) -> String {
    let noun = if chips == 1 { "chip" } else { "chips" };
    let chips = grouped(chips);
    match enough {
        Some(enough) => format!("Does not fit on {chips} {noun}: use {}.", grouped(enough)),
        None => format!("Does not fit on {chips} {noun}, nor on more with this parallelism."),
    }
}

/// The choice of a single product.
pub const SINGLE_PRODUCT: &str = "Single matmul (M, K, N)";

/// A peak that follows from geometry and clock.
pub const CONSISTENT: &str = "consistent with the published clock";
/// One that does not.
pub const NOT_CONSISTENT: &str = "not consistent with the published clock";
/// Behind tokens that are none.
pub const INPUTS: &str = "; without sequences, each input counts as one token";

/// What bounds a step whose chips exchange longer than they multiply.
pub const EXCHANGE: &str = "communication";
/// What a chip holds in training.
pub const STATE: &str = "Weights and training state on a chip";
/// What it holds in inference.
pub const WEIGHTS_AND_CACHE: &str = "Weights, keys and values on a chip";
/// Where nothing was typed.
pub const NOTHING: &str = "nothing";
/// Where nobody said how many tokens a step has.
pub const NO_TOKENS: &str = "a list does not say how many tokens a step has";
/// The same, where tokens of a run were set.
pub const TOKENS_UNUSED: &str =
    "The total tokens are not used: a list does not say how many tokens a step has. The cost is for one day.";
/// Where nobody said which operands are weights.
pub const NO_WEIGHTS: &str = "a list does not say which operands are weights";

/// Where a model or a list has no attention to be counted one way or another.
pub const NO_ATTENTION: &str = "only matmuls";

/// What is taken of a torus of which nobody said which axes close.
pub const OPEN_AXES: &str =
    "assuming no wraparound links, because which axes wrap is not published: at most 2× too high";

/// Beside chips: how long they exchange in a step, whatever hides it.
pub const EXCHANGE_OF_A_STEP: &str = "communication per step";
/// Where no exchange is counted.
pub const NONE_COUNTED: &str = "none counted";

/// Why communication between chips is not in a step.
pub const NO_EXCHANGE: &str = "not counted: none is needed, the rate of the links is not published, these are \
     more chips than a pod has, or the model's weights or layers are not known";

/// Behind the name of a chip some of whose values were set.
pub const WITH_YOURS: &str = " with your values";
/// How a price of one's own may be written.
pub const USD_HINT: &str = "1.2, 0.6/core, 9.6/8";
/// Without a model.
pub const NO_MODEL: &str = "No model is chosen.";
/// Where no price is known.
pub const NO_PRICE: &str = "no known price";
/// A chip of which nothing is known.
pub const BLANK: &str = "your own chip";
/// Where a chip's own values are set.
pub const OWN_CHIP: &str = "override chip values";
/// What that does.
pub const OWN_CHIP_SAYS: &str = "Your values replace published values; an empty field keeps the published value. \u{201c}unknown\u{201d} removes a value.";

/// No second chip.
pub const NO_SECOND: &str = "none";
/// Title of an answer that there is not.
pub const NO_ANSWER: &str = "No answer";
/// Two to four chips side by side.
pub const BESIDE: &str = "Compare chips";
/// First column of that table.
pub const BESIDE_HEAD: &str = "measure";
/// A figure that only the other chip has.
pub const NOT_PUBLISHED: &str = "not published";
/// How something was counted, which its source does not say.
pub const NOT_STATED: &str = "not stated";
/// The same on other numbers of chips.
pub const SCALING: &str = "With other numbers of chips";
/// Columns of that table.
pub const SCALING_HEADS: [&str; 6] = ["chips", "possible", "step", "communication", "MFU", "tokens/s"];
/// The cell text of a number of chips whose memory holds the weights, if a pod has that many.
pub const POSSIBLE: &str = "yes";
/// A chip whose memory does not hold its part.
pub const NO_ROOM: &str = "no: does not fit";
/// More chips than are joined by their own links.
pub const BEYOND_A_POD: &str = "beyond a pod: communication not counted";
/// The same with other numbers of sequences.
pub const BATCHES: &str = "Latency against batch";
/// Columns of that table.
pub const BATCH_HEADS: [&str; 6] =
    ["sequences per chip", "possible", "time per token", "at memory speed", "tokens/s", "$ per M tokens"];
/// What others published.
pub const PUBLISHED: &str = "Published on this chip";
/// Columns of that table.
pub const PUBLISHED_HEADS: [&str; 5] = ["model", "chips", "MFU", "counted with", "source"];
/// What is known of a chip.
pub const SHEET: &str = "The chip, value by value";
/// Columns of that table.
pub const SHEET_HEADS: [&str; 4] = ["what", "value", "confidence", "source"];
/// Every way of laying sequences out.
pub const WAYS: &str = "All ways of batching";
/// Columns of that table.
pub const WAY_HEADS: [&str; 6] =
    ["batching", "useful tokens", "useful attention", "shapes", "compile time", "all epochs"];
/// Where nothing fails.
pub const NO_FAILURES: &str = "Without chips nothing fails.";
/// Cost.
pub const BILL: &str = "Cost";
/// Columns of the bill.
pub const BILL_HEADS: [&str; 3] = ["line", "amount", "share"];
/// Last line of the bill.
pub const TOTAL: &str = "Total";
/// Other intervals.
pub const INTERVALS: &str = "Other checkpoint intervals";
/// Columns of that table.
pub const INTERVAL_HEADS: [&str; 2] = ["every", "overhead"];

/// "LLaMA 3 8B on 64 × TPU v5e".
#[must_use]
pub fn headline(estimate: &Estimate) -> String {
    headline_of(&estimate.work.name, &estimate.question)
}

/// The same before there is an estimate.
#[must_use]
pub fn headline_of(model: &str, question: &Question) -> String {
    let name = if model.is_empty() { OWN } else { model };
    let with = if question.own.is_empty() || question.chip.id == Chip::BLANK { "" } else { WITH_YOURS };
    format!("{name} on {} × {}{with}", grouped(question.chips), question.chip.name)
}

/// "spot, us-central1, 2025-26".
#[must_use]
pub fn price(price: &Price) -> String {
    let parts = [Some(price.kind.word()), price.region, price.date];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A price among those that may be chosen.
#[must_use]
pub fn price_choice(one: &Price) -> String {
    let usd = one.usd_per_chip_hour.value.map_or_else(|| "unknown".to_owned(), cents);
    format!("{usd}: {}", price(one))
}

/// Which price a figure is at.
#[must_use]
pub fn at_price(question: &Question) -> String {
    match (question.usd, question.price()) {
        (Some(_), _) => "at your price".to_owned(),
        (None, Some(one)) if one.kind == PriceKind::Own => "at your price".to_owned(),
        (None, Some(one)) => price(one),
        (None, None) => NO_PRICE.to_owned(),
    }
}

/// What stands for the end of a long list.
#[must_use]
pub fn more(n: usize) -> String {
    format!("{} more", grouped(n as u64))
}

/// What the times of the products rest on.
#[must_use]
pub fn basis(estimate: &Estimate) -> String {
    let question = &estimate.question;
    if let Some(ranges) = accuracy::by_size(&question.chip, question.dtype) {
        let errors: Vec<String> =
            ranges.iter().map(|one| format!("{} ({})", error(one.mean), one.sides.words())).collect();
        return format!(
            "{} Mean absolute errors: {}; held out: constants fitted to four fifths of the matmuls, tested on the rest. Measured with systolic time \
             --chip tpu-v4 --dtype f16 --against us_avg --by range, {}.",
            calibration::Basis::Fitted.says(),
            joined(&errors, ", "),
            accuracy::DATE
        );
    }
    let (constants, basis) = calibration::calibration_of_chip(&question.chip);
    format!(
        "{} Matmuls reach {} of the peak, memory {} of its bandwidth ({}).",
        basis.says(),
        readable(constants.math_share, 3),
        readable(constants.memory_share, 3),
        constants.chip
    )
}

/// What the rest of a step rests on.
#[must_use]
pub fn share(estimate: &Estimate) -> String {
    let Some((share, own)) = estimate.share else { return String::new() };
    let value = share.share.value.map_or_else(|| "unknown".to_owned(), |share| readable(share, 3));
    let whose = if own {
        "from full training runs on this chip"
    } else {
        "from another chip: trust trends, not absolute values"
    };
    let error = share
        .held_out_error_percent
        .map_or_else(String::new, |error| format!("; {} % mean error on other runs", readable(error, 2)));
    format!("matmuls take {value} of a step ({}, {whose}{error})", share.chip)
}

/// What is computed again where nobody chose it.
#[must_use]
pub fn recomputes(question: &Question) -> String {
    let what = entry::remat(Some(question.recomputes()));
    let (share, own) = product_share(&question.chip);
    let whose = if own { "this chip" } else { Chip::by_id(share.chip).map_or(share.chip, |chip| chip.name) };
    format!("{what}, as the published runs on {whose} are counted")
}

/// The reason for the cost of a split.
const fn split_cost_reason(pass: PassKind, split: Sharding) -> &'static str {
    match (split, pass) {
        (Sharding::FullySharded, PassKind::Decode) => "Fully sharded weights are gathered for every token",
        (Sharding::FullySharded, _) => "Fully sharded weights are gathered in every pass",
        (Sharding::Tensor, _) => "Tensor parallel chips communicate activations in every layer",
        (Sharding::Data, PassKind::Decode) => "Data parallel chips each read all weights for every token",
        (Sharding::Data, _) => "Data parallel chips communicate all gradients in every step",
    }
}

/// A split that costs many times the best one, in dollars per million tokens where a price is known.
#[must_use]
pub fn dear(question: &Question, dear: Dear) -> String {
    let (because, other) = (split_cost_reason(question.pass, question.split), entry::split(dear.best));
    match dear.usd {
        Some((usd, best)) => {
            format!("{because}: {} per million tokens; {other}: {}.", Amount::Usd(usd), Amount::Usd(best))
        }
        None => format!("{because}: {other} is {} times as fast.", readable(dear.times, 2)),
    }
}

/// How the format of a question runs on its chip.
#[must_use]
pub fn runs_as(question: &Question) -> String {
    let run = question.chip.as_run(question.format());
    run.map_or_else(|_| question.dtype.word().to_owned(), |run| display::words::format::runs_as(&run))
}

/// Behind a ratio whose one constant is another chip's.
#[must_use]
pub fn lent(share: &ProductShare) -> String {
    let name = Chip::by_id(share.chip).map_or(share.chip, |chip| chip.name);
    format!("; non-matmul overhead borrowed from {name}: trust trends, not absolute values")
}

/// The sides of a chip's arrays.
#[must_use]
pub fn sides(chip: &Chip) -> String {
    match &chip.compute {
        Compute::Arrays { rows, cols, .. } => match rows.value.zip(cols.value) {
            Some((rows, cols)) => format!("R = {rows}, C = {cols}"),
            None => "array size not known".to_owned(),
        },
        Compute::TensorCores { .. } => "tensor cores are not systolic arrays".to_owned(),
        Compute::Unknown(_) => "matrix units not published".to_owned(),
    }
}

/// Which value of a chip is missing, and what to do about it.
#[must_use]
pub fn why_not(refusal: &MfuRefusal) -> String {
    match refusal {
        MfuRefusal::Unknown { missing: Missing::Peak(dtype) } => {
            format!("The chip's {} peak is not published. You can set your own value.", dtype.word())
        }
        MfuRefusal::Unknown { missing: missing @ (Missing::Bandwidth | Missing::Geometry) } => {
            format!("{} You can set your own value.", missing.says())
        }
        MfuRefusal::Unknown { .. } | MfuRefusal::AboveOne { .. } | MfuRefusal::NoRate => refusal.says().to_owned(),
    }
}
