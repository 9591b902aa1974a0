//! Reader of a `config.json` of a model.

use super::{Read, model};
use crate::words::config as words;
use crate::{Answer, Index, Kind, Target};

/// Keys of sizes, each with the name that an entry of the index has.
const SIZES: [(&str, &[&str]); 5] = [
    ("layers", &["num_hidden_layers", "n_layer", "n_layers", "num_layers"]),
    ("hidden", &["hidden_size", "n_embd", "d_model", "dim"]),
    ("heads", &["num_attention_heads", "n_head", "n_heads"]),
    ("inner", &["intermediate_size", "n_inner", "ffn_dim"]),
    ("vocabulary", &["vocab_size"]),
];

/// Reads the sizes of a configuration. A listed model with these sizes is the answer.
pub(super) fn read(index: &Index, text: &str) -> Option<Read> {
    if !text.contains('{') || !text.contains(':') {
        return None;
    }
    let size = |keys: &[&str]| keys.iter().find_map(|key| value(text, key)?.parse::<u64>().ok());
    let sizes: Vec<(&str, u64)> = SIZES.iter().filter_map(|(name, keys)| Some((*name, size(keys)?))).collect();
    let family = value(text, "model_type");
    if sizes.len() < 2 {
        return None;
    }
    let has_sizes = |words: &str| {
        sizes.iter().all(|(name, size)| words.split(';').any(|one| one.trim() == format!("{name} {size}")))
    };
    let is_complete = sizes.len() > 3;
    let listed = index.of_kind(Kind::Model).find(|entry| is_complete && has_sizes(&entry.words));
    let target = match listed.and_then(model::id_of) {
        Some(id) => super::estimate(&format!("model={id}")),
        None => Target::Link("?ui=desk".to_owned()),
    };
    let title = words::title(listed.map(|entry| &*entry.answer.title), family.as_deref());
    let answer = Answer { kind: Kind::Model, title, says: words::says(&sizes, listed.is_some()), target };
    Some(Read::certain(answer, None))
}

/// Returns the text of the value of the first key with this name.
fn value(text: &str, key: &str) -> Option<String> {
    let rest = text.split_once(&format!("\"{key}\""))?.1.trim_start().strip_prefix(':')?.trim_start();
    let rest = rest.trim_start_matches('"');
    let end = rest.find([',', '}', '"', '\n']).unwrap_or(rest.len());
    rest.get(..end).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty() && value.len() < 60)
}
