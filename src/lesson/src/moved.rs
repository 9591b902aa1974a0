//! Cards of earlier courses: each has a place in the course of today, so that old links and stored progress stay valid.

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

/// Lessons of earlier courses, with the place of each of their cards.
const EARLIER: [(&str, &[&str]); 7] = [
    (
        "wave",
        &[
            "multiply.1",
            "multiply.2",
            "multiply.1",
            "multiply.3",
            "multiply.4",
            "multiply.5",
            "multiply.6",
            "to-mfu.1",
            "~multiply.7",
        ],
    ),
    (
        "waste",
        &[
            "multiply.5",
            "pe-cycles.2",
            "pe-cycles.3",
            "pe-cycles.4",
            "pe-cycles.5",
            "pe-cycles.6",
            "pe-cycles.7",
            "pe-cycles.8",
            "pe-cycles.9",
        ],
    ),
    (
        "dataflows",
        &[
            "dataflow.2",
            "dataflow.3",
            "dataflow.4",
            "why-array.4",
            "dataflow.5",
            "dataflow.6",
            "dataflow.8",
            "dataflow.9",
            "dataflow.7",
        ],
    ),
    (
        "folds",
        &["tiles.2", "tiles.3", "tiles.4", "tiles.5", "tiles.6", "tiles.7", "tiles.8", "~tiles.9", "~array-size.3"],
    ),
    (
        "formats",
        &[
            "rounding.2",
            "rounding.3",
            "rounding.4",
            "~rounding.2",
            "rounding.5",
            "~rounding.6",
            "rounding.7",
            "~to-mfu.7",
        ],
    ),
    (
        "mfu",
        &["to-mfu.3", "to-mfu.2", "to-mfu.4", "to-mfu.4", "to-mfu.5", "to-mfu.6", "to-mfu.7", "~layers.6", "to-mfu.8"],
    ),
    (
        "models",
        &[
            "~to-mfu.9",
            "to-mfu.9",
            "to-mfu.9",
            "~challenges-chip.4",
            "~challenges-chip.4",
            "~claims-scale.1",
            "~claims-scale.3",
            "~claims-scale.4",
            "~to-mfu.10",
        ],
    ),
];

/// Returns the places of all cards of earlier courses, with their earlier names.
pub fn all() -> impl Iterator<Item = (String, Moved)> {
    let of = |(lesson, cards): &'static (&str, &[&str])| {
        cards.iter().zip(1..).filter_map(move |(text, nth)| Some((format!("{lesson}.{nth}"), read(text)?)))
    };
    EARLIER.iter().flat_map(of)
}

/// Returns the place of a card of an earlier course. `None` if no earlier course had this card.
#[must_use]
pub fn moved(place: &LessonPlace) -> Option<Moved> {
    let (_, cards) = EARLIER.iter().find(|(lesson, _)| *lesson == place.lesson)?;
    read(cards.get(place.card.checked_sub(1)?)?)
}

/// Returns the place of a card today: the card that took the place of an earlier card, or the card itself.
#[must_use]
pub fn today(place: &LessonPlace) -> LessonPlace {
    match moved(place) {
        Some(Moved::Here(here)) => LessonPlace { is_result: place.is_result, ..here },
        Some(Moved::Near(_)) | None => place.clone(),
    }
}

fn read(text: &str) -> Option<Moved> {
    match text.strip_prefix(NEAR) {
        Some(near) => LessonPlace::parse(near).map(Moved::Near),
        None => LessonPlace::parse(text).map(Moved::Here),
    }
}
