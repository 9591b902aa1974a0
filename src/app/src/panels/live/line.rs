//! The headline on one line, for a page whose counts are behind a tab.

use leptos::prelude::*;
use words::busy;
use words::figures::{self, OnChipAtAGlance};

use super::classes::Bar;
use super::parts_of_run;
use crate::ctx::{Text, text_from, use_ctx};
use crate::tab::Tab;

/// The utilization of the array with its bar, as a button that opens the reasons.
#[component]
pub(crate) fn WhyLine() -> impl IntoView {
    let ctx = use_ctx();
    let parts = parts_of_run(ctx);
    let now = text_from(move || ctx.plan.with(|plan| busy::share(&plan.schedule().tally_until(ctx.cycle.get()))));
    let on_chip = Memo::new(move |_| ctx.plan.with(|plan| figures::on_chip_at_a_glance(plan)));
    let part =
        move |part: fn(&OnChipAtAGlance) -> &str| -> Text { text_from(move || on_chip.with(|on| part(on).to_owned())) };
    view! {
        <button
            type="button"
            class="why-line"
            id="why-line"
            aria-expanded=text_from(move || (ctx.tab.get() == Tab::Why).to_string())
            on:click=move |_| ctx.tab.update(|tab| *tab = if *tab == Tab::Why { Tab::Run } else { Tab::Why })
        >
            <span>
                <b>{ctx.text_of_plan(|plan| busy::share(&plan.schedule().tally()))}</b> " "
                <small>{busy::UTILIZATION_WORD} " · " <i>{now} " " {busy::SO_FAR}</i></small>
            </span>
            <Bar parts class="why-bar" />
            <span><b>{part(|now| &now.mfu)}</b> " " <small>{ctx.text_of_plan(busy::mfu_on)}</small></span>
            <span><b>{part(|now| &now.cost)}</b> " " <small>{part(|now| now.per)}</small></span>
        </button>
    }
}
