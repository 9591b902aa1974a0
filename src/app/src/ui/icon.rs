//! A button with a sign on it.

use leptos::prelude::*;

use crate::ctx::Text;

/// A button whose sign is for the eye and whose label is for everyone else.
#[component]
pub(crate) fn IconButton(
    /// Stable name, for tests and for styles.
    id: &'static str,
    /// What it does.
    label: Text,
    /// The sign.
    sign: Text,
    /// Called when pressed.
    on_press: Box<dyn Fn()>,
) -> impl IntoView {
    view! {
        <button id=id type="button" class="icon" aria-label=label.clone() title=label on:click=move |_| on_press()>
            <span aria-hidden="true">{sign}</span>
        </button>
    }
}
