//! The live panel: where the PE-cycles went, and the figures that follow.

use leptos::prelude::*;
use studio::number::grouped;
use studio::panel::{self, Figure, Part};
use studio::words::label;
use systolic::Slot;

use crate::ctx::{Ctx, use_ctx};
use crate::ui::FigureView;

/// A bar of the six parts.
#[component]
fn Bar(parts: Memo<[Part; 6]>, label: &'static str) -> impl IntoView {
    let share = move |index: usize| {
        move || {
            let share = parts.with(|parts| parts.get(index).map_or(0.0, |part| part.share));
            // Thousandths of the bar: whole numbers need no float formatter.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share from 0 to 1")]
            let thousandths = (share * 10_000.0).round() as u32;
            format!("{}", thousandths)
        }
    };
    let said = move || {
        parts.with(|parts| {
            parts
                .iter()
                .filter(|part| part.pe_cycles > 0)
                .map(|part| format!("{} {} %", label::slot(part.slot), part.percent))
                .collect::<Vec<_>>()
                .join(", ")
        })
    };
    view! {
        <div class="bar" role="img" aria-label=move || format!("{label}: {}", said())>
            {Slot::ALL
                .into_iter()
                .enumerate()
                .map(|(index, slot)| {
                    view! { <span class=format!("slot {}", label::slot(slot)) style:flex-grow=share(index)></span> }
                })
                .collect_view()}
        </div>
    }
}

/// The parts as rows of a table.
#[component]
fn Accounts(parts: Memo<[Part; 6]>, so_far: Memo<[Part; 6]>) -> impl IntoView {
    let rows = Slot::ALL
        .into_iter()
        .enumerate()
        .map(|(index, slot)| {
            let cell = move |parts: Memo<[Part; 6]>, text: fn(&Part) -> String| {
                move || parts.with(|parts| parts.get(index).map(text).unwrap_or_default())
            };
            view! {
                <tr title=label::slot_help(slot)>
                    <th scope="row"><span class=format!("key {}", label::slot(slot)) aria-hidden="true"></span>{label::slot(slot)}</th>
                    <td>{cell(parts, |part| grouped(part.pe_cycles))}</td>
                    <td class="share">{cell(parts, |part| format!("{} %", part.percent))}</td>
                    <td class="so-far">{cell(so_far, |part| format!("{} %", part.percent))}</td>
                </tr>
            }
        })
        .collect_view();
    let total = move || parts.with(|parts| grouped(parts.iter().map(|part| part.pe_cycles).sum()));
    view! {
        <table class="accounts">
            <thead class="unseen">
                <tr>
                    <th scope="col">"slot"</th>
                    <th scope="col">"PE-cycles"</th>
                    <th scope="col">"share"</th>
                    <th scope="col">{label::WHERE_SO_FAR}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
            <tfoot>
                <tr>
                    <th scope="row">{label::ALL_PE_CYCLES}</th>
                    <td>{total}</td>
                    <td class="share">"100 %"</td>
                    <td class="so-far">"so far"</td>
                </tr>
            </tfoot>
        </table>
    }
}

/// A memo of one figure, so that only what changed is written again.
fn figure(figures: Memo<Vec<Figure>>, id: &'static str) -> Memo<Option<Figure>> {
    Memo::new(move |_| figures.with(|figures| figures.iter().find(|figure| figure.id == id).cloned()))
}

fn figures_of(ctx: Ctx) -> (Memo<Vec<Figure>>, Memo<Vec<Figure>>) {
    let whole = Memo::new(move |_| ctx.plan.with(|plan| panel::run_figures(plan)));
    let now = Memo::new(move |_| {
        ctx.plan.with(|plan| panel::so_far_figure(plan, ctx.cycle.get()).into_iter().collect::<Vec<_>>())
    });
    (whole, now)
}

/// The live panel.
#[component]
pub(crate) fn Live() -> impl IntoView {
    let ctx = use_ctx();
    let whole = Memo::new(move |_| ctx.plan.with(|plan| panel::parts(&plan.schedule().tally())));
    let so_far =
        Memo::new(move |_| ctx.plan.with(|plan| panel::parts(&plan.schedule().tally_until(ctx.cycle.get()))));
    let (figures, now) = figures_of(ctx);
    let formula = Memo::new(move |_| ctx.plan.with(|plan| panel::cycles_formula(plan)));
    view! {
        <section class="live" aria-label=label::LIVE id="live">
            <h2>{label::WHERE_WHOLE}</h2>
            <Bar parts=whole label=label::WHERE_WHOLE />
            <Accounts parts=whole so_far=so_far />
            <div class="figures">
                <FigureView figure=figure(figures, "utilization") />
                <FigureView figure=figure(now, "utilization-so-far") />
                <FigureView figure=figure(figures, "mfu") />
                <FigureView figure=figure(figures, "usd-per-useful-pflop-hour") />
                <FigureView figure=figure(figures, "usd-per-run") />
                <FigureView figure=figure(figures, "time") />
                <FigureView figure=figure(figures, "arithmetic-intensity") />
            </div>
            <h2>{label::CYCLES}</h2>
            <p class="formula" id="cycles-formula">{move || formula.with(|(symbols, _)| symbols.clone())}</p>
            <p class="formula">{move || formula.with(|(_, numbers)| numbers.clone())}</p>
        </section>
    }
}
