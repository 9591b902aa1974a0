//! What a chip would make of the run: time, share of its peak, price.

use leptos::prelude::*;
use perfmodel::Chip;
use studio::Field;
use studio::words::{busy, label};

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
            <p class="hint" id="price">{price}</p>
            <div class="figures">{figures}</div>
        </details>
    }
}
