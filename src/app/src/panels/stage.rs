//! The array on its canvas, with the keys and the pointer.

use leptos::html::Canvas;
use leptos::prelude::*;
use studio::Action;
use studio::words::caption;

use crate::browser::{keys, paint};
use crate::ctx::use_ctx;

/// The array.
#[component]
pub(crate) fn Stage() -> impl IntoView {
    let ctx = use_ctx();
    let canvas: NodeRef<Canvas> = NodeRef::new();
    let size = paint::stage(canvas, ctx);
    let selected = move || ctx.session().with_untracked(|session| session.view.selected.is_some());
    let stale = ctx.ask(studio::Session::is_stale);
    view! {
        <section
            class="stage"
            class:stale=move || stale.get()
            id="stage"
            tabindex="0"
            role="application"
            aria-roledescription="array"
            aria-label=ctx.say_of_plan(caption::stage)
            aria-describedby="caption"
            on:keydown=move |event| {
                if event.key() == "?" {
                    keys::open_help();
                } else if event.key() == "Escape" && selected() {
                    ctx.dispatch(&Action::Select(None));
                } else if event.key() == "Escape" {
                    keys::leave("stage");
                } else if let Some(action) = keys::action(ctx, &event) {
                    event.prevent_default();
                    ctx.dispatch(&action);
                }
            }
        >
            <canvas
                node_ref=canvas
                aria-hidden="true"
                on:pointermove=move |event| ctx.hover(keys::pe_at(ctx, &event, size.get_untracked()))
                on:pointerleave=move |_| ctx.hover(None)
                on:click=move |event| {
                    let pe = keys::pe_at(ctx, &event, size.get_untracked());
                    let chosen = ctx.session().with_untracked(|session| session.view.selected);
                    ctx.dispatch(&Action::Select(pe.filter(|pe| Some(*pe) != chosen)));
                }
            ></canvas>
        </section>
    }
}
