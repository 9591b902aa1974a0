//! The estimate as a report: on paper with a head of its own and all that is set, and as a file.

use std::sync::Arc;

use ::words::label;
use estimate::words::{invalid, report as words};
use estimate::{FormEntry, Imported, Query, form};
use leptos::prelude::*;
use studio::Chrome;

use crate::browser::{address, download, print, timing};
use crate::ctx::{text_from, use_ctx};

/// What stands over the report on paper: what it is, its link and the day of its data.
#[component]
pub(super) fn ReportHead() -> impl IntoView {
    let ctx = use_ctx();
    let link = text_from(move || address::absolute_link(&address::link_in(ctx, Chrome::Estimate)));
    print::open_details();
    view! {
        <header class="report-head">
            <h1>{words::TITLE}</h1>
            <p>{label::TITLE} ", " {link}</p>
            <p>{label::CHECKED} {perfmodel::AS_OF}</p>
        </header>
    }
}

/// The answer on paper and as a file.
#[component]
pub(super) fn ExportButtons(query: Memo<Arc<Query>>, file: RwSignal<Option<Arc<Imported>>>) -> impl IntoView {
    let refused = RwSignal::new(String::new());
    let save = move |_| {
        let json = query.with_untracked(|query| file.with_untracked(|file| query.json(file.as_deref())));
        match json {
            Ok(json) => {
                refused.set(String::new());
                download::save(words::JSON_NAME, "application/json", &(json + "\n"));
            }
            Err(refusal) => refused.set(invalid::why(&refusal).join(" ")),
        }
    };
    view! {
        <div class="exports">
            <button type="button" id="print" on:click=move |_| print::print()>{words::PRINT}</button>
            <button type="button" id="save-json" on:click=save>{words::JSON}</button>
            <p class="problem" role="alert">{move || refused.get()}</p>
        </div>
    }
}

/// All that is set, for paper, where there are no fields.
#[component]
pub(super) fn Inputs(query: Memo<Arc<Query>>, file: RwSignal<Option<Arc<Imported>>>) -> impl IntoView {
    let query = timing::debounced(query);
    let rows = move || {
        let entries = query.with(|query| form(query));
        let set = entries.into_iter().filter(|entry| !entry.text.is_empty());
        set.map(|FormEntry { label, choices, text, .. }| {
            let named = choices.into_iter().find(|(id, _)| *id == text).map(|(_, name)| name);
            view! { <div><dt>{label}</dt><dd>{named.unwrap_or(text)}</dd></div> }
        })
        .collect_view()
    };
    view! {
        <div class="inputs">
            <h3>{words::INPUTS}</h3>
            <dl>{rows}</dl>
            {move || file.with(Option::is_some).then(|| view! { <p>{words::OWN_FILE}</p> })}
        </div>
    }
}
