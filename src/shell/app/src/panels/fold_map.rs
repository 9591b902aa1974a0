//! The map of the run's folds, next to the timeline.

use leptos::html::Canvas;
use leptos::prelude::*;
use stage::fold_map;
use studio::{Action, Transport};
use words::picture;

use crate::ctx::use_ctx;
use crate::effects::{paint, pointer};

/// The map of the folds, hidden for a run of one fold and while a card asks about its run. Keyboard users move from fold to fold with the event buttons.
#[component]
pub(crate) fn FoldMap() -> impl IntoView {
    let ctx = use_ctx();
    let canvas: NodeRef<Canvas> = NodeRef::new();
    let size = paint::fold_map(canvas, ctx);
    let is_one = Memo::new(move |_| ctx.plan.with(|plan| plan.schedule().folds() == 1));
    // The size of the map would answer a card that asks about the folds.
    let asks = Memo::new(move |_| ctx.view.filter.with(|filter| !filter.judges()));
    let pressed = move |at: (f32, f32)| {
        let size = size.get_untracked();
        let start = ctx.plan.with_untracked(|plan| {
            let fold = fold_map::hit(plan, at, size.width, size.height)?;
            Some(plan.schedule().fold_start(fold).get())
        });
        if let Some(start) = start {
            ctx.dispatch(&Action::Move(Transport::Seek(start)));
        }
    };
    view! {
        <div class="folds" role="img" aria-label=ctx.text_at_rest(picture::operand_map) hidden=move || is_one.get() || asks.get()>
            <canvas node_ref=canvas aria-hidden="true" on:click=move |event| pressed(pointer::place_in(&event))></canvas>
        </div>
    }
}
