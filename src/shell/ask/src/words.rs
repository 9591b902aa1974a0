//! The words of the answers.

pub(crate) mod config;
pub(crate) mod fact;
pub(crate) mod link;
pub(crate) mod log;
pub(crate) mod matrices;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod outside;
pub(crate) mod profile;
pub(crate) mod rates;
pub(crate) mod report;
pub(crate) mod run;

use crate::Kind;

/// Returns the word for a kind of answers.
#[must_use]
pub const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Run => "Run",
        Kind::Model => "Model",
        Kind::Claim => "Claim",
        Kind::Question => "Question",
        Kind::Lesson => "Lesson",
        Kind::Term => "Term",
        Kind::Setting => "Setting",
        Kind::Chip => "Chip",
        Kind::Example => "Example",
        Kind::Key => "Key",
        Kind::Page => "Book",
        Kind::Outside => "Outside",
    }
}

/// True if a word is in a list of words with spaces between them.
pub(crate) fn is_one_of(words: &str, word: &str) -> bool {
    !word.is_empty() && words.split(' ').any(|one| one == word)
}

/// Words of a question about a run or a model that change no setting.
const EXPECTED: &str = include_str!("../expected.txt");

/// True if a word of a question changes no setting of a run or a model.
pub(crate) fn is_expected(word: &str) -> bool {
    EXPECTED.lines().any(|words| is_one_of(words, word))
}

/// Converts a number of chips, cycles or elements to a float, for figures with a few digits.
#[expect(clippy::cast_precision_loss, reason = "figures have a few digits")]
pub(crate) const fn as_f64(number: u64) -> f64 {
    number as f64
}

/// Maximum number of words of a question about the meaning of a word.
const TERM_WORDS_MAX: usize = 6;

/// True if a question asks for the meaning of a word: "what is skew", "difference between MFU and HFU".
pub(crate) fn asks_for_term(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let starts = ["what is", "what are", "what's", "what does", "define", "meaning of", "difference between"];
    text.split_whitespace().count() <= TERM_WORDS_MAX && starts.iter().any(|start| text.starts_with(start))
}

/// Words of a question about a reason or a rule.
const REASON: &str = "why expected believable include includes fair comparing instead really right rules rule";

/// True if a question asks for a reason or a rule: "why does GEMV take as long", "is that expected".
pub(crate) fn asks_reason(text: &str) -> bool {
    // A text of several lines is a log.
    !text.contains('\n') && crate::stem::words(text).iter().any(|word| is_one_of(REASON, word))
}

/// Returns the note on a text whose words no entry contains.
pub(crate) fn nothing_found(text: &str) -> String {
    let text = plain::quote(text);
    format!(
        "Nothing found for {text} in claims, lessons, glossary, settings, chips, models, examples, keys and the book."
    )
}

/// Returns the note on a long text of which only the start is searched.
pub(crate) fn searched_only(bytes: usize) -> String {
    format!("This text was not recognized, so the search used its first {bytes} bytes.")
}

/// Returns the note on a text that is too long.
pub(crate) fn read_only(bytes: usize) -> String {
    format!("Only the first {} MiB of this text were read.", bytes >> 20)
}
