//! A button with a sign on it.

use leptos::prelude::*;

/// A button whose sign is for the eye and whose label is for everyone else.
#[component]
pub(crate) fn IconButton(
    /// Stable name, for tests and for styles.
    id: &'static str,
    /// What it does.
    #[prop(into)]
    label: Signal<&'static str>,
    /// The sign.
    #[prop(into)]
    sign: Signal<&'static str>,
    /// Called when pressed.
    on_press: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button
            id=id
            type="button"
            class="icon"
            aria-label=move || label.get()
            title=move || label.get()
            on:click=move |_| on_press()
        >
            <span aria-hidden="true">{move || sign.get()}</span>
        </button>
    }
}
