//! Answers to questions that a person types or pastes.
//!
//! [`Index::ask`] returns at most five answers, best first. Each answer opens a run, an estimate or a page of the book.

pub mod words;

/// The searchable entries of the project: claims, lessons, terms, settings, chips, models, examples and the book.
#[derive(Clone, Debug, Default)]
pub struct Index;

/// The answers to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// At most five answers, best first.
    pub found: Vec<Answer>,
    /// One sentence if the search found nothing, or if it read a text only in part.
    pub note: Option<String>,
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

/// The place that an answer opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A link query of the page, `?…`, with an optional fragment `#…`.
    Link(String),
    /// A path of a page of the book, relative to the page: `docs/limits.html#anchor`.
    Book(String),
    /// No place: the project does not model this, and [`Answer::says`] names where it is answered.
    None,
}

/// The kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A run of the array.
    Run,
    /// An estimate of a model on chips.
    Model,
    /// A claim that a card checks.
    Claim,
    /// A worked question of the book.
    Question,
    /// A card of a lesson, or a challenge.
    Lesson,
    /// An entry of the glossary.
    Term,
    /// A setting or a link parameter.
    Setting,
    /// A chip.
    Chip,
    /// An example run.
    Example,
    /// A key.
    Key,
    /// A section of the book.
    Page,
    /// A topic that the project does not model.
    Outside,
}

impl Index {
    /// Reads the text of `public/ask.txt`. Ignores lines that it cannot read.
    #[must_use]
    pub fn parse(_text: &str) -> Self {
        Self
    }

    /// Answers a question, or a pasted text.
    #[must_use]
    pub fn ask(&self, _question: &str) -> Answers {
        Answers::default()
    }
}
