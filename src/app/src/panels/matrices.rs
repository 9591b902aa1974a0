//! Matrices that are typed or pasted.

use leptos::prelude::*;
use studio::words::{label, message};
use studio::{Action, Edit, Field};

use crate::ctx::{text_from, use_ctx};
use crate::ui::{FieldProblem, message_id};

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
    let problem = ctx.text(move |session| session.problem(field).map(message::problem).unwrap_or_default());
    let wrong = problem.clone();
    // One row per line is easier to read than the link's semicolons.
    let text = ctx.text(move |session| session.field_text(field).replace(';', "\n"));
    view! {
        <div class="matrix">
            <label for=field.id()>{label::field(field)}</label>
            <textarea
                id=field.id()
                rows="4"
                spellcheck="false"
                autocomplete="off"
                title=label::field_help(field)
                aria-invalid=text_from(move || (!wrong().is_empty()).to_string())
                aria-describedby=message_id(field.id())
                prop:value=text
                on:change=move |event| ctx.dispatch(&Action::Edit(Edit::Set(field, event_target_value(&event))))
            ></textarea>
            <FieldProblem id=field.id() text=problem />
        </div>
    }
}
