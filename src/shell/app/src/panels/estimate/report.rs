//! The estimate as a report: a printed page with its own header and all inputs, or a file.

use std::sync::Arc;

use ::report::{Answer, FormEntry, csv, form_with, invalid, json, report_page as words, svg};
use ::words::{label, share};
use estimate::Answered;
use leptos::prelude::*;
use studio::Chrome;

use crate::browser::location;
use crate::browser::{download, palette};
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

/// The buttons that print the answer, or save it as a file.
#[component]
pub(super) fn ExportButtons(answered: Memo<Arc<Answered>>, answer: Memo<Arc<Answer>>) -> impl IntoView {
    let refused = RwSignal::new(String::new());
    let said = RwSignal::new(String::new());
    let can = move |printed: bool| said.set(if printed { String::new() } else { share::CANNOT_PRINT.to_owned() });
    let save = move |name: &'static str, kind: &'static str, text: Result<String, Vec<String>>| {
        let text = match text {
            Ok(text) => text,
            Err(why) => {
                said.set(String::new());
                refused.set(why.join(" "));
                return;
            }
        };
        refused.set(String::new());
        said.set(match download::save_bytes(name, kind, text.as_bytes()) {
            Ok(()) if download::is_in_sandbox() => share::saved_in_sandbox(name),
            Ok(()) => share::saved(name),
            Err(_) => share::FAILED.to_owned(),
        });
    };
    let as_json = move |_| {
        let text = answered
            .with_untracked(|answered| answered.model().map(|answer| json(answer) + "\n").map_err(invalid::why));
        save(words::JSON_NAME, "application/json", text);
    };
    let as_csv =
        move |_| save(words::CSV_NAME, "text/csv", answer.with_untracked(|answer| csv(answer)).ok_or_else(nothing));
    let as_svg = move |_| {
        let text = answer.with_untracked(|answer| svg(answer, &palette::color));
        save(words::SVG_NAME, "image/svg+xml", text.ok_or_else(nothing));
    };
    view! {
        <div class="exports">
            <button type="button" id="print" on:click=move |_| can(print::print())>{words::PRINT}</button>
            <button type="button" id="print-all" on:click=move |_| can(print::print_with_details())>{words::PRINT_ALL}</button>
            <button type="button" id="save-csv" on:click=as_csv>{words::CSV}</button>
            <button type="button" id="save-json" on:click=as_json>{words::JSON}</button>
            <button type="button" id="save-svg" on:click=as_svg>{words::SVG}</button>
            <span class="said" role="status">{said}</span>
            <p class="problem" role="alert">{move || refused.get()}</p>
        </div>
    }
}

/// Reason for a file without an answer.
fn nothing() -> Vec<String> {
    vec![share::FAILED.to_owned()]
}

/// The list of all inputs for the printed report, which has no entry fields.
#[component]
pub(super) fn Inputs(rested: ReadSignal<Arc<Answered>>) -> impl IntoView {
    let rows = move || {
        let entries = rested.with(|answered| form_with(answered));
        let set = entries.into_iter().filter(|entry| !entry.text.is_empty() && !entry.is_idle);
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
            {move || rested.with(|answered| answered.file().is_some()).then(|| view! { <p>{words::OWN_FILE}</p> })}
        </div>
    }
}
