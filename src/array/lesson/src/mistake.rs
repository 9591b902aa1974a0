//! Mistakes in a lesson: their positions, the wrong text, and the allowed text.

use studio::Problem;

use crate::{Position, Refusal};

/// A mistake in the text of a lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// Position of the mistake.
    pub at: Position,
    /// Kind of the mistake. [`words::mistake`](crate::words::mistake) writes the message.
    pub what: What,
}

/// Kind of a mistake in a lesson.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Markup that a lesson does not support.
    Markup,
    /// Block in the wrong place, such as text before the first card or a card without its key block.
    OutOfPlace,
    /// Unknown key, with the keys that the block may have.
    Key(String, &'static [&'static str]),
    /// Key that occurs twice in a block.
    Twice(String),
    /// Missing key.
    NoKey(&'static str),
    /// Value that is not in the list of allowed values.
    NotOneOf(String, &'static [&'static str]),
    /// Value that is not a whole number of at least 1.
    NoCount(String),
    /// Line without a colon in a key block.
    NoColon(String),
    /// State that is not a usable link, with the page's message about the link.
    State(String),
    /// Settings that cannot run.
    Problem(Box<Problem>),
    /// Unknown name in an expression.
    Name(String),
    /// Unexpected text in an expression. Empty if the expression ends too early.
    Sign(String),
    /// Expression without a value in the state, with the reason.
    NoValue(String, Refusal),
    /// Number in the text that is neither in braces nor a size of the array or of the matrices.
    Number(String),
    /// More words than this part of a card may have.
    TooManyWords {
        /// Number of words.
        n: usize,
        /// Maximum number of words.
        most: usize,
    },
    /// More highlighted parts than [`Lit::MOST`](crate::Lit::MOST).
    TooManyLit(usize),
    /// Question in a card that only explains, or card of another kind without its question or task. The text is the
    /// kind of the card.
    Kind(&'static str),
    /// Unusable answers, such as no right answer or two answers with equal values. The text is a keyword for the
    /// reason.
    Choices(&'static str),
    /// Wrong answer without a misconception.
    NoReason,
    /// Goal that the state already meets, solution that misses the goal, or claim that the state or the source does not
    /// support. The text is a keyword for the reason.
    Goal(&'static str),
    /// Second run of a card, although one of the card's two links has a built dataflow.
    Beside,
    /// Unusable part of the key `vary`: a keyword for the reason, and the part.
    Vary(&'static str, String),
    /// Number of cards outside [`Lesson::CARDS`](crate::Lesson::CARDS).
    Cards(usize),
}

/// Returns a mistake at a byte offset of a text.
pub(crate) fn wrong<T>(text: &str, at: usize, what: What) -> Result<T, Mistake> {
    Err(Mistake { at: Position::of(text, at), what })
}
