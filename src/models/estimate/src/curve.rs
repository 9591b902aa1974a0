//! The quantity along the horizontal axis of the curves in a comparison.

use crate::{Answered, Entry, Estimate, Question};

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

/// A point of the curves of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Value of the quantity along the curve.
    pub at: u64,
    /// MFU in percent; `None` if it is unknown or too uncertain, or if the run does not fit in memory.
    pub mfu: Option<f64>,
    /// Dollars per million tokens; `None` without an MFU or a price.
    pub usd: Option<f64>,
}

impl CurvePoint {
    fn new(at: u64, estimate: Option<&Estimate>) -> Self {
        let shown = estimate.filter(|one| one.has_room() && !one.is_wide());
        let mfu = shown.and_then(|one| one.mfu.ok()).map(|mfu| mfu.ratio * 100.0);
        Self { at, mfu, usd: mfu.and(shown).and_then(Estimate::usd_per_million_tokens) }
    }
}

impl Answered {
    /// Returns the points of the curves of each run, in the order of the runs. Empty without an answer about a model.
    #[must_use]
    pub fn curves(&self) -> Vec<Vec<CurvePoint>> {
        let (Some(query), Ok(answer)) = (self.model_query(), self.model()) else { return Vec::new() };
        let along = query.page.curve;
        let of = |estimate: &Estimate| {
            let set = along.of(&estimate.question);
            let point = |at: u64| match at == set {
                true => CurvePoint::new(at, Some(estimate)),
                false => CurvePoint::new(at, self.again(&along.at(&estimate.question, at)).as_ref()),
            };
            along.values(set).into_iter().map(point).collect()
        };
        let runs = answer.runs();
        let runs = runs.iter().filter(|_| !answer.estimate.question.is_product);
        runs.map(|run| of(run.estimate)).collect()
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
