//! A number that is typed. What was typed stays, also when it cannot be used.

use leptos::prelude::*;

/// A text input for a whole number; the up and down arrows step it.
#[component]
pub(crate) fn NumberField(
    /// Stable name, for tests and for styles.
    id: &'static str,
    /// The name that a screen reader says and the tooltip shows.
    label: &'static str,
    /// What it means, in a tooltip.
    help: &'static str,
    /// The text to show.
    #[prop(into)]
    text: Signal<String>,
    /// What is wrong with it.
    #[prop(into)]
    problem: Signal<Option<String>>,
    /// Called with each new text.
    on_input: impl Fn(String) + Clone + 'static,
) -> impl IntoView {
    let step = on_input.clone();
    let message_id = format!("{id}-problem");
    let described_by = message_id.clone();
    view! {
        <input
            id=id
            class="number"
            type="text"
            inputmode="numeric"
            autocomplete="off"
            aria-label=label
            title=help
            prop:value=move || text.get()
            aria-invalid=move || problem.with(Option::is_some).to_string()
            aria-describedby=move || problem.with(Option::is_some).then(|| described_by.clone())
            on:input=move |event| on_input(event_target_value(&event))
            on:keydown=move |event| {
                let by = match event.key().as_str() {
                    "ArrowUp" => 1i64,
                    "ArrowDown" => -1,
                    _ => return,
                };
                let by = if event.shift_key() { by * 10 } else { by };
                if let Ok(value) = text.get_untracked().trim().parse::<i64>() {
                    event.prevent_default();
                    step(value.saturating_add(by).to_string());
                }
            }
        />
        {move || {
            let id = message_id.clone();
            problem.get().map(|text| view! { <p id=id class="problem" role="alert">{text}</p> })
        }}
    }
}
