//! Reader of `config.json` files of the transformers library, which converts their keys to dimensions.
//!
//! The key `model_type` names the model family. A missing key gets the family's default from transformers 5.23, and the
//! workload's notes list this default. An unknown family is refused, with the command that traces the model.
//! Also reads the `params.json` of LLaMA and Mistral.

mod config;
mod families;
mod layers;
mod lookup;
mod rules;

use self::config::Config;
use crate::json::{Broken, Value};
use crate::note::{Note, Omitted};
use crate::transformer::{Head, Transformer};
use crate::workload::LeftOut;
use plain::quote;

/// Maximum bytes of a configuration.
pub(crate) const CONFIG_BYTES_MAX: u64 = 512 << 10;

/// Reason why a configuration cannot be converted to dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text is not JSON.
    NotJson(Broken),
    /// The text is longer than 512 KiB.
    TooLong,
    /// The key `model_type`, which names the family, is missing or null.
    NoFamily,
    /// The JSON has neither a family nor a size of a model.
    NotAModel,
    /// The family is unknown.
    UnknownFamily {
        /// Model type in the configuration, truncated.
        given: String,
    },
    /// The configuration belongs to a class of the diffusers library.
    Diffusers {
        /// Name of the class, truncated.
        class: String,
    },
    /// A key has an invalid or unsupported value.
    BadValue {
        /// Name of the key.
        key: String,
        /// Value of the key.
        given: FoundValue,
        /// Values that are allowed.
        allowed: Allowed,
    },
    /// A key without a default is missing.
    Missing {
        /// Name of the key.
        key: &'static str,
    },
}

/// An invalid value of a key, or two values that do not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundValue {
    /// Text of the value for an error message.
    Value(String),
    /// A count that does not match the number of heads.
    ForHeads {
        /// Value of the count.
        value: u64,
        /// Number of heads.
        heads: u64,
    },
    /// A count that is greater than the number of experts.
    OfExperts {
        /// Value of the count.
        value: u64,
        /// Number of experts.
        experts: u64,
    },
    /// A list of the wrong length.
    List {
        /// Length of the list.
        length: usize,
    },
}

/// Values that a key allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// A whole number from 1 to this maximum.
    UpTo(u64),
    /// The name of a supported model family.
    Family,
    /// True or false.
    Switch,
    /// Only false.
    False,
    /// A list.
    List,
    /// The index of a layer, from 0.
    LayerIndex,
    /// A list with one type for each layer.
    TypePerLayer,
    /// One of these words.
    OneOf(Vec<&'static str>),
    /// A list with the same number for each layer.
    SameForAll,
    /// A multiple of the number of heads.
    MultipleOfHeads,
    /// A divisor of the number of heads.
    DivisorOfHeads,
    /// A number that is at most the number of experts.
    AtMostExperts,
    /// The number of tokens that the tokenizer knows. Some configurations leave out this number.
    Vocabulary,
}

impl From<Broken> for Refusal {
    fn from(broken: Broken) -> Self {
        Self::NotJson(broken)
    }
}

/// Returns the supported model types, in alphabetical order.
pub fn families() -> Vec<&'static str> {
    let mut names: Vec<_> = families::all().map(|family| family.model_type).collect();
    names.sort_unstable();
    names
}

/// Returns the dimensions that a `config.json` describes.
///
/// # Errors
/// [`Refusal`] if the text is not a supported configuration.
pub fn transformer(text: &str) -> Result<Transformer, Refusal> {
    if u64::try_from(text.len()).is_ok_and(|bytes| bytes > CONFIG_BYTES_MAX) {
        return Err(Refusal::TooLong);
    }
    let text = without_class(text.strip_prefix('\u{feff}').unwrap_or(text));
    let whole = Value::parse(text)?;
    let (family, own) = lookup::family(&whole)?;
    let mut config = Config::new(own, family);
    let mut model = config.transformer()?;
    model.name = name(&whole).unwrap_or_else(|| family.model_type.into());
    // In a model for images and text, the class of the language model decides.
    let class = if own.get("architectures").is_some() { own } else { &whole };
    if let Some(head) = other_head(class).filter(|_| model.head != Head::None) {
        model.head = Head::None;
        model.left_out.push(LeftOut::unknown(Omitted::Head { class: quote(head) }));
    }
    if let (None, Some(Value::Bool(is_tied))) = (own.get("tie_word_embeddings"), whole.get("tie_word_embeddings")) {
        model.is_tied = *is_tied;
    }
    if let Value::Object(entries) = &whole {
        for (key, value) in entries.iter().filter(|(_, value)| matches!(value, Value::Object(_))) {
            if key == "quantization_config" {
                model.notes.push(Note::Quantized);
            } else if key.ends_with("_config") && !config.opened.contains(&&**key) && !std::ptr::eq(value, own) {
                model.left_out.push(LeftOut::unknown(Omitted::Part { key: quote(key) }));
            }
        }
    }
    model.notes.append(&mut config.notes);
    Ok(model)
}

/// Returns a configuration without the name of its class, which Python prints before the braces: `LlamaConfig {`.
pub(crate) fn without_class(text: &str) -> &str {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|sign: char| sign.is_ascii_alphanumeric() || sign == '_');
    let is_class = text.len() > rest.len() && text[..text.len() - rest.len()].ends_with("Config");
    if is_class { rest.trim_start() } else { text }
}

/// Returns the name of the model from the key `_name_or_path`.
fn name(whole: &Value<'_>) -> Option<String> {
    match whole.get("_name_or_path") {
        Some(Value::Text(name)) if !name.trim().is_empty() => Some(crate::name::quoted_name(name)),
        _ => None,
    }
}

/// Returns the model class that the configuration names, if that class computes no logits over the vocabulary.
fn other_head<'a>(whole: &'a Value<'a>) -> Option<&'a str> {
    let Some(Value::List(classes)) = whole.get("architectures") else { return None };
    let Some(Value::Text(class)) = classes.first() else { return None };
    let tasks = ["Classification", "QuestionAnswering", "MultipleChoice", "NextSentencePrediction"];
    let bare = class.ends_with("Model") && !class.ends_with("HeadModel") && !class.ends_with("MTModel");
    (bare || tasks.iter().any(|task| class.ends_with(task))).then_some(class)
}
