//! Help that a card gives when a reader repeats it: worked, half worked, or none.

use crate::{Answer, Ask, Card, LessonPlace, Paragraph, Question, Reason};

/// Distance from the version of a card to the first possible version of its example.
const EXAMPLE: u32 = 10_000;

systolic::named! {
    /// Help of a repeated card.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Help {
        /// The card shows an example: another version with its right answer and the reason.
        Worked => "worked",
        /// The card strikes out a wrong choice, or shows a misconception.
        Half => "half",
        /// The card only asks.
        Alone => "alone",
    }
}

/// The part of an answer that a card shows before the reader answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown<'a> {
    /// The right answer, and the conclusion of the card.
    Right {
        /// The right answer.
        answer: Answer,
        /// Conclusion of the card.
        why: &'a [Paragraph],
    },
    /// A wrong choice that is struck out.
    Struck {
        /// Index of the wrong choice.
        choice: usize,
        /// Misconception behind the choice.
        reason: &'a Reason,
    },
    /// A misconception that leads to a wrong answer. The reader gives the answer without choices.
    Thought(&'a Reason),
    /// Nothing.
    Nothing,
}

impl Help {
    /// Returns the help for a repetition of a card. Repetitions are counted from 1: the first is worked, the second is
    /// half worked, and a later one only asks.
    #[must_use]
    pub const fn of_repetition(nth: u32) -> Self {
        match nth {
            0 | 1 => Self::Worked,
            2 => Self::Half,
            _ => Self::Alone,
        }
    }
}

impl Card {
    /// Returns the part of the answer that the card shows with this help. A card without a question shows nothing. A
    /// question without a known wrong answer, such as a claim, shows no misconception.
    #[must_use]
    pub fn shown(&self, help: Help) -> Shown<'_> {
        let (Some(question), scene) = (&self.question, self.scene()) else { return Shown::Nothing };
        let shown = match help {
            Help::Worked => question.right(&scene).ok().map(|answer| Shown::Right { answer, why: &self.why }),
            Help::Half => question.trap(),
            Help::Alone => None,
        };
        shown.unwrap_or(Shown::Nothing)
    }

    /// Returns an example for `asked`, which is a version of this written card at its place. The example is a version
    /// with another right answer. `None` if there is no such version.
    #[must_use]
    pub fn example(&self, place: &LessonPlace, asked: &Self) -> Option<Self> {
        let (_, example) = self.version_unlike(place, place.version.checked_add(EXAMPLE)?, asked)?;
        (example.right_text() != asked.right_text()).then_some(example)
    }
}

impl Question {
    /// Returns the first known wrong choice with its misconception, or the first misconception.
    fn trap(&self) -> Option<Shown<'_>> {
        if let Ask::Choose { choices, .. } = &self.ask {
            let mut reasons = choices.iter().enumerate().map(|(choice, one)| Some((choice, one.reason.as_ref()?)));
            return reasons.find_map(|trap| trap).map(|(choice, reason)| Shown::Struck { choice, reason });
        }
        self.named.first().map(|named| Shown::Thought(&named.reason))
    }
}
