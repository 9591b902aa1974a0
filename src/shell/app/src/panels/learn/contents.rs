//! The list of all lessons, challenges and claims, as cards with pictures.

use leptos::prelude::*;
use lesson::course::{self, Entry, Set};
use lesson::words;

use super::again::ToDoAgain;
use super::pictures::CardPicture;
use super::printed::Prints;
use super::state::State;
use crate::browser::focus;
use crate::ctx::{text_from, use_ctx};
use crate::ui::book_link;
use ::words::book;

/// The page with three sets of cards: lessons, challenges and claims. A button continues the lesson that was open last.
#[component]
pub(super) fn Contents(state: State) -> impl IntoView {
    let next = move || {
        let entry = state.next_lesson()?;
        let card = state.next_card(entry);
        Some(view! {
            <p class="continue">
                <span>
                    <b>{entry.title}</b>
                    " "
                    {words::progress(card, entry.n_cards)}
                </span>
                <button id="continue" type="button" class="strong" on:click=move |_| state.go(format!("{}.{card}", entry.id))>
                    {words::start(state.progress.of(entry.id) > 0)}
                </button>
            </p>
        })
    };
    let clear = move |_| {
        state.progress.clear();
        focus::focus("card-title");
    };
    let is_embedded = use_ctx().embedded();
    // A person who missed no card first sees the lessons.
    let is_later = state.decks.is_empty();
    let sets = Set::ALL.into_iter().map(|set| view! { <Cards state set /> }).collect_view();
    view! {
        <header class="contents-head">
            <div>
                <h2 id="card-title" tabindex="-1">{words::CONTENTS}</h2>
                <p>{words::CONTENTS_LEAD}</p>
                <button id="to-prints" type="button" on:click=|_| focus::go_to("prints")>{words::TO_PRINTS}</button>
                {(!is_embedded).then(|| book_link("learn-story", "docs/story.html", book::STORY))}
            </div>
            {next}
        </header>
        {(!is_later).then(|| view! { <ToDoAgain state /> })}
        {sets}
        {is_later.then(|| view! { <ToDoAgain state /> })}
        <Prints />
        <p class="hint" hidden=move || state.progress.is_empty()>
            <button id="clear-progress" type="button" on:click=clear>{words::CLEAR}</button>
            " "
            {words::KEPT}
        </p>
    }
}

/// The cards of a set: all lessons, all challenges or all claims.
#[component]
fn Cards(state: State, set: Set) -> impl IntoView {
    let done = text_from(move || {
        let (done, all) = course::of_set(set)
            .map(|entry| (state.progress.of(entry.id), entry.n_cards))
            .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        words::set_done(set, done, all)
    });
    let cards = course::of_set(set).map(|entry| view! { <Card state entry /> }).collect_view();
    view! {
        <section class=set.id() aria-labelledby=set.id()>
            <div class="set-head">
                <h3 id=set.id()>{words::set(set)}</h3>
                <p>{words::set_lead(set)}</p>
                <span>{done}</span>
            </div>
            <ul class="set-cards">{cards}</ul>
        </section>
    }
}

/// The card of a lesson: a picture, the title, and a dot for each of its cards. A press opens the next card that is not
/// done.
#[component]
fn Card(state: State, entry: &'static Entry) -> impl IntoView {
    let id = entry.id;
    let dot = |nth: usize| view! { <i class:done=move || state.progress.has(id, nth)></i> };
    let dots = (1..=entry.n_cards).map(dot).collect_view();
    let count = text_from(move || words::cards_done(state.progress.of(id), entry.n_cards));
    view! {
        <li>
            <button type="button" id=format!("open-{id}") on:click=move |_| state.go(format!("{id}.{}", state.next_card(entry)))>
                <CardPicture id />
                <b>{entry.title}</b>
                " "
                <span class="about">{entry.about}</span>
                <span class="card-dots" aria-hidden="true">{dots}</span>
                " "
                <small>{words::minutes(entry.minutes)}</small>
                " "
                <small>{count}</small>
            </button>
        </li>
    }
}
