//! Text about the memory of a chip: weights, keys and values, and activations.

use super::comparison::sequences;
use super::model as words;
use display::figure::{Citation, Figure, cite};
use display::number::readable;
use estimate::{Estimate, Held, Measure, Question};
use perfmodel::{CapacityUnit, Chip, Confidence, Remat};
use workload::{PassKind, Workload};

/// Returns a sentence if the weights, keys and values do not fit in a chip's memory. The run is then impossible.
pub(super) fn misfit(estimate: &Estimate) -> Option<String> {
    let (needed, chip) = (estimate.misfit()?, &estimate.question.chip);
    let has_weights = estimate.held().of_weights() <= chip.memory.bytes();
    let remedy = if has_weights { "fewer sequences per chip" } else { "more chips that share the weights" };
    Some(says_misfit(&readable(needed / 1e9, 3), &capacity(chip), chip.name, remedy))
}

/// Returns a sentence if, in training, the weights fit but the counted activations do not.
pub(super) fn no_room_for_activations(estimate: &Estimate) -> Option<String> {
    let (needed, chip) = (estimate.activations_without_room()?, &estimate.question.chip);
    let is_recomputed = estimate.question.recomputes() == Remat::Full;
    Some(says_no_room(&readable(needed / 1e9, 3), &capacity(chip), chip.name, is_recomputed))
}

/// Returns the figure of the memory that a chip needs for its weights, keys and values, with the activations in the
/// note.
pub(super) fn memory(question: &Question, work: &Workload) -> Figure {
    let held = Held::new(question, work);
    let (needed, activations) = (held.in_all(), held.activations);
    let fits = match question.chip.memory.bytes().zip(needed) {
        _ if needed.is_none() => "a list of matmuls does not say which operands are weights".to_owned(),
        Some((has, needed)) if needed <= has => {
            let capacity = capacity(&question.chip);
            match activations {
                None => format!("of {capacity}: fits"),
                Some(bytes) => {
                    format!(
                        "{}{}",
                        with_activations(&capacity, bytes, needed + bytes <= has),
                        fewer_sequences(question)
                    )
                }
            }
        }
        Some(_) => format!("of {}: does not fit", capacity(&question.chip)),
        None => "capacity unknown".to_owned(),
    };
    let weights = held.weights.map_or_else(|| words::UNKNOWN.to_owned(), |weights| readable(weights + held.lookup, 5));
    let bytes = readable(held.bytes, 3);
    let shared = format!("{weights} · {bytes} ÷ {}", readable(held.over, 7));
    let is_training = question.pass == PassKind::Training;
    Figure {
        id: Measure::Memory.id(),
        name: if is_training { "Weights and training state on a chip" } else { "Weights, keys and values on a chip" },
        value: needed.map_or_else(|| words::UNKNOWN.to_owned(), |needed| format!("{} GB", readable(needed / 1e9, 3))),
        range: None,
        note: fits,
        formula: if is_training {
            "weights · bytes per weight ÷ chips that share the weights"
        } else {
            "(weights · bytes per weight ÷ chips that share the weights) + keys and values on the chip · bytes per value"
        },
        worked: if is_training { shared } else { format!("{shared} + {} · {bytes}", readable(held.cached, 5)) },
        says: "Memory that one chip needs for the weights of the model, with its input embedding. In training, each weight needs 16 bytes, which include gradients and Adam's moments. In inference, the weights have the format of the matmuls, and the chip also holds keys and values of the sequences. With tensor parallelism, each chip holds at least one whole head of keys and values.",
        leaves_out: "Weights of normalization layers, and buffers of the program. Activations are listed separately. A server that divides the sequences among the chips, not the heads, holds no copies of keys and values.",
        citations: core::iter::once(cite(format!("{} memory", question.chip.name), &question.chip.memory.capacity))
            .chain(activations.map(|_| activations_source()))
            .collect(),
    }
}

/// Formats the capacity of a chip's memory, in the unit that the maker of the chip uses.
fn capacity(chip: &Chip) -> String {
    let memory = &chip.memory;
    let Some((size, bytes)) = memory.capacity.value.zip(memory.bytes()) else { return words::UNKNOWN.to_owned() };
    let (own, gb) =
        (format!("{} {}", readable(size, 6), memory.unit.word()), format!("{} GB", readable(bytes / 1e9, 3)));
    // All other sizes are in GB, so a capacity in GiB is shown in both units.
    if memory.unit == CapacityUnit::Gib { format!("{gb} ({own})") } else { own }
}

/// Returns the sentence on a model that does not fit: the GB that each chip would need, the capacity of the chip, and what
/// helps.
fn says_misfit(needed: &str, has: &str, chip: &str, remedy: &str) -> String {
    format!(
        "The model does not fit in memory: each chip would need {needed} GB, but {chip} has {has}. Use {remedy}, or a smaller model."
    )
}

/// Returns the sentence on activations that do not fit next to the weights.
fn says_no_room(activations: &str, has: &str, chip: &str, is_recomputed: bool) -> String {
    let or = if is_recomputed { "" } else { ", or full recomputation" };
    format!(
        "The weights fit in memory, but not together with about {activations} GB of activations: {chip} has {has}. Use fewer sequences per chip{or}. The figures ignore this limit."
    )
}

/// Returns the note on weights that fit in memory: the capacity, and the size of the activations in GB. `fits` is true
/// if the activations fit too.
fn with_activations(capacity: &str, bytes: f64, fits: bool) -> String {
    let gb = readable(bytes / 1e9, 3);
    let says = if fits { "fits, with" } else { "fits, but not with" };
    format!("of {capacity}: {says} about {gb} GB of activations")
}

/// Says that the default number of sequences would not fit; empty if the default fits, or if the user set a number.
fn fewer_sequences(question: &Question) -> String {
    let usual = Question::default().batch;
    if question.is_batch_set || question.batch == usual {
        return String::new();
    }
    format!(" of {}; {usual} sequences per chip would not fit", sequences(question.batch))
}

/// Returns the source of the formula for the bytes of activations.
fn activations_source() -> Citation {
    Citation {
        what: "activations: 34 bytes for each token, layer and element of the layer's width, or 2 bytes with full recomputation"
            .to_owned(),
        source: "Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models, 2022, without the paper's terms for attention scores, which stay on the chip",
        confidence: format!("{}: {}", Confidence::Medium.word(), Confidence::Medium.says()),
        note: "for a dense layer with an inner width of four times the layer's width; other layers need a different number of bytes",
    }
}

#[cfg(test)]
mod tests {
    use super::super::figures::figures;
    use super::*;
    use estimate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn note(text: &str) -> String {
        let answer = Estimate::new(&ModelQuery::parse(text).question).expect("an answer");
        figures(&answer).into_iter().find(|one| one.id == "weights-per-chip").expect("a figure").note
    }

    #[test]
    fn activations_stand_beside_the_weights() {
        // 4 · 2048 tokens have 4096 elements in each of 32 layers. Without recomputation, an element needs 34 bytes.
        // With full recomputation, it needs 2 bytes, plus 34 bytes in one layer.
        let elements = 4.0 * 2048.0 * 4096.0;
        let gb = |bytes: f64| readable(bytes / 1e9, 3);
        let all = note("model=llama3-8b&chip=tpu-v5e&chips=64&batch=4&remat=none");
        assert!(
            all.ends_with(&format!("fits, but not with about {} GB of activations", gb(34.0 * 32.0 * elements))),
            "{all}"
        );
        let misfit =
            |text: &str| no_room_for_activations(&Estimate::new(&ModelQuery::parse(text).question).expect("an answer"));
        let said = misfit("model=llama3-8b&chip=tpu-v5e&chips=64&batch=4&remat=none").expect("it does not fit");
        assert!(said.contains(&format!("about {} GB of activations", gb(34.0 * 32.0 * elements))), "{said}");
        assert_eq!(misfit("model=llama3-8b&chip=tpu-v5e&chips=64"), None);
        // If the number of sequences is not set, the chip has as many as fit. 17.2 GB less 1.9 GB of weights has room
        // for one sequence of 9.1 GB.
        let fewer = note("model=llama3-8b&chip=tpu-v5e&chips=64&remat=none");
        assert!(fewer.ends_with("GB of activations of 1 sequence; 4 sequences per chip would not fit"), "{fewer}");
        assert_eq!(misfit("model=llama3-8b&chip=tpu-v5e&chips=64&remat=none"), None);
        let again = note("model=llama3-8b&chip=tpu-v5e&chips=64");
        let fits = format!("fits, with about {} GB of activations", gb((2.0 * 32.0 + 34.0) * elements));
        assert!(again.ends_with(&fits), "{again}");
        assert!(!note("model=llama3-8b&chip=tpu-v5e&chips=8&pass=decode").contains("activations"));
    }

    #[test]
    fn a_model_that_does_not_fit_gets_the_remedy_that_helps() {
        let said = |text: &str| {
            let text = format!("model=llama3-70b&pass=decode&split=tensor&chip=tpu-v5e&{text}");
            misfit(&Estimate::new(&ModelQuery::parse(&text).question).expect("an answer"))
        };
        // 141 GB of weights are 35 GB on each of 4 chips. On each of 64 chips, they are 2.2 GB, next to the keys and
        // values of 256 users.
        let few = said("chips=4&batch=1").expect("it does not fit");
        assert!(few.ends_with("Use more chips that share the weights, or a smaller model."), "{few}");
        let many = said("chips=64&batch=4").expect("it does not fit");
        assert!(many.ends_with("Use fewer sequences per chip, or a smaller model."), "{many}");
        assert_eq!(said("chips=64&batch=1"), None);
    }
}
