//! A reader of the numbers and choices in a query. The reader records each unusable text and uses the entry's default
//! instead.

use crate::entries::Entries;
use crate::{Allowed, Entry, InvalidEntry};

/// Reads numbers and choices from entries, and collects the invalid entries.
pub(crate) struct EntryReader<'a> {
    entries: &'a Entries,
    pub(crate) invalid: Vec<InvalidEntry>,
}

impl<'a> EntryReader<'a> {
    pub(crate) fn of(entries: &'a Entries) -> Self {
        let mut invalid: Vec<InvalidEntry> = Vec::new();
        let mut seen: Vec<Entry> = Vec::new();
        for (entry, text) in entries.iter() {
            if seen.contains(&entry) {
                invalid.push(InvalidEntry::new(entry, text, Allowed::Once));
            }
            seen.push(entry);
        }
        Self { entries, invalid }
    }

    /// Returns the number that an entry sets, or its default, in the entry's unit; zero if the entry is not numeric. The
    /// default is the value of the run, if there is one.
    pub(crate) fn number(&mut self, entry: Entry) -> f64 {
        let Some(range) = entry.number() else { return 0.0 };
        let usual = self.entries.of_run(entry).unwrap_or(range.usual);
        let Some(text) = self.entries.text(entry) else { return usual };
        range.read(text).unwrap_or_else(|| {
            self.invalid.push(InvalidEntry::new(entry, text, Allowed::Number(range)));
            usual
        })
    }

    /// Returns the number of an entry whose values are whole and fit in 32 bits.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and in a range of 32 bits")]
    pub(crate) fn count(&mut self, entry: Entry) -> u32 {
        self.number(entry) as u32
    }

    /// Returns the value in `all` that the entry names, or the first value if the entry names no value.
    pub(crate) fn one_of<T: Copy>(&mut self, entry: Entry, all: &[T], id: fn(T) -> &'static str) -> T {
        let Some(text) = self.entries.text(entry) else { return all[0] };
        all.iter().find(|one| id(**one) == text.trim()).copied().unwrap_or_else(|| {
            let ids = all.iter().map(|one| id(*one).to_owned()).collect();
            self.invalid.push(InvalidEntry::new(entry, text, Allowed::OneOf(ids)));
            all[0]
        })
    }
}
