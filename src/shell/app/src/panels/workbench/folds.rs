//! The current fold in words, and the settings for the order of folds. The array view shows the position of the fold in
//! A, B and C.

use leptos::prelude::*;
use studio::{Action, Edit, Tool};
use words::{bench, picture};

use crate::ctx::use_ctx;
use crate::panels::setup::Timing;

/// The current fold in words, a switch that repeats the fold, and the choices of the design.
#[component]
pub(crate) fn Folds() -> impl IntoView {
    let ctx = use_ctx();
    let words = ctx.text_of_moment(picture::operand_map);
    let loops = move || ctx.session().with(|session| session.tools.repeats_fold);
    view! {
        <div class="bench" id="tiles">
            <p class="hint">{words}</p>
            <label class="check">
                <input
                    id="loop"
                    type="checkbox"
                    prop:checked=loops
                    on:change=move |event| {
                        let text = if event_target_checked(&event) { "fold" } else { "" };
                        ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Repeat, text.to_owned())));
                    }
                />
                {bench::LOOP_FOLD}
            </label>
            <Timing />
        </div>
    }
}
