//! The desk as a report: on paper with a head of its own and all that was asked, and as a file.

use std::sync::Arc;

use leptos::prelude::*;
use studio::Chrome;
use studio::desk::{self, Question};
use studio::words::{label, report as words};

use crate::browser::{address, report};
use crate::ctx::{memo, say, use_ctx};

/// What stands over the report on paper: what it is, its link and the day of its data.
#[component]
pub(super) fn ReportHead() -> impl IntoView {
    let ctx = use_ctx();
    let link = say(move || report::whole(&address::link_in(ctx, Chrome::Desk)));
    report::open_for_print();
    view! {
        <header class="report-head">
            <h1>{words::TITLE}</h1>
            <p>{label::TITLE} ", " {link}</p>
            <p>{label::CHECKED} {perfmodel::AS_OF}</p>
        </header>
    }
}

/// The ways out of the page.
#[component]
pub(super) fn Outlets(text: Memo<String>, file: RwSignal<Option<Arc<[u8]>>>) -> impl IntoView {
    let refused = RwSignal::new(String::new());
    let save = move |_| {
        let json = text.with_untracked(|text| file.with_untracked(|file| desk::json(text, file.as_deref())));
        match json {
            Ok(json) => {
                refused.set(String::new());
                report::save(words::JSON_NAME, "application/json", &(json + "\n"));
            }
            Err(sentences) => refused.set(sentences.join(" ")),
        }
    };
    view! {
        <div class="outlets">
            <button type="button" id="print" on:click=move |_| report::print()>{words::PRINT}</button>
            <button type="button" id="save-json" on:click=save>{words::JSON}</button>
            <p class="problem" role="alert">{move || refused.get()}</p>
        </div>
    }
}

/// All that is set, for paper, where there are no fields.
#[component]
pub(super) fn AskedFor(question: Question, text: Memo<String>, file: RwSignal<Option<Arc<[u8]>>>) -> impl IntoView {
    let rows = question
        .entries("")
        .into_iter()
        .map(|entry| {
            let (name, usual) = (entry.name, entry.text);
            let value =
                memo(Box::new(move || text.with(|text| desk::value(text, name)).unwrap_or_else(|| usual.clone())));
            let choices = entry.choices;
            let named = say(move || {
                let value = value.get();
                let named = choices.iter().find(|(id, _)| *id == value).map(|(_, name)| name.clone());
                named.unwrap_or(value)
            });
            view! { <div hidden=move || value.with(String::is_empty)><dt>{entry.label}</dt><dd>{named}</dd></div> }
        })
        .collect_view();
    view! {
        <div class="asked-for">
            <h3>{words::ASKED}</h3>
            <dl>{rows}</dl>
            {move || file.with(Option::is_some).then(|| view! { <p>{words::OWN_FILE}</p> })}
        </div>
    }
}
