//! The desk: questions about models, sequences and long runs, each a handful of entries in one parameter of a link, with
//! figures that open and tables for an answer.

mod chip;
mod failures;
mod lengths;
mod model;

use crate::estimate::Given;
use crate::panel::Figure;

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// What a model takes on chips.
    Model,
    /// What padding and compiling cost for sequences of many lengths.
    Lengths,
    /// What failures cost, and the whole bill.
    Failures,
}

/// Something that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name in a link.
    pub name: &'static str,
    /// The name on screen.
    pub label: &'static str,
    /// What may be chosen, with names; empty where it is typed.
    pub choices: Vec<(&'static str, String)>,
    /// What is set.
    pub text: String,
}

/// A table of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it is of.
    pub title: &'static str,
    /// Names of the columns.
    pub heads: Vec<&'static str>,
    /// Rows; those that are marked stand out.
    pub rows: Vec<(bool, Vec<String>)>,
}

/// Steps of a run in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// What they are, in words.
    pub words: String,
    /// Height from 0 to 1, and whether it is marked.
    pub bars: Vec<(f64, bool)>,
}

/// An answer, or as much of one as there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// What it is the answer for.
    pub title: String,
    /// Figures that open.
    pub figures: Vec<Figure>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Steps, where there are some to be drawn.
    pub bars: Option<Bars>,
    /// Entries that cannot be used: the name and a sentence.
    pub wrong: Vec<(String, String)>,
    /// Why there is no more.
    pub refused: Vec<String>,
}

impl Question {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Model, Self::Lengths, Self::Failures];

    /// The parameter of a link that holds its entries.
    #[must_use]
    pub const fn parameter(self) -> &'static str {
        match self {
            Self::Model => crate::estimate::PARAMETER,
            Self::Lengths => "lengths",
            Self::Failures => "failures",
        }
    }

    /// What is asked for, as it is set.
    #[must_use]
    pub fn entries(self, text: &str) -> Vec<Entry> {
        match self {
            Self::Model => model::entries(text),
            Self::Lengths => lengths::entries(text),
            Self::Failures => failures::entries(text),
        }
    }

    /// The answer; a model may be given by what a file holds.
    #[must_use]
    pub fn answer(self, text: &str, file: Option<&Given>) -> Answer {
        let answer = match self {
            Self::Model => model::answer(text, file),
            Self::Lengths => lengths::answer(text),
            Self::Failures => failures::answer(text),
        };
        let title = if answer.title.is_empty() { crate::words::estimate::NO_ANSWER.to_owned() } else { answer.title };
        Answer { title, ..answer }
    }
}

/// The text of a parameter with one entry set anew; an empty value takes it out.
#[must_use]
pub fn with(text: &str, name: &str, value: &str) -> String {
    let others = pairs(text).into_iter().filter(|(other, _)| other != name);
    let own = (!value.is_empty()).then(|| (name.to_owned(), value.to_owned()));
    form_urlencoded::Serializer::new(String::new()).extend_pairs(others.chain(own)).finish()
}

fn pairs(text: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

/// Numbers by name, with what is allowed; what cannot be used is told and keeps its default.
struct Numbers {
    given: Vec<(String, String)>,
    wrong: Vec<(String, String)>,
}

impl Numbers {
    fn read(text: &str) -> Self {
        Self { given: pairs(text), wrong: Vec::new() }
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(other, _)| other == name).map(|(_, value)| value.trim())
    }

    /// A number from `least` to `most`.
    fn number(&mut self, name: &'static str, usual: f64, (least, most): (f64, f64)) -> f64 {
        let Some(text) = self.text(name).map(str::to_owned) else { return usual };
        let value = crate::number::read(&text.replace('_', "")).filter(|value| *value >= least && *value <= most);
        value.unwrap_or_else(|| {
            let show = |value| crate::number::significant(value, 7);
            let sentence =
                format!("{name} = {}: allowed are numbers from {} to {}.", cut(&text), show(least), show(most));
            self.wrong.push((name.to_owned(), sentence));
            usual
        })
    }

    /// A whole number from `least` to `most`.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and in range")]
    fn whole(&mut self, name: &'static str, usual: u32, (least, most): (u32, u32)) -> u32 {
        let value = self.number(name, usual.into(), (least.into(), most.into()));
        if value.fract() > 0.0 {
            let given = self.text(name).map(cut).unwrap_or_default();
            self.wrong.push((name.to_owned(), format!("{name} = {given}: allowed are whole numbers.")));
            return usual;
        }
        value as u32
    }

    /// One of a few names.
    fn one_of(&mut self, name: &'static str, all: &[&'static str]) -> &'static str {
        let Some(text) = self.text(name).map(str::to_owned) else { return all[0] };
        all.iter().find(|one| **one == text).copied().unwrap_or_else(|| {
            let sentence = format!("{name} = {}: allowed is {}.", cut(&text), all.join(", "));
            self.wrong.push((name.to_owned(), sentence));
            all[0]
        })
    }
}

fn cut(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// An entry that is typed.
fn typed(text: &str, name: &'static str, usual: &str) -> Entry {
    let set = pairs(text).into_iter().find(|(other, _)| other == name).map(|(_, value)| value);
    let label = crate::words::estimate::name(name);
    Entry { name, label, choices: Vec::new(), text: set.unwrap_or_else(|| usual.to_owned()) }
}

/// An entry that is chosen.
fn chosen(text: &str, name: &'static str, choices: Vec<(&'static str, String)>) -> Entry {
    let usual = choices.first().map_or("", |(id, _)| id);
    Entry { choices, ..typed(text, name, usual) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_question_is_answered_as_it_stands() {
        for question in Question::ALL {
            let answer = question.answer("", None);
            assert!(answer.wrong.is_empty() && answer.refused.is_empty(), "{question:?}: {answer:?}");
            assert!(!answer.figures.is_empty() && !answer.tables.is_empty(), "{question:?}");
            for entry in question.entries("") {
                assert!(!entry.label.is_empty() && entry.label != "other", "{question:?} {}", entry.name);
                // What stands in an entry can be set again.
                let again = question.answer(&with("", entry.name, &entry.text), None);
                assert!(again.wrong.is_empty(), "{question:?} {}: {:?}", entry.name, again.wrong);
            }
        }
    }

    #[test]
    fn an_entry_is_set_and_taken_out_again() {
        let text = with(&with("chips=8", "seq", "4096"), "chips", "16");
        assert_eq!(pairs(&text).len(), 2);
        assert_eq!(with(&with(&text, "seq", ""), "chips", ""), "");
    }

    #[test]
    fn nothing_that_is_typed_stops_the_desk() {
        let config = proptest::test_runner::Config { cases: 120, failure_persistence: None, ..Default::default() };
        let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[5; 32]);
        let value = prop_oneof!["[0-9]{1,9}", "[ -~]{0,12}", "[0-9]{1,3}\\.[0-9]e[0-9]{1,3}", Just("0".to_owned())];
        let names: Vec<&'static str> =
            Question::ALL.iter().flat_map(|one| one.entries("")).map(|entry| entry.name).collect();
        let entry = (prop::sample::select(names), value);
        proptest::test_runner::TestRunner::new_with_rng(config, rng)
            .run(&(prop::collection::vec(entry, 0..6), prop::collection::vec(any::<u8>(), 0..60)), |(set, file)| {
                let text = set.iter().fold(String::new(), |text, (name, value)| with(&text, name, value));
                for question in Question::ALL {
                    for file in [None, Some(&crate::estimate::given(&file))] {
                        let answer = question.answer(&text, file);
                        let sentences = answer.wrong.iter().map(|(_, sentence)| sentence).chain(&answer.refused);
                        for sentence in sentences {
                            prop_assert!(sentence.ends_with('.'), "{sentence}");
                        }
                    }
                }
                Ok(())
            })
            .expect("total");
    }
}
