//! Sentences about invalid entries, and about missing answers.

use super::{entry, model};
use display::number::{grouped, joined, readable};
use estimate::{Allowed, Entry, EntryName, GroupSizes, GroupsRefusal, InvalidEntry, NumberRange, Refusal, THAN};
use perfmodel::CustomValue;
use workload::{LeftOut, import};

/// Maximum number of left-out operations that the error messages name.
const LEFT_OUT_MAX: usize = 5;

/// Returns the error message next to an entry field, with the entry's name on the page.
#[must_use]
pub fn beside(invalid: &InvalidEntry) -> String {
    match invalid.entry() {
        Some(one) => sentence(entry::name(one), invalid),
        None => in_link(invalid),
    }
}

/// Returns the error message for places other than the entry field, with the name that the entry has in links.
#[must_use]
pub fn in_link(invalid: &InvalidEntry) -> String {
    match &invalid.name {
        EntryName::Entry(entry) => sentence(entry.id(), invalid),
        EntryName::Piece(name) => sentence(&format!("own {name}"), invalid),
        EntryName::Unknown(name) => sentence(name, invalid),
    }
}

/// Returns the error message of the command line, with the name of the option.
#[must_use]
pub fn option(invalid: &InvalidEntry) -> String {
    match &invalid.name {
        // All custom values of a chip are in one option.
        EntryName::Entry(Entry::Custom(entry)) => {
            format!("--{}", sentence(&entry.id().replacen('-', " ", 1), invalid))
        }
        _ => format!("--{}", in_link(invalid)),
    }
}

fn sentence(name: &str, invalid: &InvalidEntry) -> String {
    let given = if invalid.given.is_empty() { model::NOTHING } else { &invalid.given };
    format!("{name} = {given}: {}.", allowed(&invalid.allowed))
}

fn range(number: &NumberRange) -> String {
    let what = if number.is_whole { "whole number" } else { "number" };
    let [min, max] = [number.min, number.max].map(|limit| readable(limit, 9));
    format!("use a {what} from {min} to {max}")
}

fn allowed(allowed: &Allowed) -> String {
    match allowed {
        Allowed::Number(number) => range(number),
        Allowed::UpTo(max) | Allowed::Chips { max, slice: None } => {
            format!("use a whole number from 1 to {}", grouped(*max))
        }
        Allowed::Chips { max, slice: Some(slice) } => {
            format!("use a whole number from 1 to {}, or the name of a slice of this chip, such as {slice}", grouped(*max))
        }
        Allowed::Percent => "use a whole number from 0 to 100".to_owned(),
        Allowed::Positive => "use a number from 1 to 1e30, such as 15e12".to_owned(),
        Allowed::UsdPerHour => {
            "use a price above 0 in dollars per hour: for one chip (1.2), for one core if the chip has cores (0.6/core), or for several chips (9.6/8)"
                .to_owned()
        }
        Allowed::OneOf(ids) => format!("use one of {}", joined(ids, ", ")),
        Allowed::NoPrice { chip } => format!("no price of {chip} is published; enter your own price"),
        Allowed::CustomValue(which) => {
            let limits = which.allowed();
            let number = NumberRange { usual: limits.min, min: limits.min, max: limits.max, is_whole: limits.is_whole };
            format!("{} ({}), or “unknown”", range(&number), unit(*which))
        }
        Allowed::Piece(names) => format!("use one or more of {}, each followed by a dot and a number", joined(names, ", ")),
        Allowed::Once => "use this setting only once".to_owned(),
        Allowed::Measurement => {
            "use the time of a step (5.67 s), a throughput (250000 tokens/s or 400 TFLOP/s/chip), an MFU (57 %), \
             the time of the run (76 min/run), two of these (57 %; 5.67 s), or a line of a training log"
                .to_owned()
        }
        Allowed::OwnRuns(most) => format!(
            "use up to {most} runs, separated by semicolons or lines, each an MFU (41 %), the time of a step (5.67 s) or a line of a log; other settings come first, such as chips.64: 41 %"
        ),
        Allowed::Times => "use a factor and the word faster or cheaper, such as 2.7 faster or 3x cheaper".to_owned(),
        Allowed::Traced => {
            "give sizes of a file to its tracer, such as python systolic_matmuls.py model.onnx --size height=640 > model.csv"
                .to_owned()
        }
        Allowed::Groups => {
            format!(
                "use one or more of {}, each once with a whole number, such as {}",
                joined(&GroupSizes::NAMES.map(str::to_owned), ", "),
                model::GROUPS_HINT
            )
        }
        Allowed::Settings => {
            let names: Vec<String> = THAN.iter().map(|entry| entry.id().to_owned()).collect();
            format!("use one or more of {}, each followed by a dot and its value, such as chips.8_batch.1", joined(&names, ", "))
        }
        Allowed::AtMostLongest(longest) => {
            format!("use at most {}, the longest length", grouped(u64::from(*longest)))
        }
        Allowed::Lengths(max) => format!("use whole numbers from 1 to {}", grouped(*max)),
        Allowed::EntryOf(topic) => {
            let entries = topic.entries().into_iter().filter(|entry| !matches!(entry, Entry::Custom(_)));
            let ids: Vec<String> = entries.map(|entry| entry.id().to_owned()).collect();
            format!("there is no such entry; use one of {}", joined(&ids, ", "))
        }
    }
}

/// Returns the unit of a custom value of a chip.
const fn unit(which: CustomValue) -> &'static str {
    match which {
        CustomValue::Peak(dtype) => dtype.peak_unit(),
        CustomValue::Bandwidth => "GB/s",
        CustomValue::Capacity => "GB",
        CustomValue::Rows | CustomValue::Cols => "PEs",
        CustomValue::Arrays => "arrays of the chip",
        CustomValue::Clock => "MHz",
        CustomValue::Power => "W",
        CustomValue::Price => "$ per chip-hour",
    }
}

/// Returns the reasons why an answer is missing, one sentence each.
#[must_use]
pub fn why(refusal: &Refusal) -> Vec<String> {
    match refusal {
        Refusal::NoModel => vec!["No model is chosen.".to_owned()],
        Refusal::Model(refusal) => vec![refusal.to_string()],
        Refusal::Transformer(refusal) => vec![refusal.to_string()],
        Refusal::TooLarge(refusal) => vec![refusal.to_string()],
        Refusal::Groups(refusal) => vec![no_groups(*refusal)],
        Refusal::NothingIn(left_out) => nothing_in(left_out),
        Refusal::Chip(refusal) => vec![model::why_not(refusal)],
        Refusal::File(import::Refusal::Lines(problems)) => workload::line_sentences(problems),
        Refusal::File(refusal) => vec![refusal.to_string()],
    }
}

/// Says why chips cannot form groups.
fn no_groups(refusal: GroupsRefusal) -> String {
    match refusal {
        GroupsRefusal::Chips { chips, replica } => {
            let [chips, replica] = [chips, replica].map(grouped);
            format!("{chips} chips cannot form replicas of {replica} chips (tensor · pipeline): use a multiple of {replica} chips.")
        }
        GroupsRefusal::AllTensor => {
            "Tensor parallelism uses all chips as one group: remove the tensor group, or choose another parallelism for the replicas.".to_owned()
        }
        GroupsRefusal::Layers { pipeline, layers: Some(layers) } => {
            let [pipeline, layers] = [pipeline, layers].map(grouped);
            format!("A pipeline of {pipeline} stages needs at least {pipeline} layers, but the model has {layers}: use at most {layers} stages.")
        }
        GroupsRefusal::Layers { layers: None, .. } => {
            "The layers of this model are unknown, so a pipeline cannot split them: use pipeline=1.".to_owned()
        }
        GroupsRefusal::Microbatches { microbatches, sequences } => {
            let [microbatches, sequences] = [microbatches, sequences].map(grouped);
            format!("A replica has {sequences} sequences, which do not fill {microbatches} micro-batches: use at most {sequences}.")
        }
        GroupsRefusal::Expert { experts: 0, .. } => {
            "The model has no experts, so no group can share experts: use expert=1.".to_owned()
        }
        GroupsRefusal::Expert { expert, replicas, experts } => {
            let [expert, replicas, experts] = [expert, replicas, experts].map(grouped);
            format!("Expert groups of {expert} do not divide {replicas} replicas and {experts} experts: use a common divisor of both.")
        }
    }
}

/// Returns sentences on a file without a matmul that can be counted: first the problem, then the left-out operations.
fn nothing_in(left_out: &[LeftOut]) -> Vec<String> {
    let named = left_out.iter().take(LEFT_OUT_MAX).map(|left| format!("Left out: {}.", left.what));
    let n_more = left_out.len().saturating_sub(LEFT_OUT_MAX) as u64;
    let more = (n_more > 0).then(|| format!("Left out: {} more.", grouped(n_more)));
    core::iter::once("This file has no matmul that can be counted, so there is nothing to time.".to_owned())
        .chain(named)
        .chain(more)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::{Query, Topic};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn options(text: &str) -> Vec<String> {
        Query::parse(Topic::Model, text).invalid().iter().map(option).collect()
    }

    #[test]
    fn a_sentence_names_the_entry_what_was_given_and_what_is_allowed() {
        let first = |text: &str| options(text).remove(0);
        assert_eq!(first("pue=0.9"), "--pue = 0.9: use a number from 1 to 10.");
        assert_eq!(first("shapes=1.5"), "--shapes = 1.5: use a whole number from 0 to 1\u{202f}000\u{202f}000.");
        assert_eq!(first("mtbf="), "--mtbf = nothing: use a number from 0.01 to 1 × 10⁹.");
        assert_eq!(
            first("own=hbm.fast"),
            "--own hbm = fast: use a number from 0.001 to 100\u{202f}000\u{202f}000 (GB/s), or “unknown”."
        );
        assert_eq!(
            first("own=rows.0"),
            "--own rows = 0: use a whole number from 1 to 65\u{202f}536 (PEs), or “unknown”."
        );
        assert!(first("own=speed.9").starts_with("--own speed = 9: use one or more of peak-bf16, "));
        assert_eq!(first("own=hbm.1_hbm.2"), "--own hbm = 2: use this setting only once.");
        assert_eq!(
            first("chip=tpu-v5e&chips=v5p-128"),
            "--chips = v5p-128: use a whole number from 1 to 1\u{202f}000\u{202f}000, or the name of a slice of this chip, such as v5e-128."
        );
        let whole = "--chips = v5p-128: use a whole number from 1 to 1\u{202f}000\u{202f}000.";
        assert_eq!(first("chip=h100-sxm&chips=v5p-128"), whole, "its slices have no names");
        assert_eq!(first("remat=maybe"), "--remat = maybe: use one of auto, none, full.");
        assert!(first("zebra=1").starts_with("--zebra = 1: there is no such entry; use one of model, m, k, n, chip, "));
    }

    #[test]
    fn beside_its_entry_a_sentence_has_the_name_of_the_page() {
        let query = Query::parse(Topic::Model, "seq=banana");
        assert_eq!(
            beside(&query.invalid()[0]),
            "tokens per sequence = banana: use a whole number from 1 to 10\u{202f}000\u{202f}000."
        );
    }
}
