//! The event log: the run as text, cycle by cycle.

use leptos::prelude::*;
use words::{bench, caption};

use crate::ctx::{text_from, use_ctx};

/// The captions of the current cycle and later cycles, for reading and copying.
#[component]
pub(crate) fn Transcript() -> impl IntoView {
    let ctx = use_ctx();
    // A button that opens the tool also opens the text. A link shows the tool with its text folded, because links are
    // stable.
    let by_button = ctx.session().with_untracked(|session| session.opened.is_some());
    let open = RwSignal::new(by_button);
    // The text is written only while it is open and time is paused, because a text that changes with every frame cannot
    // be read.
    let text = text_from(move || {
        if !open.get() || ctx.playing.get() {
            return String::new();
        }
        let selected = ctx.session().with(|session| session.view.selected);
        ctx.plan.with(|plan| caption::transcript(plan, ctx.cycle.get(), selected))
    });
    view! {
        <div class="bench" id="transcript">
            <details prop:open=by_button>
                <summary on:click=move |_| open.update(|open| *open = !*open)>{bench::TRANSCRIPT_OPEN}</summary>
                <pre tabindex="0">{text}</pre>
            </details>
        </div>
    }
}
