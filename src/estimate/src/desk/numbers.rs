//! The numbers of a question: read by name, and told where they cannot be used.

use super::{Entry, cut, pairs, typed};
use display::number::significant;

/// A number that may be set.
pub(super) struct Number {
    pub(super) name: &'static str,
    /// What counts unless it is set.
    pub(super) usual: f64,
    least: f64,
    most: f64,
}

impl Number {
    pub(super) const fn new(name: &'static str, usual: f64, [least, most]: [f64; 2]) -> Self {
        Self { name, usual, least, most }
    }

    pub(super) fn entry(&self, text: &str) -> Entry {
        typed(text, self.name, &significant(self.usual, 5))
    }
}

/// What is set by name; what cannot be used is told and keeps its default.
pub(super) struct Numbers {
    given: Vec<(String, String)>,
    pub(super) wrong: Vec<(String, String)>,
}

impl Numbers {
    pub(super) fn read(text: &str) -> Self {
        Self { given: pairs(text), wrong: Vec::new() }
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(other, _)| other == name).map(|(_, value)| value.trim())
    }

    /// A number within its limits.
    pub(super) fn number(&mut self, number: &Number) -> f64 {
        let &Number { name, usual, least, most } = number;
        let Some(text) = self.text(name).map(str::to_owned) else { return usual };
        let value = display::number::read(&text.replace('_', "")).filter(|value| *value >= least && *value <= most);
        value.unwrap_or_else(|| {
            let show = |value| significant(value, 7);
            let sentence =
                format!("{name} = {}: allowed are numbers from {} to {}.", cut(&text), show(least), show(most));
            self.wrong.push((name.to_owned(), sentence));
            usual
        })
    }

    /// A whole number within its limits, which 32 bits hold.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and in range")]
    pub(super) fn whole(&mut self, number: &Number) -> u32 {
        let value = self.number(number);
        if value.fract() > 0.0 {
            let given = self.text(number.name).map(cut).unwrap_or_default();
            let sentence = format!("{} = {given}: allowed are whole numbers.", number.name);
            self.wrong.push((number.name.to_owned(), sentence));
            return number.usual as u32;
        }
        value as u32
    }

    /// One of a few names.
    pub(super) fn one_of(&mut self, name: &'static str, all: &[&'static str]) -> &'static str {
        let Some(text) = self.text(name).map(str::to_owned) else { return all[0] };
        all.iter().find(|one| **one == text).copied().unwrap_or_else(|| {
            let sentence = format!("{name} = {}: allowed is {}.", cut(&text), all.join(", "));
            self.wrong.push((name.to_owned(), sentence));
            all[0]
        })
    }
}
