//! Error messages for model configurations and JSON.

use std::fmt;

use plain::grouped;

use crate::huggingface::{Allowed, FoundValue, Refusal, families};
use crate::json::{Broken, Wanted};

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(broken) => broken.fmt(f),
            Self::TooLong => f.write_str("This text is longer than 512 KiB: use a config.json of at most 512 KiB."),
            Self::NotAModel => {
                f.write_str("This JSON has no sizes of a model, such as hidden_size: use the config.json of the model.")
            }
            Self::NoFamily { like: None } => {
                f.write_str("model_type is missing: add the name of the model family, such as llama.")
            }
            Self::NoFamily { like: Some(family) } => write!(
                f,
                "model_type is missing, but the other keys look like {family}: if the model has the layers of {family}, add \"model_type\": \"{family}\"."
            ),
            Self::UnknownFamily { given, like: None } => {
                let number = families().len();
                write!(
                    f,
                    "model_type = {given} is not known: use a config.json of one of {number} families, such as llama, qwen3 or deepseek_v3. The book lists all."
                )
            }
            Self::UnknownFamily { given, like: Some(family) } => write!(
                f,
                "model_type = {given} is not known, but its keys look like {family}: if the model has the layers of {family}, set model_type to {family}."
            ),
            Self::BadValue { key, given, allowed } => write!(f, "{key} = {given}: use {allowed}."),
            Self::Missing { key } => {
                write!(f, "{key} is missing: add a value, because this model family has no default for {key}.")
            }
        }
    }
}

impl fmt::Display for FoundValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(shown) => f.write_str(shown),
            Self::ForHeads { value, heads } => write!(f, "{} for {} heads", grouped(*value), grouped(*heads)),
            Self::OfExperts { value, experts } => write!(f, "{} of {} experts", grouped(*value), grouped(*experts)),
            Self::List { length } => write!(f, "a list of {}", grouped(*length as u64)),
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UpTo(most) => return write!(f, "a whole number from 1 to {}", grouped(*most)),
            Self::Family => "the name of a model family",
            Self::Switch => "true or false",
            Self::False => "false",
            Self::Word => "text in quotation marks",
            Self::List => "a list",
            Self::LayerIndex => "the number of an existing layer, counted from 0",
            Self::TypePerLayer => "one type for each layer",
            Self::OneOf(words) => return f.write_str(&words.join(" or ")),
            Self::SameForAll => "a number, or the same number for each layer",
            Self::MultipleOfHeads => "a multiple of the number of heads",
            Self::DivisorOfHeads => "a divisor of the number of heads",
            Self::AtMostExperts => "at most the number of experts",
        })
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = grouped(self.at as u64);
        let wanted = match self.wanted {
            Wanted::FewerValues => {
                return write!(
                    f,
                    "The first {at} bytes of this JSON contain more than 50\u{202f}000 values: use at most 50\u{202f}000."
                );
            }
            Wanted::FewerLevels => {
                return write!(f, "This JSON is nested more than 64 levels deep at byte {at}: use at most 64 levels.");
            }
            Wanted::EachKeyOnce => {
                return write!(
                    f,
                    "A key appears twice in the object that ends at byte {at} of this JSON: remove one of them."
                );
            }
            Wanted::NoComment => {
                return write!(f, "Byte {at} begins a comment, which JSON does not allow: remove all comments.");
            }
            Wanted::NoLastComma => {
                return write!(f, "JSON allows no comma before the bracket at byte {at}: remove the comma.");
            }
            Wanted::Object => "an object",
            Wanted::List => "a list",
            Wanted::Value => "a value",
            Wanted::Colon => "“:”",
            Wanted::CommaOrBrace => "“,” or “}”",
            Wanted::CommaOrBracket => "“,” or “]”",
            Wanted::Text => "a string in quotation marks",
            Wanted::RestOfText => "the rest of a string in quotation marks",
            Wanted::Escaped => "an escaped character",
            Wanted::Escape => "a valid JSON escape",
            Wanted::HexDigits => "four hexadecimal digits",
            Wanted::WholeCharacter => "a whole character, not half of a surrogate pair",
            Wanted::SecondHalf => "the second half of a surrogate pair",
            Wanted::Digit => "a digit",
            Wanted::End => "the end of the JSON",
        };
        write!(f, "Invalid JSON at byte {at}: expected {wanted}.")
    }
}
