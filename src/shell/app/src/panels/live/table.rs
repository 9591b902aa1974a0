//! The tables of the shown cycle, for screen readers and for people who prefer to read.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use words::table::{self, Table};

use crate::browser::timer::later;
use crate::browser::{details, focus};
use crate::ctx::{text_from, use_ctx};
use crate::tab::Tab;
use crate::ui::table_html;

/// Link to the tables of the cycle. A person sees the link only while it has the focus. The array view is a picture,
/// and the tables contain all its values.
#[component]
pub(crate) fn TableLink() -> impl IntoView {
    let ctx = use_ctx();
    let show = move |event: MouseEvent| {
        event.prevent_default();
        ctx.view.tab.set(Tab::Why);
        details::open("run-details");
        // A panel behind a tab is visible only after this task.
        later(|| focus::focus("cycle-tables-title"), core::time::Duration::ZERO);
    };
    view! { <a class="skip" href="#cycle-tables" on:click=show>{table::OPEN}</a> }
}

/// The tables of the cycle. The tables change only while they are visible and time is paused, because nobody can read a
/// table that changes with every frame.
#[component]
pub(super) fn CycleTables(
    /// True while the tables are visible.
    is_open: RwSignal<bool>,
) -> impl IntoView {
    let ctx = use_ctx();
    let tables = Memo::new(move |before: Option<&Option<[Table; 4]>>| {
        if !is_open.get() || ctx.tools.broken.with(Option::is_some) {
            return None;
        }
        if ctx.playing.get() {
            return before.cloned().flatten();
        }
        let selected = ctx.session().with(|session| session.view.selected);
        Some(ctx.plan.with(|plan| table::tables(plan, ctx.cycle.get(), selected)))
    });
    let html =
        text_from(move || tables.with(|tables| tables.iter().flatten().map(table_html).collect::<Vec<_>>().concat()));
    view! {
        <section id="cycle-tables">
            <h3 id="cycle-tables-title" tabindex="-1">{table::OPEN}</h3>
            <p class="hint" hidden=move || ctx.tools.broken.with(Option::is_none)>{table::BROKEN}</p>
            <div class="cycle-tables" inner_html=html></div>
        </section>
    }
}
