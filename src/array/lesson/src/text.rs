//! Text of a card: words, and numbers that are computed when the page shows the card.

use crate::{Expression, Refusal, Scene, Unit, Value};
use plain::OrEmpty;

/// Percent sign in the text of a card. A line never breaks between a number and this sign.
const PERCENT: &str = "\u{a0}%";

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Plain or bold words.
    Text {
        /// Words of the piece.
        text: String,
        /// True if the words are bold.
        is_strong: bool,
        /// Byte offset in the lesson.
        at: usize,
    },
    /// Number that is computed from the state.
    Value {
        /// Expression of the number.
        value: Expression,
        /// True if the number is bold.
        is_strong: bool,
        /// Byte offset in the lesson.
        at: usize,
    },
    /// Text in the style of code.
    Code {
        /// Text between the backticks.
        text: String,
        /// Byte offset in the lesson.
        at: usize,
    },
}

/// A paragraph of a card.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paragraph {
    /// Parts of the paragraph.
    pub pieces: Vec<Piece>,
}

impl Piece {
    /// Returns the text of the piece in a state.
    ///
    /// # Errors
    /// Fails if the expression has no value in this state.
    pub fn shown(&self, scene: &Scene<'_>) -> Result<String, Refusal> {
        match self {
            Self::Text { text, .. } | Self::Code { text, .. } => Ok(text.clone()),
            // A whole percentage that the author wrote has no decimal.
            Self::Value { value: Expression::Number(Value { number, unit: Unit::Share }), .. }
                if (number * 100.0 - (number * 100.0).round()).abs() < 1e-9 =>
            {
                Ok(display::number::fixed(number * 100.0, 0) + PERCENT)
            }
            Self::Value { value, .. } => value.value(scene).map(|value| value.shown().replace(" %", PERCENT)),
        }
    }

    /// Returns the text of the piece in a state, or an empty text if the expression has no value in this state. If
    /// [`Lesson::read`](crate::Lesson::read) accepted the lesson, every piece has a value in the state of its card.
    #[must_use]
    pub fn text(&self, scene: &Scene<'_>) -> String {
        self.shown(scene).or_empty()
    }

    /// True if the piece is bold.
    #[must_use]
    pub const fn is_strong(&self) -> bool {
        matches!(self, Self::Text { is_strong: true, .. } | Self::Value { is_strong: true, .. })
    }

    /// Byte offset of the piece in the lesson.
    #[must_use]
    pub const fn at(&self) -> usize {
        match self {
            Self::Text { at, .. } | Self::Value { at, .. } | Self::Code { at, .. } => *at,
        }
    }
}

impl Paragraph {
    /// Returns the text of the paragraph in a state.
    ///
    /// # Errors
    /// Fails if an expression has no value in this state.
    pub fn shown(&self, scene: &Scene<'_>) -> Result<String, Refusal> {
        self.pieces.iter().map(|piece| piece.shown(scene)).collect()
    }

    /// Returns the text of the paragraph in a state, or an empty text if an expression has no value in this state. If
    /// [`Lesson::read`](crate::Lesson::read) accepted the lesson, every expression has a value in the state of its
    /// card.
    #[must_use]
    pub fn text(&self, scene: &Scene<'_>) -> String {
        self.shown(scene).or_empty()
    }

    /// Number of words in the paragraph. Each computed number counts as one word.
    #[must_use]
    pub fn words(&self) -> usize {
        let parts = self.pieces.iter().map(|piece| match piece {
            Piece::Text { text, .. } | Piece::Code { text, .. } => text.as_str(),
            Piece::Value { .. } => "0",
        });
        let text: String = parts.collect();
        text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
    }

    /// Byte offset of the paragraph in the lesson.
    #[must_use]
    pub fn at(&self) -> usize {
        self.pieces.first().map_or(0, Piece::at)
    }
}
