//! The headline on one line, for a page whose counts are behind a tab.

use leptos::prelude::*;
use words::busy;

use super::classes::Bar;
use super::parts_of_run;
use crate::ctx::use_ctx;
use crate::tab::Tab;

/// The utilization of the array with its bar, as a button that opens the reasons.
#[component]
pub(crate) fn WhyLine() -> impl IntoView {
    let ctx = use_ctx();
    let parts = parts_of_run(ctx);
    view! {
        <button type="button" class="why-line" id="why-line" on:click=move |_| ctx.tab.set(Tab::Why)>
            <b>{ctx.text_of_plan(|plan| busy::share(&plan.schedule().tally()))}</b>
            " "
            {busy::WHOLE_RUN}
            <Bar parts class="why-bar" />
        </button>
    }
}
