//! A task of a lesson card: the fields to change until a goal is met, and the current result.

use ::words::message;
use leptos::prelude::*;
use lesson::{Card, Change, Scene, words};
use perfmodel::Chip;
use plain::OrEmpty;
use studio::Field;
use studio::{Action, Edit, FieldValue};

use super::state::{SharedSolution, State};
use super::text::paragraphs;
use crate::ctx::{Text, memo, text_from, use_ctx};
use crate::effects::{address, keys};
use crate::navigation;
use crate::part_state::ToolPlace;
use crate::ui::{FieldProblem, PartSlot, Slider};

/// The task of a card, with its fields, its result and its hints.
#[component]
pub(super) fn ChangeView(state: State, card: Card) -> impl IntoView {
    let ctx = use_ctx();
    let Some(change) = card.change.clone() else { return ().into_any() };
    let task = change.text.text(&card.scene());
    let guessed = RwSignal::new(None::<String>);
    let asks_guess = asks_guess(state, change.guess, guessed);
    let fields = change.fields.iter().map(|&field| view! { <ChangeField field /> }).collect_view();
    // The sliders of the schedule and the controls of the dataflow are in a module that loads when the card opens.
    let of_tool = |place| {
        let always = memo(|| true);
        view! { <PartSlot fill=navigation::tool(ctx, place) shown=always /> }
    };
    let schedule = change.skew.map(|_| of_tool(ToolPlace::Schedule));
    let flow = change.flow.map(|_| of_tool(ToolPlace::Flow));
    let (measured, compared) = (change.clone(), card.clone());
    let parts = move || {
        let plan = ctx.plan.read();
        let scene = Scene::new(&plan, compared.state.cycle).with_tools(&state.tools());
        let part = |part: lesson::Part<'_>| {
            let [mark, now, wanted] = words::part(&part);
            view! {
                <li class:met=part.is_met>
                    <span aria-hidden="true">{mark}</span>
                    <span class="unseen">{words::is_met(part.is_met)}</span>
                    <b>{now}</b> " " {wanted}
                </li>
            }
        };
        measured.parts(&scene).into_iter().map(part).collect_view()
    };
    let (compared, of) = (change.clone(), card.clone());
    let best = ctx.text_of_plan(move |plan| {
        let scene = Scene::new(plan, of.state.cycle).with_tools(&state.tools());
        let known = compared.best.as_ref().zip(compared.best_known(&of));
        let with = |(best, known): (&lesson::Best, _)| Some(words::best(best, known, best.of.value(&scene).ok()?));
        known.and_then(with).or_empty()
    });
    // The verdict appears only after a person has tried something.
    let untried = card.clone();
    let is_tried = memo(move || {
        state.is_done.get()
            || state.sent.with(Option::is_some)
            || state.tools().defect != untried.state.tools.defect
            || state.tools().flow() != untried.state.tools.flow()
            || ctx.plan.with(|plan| **plan != untried.plan)
    });
    let done = text_from(move || {
        let said = if state.is_touched.get() { words::NOT_OFFERED } else { words::goal(state.is_done.get()) };
        if is_tried.get() { said.to_owned() } else { String::new() }
    });
    let why = paragraphs(&card.why, &card.scene());
    // The problem of the last entry. The shown run is the last run that the settings allowed.
    let fields_of = change.fields.clone();
    let problem = ctx.text(move |session| {
        let of_field = |field: &Field| session.problem(*field).map(message::problem);
        fields_of.iter().find_map(of_field).or_empty()
    });
    let sent = sent(state, card.clone(), change.clone());
    // A person can share the solution of a challenge.
    let link = text_from(move || if state.is_done.get() { address::link_to_answer(ctx) } else { String::new() });
    let result = change.best.is_some().then(|| {
        view! {
            <label class="hint" for="result-link">{words::RESULT}</label>
            <textarea id="result-link" rows="4" readonly spellcheck="false" prop:value=link></textarea>
        }
    });
    view! {
        <p class="hint" id="sent" role="status">{sent}</p>
        <h3 id="question">{task}</h3>
        {change.guess.map(|field| view! { <Guess state field change=change.clone() guessed /> })}
        <div class="changes" hidden=move || asks_guess.get()>{fields} {schedule} {flow}</div>
        <FieldProblem id="change" text=problem />
        <div class="card-now">
            <ul class="card-parts">{parts}</ul>
            <p
                id="verdict"
                class="verdict"
                class:right=move || state.is_done.get()
                class:unseen=move || !is_tried.get()
                role="status"
            >
                <b>{done}</b>
            </p>
        </div>
        <div class="card-why" hidden=move || !state.is_done.get()>
            <p id="best">{best}</p>
            {why}
            {result}
            <p class="card-more">
                <button id="try-it" type="button" on:click=move |_| navigation::leave_lesson(ctx)>{words::TRY}</button>
            </p>
        </div>
        {(!change.hints.is_empty()).then(|| view! { <Hints state change card=card.clone() /> })}
    }
    .into_any()
}

/// True while a task asks for a guess. A solved task and a shared solution ask for no guess.
fn asks_guess(state: State, guess: Option<Field>, guessed: RwSignal<Option<String>>) -> Memo<bool> {
    memo(move || {
        guess.is_some() && guessed.with(Option::is_none) && !state.is_done.get() && state.sent.with(Option::is_none)
    })
}

/// Returns the verdict on the shared solution of a link.
fn sent(state: State, card: Card, change: Change) -> Text {
    let ctx = use_ctx();
    text_from(move || match state.sent.get() {
        Some(SharedSolution::Run(of)) if ctx.plan.with(|plan| *plan == of) => {
            let settings: Vec<_> = change.fields.iter().map(|&field| (field, of.scenario().get(field))).collect();
            words::sent(&settings, card.is_solved_by(&of, &state.tools()))
        }
        Some(SharedSolution::TooMuch) => words::SENT_TOO_MUCH.to_owned(),
        _ => String::new(),
    })
}

/// The guess before a task: a field and a button, and then the guess next to the solution.
#[component]
fn Guess(state: State, field: Field, change: Change, guessed: RwSignal<Option<String>>) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let choices: Vec<FieldValue> = field.choices().collect();
    let has_choices = !choices.is_empty();
    let usable = move || {
        let text = text.get();
        let is_usable = if has_choices { !text.is_empty() } else { text.trim().parse::<u64>().is_ok() };
        is_usable.then(|| text.trim().to_owned())
    };
    // Before the guess, the run is the run of the card. The other settings of the solution go with the guess.
    let (ctx, is_met, goal) = (use_ctx(), RwSignal::new(false), StoredValue::new(change.clone()));
    let meets = move |guess: &str| {
        let plan = field.read(guess).and_then(|value| {
            let others = goal.with_value(|goal| goal.solution.clone());
            let settings: Vec<_> = others.into_iter().filter(|(of, _)| *of != field).chain([(field, value)]).collect();
            let settled = ctx.session().with_untracked(|session| session.settled(&settings))?;
            Ok(settled.plan().clone())
        });
        plan.is_ok_and(|plan| goal.with_value(|goal| goal.is_met(&Scene::new(&plan, ctx.cycle.get_untracked()))))
    };
    let solution = change.solution.iter().find(|(of, _)| *of == field).map(|(_, value)| value.clone());
    let said = text_from(move || {
        let solution = solution.as_ref().filter(|_| state.is_done.get());
        guessed.get().map(|guess| words::guessed(&guess, is_met.get(), field, solution)).or_empty()
    });
    let asks = asks_guess(state, Some(field), guessed);
    let lock = move || {
        if let Some(guess) = untrack(usable) {
            is_met.set(meets(&guess));
            guessed.set(Some(guess));
        }
    };
    let set = move |event| text.set(event_target_value(&event));
    let entry = if has_choices {
        let option = |choice: FieldValue| {
            let id = choice.id().unwrap_or_default();
            view! { <option value=id>{words::setting(field, id).unwrap_or(id)}</option> }
        };
        let options = choices.into_iter().map(option).collect_view();
        view! { <select id="guess" on:change=set><option value="">"–"</option> {options}</select> }.into_any()
    } else {
        view! { <input id="guess" type="text" inputmode="numeric" autocomplete="off" on:input=set /> }.into_any()
    };
    // This is not an HTML form, because a frame that can only run scripts cannot send forms.
    view! {
        <div
            class="guess"
            hidden=move || !asks.get()
            on:keydown=move |event| {
                if keys::is_entry(&event) {
                    event.prevent_default();
                    lock();
                }
            }
        >
            <label for="guess">{words::guess(field)}</label>
            {entry}
            <button id="lock-guess" type="button" disabled=move || usable().is_none() on:click=move |_| lock()>
                {words::LOCK_GUESS}
            </button>
        </div>
        <p class="hint" role="status">{said}</p>
    }
}

/// The hints of a task. Each press shows one more hint, until the task is solved.
#[component]
fn Hints(state: State, change: Change, card: Card) -> impl IntoView {
    let shown = RwSignal::new(0);
    let n_hints = change.hints.len();
    let hints = change.hints.iter().zip(0..).map(|(hint, nth)| {
        let text = hint.text(&card.scene());
        view! { <li hidden=move || shown.get() <= nth>{text}</li> }
    });
    let hints = hints.collect_view();
    view! {
        <div class="hints">
            <div role="status"><ol>{hints}</ol></div>
            <button
                id="hint"
                type="button"
                hidden=move || shown.get() == n_hints || state.is_done.get()
                on:click=move |_| shown.update(|shown| *shown += 1)
            >
                {words::HINT}
            </button>
        </div>
    }
}

/// A field of a task: a slider with a text field for a number, or a list for a choice.
#[component]
fn ChangeField(field: Field) -> impl IntoView {
    let ctx = use_ctx();
    let name = words::field(field);
    let id = format!("change-{}", field.id());
    let type_in = move |text| ctx.dispatch(&Action::Edit(Edit::Type(field, text)));
    let choices: Vec<FieldValue> = field.choices().collect();
    if choices.is_empty() {
        let value = memo(move || ctx.session().with(|session| session.scenario.number(field)));
        let settle = move |value| ctx.dispatch(&Action::Edit(Edit::Set(field, FieldValue::Count(value))));
        view! {
            <div class="change">
                <span>{name}</span>
                <Slider
                    id=format!("{id}-slider")
                    label=name
                    most=field.most()
                    value
                    on_drag=Box::new(move |value| ctx.dispatch(&Action::Edit(Edit::Drag(field, value))))
                    on_settle=Box::new(settle)
                />
                <input
                    id=id
                    type="text"
                    inputmode="numeric"
                    aria-label=name
                    prop:value=ctx.text(move |session| session.field_text(field))
                    on:input=move |event| type_in(event_target_value(&event))
                />
            </div>
        }
        .into_any()
    } else {
        let option = move |choice: FieldValue| {
            let id = choice.id().unwrap_or_default();
            let name = if let FieldValue::Chip(id) = choice {
                Chip::by_id(id).map_or(id, |chip| chip.name)
            } else {
                words::setting(field, id).unwrap_or(id)
            };
            let is_set = move || ctx.session().with(|session| session.scenario.get(field) == choice);
            view! { <option value=id selected=is_set>{name}</option> }
        };
        view! {
            <label class="change">
                {name} " "
                <select id=id on:change=move |event| type_in(event_target_value(&event))>
                    {choices.into_iter().map(option).collect_view()}
                </select>
            </label>
        }
        .into_any()
    }
}
