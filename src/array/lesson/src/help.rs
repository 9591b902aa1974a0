//! Help that a card gives when a reader repeats it: worked, half worked, or none.

use crate::{Answer, Ask, Card, Paragraph, Question, Reason, Scene};

systolic::named! {
    /// Help of a repeated card.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Help {
        /// The card shows its right answer and the reason.
        Worked => "worked",
        /// The card strikes out a wrong answer, and shows the misconception behind it.
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
    /// A wrong answer that is struck out.
    Struck {
        /// The wrong answer.
        answer: Answer,
        /// Misconception behind the answer.
        reason: &'a Reason,
    },
    /// Nothing.
    Nothing,
}

impl Help {
    /// Returns the help of a repetition of a card, counted from 1: the first is worked, the second is half worked, and
    /// from the third on, the card only asks.
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
    /// question without a known wrong answer, such as a claim, strikes out nothing.
    #[must_use]
    pub fn shown(&self, help: Help) -> Shown<'_> {
        let (Some(question), scene) = (&self.question, self.scene()) else { return Shown::Nothing };
        let shown = match help {
            Help::Worked => question.right(&scene).ok().map(|answer| Shown::Right { answer, why: &self.why }),
            Help::Half => question.trap(&scene).map(|(answer, reason)| Shown::Struck { answer, reason }),
            Help::Alone => None,
        };
        shown.unwrap_or(Shown::Nothing)
    }
}

impl Question {
    /// Returns the first known wrong answer, and the misconception behind it.
    fn trap(&self, scene: &Scene<'_>) -> Option<(Answer, &Reason)> {
        if let Ask::Choose { choices, .. } = &self.ask {
            let mut reasons = choices.iter().enumerate().map(|(index, choice)| Some((index, choice.reason.as_ref()?)));
            return reasons.find_map(|trap| trap).map(|(index, reason)| (Answer::Choice(index), reason));
        }
        let named = self.named.first()?;
        Some((self.answer_of(&named.value, scene).ok()?, &named.reason))
    }
}
