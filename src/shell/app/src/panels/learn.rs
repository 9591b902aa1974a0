//! The lessons: a list of all lessons, and one card at a time. The array view next to the card shows the state of the
//! card.

mod again;
mod answer;
mod ask;
mod class_test;
mod contents;
mod instead;
mod pictures;
mod printed;
mod progress;
mod state;
mod task;
mod text;
mod texts;
mod worksheet;

use std::sync::Arc;

use leptos::html::Canvas;
use leptos::prelude::*;
use lesson::{Card, Kind, LessonPlace, Verdict, course, words};
use studio::LearnPage;

use self::again::HelpView;
use self::ask::AskView;
use self::class_test::Saved;
use self::contents::Contents;
use self::instead::{AllLessons, instead};
use self::state::{Open, Shown, State};
use self::task::ChangeView;
use self::text::{Said, paragraphs};
use self::worksheet::Worksheet;
use crate::ctx::{Ctx, memo, text_from, use_ctx};
use crate::effects::paint;
use crate::navigation;
use crate::part_state::ToolPlace;
use crate::ui::PartSlot;

/// The list of all lessons, the open lesson card, or a message in its place.
#[component]
pub(crate) fn Learn() -> impl IntoView {
    let state = State::new(use_ctx());
    let class = move || {
        state.shown.with(|shown| match shown {
            Some(Shown::Contents) => "contents",
            Some(Shown::Card(open)) if open.lesson.is_test => "card-side test",
            _ => "card-side",
        })
    };
    view! {
        <section class=class aria-labelledby="card-title">
            {move || state.shown.get().map(|shown| match shown {
                Shown::Contents => view! { <Contents state /> }.into_any(),
                Shown::Card(open) => view! { <CardView state open /> }.into_any(),
                other => instead(state, other),
            })}
        </section>
    }
}

/// A lesson card with its text, its question or task, and its buttons.
#[component]
fn CardView(state: State, open: Open) -> impl IntoView {
    let Some(card) = open.card().cloned() else { return ().into_any() };
    let (number, n_cards) = (open.number, open.lesson.cards.len());
    let title = card.title.text(&card.scene());
    let title = if open.lesson.is_test {
        words::titled(&title, open.version..=open.version)
    } else {
        words::repeated(&title, state.can_vary(&open.place_now()) && open.version > 0)
    };
    let id = open.lesson.id.clone();
    let dot = move |nth: usize| {
        let id = id.clone();
        view! { <i class:done=move || state.progress.has(&id, nth) class:now=nth == number></i> }
    };
    // A deck has its own dashes.
    let dot_of_deck = |now: usize| move |nth: usize| view! { <i class:done=nth < now class:now=nth == now></i> };
    let dots = move || match state.decks.place() {
        Some((now, of)) => (1..=of).map(dot_of_deck(now)).collect_view().into_any(),
        None => (1..=n_cards).map(&dot).collect_view().into_any(),
    };
    let text = paragraphs(&card.text, &card.scene());
    let asks = card.question.is_some();
    view! {
        <div class="card-say">
            <div class="card-top">
                <span>{move || match state.decks.place() {
                    Some((nth, of)) => words::deck_progress(nth, of),
                    None => words::progress(number, n_cards),
                }}</span>
                <AllLessons state />
            </div>
            <div class="card-dots" aria-hidden="true">{dots}</div>
            <h2 id="card-title" tabindex="-1">{title}</h2>
            {text}
        </div>
        <div class="card-ask">
            {(card.kind != Kind::Explain && !open.lesson.is_test).then(|| view! { <p class="card-kind">{words::kind(card.kind)}</p> })}
            {asks.then(|| view! { <HelpView state place=open.place_now() card=card.clone() /> <AskView state card=card.clone() /> })}
            {card.change.is_some().then(|| view! { <ChangeView state card=card.clone() /> })}
            {(asks && !open.lesson.is_test).then(|| view! { <VerdictView state place=open.place_now() card=card.clone() /> })}
            {(asks && open.lesson.is_test).then(|| view! { <Saved state open=open.clone() /> })}
            {(!asks && card.change.is_none()).then(|| paragraphs(&card.why, &card.scene()))}
            {(number == 1).then(|| view! { <Worksheet state open=open.clone() /> })}
            <p class="card-back" hidden=move || !state.is_touched.get()>
                <button id="back-to-lesson" type="button" on:click=move |_| state.put_back()>
                    {words::BACK_TO_LESSON}
                </button>
            </p>
        </div>
        <Steps state open />
    }
    .into_any()
}

/// Returns a picture of the card's second run at its own cycle, if the card has a second run.
fn beside(ctx: Ctx, card: &Card) -> Option<impl IntoView + use<>> {
    let (link, plan) = card.beside.clone()?;
    let canvas: NodeRef<Canvas> = NodeRef::new();
    let said = ::words::caption::status(&plan, link.cycle, None);
    paint::thumbnail(canvas, ctx, Arc::new(plan), link.cycle, |_, _, _| stage::Zoom::default());
    Some(view! {
        <figure class="card-beside">
            <canvas node_ref=canvas role="img" aria-label=said></canvas>
            <figcaption>{words::beside(link.cycle)}</figcaption>
        </figure>
    })
}

/// The verdict on a locked answer. It appears when the run reaches the cycle that shows the answer.
#[component]
fn VerdictView(state: State, place: LessonPlace, card: Card) -> impl IntoView {
    let ctx = use_ctx();
    let has_run = card.run.is_some_and(|run| run > card.state.cycle);
    let why = paragraphs(&card.why, &card.scene());
    let beside = beside(ctx, &card);
    let source = card.source.clone().map(|source| {
        let site = source.site().to_owned();
        view! {
            <p class="hint">
                {words::SOURCE} " " <a href=source.address target="_blank" rel="noopener noreferrer">{site}</a> ", "
                <q>{source.quote}</q>
            </p>
        }
    });
    // The steps would show the answer, so they appear after it. They are in the part with the tools, which the card
    // loads.
    let always = memo(|| true);
    let steps = card.state.tools.built.is_some().then(|| {
        view! { <PartSlot fill=navigation::tool(ctx, ToolPlace::FlowSteps) shown=always /> }
    });
    let again = card.clone();
    let can_vary = state.can_vary(&place);
    let verdict = move || {
        let locked = state.locked.get();
        let is_first = locked.is_none();
        let judged = locked.or_else(|| state.tried.get()).filter(|_| state.reveal.get().is_none())?.judged;
        let reason = judged.reason.as_ref().map(|reason| {
            view! {
                <p class="card-kind">{words::THOUGHT}</p>
                <Said text=reason.text.clone() card=card.clone() />
            }
        });
        let class = if judged.verdict == Verdict::Right { "verdict right" } else { "verdict wrong" };
        Some(view! {
            <div class=class>
                <p><b>{if is_first { words::first_try(&judged) } else { words::verdict(&judged) }}</b></p>
                {reason}
            </div>
        })
    };
    let is_open = move || state.locked.with(Option::is_some) && state.reveal.get().is_none();
    view! {
        <div role="status" id="verdict">{verdict}</div>
        <div class="card-why" hidden=move || !is_open()>
            {steps}
            {why}
            {source}
            {beside}
            <p class="card-more">
                {can_vary.then(|| view! {
                    <button id="other-numbers" type="button" on:click=move |_| state.again(&place)>{words::OTHER_NUMBERS}</button>
                })}
                {has_run.then(|| view! {
                    <button type="button" on:click=move |_| state.show(&again)>{words::RUN_AGAIN}</button>
                })}
                <button id="try-it" type="button" on:click=move |_| navigation::leave_lesson(ctx)>{words::TRY}</button>
            </p>
        </div>
    }
}

/// The buttons to the previous and the next card. A person must answer or skip a question before the next card.
#[component]
fn Steps(state: State, open: Open) -> impl IntoView {
    let ctx = use_ctx();
    let number = open.number;
    let of_lesson = open.clone();
    let place = move |number: usize| of_lesson.place(number).to_text();
    let before = (number > 1).then(|| {
        let place = place(number - 1);
        view! {
            <button
                id="card-back"
                type="button"
                hidden=move || state.decks.n_left().is_some()
                on:click=move |_| state.go(place.clone())
            >
                {words::BACK}
            </button>
        }
    });
    let is_last = number == open.lesson.cards.len();
    // No other test follows a test, because a person takes one test at a time.
    let follows = if open.lesson.is_test { None } else { course::next_in_set(&open.lesson.id) };
    let next = if is_last { follows.map(|next| format!("{next}.1")) } else { Some(place(number + 1)) };
    let is_asked = open.card().is_some_and(|card| card.kind != Kind::Explain);
    let name = match follows {
        Some(next) if is_last => words::next_lesson(course::title(next)),
        _ => words::NEXT.to_owned(),
    };
    let is_revealed = move || state.reveal.with(Option::is_some);
    let waits = move || is_asked && !state.is_done.get() && !is_revealed();
    let n_left = move || state.decks.n_left();
    let label = text_from(move || match n_left() {
        _ if waits() => words::SKIP.to_owned(),
        Some(0) => words::DECK_DONE.to_owned(),
        Some(n_left) => words::next_of_deck(n_left),
        None => name.clone(),
    });
    let here = open.place(number).card_text();
    // A card that was read is done. A card that was skipped is not.
    let leave = move || {
        if !waits() {
            state.progress.add(here.clone());
        }
    };
    let on = match next {
        Some(place) => view! {
            <button
                id="card-next"
                type="button"
                class:strong=move || !waits()
                // A disabled button would lose the focus.
                aria-disabled=move || is_revealed().then_some("true")
                on:click=move |_| {
                    if untrack(is_revealed) {
                        return;
                    }
                    leave();
                    if untrack(n_left).is_some() { state.next_of_deck() } else { state.go(place.clone()) }
                }
            >
                {label}
            </button>
        }
        .into_any(),
        None if open.lesson.is_test => view! {
            <button id="card-next" type="button" class:strong=move || !waits() on:click=move |_| {
                leave();
                state.go(LearnPage::Contents.to_text());
            }>
                {words::ALL_LESSONS}
            </button>
        }
        .into_any(),
        None => view! {
            <button
                id="card-next"
                type="button"
                class:strong=move || !waits()
                aria-disabled=move || is_revealed().then_some("true")
                on:click=move |_| {
                    if untrack(is_revealed) {
                        return;
                    }
                    let is_skipped = untrack(waits);
                    leave();
                    if untrack(n_left).is_some() {
                        state.next_of_deck();
                    } else if is_skipped {
                        state.go(LearnPage::Contents.to_text());
                    } else {
                        navigation::leave_lesson(ctx);
                    }
                }
            >
                {move || if waits() || n_left().is_some() { label() } else { words::TRY.to_owned() }}
            </button>
        }
        .into_any(),
    };
    view! { <div class="card-steps">{before} <span></span> {on}</div> }
}
