//! The glossary: every technical term of the page, with one sentence.

mod entries;

pub use entries::ENTRIES;
use studio::GLOSSARY;

/// An entry of the glossary: a term and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Id of the entry, which follows `#glossary-` in the address of the entry.
    pub id: &'static str,
    /// Term as the page writes it. Commas separate several terms.
    pub term: &'static str,
    /// Small drawing of the term, as rows of characters with `/` between the rows:
    ///
    /// - `o` is a PE, `#` a PE at work, `.` a waiting PE, `d` a finished PE, `x` an unused PE
    /// - `z` is a PE that multiplies a zero
    /// - `a`, `b`, `s` and `c` are numbers in the shapes of the array view
    /// - `A`, `B` and `S` are PEs that contain such a number
    /// - `>` and `v` are arrows, `|` is a register
    /// - `*` and `_` are parts of a bar
    /// - `g`, `e` and `f` are bits of sign, exponent and fraction
    ///
    /// Any other character is drawn as text. A text that begins with `@` is the name of a drawing.
    pub drawing: &'static str,
    /// Meaning of the term, in at most 30 words.
    pub sentence: &'static str,
}

/// Heading of the glossary.
pub const TITLE: &str = "Glossary";

/// Returns the entry with an id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.id == id)
}

/// Returns the entry of a word that is a label or a menu entry on the page; `None` if the word is not a term.
#[must_use]
pub fn of_word(word: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.term.split(", ").any(|term| is_same(term, word)))
}

/// True if the word `word` is the term `term`. The case of letters matters only for a term in capitals: "IS" is a
/// dataflow, but "is" is not.
fn is_same(term: &str, word: &str) -> bool {
    let is_name = term.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_name { term == word } else { term.eq_ignore_ascii_case(word) }
}

/// Label of the link from an entry to the glossary.
pub const MORE: &str = "All words";

/// Terms that [`marked`] skips, because they have another meaning inside a sentence.
const ONLY_ALONE: [&str; 7] = ["rows", "cols", "values", "full", "Fit", "chip", "multiple of"];

/// Returns the length of a term at the beginning of a text, including a plural s. `None` if the text does not begin
/// with the whole term, or if the term must not be marked.
fn length_of(term: &str, text: &str) -> Option<usize> {
    let is_word = term.len() > 1 && term.bytes().all(|byte| byte.is_ascii_alphabetic() || b"- ".contains(&byte));
    if !is_word || ONLY_ALONE.contains(&term) || !is_same(term, text.get(..term.len())?) {
        return None;
    }
    let rest = text.get(term.len()..)?;
    let is_end = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-');
    if is_end(rest) {
        return Some(term.len());
    }
    rest.strip_prefix('s').filter(|rest| is_end(rest)).map(|_| term.len() + 1)
}

/// Splits a text into pieces. The first occurrence of a glossary term is a piece with the term's entry; all other
/// pieces have `None`.
#[must_use]
pub fn marked(text: &str) -> Vec<(&str, Option<&'static Entry>)> {
    let mut stretches = Vec::new();
    let mut found: Vec<&str> = Vec::new();
    let (mut from, mut is_start) = (0, true);
    for (at, sign) in text.char_indices() {
        let rest = text.get(at..).unwrap_or("");
        let longest = |entry: &'static Entry| {
            Some((entry.term.split(", ").filter_map(|term| length_of(term, rest)).max()?, entry))
        };
        let word = if at < from || !is_start {
            None
        } else {
            ENTRIES.iter().filter_map(longest).max_by_key(|(length, _)| *length)
        };
        is_start = !(sign.is_alphanumeric() || sign == '-');
        let Some((length, entry)) = word.filter(|(_, entry)| !found.contains(&entry.id)) else { continue };
        found.push(entry.id);
        let before = text.get(from..at).unwrap_or("");
        stretches.extend((!before.is_empty()).then_some((before, None)));
        stretches.push((rest.get(..length).unwrap_or(""), Some(entry)));
        from = at + length;
    }
    let rest = text.get(from..).unwrap_or("");
    stretches.extend((!rest.is_empty()).then_some((rest, None)));
    stretches
}

/// Returns the id of an entry's element on the page, which follows `#` in the address of the entry.
#[must_use]
pub fn place(entry: &Entry) -> String {
    format!("{GLOSSARY}-{}", entry.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{busy, caption, label};
    use std::collections::BTreeSet;
    use studio::{Field, FillKind, Link, PaddingKind, word_address};
    use systolic::{Dataflow, Dtype, Slot};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_entry_is_one_short_sentence_or_two_with_a_place_of_its_own() {
        let ids: BTreeSet<&str> = ENTRIES.iter().map(|entry| entry.id).collect();
        assert_eq!(ids.len(), ENTRIES.len());
        let terms: Vec<&str> = ENTRIES.iter().flat_map(|entry| entry.term.split(", ")).collect();
        assert!(terms.len() >= 46, "{}", terms.len());
        for Entry { id, term, drawing, sentence } in &ENTRIES {
            assert!(!drawing.is_empty() && drawing.chars().count() < 24, "{id}: {drawing:?}");
            let n_words = sentence.split_whitespace().count();
            assert!((5..=30).contains(&n_words) && sentence.ends_with('.'), "{id}: {n_words} words");
            assert!(!term.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{id}");
        }
    }

    #[test]
    fn every_label_of_the_settings_and_the_accounts_is_explained() {
        let fields = Field::ALL.map(label::field).into_iter();
        let words = fields.chain(Slot::ALL.map(busy::class)).chain(Dataflow::ALL.map(label::dataflow));
        let words = words.chain(Dataflow::ALL.map(label::stays)).chain(PaddingKind::ALL.map(label::padding));
        let words = words.chain(Dtype::ALL.map(Dtype::id)).chain([label::STAYS, label::PADDING]);
        let kinds = [label::fill(FillKind::Small), label::fill(FillKind::Uniform)];
        for word in words.chain(kinds) {
            assert!(of_word(word).is_some(), "{word} is not in the glossary");
        }
    }

    #[test]
    fn the_words_of_a_sentence_are_found_once_and_as_whole_words() {
        let found = |text: &'static str| {
            let stretches = marked(text);
            let whole: String = stretches.iter().map(|(text, _)| *text).collect();
            assert_eq!(whole, text);
            let ids = stretches.into_iter().filter_map(|(word, entry)| Some((word, entry?.id)));
            ids.collect::<Vec<_>>()
        };
        assert_eq!(
            found("16 PEs × 16 cycles = 256 PE-cycles: 72 useful, 64 padding, 48 loading."),
            [
                ("PEs", "pe"),
                ("cycles", "cycle"),
                ("PE-cycles", "pe-slots"),
                ("useful", "useful"),
                ("padding", "padding"),
                ("loading", "load")
            ]
        );
        assert_eq!(found("N = 13 is not a multiple of 8 columns: the last fold uses only 5."), [("fold", "fold")]);
        assert_eq!(found("Folding, foldings; a fold. Folds"), [("fold", "fold")]);
        assert_eq!(found("Weights stay. The weight moves."), [("Weights", "weight")]);
        assert_eq!(found("−40 + (−2) × (−7) = −26 …"), []);
    }

    #[test]
    fn every_caption_has_words_that_open() {
        let plan = studio::Plan::default();
        for cycle in 0..16 {
            let said = caption::caption(&plan, systolic::Cycle(cycle), None);
            let text = said.headline + ". " + &said.sentence;
            assert!(marked(&text).iter().any(|(_, entry)| entry.is_some()), "{cycle}: {text}");
        }
    }

    #[test]
    fn an_entry_has_an_address_that_changes_nothing_else() {
        for entry in &ENTRIES {
            let fragment = format!("#{}", place(entry));
            assert_eq!(word_address(&fragment), Some(place(entry)));
            for query in ["", "rows=8&t=3"] {
                assert_eq!(Link::parse(query, &fragment), Link::parse(query, ""), "{query}{fragment}");
            }
        }
        assert_eq!(word_address("#glossary"), Some("glossary".to_owned()));
        for other in ["", "#", "#a=1,2;3,4", "#glossary-a=1", "#glossaryfold", "#a=1&glossary-fold"] {
            assert_eq!(word_address(other), None, "{other}");
        }
    }
}
