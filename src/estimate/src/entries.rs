//! What a link says about one topic, as typed: entries with their texts, whether these can be used or not.

use crate::{Entry, Topic};

/// The entries of a topic that a link sets, and what no entry of the topic is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries {
    topic: Topic,
    set: Vec<(Entry, String)>,
    /// Names that no entry has, with their texts.
    pub unknown: Vec<(String, String)>,
}

impl Entries {
    /// Entries that are set otherwise than by a link, such as options.
    pub fn new(topic: Topic, set: impl IntoIterator<Item = (Entry, String)>) -> Self {
        Self { topic, set: set.into_iter().collect(), unknown: Vec::new() }
    }

    /// Reads the parameter of a link.
    #[must_use]
    pub fn parse(topic: Topic, text: &str) -> Self {
        let mut entries = Self::new(topic, []);
        for (name, text) in form_urlencoded::parse(text.as_bytes()).into_owned() {
            // A value of the chip is a piece of `own` in a link.
            match topic.entry(&name).filter(|entry| !matches!(entry, Entry::Custom(_))) {
                Some(entry) => entries.set.push((entry, text)),
                None => entries.unknown.push((name, text)),
            }
        }
        entries
    }

    /// Every entry that is set, in the order of the link.
    pub fn iter(&self) -> impl Iterator<Item = (Entry, &str)> {
        self.set.iter().map(|(entry, text)| (*entry, text.as_str()))
    }

    /// The text of an entry. Where one is set twice a model has the last, as links with options do, and a list of
    /// numbers the first.
    #[must_use]
    pub fn text(&self, entry: Entry) -> Option<&str> {
        let mut texts = self.iter().filter(|(other, _)| *other == entry).map(|(_, text)| text);
        if self.topic == Topic::Model { texts.last() } else { texts.next() }
    }

    /// The same with one entry set anew; an empty text takes it out.
    #[must_use]
    pub fn with(&self, entry: Entry, text: &str) -> Self {
        // A listed price is one of a chip: another chip begins with its own.
        let goes = |other: Entry| other == entry || (entry == Entry::Chip && other == Entry::Price);
        let mut set: Vec<_> = self.set.iter().filter(|(other, _)| !goes(*other)).cloned().collect();
        if !text.is_empty() {
            set.push((entry, text.to_owned()));
        }
        Self { set, unknown: self.unknown.clone(), ..*self }
    }

    /// The parameter of a link.
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
