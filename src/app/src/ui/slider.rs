//! A slider whose places stand for values.

use leptos::prelude::*;

use crate::ctx::Text;

/// A native slider from place 0 to the last.
#[component]
pub(crate) fn Slider(
    /// Stable name, for tests and for styles.
    id: String,
    /// The name that a screen reader says.
    label: &'static str,
    /// The last place.
    last: u64,
    /// The place that is shown, as digits.
    place: Text,
    /// What the place stands for.
    value: Text,
    /// Called with each place that it passes over.
    on_drag: Box<dyn Fn(String)>,
    /// Called with the place where it is let go.
    on_settle: Box<dyn Fn(String)>,
) -> impl IntoView {
    view! {
        <input
            id=id
            class="slider"
            type="range"
            min="0"
            max=last.to_string()
            step="1"
            aria-label=label
            aria-valuetext=value
            prop:value=place
            on:input=move |event| on_drag(event_target_value(&event))
            on:change=move |event| on_settle(event_target_value(&event))
        />
    }
}
