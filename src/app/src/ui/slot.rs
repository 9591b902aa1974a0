//! A place that is filled later, and out of sight until it is.

use leptos::html::Div;
use leptos::prelude::*;

use crate::browser::slot;
use crate::part_state::Fill;

/// The place.
#[component]
pub(crate) fn PartSlot(
    /// What draws it, once that is there.
    fill: Box<dyn Fn() -> Option<Fill>>,
    /// Whether it is in sight.
    shown: Memo<bool>,
) -> impl IntoView {
    let place: NodeRef<Div> = NodeRef::new();
    slot::follow(place, fill);
    view! { <div class="opened" node_ref=place hidden=move || !shown.get()></div> }
}
