//! Finds the family of a configuration, and the object that contains its keys.

use super::rules::Family;
use super::{Allowed, FoundValue, Refusal, families};
use crate::json::Value;

/// Objects in which models for images, sound and text keep the keys of their language model.
const TEXT_OBJECTS: [&str; 5] = ["text_config", "llm_config", "language_config", "thinker_config", "decoder_config"];

/// Names of whole models, each with the family of its language model.
const WHOLES: [(&str, &str); 18] = [
    ("gemma3", "gemma3_text"),
    ("idefics3", "llama"),
    ("internvl", "qwen2"),
    ("internvl_chat", "qwen2"),
    ("kimi_k25", "kimi_k2"),
    ("llama4", "llama4_text"),
    ("llava", "llama"),
    ("llava_next", "llama"),
    ("llava_onevision", "qwen2"),
    ("mistral3", "mistral"),
    ("paligemma", "gemma"),
    ("phi4_multimodal", "phi3"),
    ("phi4mm", "phi3"),
    ("qwen2_5_vl", "qwen2_5_vl_text"),
    ("qwen2_vl", "qwen2_5_vl_text"),
    ("qwen3_5", "qwen3_5_text"),
    ("qwen3_5_moe", "qwen3_5_moe_text"),
    ("qwen3_vl", "qwen3_vl_text"),
];

/// Keys of the width and the depth in many families.
const SIZE_KEYS: [&str; 9] =
    ["d_model", "dim", "hidden_dim", "hidden_size", "n_embd", "n_layer", "n_layers", "num_hidden_layers", "num_layers"];

fn find(name: &str) -> Option<&'static Family> {
    families::all().find(|family| family.model_type == name)
}

/// Returns the family and the JSON object that contains its keys: the whole configuration, or the object of its
/// language model.
pub(super) fn family<'a>(whole: &'a Value<'a>) -> Result<(&'static Family, &'a Value<'a>), Refusal> {
    if let (None, Some(Value::Text(class))) = (whole.get("model_type"), whole.get("_class_name")) {
        return Err(Refusal::Diffusers { class: plain::cut(class) });
    }
    let named = match whole.get("model_type") {
        Some(Value::Text(name)) => &**name,
        None | Some(Value::Null) => {
            if is_params(whole) {
                return Ok((&families::PARAMS, whole));
            }
            return text_object(whole).ok_or_else(|| match SIZE_KEYS.iter().any(|key| whole.get(key).is_some()) {
                true => Refusal::NoFamily,
                false => Refusal::NotAModel,
            });
        }
        Some(other) => {
            let (key, given) = ("model_type".into(), FoundValue::Value(other.shown()));
            return Err(Refusal::BadValue { key, given, allowed: Allowed::Family });
        }
    };
    if let Some(family) = find(named) {
        return Ok((family, whole));
    }
    if let Some(found) = text_object(whole) {
        return Ok(found);
    }
    let inner = WHOLES.iter().find(|(whole, _)| *whole == named).and_then(|(_, inner)| find(inner));
    if let Some(family) = inner {
        let own = TEXT_OBJECTS.iter().find_map(|key| whole.get(key)).unwrap_or(whole);
        return Ok((family, own));
    }
    let inner = TEXT_OBJECTS.iter().find_map(|key| whole.get(key));
    let inner_name = inner.and_then(|inner| inner.get("model_type"));
    let given = if let Some(Value::Text(name)) = inner_name { name } else { named };
    Err(Refusal::UnknownFamily { given: plain::cut(given) })
}

/// Returns the object of the language model, if that object names a known family.
fn text_object<'a>(whole: &'a Value<'a>) -> Option<(&'static Family, &'a Value<'a>)> {
    TEXT_OBJECTS.iter().find_map(|key| {
        let object = whole.get(key)?;
        let Some(Value::Text(name)) = object.get("model_type") else { return text_object(object) };
        find(name).map(|family| (family, object)).or_else(|| text_object(object))
    })
}

/// True if the keys are those of a `params.json`, which names no family.
fn is_params(whole: &Value<'_>) -> bool {
    ["dim", "n_layers", "n_heads", "vocab_size"].iter().all(|key| whole.get(key).is_some())
}
