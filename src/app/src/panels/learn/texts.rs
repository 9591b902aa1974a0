//! The texts of the lessons, which arrive one by one, when somebody opens them.

use std::sync::Arc;

use leptos::prelude::*;
use lesson::{Lesson, course};

use crate::browser::lesson_text;
use crate::effects::lesson::{follow_text, follow_wanted};

/// How far a lesson has come.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Arrival {
    /// It is being fetched.
    Awaited,
    /// It did not arrive.
    Missing,
    /// It can be read.
    There(Arc<Lesson>),
}

/// The lessons that were asked for while the page is open.
#[derive(Clone, Copy)]
pub(super) struct Texts {
    all: RwSignal<Vec<(String, Arrival)>>,
}

impl Texts {
    /// Asks for each lesson that is wanted, once; `there` is called when one has arrived, before it is shown.
    pub(super) fn new(wanted: Memo<Option<String>>, there: impl Fn() + 'static) -> Self {
        let texts = Self { all: RwSignal::new(Vec::new()) };
        follow_text(move |id, text| {
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

    /// Asks for a lesson, once more where it did not arrive.
    pub(super) fn ask(self, id: &str) {
        if course::set(id).is_some() {
            self.put(id, Arrival::Awaited);
            lesson_text::ask(id);
        }
    }

    /// How far a lesson has come; none where there is no such lesson.
    pub(super) fn get(self, id: &str) -> Option<Arrival> {
        course::set(id)?;
        let arrival = self.all.with(|all| all.iter().find(|(of, _)| of == id).map(|(_, arrival)| arrival.clone()));
        Some(arrival.unwrap_or(Arrival::Awaited))
    }

    fn put(self, id: &str, arrival: Arrival) {
        // The page may be gone.
        let _ = self.all.try_update(|all| {
            all.retain(|(of, _)| of != id);
            all.push((id.to_owned(), arrival));
        });
    }
}
