//! All sentences of this crate, made from typed values.

mod config;
mod file;
mod line;
mod note;
mod omitted;

pub use self::line::sentences as line_sentences;

use std::fmt;

use crate::product::TooLarge;
use crate::{models, transformer};

/// Message for bytes that are not UTF-8 text.
const NOT_TEXT: &str = "this is not UTF-8 text.";

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "These sizes need more than 2^100 multiply-accumulates, which no machine could run: use smaller sizes.",
        )
    }
}

impl fmt::Display for models::Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unpublished => f.write_str("The sizes of this model's layers are not published."),
            Self::NoDecode => f.write_str("An image model has no decode pass; use train or prefill."),
            Self::FixedBatch { batch } => {
                write!(f, "This model is published for a single batch size: use batch {batch}.")
            }
            Self::Transformer(refusal) => refusal.fmt(f),
        }
    }
}

impl fmt::Display for transformer::Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDecode => f.write_str("An encoder has no decode pass; use train or prefill."),
            Self::Zero(size) => {
                let size = match size {
                    transformer::Size::Batch => "batch",
                    transformer::Size::Sequence => "sequence length",
                };
                write!(f, "{size} = 0: use 1 or more.")
            }
            Self::TooLarge => TooLarge.fmt(f),
        }
    }
}
