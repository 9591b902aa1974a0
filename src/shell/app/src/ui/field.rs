//! A text field for a number. The typed text stays, even if it cannot be used.

use leptos::prelude::*;

use super::problem::{FieldProblem, message_id};
use crate::browser::focus;
use crate::ctx::{Text, text_from};

/// A text input for a whole number. The up and down arrow keys change the number.
#[component]
pub(crate) fn NumberField(
    /// Stable id that tests and styles use.
    id: &'static str,
    /// The name that a screen reader says and the tooltip shows.
    label: &'static str,
    /// Explanation of the number, in a tooltip.
    help: &'static str,
    /// The text to show.
    text: Text,
    /// Problem of the text; empty if the text can be used.
    problem: Text,
    /// Called with each new text.
    on_input: Box<dyn Fn(String)>,
) -> impl IntoView {
    let wrong = problem.clone();
    let invalid = text_from(move || (!wrong().is_empty()).to_string());
    let on_input = std::rc::Rc::new(on_input);
    let (step, end) = (std::rc::Rc::clone(&on_input), std::rc::Rc::clone(&on_input));
    let current = text.clone();
    view! {
        <input
            id=id
            class="number"
            type="text"
            inputmode="numeric"
            autocomplete="off"
            aria-label=label
            title=help
            prop:value=text
            aria-invalid=invalid
            aria-describedby=message_id(id)
            on:input=move |event| on_input(event_target_value(&event))
            // If the text is entered again without a change, the typing ends.
            on:change=move |event| end(event_target_value(&event))
            // A typed number replaces the whole number.
            on:focus=move |event| focus::choose_all(&event)
            on:keydown=move |event| {
                let by = match event.key().as_str() {
                    "ArrowUp" => 1i64,
                    "ArrowDown" => -1,
                    _ => return,
                };
                let by = if event.shift_key() { by * 10 } else { by };
                if let Ok(value) = untrack(|| current()).trim().parse::<i64>() {
                    event.prevent_default();
                    step(value.saturating_add(by).to_string());
                }
            }
        />
        <FieldProblem id text=problem />
    }
}
