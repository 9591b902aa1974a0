//! The tables of the shown cycle, for screen readers and for people who prefer to read.

use leptos::prelude::*;
use words::table::{self, Table};

use crate::browser::details;
use crate::ctx::{text_from, use_ctx};
use crate::ui::table_html;

/// The tables of the cycle, folded by default. The tables change only while they are open and time is paused, because
/// nobody can read a table that changes with every frame.
#[component]
pub(super) fn CycleTables() -> impl IntoView {
    let ctx = use_ctx();
    let is_open = RwSignal::new(false);
    let tables = Memo::new(move |before: Option<&Option<[Table; 4]>>| {
        if !is_open.get() || ctx.broken.with(Option::is_some) {
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
        <details
            class="more"
            id="cycle-tables"
            on:toggle=move |event| is_open.set(details::is_open(&event))
        >
            <summary>{table::OPEN}</summary>
            <p class="hint" hidden=move || ctx.broken.with(Option::is_none)>{table::BROKEN}</p>
            <div class="cycle-tables" inner_html=html></div>
        </details>
    }
}
