//! A slider whose positions represent values.

use leptos::prelude::*;
use std::rc::Rc;

use crate::ctx::Text;

/// A native slider with positions from 0 to `last`.
#[component]
pub(crate) fn Slider(
    /// Stable id that tests and styles use.
    id: String,
    /// The name that a screen reader says.
    label: &'static str,
    /// Last position.
    last: u64,
    /// Current position, as digits.
    place: Text,
    /// Value at the current position, as text.
    value: Text,
    /// Called with each position during a drag.
    on_drag: Box<dyn Fn(String)>,
    /// Called with the position at the end of a drag.
    on_settle: Box<dyn Fn(String)>,
) -> impl IntoView {
    // A finger sets the slider before the browser knows that the finger scrolls the page.
    let before = StoredValue::new(String::new());
    let settle = Rc::new(on_settle);
    let restore = Rc::clone(&settle);
    let current = Text::clone(&place);
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
            on:pointerdown=move |_| before.set_value(untrack(|| current()))
            on:pointercancel=move |_| restore(before.get_value())
            on:input=move |event| on_drag(event_target_value(&event))
            on:change=move |event| settle(event_target_value(&event))
        />
    }
}
