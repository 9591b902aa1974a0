//! The run on a chip: its time, share of peak, price, and the efficiency breakdown.

use display::words::{format, ladder};
use leptos::prelude::*;
use perfmodel::gemm_time::Rung;
use perfmodel::{Chip, F32Passes};
use studio::Field;
use words::{busy, figures, label, ways};

use super::super::setup::{Pick, unless};
use super::{Figures, whole};
use crate::browser::details;
use crate::ctx::{Text, memo, text_from, use_ctx};
use crate::effects::address;
use crate::ui::{FigureView, table_html};

/// The section about a chip, folded by default: the choice of the chip, its price, and the figures that need a chip.
#[component]
pub(super) fn OnAChip(all: Figures) -> impl IntoView {
    let ctx = use_ctx();
    let price = ctx.text_of_plan(|plan| {
        plan.chip().default_price().map_or_else(|| label::NO_PRICE.to_owned(), display::figure::price_words)
    });
    let chooser = (!ctx.embedded()).then(|| {
        let chips = Chip::all().iter().map(|chip| (chip.id, chip.name.to_owned())).collect();
        let in_passes = memo(Box::new(move || ctx.plan.with(|plan| plan.runs_in_passes())));
        view! {
            <Pick field=Field::Chip options=chips />
            <div hidden=unless(in_passes)><Pick field=Field::Passes options=passes() /></div>
        }
    });
    let own_array = move || {
        let offer =
            ctx.plan.with(|plan| plan.array_of_chip().map(|array| (array, label::array_of_chip(array, plan.chip()))));
        offer.filter(|_| !ctx.embedded()).map(|((rows, cols), words)| {
            let take = move |_| {
                ctx.set_all(&[(Field::Rows, rows), (Field::Cols, cols)].map(|(field, side)| (field, side.to_string())));
            };
            view! { <button type="button" class="remedy" id="array-of-chip" on:click=take>{words}</button> }
        })
    };
    let figures = ["mfu", "time", "usd-per-run", "usd-per-useful-pflop-hour", "arithmetic-intensity", "rounding"]
        .map(|id| view! { <FigureView figure=whole(all, id) /> })
        .into_iter()
        .collect_view();
    view! {
        <details class="more" id="on-a-chip">
            <summary>
                {busy::ON_A_CHIP} " "
                <span class="chip-name">
                    {ctx.text_of_plan(|plan| plan.chip().name.to_owned())} " · "
                    <span id="mfu" class="whole">{ctx.text_of_plan(figures::mfu_at_a_glance)}</span>
                </span>
            </summary>
            {chooser}
            {own_array}
            <p class="hint" id="chip-says">{ctx.text_of_plan(figures::on_chip_sentence)}</p>
            <div class="figures">{figures}</div>
            <p class="hint" id="price">{price}</p>
            {(!ctx.embedded()).then(|| view! { <p class="hint"><a id="as-product" href=text_from(move || address::link_to_product(ctx))>{label::AS_PRODUCT}</a></p> })}
            <Ladder />
            <Padded />
        </details>
    }
}

/// The efficiency breakdown, from the chip's peak to this GEMM. Each step has a figure, and a bar of the remaining and
/// the lost share. The steps are made only while the section is open.
#[component]
fn Ladder() -> impl IntoView {
    let ctx = use_ctx();
    let is_open = RwSignal::new(false);
    let shares = memo(Box::new(move || ctx.plan.with(|plan| plan.ladder())));
    let all: Figures = memo(Box::new(move || ctx.plan.with(|plan| figures::ladder_figures(plan))));
    let unknown = memo(Box::new(move || shares.with(Vec::is_empty)));
    let part = move |nth: usize, of: fn((f64, f64)) -> f64| -> Text {
        text_from(move || {
            let share = shares.with(|shares| shares.get(nth).copied().map_or(0.0, of));
            display::number::significant(share, 4)
        })
    };
    let step = move |(nth, rung): (usize, Rung)| {
        view! {
            <div>
                // The figure below the bar says the same.
                <div class="bar" aria-hidden="true">
                    <span class="slot useful" style:flex-grow=part(nth, |(left, _)| left)></span>
                    <span class="slot padding" style:flex-grow=part(nth, |(_, taken)| taken)></span>
                    <span class="slot" style:flex-grow=part(nth, |(left, taken)| 1.0 - left - taken)></span>
                </div>
                <FigureView figure=whole(all, ladder::id(rung)) />
            </div>
        }
    };
    let steps = move || is_open.get().then(|| Rung::ALL.into_iter().enumerate().map(step).collect_view());
    view! {
        <details
            class="more"
            id="ladder"
            hidden=move || unknown.get()
            on:toggle=move |event| is_open.set(details::is_open(&event))
        >
            <summary>{ladder::HEADING}</summary>
            <div class="figures">{steps}</div>
        </details>
    }
}

/// The table that compares the ways of padding the GEMM. It is written only while the section is open.
#[component]
fn Padded() -> impl IntoView {
    let ctx = use_ctx();
    let is_open = RwSignal::new(false);
    let html =
        text_from(
            move || {
                if is_open.get() { ctx.plan.with(|plan| table_html(&ways::table(plan))) } else { String::new() }
            },
        );
    view! {
        <details
            class="more"
            id="ways"
            on:toggle=move |event| is_open.set(details::is_open(&event))
        >
            <summary>{ways::OPEN}</summary>
            <div class="cycle-tables" inner_html=html></div>
            <p class="hint">{ways::NOTE}</p>
        </details>
    }
}

/// Returns the options for the number of passes, with their names.
fn passes() -> Vec<(&'static str, String)> {
    F32Passes::ALL.map(|one| (one.id(), format::passes(one).to_owned())).to_vec()
}
