//! The cycle in words, for the eye; and for the screen reader when time rests.

use leptos::prelude::*;
use studio::words::caption;

use crate::ctx::use_ctx;

/// The caption and the status of the screen reader.
#[component]
pub(crate) fn Caption() -> impl IntoView {
    let ctx = use_ctx();
    let words = Memo::new(move |_| ctx.plan.with(|plan| caption::caption(plan, ctx.cycle.get(), ctx.told.get())));
    let selected = ctx.part(|session| session.view.selected);
    // Silent while playing: a message per frame would drown everything else.
    let status = Memo::new(move |_| {
        if ctx.playing.get() {
            String::new()
        } else {
            ctx.plan.with(|plan| ctx.playhead().with(|playhead| caption::status(plan, playhead, selected.get())))
        }
    });
    view! {
        <p class="caption-line" id="caption">
            {move || words.with(|words| words.0.clone())} " " <strong>{move || words.with(|words| words.1.clone())}</strong>
            " " {move || words.with(|words| words.2.clone())}
        </p>
        <p class="unseen" role="status" aria-live="polite" id="status">{move || status.get()}</p>
    }
}
