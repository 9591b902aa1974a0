//! A custom model: a file that is read in the browser tab, or pasted text. If a file or text cannot be used, the
//! answers do not change.

use std::sync::Arc;

use ::report::{model as words, own as said, report_page};
use estimate::{Imported, named_after};
use leptos::prelude::*;

use crate::browser::entries;
use crate::browser::file::{self, FileEvent};

/// A custom model, and the state of reading it.
#[derive(Clone, Copy)]
pub(super) struct Own {
    /// Last file or text that could be used.
    pub(super) file: RwSignal<Option<Arc<Imported>>>,
    /// Name of the file, or the progress of reading it.
    name: RwSignal<String>,
    /// Problems of the latest text or file, one sentence each.
    problems: RwSignal<Vec<String>>,
}

impl Own {
    pub(super) fn new() -> Self {
        Self { file: RwSignal::new(None), name: RwSignal::default(), problems: RwSignal::default() }
    }

    /// True if the latest text or file cannot be used, so that the answer is for another model.
    pub(super) fn is_refused(self) -> bool {
        self.problems.with(|problems| !problems.is_empty())
    }

    /// Removes the custom model, and returns to the chosen model.
    pub(super) fn leave(self) {
        file::stop();
        self.name.set(String::new());
        self.problems.set(Vec::new());
        if self.file.with_untracked(Option::is_some) {
            self.file.set(None);
        }
    }

    fn report(self, event: FileEvent) {
        match event {
            FileEvent::Progress(own, part) => {
                let said = words::reading(&own, part);
                if self.name.with_untracked(|name| *name != said) {
                    self.name.set(said);
                }
            }
            FileEvent::Done(own, imported) => {
                let imported = named_after(&own, *imported);
                let problems = said::problems(&imported);
                self.name.set(own);
                if problems.is_empty() {
                    self.file.set(Some(Arc::new(imported)));
                }
                self.problems.set(problems);
            }
        }
    }
}

/// The input fields for a custom model, with a summary of the model and its problems.
#[component]
pub(super) fn OwnModel(own: Own) -> impl IntoView {
    let pasted = move |text: String| {
        if text.trim().is_empty() { own.leave() } else { file::read_text(&text, move |event| own.report(event)) }
    };
    // A summary of an earlier model would not match the refused text in the field.
    let read = move || {
        if own.is_refused() {
            return String::new();
        }
        own.file.with(|file| match file.as_deref() {
            Some(Ok(content)) => said::read_back(content),
            _ => String::new(),
        })
    };
    let problems = move || {
        own.problems.get().into_iter().map(|sentence| view! { <p class="problem">{sentence}</p> }).collect_view()
    };
    view! {
        <details class="own more" id="own">
            <summary>{words::PASTE}</summary>
            <p class="hint">{words::IMPORT} ". " {words::STAYS_HERE}</p>
            <p class="hint"><a id="tracer" href=words::TRACER download target="_blank" rel="noopener">{words::TRACER}</a> " " {words::TRACER_LISTS}</p>
            <pre class="command"><code>{words::TRACER_COMMAND}</code></pre>
            <p class="hint">{words::TRACER_BUILD}</p>
            <label class="unseen" for="own-text">{words::PASTE}</label>
            <textarea id="own-text" rows="3" spellcheck="false" aria-describedby="own-problems" placeholder=words::PASTE_HINT on:change=move |event| pasted(event_target_value(&event)) on:paste=move |event| entries::after_paste(&event, pasted)></textarea>
            <div id="own-problems" role="alert">{problems}</div>
            <p id="own-read" role="status">{read}</p>
            <p class="hint" hidden=move || own.file.with(Option::is_none)>{report_page::OWN_FILE}</p>
            <div class="file">
                <input
                    class="unseen"
                    id="own-file"
                    type="file"
                    on:change=move |event| file::read(&event, move |event| own.report(event))
                />
                <label class="button" for="own-file">{words::FILE}</label>
                <span>{move || own.name.get()}</span>
                <button type="button" id="own-none" hidden=move || own.file.with(Option::is_none) on:click=move |_| own.leave()>
                    {words::NO_OWN}
                </button>
            </div>
        </details>
    }
}
