//! The cycle in words, for the eye; and for the screen reader when time rests.

use leptos::prelude::*;
use studio::Plan;
use studio::words::caption::{self, Caption as Words};
use systolic::PeId;

use crate::ctx::{Ctx, Text, memo, text_from, use_ctx};
use crate::parts;
use crate::ui::PartSlot;

/// The caption of this moment: of the machine with a defect, where there is one.
pub(crate) fn words(ctx: Ctx, plan: &Plan, pe: Option<PeId>) -> Words {
    let broken = || Some((ctx.workbench()?.caption)(plan, &*ctx.broken.get()?, pe));
    broken().unwrap_or_else(|| caption::caption(plan, ctx.cycle.get(), pe))
}

/// The caption, two lines of a fixed height, and the status of the screen reader.
#[component]
pub(crate) fn Caption() -> impl IntoView {
    let ctx = use_ctx();
    let now = Memo::new(move |_| ctx.plan.with(|plan| words(ctx, plan, ctx.focused_pe.get())));
    // At rest its words open, once those who explain them are there.
    let opens = memo(Box::new(move || ctx.parts.sides.with(Option::is_some) && !ctx.playing.get()));
    let part = move |part: fn(&Words) -> String| -> Text {
        text_from(move || if opens.get() { String::new() } else { now.with(part) })
    };
    // Silent while playing: a message per frame would drown everything else.
    let status = text_from(move || {
        if ctx.playing.get() {
            return String::new();
        }
        let selected = ctx.session().with(|session| session.view.selected);
        ctx.plan.with(|plan| words(ctx, plan, selected).at(plan, ctx.cycle.get()))
    });
    view! {
        <div class="caption-line" id="caption">
            <strong hidden=move || opens.get()>{part(|words| words.headline.clone())}</strong>
            <span>{part(|words| format!(" {}", words.sentence))}</span>
            <PartSlot fill=parts::side(ctx, |sides| sides.caption) shown=opens />
        </div>
        <p class="unseen" role="status" aria-live="polite" id="status">{status}</p>
    }
}
