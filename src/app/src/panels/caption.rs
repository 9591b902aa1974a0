//! The cycle in words, for the eye; and for the screen reader when time rests.

use leptos::prelude::*;
use studio::words::caption;

use crate::browser::paint;
use crate::ctx::{Say, say, use_ctx};

/// The caption and the status of the screen reader.
#[component]
pub(crate) fn Caption() -> impl IntoView {
    let ctx = use_ctx();
    let words = Memo::new(move |_| {
        ctx.plan.with(|plan| {
            let (cycle, told) = (ctx.cycle.get(), ctx.told.get());
            match paint::broken(ctx) {
                Some(broken) => caption::broken(plan, cycle, &broken, told),
                None => caption::caption(plan, cycle, told),
            }
        })
    });
    let part = move |part: fn(&(String, String, String)) -> &String| -> Say {
        say(move || words.with(|words| part(words).clone()))
    };
    // Silent while playing: a message per frame would drown everything else.
    let status = say(move || {
        if ctx.playing.get() {
            return String::new();
        }
        let selected = ctx.session().with(|session| session.view.selected);
        ctx.plan.with(|plan| match paint::broken(ctx) {
            Some(broken) => {
                let (moment, name, words) = caption::broken(plan, ctx.cycle.get(), &broken, selected);
                format!("{moment} {name} {words}")
            }
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
