//! The caption of the cycle, and the same text for screen readers while time is paused.

use leptos::prelude::*;
use words::caption::Caption as Words;

use crate::ctx::{Text, text_from, use_ctx};
use crate::telling::{SPOKEN, caption_for, current_caption};

/// The caption in two lines of a fixed height, and the status message for screen readers.
#[component]
pub(crate) fn Caption() -> impl IntoView {
    let ctx = use_ctx();
    let now = Memo::new(move |_| current_caption(ctx));
    let part = move |part: fn(&Words) -> &String| -> Text { text_from(move || now.with(|words| part(words).clone())) };
    // The status is empty while the run plays, because a screen reader would read a message per frame and nothing else.
    let status = text_from(move || {
        if ctx.playing.get() {
            return String::new();
        }
        let selected = ctx.session().with(|session| session.view.selected);
        ctx.plan.with(|plan| caption_for(ctx, plan, selected, ctx.pinned_spot(), SPOKEN).at(plan, ctx.cycle.get()))
    });
    view! {
        // While time is paused, a caption with glossary words that a person can open replaces this text, see
        // `opening_words`.
        <p class="caption-line" id="caption">
            <strong>{part(|words| &words.headline)}</strong> " " <span>{part(|words| &words.sentence)}</span>
        </p>
        <p class="unseen" role="status" aria-live="polite" id="status">{status}</p>
    }
}
