//! The entries of one topic, as typed in a link. These entries include texts that cannot be used.

use crate::{Column, Entry, Topic};

/// The entries of a topic that a link sets, and the names in the link that match no entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries {
    topic: Topic,
    set: Vec<(Entry, String)>,
    /// Defaults that the run of another query gives.
    of_run: Vec<(Entry, f64)>,
    /// Names that match no entry of the topic, with their texts.
    pub unknown: Vec<(String, String)>,
}

impl Entries {
    /// Makes entries from a source other than a link, such as command-line options.
    pub fn new(topic: Topic, set: impl IntoIterator<Item = (Entry, String)>) -> Self {
        Self { topic, set: set.into_iter().collect(), of_run: Vec::new(), unknown: Vec::new() }
    }

    /// Reads the entries from a link parameter.
    #[must_use]
    pub fn parse(topic: Topic, text: &str) -> Self {
        let mut entries = Self::new(topic, []);
        for (name, text) in form_urlencoded::parse(text.as_bytes()).into_owned() {
            // In a link, a custom value of the chip is a piece of `own`.
            match topic.entry(&name).filter(|entry| !matches!(entry, Entry::Custom(_))) {
                Some(entry) => entries.set.push((entry, text)),
                None => entries.unknown.push((name, text)),
            }
        }
        entries
    }

    /// Iterates over every entry that is set, in the order of the link.
    pub fn iter(&self) -> impl Iterator<Item = (Entry, &str)> {
        self.set.iter().map(|(entry, text)| (*entry, text.as_str()))
    }

    /// Returns the text of an entry. If an entry is set twice, [`Topic::Model`] uses the last text and the other topics
    /// use the first.
    #[must_use]
    pub fn text(&self, entry: Entry) -> Option<&str> {
        let mut texts = self.iter().filter(|(other, _)| *other == entry).map(|(_, text)| text);
        if self.topic == Topic::Model { texts.last() } else { texts.next() }
    }

    /// Returns a copy with defaults from a run. A value outside the range of its entry changes nothing.
    pub(crate) fn with_run(self, values: impl IntoIterator<Item = (Entry, f64)>) -> Self {
        let is_allowed = |(entry, value): &(Entry, f64)| entry.number().is_none_or(|range| range.has(*value));
        Self { of_run: values.into_iter().filter(is_allowed).collect(), ..self }
    }

    /// Returns the value that the run gives for an entry, in the entry's unit; `None` without a run.
    #[must_use]
    pub fn of_run(&self, entry: Entry) -> Option<f64> {
        self.of_run.iter().find(|(other, _)| *other == entry).map(|(_, value)| *value)
    }

    /// True if the link sets no entry.
    pub(crate) const fn is_empty(&self) -> bool {
        self.set.is_empty() && self.unknown.is_empty()
    }

    /// True if a run gives defaults.
    #[must_use]
    pub const fn has_run(&self) -> bool {
        !self.of_run.is_empty()
    }

    /// True if the link sets an entry other than a setting of the page.
    pub(crate) fn states_run(&self) -> bool {
        self.iter().any(|(entry, _)| !matches!(entry, Entry::Axis | Entry::Curve | Entry::View))
    }

    /// Returns a copy with the text of one entry replaced; an empty text removes the entry.
    #[must_use]
    pub fn with(&self, entry: Entry, text: &str) -> Self {
        // A listed price belongs to one chip, so a new chip starts with its own price. If a further column loses its
        // chip, it also loses its number of chips and its price.
        let column = Column::ALL.into_iter().find(|column| text.is_empty() && column.chip() == entry);
        let goes = |other: Entry| {
            other == entry
                || (entry == Entry::Chip && other == Entry::Price)
                || column.is_some_and(|column| column.entries().contains(&other))
        };
        let mut set: Vec<_> = self.set.iter().filter(|(other, _)| !goes(*other)).cloned().collect();
        if !text.is_empty() {
            set.push((entry, text.to_owned()));
        }
        Self { set, ..self.clone() }
    }

    /// Writes the entries as a link parameter.
    #[must_use]
    pub fn to_text(&self) -> String {
        let set = self.set.iter().map(|(entry, text)| (entry.id(), text.as_str()));
        let unknown = self.unknown.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(set.chain(unknown)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_entry_is_set_and_taken_out_again() {
        let entries = Entries::parse(Topic::Model, "chips=8&zebra=1").with(Entry::Seq, "4096").with(Entry::Chips, "16");
        assert_eq!(entries.to_text(), "seq=4096&chips=16&zebra=1");
        assert_eq!([entries.text(Entry::Chips), entries.text(Entry::Batch)], [Some("16"), None]);
        assert_eq!(entries.with(Entry::Seq, "").with(Entry::Chips, "").to_text(), "zebra=1");
    }

    #[test]
    fn another_chip_begins_with_its_own_price() {
        let entries = Entries::parse(Topic::Model, "price=spot&chip=tpu-v5e");
        assert_eq!(entries.with(Entry::Chip, "tpu-v6e").to_text(), "chip=tpu-v6e");
    }
}
