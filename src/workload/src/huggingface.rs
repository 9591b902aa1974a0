//! `config.json` of the transformers library: from a family's keys to its dimensions.
//!
//! A family is known by `model_type`; a key that is missing has the default of that family in transformers 5.23, and the
//! workload's notes say so. A family that is not in the table is refused with the list of those that are.

mod config;
mod families;
mod layers;
mod rules;

use self::config::Config;
use self::rules::Family;
use crate::json::{Broken, Value};
use crate::note::{Note, Omitted};
use crate::transformer::{Head, Transformer};
use crate::workload::LeftOut;
use plain::quote;

/// Bytes of a configuration that are read.
pub(crate) const CONFIG_BYTES_MAX: u64 = 512 << 10;

/// Why a configuration gives no dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text is not JSON.
    NotJson(Broken),
    /// The text is longer than any configuration.
    TooLong,
    /// No `model_type` says which family it is.
    NoFamily,
    /// The family is not known here.
    UnknownFamily {
        /// The model type, cut.
        given: String,
    },
    /// A key has a value that means nothing here.
    BadValue {
        /// The key.
        key: String,
        /// Its value.
        given: FoundValue,
        /// What is allowed.
        allowed: Allowed,
    },
    /// The family has no default for a key that is missing.
    Missing {
        /// The key.
        key: &'static str,
    },
}

/// The value of a key, or of two that do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundValue {
    /// A value, as a sentence names it.
    Value(String),
    /// A count that the number of heads does not go with.
    ForHeads {
        /// The count.
        value: u64,
        /// The heads.
        heads: u64,
    },
    /// A count that the number of experts does not go with.
    OfExperts {
        /// The count.
        value: u64,
        /// The experts.
        experts: u64,
    },
    /// A list of a wrong length.
    List {
        /// Its length.
        length: usize,
    },
}

/// What a key allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// A whole number from 1.
    UpTo(u64),
    /// The name of a family.
    Family,
    /// True or false.
    Switch,
    /// False alone.
    False,
    /// A word.
    Word,
    /// A list.
    List,
    /// The number of a layer, from 0.
    LayerIndex,
    /// A list with one type for each layer.
    TypePerLayer,
    /// One of the two types of layers.
    LayerType,
    /// A multiple of the number of heads.
    MultipleOfHeads,
    /// A divisor of the number of heads.
    DivisorOfHeads,
    /// No more than there are experts.
    AtMostExperts,
}

impl From<Broken> for Refusal {
    fn from(broken: Broken) -> Self {
        Self::NotJson(broken)
    }
}

/// The model types that are known, in alphabetical order.
pub fn families() -> Vec<&'static str> {
    let mut names: Vec<_> = families::all().map(|family| family.model_type).collect();
    names.sort_unstable();
    names
}

/// The dimensions that a `config.json` describes.
///
/// # Errors
/// [`Refusal`], one sentence on what is wrong with it.
pub fn transformer(text: &str) -> Result<Transformer, Refusal> {
    if u64::try_from(text.len()).is_ok_and(|bytes| bytes > CONFIG_BYTES_MAX) {
        return Err(Refusal::TooLong);
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let whole = Value::parse(text)?;
    let (family, own) = family(&whole)?;
    let mut config = Config::new(own, family);
    let mut model = config.transformer()?;
    model.name = name(&whole).unwrap_or_else(|| family.model_type.into());
    if let Some(head) = other_head(&whole) {
        model.head = Head::None;
        model.left_out.push(LeftOut::unknown(Omitted::Head { class: quote(head) }));
    }
    if let Value::Object(entries) = &whole {
        for (key, _) in entries.iter().filter(|(_, value)| matches!(value, Value::Object(_))) {
            if key == "quantization_config" {
                model.notes.push(Note::Quantized);
            } else if key.ends_with("_config") && key != "text_config" {
                model.left_out.push(LeftOut::unknown(Omitted::Part { key: quote(key) }));
            }
        }
    }
    model.notes.append(&mut config.notes);
    Ok(model)
}

/// The family, and the object that holds its keys: the whole, or the part about text.
fn family<'a>(whole: &'a Value<'a>) -> Result<(&'static Family, &'a Value<'a>), Refusal> {
    let find = |name: &str| families::all().find(|family| family.model_type == name);
    let named = match whole.get("model_type") {
        Some(Value::Text(name)) => name,
        None | Some(Value::Null) => return Err(Refusal::NoFamily),
        Some(other) => {
            let (key, given) = ("model_type".into(), FoundValue::Value(other.shown()));
            return Err(Refusal::BadValue { key, given, allowed: Allowed::Family });
        }
    };
    if let Some(family) = find(named) {
        return Ok((family, whole));
    }
    let text = whole.get("text_config");
    if let Some((text, Some(Value::Text(name)))) = text.map(|text| (text, text.get("model_type"))) {
        return match find(name) {
            Some(family) => Ok((family, text)),
            None => Err(Refusal::UnknownFamily { given: plain::cut(name) }),
        };
    }
    Err(Refusal::UnknownFamily { given: plain::cut(named) })
}

/// What the configuration calls its model.
fn name(whole: &Value<'_>) -> Option<String> {
    match whole.get("_name_or_path") {
        Some(Value::Text(name)) if !name.trim().is_empty() => Some(crate::name::shown(name)),
        _ => None,
    }
}

/// The class the configuration is for, where that class gives no logits over the vocabulary.
fn other_head<'a>(whole: &'a Value<'a>) -> Option<&'a str> {
    let Some(Value::List(classes)) = whole.get("architectures") else { return None };
    let Some(Value::Text(class)) = classes.first() else { return None };
    let tasks = ["Classification", "QuestionAnswering", "MultipleChoice", "NextSentencePrediction"];
    let bare = class.ends_with("Model") && !class.ends_with("LMHeadModel");
    (bare || tasks.iter().any(|task| class.ends_with(task))).then_some(class)
}
