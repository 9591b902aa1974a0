//! Cards to do again: a missed card returns after growing gaps, with other numbers and with less help each time.
//!
//! The caller passes each day as a number, such as the number of days since 1970, because this crate has no clock.

use std::collections::BTreeMap;

use studio::LessonPlace;

use crate::course::{self, Set};
use crate::draw::Draw;
use crate::{Help, moved};

/// Gaps before the repetitions of a missed card, in days. After the last repetition, the card leaves the list.
pub const GAPS_DAYS: [u32; 5] = [1, 3, 7, 14, 30];

/// Number of versions from which [`mixed`] draws.
const VERSIONS: u64 = 999;

/// First line of a file of cards to do again: the name of the format and its version.
pub const HEAD: &str = "to-do-again 1";

/// Cards that a reader missed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Again {
    /// Missed cards by their names, such as `multiply.4`.
    missed: BTreeMap<String, Missed>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Missed {
    /// Day of the next repetition.
    day: u32,
    /// Index of the present gap in [`GAPS_DAYS`].
    gap: usize,
    /// Number of the version before the next repetition's version. 0 if this version is the card as written.
    seen: u32,
}

/// A card to do again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// Place of the card.
    pub place: LessonPlace,
    /// Version of the card. 0 if the card cannot vary.
    pub version: u32,
    /// Help that the card gives.
    pub help: Help,
}

/// Reason why a text is not a file of cards to do again. [`words::not_again`](crate::words::not_again) writes the
/// message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAgain {
    /// First line that is not [`HEAD`], cut if long.
    Head(String),
    /// Line that does not have a card and three numbers, or line with a card that an earlier line has.
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// Text of the line, cut if long.
        given: String,
    },
}

impl Again {
    /// Adds a card that the reader missed on this day. The card returns in the version `next` after the first gap, even
    /// if the reader has repeated the card before.
    pub fn miss(&mut self, place: &LessonPlace, next: u32, today: u32) {
        let day = today.saturating_add(GAPS_DAYS[0]);
        self.missed.insert(place.card_text(), Missed { day, gap: 0, seen: next.saturating_sub(1) });
    }

    /// Moves a card to its next gap, in the version `next`, after the reader answered the card right on this day. After
    /// the last gap, the card leaves the list. A card that is not due keeps its day.
    pub fn pass(&mut self, place: &LessonPlace, next: u32, today: u32) {
        let name = place.card_text();
        let Some(missed) = self.missed.get_mut(&name) else { return };
        missed.seen = next.saturating_sub(1);
        if missed.day > today {
            return;
        }
        missed.gap += 1;
        match GAPS_DAYS.get(missed.gap) {
            Some(days) => missed.day = today.saturating_add(*days),
            None => _ = self.missed.remove(&name),
        }
    }

    /// Returns the version in which a card returns. `None` if the card is not in the list.
    #[must_use]
    pub fn next_version(&self, place: &LessonPlace) -> Option<u32> {
        self.missed.get(&place.card_text()).map(|missed| missed.seen.saturating_add(1))
    }

    /// Returns the first version of a card that the reader has not seen. The list and the place of an open card give
    /// the versions that the reader has seen.
    #[must_use]
    pub fn unseen(&self, place: &LessonPlace) -> u32 {
        self.next_version(place).unwrap_or(1).max(place.version.saturating_add(1))
    }

    /// Returns the cards that are due on this day, the longest waiting first.
    #[must_use]
    pub fn due(&self, today: u32) -> Vec<Due> {
        let mut due: Vec<(&String, &Missed)> = self.missed.iter().filter(|(_, missed)| missed.day <= today).collect();
        due.sort_by_key(|(_, missed)| missed.day);
        let one = |(name, missed): (&String, &Missed)| {
            let place = LessonPlace::parse(name)?;
            let can_vary = course::entry(&place.lesson).is_some_and(|entry| entry.can_vary(place.card));
            let version = if can_vary { missed.seen.saturating_add(1) } else { 0 };
            let help = Help::of_repetition(u32::try_from(missed.gap + 1).ok()?);
            Some(Due { place, version, help })
        };
        due.into_iter().filter_map(one).collect()
    }

    /// Returns the first day on which a card is due. `None` if the list is empty.
    #[must_use]
    pub fn next_day(&self) -> Option<u32> {
        self.missed.values().map(|missed| missed.day).min()
    }

    /// Number of cards in the list.
    #[must_use]
    pub fn n_cards(&self) -> usize {
        self.missed.len()
    }

    /// Returns the text that [`parse`](Self::parse) reads. The first line is [`HEAD`]. Each card then has a line: its
    /// name, its next day, its gap in days, and the number before its next version.
    #[must_use]
    pub fn to_text(&self) -> String {
        let line = |(name, missed): (&String, &Missed)| {
            let days = GAPS_DAYS.get(missed.gap).copied().unwrap_or(GAPS_DAYS[0]);
            format!("{name} {} {days} {}\n", missed.day, missed.seen)
        };
        format!("{HEAD}\n{}", self.missed.iter().map(line).collect::<String>())
    }

    /// Reads a stored text or an exported file. Cards of earlier courses get their places in the present course, and
    /// cards that no longer exist are left out.
    ///
    /// # Errors
    /// Fails at the first line that is not as [`to_text`](Self::to_text) writes it.
    pub fn parse(text: &str) -> Result<Self, NotAgain> {
        let mut lines = text.lines().map(str::trim_end).zip(1..);
        let first = lines.next().map_or("", |(line, _)| line);
        if first != HEAD {
            return Err(NotAgain::Head(plain::cut(first)));
        }
        let mut again = Self::default();
        for (line, nth) in lines.filter(|(line, _)| !line.is_empty()) {
            let wrong = || NotAgain::Line { line: nth, given: plain::cut(line) };
            let (place, missed) = missed(line).ok_or_else(wrong)?;
            let place = moved::today(&place);
            if place.card > course::n_cards(&place.lesson) {
                continue;
            }
            if again.missed.insert(place.card_text(), missed).is_some() {
                return Err(wrong());
            }
        }
        Ok(again)
    }
}

/// Reads a line: `multiply.4 20787 3 2`.
fn missed(line: &str) -> Option<(LessonPlace, Missed)> {
    let [name, day, days, seen] = *line.split(' ').collect::<Vec<_>>() else { return None };
    let place = LessonPlace::parse(name).filter(|place| place.card_text() == name)?;
    let days: u32 = days.parse().ok()?;
    let gap = GAPS_DAYS.iter().position(|gap| *gap == days)?;
    Some((place, Missed { day: day.parse().ok()?, gap, seen: seen.parse().ok()? }))
}

/// Returns `count` cards of all lessons in random order, each with its version. Only cards that ask and can vary are
/// drawn. No card comes twice before all cards came once. A seed always gives the same cards.
#[must_use]
pub fn mixed(seed: u64, count: usize) -> Vec<(LessonPlace, u32)> {
    let place =
        |lesson: &str, card: usize| LessonPlace { lesson: lesson.to_owned(), card, version: 0, is_result: false };
    let mut all: Vec<LessonPlace> = course::of_set(Set::Course)
        .flat_map(|entry| (1..=entry.n_cards).filter(|&card| entry.can_vary(card)).map(|card| place(entry.id, card)))
        .collect();
    let mut draw = Draw::new(seed);
    let mut drawn = Vec::new();
    while drawn.len() < count && !all.is_empty() {
        // This is the shuffle of Fisher and Yates.
        for last in (1..all.len()).rev() {
            all.swap(last, draw.index(last + 1));
        }
        let left = count - drawn.len();
        drawn.extend(all.iter().take(left).map(|place| (place.clone(), draw.version())));
    }
    drawn
}

impl Draw {
    /// Draws an index of a list of `n` entries.
    fn index(&mut self, n: usize) -> usize {
        // A list of cards is far shorter than 2³².
        usize::try_from(self.below(n as u64)).unwrap_or(0)
    }

    /// Draws a version of a card.
    fn version(&mut self) -> u32 {
        u32::try_from(self.below(VERSIONS) + 1).unwrap_or(1)
    }
}
