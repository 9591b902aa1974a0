//! Suggested changes of the settings, which are shown when the run is over.

use leptos::prelude::*;
use studio::{Action, suggestion};
use words::{busy, label};

use crate::ctx::use_ctx;

/// Buttons that change one setting each, with the computed effect of the change. Going back in the browser history
/// undoes the change.
#[component]
pub(crate) fn NextSteps() -> impl IntoView {
    let ctx = use_ctx();
    let steps = Memo::new(move |_| {
        let is_over = ctx.cycle.get() == ctx.plan.with(|plan| plan.last()) && !ctx.playing.get();
        // An array with a fault gets no suggestions.
        let is_sound = ctx.broken.with(Option::is_none);
        if is_over && is_sound { ctx.plan.with(|plan| suggestion::suggestions(plan)) } else { Vec::new() }
    });
    view! {
        <div class="next-steps" role="group" aria-label=label::NEXT_STEPS>
            {move || {
                steps
                    .get()
                    .into_iter()
                    .map(|step| {
                        let (title, gives) = busy::next_step(&step);
                        let apply = move |_| step.edits().for_each(|edit| ctx.dispatch(&Action::Edit(edit)));
                        view! {
                            <button type="button" on:click=apply>
                                <b>{title}</b>
                                <span>{gives}</span>
                            </button>
                        }
                    })
                    .collect_view()
            }}
        </div>
    }
}
