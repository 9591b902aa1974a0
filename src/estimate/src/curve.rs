//! The quantity along which the curves of a comparison run.

use crate::{Entry, Question};

/// Quantity along the horizontal axis of the curves: a setting that all runs share, or the number of chips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curve {
    /// Number of chips.
    #[default]
    Chips,
    /// Sequences on each chip.
    Batch,
    /// Tokens of a sequence.
    Seq,
}

impl Curve {
    /// All quantities, each with its name in a link.
    pub const ALL: [(&'static str, Self); 3] = [("chips", Self::Chips), ("batch", Self::Batch), ("seq", Self::Seq)];

    /// Returns the quantity with this name in a link.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(one, _)| *one == id).map(|(_, curve)| curve)
    }

    /// Returns the entry that sets the quantity of the first run.
    #[must_use]
    pub const fn entry(self) -> Entry {
        match self {
            Self::Chips => Entry::Chips,
            Self::Batch => Entry::Batch,
            Self::Seq => Entry::Seq,
        }
    }

    /// Returns the value of the quantity in a question.
    #[must_use]
    pub const fn of(self, question: &Question) -> u64 {
        match self {
            Self::Chips => question.chips,
            Self::Batch => question.batch,
            Self::Seq => question.seq,
        }
    }

    /// Returns the question with another value of the quantity.
    #[must_use]
    pub fn at(self, question: &Question, value: u64) -> Question {
        let mut other = question.clone();
        match self {
            Self::Chips => other.chips = value,
            Self::Batch => other.set_batch(value),
            Self::Seq => other.seq = value,
        }
        other
    }

    /// Returns the values of a curve: powers of two in the usual range of the quantity. The range contains `set`.
    #[must_use]
    pub fn values(self, set: u64) -> Vec<u64> {
        let (least, most) = match self {
            Self::Chips => (1, 4096),
            Self::Batch => (1, 128),
            Self::Seq => (512, 65_536),
        };
        let (least, most) = (least.min(set.next_power_of_two() / 2).max(1), most.max(set));
        let mut all: Vec<u64> = core::iter::successors(Some(1_u64), |value| value.checked_mul(2))
            .take_while(|value| *value <= most)
            .filter(|value| *value >= least)
            .chain([set])
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_the_set_value_and_powers_of_two_around_it() {
        for (_, curve) in Curve::ALL {
            for set in [1, 3, 64, 100, 2048, 300_000] {
                let values = curve.values(set);
                assert!(values.contains(&set) && values.is_sorted(), "{curve:?} {set}: {values:?}");
                assert!(values.iter().all(|value| *value == set || value.is_power_of_two()));
                let question = curve.at(&Question::default(), set);
                assert_eq!(curve.of(&question), set);
                assert_eq!(question.text(curve.entry()), set.to_string());
            }
        }
    }
}
