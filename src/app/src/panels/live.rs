//! The live panel: where the PE-cycles went, and the figures that follow.

use display::figure::Figure;
use display::number::compact;
use leptos::prelude::*;
use studio::words::figures::{self, Part};
use studio::words::label;
use systolic::Slot;

use crate::ctx::{Text, memo, text_from, use_ctx};
use crate::ui::{FigureView, PartSlot};

/// The six parts, at a moment or for the whole run.
type Parts = Memo<[Part; 6]>;

fn part_text(parts: Parts, index: usize, text: fn(&Part) -> String) -> Text {
    text_from(move || parts.with(|parts| parts.get(index).map(text).unwrap_or_default()))
}

/// A bar of the six parts.
#[component]
fn Bar(parts: Parts, label: &'static str) -> impl IntoView {
    // Ten-thousandths of the bar: whole numbers need no float formatter.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share from 0 to 1")]
    let share = |part: &Part| ((part.share * 10_000.0).round() as u32).to_string();
    let widths = Slot::ALL
        .into_iter()
        .enumerate()
        .map(|(index, slot)| {
            let grow = part_text(parts, index, share);
            view! { <span class=format!("slot {}", label::slot(slot)) style:flex-grow=grow></span> }
        })
        .collect_view();
    let said = text_from(move || {
        let named = |part: &Part| format!("{} {} %", label::slot(part.slot), part.percent);
        let named: Vec<_> = parts.with(|parts| parts.iter().filter(|part| part.pe_cycles > 0).map(named).collect());
        format!("{label}: {}", display::number::joined(&named, ", "))
    });
    view! { <div class="bar" role="img" aria-label=said>{widths}</div> }
}

/// The parts as rows of a table.
#[component]
fn Accounts(parts: Parts, so_far: Parts) -> impl IntoView {
    let rows = Slot::ALL
        .into_iter()
        .enumerate()
        .map(|(index, slot)| {
            let name = label::slot(slot);
            view! {
                <tr title=label::slot_help(slot)>
                    <th scope="row"><span class=format!("key {name}") aria-hidden="true"></span>{name}</th>
                    <td>{part_text(parts, index, |part| compact(part.pe_cycles))}</td>
                    <td class="share">{part_text(parts, index, |part| format!("{} %", part.percent))}</td>
                    <td class="so-far">{part_text(so_far, index, |part| format!("{} %", part.percent))}</td>
                </tr>
            }
        })
        .collect_view();
    let total = text_from(move || compact(parts.with(|parts| parts.iter().map(|part| part.pe_cycles).sum())));
    view! {
        <table class="accounts">
            <thead>
                <tr>
                    <th scope="col"><span class="unseen">{label::SLOT}</span></th>
                    <th scope="col">{label::PE_CYCLES}</th>
                    <th scope="col">{label::WHOLE_RUN}</th>
                    <th scope="col">{label::SO_FAR}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
            <tfoot>
                <tr>
                    <th scope="row">{label::ALL_PE_CYCLES}</th>
                    <td>{total}</td>
                    <td class="share">"100 %"</td>
                    <td class="so-far">"100 %"</td>
                </tr>
            </tfoot>
        </table>
    }
}

/// The live panel.
#[component]
pub(crate) fn Live() -> impl IntoView {
    let ctx = use_ctx();
    let parts: Parts = memo(Box::new(move || ctx.plan.with(|plan| figures::parts(&plan.schedule().tally()))));
    let so_far: Parts =
        memo(Box::new(move || ctx.plan.with(|plan| figures::parts(&plan.schedule().tally_until(ctx.cycle.get())))));
    // All of them are worked out once, and each follows by its place among them.
    let run: Memo<Vec<Figure>> = memo(Box::new(move || ctx.plan.with(|plan| figures::run_figures(plan))));
    let [utilization, mfu, time, per_hour, per_run, intensity] =
        core::array::from_fn(|index| memo(Box::new(move || run.with(|run| run.get(index).cloned()))));
    let so_far_figure =
        memo(Box::new(move || ctx.plan.with(|plan| Some(figures::so_far_figure(plan, ctx.cycle.get())))));
    view! {
        <section class="live" aria-label=label::LIVE id="live">
            <PartSlot fill=Box::new(move || ctx.parts.workbench.get().map(|bench| bench.index)) shown=ctx.at_workbench />
            <h2>{label::WHERE_WHOLE}</h2>
            <Bar parts label=label::WHERE_WHOLE />
            <Accounts parts so_far />
            <h2>{label::CYCLES}</h2>
            <p class="formula" id="cycles-formula">{ctx.text_of_plan(|plan| figures::cycles_formula(plan).0)}</p>
            <p class="formula">{ctx.text_of_plan(|plan| figures::cycles_formula(plan).1)}</p>
            <div class="figures">
                <FigureView figure=utilization />
                <FigureView figure=so_far_figure />
                <FigureView figure=mfu />
                <FigureView figure=per_hour />
                <FigureView figure=per_run />
                <FigureView figure=time />
                <FigureView figure=intensity />
            </div>
            <PartSlot fill=Box::new(move || ctx.parts.workbench.get().map(|bench| bench.tools)) shown=ctx.at_workbench />
        </section>
    }
}
