//! The array view: its canvas, its keys and its pointers.

use leptos::html::Canvas;
use leptos::prelude::*;
use studio::{Action, Edit, Panel, PointedValue};
use systolic::{Operand, PeId};
use words::caption;

use crate::browser::focus;
use crate::ctx::{Ctx, memo, text_from, use_ctx};
use crate::effects::keys;
use crate::effects::pointer::Pointer;
use crate::navigation;
use crate::part_state::{Goal, SidePlace};
use crate::telling;
use crate::ui::PartSlot;

/// Returns the PE of the only grid cell in the accessibility tree. The grid reports the size of the whole array, and
/// arrow keys move the cell. If no PE is chosen, returns the PE that the caption describes.
fn cell_of_grid(ctx: Ctx) -> PeId {
    ctx.focused_pe
        .get()
        .or_else(|| if ctx.playing.get() { None } else { telling::default_caption_pe(ctx) })
        .unwrap_or(PeId::new(0, 0))
}

/// The array view.
#[component]
pub(crate) fn Stage(
    /// Canvas of the array view.
    canvas: NodeRef<Canvas>,
    /// Handler of mouse, pen and fingers on the array view.
    pointer: Pointer,
) -> impl IntoView {
    let ctx = use_ctx();
    let selected = move || ctx.session().with_untracked(|session| session.view.selected.is_some());
    // Returns the element that Enter opens: the chosen element of A or B. Without such an element, returns the
    // stationary element of the chosen PE, or the element that came from the west.
    let held = move || {
        let pe = ctx.session().with_untracked(|session| session.pe_at(ctx.cycle.get_untracked()))?;
        if let Some(PointedValue::Element(operand, row, col)) = untrack(|| ctx.pinned_spot())
            && operand != Operand::C
        {
            return Some((operand, row, col));
        }
        let probe = ctx.plan.with_untracked(|plan| plan.prober().without_sum(ctx.cycle.get_untracked(), pe));
        probe.held.or(probe.east).map(|element| (element.operand, element.row, element.col))
    };
    let stale = ctx.holds(studio::Session::has_problems);
    let always = memo(|| true);
    let shown = move || cell_of_grid(ctx);
    let cell = move |part: fn(PeId) -> String| text_from(move || part(shown()));
    // The text describes the activity of the PE, as the caption does. While time passes, the text is only the name of
    // the PE. The drawing of a card can ask for a number of the PE, so a card with a drawing has only the name, too.
    let is_drawing_of_card =
        ctx.holds(|session| session.tools.learn.is_some() && session.tools.picture != studio::Drawing::Array);
    let does = text_from(move || {
        let pe = shown();
        if ctx.playing.get() || is_drawing_of_card.get() { caption::pe_name(pe) } else { telling::pe_sentence(ctx, pe) }
    });
    view! {
        <div
            class="stage"
            class:stale=move || stale.get()
            id="stage"
            tabindex="0"
            role="grid"
            aria-rowcount=ctx.text_of_plan(|plan| plan.schedule().array().rows().to_string())
            aria-colcount=ctx.text_of_plan(|plan| plan.schedule().array().cols().to_string())
            aria-activedescendant="pe"
            aria-label=ctx.text_of_plan(caption::stage)
            aria-describedby="caption"
            on:keydown=move |event| {
                if event.key() == "Escape" && keys::close_help(false) {
                } else if event.key() == "Escape" && selected() {
                    ctx.dispatch(&Action::Edit(Edit::Select(None)));
                } else if event.key() == "Escape" {
                    focus::blur("stage");
                } else if event.key() == "Enter" && let Some((operand, row, col)) = held() {
                    event.prevent_default();
                    navigation::edit(ctx, operand, row, col);
                } else if let Some(action) = keys::action(ctx, &event) {
                    event.prevent_default();
                    ctx.dispatch(&action);
                    if matches!(action, Action::Edit(Edit::Select(_))) {
                        // A key takes precedence over a resting pointer, and the view follows the key.
                        ctx.hover(None);
                        ctx.point(None);
                        pointer.reveal();
                    }
                }
            }
        >
            <canvas
                node_ref=canvas
                aria-hidden="true"
                class:zoomed=move || !ctx.view.zoom.get().is_whole()
                on:pointerdown=move |event| pointer.pressed(&event)
                on:pointerup=move |event| pointer.released(&event)
                on:pointercancel=move |event| pointer.released(&event)
                on:pointermove=move |event| pointer.moved(&event)
                on:pointerleave=move |event| {
                    pointer.released(&event);
                    ctx.hover(None);
                    ctx.point(None);
                }
                on:click=move |event| pointer.clicked(&event)
                // A double click shows all details of one PE next to the array.
                on:dblclick=move |event| {
                    if pointer.enter(&event) {
                        navigation::open(ctx, Goal::Panel(Panel::Pe));
                    }
                }
                // A pinch on a touchpad is a wheel event with Control. Without Control, a wheel scrolls the page.
                on:wheel=move |event| {
                    if event.ctrl_key() {
                        event.prevent_default();
                        pointer.zoom_to(if event.delta_y() < 0.0 { 1.15 } else { 0.87 }, &event);
                    }
                }
            ></canvas>
            {(!ctx.embedded()).then(|| view! { <PartSlot fill=navigation::side(ctx, SidePlace::Cells) shown=always /> })}
            <div class="unseen" role="row" aria-rowindex=cell(|pe| (pe.row + 1).to_string())>
                <span role="gridcell" id="pe" aria-colindex=cell(|pe| (pe.col + 1).to_string())>{does}</span>
            </div>
        </div>
    }
}
