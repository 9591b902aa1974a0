//! What is wrong with a field, beside it.

use leptos::prelude::*;

use crate::ctx::Text;

/// A sentence that is announced when it appears; empty, it takes no room.
#[component]
pub(crate) fn FieldProblem(
    /// The field's stable name.
    id: &'static str,
    /// The sentence.
    text: Text,
) -> impl IntoView {
    view! { <p id=message_id(id) class="problem" role="alert">{text}</p> }
}

/// The name of the element with a field's problem.
pub(crate) fn message_id(id: &str) -> String {
    format!("{id}-problem")
}
