//! A question: its form, and the button that locks the answer.

use leptos::prelude::*;
use lesson::{Answer, Ask, Card, Choice, Expression, Scene, Unit, Value, words};

use super::answer::{Order, Pes};
use super::state::State;
use crate::ctx::text_from;

/// The question with the form of its answer.
#[component]
pub(super) fn AskView(state: State, card: Card) -> impl IntoView {
    let Some(question) = card.question.clone() else { return ().into_any() };
    let scene = card.scene();
    let asked = question.text.shown(&scene).unwrap_or_default();
    let bound = |one: &Expression| one.value(&scene).map(typed).unwrap_or_default();
    let form = match &question.ask {
        Ask::Choose { choices, .. } => choose(state, choices, &scene),
        Ask::Number { answer, range } => {
            let range = range.as_ref().map(|(least, most)| (bound(least), bound(most)));
            let is_share = answer.value(&scene).is_ok_and(|value| value.unit == Unit::Share);
            view! { <Number state range is_share answer=Answer::Number /> }.into_any()
        }
        Ask::Register(_) => view! { <Number state range=None is_share=false answer=Answer::Number /> }.into_any(),
        Ask::Cycle(_) => {
            let last = Value::count(card.plan.last().get()).number;
            view! { <Number state range=Some((0.0, last)) is_share=false answer=cycle /> }.into_any()
        }
        Ask::Pe(_) => view! { <Pes state is_one=true /> }.into_any(),
        Ask::Pes(_) => view! { <Pes state is_one=false /> }.into_any(),
        Ask::Order(choices) => {
            let names = choices.iter().map(|choice| choice.label.shown(&scene).unwrap_or_default()).collect();
            view! { <Order state names /> }.into_any()
        }
        Ask::Formula(_) => view! { <Formula state /> }.into_any(),
    };
    let is_locked = move || state.locked.with(Option::is_some);
    let of = card.clone();
    let button = text_from(move || match state.draft.get() {
        Some(answer) => words::lock(&question.shown(&of.scene(), &answer)),
        None => words::CHOOSE_FIRST.to_owned(),
    });
    view! {
        <form
            class="ask"
            aria-labelledby="question"
            on:submit=move |event| {
                event.prevent_default();
                state.lock(&card);
            }
        >
            <h3 id="question">{asked}</h3>
            <fieldset disabled=is_locked>{form}</fieldset>
            <button
                id="lock"
                type="submit"
                class="strong"
                hidden=is_locked
                disabled=move || state.draft.with(Option::is_none)
            >
                {button}
            </button>
        </form>
    }
    .into_any()
}

/// A number as it is typed: a share in percent.
fn typed(value: Value) -> f64 {
    if value.unit == Unit::Share { value.number * 100.0 } else { value.number }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float becomes the nearest cycle there is"
)]
fn cycle(number: f64) -> Answer {
    Answer::Cycle(systolic::Cycle(number as u64))
}

/// One of several: radio buttons, of which each says its value and what one would take it for.
fn choose(state: State, choices: &[Choice], scene: &Scene<'_>) -> AnyView {
    let one = |(nth, choice): (usize, &Choice)| {
        let value = choice.value.value(scene).map(Value::shown).unwrap_or_default();
        let label = choice.label.shown(scene).unwrap_or_default();
        let is_chosen = move || {
            let answer = state.locked.get().or_else(|| state.draft.get());
            answer == Some(Answer::Choice(nth))
        };
        view! {
            <label class="choice">
                <input
                    type="radio"
                    name="choice"
                    id=format!("choice-{nth}")
                    prop:checked=is_chosen
                    on:change=move |_| state.draft.set(Some(Answer::Choice(nth)))
                />
                {choice.is_shown.then(|| view! { <b>{value}</b> })}
                <span>{label}</span>
            </label>
        }
    };
    choices.iter().enumerate().map(one).collect_view().into_any()
}

/// A number: a field, and a slider where there is a range.
#[component]
fn Number(
    state: State,
    range: Option<(f64, f64)>,
    /// Whether it is a share, in percent.
    is_share: bool,
    answer: fn(f64) -> Answer,
) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let set = move |typed: String| {
        let plain = typed.replace('\u{2212}', "-");
        let number = display::number::read(plain.trim()).filter(|number| number.is_finite());
        state.draft.set(
            number.filter(|&number| range.is_none_or(|(least, most)| (least..=most).contains(&number))).map(answer),
        );
        text.set(typed);
    };
    let slider = range.map(|(least, most)| {
        let place = move || {
            let typed = text.get();
            if typed.is_empty() { digits(f64::midpoint(least, most)) } else { typed }
        };
        view! {
            <input
                class="slider"
                id="answer-slider"
                type="range"
                min=digits(least)
                max=digits(most)
                step="1"
                aria-label=words::NUMBER
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
                inputmode="decimal"
                autocomplete="off"
                aria-label=words::NUMBER
                prop:value=move || text.get()
                on:input=move |event| set(event_target_value(&event))
            />
            {is_share.then_some("%")}
        </div>
    }
}

/// A number as an attribute has it.
fn digits(number: f64) -> String {
    display::number::significant(number, 9).replace('\u{2212}', "-")
}

/// A formula in the sizes of the run.
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
                on:input=move |event| set(event_target_value(&event))
            />
            <p class="hint">{words::FORMULA_HINT}</p>
            <p class="problem" id="formula-said" role="status">{move || said.get()}</p>
        </div>
    }
}
