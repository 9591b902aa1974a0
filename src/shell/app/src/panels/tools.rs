//! The tools of the array view: a row of buttons, and the panel of the open tool.

use leptos::prelude::*;
use studio::{LazyPart, Panel};
use words::label;

use crate::ctx::{memo, text_from, use_ctx};
use crate::effects::keys;
use crate::navigation;
use crate::part_state::{Goal, ToolPlace};
use crate::ui::{PartSlot, icons};

use super::legend::ShapeSwitches;

const fn icon(panel: Panel) -> &'static str {
    match panel {
        Panel::Pe => icons::PE,
        Panel::Compare => icons::COMPARE,
        Panel::Break => icons::BREAK,
        Panel::Heat => icons::HEAT,
        Panel::Folds => icons::FOLDS,
        Panel::Transcript => icons::TRANSCRIPT,
        Panel::Build => icons::BUILD,
        Panel::Pictures => icons::PICTURES,
    }
}

/// True if the button of a tool is always visible.
const fn is_often_used(panel: Panel) -> bool {
    matches!(panel, Panel::Pe | Panel::Compare | Panel::Break | Panel::Heat | Panel::Pictures)
}

/// The buttons of the tools. When the pointer or the focus reaches a button, the page prefetches the tools.
#[component]
pub(crate) fn ToolRow() -> impl IntoView {
    let ctx = use_ctx();
    let button = |panel: Panel| {
        let press = move |_| {
            keys::close_help(false);
            if ctx.tools.panel.get_untracked() == Some(panel) {
                navigation::close_panel(ctx);
            } else {
                navigation::open(ctx, Goal::Panel(panel));
            }
        };
        let pressed = text_from(move || (ctx.tools.panel.get() == Some(panel)).to_string());
        view! {
            <button
                id=navigation::tool_button(panel)
                type="button"
                aria-pressed=pressed
                on:click=press
                on:pointerenter=move |_| navigation::prefetch(LazyPart::Workbench)
                on:focus=move |_| navigation::prefetch(LazyPart::Workbench)
            >
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d=icon(panel)></path></svg>
                {label::panel(panel)}
            </button>
        }
    };
    // The tools that few people need are one press farther away.
    let (often, seldom): (Vec<_>, Vec<_>) = Panel::ALL.into_iter().partition(|panel| is_often_used(*panel));
    view! {
        <div class="toolbar" role="group" aria-label=label::TOOLS>
            {often.into_iter().map(button).collect_view()}
            <details class="help more-tools" id="more-tools" name="help">
                <summary aria-label=label::MORE_TOOLS title=label::MORE_TOOLS><span aria-hidden="true">"⋯"</span></summary>
                <div class="sheet">{seldom.into_iter().map(button).collect_view()} <ShapeSwitches /></div>
            </details>
        </div>
    }
}

/// The panel of the open tool. When the panel opens, its heading gets the focus. Escape closes the panel.
#[component]
pub(crate) fn ToolPanel() -> impl IntoView {
    let ctx = use_ctx();
    let is_open = memo(move || ctx.tools.panel.get().is_some());
    let name = text_from(move || ctx.tools.panel.get().map_or("", label::panel).to_owned());
    view! {
        <section
            class="panel"
            aria-labelledby="panel-title"
            hidden=move || !is_open.get()
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    event.prevent_default();
                    navigation::close_panel(ctx);
                }
            }
        >
            <div class="panel-head">
                <h2 id="panel-title" tabindex="-1">{name}</h2>
                <button
                    id="close-tool"
                    type="button"
                    class="icon"
                    aria-label=label::CLOSE_TOOL
                    title=label::CLOSE_TOOL
                    on:click=move |_| navigation::close_panel(ctx)
                >
                    <svg viewBox="0 0 16 16" aria-hidden="true"><path d=icons::CLOSE></path></svg>
                </button>
            </div>
            <PartSlot fill=navigation::tool(ctx, ToolPlace::Panel) shown=is_open />
        </section>
    }
}
