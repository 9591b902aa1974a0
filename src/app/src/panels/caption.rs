//! The cycle in words, for the eye; and for the screen reader when time rests.

use leptos::prelude::*;
use studio::Plan;
use studio::words::caption::{self, Caption as Words};
use systolic::PeId;

use crate::ctx::{Ctx, Text, text_from, use_ctx};

/// The caption of this moment: of the machine with a defect, where there is one.
fn words(ctx: Ctx, plan: &Plan, pe: Option<PeId>) -> Words {
    let broken = || Some((ctx.workbench()?.caption)(plan, &*ctx.broken.get()?, pe));
    broken().unwrap_or_else(|| caption::caption(plan, ctx.cycle.get(), pe))
}

/// The caption, two lines of a fixed height, and the status of the screen reader.
#[component]
pub(crate) fn Caption() -> impl IntoView {
    let ctx = use_ctx();
    let now = Memo::new(move |_| ctx.plan.with(|plan| words(ctx, plan, ctx.focused_pe.get())));
    let part = move |part: fn(&Words) -> &String| -> Text { text_from(move || now.with(|words| part(words).clone())) };
    // Silent while playing: a message per frame would drown everything else.
    let status = text_from(move || {
        if ctx.playing.get() {
            return String::new();
        }
        let selected = ctx.session().with(|session| session.view.selected);
        ctx.plan.with(|plan| words(ctx, plan, selected).at(plan, ctx.cycle.get()))
    });
    view! {
        <p class="caption-line" id="caption">
            <strong>{part(|words| &words.headline)}</strong> " " <span>{part(|words| &words.sentence)}</span>
        </p>
        <p class="unseen" role="status" aria-live="polite" id="status">{status}</p>
    }
}
