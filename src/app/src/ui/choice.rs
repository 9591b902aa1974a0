//! A native list of choices with a label.

use leptos::prelude::*;

/// A label and a native select.
#[component]
pub(crate) fn Choice(
    /// Stable name, for tests and for styles.
    id: &'static str,
    /// The visible label.
    label: &'static str,
    /// What it means, in a tooltip.
    #[prop(optional)]
    help: &'static str,
    /// Values with their names.
    options: Vec<(&'static str, String)>,
    /// The chosen value.
    #[prop(into)]
    value: Signal<String>,
    /// What is wrong with it.
    #[prop(into, optional)]
    problem: Option<Signal<Option<String>>>,
    /// Called with the new value.
    on_change: impl Fn(String) + 'static,
) -> impl IntoView {
    let options = options
        .into_iter()
        .map(|(key, name)| view! { <option value=key selected=move || value.with(|value| value == key)>{name}</option> })
        .collect_view();
    view! {
        <div class="field">
            <label for=id title=help>{label}</label>
            <select
                id=id
                prop:value=move || value.get()
                on:change=move |event| on_change(event_target_value(&event))
            >
                {options}
            </select>
            {move || problem.and_then(|problem| problem.get()).map(|text| view! { <p class="problem" role="alert">{text}</p> })}
        </div>
    }
}
