//! All cards of a lesson on paper, with or without the answers. The command `systolic worksheet` draws the same pictures.

use std::sync::Arc;

use ::words::share;
use export::card::{Drawn, Moment};
use leptos::mount::mount_to;
use leptos::prelude::*;
use lesson::{Ask, Card, Lesson, Scene, words};

use super::state::{Open, State};
use super::text::paragraphs;
use crate::browser;
use crate::ctx::use_ctx;
use crate::effects::print;
use crate::navigation;

/// Largest number of a version that the page prints.
const VERSION_MAX: u32 = 9999;

/// The buttons that print a lesson, and the sheet itself, which only paper shows.
#[component]
pub(super) fn Worksheet(state: State, open: Open) -> impl IntoView {
    let ctx = use_ctx();
    let Open { lesson, .. } = open.clone();
    let version = RwSignal::new(open.version);
    let said = RwSignal::new(String::new());
    let owner = Owner::current();
    // The lessons do not contain the code of the pictures, because few readers print.
    let print = move |has_answers: bool| {
        let (owner, lesson) = (owner.clone(), Arc::clone(&lesson));
        navigation::with_worksheets(ctx, move |pictures| {
            let body = browser::document().and_then(|document| document.body());
            let Some((owner, body)) = owner.zip(body) else { return };
            let Some(pictures) = pictures else {
                said.try_set(words::NO_PICTURES.to_owned());
                return;
            };
            let version = version.get_untracked();
            let lesson = Arc::new(lesson.version(version));
            let pictures = pictures(&lesson, if has_answers { Moment::Answered } else { Moment::Asked });
            let sheet = owner.with(|| mount_to(body, move || view! { <Sheet lesson version pictures has_answers /> }));
            said.try_set(if print::print() { String::new() } else { share::CANNOT_PRINT.to_owned() });
            drop(sheet);
        });
    };
    let print_answers = print.clone();
    let (can_vary, is_test) = (open.lesson.cards.iter().any(Card::can_vary), open.lesson.is_test);
    let set = move |event| match event_target_value(&event).trim().parse() {
        Ok(number @ 0..=VERSION_MAX) => {
            version.set(number);
            said.set(String::new());
        }
        _ => said.set(words::version_range(VERSION_MAX)),
    };
    let open_version =
        move |_| state.go(Open { version: version.get_untracked(), ..open.clone() }.place_now().to_text());
    view! {
        <details class="more card-print">
            <summary>{words::PRINT_LESSON}</summary>
            <p class="card-more">
            <button id="print-worksheet" type="button" on:click=move |_| print(false)>{words::PRINT}</button>
            <button id="print-answers" type="button" on:click=move |_| print_answers(true)>{words::PRINT_ANSWERS}</button>
            {can_vary.then(|| view! {
                <label class="version">
                    {words::VERSION} " "
                    <input
                        id="version"
                        type="number"
                        min="0"
                        max=VERSION_MAX.to_string()
                        prop:value=move || version.get().to_string()
                        on:input=set
                    />
                </label>
            })}
            {is_test.then(|| view! { <button id="open-version" type="button" on:click=open_version>{words::OPEN_VERSION}</button> })}
            <span class="hint" role="status">{said}</span>
        </p>
        </details>
    }
}

#[component]
fn Sheet(lesson: Arc<Lesson>, version: u32, pictures: Vec<Vec<Drawn>>, has_answers: bool) -> impl IntoView {
    let cards =
        lesson.cards.iter().zip(pictures).zip(1..).map(|((card, drawn), nth)| section(card, nth, drawn, has_answers));
    let cards = cards.collect_view();
    view! {
        <article class="worksheet" aria-hidden="true" inert>
            <h1>{words::titled(&lesson.title, version..=version)}</h1>
            {cards}
        </article>
    }
}

fn section(card: &Card, nth: u32, drawn: Vec<Drawn>, has_answers: bool) -> AnyView {
    let scene = card.scene();
    let figure = |Drawn { svg, caption }: Drawn| {
        let caption = caption.map(|caption| view! { <figcaption>{caption}</figcaption> });
        view! { <figure><span inner_html=svg></span> {caption}</figure> }
    };
    let pictures = drawn.into_iter().map(figure).collect_view();
    let asked = card.question.as_ref().map(|question| {
        let choices = match &question.ask {
            Ask::Choose { choices, .. } | Ask::Order(choices) => {
                let listed = question.listed(&scene).into_iter().filter_map(|nth| choices.get(nth));
                let one = listed.map(|choice| {
                    let value = choice.value.value(&scene).ok().filter(|_| choice.is_shown).map(lesson::Value::shown);
                    view! { <li>{value} " " {choice.label.text(&scene)}</li> }
                });
                view! { <ul>{one.collect_view()}</ul> }.into_any()
            }
            _ => view! { <hr /> }.into_any(),
        };
        let right = has_answers.then(|| right(card, &scene)).flatten();
        view! {
            <h3>{question.text.text(&scene)}</h3>
            {choices}
            {right.map(|right| view! { <p><b>{words::ANSWER} " " {right}</b></p> })}
        }
    });
    let task = card.change.as_ref().map(|change| view! { <h3>{change.text.text(&scene)}</h3><hr /> });
    view! {
        <section>
            <h2>{format!("{nth}. ")} {card.title.text(&scene)}</h2>
            {pictures}
            {paragraphs(&card.text, &scene)}
            {asked}
            {task}
            {has_answers.then(|| paragraphs(&card.why, &scene))}
        </section>
    }
    .into_any()
}

/// Returns the right answer as text.
fn right(card: &Card, scene: &Scene<'_>) -> Option<String> {
    let question = card.question.as_ref()?;
    question.right(scene).ok().map(|right| question.shown(scene, &right))
}
