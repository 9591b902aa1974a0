//! The tabs of a small page, in a row at its lower edge.

use leptos::html::Div;
use leptos::prelude::*;
use words::label;

use crate::browser::focus;
use crate::browser::tabs;
use crate::ctx::{text_from, use_ctx};
use crate::tab::Tab;
use crate::ui::icons;

const fn icon(tab: Tab) -> &'static str {
    match tab {
        Tab::Run => icons::PLAY,
        Tab::Change => icons::SLIDERS,
        Tab::Why => icons::BARS,
        Tab::Tools => icons::PE,
        Tab::More => icons::MORE,
    }
}

const fn name(tab: Tab) -> &'static str {
    match tab {
        Tab::Run => label::TAB_RUN,
        Tab::Change => label::TAB_CHANGE,
        Tab::Why => label::TAB_WHY,
        Tab::Tools => label::TOOLS,
        Tab::More => label::TAB_MORE,
    }
}

/// The row of tabs. The Tab key reaches the chosen tab, and the arrow keys choose the other tabs.
#[component]
pub(crate) fn Tabs() -> impl IntoView {
    let ctx = use_ctx();
    let row: NodeRef<Div> = NodeRef::new();
    tabs::follow(row, ctx.view.tab);
    let go = move |tab: Tab| {
        ctx.view.tab.set(tab);
        focus::focus(tab.button());
    };
    let button = move |tab: Tab| {
        let is_chosen = move || ctx.view.tab.get() == tab;
        view! {
            <button
                id=tab.button()
                type="button"
                role="tab"
                aria-controls=tab.place()
                aria-selected=text_from(move || is_chosen().to_string())
                tabindex=text_from(move || if is_chosen() { "0" } else { "-1" }.to_owned())
                on:click=move |_| ctx.view.tab.set(tab)
            >
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d=icon(tab)></path></svg>
                {name(tab)}
            </button>
        }
    };
    view! {
        <div
            class="tabs"
            role="tablist"
            aria-label=label::TABS
            node_ref=row
            on:keydown=move |event| {
                let here = ctx.view.tab.get_untracked();
                let tab = match event.key().as_str() {
                    "ArrowRight" => here.beside(1),
                    "ArrowLeft" => here.beside(-1),
                    "Home" => Tab::Run,
                    "End" => Tab::More,
                    _ => return,
                };
                event.prevent_default();
                go(tab);
            }
        >
            {Tab::ALL.map(button)}
        </div>
    }
}
