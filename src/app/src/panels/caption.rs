//! The cycle in words, for the eye; and for the screen reader when time rests.

use leptos::prelude::*;
use studio::Plan;
use studio::words::caption;
use systolic::PeId;

use crate::ctx::{Ctx, Text, text_from, use_ctx};

/// The caption of a machine with a defect, where there is one.
fn of_broken(ctx: Ctx, plan: &Plan, pe: Option<PeId>) -> Option<(String, String, String)> {
    let (bench, broken) = (ctx.workbench()?, ctx.broken.get()?);
    Some((bench.caption)(plan, ctx.cycle.get(), &broken, pe))
}

/// The caption and the status of the screen reader.
#[component]
pub(crate) fn Caption() -> impl IntoView {
    let ctx = use_ctx();
    let words = Memo::new(move |_| {
        ctx.plan.with(|plan| {
            let (cycle, pe) = (ctx.cycle.get(), ctx.focused_pe.get());
            of_broken(ctx, plan, pe).unwrap_or_else(|| caption::caption(plan, cycle, pe))
        })
    });
    let part = move |part: fn(&(String, String, String)) -> &String| -> Text {
        text_from(move || words.with(|words| part(words).clone()))
    };
    // Silent while playing: a message per frame would drown everything else.
    let status = text_from(move || {
        if ctx.playing.get() {
            return String::new();
        }
        let selected = ctx.session().with(|session| session.view.selected);
        ctx.plan.with(|plan| match of_broken(ctx, plan, selected) {
            Some((moment, name, words)) => format!("{moment} {name} {words}"),
            None => caption::status(plan, ctx.cycle.get(), selected),
        })
    });
    view! {
        <p class="caption-line" id="caption">
            {part(|words| &words.0)} " " <strong>{part(|words| &words.1)}</strong> " " {part(|words| &words.2)}
        </p>
        <p class="unseen" role="status" aria-live="polite" id="status">{status}</p>
    }
}
