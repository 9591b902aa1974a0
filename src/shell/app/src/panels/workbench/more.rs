//! A folded section for settings that few people need.

use leptos::prelude::*;
use words::bench;

use crate::ctx::Text;

/// A folded section, which opens when a person opens it or when `is_needed` becomes true. Then the section stays open.
#[component]
pub(super) fn More(
    /// Id of the section on the page.
    id: &'static str,
    /// True if only this section shows the current setting.
    is_needed: Memo<bool>,
    children: Children,
) -> impl IntoView {
    let open = Memo::new(move |before: Option<&bool>| before.copied().unwrap_or(false) || is_needed.get());
    view! {
        <details class="more" id=id prop:open=move || open.get()>
            <summary>{bench::MORE}</summary>
            {children()}
        </details>
    }
}

/// A text field for the setting of a tool, in the form that the setting has in a link. Another element shows the
/// problem of the setting.
#[component]
pub(super) fn LinkText(
    /// Id of the text field on the page.
    id: &'static str,
    /// The label.
    label: &'static str,
    /// Example in the empty field.
    placeholder: &'static str,
    /// Text of the field.
    value: Text,
    /// Called with the text after each change.
    on_change: Box<dyn Fn(String)>,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input
                id=id
                type="text"
                autocomplete="off"
                spellcheck="false"
                placeholder=placeholder
                prop:value=value
                aria-describedby=format!("{id}-problem")
                on:change=move |event| on_change(event_target_value(&event))
            />
        </div>
    }
}
