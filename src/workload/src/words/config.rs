//! Error messages for model configurations and JSON.

use std::fmt;

use plain::grouped;

use crate::huggingface::{Allowed, FoundValue, Refusal, families};
use crate::json::{Broken, Wanted};

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(broken) => broken.fmt(f),
            Self::TooLong => f.write_str("This is longer than 512 KiB, too long for a model's config.json."),
            Self::NoFamily => f.write_str("model_type is missing: it names the family of a model."),
            Self::UnknownFamily { given } => {
                write!(f, "model_type = {given}: use one of {}.", families().join(", "))
            }
            Self::BadValue { key, given, allowed } => write!(f, "{key} = {given}: use {allowed}."),
            Self::Missing { key } => write!(f, "{key} is missing, and this family has no default for it."),
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
            Self::Family => "the name of a family",
            Self::Switch => "true or false",
            Self::False => "false",
            Self::Word => "a word",
            Self::List => "a list",
            Self::LayerIndex => "the number of a layer, from 0",
            Self::TypePerLayer => "one type for each layer",
            Self::LayerType => "full_attention or sliding_attention",
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
            Wanted::FewerValues => return write!(f, "This JSON has more than 50\u{202f}000 values, up to byte {at}."),
            Wanted::FewerLevels => return write!(f, "This JSON nests more than 64 levels deep at byte {at}."),
            Wanted::ShorterText => {
                return write!(f, "This JSON has a text of more than 4 MiB with escapes, up to byte {at}.");
            }
            Wanted::Object => "an object",
            Wanted::List => "a list",
            Wanted::Value => "a value",
            Wanted::Colon => "“:”",
            Wanted::CommaOrBrace => "“,” or “}”",
            Wanted::CommaOrBracket => "“,” or “]”",
            Wanted::Text => "a text in quotation marks",
            Wanted::RestOfText => "the rest of a text in quotation marks",
            Wanted::Escaped => "an escaped character",
            Wanted::Escape => "one of the escapes of JSON",
            Wanted::HexDigits => "four hexadecimal digits",
            Wanted::WholeCharacter => "a character, not half of one",
            Wanted::SecondHalf => "the second half of a character",
            Wanted::Digit => "a digit",
            Wanted::End => "the end",
            Wanted::RestOfHeader => "the rest of the header",
        };
        write!(f, "Invalid JSON at character {at}: expected {wanted}.")
    }
}
