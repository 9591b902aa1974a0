//! The messages that replace a card, and the button to the list of all lessons.

use leptos::prelude::*;
use lesson::moved::{self, Moved};
use lesson::{LessonPlace, course, words};
use studio::LearnPage;

use super::state::{Shown, State};
use super::texts::Arrival;
use crate::browser::focus;
use crate::part_state::FIRST_CARD;

/// The button that opens the list of all lessons.
#[component]
pub(super) fn AllLessons(state: State) -> impl IntoView {
    view! {
        <button
            id="all-lessons"
            type="button"
            on:click=move |_| {
                state.leave_card();
                state.go(LearnPage::Contents.to_text());
            }
        >
            {words::ALL_LESSONS}
        </button>
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
                <AllLessons state />
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
    let near = match moved::moved(&place) {
        Some(Moved::Near(near)) => Some(near.card_text()),
        _ => None,
    };
    let (said, label) = match &near {
        None if place.version > 0 && place.card <= n_cards => {
            (words::no_version(place.version, course::title(&id), place.card), words::AS_WRITTEN)
        }
        Some(_) => (words::no_longer(&place.card_text()), words::NEAREST),
        None => (words::not_there(&place.card_text(), course::title(&id), n_cards), words::AGAIN),
    };
    let as_written = (place.version > 0 && place.card <= n_cards).then(|| place.card_text());
    let first =
        near.or(as_written).unwrap_or_else(|| if n_cards > 0 { format!("{id}.1") } else { FIRST_CARD.to_owned() });
    view! {
        <div class="card-say">
            <p role="status">{said}</p>
            <p class="card-more">
                <button type="button" class="strong" on:click=move |_| state.go(first.clone())>{label}</button>
                <AllLessons state />
            </p>
        </div>
    }
}

/// Draws the message that replaces a card that cannot be shown.
pub(super) fn instead(state: State, shown: Shown) -> AnyView {
    match shown {
        Shown::Waiting(id) => view! { <Waiting state id /> }.into_any(),
        Shown::Nothing(place) => view! { <NoCard state place /> }.into_any(),
        Shown::Card(_) | Shown::Contents => ().into_any(),
    }
}
