//! A value that knows where it came from.

/// A document or catalog that values are taken from.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// Short name, unique in the table: `isca17`.
    pub key: &'static str,
    /// The citation: which document, what it states, and its date when known.
    pub text: &'static str,
}

/// How far a value can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Not verified, or from one weak source.
    Low,
    /// From one good secondary source, or derived from others.
    Medium,
    /// The maker states it, or two independent sources agree.
    High,
    /// Set by the user.
    Yours,
}

impl Confidence {
    /// The word shown beside a value.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Yours => "yours",
        }
    }
}

/// A value with its source. `None` means unknown or not offered, and stays so: it is never guessed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sourced<T> {
    /// The value, or `None` when the source does not give it.
    pub value: Option<T>,
    /// Where it was read, or where it was looked for in vain.
    pub source: &'static Source,
    /// How far to trust it.
    pub confidence: Confidence,
    /// A conflict, a condition or a derivation worth knowing.
    pub note: Option<&'static str>,
}

impl<T> Sourced<T> {
    /// A table entry.
    pub(crate) const fn new(
        value: Option<T>,
        source: &'static Source,
        confidence: Confidence,
        note: Option<&'static str>,
    ) -> Self {
        Self { value, source, confidence, note }
    }
}
