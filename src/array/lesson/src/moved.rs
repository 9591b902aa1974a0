//! Cards and claims of earlier courses: each has a place in the present course, so that old links and stored progress
//! stay valid.

use studio::LessonPlace;

/// The place of an earlier card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The card that took its place.
    Here(LessonPlace),
    /// The nearest card. The earlier card is no longer in the course.
    Near(LessonPlace),
}

/// Mark before the place of the nearest card.
const NEAR: char = '~';

/// Lessons and claims of earlier courses, one per line, with the place of each of their cards.
const EARLIER: &str = include_str!("../../../../course/moved.txt");

/// Returns the earlier lessons, each with the places of its cards.
fn earlier() -> impl Iterator<Item = (&'static str, core::str::Split<'static, char>)> {
    EARLIER.lines().filter_map(|line| line.split_once(": ")).map(|(lesson, places)| (lesson, places.split(' ')))
}

/// Returns the places of all cards of earlier courses, with their earlier names.
pub fn all() -> impl Iterator<Item = (String, Moved)> {
    earlier().flat_map(|(lesson, cards)| {
        cards.zip(1..).filter_map(move |(text, nth)| Some((format!("{lesson}.{nth}"), read(text)?)))
    })
}

/// Returns the place of a card of an earlier course. `None` if no earlier course had this card.
#[must_use]
pub fn moved(place: &LessonPlace) -> Option<Moved> {
    let (_, mut cards) = earlier().find(|(lesson, _)| *lesson == place.lesson)?;
    read(cards.nth(place.card.checked_sub(1)?)?)
}

/// Returns the place of a card today: the card that took the place of an earlier card, or the card itself.
#[must_use]
pub fn today(place: &LessonPlace) -> LessonPlace {
    match moved(place) {
        Some(Moved::Here(here)) => LessonPlace { version: place.version, is_result: place.is_result, ..here },
        Some(Moved::Near(_)) | None => place.clone(),
    }
}

fn read(text: &str) -> Option<Moved> {
    match text.strip_prefix(NEAR) {
        Some(near) => LessonPlace::parse(near).map(Moved::Near),
        None => LessonPlace::parse(text).map(Moved::Here),
    }
}
