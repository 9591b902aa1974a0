//! The side panel of counts: the utilization of the array, the PE-cycles from which the utilization is computed, and
//! the run on a chip.

mod chip;
mod classes;
mod headline;
mod line;
mod table;

use display::figure::Figure;
use leptos::prelude::*;
use words::figures::{self, ArrayAtAGlance, Part};
use words::{busy, label, legend};

use self::chip::{ChipFigures, Ladder, OnAChip};
use self::classes::{Classes, LargestGain};
use self::headline::{Headline, Time, UtilizationCurve};
pub(crate) use self::line::WhyLine;
use self::table::CycleTables;
pub(crate) use self::table::TableLink;
use super::Prose;
use crate::browser::{details, focus};
use crate::ctx::{Ctx, memo, text_from, use_ctx};
use crate::ui::FigureView;

/// PE-cycles of the whole run in six parts, one for each class.
type Parts = Memo<[Part; 6]>;

/// PE-cycles up to and including the shown cycle, by class.
type SoFar = Memo<systolic::Tally>;

/// MFU and cost of the array on screen.
#[derive(Clone, Copy)]
struct Array {
    whole: Memo<ArrayAtAGlance>,
    so_far: Memo<ArrayAtAGlance>,
}

/// All figures of a run, computed once for all their views.
type Figures = Memo<Vec<Figure>>;

/// Returns the figure with this id.
fn whole(all: Figures, id: &'static str) -> Memo<Option<Figure>> {
    memo(move || all.with(|all| all.iter().find(|figure| figure.id == id).cloned()))
}

fn so_far(ctx: Ctx) -> SoFar {
    memo(move || ctx.plan.with(|plan| plan.schedule().tally_until(ctx.cycle.get())))
}

fn array_of_run(ctx: Ctx, so_far: SoFar) -> Array {
    let of = move |tally: &systolic::Tally| ctx.plan.with(|plan| figures::array_at_a_glance(plan, tally));
    let tally = memo(move || ctx.plan.with(|plan| plan.schedule().tally()));
    Array { whole: memo(move || tally.with(of)), so_far: memo(move || so_far.with(of)) }
}

fn parts_of_run(ctx: Ctx) -> Parts {
    memo(move || ctx.plan.with(|plan| figures::parts(&plan.schedule().tally())))
}

/// Returns the value that a bar of full length represents. Keeps this value, so that bars before and after a change
/// have the same scale if possible.
fn steady(kept: StoredValue<f64>, most: f64) -> f64 {
    kept.update_value(|kept| *kept = studio::busy::scale(*kept, most));
    kept.get_value()
}

/// The side panel of counts.
#[component]
pub(crate) fn Live() -> impl IntoView {
    let ctx = use_ctx();
    let (parts, so_far) = (parts_of_run(ctx), so_far(ctx));
    let array = array_of_run(ctx, so_far);
    let all: Figures = memo(move || ctx.plan.with(|plan| figures::run_figures(plan)));
    // While the run plays, the figure is computed at every cycle only if it is visible.
    let is_open = RwSignal::new(false);
    let now = Memo::new(move |before: Option<&Option<Figure>>| {
        if ctx.playing.get() && !is_open.get() && before.is_some() {
            return before.cloned().flatten();
        }
        ctx.plan.with(|plan| Some(figures::so_far_figure(plan, ctx.cycle.get())))
    });
    let is_old = ctx.holds(studio::Session::has_problems);
    let old = text_from(move || if is_old.get() { label::LAST_GOOD } else { "" }.to_owned());
    let state = |(id, does): (&'static str, &'static str)| {
        view! { <li><span class=format!("state {id}") aria-hidden="true"></span> <span><Prose text=text_from(move || does.to_owned()) /></span></li> }
    };
    let states = legend::STATES.map(state).into_iter().collect_view();
    view! {
        <section class="live" class:stale=move || is_old.get() aria-label=label::LIVE id="live">
            <Headline all array parts />
            <p class="problem">{old}</p>
            <Classes parts so_far array />
            <LargestGain />
            <Time all />
            <p class="hint" id="priced-as">{ctx.text_of_plan(figures::priced_as)}</p>
            <UtilizationCurve />
            <OnAChip all />
            <Ladder />
            <details class="more" id="run-details" on:toggle=move |event| {
                is_open.set(details::is_open(&event));
                focus::reveal("#run-details[open]:focus-within");
            }>
                <summary>{busy::RUN_DETAILS}</summary>
                <ChipFigures all />
                <h3>{busy::COUNTING}</h3>
                <p class="sum" id="sum">
                    <Prose text=ctx.text_of_plan(move |plan| parts.with(|parts| busy::sum(plan, parts))) />
                </p>
                <p class="formula" id="cycles-formula">{ctx.text_of_plan(|plan| figures::cycles_formula(plan).0)}</p>
                <p class="formula">{ctx.text_of_plan(|plan| figures::cycles_formula(plan).1)}</p>
                <div class="figures"><FigureView figure=whole(all, "utilization") /> <FigureView figure=now /></div>
                <h3>{legend::STATES_OPEN}</h3>
                <ul class="states">{states}</ul>
                <CycleTables is_open />
            </details>
        </section>
    }
}
