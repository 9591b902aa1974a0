//! The headline on one line, for a page whose counts are behind a tab.

use leptos::prelude::*;
use words::busy;
use words::figures::ArrayAtAGlance;

use super::classes::Bar;
use super::{array_of_run, parts_of_run, so_far};
use crate::ctx::{Text, text_from, use_ctx};
use crate::tab::Tab;

/// MFU and cost of the array with the bar of its PE-cycles, as a button that opens the reasons.
#[component]
pub(crate) fn WhyLine() -> impl IntoView {
    let ctx = use_ctx();
    let (parts, array) = (parts_of_run(ctx), array_of_run(ctx, so_far(ctx)));
    let [whole, so_far] = [array.whole, array.so_far].map(|of| {
        move |part: fn(&ArrayAtAGlance) -> &str| -> Text { text_from(move || of.with(|now| part(now).to_owned())) }
    });
    view! {
        <button
            type="button"
            class="why-line"
            id="why-line"
            aria-expanded=text_from(move || (ctx.view.tab.get() == Tab::Why).to_string())
            on:click=move |_| ctx.view.tab.update(|tab| *tab = if *tab == Tab::Why { Tab::Run } else { Tab::Why })
        >
            <span>
                <b>{whole(|now| &now.mfu)}</b> " "
                <small>{ctx.text_of_plan(busy::mfu)} " · " <i>{so_far(|now| &now.mfu)} " " {busy::SO_FAR}</i></small>
            </span>
            <Bar parts class="why-bar" />
            <span>
                <b>{whole(|now| &now.cost)}</b> " "
                <small>{busy::PER_1E18} " · " <i>{so_far(|now| &now.cost)} " " {busy::SO_FAR}</i></small>
            </span>
            <span><b>{whole(|now| &now.times)}</b> " " <small>{busy::OF_FULL}</small></span>
        </button>
    }
}
