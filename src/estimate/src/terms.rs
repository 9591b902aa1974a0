//! The terms of a bill: what is lost to failures and compiling, and what is paid besides the chips.

use super::Wrong;
use display::number::{read, significant};
use perfmodel::run_inputs;

/// A term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Hours between failures of one chip.
    Mtbf,
    /// Seconds to save.
    Save,
    /// Seconds from a failure to the first new step.
    Restart,
    /// Minutes between saves; 0 for the best.
    Interval,
    /// Shapes that are compiled.
    Shapes,
    /// Seconds to compile one.
    Compile,
    /// GB that leave a provider.
    Egress,
    /// Dollars for one of these.
    EgressUsd,
    /// Weeks of engineers to bring the program to the chip.
    Weeks,
    /// Dollars for one of these.
    WeekUsd,
    /// Dollars for a kWh that is paid apart from the chips.
    KwhUsd,
    /// Energy of the building over that of its machines.
    Pue,
    /// kg of carbon dioxide for a kWh.
    Grid,
}

impl Term {
    /// All of them, as the bill has its lines.
    pub const ALL: [Self; 13] = [
        Self::Mtbf,
        Self::Save,
        Self::Restart,
        Self::Interval,
        Self::Shapes,
        Self::Compile,
        Self::Egress,
        Self::EgressUsd,
        Self::Weeks,
        Self::WeekUsd,
        Self::KwhUsd,
        Self::Pue,
        Self::Grid,
    ];

    /// Their names.
    pub const NAMES: [&'static str; 13] = {
        let mut names = [""; 13];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].name();
            at += 1;
        }
        names
    };

    /// The name in a link and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mtbf => "mtbf",
            Self::Save => "save",
            Self::Restart => "restart",
            Self::Interval => "interval",
            Self::Shapes => "shapes",
            Self::Compile => "compile",
            Self::Egress => "egress",
            Self::EgressUsd => "egress-usd",
            Self::Weeks => "weeks",
            Self::WeekUsd => "week-usd",
            Self::KwhUsd => "kwh-usd",
            Self::Pue => "pue",
            Self::Grid => "grid",
        }
    }

    /// The term with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|term| term.name() == name)
    }

    /// The least and the most that may be set.
    const fn range(self) -> (f64, f64) {
        match self {
            Self::Mtbf => (0.01, 1e9),
            Self::Save => (0.001, 1e6),
            Self::Restart => (0.0, 1e7),
            Self::Interval | Self::WeekUsd | Self::Shapes => (0.0, 1e6),
            Self::Compile => (0.0, 86_400.0),
            Self::Egress => (0.0, 1e9),
            Self::EgressUsd | Self::KwhUsd | Self::Grid => (0.0, 100.0),
            Self::Weeks => (0.0, 1e4),
            Self::Pue => (1.0, 10.0),
        }
    }

    /// What holds where nothing is set; `None` where that is not known or does not arise.
    #[must_use]
    pub fn usual(self) -> Option<f64> {
        match self {
            Self::Mtbf => run_inputs::CHIP_MTBF_HOURS.value,
            Self::Save => run_inputs::SAVE_SECONDS.value,
            Self::Restart => run_inputs::RESTART_SECONDS.value,
            Self::Compile => run_inputs::COMPILE_SECONDS.value,
            Self::Shapes => Some(1.0),
            Self::Interval | Self::Egress | Self::Weeks => Some(0.0),
            Self::EgressUsd => run_inputs::AWS_EGRESS.value.map(|tariff| tariff.usd_per_gb),
            Self::WeekUsd | Self::KwhUsd | Self::Pue | Self::Grid => None,
        }
    }
}

/// What is set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms([Option<f64>; Term::ALL.len()]);

impl Terms {
    /// Sets a term.
    ///
    /// # Errors
    /// What is allowed.
    pub fn set(&mut self, term: Term, text: &str) -> Result<(), String> {
        let (least, most) = term.range();
        let show = |value| significant(value, 7);
        let whole = term == Term::Shapes;
        let value = read(&text.replace('_', "")).filter(|value| (least..=most).contains(value));
        let value = value.filter(|value| !whole || value.fract() == 0.0).ok_or_else(|| {
            let kind = if whole { "whole numbers" } else { "numbers" };
            format!("{kind} from {} to {}", show(least), show(most))
        })?;
        if let Some(own) = self.0.get_mut(term as usize) {
            *own = Some(value);
        }
        Ok(())
    }

    /// The same from a name and a value as typed; `false` where the name is no term's.
    pub fn take(&mut self, name: &str, value: &str, wrong: &mut Vec<Wrong>) -> bool {
        let Some(term) = Term::by_name(name) else { return false };
        if let Err(allowed) = self.set(term, value.trim()) {
            wrong.push(Wrong::new(name, value, allowed));
        }
        true
    }

    /// The same for who stays where the program runs already.
    #[must_use]
    pub fn without_porting(mut self) -> Self {
        if let Some(weeks) = self.0.get_mut(Term::Weeks as usize) {
            *weeks = None;
        }
        self
    }

    /// What somebody set.
    #[must_use]
    pub fn own(&self, term: Term) -> Option<f64> {
        self.0.get(term as usize).copied().flatten()
    }

    /// What holds.
    #[must_use]
    pub fn value(&self, term: Term) -> Option<f64> {
        self.own(term).or_else(|| term.usual())
    }

    /// What holds, as [`Self::set`] reads it; nothing where it is not known.
    #[must_use]
    pub fn text(&self, term: Term) -> String {
        let (value, digits) = self.own(term).map_or((term.usual(), 5), |own| (Some(own), 9));
        value.map(|value| significant(value, digits)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_term_is_found_by_its_name_and_what_it_shows_can_be_set() {
        for (term, name) in Term::ALL.into_iter().zip(Term::NAMES) {
            assert_eq!(Term::by_name(name), Some(term));
            assert!(!crate::words::answer::name(name).is_empty() && crate::words::answer::name(name) != "other");
            let mut terms = Terms::default();
            let text = terms.text(term);
            if !text.is_empty() {
                assert_eq!(terms.set(term, &text), Ok(()), "{name} = {text}");
                assert_eq!(terms.text(term), text);
            }
        }
    }

    #[test]
    fn what_cannot_be_used_is_told_and_changes_nothing() {
        let (mut terms, mut wrong) = (Terms::default(), Vec::new());
        for (name, value) in [("pue", "0.9"), ("shapes", "1.5"), ("weeks", "-1"), ("grid", "nan"), ("mtbf", "")] {
            assert!(terms.take(name, value, &mut wrong));
        }
        assert!(!terms.take("zebra", "1", &mut wrong));
        assert_eq!(terms, Terms::default());
        let sentences: Vec<String> = wrong.iter().map(crate::words::answer::wrong).collect();
        assert_eq!(sentences[0], "pue = 0.9: allowed are numbers from 1 to 10.");
        assert_eq!(sentences[1], "shapes = 1.5: allowed are whole numbers from 0 to 1000000.");
        assert_eq!(sentences[4], "mtbf = nothing: allowed are numbers from 0.01 to 1e9.");
    }
}
