//! Text about a custom model: a summary with the assumptions, and the problems.

use super::{invalid, model};
use display::number::{grouped, joined, readable};
use estimate::{Imported, Refusal};
use workload::{Content, Logits, Pass, PassSpec, Role, TracedStep, Transformer, Workload};

/// Maximum number of listed assumptions.
const ASSUMED_MAX: usize = 4;

/// Returns the label of a custom model in the model menu.
#[must_use]
pub fn chosen(content: &Content) -> String {
    let name = match content {
        Content::Transformer(model) => model.name.as_str(),
        Content::Products(work) => work.name.as_str(),
    };
    format!("pasted: {}", if name.is_empty() { model::OWN } else { name })
}

/// Returns the reasons why a custom model cannot be used, one sentence each. Empty if the model can be used.
#[must_use]
pub fn problems(imported: &Imported) -> Vec<String> {
    match imported {
        Err(refusal) => invalid::why(&Refusal::File(refusal.clone())),
        Ok(Content::Products(work)) if work.products.is_empty() => {
            invalid::why(&Refusal::NothingIn(work.left_out.clone()))
        }
        Ok(_) => Vec::new(),
    }
}

/// Returns a summary of a custom model: family, layers, parameters, and assumptions.
#[must_use]
pub fn read_back(content: &Content) -> String {
    match content {
        Content::Transformer(model) => transformer(model),
        Content::Products(work) => {
            let count: u64 = work.products.iter().fold(0, |sum, product| sum.saturating_add(product.count));
            let read = format!("Read: {}", counted(count, "matmul"));
            work.traced.map_or_else(|| format!("{read}."), |step| format!("{read}{}", traced(work, step)))
        }
    }
}

/// Describes the step of a traced table, and names the tracer options that add missing gradients or sizes.
fn traced(work: &Workload, step: TracedStep) -> String {
    let has_gradients = work.products.iter().any(|product| product.role == Role::WeightGradient);
    let (kind, train) = if has_gradients {
        ("a training step", "")
    } else if step.is_decode {
        ("a step of decoding", "")
    } else {
        ("a forward pass", " For a training step, trace the model with --train.")
    };
    let size = match (step.batch, step.sequence) {
        (Some(batch), Some(sequence)) => {
            format!(" of {} with {} on each chip", counted(batch, "sequence"), counted(sequence, "token"))
        }
        (Some(batch), None) => format!(" of {} on each chip", counted(batch, "input")),
        (None, _) => String::new(),
    };
    let tokens = if size.is_empty() {
        " For $ per million tokens, state the inputs of a chip to the tracer: --size batch=8 --size sequence=512."
    } else {
        ""
    };
    format!(" of {kind}{size}.{train}{tokens}")
}

fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

fn transformer(model: &Transformer) -> String {
    let layers = model.layers.iter().map(|layers| layers.count).sum();
    let mut read = vec![model.name.clone(), counted(layers, "layer"), format!("width {}", grouped(model.hidden))];
    read.extend(parameters(model).map(|parameters| format!("{} parameters", short_scale(parameters))));
    let read = format!("Read: {}.", joined(&read, ", "));
    if model.notes.is_empty() {
        return read;
    }
    let more = model.notes.len().saturating_sub(ASSUMED_MAX) as u64;
    let mut assumed: Vec<String> = model.notes.iter().take(ASSUMED_MAX).map(ToString::to_string).collect();
    assumed.extend((more > 0).then(|| format!("{} more.", grouped(more))));
    format!("{read} Assumed: {}", joined(&assumed, " "))
}

/// Formats a large count in millions or billions, as for the size of a model: `8.03 billion`.
fn short_scale(count: f64) -> String {
    let (scale, name) = if count >= 1e9 { (1e9, " billion") } else { (1e6, " million") };
    if count < 1e6 { readable(count, 3) } else { readable(count / scale, 3) + name }
}

/// Returns the number of weights in the matmuls plus the number of weights in the embedding table. The few weights of
/// normalization layers are left out.
fn parameters(model: &Transformer) -> Option<f64> {
    let pass = Pass::Prefill { sequence: 1, logits: Logits::Last };
    let spec = PassSpec { pass, batch: 1, attention: perfmodel::Attention::Full };
    let work = model.workload(&spec).ok()?;
    Some(work.weights()? + work.lookup_weights)
}

#[cfg(test)]
mod tests {
    use super::super::form::form_with;
    use super::*;
    use estimate::{Answered, Entry, Query, Topic, imported, named_after};
    use std::sync::Arc;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const LLAMA: &str = r#"{"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256}"#;

    fn answered(text: &str, file: &Imported) -> Answered {
        Answered::new(Query::parse(Topic::Model, text), Some(Arc::new(file.clone())))
    }

    #[test]
    fn a_configuration_is_read_back_with_what_was_assumed() {
        let content = imported(LLAMA.as_bytes()).expect("a model");
        let said = read_back(&content);
        // Llama 3 8B has 8.03 billion parameters, as its authors say.
        assert!(said.starts_with("Read: llama, 32 layers, width 4096, 8.03 billion parameters."), "{said}");
        assert_eq!(read_back(&imported(b"M,K,N,count\n1,2,3,4\n1,2,5,1\n").expect("a list")), "Read: 5 matmuls.");
    }

    #[test]
    fn a_traced_table_is_read_back_with_its_step_and_the_options_for_another() {
        const TABLE: &str = include_str!("../../../../tests/golden/traced/llama.csv");
        let said = |text: &str| read_back(&imported(text.as_bytes()).expect("a table"));
        let is_kept = |line: &&str| line.starts_with("name,") || line.starts_with("# traced");
        // The command of the table was: --size batch=2 --size sequence=512 --train.
        let of_step = said(TABLE);
        let step = "of a training step of 2 sequences with 512 tokens on each chip.";
        assert!(of_step.starts_with("Read: ") && of_step.ends_with(step), "{of_step}");
        let forward = TABLE.lines().filter(|line| is_kept(line) || line.contains(",forward,"));
        let forward = said(&forward.collect::<Vec<_>>().join("\n"));
        assert!(forward.contains("of a forward pass of 2 sequences") && forward.contains("--train"), "{forward}");
        let open = said(&TABLE.replace("; batch=2; sequence=512", ""));
        assert!(open.contains("--size batch=8 --size sequence=512") && !open.contains("--train"), "{open}");
    }

    #[test]
    fn entries_that_a_list_of_matmuls_states_are_hidden() {
        let idle = |file: &str, rest: &str| {
            let all = form_with(&answered(rest, &imported(file.as_bytes())));
            let idle = all.into_iter().filter(|one| one.is_idle).map(|one| one.entry);
            [Entry::Pass, Entry::Seq, Entry::Batch].map(|entry| idle.clone().any(|one| one == entry))
        };
        assert_eq!(idle(LLAMA, ""), [false; 3]);
        assert_eq!(idle("M,K,N\n1,2,3\n", ""), [false, true, true]);
        assert_eq!(idle(include_str!("../../../../tests/golden/traced/llama.csv"), ""), [true; 3]);
    }

    #[test]
    fn the_choice_of_models_shows_what_was_pasted() {
        let entry = |file: &Imported| {
            let all = form_with(&answered("model=bert-large", file));
            all.into_iter().find(|one| one.entry == Entry::Model).expect("an entry")
        };
        let read = entry(&imported(LLAMA.as_bytes()));
        assert_eq!((read.text.as_str(), read.choices[0].1.as_str()), ("", "pasted: llama"));
        assert_eq!(entry(&imported(b"{")).text, "bert-large", "what cannot be used changes nothing");
    }

    #[test]
    fn what_cannot_be_used_says_where_it_is_wrong() {
        let broken = problems(&imported(b"{\"model_type\":\"llama\" \"hidden_size\":4096}"));
        assert_eq!(broken, ["Invalid JSON at byte 22: expected “,” or “}”."]);
        assert!(problems(&imported(LLAMA.as_bytes())).is_empty());
        assert_eq!(problems(&imported(b"zebra")).len(), 1);
        // The command names the file as the person knows it.
        let onnx = problems(&named_after("my nets/zebra.onnx", imported(b"\x08\x07\x12\x07pytorch")));
        assert!(onnx[0].contains("python systolic_matmuls.py 'my nets/zebra.onnx' > model.csv"), "{onnx:?}");
    }
}
