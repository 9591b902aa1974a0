//! The list of all lessons with a person's progress, and the messages that replace a card.

use leptos::prelude::*;
use lesson::course::{self, Set};
use lesson::{LessonPlace, words};

use super::state::{Shown, State};
use super::texts::Arrival;
use crate::browser::focus;
use crate::ctx::text_from;
use crate::effects::keys;
use crate::part_state::FIRST_CARD;

/// The list of all lessons, with a button that begins each lesson.
#[component]
pub(super) fn Lessons(state: State, here: String) -> impl IntoView {
    let lesson = |id: &'static str| {
        let begin = move |_| {
            keys::close_help(false);
            state.go(format!("{id}.1"));
        };
        let current = (here == id).then_some("true");
        let done = text_from(move || match state.progress.of(id) {
            0 => String::new(),
            done => words::cards_done(done, course::n_cards(id)),
        });
        view! {
            <li>
                <button type="button" aria-current=current on:click=begin>
                    {course::title(id)} " " <small>{done}</small>
                </button>
            </li>
        }
    };
    let set = |set: Set| {
        let lessons = course::ids_of_set(set).map(lesson).collect_view();
        view! {
            <h3>{words::set(set)}</h3>
            <ol>{lessons}</ol>
        }
    };
    let sets = Set::ALL.into_iter().map(set).collect_view();
    let clear = move |_| {
        state.progress.clear();
        focus::focus("all-lessons");
    };
    view! {
        <details class="help lessons" name="help">
            <summary id="all-lessons">{words::ALL_LESSONS}</summary>
            <div class="sheet">
                {sets}
                <p class="hint" hidden=move || state.progress.is_empty()>
                    <button id="clear-progress" type="button" on:click=clear>{words::CLEAR}</button>
                    " "
                    {words::KEPT}
                </p>
            </div>
        </details>
    }
}

/// The message about a lesson that is loading or did not arrive.
#[component]
pub(super) fn Waiting(state: State, id: String) -> impl IntoView {
    let of = id.clone();
    let is_missing = Memo::new(move |_| state.texts.get(&of) == Some(Arrival::Missing));
    let again = id.clone();
    let try_again = move |_| {
        focus::focus("card-title");
        state.texts.ask(&again);
    };
    view! {
        <div class="card-say">
            <div class="card-top">
                <span></span>
                <Lessons state here=id.clone() />
            </div>
            <h2 id="card-title" tabindex="-1">{course::title(&id)}</h2>
            <p role="status" id="lesson-said">{move || words::waiting(is_missing.get())}</p>
            <p hidden=move || !is_missing.get()>
                <button id="try-lesson" type="button" on:click=try_again>{words::TRY_AGAIN}</button>
            </p>
        </div>
    }
}

/// The message about a link that names no card, with the list of all lessons.
#[component]
pub(super) fn NoCard(state: State, place: LessonPlace) -> impl IntoView {
    let id = place.lesson.clone();
    let n_cards = course::n_cards(&id);
    let said = words::not_there(&place.card_text(), course::title(&id), n_cards);
    let first = if n_cards > 0 { format!("{id}.1") } else { FIRST_CARD.to_owned() };
    view! {
        <div class="card-say">
            <p role="status">{said}</p>
            <p class="card-more">
                <button type="button" class="strong" on:click=move |_| state.go(first.clone())>{words::AGAIN}</button>
                <Lessons state here=id />
            </p>
        </div>
    }
}

/// Draws the message that replaces a card that cannot be shown.
pub(super) fn instead(state: State, shown: Shown) -> AnyView {
    match shown {
        Shown::Waiting(id) => view! { <Waiting state id /> }.into_any(),
        Shown::Nothing(place) => view! { <NoCard state place /> }.into_any(),
        Shown::Card(_) => ().into_any(),
    }
}
