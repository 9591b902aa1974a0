//! Answers to questions that a person types or pastes, without a network and without a language model.
//!
//! [`Index::ask`] returns at most five answers, best first. Two sources give answers:
//!
//! - Readers recognize what was typed or pasted: sizes of a matmul, a model on chips, a line of a log, an out-of-memory
//!   message, a configuration, two matrices, or a link. A reader answers with a run that has the asked numbers.
//! - A full-text search covers claims, lessons, the glossary, settings, chips, models, examples, keys and the book.
//!
//! The searched texts are in `public/ask.txt`, which a test of this crate generates.
//!
//! ```
//! use ask::{Index, Target};
//!
//! let index = Index::parse("term\t?#glossary-skew\tskew\tEach row of A starts one cycle later.\tdelay\n");
//! let Target::Link(link) = &index.ask("why skew?").found[0].target else { panic!("a link") };
//! assert_eq!(link, "?#glossary-skew");
//! let Target::Link(run) = &index.ask("128×128 array, K = 100, how much padding").found[0].target else { panic!("a run") };
//! assert!(run.starts_with("?rows=128&cols=128&m=128&k=100&n=128"));
//! ```

mod entry;
mod read;
mod search;
mod stem;
pub mod words;

pub use entry::Entry;

use search::Search;

/// Maximum number of answers.
pub const ANSWERS_MAX: usize = 5;
/// Maximum number of answers if nothing contains the words of the question.
const NEAREST_MAX: usize = 3;
/// Maximum number of bytes of a question that are read. A pasted matrix can be long.
pub const QUESTION_BYTES_MAX: usize = 1 << 20;
/// Maximum number of bytes of a question that are searched. A longer text is usually pasted, so only its start is
/// searched.
const SEARCHED_BYTES_MAX: usize = 600;
/// Minimum share of a question that an answer must contain. With a smaller share, the answer is only near.
const SHARE_MIN: f32 = 0.34;
/// Minimum share of a question that a worked question must contain to come before a run.
const CLOSE_MIN: f32 = 0.58;
/// Minimum number of rare words that an answer shares with the question. With fewer rare words, the answer may be only
/// near.
const RARE_MIN: usize = 2;

systolic::named! {
    /// The kind of an answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    exact pub enum Kind {
        /// A run of the array.
        Run => "run",
        /// An estimate of a model on chips.
        Model => "model",
        /// A claim that a card checks.
        Claim => "claim",
        /// A worked question of the book.
        Question => "question",
        /// A card of a lesson, or a challenge.
        Lesson => "lesson",
        /// An entry of the glossary.
        Term => "term",
        /// A setting or a link parameter.
        Setting => "setting",
        /// A chip.
        Chip => "chip",
        /// An example run.
        Example => "example",
        /// A key.
        Key => "key",
        /// A section of the book.
        Page => "page",
        /// A topic that the project does not model.
        Outside => "outside",
    }
}

/// The place that an answer opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A link query of the page, `?…`, with an optional fragment `#…`.
    Link(String),
    /// A path of a page of the book, relative to the page: `docs/limits.html#anchor`.
    Book(String),
    /// No place, because the project does not model the topic. [`Answer::says`] names a place that covers it.
    None,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The kind of the answer.
    pub kind: Kind,
    /// The title that a person recognizes.
    pub title: String,
    /// One sentence that answers the question; may be empty.
    pub says: String,
    /// The place that the answer opens.
    pub target: Target,
}

/// The answers to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// At most five answers, best first.
    pub found: Vec<Answer>,
    /// One sentence if the search found nothing, or if a part of the text was not read.
    pub note: Option<String>,
}

/// The searchable entries of the project: claims, lessons, terms, settings, chips, models, examples and the book.
#[derive(Clone, Debug, Default)]
pub struct Index {
    entries: Vec<Entry>,
    search: Search,
}

impl Index {
    /// Reads the text of `public/ask.txt`: one [`Entry`] per line. Ignores lines that it cannot read.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut index = Self::default();
        for entry in text.lines().filter_map(Entry::parse) {
            index.search.add(&entry.answer.title, &[&*entry.answer.says, &*entry.words].join(" "));
            index.entries.push(entry);
        }
        index
    }

    /// Answers a question, or a pasted text.
    #[must_use]
    pub fn ask(&self, question: &str) -> Answers {
        let read_to = floor(question, QUESTION_BYTES_MAX);
        let text = question.get(..read_to).unwrap_or_default().trim();
        if text.is_empty() {
            return Answers::default();
        }
        let mut read = read::read(self, text);
        let searched = text.get(..floor(text, SEARCHED_BYTES_MAX)).unwrap_or_default();
        let (mut searched_answers, is_found, is_close) = self.searched(searched);
        let mut answers = Answers::default();
        let is_read = !read.answers.is_empty();
        if let Some((says, is_hardware)) = words::outside::says(searched) {
            match read.answers.first_mut().filter(|_| read.is_certain) {
                Some(first) if is_hardware => first.says = format!("{says} {}", first.says),
                Some(_) => {}
                None => outside_first(&mut searched_answers, says, is_found && is_hardware),
            }
        }
        // A run or an estimate gives numbers, but no reason.
        let is_computed = |answer: &Answer| matches!(answer.kind, Kind::Run | Kind::Model | Kind::Chip);
        let asks_reason = is_close && read.answers.first().is_some_and(is_computed) && words::asks_reason(searched);
        let is_read_first = read.is_certain && !asks_reason || !is_found;
        // The answer of a reader is always one of the first two.
        let at = usize::from(!is_read_first).min(searched_answers.len());
        let mut all = searched_answers;
        all.splice(at..at, read.answers);
        for answer in all {
            if !answers.found.iter().any(|one| one.target == answer.target && one.target != Target::None) {
                answers.found.push(answer);
            }
        }
        answers.found.truncate(if is_read || is_found { ANSWERS_MAX } else { NEAREST_MAX });
        answers.note = match (is_read, is_found) {
            (false, false) => Some(words::nothing_found(text)),
            (false, true) if searched.len() < question.trim().len() => Some(words::searched_only(searched.len())),
            (true, _) if read_to < question.len() => Some(words::read_only(QUESTION_BYTES_MAX)),
            (true, _) if is_read_first => read.note,
            _ => None,
        };
        answers
    }

    /// Returns the entries with words of a text, best first. The first flag is true if one of the best entries answers
    /// the text. The second flag is true if the first entry is a worked question close to the text.
    fn searched(&self, text: &str) -> (Vec<Answer>, bool, bool) {
        let mut hits = self.search.find(text);
        let asks_for_term = words::asks_for_term(text);
        for hit in &mut hits {
            let Some(kind) = self.entries.get(hit.nth).map(|entry| entry.answer.kind) else { continue };
            hit.score *= priority(kind) * if asks_for_term && kind == Kind::Term { TERM_FIRST } else { 1.0 };
        }
        hits.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.nth.cmp(&other.nth)));
        let is_found = hits.iter().take(NEAREST_MAX).any(|hit| hit.share >= SHARE_MIN || hit.n_rare >= RARE_MIN);
        let is_close = hits.first().is_some_and(|hit| {
            hit.share >= CLOSE_MIN && self.entries.get(hit.nth).is_some_and(|one| one.answer.kind == Kind::Question)
        });
        let of = |nth: usize| self.entries.get(nth).map(|entry| entry.answer.clone());
        let mut found: Vec<Answer> = hits.iter().take(2 * ANSWERS_MAX).filter_map(|hit| of(hit.nth)).collect();
        if !is_found {
            // The first entries are the pages with which a person begins.
            found.extend((0..NEAREST_MAX).filter_map(of));
        }
        (found, is_found, is_close)
    }

    /// Returns the first entry of the search for a text that meets a condition.
    fn best(&self, text: &str, is_wanted: impl Fn(&Entry) -> bool) -> Option<&Entry> {
        let hits = self.search.find(text);
        hits.iter().filter_map(|hit| self.entries.get(hit.nth)).find(|entry| is_wanted(entry))
    }

    /// Entries of a kind, in the order of the file.
    fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.answer.kind == kind)
    }
}

/// States in the first answer that the page does not model the topic of a text. If no near answer exists, inserts a new
/// first answer with this statement.
fn outside_first(answers: &mut Vec<Answer>, says: String, is_near: bool) {
    match answers.first_mut() {
        Some(first) if first.kind == Kind::Outside || is_near && first.kind == Kind::Question => {
            first.says = format!("{says} {}", first.says);
        }
        _ => {
            let title = words::outside::TITLE.to_owned();
            let says = says + words::outside::NEAREST;
            answers.insert(0, Answer { kind: Kind::Outside, title, says, target: Target::None });
        }
    }
}

/// Factor of a term if the question asks for the meaning of a word.
const TERM_FIRST: f32 = 1.8;

/// Factor for the score of a kind of entries. Entries that answer a question come before entries that only contain its
/// words.
const fn priority(kind: Kind) -> f32 {
    match kind {
        Kind::Question => 1.25,
        Kind::Claim | Kind::Example | Kind::Model | Kind::Chip | Kind::Outside => 1.1,
        Kind::Run | Kind::Lesson | Kind::Term => 1.0,
        Kind::Key | Kind::Page => 0.9,
        Kind::Setting => 0.8,
    }
}

/// Largest byte position up to `most` at which a character of the text begins or the text ends.
fn floor(text: &str, most: usize) -> usize {
    let most = most.min(text.len());
    (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
