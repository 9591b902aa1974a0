//! Settings of the second run that differ from the first run, as one text: `chips.8_batch.1`.

use std::sync::Arc;

use crate::{Allowed, Entry, InvalidEntry, Question};
use perfmodel::Chip;

/// Settings, besides the chip, in which the second run may differ from the first run. Prices and slice names are
/// interpreted for the chip of the second run.
pub const THAN: [Entry; 11] = [
    Entry::Chips,
    Entry::Dtype,
    Entry::Passes,
    Entry::Seq,
    Entry::Batch,
    Entry::Remat,
    Entry::Framework,
    Entry::Split,
    Entry::Overlap,
    Entry::Price,
    Entry::Usd,
];

/// Settings of the second run that differ from the first run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingOverrides(Vec<(Entry, String)>);

impl SettingOverrides {
    /// Reads the settings of a run on `chip`, and lists unusable settings.
    #[must_use]
    pub fn read(text: &str, chip: &Arc<Chip>) -> (Self, Vec<InvalidEntry>) {
        Self::read_of(&THAN, Entry::Than, text, chip)
    }

    /// Reads settings of the kinds `among` from the text of the entry `of`, and lists unusable settings.
    pub(crate) fn read_of(among: &[Entry], of: Entry, text: &str, chip: &Arc<Chip>) -> (Self, Vec<InvalidEntry>) {
        let (mut set, mut invalid) = (Vec::new(), Vec::new());
        for piece in text.split('_').map(str::trim).filter(|piece| !piece.is_empty()) {
            let named = piece.split_once('.');
            let found =
                named.and_then(|(name, value)| Some((among.iter().copied().find(|one| one.id() == name)?, value)));
            let refused = match found {
                None => Some(Allowed::Settings),
                Some((entry, value)) => {
                    let mut probe = Question { chip: Arc::clone(chip), ..Question::default() };
                    let refused = probe.set(entry, value).err();
                    if refused.is_none() {
                        set.push((entry, value.to_owned()));
                    }
                    refused
                }
            };
            invalid.extend(refused.map(|allowed| InvalidEntry::new(of, piece, allowed)));
        }
        (Self(set), invalid)
    }

    /// True if no setting differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a copy of the question with these settings.
    #[must_use]
    pub fn of(&self, question: &Question) -> Question {
        let mut other = question.clone();
        for (entry, text) in &self.0 {
            // `read` already tried each setting on the same chip.
            let _ = other.set(*entry, text);
        }
        if other.is_product {
            other.chips = 1;
        }
        other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn v4() -> Arc<Chip> {
        Arc::new(Chip::by_id("tpu-v4").expect("listed").clone())
    }

    #[test]
    fn settings_are_those_of_the_other_run() {
        let (than, invalid) = SettingOverrides::read("chips.v4-128_batch.1_price.spot_usd.0.5/core", &v4());
        assert_eq!(invalid, []);
        let other = than.of(&Question { chip: v4(), ..Question::default() });
        assert_eq!((other.chips, other.batch, other.usd), (64, 1, Some(1.0)), "two cores of 50 cents");
        assert!(SettingOverrides::read("", &v4()).0.is_empty());
    }

    #[test]
    fn what_cannot_be_used_is_listed_and_the_rest_counts() {
        let (than, invalid) = SettingOverrides::read("zebra.1_chips.0_batch.2_seq", &v4());
        let given: Vec<&str> = invalid.iter().map(|one| one.given.as_str()).collect();
        assert_eq!(given, ["zebra.1", "chips.0", "seq"]);
        assert!(invalid.iter().all(|one| one.entry() == Some(Entry::Than)));
        assert_eq!(than.of(&Question::default()).batch, 2);
    }
}
