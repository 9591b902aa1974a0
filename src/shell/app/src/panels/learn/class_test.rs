//! Tests for before and after the course, which do not say if an answer is right.

use leptos::prelude::*;
use lesson::words;

use super::state::{Open, State};
use crate::ctx::text_from;

/// Returns the number of right answers of a test, and the number of its questions.
fn result(state: State, open: &Open) -> (usize, usize) {
    let asking = || (1..).zip(&open.lesson.cards).filter(|(_, card)| card.question.is_some());
    (asking().filter(|(nth, _)| state.is_right_at(&open.place(*nth).version_text())).count(), asking().count())
}

/// The message about a locked answer of a test, and the result after the last question.
#[component]
pub(super) fn Saved(state: State, open: Open) -> impl IntoView {
    let is_last = open.number == open.lesson.cards.len();
    let said = text_from(move || {
        if state.locked.with(Option::is_none) {
            return String::new();
        }
        let (n_right, n_questions) = result(state, &open);
        if is_last { words::test_result(n_right, n_questions) } else { words::SAVED.to_owned() }
    });
    view! { <p class="verdict" id="verdict" role="status">{said}</p> }
}
