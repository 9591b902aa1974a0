//! The problem of a field, shown next to the field.

use leptos::prelude::*;

use crate::ctx::Text;

/// A sentence that a screen reader announces when it appears. An empty sentence takes no space.
#[component]
pub(crate) fn FieldProblem(
    /// Id of the field.
    id: &'static str,
    /// Sentence about the problem.
    text: Text,
) -> impl IntoView {
    view! { <p id=message_id(id) class="problem" role="alert">{text}</p> }
}

/// Returns the id of the element that shows the problem of a field.
pub(crate) fn message_id(id: &str) -> String {
    format!("{id}-problem")
}
