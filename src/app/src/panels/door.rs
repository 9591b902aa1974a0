//! A link to a part of the page.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use studio::LazyPart;

use crate::browser::address;
use crate::ctx::{text_from, use_ctx};
use crate::parts;

/// Opens the part in place; with a key held it is a link as any other. The part is fetched when somebody comes near.
#[component]
pub(crate) fn Door(id: &'static str, part: LazyPart, label: &'static str) -> impl IntoView {
    let ctx = use_ctx();
    let open = move |event: MouseEvent| {
        if is_plain(&event) {
            event.prevent_default();
            parts::open(ctx, part);
        }
    };
    view! {
        <a
            id=id
            class="hint"
            href=text_from(move || address::link_in(ctx, part.chrome()))
            on:click=open
            on:pointerenter=move |_| parts::near(part)
            on:focus=move |_| parts::near(part)
        >
            {label}
        </a>
    }
}

/// Whether a click asks for nothing more than to follow the link here.
pub(crate) fn is_plain(event: &MouseEvent) -> bool {
    event.button() == 0 && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
}
