//! Values together with their sources.

use crate::chips_generated::{CITATIONS, NOTES};

/// A document or catalog from which values are taken.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// Short name, unique in the table: `isca17`.
    pub key: &'static str,
    /// Citation: the document, its relevant statement, and its date if known. Empty for a source of the chip table, whose
    /// citations are in a separate list. [`citation`](Self::citation) returns the citation of every source.
    pub text: &'static str,
}

impl Source {
    /// Citation: the document, its relevant statement, and its date if known.
    ///
    /// Every visitor of the page loads the chip table, but only explanations of numbers read citations and notes.
    /// Citations and notes are therefore in separate lists.
    #[must_use]
    pub fn citation(&self) -> &'static str {
        let listed = || CITATIONS.iter().find(|(key, _)| *key == self.key).map_or("", |(_, text)| *text);
        if self.text.is_empty() { listed() } else { self.text }
    }
}

/// Note on a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Note {
    None,
    Here(&'static str),
    /// Index of the note in the chip table's list of notes.
    Listed(u16),
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
    pub(crate) note: Note,
}

impl<T> Sourced<T> {
    /// Builds a table entry.
    pub(crate) const fn new(
        value: Option<T>,
        source: &'static Source,
        confidence: Confidence,
        note: Option<&'static str>,
    ) -> Self {
        let note = match note {
            Some(note) => Note::Here(note),
            None => Note::None,
        };
        Self { value, source, confidence, note }
    }

    /// Builds an entry of the chip table. `note` is the index of its note in the table's list of notes.
    pub(crate) const fn noted(value: Option<T>, source: &'static Source, confidence: Confidence, note: u16) -> Self {
        Self { value, source, confidence, note: Note::Listed(note) }
    }

    /// Note on a condition, on a derivation, or on a conflict between sources.
    #[must_use]
    pub fn note(&self) -> Option<&'static str> {
        match self.note {
            Note::None => None,
            Note::Here(note) => Some(note),
            Note::Listed(nth) => NOTES.get(usize::from(nth)).copied(),
        }
    }
}
