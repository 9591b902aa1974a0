//! The text of a card: words, and numbers that are worked out when it is shown.

use crate::{Expression, Refusal, Scene};
use plain::OrEmpty;

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Words.
    Text {
        /// The words.
        text: String,
        /// Whether they are set bold.
        is_strong: bool,
        /// The byte of the lesson at which they begin.
        at: usize,
    },
    /// A number of the state.
    Value {
        /// What it comes to.
        value: Expression,
        /// Whether it is set bold.
        is_strong: bool,
        /// The byte of the lesson at which it begins.
        at: usize,
    },
    /// Something that is set as code.
    Code {
        /// It.
        text: String,
        /// The byte of the lesson at which it begins.
        at: usize,
    },
}

/// A paragraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paragraph {
    /// Its parts.
    pub pieces: Vec<Piece>,
}

impl Piece {
    /// Its text in a state.
    ///
    /// # Errors
    /// The state has no such value.
    pub fn shown(&self, scene: &Scene<'_>) -> Result<String, Refusal> {
        match self {
            Self::Text { text, .. } | Self::Code { text, .. } => Ok(text.clone()),
            Self::Value { value, .. } => value.value(scene).map(crate::Value::shown),
        }
    }

    /// Its text in a state; empty if the state has no such value, which no card of a lesson that was read lacks.
    #[must_use]
    pub fn text(&self, scene: &Scene<'_>) -> String {
        self.shown(scene).or_empty()
    }

    /// Whether it is set bold.
    #[must_use]
    pub const fn is_strong(&self) -> bool {
        matches!(self, Self::Text { is_strong: true, .. } | Self::Value { is_strong: true, .. })
    }

    /// The byte of the lesson at which it begins.
    #[must_use]
    pub const fn at(&self) -> usize {
        match self {
            Self::Text { at, .. } | Self::Value { at, .. } | Self::Code { at, .. } => *at,
        }
    }
}

impl Paragraph {
    /// Its text in a state.
    ///
    /// # Errors
    /// The state lacks one of its values.
    pub fn shown(&self, scene: &Scene<'_>) -> Result<String, Refusal> {
        self.pieces.iter().map(|piece| piece.shown(scene)).collect()
    }

    /// Its text in a state; empty if the state lacks a value, which the state of no card of a lesson that was read does.
    #[must_use]
    pub fn text(&self, scene: &Scene<'_>) -> String {
        self.shown(scene).or_empty()
    }

    /// How many words it has, each number being one.
    #[must_use]
    pub fn words(&self) -> usize {
        let parts = self.pieces.iter().map(|piece| match piece {
            Piece::Text { text, .. } | Piece::Code { text, .. } => text.as_str(),
            Piece::Value { .. } => "0",
        });
        let text: String = parts.collect();
        text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
    }

    /// The byte of the lesson at which it begins.
    #[must_use]
    pub fn at(&self) -> usize {
        self.pieces.first().map_or(0, Piece::at)
    }
}
