//! Versions of a card: the same question with other numbers.
//!
//! The core computes the question, the right answer and each known wrong answer from the state, so a version is a card
//! with another state. A version passes all checks of a written card.

use studio::LessonPlace;

use crate::draw::{Draw, hash};
use crate::judge::right_choice;
use crate::keys::Keys;
use crate::{Ask, Card, Choice, Expression, Lesson, Paragraph, Piece, Question, Scene, Value, check, vary};

/// Maximum number of draws for a version.
const DRAWS_MAX: u32 = 50;

/// Number of versions among which [`Card::version_unlike`] chooses.
const UNLIKE_MAX: u32 = 40;

/// Number of choices for which a version sets the place of the right number.
const PLACES: u64 = 3;

impl Lesson {
    /// Returns the lesson with each card in this version. A card that cannot vary stays as written. Version 0 is the
    /// lesson as written.
    #[must_use]
    pub fn version(&self, version: u32) -> Self {
        let card = |(card, nth): (&Card, usize)| {
            let place = LessonPlace { lesson: self.id.clone(), card: nth, version: 0, is_result: false };
            card.version(&place, version).unwrap_or_else(|| card.clone())
        };
        Self { cards: self.cards.iter().zip(1..).map(card).collect(), ..self.clone() }
    }
}

impl Card {
    /// True if the card has versions with other numbers.
    #[must_use]
    pub const fn can_vary(&self) -> bool {
        !self.vary.is_empty()
    }

    /// Returns a version of the card at this place. Version 0 is the card as written. A version never changes, unless
    /// the card or the core changes.
    ///
    /// If the reader chooses one of three numbers, the right number is the smallest, the middle or the largest number
    /// in turn. If no draw has this order, the version is the valid draw nearest to it.
    ///
    /// `None` if the card cannot vary, or if no draw is valid. A test checks that each card with the key `vary` has
    /// versions.
    #[must_use]
    pub fn version(&self, place: &LessonPlace, version: u32) -> Option<Self> {
        if version == 0 {
            return Some(self.clone());
        }
        if !self.can_vary() {
            return None;
        }
        let place = place.card_text();
        let wanted = (hash(&place) % PLACES + u64::from(version)) % PLACES;
        let mut draw = Draw::new(hash(&format!("{place} {version}")));
        let mut nearest: Option<(u64, Self)> = None;
        for _ in 0..DRAWS_MAX {
            let Some(card) = self.drawn(&mut draw) else { continue };
            let distance = card.place_of_right().map_or(0, |place| place.abs_diff(wanted));
            if nearest.as_ref().is_none_or(|(least, _)| distance < *least) && card.is_sound() {
                nearest = Some((distance, card));
            }
            if nearest.as_ref().is_some_and(|(least, _)| *least == 0) {
                break;
            }
        }
        nearest.map(|(_, card)| card)
    }

    /// Returns the version of this written card that is least like another version, `seen`, and the number of the
    /// returned version. This number is at least `first`. If possible, the right answer differs. As many numbers of the
    /// text and the question as possible also differ.
    ///
    /// `None` if no version asks another question.
    #[must_use]
    pub fn version_unlike(&self, place: &LessonPlace, first: u32, seen: &Self) -> Option<(u32, Self)> {
        let seen = seen.asked();
        let mut best: Option<((bool, usize), u32, Self)> = None;
        for version in first..first.saturating_add(UNLIKE_MAX) {
            let Some(card) = self.version(place, version) else { continue };
            let asked = card.asked();
            let n_equal = asked.numbers.iter().zip(&seen.numbers).filter(|(one, other)| one == other).count();
            let likeness = (asked.right == seen.right, n_equal);
            if asked != seen && best.as_ref().is_none_or(|(least, ..)| likeness < *least) {
                best = Some((likeness, version, card));
            }
            if likeness == (false, 0) {
                break;
            }
        }
        best.map(|(_, version, card)| (version, card))
    }

    /// Returns the right answer as text. `None` if the card has no question.
    #[must_use]
    pub fn right_text(&self) -> Option<String> {
        let (question, scene) = (self.question.as_ref()?, self.scene());
        Some(question.shown(&scene, &question.right(&scene).ok()?))
    }

    /// Returns the part of the card that a reader sees before the answer, and the right answer.
    fn asked(&self) -> Asked {
        let scene = self.scene();
        let task = self.question.as_ref().map(|question| &question.text);
        let task = task.or(self.change.as_ref().map(|change| &change.text));
        let paragraphs: Vec<&Paragraph> = self.text.iter().chain(task).collect();
        let pieces = paragraphs.iter().flat_map(|paragraph| &paragraph.pieces);
        let choices = self.question.iter().flat_map(Question::choices);
        Asked {
            right: self.right_text(),
            numbers: pieces
                .filter(|piece| matches!(piece, Piece::Value { value, .. } if !matches!(value, Expression::Number(_))))
                .map(|piece| piece.text(&scene))
                .collect(),
            texts: paragraphs
                .iter()
                .map(|paragraph| paragraph.text(&scene))
                .chain(choices.map(|choice| choice.text(&scene)))
                .collect(),
            // A task begins with the settings of the state.
            settings: self.change.as_ref().map(|_| self.state.to_parts().0),
        }
    }

    /// Draws the numbers of a version. `None` if they have no run, or if the run is the run of this card.
    fn drawn(&self, draw: &mut Draw) -> Option<Self> {
        let ((state, plan), beside) = vary::states(self, draw)?;
        if plan == self.plan && state.cycle == self.state.cycle {
            return None;
        }
        let mut card = Self { state, plan, beside, run: None, ..self.clone() };
        card.run = match &self.reveal {
            Some(reveal) => Some(card.reveal_at(reveal).ok()?),
            None => None,
        };
        Some(card)
    }

    /// True if the card passes the checks of a written card, and no two choices have equal texts.
    fn is_sound(&self) -> bool {
        check::card("", &Keys::none(), self).is_ok()
            && self.question.as_ref().is_none_or(|question| {
                let choices = question.choices();
                let texts: Vec<String> = choices.iter().map(|choice| choice.text(&self.scene())).collect();
                texts.iter().enumerate().all(|(nth, text)| !texts.iter().take(nth).any(|other| other == text))
            })
    }

    /// Returns the number of choices with a smaller number than the right choice. `None` unless the reader chooses one
    /// of three numbers.
    fn place_of_right(&self) -> Option<u64> {
        let Ask::Choose { choices, right } = &self.question.as_ref()?.ask else { return None };
        if !matches!(choices.as_slice(), [a, b, c] if a.is_shown && b.is_shown && c.is_shown) {
            return None;
        }
        let scene = self.scene();
        let number = |choice: &Choice| choice.value.value(&scene).ok().map(|value| value.number);
        let right = number(choices.get(right_choice(choices, right, &scene)?)?)?;
        Some(choices.iter().filter_map(number).filter(|number| *number < right).map(|_| 1).sum())
    }
}

/// A card as a reader sees it before the answer, with its right answer.
#[derive(PartialEq)]
struct Asked {
    right: Option<String>,
    numbers: Vec<String>,
    texts: Vec<String>,
    settings: Option<String>,
}

impl Choice {
    /// Returns the text of the choice: its value, if the page shows the value, and its label.
    #[must_use]
    pub fn text(&self, scene: &Scene<'_>) -> String {
        let value = self.value.value(scene).ok().filter(|_| self.is_shown).map(Value::shown);
        let parts = [value.unwrap_or_default(), self.label.text(scene)];
        parts.join(" ").trim().to_owned()
    }
}

impl Question {
    /// Returns the choices, or an empty list if the reader types the answer or presses PEs.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        match &self.ask {
            Ask::Choose { choices, .. } | Ask::Order(choices) => choices,
            _ => &[],
        }
    }
}
