//! The desk: questions about models, sequences and long runs, each a handful of entries in one parameter of a link, with
//! figures that open and tables for an answer.

mod chip;
mod failures;
mod lengths;
mod model;
mod numbers;
mod own;

use std::borrow::Cow;

use crate::Given;
use crate::words::answer as words;
use display::figure::{Citation, Figure};

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The name in a link.
    pub name: &'static str,
    /// The name on screen.
    pub label: &'static str,
    /// What may be chosen, with names; empty where it is typed.
    pub choices: Vec<(Cow<'static, str>, String)>,
    /// What is set.
    pub text: String,
    /// What holds where nothing is set.
    pub hint: String,
    /// What a slider passes through, in ascending order; empty where there is none.
    pub steps: &'static [u32],
    /// What a text that is no number counts as: the chips of a slice.
    pub counts: Option<u32>,
}

impl Entry {
    /// Whether it sets a value of the chip instead of the published one.
    #[must_use]
    pub fn is_of_the_chip(&self) -> bool {
        self.name.starts_with(own::PREFIX)
    }

    /// Where a slider stands: at the last step that is not beyond what is set.
    #[must_use]
    pub fn step(&self) -> usize {
        let set = display::number::read(&self.text.replace('_', ""));
        let set = set.or(self.counts.map(f64::from)).unwrap_or(0.0);
        self.steps.iter().filter(|step| f64::from(**step) <= set).count().saturating_sub(1)
    }
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

/// A bill: a table that adds up, and lines that open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bill {
    /// What it is of.
    pub title: String,
    /// The lines and their sum.
    pub table: Table,
    /// Where each comes from.
    pub lines: Vec<Figure>,
    /// The same run on another chip beside it.
    pub beside: Option<Table>,
}

/// A plot with the same in words and numbers beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The plot.
    pub plot: display::plot::Plot,
    /// Of each numbered dot a line and its source.
    pub dots: Vec<(String, Citation)>,
    /// The plot as a table; of none where the dots have their lines.
    pub table: Option<Table>,
    /// What is to be known of it, a sentence each.
    pub notes: Vec<String>,
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
    /// What it costs, line by line.
    pub bill: Option<Bill>,
    /// Entries that cannot be used: the name and a sentence.
    pub wrong: Vec<(String, String)>,
    /// Why there is no more, and what belongs to no entry.
    pub refused: Vec<String>,
}

impl Question {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Model, Self::Lengths, Self::Failures];

    /// The parameter of a link that holds its entries.
    #[must_use]
    pub const fn parameter(self) -> &'static str {
        match self {
            Self::Model => "ask",
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

    /// The entry that belongs to the terms of a bill and not to the question itself.
    #[must_use]
    pub fn is_term(self, name: &str) -> bool {
        self == Self::Model && crate::Term::by_name(name).is_some()
    }

    /// The entry that says what a plot shows and not what is asked.
    #[must_use]
    pub fn is_of_plot(self, name: &str) -> bool {
        self == Self::Model && name == model::AXIS
    }

    /// Plots of the answer. They are apart from it, for they take longer than all the rest.
    #[must_use]
    pub fn drawings(self, text: &str, file: Option<&Given>) -> Vec<Drawing> {
        match self {
            Self::Model => model::drawings(text, file),
            Self::Lengths | Self::Failures => Vec::new(),
        }
    }

    /// The answer; a model may be given by a file.
    #[must_use]
    pub fn answer(self, text: &str, file: Option<&Given>) -> Answer {
        self.answer_in_part(text, file, &|_| true)
    }

    /// The answer with the rows of those tables whose title is wanted; of others it may have the title alone.
    #[must_use]
    pub fn answer_in_part(self, text: &str, file: Option<&Given>, wanted: &dyn Fn(&str) -> bool) -> Answer {
        let answer = match self {
            Self::Model => model::answer(text, file, wanted),
            Self::Lengths => lengths::answer(text),
            Self::Failures => failures::answer(text),
        };
        let title = if answer.title.is_empty() { words::NO_ANSWER.to_owned() } else { answer.title };
        // Beside its entry a sentence calls it as the entry does; a link's own word for it is not on the page.
        let as_shown = |(name, sentence): (String, String)| {
            let sentence = match sentence.split_once(" = ") {
                Some((_, rest)) => format!("{} = {rest}", words::name(&name)),
                None => sentence,
            };
            (name, sentence)
        };
        let wrong = answer.wrong.into_iter().map(as_shown).collect();
        Answer { title, wrong, ..answer }
    }
}

/// The answer about a model as JSON, or sentences on why there is none.
///
/// # Errors
/// Those sentences.
pub fn json(text: &str, file: Option<&Given>) -> Result<String, Vec<String>> {
    model::json(text, file)
}

/// What a parameter's text sets in one entry, if it does.
#[must_use]
pub fn value(text: &str, name: &str) -> Option<String> {
    form_urlencoded::parse(text.as_bytes()).find(|(other, _)| other == name).map(|(_, value)| value.into_owned())
}

/// Whether a question sets values of its chip, or asks of a chip that has none but these.
#[must_use]
pub fn sets_the_chip(text: &str) -> bool {
    value(text, "own").is_some() || value(text, "chip").as_deref() == Some(perfmodel::Chip::BLANK)
}

/// The text of a parameter with one entry set anew; an empty value takes it out.
#[must_use]
pub fn with(text: &str, name: &str, value: &str) -> String {
    if let Some(piece) = name.strip_prefix(own::PREFIX) {
        return own::set(text, piece, value);
    }
    // A listed price is one of a chip: another chip begins with its own.
    let goes = |other: &str| other == name || (name == "chip" && other == "price");
    let others = pairs(text).into_iter().filter(|(other, _)| !goes(other));
    let own = (!value.is_empty()).then(|| (name.to_owned(), value.to_owned()));
    form_urlencoded::Serializer::new(String::new()).extend_pairs(others.chain(own)).finish()
}

fn pairs(text: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

fn cut(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// An entry that is typed.
fn typed(text: &str, name: &'static str, usual: &str) -> Entry {
    let label = crate::words::answer::name(name);
    Entry { name, label, text: value(text, name).unwrap_or_else(|| usual.to_owned()), ..Entry::default() }
}

/// An entry that is chosen.
fn chosen(text: &str, name: &'static str, choices: Vec<(&'static str, String)>) -> Entry {
    let usual = choices.first().map_or("", |(id, _)| id);
    let entry = typed(text, name, usual);
    Entry { choices: choices.into_iter().map(|(id, name)| (id.into(), name)).collect(), ..entry }
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
        assert_eq!([value(&text, "chips"), value(&text, "batch")], [Some("16".to_owned()), None]);
        assert_eq!(with(&with(&text, "seq", ""), "chips", ""), "");
    }

    #[test]
    fn a_value_of_the_chip_is_set_in_its_own_entry_and_its_peak_is_that_of_the_format() {
        let set = |text: &str, name: &str| {
            let entries = Question::Model.entries(text);
            entries.into_iter().find(|entry| entry.name == name).map(|entry| (entry.text, entry.hint))
        };
        let text = with(&with("dtype=int8", "own-hbm", "1200"), "own-peak", "400");
        assert_eq!(value(&text, "own").as_deref(), Some("hbm.1200_peak-int8.400"));
        // v5e: 819 GB/s, 393 TOPS in int8 and 197 TFLOPS in bf16.
        assert_eq!(set(&text, "own-hbm"), Some(("1200".to_owned(), "819".to_owned())));
        assert_eq!(set(&text, "own-peak"), Some(("400".to_owned(), "393".to_owned())));
        assert_eq!(set(&with(&text, "dtype", "bf16"), "own-peak"), Some((String::new(), "197".to_owned())));
        assert_eq!(set("chip=own", "own-clock"), Some((String::new(), "unknown".to_owned())));
        assert_eq!(with("own=hbm.1200", "own-hbm", ""), "");
        // What cannot be used is told beside its entry, and stays as it was typed.
        let answer = Question::Model.answer(&with("", "own-peak", "many"), None);
        assert_eq!(answer.wrong.len(), 1);
        assert_eq!(answer.wrong[0].0, "own-peak");
        assert!(
            answer.wrong[0]
                .1
                .starts_with("peak in that format, 10¹² operations per second = many: allowed are numbers "),
            "{}",
            answer.wrong[0].1
        );
        let strange = Question::Model.answer("own=speed.9&zebra=1", None);
        assert!(strange.refused.iter().any(|one| one.starts_with("own-speed")), "{:?}", strange.refused);
    }

    #[test]
    fn a_chip_of_which_too_little_is_known_is_answered_as_far_as_it_goes() {
        let value_of = |answer: &Answer, id: &str| {
            answer.figures.iter().find(|figure| figure.id == id).map(|figure| figure.value.clone()).unwrap_or_default()
        };
        let answer = Question::Model.answer("chip=own&own=peak-bf16.200_rows.128_cols.128_arrays.4_clock.1526", None);
        assert!(answer.refused[0].starts_with("The chip's memory bandwidth is unknown"), "{:?}", answer.refused);
        assert_eq!(value_of(&answer, "mfu"), "unknown");
        // 2 · 65 536 · 1526 MHz = 200.0 TFLOPS.
        assert_eq!(value_of(&answer, "peak-identity"), "closes");
        // 16 bytes for each of 7.5 G weights over 64 chips.
        assert_eq!(value_of(&answer, "weights-per-chip"), "1.88 GB");
        assert_eq!(answer.title, "LLaMA 3 8B on 64 × your chip");
        let more = Question::Model.answer("own=peak-bf16.250", None);
        assert!(more.refused.is_empty() && value_of(&more, "mfu").ends_with('%'));
        assert_eq!(value_of(&more, "peak-identity"), "does not close");
        assert_eq!(more.title, "LLaMA 3 8B on 64 × TPU v5e with your values");
    }

    #[test]
    fn the_price_is_chosen_among_those_of_the_chip() {
        let prices = |text: &str| {
            let mut entries = Question::Model.entries(text).into_iter();
            entries.find(|entry| entry.name == "price").map(|entry| (entry.text, entry.choices)).expect("an entry")
        };
        let (set, choices) = prices("chip=tpu-v5e");
        assert_eq!((set.as_str(), choices.len()), ("", 4));
        assert_eq!(choices[0].1, "$1.20: on demand, us-central1, 2025-26");
        assert_eq!(choices[1].0, "spot.us-central1.2025-26");
        assert_eq!(prices("chip=tpu-v5e&price=spot").0, "spot.us-central1.2025-26");
        assert_eq!(prices("chip=tpu-7x").1[0].1, "no price of it is known");
        assert_eq!(prices("own=price.0.8").1[0].1, "$0.80: yours");
        // Another chip begins with its own price.
        assert_eq!(with("price=spot&chip=tpu-v5e", "chip", "tpu-v6e"), "chip=tpu-v6e");
    }

    #[test]
    fn a_slider_stands_at_the_last_step_that_is_not_beyond_what_is_set() {
        let entry = |text: &str| {
            let mut entries = Question::Model.entries(text).into_iter();
            entries.find(|entry| entry.name == "seq").expect("an entry")
        };
        let at = |text: &str| entry(text).steps[entry(text).step()];
        assert_eq!((at(""), at("seq=2600"), at("seq=1"), at("seq=many")), (2048, 2560, 128, 128));
        for entry in Question::Model.entries("") {
            assert!(entry.steps.is_sorted_by(|a, b| a < b), "{}", entry.name);
            for step in entry.steps {
                let answer = Question::Model.answer(&with("", entry.name, &step.to_string()), None);
                assert!(answer.wrong.is_empty(), "{} {step}", entry.name);
            }
        }
    }

    #[test]
    fn a_part_of_an_answer_has_the_tables_that_are_wanted_and_the_titles_of_all() {
        let whole = Question::Model.answer("", None);
        let titles = |answer: &Answer| answer.tables.iter().map(|table| table.title).collect::<Vec<_>>();
        let wanted = crate::words::answer::SCALING;
        let part = Question::Model.answer_in_part("", None, &|title| title == wanted);
        assert_eq!((titles(&part), &part.figures), (titles(&whole), &whole.figures));
        for (part, whole) in part.tables.iter().zip(&whole.tables) {
            assert!(if part.title == wanted { part == whole } else { part.rows.is_empty() }, "{}", part.title);
        }
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
                // Whatever is answered can be saved.
                let is_saved = json(&text, None).is_ok();
                prop_assert!(is_saved || !Question::Model.answer(&text, None).refused.is_empty(), "{text}");
                for question in Question::ALL {
                    for file in [None, Some(&crate::given(&file))] {
                        let answer = question.answer(&text, file);
                        let sentences = answer.wrong.iter().map(|(_, sentence)| sentence).chain(&answer.refused);
                        for sentence in sentences {
                            prop_assert!(sentence.ends_with('.'), "{sentence}");
                        }
                        for one in question.drawings(&text, file) {
                            let svg = one.plot.svg(330.0);
                            prop_assert!(!svg.contains("NaN") && !svg.contains('∞'), "{text}: {svg}");
                        }
                    }
                }
                Ok(())
            })
            .expect("total");
    }
}
