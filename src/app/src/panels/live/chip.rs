//! What a chip would make of the run: time, share of its peak, price.

use leptos::prelude::*;
use perfmodel::Chip;
use studio::words::{busy, label};
use studio::{Action, Edit, Field};

use super::super::setup::Pick;
use super::{Figures, whole};
use crate::ctx::use_ctx;
use crate::ui::FigureView;

/// The chip, its price and the figures that need one, folded away until somebody asks.
#[component]
pub(super) fn OnAChip(all: Figures) -> impl IntoView {
    let ctx = use_ctx();
    let price = ctx.text_of_plan(|plan| {
        plan.chip().default_price().map_or_else(|| label::NO_PRICE.to_owned(), display::figure::price_words)
    });
    let chooser = (!ctx.embedded()).then(|| {
        let chips = Chip::all().iter().map(|chip| (chip.id, chip.name.to_owned())).collect();
        view! { <Pick field=Field::Chip options=chips /> }
    });
    let own_array = move || {
        let offer =
            ctx.plan.with(|plan| plan.array_of_chip().map(|array| (array, label::array_of_chip(array, plan.chip()))));
        offer.filter(|_| !ctx.embedded()).map(|((rows, cols), words)| {
            let take = move |_| {
                for (field, side) in [(Field::Rows, rows), (Field::Cols, cols)] {
                    ctx.dispatch(&Action::Edit(Edit::Set(field, side.to_string())));
                }
            };
            view! { <button type="button" class="remedy" id="array-of-chip" on:click=take>{words}</button> }
        })
    };
    let figures = ["mfu", "time", "usd-per-useful-pflop-hour", "usd-per-run", "arithmetic-intensity"]
        .map(|id| view! { <FigureView figure=whole(all, id) /> })
        .into_iter()
        .collect_view();
    view! {
        <details class="more" id="on-a-chip">
            <summary>
                {busy::ON_A_CHIP} " "
                <span class="chip-name">{ctx.text_of_plan(|plan| plan.chip().name.to_owned())}</span>
            </summary>
            {chooser}
            {own_array}
            <p class="hint" id="price">{price}</p>
            <div class="figures">{figures}</div>
        </details>
    }
}
