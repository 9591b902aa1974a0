//! Text about a model on chips: labels, headings, column headings, notes and messages.

pub use display::amount::UNKNOWN;

use super::entry;
use display::amount::Amount;
use display::figure::cents;
use display::number::{fixed, grouped, joined, readable};
use estimate::{Dear, Estimate, Inputs, LayoutFrom, Question, Run, StepPart};
use perfmodel::gemm_time::accuracy::{self, Check};
use perfmodel::gemm_time::calibration;
use perfmodel::{Chip, Compute, Conversion, Groups, MfuRefusal, Missing, Nodes, Per, Price, PriceKind, Sharding};
use workload::PassKind;

/// Title of the model estimates.
pub const TITLE: &str = "Real models";
/// Hint above the field for a custom model: the accepted formats.
pub const IMPORT: &str = "config.json, table of systolic_matmuls.py, SCALE-Sim table, M,K,N lines, StableHLO";
/// Name of the program that lists the matmuls of a model, which the page offers for download.
pub const TRACER: &str = "systolic_matmuls.py";
/// Text after the link to [`TRACER`].
pub const TRACER_LISTS: &str =
    "lists the matmuls of your model, from PyTorch, Hugging Face, JAX, ONNX, safetensors or GGUF.";
/// Example of a command that traces a model.
pub const TRACER_COMMAND: &str = "python systolic_matmuls.py my_model.py:Model --input int64:8,512 --train > model.csv";
/// Explanation of [`TRACER_COMMAND`].
pub const TRACER_BUILD: &str = "Model is a class in your file. The input has a type and a shape, here 8 sequences of 512 tokens on each chip. Then open model.csv here.";
/// Hint above the field for a custom model: a file stays in the browser tab.
pub const STAYS_HERE: &str = "The file is read in this tab; nothing is uploaded.";
/// Heading of the section for a custom model, and label of its text field.
pub const PASTE: &str = "Paste or open your own";
/// Heading of the section of settings that few people change.
pub const MORE: &str = "More settings";
/// Placeholder of the text field for a custom model.
pub const PASTE_HINT: &str = "paste a config.json, or lines of M,K,N";
/// Label of the button that opens a file with a custom model.
pub const FILE: &str = "Choose a file";
/// Returns the message that shows the progress of reading a file.
#[must_use]
pub fn reading(name: &str, percent: u8) -> String {
    let of = if name.is_empty() { "" } else { " " };
    format!("Reading{of}{name}: {percent} %")
}

/// Label of the button that removes the custom model.
pub const NO_OWN: &str = "use the selected model instead";
/// Name of a custom model that has no name.
pub const OWN: &str = "own list";
/// Column headings of the table of errors, if hundreds of matmuls were measured on the chip.
pub const ERROR_HEADS: [&str; 9] =
    ["sizes", "share of time", "measured", "mean error", "median", "90 % within", "bias", "worst", "held out"];

/// Returns the name of a measured square matmul: "1024³ in bf16 on one core".
#[must_use]
pub fn square(check: &Check) -> String {
    let part = if check.per == Per::Core { "one core" } else { "the chip" };
    format!("{}³ in {} on {part}", grouped(check.side), check.dtype.word())
}

/// Formats an error in percent: one decimal below 10%, else none.
#[must_use]
pub fn error(percent: f64) -> String {
    format!("{} %", fixed(percent, u32::from(percent.abs() < 9.95)))
}

/// Returns a warning if failures take at least as much time as the work itself.
#[must_use]
pub fn no_progress(overhead: Option<f64>) -> Option<String> {
    overhead.filter(|share| *share >= 1.0).map(|_| {
        "Checkpoints, repeated work and restarts take longer than the work between failures, so this run would make little progress. The formulas apply only if failures are rare."
            .to_owned()
    })
}

/// Returns a note on the number of sequences that are generated together.
#[must_use]
pub fn at_once(sequences: u64) -> String {
    let noun = if sequences == 1 { "sequence" } else { "sequences" };
    format!("{} {noun} at once", grouped(sequences))
}

/// Returns a note on a number of chips that is too small for a model. `enough` is a sufficient number of chips.
#[must_use]
pub fn too_few(chips: u64, enough: Option<u64>) -> String {
    let noun = if chips == 1 { "chip" } else { "chips" };
    let chips = grouped(chips);
    match enough {
        Some(enough) => format!("The model does not fit on {chips} {noun}: use {} chips.", grouped(enough)),
        None => format!(
            "The model does not fit on {chips} {noun}. With this parallelism, more chips do not help: use another parallelism."
        ),
    }
}

/// Returns the note next to the sequences per chip. It names their origin (a log line, or the choice for a rate), or
/// the number of users at once in decode.
#[must_use]
pub fn batch_note(runs: &[Run<'_>]) -> Option<String> {
    let estimate = runs.first()?.estimate;
    let question = &estimate.question;
    if question.is_batch_of_log {
        return Some("The time and the tokens per second of your log line give this number.".to_owned());
    }
    let is_decode = question.pass == PassKind::Decode && estimate.inputs == Inputs::Sequences;
    if question.rate_of_user().is_some() {
        let chosen = "The answer chooses the number with the lowest cost at this rate, for each column.";
        return (is_decode && question.chosen.batch).then(|| chosen.to_owned());
    }
    let users = format!("{} users at once on {} chips.", grouped(question.users()), grouped(question.chips));
    let other = runs[1..]
        .iter()
        .map(|run| &run.estimate.question)
        .find(|other| other.batch != question.batch && other.users() == question.users());
    let other = other.map(|other| {
        let (chips, batch) = (grouped(other.chips), grouped(other.batch));
        format!(" Each column has as many: {chips} × {} with {batch} per chip.", other.chip.name)
    });
    (is_decode && (question.chips > 1 || other.is_some())).then(|| users + &other.unwrap_or_default())
}

/// Returns the network between nodes with its rate: "DGX SuperPOD: 200 GB/s out of a node". `None` if the run has one
/// node, no communication, or a chip whose networks have no names.
#[must_use]
pub fn network(estimate: &Estimate) -> Option<String> {
    let (id, rate) = estimate.question.network()?;
    let gb = rate.value.map_or_else(|| UNKNOWN.to_owned(), |rate| readable(rate, 4));
    let is_between = estimate.exchange.is_some() && estimate.question.chips > u64::from(Nodes::GPUS);
    is_between.then(|| format!("{}: {gb} GB/s out of a node", entry::network(id)))
}

/// Note next to the chip of a column that repeats another column.
pub const REPEATED: &str =
    "This column is left out, because another column has this chip, number of chips and price: change one of them.";

/// Suffix of the note on tokens per second for a model without sequences.
pub const INPUTS: &str = "; the model has no sequences, so each input is counted as one token";

/// Text that an error message shows for an empty entry.
pub const NOTHING: &str = "nothing";
/// Note shown if the number of tokens per step is unknown.
pub const NO_TOKENS: &str = "a list of matmuls does not say how many tokens a step has";
/// Message if total tokens are set, but the number of tokens per step is unknown.
pub const TOKENS_UNUSED: &str = "The total tokens are not used, because a list of matmuls does not say how many tokens a step has. The cost is for one day.";

/// Example of text for the groups of chips.
pub const GROUPS_HINT: &str = "tensor=8,pipeline=4";
/// Text if no price of the chip is known.
pub const NO_PRICE: &str = "no known price";
/// Label of the menu entry for a chip without published values.
pub const BLANK: &str = "your own chip";
/// Heading of the section of custom chip values.
pub const OWN_CHIP: &str = "override chip values";
/// Explanation below the heading of custom chip values.
pub const OWN_CHIP_SAYS: &str = "Your values replace published values; an empty field keeps the published value. The word \u{201c}unknown\u{201d} removes a value.";

/// Title of the first step of the form.
pub const MODEL: &str = "1 Model";
/// Title of the second step of the form.
pub const WORK: &str = "2 Work";
/// Title of the third step of the form.
pub const CHIPS: &str = "3 Chips";
/// Heading of the table that compares two to four chips.
pub const BESIDE: &str = "Compare chips";
/// First column heading of the table that compares chips.
pub const BESIDE_HEAD: &str = "measure";
/// Cell text of a value that is not published.
pub const NOT_PUBLISHED: &str = "not published";
/// Cell text of a convention for attention that a source does not state.
pub const NOT_STATED: &str = "not stated";
/// Name of the last row of the cost table in the topic on failures.
pub const TOTAL: &str = "Total";

/// Note that the answer has no table of single changes.
pub const NOT_APART: &str = "The table “The difference, one change at a time” is left out, because the numbers of one chip may not fit on the other.";

/// Name of the last row of the table with the parts of a step.
pub const WHOLE_STEP: &str = "whole step";

/// Returns the name of a part of a step of prefill or decode.
#[must_use]
pub const fn step_part(part: StepPart) -> &'static str {
    match part {
        StepPart::Weights => "weights from memory",
        StepPart::Cache => "cache (keys and values) from memory",
        StepPart::Matmuls => "matmuls, beyond the time of the memory",
        StepPart::Exchange => "communication that nothing hides",
        StepPart::Rest => "non-matmul overhead, fitted: attention kernels, sampling, launches, host",
    }
}

/// Returns the title of a comparison: the pass and the model.
#[must_use]
pub fn headline_of_all(first: &Estimate) -> String {
    let name = if first.work.name.is_empty() { OWN } else { &first.work.name };
    if first.question.is_product {
        return name.to_owned();
    }
    match first.question.pass {
        PassKind::Training => format!("Training {name}"),
        PassKind::Prefill => format!("Prefill of {name}"),
        PassKind::Decode => format!("Decoding with {name}"),
    }
}

/// Returns the title of an answer, from the name of the model and the question.
#[must_use]
pub fn headline_of(model: &str, question: &Question) -> String {
    let name = if model.is_empty() { OWN } else { model };
    let with = if question.own.is_empty() || question.chip.id == Chip::BLANK { "" } else { " with your values" };
    format!("{name} on {} × {}{with}", grouped(question.chips), question.chip.name)
}

/// Returns the message over an answer if entries are invalid.
#[must_use]
pub fn without_wrong(entries: usize) -> String {
    match entries {
        0 | 1 => "One entry is invalid and was ignored. See the message next to the entry.".to_owned(),
        _ => format!("{entries} entries are invalid and were ignored. See the messages next to the entries."),
    }
}

/// Returns the kind, region and date of a price: "spot, us-central1, 2025-26".
#[must_use]
pub fn price(price: &Price) -> String {
    let parts = [Some(price.kind.word()), price.region, price.date];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns the label of a price in the price menu.
#[must_use]
pub fn price_choice(one: &Price) -> String {
    let usd = one.usd_per_chip_hour.value.map_or_else(|| "unknown".to_owned(), cents);
    format!("{usd}: {}", price(one))
}

/// Returns a note on the price that a figure uses.
#[must_use]
pub fn at_price(question: &Question) -> String {
    match (question.usd, question.price()) {
        (Some(_), _) => "at your price".to_owned(),
        (None, Some(one)) if one.kind == PriceKind::Own => "at your price".to_owned(),
        (None, Some(one)) => price(one),
        (None, None) => NO_PRICE.to_owned(),
    }
}

/// Returns the last row of a shortened list: "12 more".
#[must_use]
pub fn more(n: usize) -> String {
    format!("{} more", grouped(n as u64))
}

/// Describes the method that computes matmul times, with the constants or the errors of the method.
#[must_use]
pub fn basis(estimate: &Estimate) -> String {
    let question = &estimate.question;
    if let Some(ranges) = accuracy::by_size(&question.chip, question.dtype) {
        let errors: Vec<String> =
            ranges.iter().map(|one| format!("{} ({})", error(one.mean), one.sides.words())).collect();
        return format!(
            "{} Mean absolute errors: {}. For the column “held out”, the constants were fitted to four fifths of the matmuls and tested on the rest. The errors were measured with systolic time \
             --chip tpu-v4 --dtype f16 --against us_avg --by range, {}.",
            calibration::Basis::Fitted.says(),
            joined(&errors, ", "),
            accuracy::DATE
        );
    }
    let (constants, basis) = calibration::calibration_of_chip(&question.chip);
    if matches!(basis, calibration::Basis::Published) {
        return basis.says().to_owned();
    }
    let [math, memory] = [constants.math_share, constants.memory_share].map(|share| readable(share, 3));
    if let Some((low, high)) = constants.math_range {
        let [low, high] = [low, high].map(|share| readable(share, 3));
        return format!(
            "{} The share of the peak is not known: it is from {low} to {high}, and {math} is used. Memory reaches {memory} of its bandwidth ({}).",
            basis.says(),
            constants.chip
        );
    }
    format!(
        "{} Matmuls reach {math} of the peak, and memory reaches {memory} of its bandwidth ({}).",
        basis.says(),
        constants.chip
    )
}

/// Returns the default rematerialization of a question, with its reason.
#[must_use]
pub fn recomputes(question: &Question) -> String {
    let what = entry::remat(Some(question.recomputes()));
    format!("{what}, as in most publications on this chip that state it")
}

/// Describes the groups of a run: "tensor 8 · pipeline 4 · 2 replicas, 16 micro-batches".
#[must_use]
pub fn groups(groups: &Groups, chips: u64) -> String {
    let replicas = grouped(chips / groups.replica().max(1));
    let [tensor, pipeline, expert, microbatches] =
        [groups.tensor, groups.pipeline, groups.expert, groups.microbatches].map(grouped);
    let experts = if groups.expert > 1 { format!(", experts over {expert} replicas") } else { String::new() };
    let batches =
        if groups.pipeline > 1 { format!(", {microbatches} micro-batches per replica") } else { String::new() };
    format!("tensor {tensor} · pipeline {pipeline} · {replicas} replicas{experts}{batches}")
}

/// Returns the parallelism if the estimate chose it, and the network if the run has a named one; empty otherwise.
#[must_use]
pub fn layout(estimate: &Estimate) -> String {
    let question = &estimate.question;
    let chosen = (question.layout == LayoutFrom::Chosen).then(|| {
        let split = entry::split(question.split);
        format!("parallelism chosen by the estimate: {}, {split} replicas", groups(&estimate.groups, question.chips))
    });
    joined(&[chosen, network(estimate)].into_iter().flatten().collect::<Vec<_>>(), "; ")
}

/// Returns the reason why a kind of parallelism is expensive.
const fn split_cost_reason(pass: PassKind, split: Sharding) -> &'static str {
    match (split, pass) {
        (Sharding::FullySharded, PassKind::Decode) => "Fully sharded weights are gathered for every token",
        (Sharding::FullySharded, _) => "Fully sharded weights are gathered in every pass",
        (Sharding::Tensor, _) => "Tensor-parallel chips communicate activations in every layer",
        (Sharding::Data, PassKind::Decode) => "Each data-parallel chip reads all weights for every token",
        (Sharding::Data, _) => "Data-parallel chips communicate all gradients in every step",
    }
}

/// Returns a warning about a parallelism that costs many times as much as the best parallelism.
///
/// The warning compares dollars per million tokens, or speed if no price is known.
#[must_use]
pub fn dear(question: &Question, dear: Dear) -> String {
    let (because, other) = (split_cost_reason(question.pass, question.split), entry::split(dear.best));
    match dear.usd {
        Some((usd, best)) => {
            format!(
                "{because}. A million tokens cost {}; with “{other}”, the cost would be {}.",
                Amount::Usd(usd),
                Amount::Usd(best)
            )
        }
        None => format!("{because}. The setting “{other}” would be {} times as fast.", readable(dear.times, 2)),
    }
}

/// Returns the name of the format in which the chip multiplies.
#[must_use]
pub fn runs_as(question: &Question) -> String {
    let run = question.chip.as_run(question.format());
    run.map_or_else(|_| question.dtype.word().to_owned(), |run| display::words::format::runs_as(&run))
}

/// Returns a sentence that names the peak of an MFU, if the chip multiplies in another format than the question.
pub(crate) fn peak_of_mfu(question: &Question) -> Option<String> {
    let run = question.chip.as_run(question.format()).ok().filter(|run| run.conversion != Conversion::Native)?;
    let (chip, runs_as) = (question.chip.name, display::words::format::runs_as(&run));
    Some(format!(" {chip} runs {runs_as}: the MFU is a share of the {} peak.", run.multiplied.word()))
}

/// Returns the name of the format in which the chip multiplies, and the format of the peak if it is another format.
#[must_use]
pub fn runs_as_of_peak(question: &Question) -> String {
    match question.chip.as_run(question.format()).map(|run| display::words::format::of_peak(&run)) {
        Ok(of_peak) if !of_peak.is_empty() => format!("{}, {of_peak}", runs_as(question)),
        _ => runs_as(question),
    }
}

/// Returns the rows and columns of a chip's arrays, or the reason why they are unknown.
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

/// Returns a sentence on the missing value of a chip, with the remedy.
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
