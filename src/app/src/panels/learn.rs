//! The lessons: a card at a time beside the array, which has the state of the card.

mod answer;
mod ask;
mod change;
mod state;
mod text;

use leptos::prelude::*;
use lesson::course::Set;
use lesson::{Card, Kind, Verdict, course, words};
use studio::{Action, Edit, Tool};

use self::ask::AskView;
use self::change::ChangeView;
use self::state::{Open, State};
use self::text::{Said, paragraphs};
use crate::browser::keys;
use crate::ctx::{Ctx, text_from, use_ctx};
use crate::parts;

/// Opens a card as a step of the history, and leads a screen reader to it.
fn go(ctx: Ctx, place: String) {
    ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Learn, place)));
    // The card is drawn after this task.
    set_timeout(|| keys::focus("card-title"), core::time::Duration::ZERO);
}

/// The card that is open.
#[component]
pub(crate) fn LessonCard() -> impl IntoView {
    let ctx = use_ctx();
    let state = State::new(ctx);
    view! {
        <section class="card-side" aria-labelledby="card-title">
            {move || match state.open.get() {
                Some(open) => view! { <CardView state open /> }.into_any(),
                None => view! { <NoCard state /> }.into_any(),
            }}
        </section>
    }
}

/// What is said where a link names no card there is.
#[component]
fn NoCard(state: State) -> impl IntoView {
    let ctx = use_ctx();
    let said = text_from(move || state.place.get().map(|place| words::not_there(&place)).unwrap_or_default());
    view! {
        <p class="card-say" role="status">{said}</p>
        <button type="button" on:click=move |_| go(ctx, parts::FIRST_CARD.to_owned())>{words::AGAIN}</button>
    }
}

/// One card.
#[component]
fn CardView(state: State, open: Open) -> impl IntoView {
    let Some(card) = open.card().cloned() else { return ().into_any() };
    let (number, n_cards) = (open.number, open.lesson.cards.len());
    let title = card.title.shown(&card.scene()).unwrap_or_default();
    let dots =
        (1..=n_cards).map(|nth| view! { <i class:done=nth < number class:now=nth == number></i> }).collect_view();
    let text = paragraphs(&card.text, &card.scene());
    let asks = card.question.is_some();
    view! {
        <div class="card-say">
            <div class="card-top">
                <span>{words::progress(number, n_cards)}</span>
                <Lessons here=open.lesson.id.clone() />
            </div>
            <div class="card-dots" aria-hidden="true">{dots}</div>
            <h2 id="card-title" tabindex="-1">{title}</h2>
            {text}
        </div>
        <div class="card-ask">
            {(card.kind != Kind::Explain).then(|| view! { <p class="card-kind">{words::kind(card.kind)}</p> })}
            {asks.then(|| view! { <AskView state card=card.clone() /> })}
            {card.change.is_some().then(|| view! { <ChangeView state card=card.clone() /> })}
            {asks.then(|| view! { <VerdictView state card=card.clone() /> })}
            {(!asks && card.change.is_none()).then(|| paragraphs(&card.why, &card.scene()))}
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

/// All lessons, to begin any of them.
#[component]
fn Lessons(here: String) -> impl IntoView {
    let ctx = use_ctx();
    let lesson = |id: &'static str| {
        let begin = move |_| {
            keys::close_help(false);
            go(ctx, format!("{id}.1"));
        };
        let current = (here == id).then_some("true");
        view! {
            <li>
                <button type="button" aria-current=current on:click=begin>{course::title(id)}</button>
            </li>
        }
    };
    let set = |set: Set| {
        let lessons = course::of(set).map(lesson).collect_view();
        view! {
            <h3>{words::set(set)}</h3>
            <ol>{lessons}</ol>
        }
    };
    let sets = Set::ALL.into_iter().map(set).collect_view();
    view! {
        <details class="help lessons" name="help">
            <summary>{words::ALL_LESSONS}</summary>
            <div class="sheet">
                {sets}
            </div>
        </details>
    }
}

/// What became of the answer: nothing until it is locked and the run has come to where it is seen.
#[component]
fn VerdictView(state: State, card: Card) -> impl IntoView {
    let ctx = use_ctx();
    let has_run = card.run.is_some_and(|run| run > card.state.cycle);
    let why = paragraphs(&card.why, &card.scene());
    let again = card.clone();
    let verdict = move || {
        let answer = state.locked.get().filter(|_| state.reveal.get().is_none())?;
        let question = card.question.as_ref()?;
        let judged = question.judge(&card.scene(), &answer);
        let reason = judged.reason.map(|reason| {
            view! {
                <p class="card-kind">{words::THOUGHT}</p>
                <Said text=reason.text.clone() card=card.clone() />
            }
        });
        let class = if judged.verdict == Verdict::Right { "verdict right" } else { "verdict wrong" };
        Some(view! {
            <div class=class>
                <p><b>{words::verdict(&judged)}</b></p>
                {reason}
            </div>
        })
    };
    let is_open = move || state.locked.with(Option::is_some) && state.reveal.get().is_none();
    view! {
        <div role="status" id="verdict">{verdict}</div>
        <div class="card-why" hidden=move || !is_open()>
            {why}
            <p class="card-more">
                {has_run.then(|| view! {
                    <button type="button" on:click=move |_| state.show(&again)>{words::RUN_AGAIN}</button>
                })}
                <button id="try-it" type="button" on:click=move |_| parts::explore(ctx)>{words::TRY}</button>
            </p>
        </div>
    }
}

/// Back and on. A question is answered or skipped, never clicked through.
#[component]
fn Steps(state: State, open: Open) -> impl IntoView {
    let ctx = use_ctx();
    let (number, id) = (open.number, open.lesson.id.clone());
    let place = move |number: usize| format!("{id}.{number}");
    let before = (number > 1).then(|| {
        let place = place(number - 1);
        view! { <button id="card-back" type="button" on:click=move |_| go(ctx, place.clone())>{words::BACK}</button> }
    });
    let is_last = number == open.lesson.cards.len();
    let follows = course::after(&open.lesson.id);
    let next = if is_last { follows.map(|next| format!("{next}.1")) } else { Some(place(number + 1)) };
    let is_asked = open.card().is_some_and(|card| card.kind != Kind::Explain);
    let name = match follows {
        Some(next) if is_last => words::next_lesson(course::title(next)),
        _ => words::NEXT.to_owned(),
    };
    let waits = move || is_asked && !state.is_done.get();
    let label = text_from(move || if waits() { words::SKIP.to_owned() } else { name.clone() });
    let on = match next {
        Some(place) => view! {
            <button id="card-next" type="button" class:strong=move || !waits() on:click=move |_| go(ctx, place.clone())>
                {label}
            </button>
        }
        .into_any(),
        None => view! {
            <button id="card-next" type="button" class="strong" on:click=move |_| parts::explore(ctx)>{words::TRY}</button>
        }
        .into_any(),
    };
    view! { <div class="card-steps">{before} <span></span> {on}</div> }
}
