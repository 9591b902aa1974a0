//! Values together with their sources.

/// A document or catalog from which values are taken.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// Short name, unique in the table: `isca17`.
    pub key: &'static str,
    /// Citation: the document, its relevant statement, and its date if known.
    pub text: &'static str,
}

/// Confidence in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A value that is not verified, or that is from one weak source.
    Low,
    /// A value from one good secondary source, or derived from other values.
    Medium,
    /// A value that the maker states, or that two independent sources agree on.
    High,
    /// A value that the user set.
    Yours,
}

impl Confidence {
    /// The word shown next to a value.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Yours => "yours",
        }
    }
}

/// A value with its source. `None` means unknown or not offered; the crate never guesses a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sourced<T> {
    /// The value, or `None` if the source does not give it.
    pub value: Option<T>,
    /// Document that states the value, or that was searched and does not state the value.
    pub source: &'static Source,
    /// Confidence in the value.
    pub confidence: Confidence,
    /// Note on a condition, on a derivation, or on a conflict between sources.
    pub note: Option<&'static str>,
}

impl<T> Sourced<T> {
    /// Builds a table entry.
    pub(crate) const fn new(
        value: Option<T>,
        source: &'static Source,
        confidence: Confidence,
        note: Option<&'static str>,
    ) -> Self {
        Self { value, source, confidence, note }
    }
}
