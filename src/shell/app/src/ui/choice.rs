//! A native list of choices with a label.

use leptos::prelude::*;

use super::FieldProblem;
use crate::ctx::Text;

/// Function that returns the text after the name of a value.
pub(crate) type Note = std::sync::Arc<dyn Fn(&'static str) -> Option<String> + Send + Sync>;

/// A label and a native select.
#[component]
pub(crate) fn Choice(
    /// Stable id that tests and styles use.
    id: &'static str,
    /// The visible label.
    label: &'static str,
    /// Explanation of the choice, in a tooltip.
    #[prop(optional)]
    help: &'static str,
    /// Heading in place of the label, if the heading is more than a text.
    #[prop(optional)]
    heading: Option<AnyView>,
    /// Values with their names.
    options: Vec<(&'static str, String)>,
    /// Text after the name of a value.
    #[prop(optional)]
    note: Option<Note>,
    /// The chosen value.
    value: Text,
    /// Problem of the chosen value; empty if the value can be used.
    #[prop(optional)]
    problem: Option<Text>,
    /// Called with the new value.
    on_change: Box<dyn Fn(String)>,
) -> impl IntoView {
    let chosen = untrack(|| value());
    let options = options
        .into_iter()
        .map(|(key, name)| {
            let note = note.clone().map(|note| move || note(key).map(|text| ["· ", &text].concat()));
            view! { <option value=key selected=key == chosen>{name} {note}</option> }
        })
        .collect_view();
    let name = heading.is_some().then_some(label);
    let heading = heading.unwrap_or_else(|| view! { <label for=id title=help>{label}</label> }.into_any());
    view! {
        <div class="field">
            {heading}
            <select id=id aria-label=name prop:value=value on:change=move |event| on_change(event_target_value(&event))>
                {options}
            </select>
            {problem.map(|text| view! { <FieldProblem id text /> })}
        </div>
    }
}
