//! Entries that cannot be used: the name, the text, and the allowed values. The crate `words` turns these entries into
//! sentences.

use crate::custom::{self, CustomEntry};
use crate::entry::NumberRange;
use crate::{Entry, Topic};
use perfmodel::{CustomValue, PeakDtype};

/// Maximum number of characters that a message quotes from an unknown name.
const NAME_MAX: usize = 20;

/// An entry that cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidEntry {
    /// Name of the entry.
    pub name: EntryName,
    /// The text of the entry, without control characters and cut to a readable length.
    pub given: String,
    /// Values that the entry accepts.
    pub allowed: Allowed,
}

/// The name of an entry that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryName {
    /// An entry of the topic.
    Entry(Entry),
    /// One custom value in the text of [`Entry::Own`], identified by the name of the value in the link.
    Piece(String),
    /// A name that matches no entry of the topic.
    Unknown(String),
}

/// Values that an entry accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum Allowed {
    /// A number in a range.
    Number(NumberRange),
    /// A whole number from 1 to this maximum.
    UpTo(u64),
    /// A whole number of chips, or the name of a slice of the chip.
    Chips {
        /// Maximum number of chips.
        max: u64,
        /// Name of a slice of this chip, such as `v5p-128`; `None` if the slices have no names.
        slice: Option<String>,
    },
    /// A whole percentage from 0 to 100.
    Percent,
    /// A number above zero.
    Positive,
    /// Dollars per hour for a chip, a core or several chips.
    UsdPerHour,
    /// One of these names.
    OneOf(Vec<String>),
    /// No value, because no price of this chip was published.
    NoPrice {
        /// Name of the chip.
        chip: &'static str,
    },
    /// A custom value of a chip, or `unknown`.
    CustomValue(CustomValue),
    /// A custom value of a chip: one of these names, a dot and a number.
    Piece(Vec<String>),
    /// One occurrence of an entry; a further occurrence is ignored.
    Once,
    /// A measurement with its unit.
    Measurement,
    /// Runs of the user, up to this number.
    OwnRuns(usize),
    /// A factor, followed by `faster` or `cheaper`.
    Times,
    /// No value, because a user gives the sizes of a file to its tracer.
    Traced,
    /// Names of groups with their sizes.
    Groups,
    /// Settings of a run, each followed by a dot and its value.
    Settings,
    /// A shortest length that is at most this longest length.
    AtMostLongest(u32),
    /// Whole numbers of tokens from 1 to this maximum.
    Lengths(u64),
    /// The name of an entry of this topic.
    EntryOf(Topic),
}

impl InvalidEntry {
    /// If the form has an entry for the invalid custom value, returns the error under the name of that entry.
    pub(crate) fn in_form(self, dtype: PeakDtype) -> Self {
        let EntryName::Piece(piece) = &self.name else { return self };
        let of_piece = |entry: &CustomEntry| custom::name(entry.value(dtype)) == *piece;
        match CustomEntry::ALL.into_iter().find(of_piece) {
            Some(entry) => Self { name: EntryName::Entry(Entry::Custom(entry)), ..self },
            None => self,
        }
    }

    /// Makes the error for an entry whose text `text` cannot be used.
    #[must_use]
    pub fn new(entry: Entry, text: &str, allowed: Allowed) -> Self {
        Self { name: EntryName::Entry(entry), given: plain::cut(text), allowed }
    }

    /// Makes the error for a name that matches no entry of the topic.
    #[must_use]
    pub fn unknown(topic: Topic, name: &str, text: &str) -> Self {
        // Old links give sizes of an ONNX file by this name.
        let allowed = if name == "symbols" { Allowed::Traced } else { Allowed::EntryOf(topic) };
        Self { name: EntryName::Unknown(short(name)), given: plain::cut(text), allowed }
    }

    /// Makes the error for one custom value in the text of [`Entry::Own`].
    #[must_use]
    pub fn piece(name: &str, text: &str, allowed: Allowed) -> Self {
        Self { name: EntryName::Piece(short(name)), given: plain::cut(text), allowed }
    }

    /// Returns the entry; `None` if the name is unknown, or names one custom value in [`Entry::Own`].
    #[must_use]
    pub const fn entry(&self) -> Option<Entry> {
        match self.name {
            EntryName::Entry(entry) => Some(entry),
            EntryName::Piece(_) | EntryName::Unknown(_) => None,
        }
    }
}

fn short(name: &str) -> String {
    name.chars().filter(|c| !plain::is_control_or_bidi(*c)).take(NAME_MAX).collect()
}
