//! Patterns that prose must not have, each with a rule for the writer.

use super::text::Sentence;

/// Function that finds a pattern in a sentence, with the rule that the message states.
pub(super) type Pattern = (fn(&Sentence) -> bool, &'static str);

/// Maximum number of words in a sentence. Writers aim at 25 words.
const WORDS_MAX: usize = 30;

pub(super) const PATTERNS: [Pattern; 10] = [
    (is_dated, "use plain words: again, anyone who, fixes, more expensive, always"),
    (is_no, "write `is not a`, not `is no`"),
    (has_of_its_own, "write `has its own`, not `of its own`"),
    (stands, "say what it does or where it is, not that it stands there"),
    (is_told, "name who tells, says or hears"),
    (
        is_private,
        "use the field's word: input, side panel, projector, fault-free, fault, element, matmul, FLOP per byte",
    ),
    (holds, "a test checks or compares; it holds nothing"),
    (is_of, "repeat the noun, or write `has`: not `that is of`"),
    (is_long, "cut the sentence: 25 words is the aim, 30 the limit"),
    (begins_late, "begin with the actor or the noun, not with What, Whether, How or The same"),
];

/// Returns the words of a sentence in lower case, without punctuation at their ends.
fn plain(sentence: &Sentence) -> Vec<String> {
    let trimmed = |word: &String| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase();
    sentence.words.iter().map(trimmed).collect()
}

/// True if consecutive words of the sentence match `row`, which lists the allowed words for each position.
fn has(sentence: &Sentence, row: &[&[&str]]) -> bool {
    let words = plain(sentence);
    words.windows(row.len()).any(|found| found.iter().zip(row).all(|(word, allowed)| allowed.contains(&word.as_str())))
}

fn is_dated(sentence: &Sentence) -> bool {
    has(sentence, &[&["anew", "whoever", "mend", "mends", "dearer", "lest", "thereby"]])
        || has(sentence, &[&["for"], &["ever"]])
        || has(sentence, &[&["nobody"], &["minds"]])
}

fn is_no(sentence: &Sentence) -> bool {
    let words = plain(sentence);
    (0..words.len()).any(|at| {
        let before = at.checked_sub(1).map_or("", |before| words[before].as_str());
        let next = words.get(at + 2).map_or("", String::as_str);
        ["is", "are", "was", "were"].contains(&words[at].as_str())
            && words.get(at + 1).is_some_and(|word| word == "no")
            && !["there", "it"].contains(&before)
            && !["", "longer", "more", "less", "better", "such"].contains(&next)
            && next.starts_with(|sign: char| sign.is_ascii_lowercase())
    })
}

fn has_of_its_own(sentence: &Sentence) -> bool {
    let whose = ["its", "their", "one's", "one’s", "your", "our"];
    has(sentence, &[&["of"], &whose, &["own"]])
        || has(sentence, &[&["one's", "one’s"], &["own"]])
        || has(sentence, &[&["of"], &["ours"]])
}

fn stands(sentence: &Sentence) -> bool {
    let places = ["in", "on", "at", "beside", "over", "under", "there", "here", "around", "where", "with", "twice"];
    has(sentence, &[&["stands", "stood"], &places]) || has(sentence, &[&["is"], &["to"], &["stand"]])
}

fn is_told(sentence: &Sentence) -> bool {
    let words = plain(sentence);
    let begins = words.first().is_some_and(|word| word == "said")
        && words.get(1).is_some_and(|word| ["of", "in", "to", "when", "with", "beside", "by"].contains(&word.as_str()));
    begins
        || has(sentence, &[&["is", "are", "was", "were", "be"], &["told", "said", "heard"]])
        || has(sentence, &[&["often"], &["told", "heard", "written"]])
}

fn is_private(sentence: &Sentence) -> bool {
    has(sentence, &[&["hall", "door", "doors"]])
        || has(sentence, &[&["the"], &["sides", "rail", "desk"]])
        || has(sentence, &[&["sound", "broken"], &["machine", "machines", "run", "runs", "array", "arrays"]])
        || sentence.words.windows(2).any(|row| row[0] == "of" && ["A", "B", "C"].contains(&row[1].as_str()))
            && has(sentence, &[&["number", "numbers"], &["of"], &["a", "b", "c"]])
        || has(sentence, &[&["large"], &["product", "products"]])
        || has(sentence, &[&["flop", "flops"], &["for"], &["each"], &["byte"]])
}

fn holds(sentence: &Sentence) -> bool {
    has(sentence, &[&["test", "tests"], &["hold", "holds"], &["it", "that", "them", "each", "the"]])
        || has(sentence, &[&["held"], &["to", "against"]])
        || has(sentence, &[&["held"], &["by"], &["a"], &["test"]])
}

fn is_of(sentence: &Sentence) -> bool {
    has(sentence, &[&["that"], &["is", "are"], &["of"]])
}

/// True for a sentence with too many words. Names such as `h100-sxm`, in a list of the values of a field, do not count.
fn is_long(sentence: &Sentence) -> bool {
    let is_name = |word: &str| word.contains(|c: char| c.is_ascii_digit()) && word.ends_with(',');
    let is_word = |word: &&String| word.chars().any(char::is_alphanumeric) && !is_name(word);
    sentence.words.iter().filter(is_word).count() > WORDS_MAX
}

/// True for a statement that begins with a clause instead of a noun. Questions and titles with "How to" are allowed.
fn begins_late(sentence: &Sentence) -> bool {
    let row: Vec<&str> = sentence.words.iter().take(2).map(String::as_str).collect();
    let is_late = matches!(row[..], ["What" | "Whether", ..] | ["The", "same"])
        || row.first() == Some(&"How") && row.get(1) != Some(&"to");
    is_late && sentence.words.last().is_some_and(|word| word.ends_with(['.', ':', ';']))
}
