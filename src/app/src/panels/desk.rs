//! The desk: questions about models, sequences and long runs, with their answers beside them.

use std::sync::Arc;

use leptos::prelude::*;
use studio::desk::{Answer, Bars, Entry, Question, Table};
use studio::estimate::Given;
use studio::words::estimate as words;
use studio::{Action, Chrome, desk};

use super::workbench::table;
use crate::browser::address;
use crate::browser::file::{self, Told};
use crate::ctx::{Say, memo, say, use_ctx};
use crate::ui::FigureView;

/// Figures that an answer may have, in their order.
const FIGURES_MAX: usize = 12;

/// All questions, one under the other.
#[component]
pub(crate) fn Desk() -> impl IntoView {
    let ctx = use_ctx();
    let back = say(move || address::link_in(ctx, Chrome::Workbench));
    view! {
        <div class="desk" id="desk">
            <p class="hint"><a href=back>{words::BACK}</a></p>
            {Question::ALL.map(|question| view! { <Asking question /> })}
        </div>
    }
}

/// One question with its answer.
#[component]
fn Asking(question: Question) -> impl IntoView {
    let ctx = use_ctx();
    let file: RwSignal<Option<Arc<Given>>> = RwSignal::new(None);
    let text = memo(Box::new(move || ctx.session().with(|session| session.kept(question.parameter()).to_owned())));
    let answer = memo(Box::new(move || {
        let file = file.get();
        Arc::new(text.with(|text| question.answer(text, file.as_deref())))
    }));
    let set = move |name: &'static str, value: String| {
        let text = text.with_untracked(|text| desk::with(text, name, value.trim()));
        ctx.dispatch(&Action::Keep(question.parameter(), text));
    };
    let entries = question
        .entries("")
        .into_iter()
        .map(|entry| {
            let name = entry.name;
            let current = say(move || {
                let entries = text.with(|text| question.entries(text));
                entries.into_iter().find(|entry| entry.name == name).map(|entry| entry.text).unwrap_or_default()
            });
            let wrong = say(move || {
                answer.with(|answer| {
                    answer.wrong.iter().find(|(of, _)| of == name).map(|(_, why)| why.clone()).unwrap_or_default()
                })
            });
            view! { <Set question entry current wrong on_change=Box::new(move |value| set(name, value)) /> }
        })
        .collect_view();
    let id = question.parameter();
    view! {
        <section class="asking" id=format!("desk-{id}") aria-label=words::question(question)>
            <h2>{words::question(question)}</h2>
            <div class="sides">
                <div class="entries" id=(question == Question::Model).then_some("setup") tabindex="-1">
                    {entries}
                    {(question == Question::Model).then(|| view! { <Own file /> })}
                </div>
                <div class="answer"><Answered id answer /></div>
            </div>
        </section>
    }
}

/// An entry: chosen from a list or typed.
#[component]
fn Set(question: Question, entry: Entry, current: Say, wrong: Say, on_change: Box<dyn Fn(String)>) -> impl IntoView {
    let id: &'static str = entry.name;
    // The same entry may belong to two questions.
    let own = format!("{}-{id}", question.parameter());
    let problem = format!("{own}-problem");
    let control = if entry.choices.is_empty() {
        view! {
            <input
                id=own.clone()
                type="text"
                autocomplete="off"
                spellcheck="false"
                prop:value=current
                aria-describedby=problem.clone()
                on:change=move |event| on_change(event_target_value(&event))
            />
        }
        .into_any()
    } else {
        let chosen = untrack(|| current());
        let options = entry
            .choices
            .into_iter()
            .map(|(key, name)| view! { <option value=key selected=key == chosen>{name}</option> })
            .collect_view();
        view! {
            <select id=own.clone() prop:value=current aria-describedby=problem.clone() on:change=move |event| on_change(event_target_value(&event))>
                {options}
            </select>
        }
        .into_any()
    };
    view! {
        <div class="field">
            <label for=own>{entry.label}</label>
            {control}
            <p id=problem class="problem" role="alert">{wrong}</p>
        </div>
    }
}

/// A model of one's own: a file that is read in the tab, or pasted text.
#[component]
fn Own(file: RwSignal<Option<Arc<Given>>>) -> impl IntoView {
    let name = RwSignal::new(String::new());
    let tell = move |told| match told {
        Told::Part(own, part) => {
            let said = words::reading(&own, part);
            if name.with_untracked(|name| *name != said) {
                name.set(said);
            }
        }
        Told::Whole(own, given) => {
            name.set(own);
            file.set(Some(Arc::new(given)));
        }
    };
    let none = move || {
        file::stop();
        name.set(String::new());
        file.set(None);
    };
    let pasted = move |text: String| if text.trim().is_empty() { none() } else { file::read_text(&text, tell) };
    view! {
        <div class="own" id="own">
            <h3>{words::IMPORT}</h3>
            <label class="unseen" for="own-text">{words::PASTE}</label>
            <textarea id="own-text" rows="4" spellcheck="false" placeholder="M,K,N\n512,1024,4096" on:change=move |event| pasted(event_target_value(&event))></textarea>
            <label class="unseen" for="own-file">{words::FILE}</label>
            <input
                id="own-file"
                type="file"
                on:change=move |event| file::read(&event, tell)
            />
            <p class="hint">{words::STAYS_HERE} " " {move || name.get()}</p>
            <button type="button" id="own-none" hidden=move || file.with(Option::is_none) on:click=move |_| none()>
                {words::NO_OWN}
            </button>
        </div>
    }
}

/// An answer: its title, figures, steps and tables.
#[component]
fn Answered(id: &'static str, answer: Memo<Arc<Answer>>) -> impl IntoView {
    let title = say(move || answer.with(|answer| answer.title.clone()));
    let refused = move || {
        let all = answer.with(|answer| answer.refused.clone());
        all.into_iter().map(|sentence| view! { <p class="problem">{sentence}</p> }).collect_view()
    };
    // Figures stay in their places, so that one that is open stays open while numbers change.
    let figures = (0..FIGURES_MAX)
        .map(|index| {
            let figure = memo(Box::new(move || answer.with(|answer| answer.figures.get(index).cloned())));
            let has = memo(Box::new(move || figure.with(Option::is_some)));
            move || has.get().then(|| view! { <FigureView figure /> })
        })
        .collect_view();
    let tables = move || {
        let all = answer.with(|answer| answer.tables.clone());
        all.into_iter()
            .map(|Table { title, heads, rows }| view! { <h3>{title}</h3> {table(&heads, rows)} })
            .collect_view()
    };
    let bars = move || answer.with(|answer| answer.bars.clone()).map(|bars| view! { <Steps bars /> });
    view! {
        <h3 class="title" id=format!("{id}-title")>{title.clone()}</h3>
        <p class="unseen" role="status">{title}</p>
        {refused}
        <div class="figures">{figures}</div>
        {bars}
        {tables}
    }
}

/// Steps as bars, those that are marked in another color and with a cap.
#[component]
fn Steps(bars: Bars) -> impl IntoView {
    let width = 6 * bars.bars.len().max(1);
    let drawn = bars
        .bars
        .iter()
        .enumerate()
        .map(|(index, (height, marked))| {
            // Whole hundredths: no float formatter.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
            let height = ((height * 100.0).round() as u32).clamp(1, 100);
            let class = if *marked { "waits" } else { "step" };
            let x = 6 * index;
            view! {
                <rect class=class x=x.to_string() y=(100 - height).to_string() width="5" height=height.to_string()></rect>
                {marked.then(|| view! { <rect class="cap" x=x.to_string() y=(100 - height).to_string() width="5" height="3"></rect> })}
            }
        })
        .collect_view();
    view! {
        <svg class="spikes" role="img" aria-label=bars.words.clone() viewBox=format!("0 0 {width} 100") preserveAspectRatio="none">{drawn}</svg>
        <p class="hint">{bars.words}</p>
    }
}
