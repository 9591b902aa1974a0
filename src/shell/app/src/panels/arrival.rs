//! The message about a part of the page that is not loaded.

use leptos::prelude::*;
use words::label;

use crate::ctx::use_ctx;
use crate::navigation;
use crate::part_state::Opening;

/// A message about a part of the page that is loading or did not arrive, with a button to try again.
#[component]
pub(crate) fn Arrival() -> impl IntoView {
    let ctx = use_ctx();
    let opening = ctx.parts.opening;
    let line = move || {
        match opening.get()? {
        Opening::Loading(goal) => Some(view! { <p>{label::loading(goal.part())}</p> }.into_any()),
        Opening::NotLoaded(goal) => Some(
            view! {
                <p>{label::not_loaded(goal.part())}</p>
                <button type="button" id="try-again" on:click=move |_| navigation::open(ctx, goal)>{label::TRY_AGAIN}</button>
                <button type="button" on:click=move |_| opening.set(None)>{label::DISMISS}</button>
            }
            .into_any(),
        ),
    }
    };
    let missing = ctx.parts.are_sides_missing;
    let sides = move || {
        missing.get().then(|| {
            view! {
                <div class="notice">
                    <p>{label::SIDES_NOT_LOADED}</p>
                    <button type="button" id="try-sides" on:click=move |_| navigation::load_sides(ctx)>{label::TRY_AGAIN}</button>
                </div>
            }
        })
    };
    view! {
        <div class="notices" role="status" id="arrival">
            {sides}
            {move || line().map(|line| view! { <div class="notice">{line}</div> })}
        </div>
    }
}
