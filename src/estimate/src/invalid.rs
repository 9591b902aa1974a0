//! An entry that cannot be used: which one, its text, what is allowed. Sentences are made of it in `words`.

use crate::entry::NumberRange;
use crate::{Entry, Topic};
use perfmodel::CustomValue;

/// Characters of a foreign name that are quoted.
const NAME_MAX: usize = 20;

/// An entry that cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidEntry {
    /// Which.
    pub name: EntryName,
    /// The text of the entry, without control characters and cut to a readable length.
    pub given: String,
    /// What is allowed.
    pub allowed: Allowed,
}

/// The name of the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryName {
    /// That of an entry.
    Entry(Entry),
    /// A piece of [`Entry::Own`] that the form has no place for, by its name in the link.
    Piece(String),
    /// No entry of the topic has it.
    Unknown(String),
}

/// What an entry takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Allowed {
    /// A number in a range.
    Number(NumberRange),
    /// A whole number from 1.
    UpTo(u64),
    /// A whole number of chips from 1, or the name of a slice of the chip.
    Chips(u64),
    /// A whole percentage up to 100.
    Percent,
    /// A number above zero.
    Positive,
    /// Dollars for an hour of a chip, a core or several chips.
    UsdPerHour,
    /// One of these names.
    OneOf(Vec<String>),
    /// None: nobody published a price of this chip.
    NoPrice {
        /// Its name.
        chip: &'static str,
    },
    /// A value of a chip, or that it is not known.
    CustomValue(CustomValue),
    /// A piece with one of these names, a dot and a number.
    Piece(Vec<String>),
    /// Once: this one was left out.
    Once,
    /// A measurement with its unit.
    Measurement,
    /// How many times faster or cheaper.
    Times,
    /// A setting of a run, a dot and its value.
    Settings,
    /// At most the longest length.
    AtMostLongest(u32),
    /// Lengths that are whole numbers up to this one.
    Lengths(u32),
    /// One of the topic's entries.
    EntryOf(Topic),
}

impl InvalidEntry {
    /// An entry whose text is `text`.
    #[must_use]
    pub fn new(entry: Entry, text: &str, allowed: Allowed) -> Self {
        Self { name: EntryName::Entry(entry), given: plain::cut(text), allowed }
    }

    /// A name that no entry of the topic has.
    #[must_use]
    pub fn unknown(topic: Topic, name: &str, text: &str) -> Self {
        Self { name: EntryName::Unknown(short(name)), given: plain::cut(text), allowed: Allowed::EntryOf(topic) }
    }

    /// A piece of [`Entry::Own`].
    #[must_use]
    pub fn piece(name: &str, text: &str, allowed: Allowed) -> Self {
        Self { name: EntryName::Piece(short(name)), given: plain::cut(text), allowed }
    }

    /// The entry, where it is one.
    #[must_use]
    pub const fn entry(&self) -> Option<Entry> {
        match self.name {
            EntryName::Entry(entry) => Some(entry),
            EntryName::Piece(_) | EntryName::Unknown(_) => None,
        }
    }
}

fn short(name: &str) -> String {
    name.chars().filter(|c| !plain::steers(*c)).take(NAME_MAX).collect()
}
