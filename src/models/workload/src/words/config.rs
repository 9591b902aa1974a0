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
            Self::NoFamily => f.write_str("model_type is missing: use the whole config.json of the model."),
            Self::UnknownFamily { given } => write!(
                f,
                "model_type = {given} is not one of the {} families that are read here: run python systolic_matmuls.py config.json > model.csv, and open model.csv.",
                families().len()
            ),
            Self::Diffusers { class } => write!(
                f,
                "{class} is a class of diffusers: choose the model sd15-unet, sdxl-unet or dit-xl-2, or run python systolic_matmuls.py my_model.py:build > model.csv, and open model.csv."
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
            Self::List => "a list",
            Self::LayerIndex => "the number of an existing layer, counted from 0",
            Self::TypePerLayer => "one type for each layer",
            Self::OneOf(words) => return f.write_str(&words.join(" or ")),
            Self::SameForAll => "a number, or the same number for each layer",
            Self::MultipleOfHeads => "a multiple of the number of heads",
            Self::DivisorOfHeads => "a divisor of the number of heads",
            Self::Vocabulary => "the number of tokens of the tokenizer, which is 32000 for LLaMA 2",
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
