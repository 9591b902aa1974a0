//! A question: its form, and the button that locks the answer.

use leptos::prelude::*;
use lesson::entry::Limits;
use lesson::{Answer, Ask, Card, Choice, Expression, RightChoice, Value, words};

use super::answer::{Order, Pes};
use super::state::State;
use crate::ctx::text_from;
use crate::effects::keys;

/// The question with the form of its answer.
#[component]
pub(super) fn AskView(state: State, card: Card) -> impl IntoView {
    let Some(question) = card.question.clone() else { return ().into_any() };
    let scene = card.scene();
    let asked = question.text.text(&scene);
    let limits = Limits::of(&card);
    let form = match &question.ask {
        Ask::Choose { choices, right } => {
            let choices = choose(state, &card, choices, question.listed(&scene));
            // Three short answers are in one row.
            let is_claim = matches!(right, RightChoice::Claimed(_));
            view! { <div class="choices" class:claim=is_claim>{choices}</div> }.into_any()
        }
        Ask::Number { .. } | Ask::Register(_) => limits.map(|limits| number(state, limits, Answer::Number)).into_any(),
        Ask::Cycle(_) => limits.map(|limits| number(state, limits, cycle)).into_any(),
        Ask::Pe(_) => view! { <Pes state is_one=true /> }.into_any(),
        Ask::Pes(_) => view! { <Pes state is_one=false /> }.into_any(),
        Ask::Order(choices) => {
            let names = choices.iter().map(|choice| choice.label.text(&scene)).collect();
            view! { <Order state names first=question.listed(&scene) /> }.into_any()
        }
        Ask::Formula(_) => view! { <Formula state /> }.into_any(),
    };
    let is_locked = move || state.locked.with(Option::is_some);
    let of = card.clone();
    let button = text_from(move || match state.draft.get() {
        Some(answer) => words::lock(&question.shown(&of.scene(), &answer)),
        None => words::CHOOSE_FIRST.to_owned(),
    });
    let entered = card.clone();
    // This is not an HTML form, because a frame that can only run scripts cannot send forms.
    view! {
        <div
            class="ask"
            role="group"
            aria-labelledby="question"
            on:keydown=move |event| {
                if keys::is_entry(&event) {
                    // This key must not also press the button that takes the focus next.
                    event.prevent_default();
                    state.lock(&entered);
                }
            }
        >
            <h3 id="question">{asked}</h3>
            <fieldset disabled=is_locked>{form}</fieldset>
            <button
                id="lock"
                type="button"
                class="strong"
                hidden=is_locked
                disabled=move || state.draft.with(Option::is_none)
                on:click=move |_| state.lock(&card)
            >
                {button}
            </button>
        </div>
    }
    .into_any()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float is cut to a whole cycle in the range of u64"
)]
fn cycle(number: f64) -> Answer {
    Answer::Cycle(systolic::Cycle(number as u64))
}

/// Draws the radio buttons of a choice, in the order `listed`. Each button has a label. If the question shows values,
/// each button also has a value.
fn choose(state: State, card: &Card, choices: &[Choice], listed: Vec<usize>) -> AnyView {
    let scene = &card.scene();
    let of = card.clone();
    let struck = Memo::new(move |_| state.struck(&of));
    let right = match card.question.as_ref().map(|question| question.right(scene)) {
        Some(Ok(Answer::Choice(nth))) => Some(nth),
        _ => None,
    };
    let one = |(nth, choice): (usize, &Choice)| {
        let value = choice.value.value(scene).map_or_else(|_| String::new(), Value::shown);
        let label = choice.label.text(scene);
        let is_chosen = move || state.given() == Some(Answer::Choice(nth));
        let is_right = move || right == Some(nth) && state.shows_right();
        view! {
            <label class="choice" class:struck=move || struck.get() == Some(nth) class:right=is_right>
                <input
                    type="radio"
                    name="choice"
                    id=format!("choice-{nth}")
                    prop:checked=is_chosen
                    disabled=move || struck.get() == Some(nth)
                    on:change=move |_| state.draft.set(Some(Answer::Choice(nth)))
                />
                {choice.is_shown.then(|| view! { <b>{value}</b> })}
                <span>{label}</span>
                {move || is_right().then(|| view! { <i class="mark" role="img" aria-label=words::RIGHT_CHOICE>"✓"</i> })}
            </label>
        }
    };
    listed.into_iter().filter_map(|nth| Some(one((nth, choices.get(nth)?)))).collect_view().into_any()
}

/// Draws the text field for a number, with a slider if the number has a range.
fn number(state: State, limits: Limits, answer: fn(f64) -> Answer) -> AnyView {
    let Limits { is_share, range, .. } = limits;
    let text = state.typed;
    let said = RwSignal::new(String::new());
    let set = move |typed: String| {
        let read = if typed.trim().is_empty() { None } else { Some(limits.read(&typed)) };
        said.set(read.as_ref().and_then(|read| read.as_ref().err()).map_or_else(String::new, words::not_usable));
        state.draft.set(read.and_then(Result::ok).map(answer));
        text.set(typed);
    };
    let slider = range.map(|(least, most)| {
        // The slider is at the number. Without a number, it is pale and at its start.
        let is_unset = move || limits.read(&text.get()).is_err();
        let place = move || if is_unset() { digits(least) } else { text.get() };
        let spoken = text_from(move || if is_unset() { words::NO_ANSWER.to_owned() } else { text.get() });
        view! {
            <input
                class="slider"
                id="answer-slider"
                type="range"
                min=digits(least)
                max=digits(most)
                step="1"
                aria-label=words::NUMBER
                aria-valuetext=spoken
                class:unset=is_unset
                prop:value=place
                on:input=move |event| set(event_target_value(&event))
            />
        }
    });
    view! {
        <div class="answer-number">
            {slider}
            <input
                id="answer"
                type="text"
                // A keyboard for decimals has no minus sign on some phones.
                inputmode="text"
                autocomplete="off"
                placeholder="?"
                aria-label=words::NUMBER
                aria-describedby="answer-said"
                prop:value=move || text.get()
                on:input=move |event| set(event_target_value(&event))
            />
            {is_share.then_some("%")}
        </div>
        <p class="problem" id="answer-said" role="status">{move || said.get()}</p>
    }
    .into_any()
}

/// Formats a number for an HTML attribute.
fn digits(number: f64) -> String {
    display::number::significant(number, 9).replace('\u{2212}', "-")
}

/// The text field for a formula that uses the sizes of the run.
#[component]
fn Formula(state: State) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let set = move |typed: String| {
        let read = Expression::parse(&typed);
        said.set(match &read {
            Err(_) if typed.trim().is_empty() => String::new(),
            Err((_, what)) => words::what(what),
            Ok(_) => String::new(),
        });
        state.draft.set(read.ok().map(Answer::Formula));
        state.typed.set(typed);
    };
    view! {
        <div class="answer-formula">
            <input
                id="answer"
                type="text"
                autocomplete="off"
                spellcheck="false"
                aria-label=words::FORMULA
                aria-describedby="formula-said"
                prop:value=move || state.typed.get()
                on:input=move |event| set(event_target_value(&event))
            />
            <p class="hint">{words::FORMULA_HINT}</p>
            <p class="problem" id="formula-said" role="status">{move || said.get()}</p>
        </div>
    }
}
