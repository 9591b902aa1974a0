//! Matrices that are typed or pasted.

use leptos::prelude::*;
use studio::words::{label, message};
use studio::{Action, Field};

use crate::ctx::use_ctx;

/// A text area for A and one for B.
#[component]
pub(crate) fn Matrices() -> impl IntoView {
    view! {
        <fieldset class="matrices">
            <legend>{label::PASTE}</legend>
            <MatrixField field=Field::A />
            <MatrixField field=Field::B />
            <p class="hint">{label::PASTE_HINT}</p>
        </fieldset>
    }
}

#[component]
fn MatrixField(field: Field) -> impl IntoView {
    let ctx = use_ctx();
    let problem = ctx.part(move |session| session.problem(field).map(message::problem));
    // One row per line is easier to read than the link's semicolons.
    let text = ctx.part(move |session| session.field_text(field).replace(';', "\n"));
    let (draft, set_draft) = signal(None::<String>);
    let message_id = format!("{}-problem", field.id());
    let described_by = message_id.clone();
    view! {
        <div class="matrix">
            <label for=field.id()>{label::field(field)}</label>
            <textarea
                id=field.id()
                rows="4"
                spellcheck="false"
                autocomplete="off"
                title=label::field_help(field)
                aria-invalid=move || problem.with(Option::is_some).to_string()
                aria-describedby=move || problem.with(Option::is_some).then(|| described_by.clone())
                prop:value=move || draft.get().unwrap_or_else(|| text.get())
                on:input=move |event| set_draft.set(Some(event_target_value(&event)))
                on:change=move |event| {
                    set_draft.set(None);
                    ctx.dispatch(&Action::Set(field, event_target_value(&event)));
                }
            ></textarea>
            {move || {
                let id = message_id.clone();
                problem.get().map(|text| view! { <p id=id class="problem" role="alert">{text}</p> })
            }}
        </div>
    }
}
