//! The estimate as a report: a printed page with its own header and all inputs, or a file.

use std::sync::Arc;

use ::words::estimate::{FormEntry, csv, form, invalid, json, report_page as words};
use ::words::{label, share};
use estimate::{Imported, Query};
use leptos::prelude::*;
use studio::Chrome;

use crate::browser::location;
use crate::browser::{download, timing};
use crate::ctx::{text_from, use_ctx};
use crate::effects::{address, print};

/// The header of the printed report: its title, its link and the date of its data.
#[component]
pub(super) fn ReportHead() -> impl IntoView {
    let ctx = use_ctx();
    let link = text_from(move || location::absolute_link(&address::link_in(ctx, Chrome::Estimate)));
    print::open_details();
    view! {
        <header class="report-head">
            <h1>{words::TITLE}</h1>
            <p>{label::TITLE} ", " {link}</p>
            <p>{label::CHECKED} {perfmodel::AS_OF}</p>
        </header>
    }
}

/// The buttons that print the answer, or save it as JSON.
#[component]
pub(super) fn ExportButtons(query: Memo<Arc<Query>>, file: RwSignal<Option<Arc<Imported>>>) -> impl IntoView {
    let refused = RwSignal::new(String::new());
    let said = RwSignal::new(String::new());
    let print = move |_| said.set(if print::print() { String::new() } else { share::CANNOT_PRINT.to_owned() });
    let save = move |_| {
        let json = query.with_untracked(|query| file.with_untracked(|file| json(query, file.as_deref())));
        match json {
            Ok(json) => {
                refused.set(String::new());
                let name = words::JSON_NAME;
                said.set(match download::save_bytes(name, "application/json", (json + "\n").as_bytes()) {
                    Ok(()) if download::is_in_sandbox() => share::saved_in_sandbox(name),
                    Ok(()) => share::saved(name),
                    Err(_) => share::FAILED.to_owned(),
                });
            }
            Err(refusal) => {
                said.set(String::new());
                refused.set(invalid::why(&refusal).join(" "));
            }
        }
    };
    let save_csv = move |_| {
        let csv = query.with_untracked(|query| file.with_untracked(|file| csv(query, file.as_deref())));
        said.set(match csv.map(|csv| download::save_bytes(words::CSV_NAME, "text/csv", csv.as_bytes())) {
            Some(Ok(())) if download::is_in_sandbox() => share::saved_in_sandbox(words::CSV_NAME),
            Some(Ok(())) => share::saved(words::CSV_NAME),
            Some(Err(_)) | None => share::FAILED.to_owned(),
        });
    };
    view! {
        <div class="exports">
            <button type="button" id="print" on:click=print>{words::PRINT}</button>
            <button type="button" id="save-csv" on:click=save_csv>{words::CSV}</button>
            <button type="button" id="save-json" on:click=save>{words::JSON}</button>
            <span class="said" role="status">{said}</span>
            <p class="problem" role="alert">{move || refused.get()}</p>
        </div>
    }
}

/// The list of all inputs for the printed report, which has no entry fields.
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
