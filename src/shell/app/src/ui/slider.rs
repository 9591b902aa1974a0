//! A slider whose positions represent values.

use leptos::prelude::*;
use std::rc::Rc;

use studio::slider::{place_of, value_at};

/// A native slider for numbers from 1 to `most`.
#[component]
pub(crate) fn Slider(
    /// Stable id that tests and styles use.
    id: String,
    /// The name that a screen reader says.
    label: &'static str,
    /// Largest number.
    most: u64,
    /// Current number.
    value: Memo<u64>,
    /// Called with each number during a drag.
    on_drag: Box<dyn Fn(u64)>,
    /// Called with the number at the end of a drag.
    on_settle: Box<dyn Fn(u64)>,
) -> impl IntoView {
    // A finger sets the slider before the browser knows that the finger scrolls the page. So the value before the touch
    // is kept.
    let before = StoredValue::new(value.get_untracked());
    let settle = Rc::new(on_settle);
    let restore = Rc::clone(&settle);
    // A range always has a number.
    let chosen = |event| event_target_value(&event).parse().map_or(1, value_at);
    view! {
        <input
            id=id
            class="slider"
            type="range"
            min="0"
            max=place_of(most).to_string()
            step="1"
            aria-label=label
            aria-valuetext=move || value.get().to_string()
            prop:value=move || place_of(value.get()).to_string()
            on:pointerdown=move |_| before.set_value(value.get_untracked())
            on:pointercancel=move |_| restore(before.get_value())
            on:input=move |event| on_drag(chosen(event))
            on:change=move |event| settle(chosen(event))
        />
    }
}
