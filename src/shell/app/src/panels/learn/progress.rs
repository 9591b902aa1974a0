//! The list of cards that were answered or read.
//!
//! The page keeps this list as long as the page is open. If the page is not in a frame and the browser allows storage,
//! the browser also stores the list. The stored list stays until the person clears the list.

use std::collections::BTreeSet;

use leptos::prelude::*;
use lesson::{LessonPlace, course, moved};

use crate::browser::kept::Kept;

/// The cards that were answered or read, by their names.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    done: RwSignal<BTreeSet<String>>,
    /// True if the list is stored. An embed stores nothing.
    is_kept: bool,
}

impl Progress {
    /// Reads the stored list. Names of earlier cards become the names of today, and other unknown names are ignored. An
    /// embed begins with an empty list.
    pub(super) fn new(is_embedded: bool) -> Self {
        let today = |text: &str| {
            let place = moved::today(&LessonPlace::parse(text)?);
            (place.card <= course::n_cards(&place.lesson)).then(|| place.card_text())
        };
        let text = if is_embedded { String::new() } else { Kept::Cards.read() };
        let done = text.split(' ').filter_map(today).collect();
        Self { done: RwSignal::new(done), is_kept: !is_embedded }
    }

    /// Adds a card that was answered or read.
    pub(super) fn add(self, place: String) {
        if self.done.with_untracked(|done| !done.contains(&place)) {
            self.done.update(|done| _ = done.insert(place));
            self.keep();
        }
    }

    /// Removes all cards from the list.
    pub(super) fn clear(self) {
        self.done.set(BTreeSet::new());
        self.keep();
    }

    /// Returns the number of cards of a lesson that are in the list.
    pub(super) fn of(self, id: &str) -> usize {
        let is_of = |place: &&String| place.rsplit_once('.').is_some_and(|(lesson, _)| lesson == id);
        self.done.with(|done| done.iter().filter(is_of).count())
    }

    /// True if no card is in the list.
    pub(super) fn is_empty(self) -> bool {
        self.done.with(BTreeSet::is_empty)
    }

    /// True if a card is in the list.
    pub(super) fn has(self, id: &str, card: usize) -> bool {
        self.done.with(|done| done.contains(&format!("{id}.{card}")))
    }

    fn keep(self) {
        if self.is_kept {
            let all: Vec<String> = self.done.with_untracked(|done| done.iter().cloned().collect());
            Kept::Cards.write(&all.join(" "));
        }
    }
}
