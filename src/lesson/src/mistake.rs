//! A mistake in a lesson: where, what stood there, and what is allowed.

use studio::Problem;

use crate::{Position, Refusal};

/// A mistake in the text of a lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// Where it stands.
    pub at: Position,
    /// What is wrong; [`words::mistake`](crate::words::mistake) says it.
    pub what: What,
}

/// What can be wrong with a lesson.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Markup that a card has no place for.
    Markup,
    /// Text before the first card, or a card without its block.
    OutOfPlace,
    /// A key that the block does not have, with those that it has.
    Key(String, &'static [&'static str]),
    /// A key twice in a block.
    Twice(String),
    /// A key that the block must have.
    NoKey(&'static str),
    /// A value that is not one of these.
    NotOneOf(String, &'static [&'static str]),
    /// A value that is no whole number from 1 up.
    NoCount(String),
    /// A line of a block without a colon.
    NoColon(String),
    /// The state is no link that can be used as it stands, and what the page would say of it.
    State(String),
    /// Settings that cannot run.
    Problem(Box<Problem>),
    /// A name in an expression that nothing has.
    Name(String),
    /// A sign in an expression where there should be another, or its end.
    Sign(String),
    /// An expression that its state has no value for.
    NoValue(String, Refusal),
    /// A number in the text that no expression gives and that is no size of the state.
    Number(String),
    /// More words than a card or a sentence may have.
    TooManyWords {
        /// How many there are.
        n: usize,
        /// How many there may be.
        most: usize,
    },
    /// More parts lit than a look takes in.
    TooManyLit(usize),
    /// A card of this kind has no such key or part, or must have it.
    Kind(&'static str),
    /// A question without a choice that is right, or with two of the same value.
    Choices(&'static str),
    /// A wrong answer without the misconception behind it.
    NoReason,
    /// The state already meets the goal, or what is said to meet it does not.
    Goal(&'static str),
    /// The number of cards.
    Cards(usize),
}
