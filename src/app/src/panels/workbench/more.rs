//! What few need, folded away.

use leptos::prelude::*;
use words::bench;

use crate::ctx::Text;

/// Its content, out of sight until somebody opens it or it is needed; from then on it stays.
#[component]
pub(super) fn More(
    /// The name on the page.
    id: &'static str,
    /// Whether what is set can be seen only here.
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

/// What a tool is set to as a link writes it; its problem is shown elsewhere.
#[component]
pub(super) fn LinkText(
    /// The name on the page.
    id: &'static str,
    /// The label.
    label: &'static str,
    /// An example.
    placeholder: &'static str,
    /// The text.
    value: Text,
    /// Receives the text once it was changed.
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
