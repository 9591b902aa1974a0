//! The run on a chip: its time, share of peak, price, and the efficiency breakdown.

use display::words::ladder;
use leptos::prelude::*;
use perfmodel::Chip;
use perfmodel::gemm_time::Rung;
use studio::{Action, Field, FieldValue, Session, Settings, Speed, Transport};
use words::figures::{self, FillingRun, OnChipAtAGlance};
use words::{busy, label, ways};

use super::super::setup::{self, Number, unless};
use super::headline::Tile;
use super::{Figures, whole};
use crate::browser::timer::later;
use crate::browser::{details, focus};
use crate::ctx::{Ctx, Text, memo, text_from, use_ctx};
use crate::effects::address;
use crate::ui::{Choice, FigureView, table_html};

/// The run on a whole chip: the MFU and the price, and the largest loss.
#[component]
pub(super) fn OnAChip(all: Figures) -> impl IntoView {
    let ctx = use_ctx();
    let now = Memo::new(move |_| ctx.plan.with(|plan| figures::on_chip_at_a_glance(plan)));
    let part =
        move |part: fn(&OnChipAtAGlance) -> &str| -> Text { text_from(move || now.with(|now| part(now).to_owned())) };
    let words = move |nth: usize| ctx.plan.with(|plan| core::mem::take(&mut figures::of_chip(plan)[nth]));
    let is_custom = has_custom_chip(ctx);
    let heading = move || {
        if is_custom.get() { busy::ON_CUSTOM_CHIP.to_owned() } else { words(0) }
    };
    // The run from which a person went to the array of the chip, or to a matmul that fills the chip.
    let left = RwSignal::new(None::<(String, Settings, Speed)>);
    let leave = move || {
        let name = ctx.plan.with_untracked(|plan| label::back_to(plan));
        let settings = |session: &Session| OF_RUN.map(|field| (field, session.scenario.get(field))).to_vec();
        let speed = ctx.playhead().with_untracked(|playhead| playhead.speed);
        left.set(Some((name, ctx.session().with_untracked(settings), speed)));
    };
    let own_array = move || {
        let of_chip = ctx.plan.with(|plan| plan.array_of_chip()).filter(|_| !ctx.embedded())?;
        let (rows, cols) = of_chip;
        let take = move |_| {
            leave();
            ctx.set_all(
                &[(Field::Rows, rows), (Field::Cols, cols)]
                    .map(|(field, side)| (field, FieldValue::Count(side.into()))),
            );
        };
        Some(
            view! { <button type="button" class="remedy" id="array-of-chip" on:click=take>{label::array_of_chip(of_chip)}</button> },
        )
    };
    // If the chip offers no other array, its array is on screen.
    let back = move || {
        let (name, settings, speed) = left.get().filter(|_| ctx.plan.with(|plan| plan.array_of_chip().is_none()))?;
        let take = move |_| {
            left.set(None);
            ctx.set_all(&settings);
            ctx.dispatch(&Action::Move(Transport::Speed(speed)));
        };
        Some(view! { <button type="button" class="remedy" id="back-to-run" on:click=take>{name}</button> })
    };
    let fill = move || {
        let FillingRun { settings, label, has_array } =
            ctx.plan.with(|plan| figures::filling_run(plan)).filter(|_| !ctx.embedded())?;
        if !has_array {
            let large = ctx.session().with_untracked(|session| session.settled(&settings));
            let link = large.map(|large| address::link_to_product(ctx, large.plan())).unwrap_or_default();
            return Some(view! { <a class="remedy" id="fill-chip" href=link>{label}</a> }.into_any());
        }
        let take = move |_| {
            if left.with_untracked(Option::is_none) {
                leave();
            }
            ctx.set_all(&settings);
            // At a few cycles per second, such a long run would show nothing.
            ctx.dispatch(&Action::Move(Transport::Speed(Speed::Run)));
        };
        Some(view! { <button type="button" class="remedy" id="fill-chip" on:click=take>{label}</button> }.into_any())
    };
    view! {
        <div class="on-a-chip">
            <h2>{heading}</h2>
            <div class="glance">
                <Tile
                    figure=whole(all, "mfu")
                    id="mfu"
                    value=part(|now| &now.mfu)
                    label=text_from(move || words(1))
                />
                <Tile
                    figure=whole(all, "usd-per-1e18")
                    id="cost"
                    value=part(|now| &now.cost)
                    label=text_from(|| busy::PER_1E18.to_owned())
                />
            </div>
            <div class="chip-buttons">{own_array} {back} {fill}</div>
            <p class="hint" id="chip-says">{part(|now| &now.sentence)}</p>
            <p class="hint" id="chip-borrows"><small>{part(|now| &now.notes)}</small></p>
        </div>
    }
}

/// Fields of a run that change when a person chooses the array of a chip, or a matmul that fills the chip.
const OF_RUN: [Field; 7] = [Field::Fill, Field::M, Field::K, Field::N, Field::Rows, Field::Cols, Field::Overlap];

/// The heading of the cost, with the choice of the chip whose price counts. This is a published chip, or a custom chip
/// with arrays like the array on screen. The fields of a custom chip are below the heading.
#[component]
pub(super) fn CostHead() -> impl IntoView {
    let ctx = use_ctx();
    let is_custom = has_custom_chip(ctx);
    let (head, choice, more) = if ctx.embedded() {
        (busy::COST[0], None, None)
    } else {
        (busy::COST[1], Some(view! { <ChipChoice /> }), Some(view! { <CustomChip is_on=is_custom /> }))
    };
    view! {
        <div class="glance-head cost-head"><h2>{head}</h2> {choice} <span>{ctx.text_of_plan(figures::price_at_a_glance)}</span></div>
        {more}
    }
}

/// The choice of a published chip, or of a custom chip with arrays like the array on screen.
#[component]
fn ChipChoice() -> impl IntoView {
    let ctx = use_ctx();
    let named = |chip: &Chip| (chip.id, chip.name.to_owned());
    let often = OFTEN.iter().filter_map(|id| Chip::by_id(id)).map(named);
    let others = Chip::all().iter().filter(|chip| !OFTEN.contains(&chip.id)).map(named);
    let options = often.chain([(CUSTOM, label::CUSTOM_CHIP.to_owned())]).chain(others).collect();
    let is_custom = has_custom_chip(ctx);
    let chip = setup::text_of(ctx, Field::Chip);
    let value = text_from(move || if is_custom.get() { CUSTOM.to_owned() } else { chip() });
    let choose = move |chosen: String| {
        if chosen == CUSTOM {
            ctx.set_all(&ctx.plan.with_untracked(|plan| plan.chip_of_arrays()));
        } else if let Ok(chip) = Field::Chip.read(&chosen) {
            ctx.set_all(&[(Field::Chip, chip), (Field::Arrays, FieldValue::Count(0))]);
        }
    };
    view! {
        <Choice
            id=Field::Chip.id()
            label=label::field(Field::Chip)
            heading=view! { <span class="caption" title=label::field_help(Field::Chip)>{label::field(Field::Chip)}</span> }.into_any()
            options
            value
            problem=setup::problem_of(ctx, Field::Chip)
            on_change=Box::new(choose)
        />
    }
}

/// Chips at the top of the list of chips.
const OFTEN: [&str; 6] = ["tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu-7x", "h100-sxm"];

/// Value of the custom chip in the list of chips.
const CUSTOM: &str = "custom";

/// The fields of a custom chip, which has arrays like the array on screen. Hidden for a published chip.
#[component]
fn CustomChip(is_on: Memo<bool>) -> impl IntoView {
    let ctx = use_ctx();
    view! {
        <div class="custom-chip" hidden=unless(is_on)>
            <div class="numbers">
                {[Field::Arrays, Field::Clock, Field::Price]
                    .map(|field| view! { <div><Number field /> <span aria-hidden="true">{label::field(field)}</span></div> })
                    .into_iter()
                    .collect_view()}
            </div>
            <p class="hint">{ctx.text_of_plan(|plan| label::custom_chip_hint(plan.scenario().chip))}</p>
        </div>
    }
}

/// Returns true if the chip is a custom chip of arrays like the array on screen.
fn has_custom_chip(ctx: Ctx) -> Memo<bool> {
    ctx.holds(|session| session.scenario.arrays > 0)
}

/// All figures of the run on the chip.
#[component]
pub(super) fn ChipFigures(all: Figures) -> impl IntoView {
    let ctx = use_ctx();
    let price = ctx.text_of_plan(|plan| {
        plan.chip().default_price().map_or_else(|| label::NO_PRICE.to_owned(), display::figure::price_words)
    });
    let listed = memo(move || ctx.plan.with(|plan| figures::listed(plan)));
    let figures = move || listed.get().iter().map(|id| view! { <FigureView figure=whole(all, id) /> }).collect_view();
    view! {
        <section id="on-a-chip">
            <h3>{busy::CHIP_FIGURES}</h3>
            <p class="hint" id="chip-runs">{ctx.text_of_plan(figures::on_chip_sentence)}</p>
            <div class="figures">{figures}</div>
            <p class="hint" id="price">{price}</p>
            {(!ctx.embedded()).then(|| view! { <p class="hint"><a id="as-product" href=text_from(move || ctx.plan.with(|plan| address::link_to_product(ctx, plan)))>{label::AS_PRODUCT}</a></p> })}
            <Padded />
        </section>
    }
}

/// The efficiency breakdown, from the chip's peak to this GEMM. Each step has a figure, and a bar with the share of the
/// peak that remains and the share that is lost. The steps are made only while the section is open. On a tall page, the
/// section is open at the start.
#[component]
pub(super) fn Ladder() -> impl IntoView {
    let ctx = use_ctx();
    let is_open = RwSignal::new(false);
    let is_roomy = crate::browser::is_high();
    let shares = memo(move || ctx.plan.with(|plan| plan.ladder()));
    let all: Figures = memo(move || ctx.plan.with(|plan| figures::ladder_figures(plan)));
    let unknown = memo(move || shares.with(Vec::is_empty));
    let part = move |nth: usize, of: fn((f64, f64)) -> f64| -> Text {
        text_from(move || {
            let share = shares.with(|shares| shares.get(nth).copied().map_or(0.0, of));
            display::number::significant(share, 4)
        })
    };
    let step = move |(nth, rung): (usize, Rung)| {
        let figure = whole(all, ladder::id(rung));
        view! {
            <div hidden=move || figure.with(|one| one.as_ref().is_none_or(figures::takes_nothing))>
                // The bar is hidden from screen readers, because the figure below it has the same content.
                <div class="bar" aria-hidden="true">
                    <span class="slot useful" style:flex-grow=part(nth, |(left, _)| left)></span>
                    <span class="slot padding" style:flex-grow=part(nth, |(_, taken)| taken)></span>
                    <span class="slot" style:flex-grow=part(nth, |(left, taken)| 1.0 - left - taken)></span>
                </div>
                <FigureView figure />
            </div>
        }
    };
    let is_logarithmic = memo(move || ctx.plan.with(|plan| plan.is_ladder_logarithmic()));
    let steps = move || is_open.get().then(|| Rung::ALL.into_iter().enumerate().map(step).collect_view());
    let rest =
        text_from(move || if is_open.get() { all.with(|all| figures::whole_factors(all)) } else { String::new() });
    view! {
        <details
            class="more"
            id="ladder"
            hidden=move || unknown.get()
            open=is_roomy
            on:toggle=move |event| {
                is_open.set(details::is_open(&event));
                // The steps are drawn after this task.
                later(|| focus::reveal("#ladder[open]:focus-within"), core::time::Duration::ZERO);
            }
        >
            <summary>{busy::BREAKDOWN}</summary>
            <p class="hint" hidden=unless(is_logarithmic)>{busy::LOGARITHMIC}</p>
            <div class="figures">{steps}</div>
            <p class="hint">{rest}</p>
        </details>
    }
}

/// The table that compares the ways of padding the GEMM. The table is written only while its section is open.
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
