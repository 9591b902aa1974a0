//! An empty element of the page. After a part is loaded, the part fills this element.

use leptos::html::Div;
use leptos::prelude::*;

use crate::browser::slot;
use crate::part_state::Fill;

/// An element of the page. The part fills this element after the part is loaded.
#[component]
pub(crate) fn PartSlot(
    /// Returns the drawing function, or `None` until the part is loaded.
    fill: Box<dyn Fn() -> Option<Fill>>,
    /// True if the element is visible.
    shown: Memo<bool>,
) -> impl IntoView {
    let place: NodeRef<Div> = NodeRef::new();
    slot::follow(place, fill);
    view! { <div class="opened" node_ref=place hidden=move || !shown.get()></div> }
}
