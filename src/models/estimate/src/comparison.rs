//! The comparison of the runs of an answer: the runs that can be ranked, and the best run.

use workload::PassKind;

use crate::{Column, Direction, Entry, Estimate, Measure, ModelAnswer};

/// Difference of two values that is too small to rank two runs, because each value has an interval.
const CLOSE: f64 = 0.1;

/// A predicted run of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Entry that sets the number of chips of the run.
    pub entry: Entry,
    /// True if the run differs from the first run only in its settings, because both have the same chip.
    pub has_other_settings: bool,
    /// Estimate of the run.
    pub estimate: &'a Estimate,
}

/// Order of the runs of a comparison by dollars per million tokens.
#[derive(Clone, Copy, Debug)]
pub enum Ranking<'a> {
    /// The intervals are too wide to rank the runs, or to show one number for the only run.
    TooWide,
    /// The cheapest run, and the next cheapest run.
    Cheapest {
        /// Both runs, each with its dollars per million tokens.
        runs: [(&'a Estimate, f64); 2],
        /// Part of the dollars of the next run that the cheapest run saves, from 0 to 1.
        saved: f64,
        /// True if only these two runs have a price and fit in memory.
        are_all: bool,
        /// True if the 80% intervals of both runs overlap.
        do_overlap: bool,
    },
    /// The only one of several runs that has a price, fits in memory and gives each user the rate of the question. The
    /// number is its dollars per million tokens.
    Only(&'a Estimate, f64),
    /// The runs decode for different numbers of users at once, so their dollars cannot be compared.
    OtherUsers {
        /// Number of users at once: of the first run, and of the first other run with a different number.
        users: [u64; 2],
    },
    /// None of several runs fits in memory.
    NoneFits,
    /// No run that fits in memory gives each user the rate of the question.
    NoneReaches,
    /// The run is the only run.
    Alone(&'a Estimate),
    /// Nothing is known about the order of the runs.
    Unknown,
}

impl Ranking<'_> {
    /// True if the difference of the two cheapest runs is too small for a ranking.
    #[must_use]
    pub fn is_close(&self) -> bool {
        matches!(self, Self::Cheapest { saved, do_overlap: true, .. } if *saved < CLOSE)
    }
}

impl ModelAnswer {
    /// Returns the predicted runs: the first run, the second run, and the runs on further chips, if known.
    #[must_use]
    pub fn runs(&self) -> Vec<Run<'_>> {
        let second = self.comparison().map(|(second, _)| (Column::Second, second));
        let further = self.others.iter().filter_map(|(column, other)| Some((*column, other.as_ref().ok()?)));
        let others = second.into_iter().chain(further).map(|(column, estimate)| Run {
            entry: Entry::ChipsOf(column),
            has_other_settings: estimate.question.is_on_chip_of(&self.estimate.question),
            estimate,
        });
        let first = Run { entry: Entry::Chips, has_other_settings: false, estimate: &self.estimate };
        core::iter::once(first).chain(others).collect()
    }

    /// Ranks the runs by their dollars per million tokens.
    #[must_use]
    pub fn ranking(&self) -> Ranking<'_> {
        let runs: Vec<&Estimate> = self.runs().iter().map(|run| run.estimate).collect();
        if let [alone] = runs[..] {
            return match (alone.misfit(), alone.is_wide()) {
                (Some(_), _) => Ranking::Unknown,
                (None, _) if alone.misses_rate() => Ranking::NoneReaches,
                (None, true) => Ranking::TooWide,
                (None, false) => Ranking::Alone(alone),
            };
        }
        if let Some(users) = other_users(&runs) {
            return Ranking::OtherUsers { users };
        }
        if runs.iter().any(|run| run.is_ranked() && run.is_wide()) {
            return Ranking::TooWide;
        }
        let mut priced: Vec<(&Estimate, f64)> = runs.iter().filter_map(|run| Some((*run, run.ranked_usd()?))).collect();
        priced.sort_by(|one, other| one.1.total_cmp(&other.1));
        match priced[..] {
            [cheapest, next, ref rest @ ..] => {
                let ends = |(run, usd): (&Estimate, f64)| run.interval().map(|interval| interval.time(usd));
                let do_overlap = ends(cheapest).zip(ends(next)).is_some_and(|((_, high), (low, _))| high > low);
                let saved = 1.0 - cheapest.1 / next.1;
                Ranking::Cheapest { runs: [cheapest, next], saved, are_all: rest.is_empty(), do_overlap }
            }
            [(only, usd)] => Ranking::Only(only, usd),
            [] if !runs.iter().any(|run| run.has_room()) => Ranking::NoneFits,
            [] if !runs.iter().any(|run| run.is_ranked()) => Ranking::NoneReaches,
            [] => Ranking::Unknown,
        }
    }
}

/// Returns the numbers of users at once: of the first run, and of the first run with a different number. `None` if all
/// numbers are equal, if the question has a rate per user, or if the first run does not decode.
fn other_users(runs: &[&Estimate]) -> Option<[u64; 2]> {
    let first = &runs.first()?.question;
    let mut users = runs.iter().map(|run| run.question.users());
    let other = users
        .find(|users| *users != first.users())
        .filter(|_| first.pass == PassKind::Decode && first.rate.is_none())?;
    Some([first.users(), other])
}

impl Estimate {
    /// True if a run can be ranked: it fits in memory, and each user gets the rate of the question.
    pub(crate) fn is_ranked(&self) -> bool {
        self.has_room() && !self.misses_rate()
    }

    /// True if a run fits in memory with its activations.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.misfit().is_none() && self.activations_without_room().is_none()
    }

    /// True if the interval of a run is too wide for one number.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        self.interval().is_some_and(|found| found.is_wide())
    }

    /// Returns the dollars per million tokens of a run that can be ranked.
    #[must_use]
    pub fn ranked_usd(&self) -> Option<f64> {
        self.usd_per_million_tokens().filter(|_| self.is_ranked() && !self.is_wide())
    }
}

impl Measure {
    /// Returns the index of the best run; `None` with fewer than two runs that can be compared, or if another run is
    /// almost as good.
    #[must_use]
    pub fn best(self, runs: &[Run<'_>]) -> Option<usize> {
        let sign = match self.better()? {
            Direction::Higher => 1.0,
            Direction::Lower => -1.0,
        };
        let estimates: Vec<&Estimate> = runs.iter().map(|run| run.estimate).collect();
        // Steps with different numbers of tokens cannot be compared. In decode, the cost per user is lower if there are
        // more users.
        let has_other_tokens = runs.iter().any(|run| run.estimate.tokens != runs[0].estimate.tokens);
        if (self == Self::StepTime && has_other_tokens) || other_users(&estimates).is_some() {
            return None;
        }
        let ranked = runs.iter().enumerate().filter(|(_, run)| run.estimate.is_ranked());
        let value = |estimate| self.number(estimate)?.value;
        let values: Vec<(usize, f64)> =
            ranked.filter_map(|(nth, run)| Some((nth, sign * value(run.estimate)?))).collect();
        let (nth, best) = values.iter().copied().reduce(|best, one| if one.1 > best.1 { one } else { best })?;
        let is_clear = |other: f64| (best - other).abs() >= CLOSE * best.abs().max(other.abs());
        let others = || values.iter().filter(|(other, _)| *other != nth);
        (values.len() > 1 && others().all(|(_, other)| is_clear(*other))).then_some(nth)
    }
}
