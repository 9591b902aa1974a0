//! Further columns of a comparison: each column has its own chip, number of chips and price.

use std::sync::Arc;

use crate::{Entry, InvalidEntry, ModelQuery, Question};
use perfmodel::{Chip, CustomValues};
use workload::PassKind;

/// A column of a comparison after the first column, which is the question itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// The second column.
    Second,
    /// The third column.
    Third,
    /// The fourth column.
    Fourth,
}

impl Column {
    /// All columns after the first.
    pub const ALL: [Self; 3] = [Self::Second, Self::Third, Self::Fourth];

    /// Entry that names the chip of the column.
    #[must_use]
    pub const fn chip(self) -> Entry {
        match self {
            Self::Second => Entry::Versus,
            Self::Third => Entry::Third,
            Self::Fourth => Entry::Fourth,
        }
    }

    /// Entries of the column: its chip, its number of chips and its price.
    #[must_use]
    pub const fn entries(self) -> [Entry; 3] {
        [self.chip(), Entry::ChipsOf(self), Entry::UsdOf(self)]
    }

    pub(crate) const fn chips_id(self) -> &'static str {
        match self {
            Self::Second => "chips2",
            Self::Third => "chips3",
            Self::Fourth => "chips4",
        }
    }

    pub(crate) const fn usd_id(self) -> &'static str {
        match self {
            Self::Second => "usd2",
            Self::Third => "usd3",
            Self::Fourth => "usd4",
        }
    }
}

/// Texts of a column's number of chips and price, as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColumnTexts {
    pub(crate) chips: String,
    pub(crate) usd: String,
}

impl ColumnTexts {
    pub(crate) const fn is_empty(&self) -> bool {
        self.chips.is_empty() && self.usd.is_empty()
    }

    /// Returns the texts that cannot be used for `chip`.
    pub(crate) fn invalid(&self, column: Column, chip: &Arc<Chip>) -> Vec<InvalidEntry> {
        let mut probe = Question { chip: Arc::clone(chip), ..Question::default() };
        let all = [(Entry::Chips, Entry::ChipsOf(column), &self.chips), (Entry::Usd, Entry::UsdOf(column), &self.usd)];
        let all = all.into_iter().filter(|(.., text)| !text.is_empty());
        all.filter_map(|(of, entry, text)| Some(InvalidEntry::new(entry, text, probe.set(of, text).err()?))).collect()
    }

    /// Returns a copy of the question with the number of chips and the price of the column.
    pub(crate) fn of(&self, question: Question) -> Question {
        let mut other = question;
        for (entry, text) in [(Entry::Chips, &self.chips), (Entry::Usd, &self.usd)] {
            if !text.is_empty() {
                // `invalid` names a text that cannot be used. The question then keeps its own value.
                let _ = other.set(entry, text);
            }
        }
        if other.is_product {
            other.chips = 1;
        }
        other
    }
}

impl ModelQuery {
    /// Returns the question of a further column; `None` for an empty column. A column without a chip has the chip of the
    /// first column.
    pub(crate) fn column(&self, column: Column) -> Option<Question> {
        let chip = match column {
            Column::Second => self.versus,
            Column::Third => self.others[0],
            Column::Fourth => self.others[1],
        };
        let texts = &self.columns[column as usize];
        let mut question = match chip {
            None if texts.is_empty() => return None,
            None => texts.of(self.question.clone()),
            Some(chip) => texts.of(self.question_on(chip)),
        };
        // Servers are compared at the rate of each user, or with as many users at once.
        let users = self.question.users();
        if question.rate_of_user().is_some() {
            question.are_chips_set = !texts.chips.is_empty();
        } else if question.pass == PassKind::Decode && users.is_multiple_of(question.chips) {
            question.set_batch(users / question.chips);
        }
        Some(question)
    }

    /// Returns the question for another chip, without the custom values and the prices of the first chip.
    fn question_on(&self, chip: &Chip) -> Question {
        // A custom price applies only to the first chip.
        let (chip, own) = (Arc::new(chip.clone()), CustomValues::default());
        Question { chip, own, usd: None, listed: None, ..self.question.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ranking;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn runs(text: &str) -> Vec<(&'static str, u64, Option<f64>)> {
        let answer = ModelQuery::parse(text).answer(None).expect("an answer");
        let of = |one: &Question| (one.chip.id, one.chips, one.usd_per_chip_hour());
        answer.runs().iter().map(|run| of(&run.estimate.question)).collect()
    }

    #[test]
    fn columns_of_decode_serve_as_many_users_at_once() {
        let answer = |chips: u64| {
            let text = format!("pass=decode&split=tensor&chip=tpu-v5p&chips=2&batch=16&versus=h100-sxm&chips2={chips}");
            ModelQuery::parse(&text).answer(None).expect("an answer")
        };
        let same = answer(8);
        let other = &same.comparison().expect("another").0.question;
        assert_eq!((other.chips, other.batch, other.users()), (8, 4, 32));
        assert!(matches!(same.ranking(), Ranking::Cheapest { .. }));
        // 32 users cannot be divided among 5 chips.
        assert!(matches!(answer(5).ranking(), Ranking::OtherUsers { users: [32, 80] }));
    }

    #[test]
    fn each_column_has_its_own_chips_and_price() {
        let text = "chip=tpu-v5p&chips=64&versus=h100-sxm&chips2=8&usd2=3.99&third=tpu-v5p&chips3=v5p-256&fourth=b200";
        let [first, second, third, fourth] = runs(text)[..] else { panic!("four runs") };
        assert_eq!((first.0, first.1), ("tpu-v5p", 64));
        assert_eq!(second, ("h100-sxm", 8, Some(3.99)));
        // A slice of v5p is named by its cores.
        assert_eq!((third.0, third.1, third.2), ("tpu-v5p", 128, first.2));
        assert_eq!((fourth.0, fourth.1), ("b200-sxm", 64));
    }

    #[test]
    fn a_column_without_a_chip_has_the_first_chip_and_an_equal_column_is_none() {
        assert_eq!(runs("chip=tpu-v5p&chips=64&chips2=128").len(), 2);
        assert_eq!(runs("chip=tpu-v5p&chips=64&chips2=64").len(), 1);
        assert_eq!(runs("chip=tpu-v5p&chips=64&usd2=1").len(), 2);
        assert_eq!(runs("chip=tpu-v5p&versus=h100-sxm&third=h100-sxm").len(), 2);
        assert_eq!(runs("chip=tpu-v5p&versus=h100-sxm&third=h100-sxm&chips3=8").len(), 3);
    }

    #[test]
    fn a_text_that_cannot_be_used_is_named_at_its_column() {
        let query = ModelQuery::parse("chip=tpu-v5p&versus=h100-sxm&chips2=many&usd2=-1");
        let named: Vec<_> = query.invalid.iter().map(InvalidEntry::entry).collect();
        assert_eq!(named, [Some(Entry::ChipsOf(Column::Second)), Some(Entry::UsdOf(Column::Second))]);
    }
}
