//! The texts of the lessons. Each text is fetched when a person opens its lesson.

use std::sync::Arc;

use leptos::prelude::*;
use lesson::{Lesson, course};

use crate::browser::text;
use crate::effects::lesson::follow_wanted;

/// State of loading a lesson.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Arrival {
    /// Lesson that is being fetched.
    Awaited,
    /// Lesson that did not arrive.
    Missing,
    /// Lesson that is loaded.
    There(Arc<Lesson>),
}

/// The lessons that were requested while the page is open.
#[derive(Clone, Copy)]
pub(super) struct Texts {
    all: RwSignal<Vec<(String, Arrival)>>,
}

impl Texts {
    /// Requests each wanted lesson once. Calls `there` when a lesson has arrived, before the lesson is shown.
    pub(super) fn new(wanted: Memo<Option<String>>, there: impl Fn() + 'static) -> Self {
        let texts = Self { all: RwSignal::new(Vec::new()) };
        text::follow(move |id, text| {
            // The text may belong to the search.
            if course::set(id).is_none() {
                return;
            }
            let lesson = Lesson::read(text).ok().filter(|lesson| lesson.id == id);
            there();
            texts.put(id, lesson.map_or(Arrival::Missing, |lesson| Arrival::There(Arc::new(lesson))));
        });
        follow_wanted(wanted, move |id| {
            if texts.all.with_untracked(|all| all.iter().all(|(of, _)| *of != id)) {
                texts.ask(&id);
            }
        });
        texts
    }

    /// Requests a lesson, even if an earlier request failed.
    pub(super) fn ask(self, id: &str) {
        if course::set(id).is_some() {
            self.put(id, Arrival::Awaited);
            text::ask(id);
        }
    }

    /// Returns the state of loading a lesson; `None` if no lesson has this id.
    pub(super) fn get(self, id: &str) -> Option<Arrival> {
        course::set(id)?;
        let arrival = self.all.with(|all| all.iter().find(|(of, _)| of == id).map(|(_, arrival)| arrival.clone()));
        Some(arrival.unwrap_or(Arrival::Awaited))
    }

    fn put(self, id: &str, arrival: Arrival) {
        // The page may no longer exist.
        let _ = self.all.try_update(|all| {
            all.retain(|(of, _)| of != id);
            all.push((id.to_owned(), arrival));
        });
    }
}
