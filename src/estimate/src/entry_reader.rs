//! The numbers of a query: read by entry; what cannot be used is refused, and its default counts.

use crate::entries::Entries;
use crate::{Allowed, Entry, InvalidEntry};

/// Reads the numbers of a query.
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

    /// A number in its entry's own unit. An entry that takes none reads as zero.
    pub(crate) fn number(&mut self, entry: Entry) -> f64 {
        let Some(range) = entry.number() else { return 0.0 };
        let Some(text) = self.entries.text(entry) else { return range.usual };
        range.read(text).unwrap_or_else(|| {
            self.invalid.push(InvalidEntry::new(entry, text, Allowed::Number(range)));
            range.usual
        })
    }

    /// A whole number that 32 bits hold.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and in a range of 32 bits")]
    pub(crate) fn count(&mut self, entry: Entry) -> u32 {
        self.number(entry) as u32
    }

    /// One of a few values by their names; the first where nothing is set.
    pub(crate) fn one_of<T: Copy>(&mut self, entry: Entry, all: &[T], id: fn(T) -> &'static str) -> T {
        let Some(text) = self.entries.text(entry) else { return all[0] };
        all.iter().find(|one| id(**one) == text.trim()).copied().unwrap_or_else(|| {
            let ids = all.iter().map(|one| id(*one).to_owned()).collect();
            self.invalid.push(InvalidEntry::new(entry, text, Allowed::OneOf(ids)));
            all[0]
        })
    }
}
