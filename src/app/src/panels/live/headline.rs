//! The headline: the utilization of the whole run, the utilization up to the shown cycle, and a curve of the
//! utilization against one setting.

use display::figure::Figure;
use leptos::prelude::*;
use studio::Field;
use words::busy;

use super::{Figures, SoFar, whole};
use crate::ctx::{Text, memo, text_from, use_ctx};
use crate::ui::{figure_body, fill_figure};

/// Width and height of the curve in pixels.
const CURVE: (f64, f64) = (258.0, 62.0);

/// The utilization of the whole run in large digits, and next to it the utilization so far. A press on the utilization
/// opens its definition.
#[component]
pub(super) fn Headline(all: Figures, so_far: SoFar) -> impl IntoView {
    let ctx = use_ctx();
    let whole_run = |text: fn(&systolic::Tally) -> String| ctx.text_of_plan(move |plan| text(&plan.schedule().tally()));
    let useful = whole_run(busy::useful_of_all);
    let until_now = |text: fn(&systolic::Tally) -> String| -> Text { text_from(move || so_far.with(text)) };
    view! {
        <div class="glance-head">
            <h2>{busy::UTILIZATION[0]}</h2>
            <span>{busy::UTILIZATION[1]}</span>
        </div>
        <div class="glance">
            <Tile
                figure=whole(all, "utilization")
                id="busy"
                value=whole_run(busy::share)
                label=text_from(move || format!("{}: {}", words::label::WHOLE_RUN, useful()))
            />
            <p class="so-far">
                <strong id="so-far">{until_now(busy::share)}</strong>
                <span>{busy::SO_FAR} ": " {until_now(busy::useful_of_all)}</span>
            </p>
        </div>
    }
}

/// A number in large digits, with its label. A press opens the definition of the number.
#[component]
pub(super) fn Tile(
    /// Figure of the number.
    figure: Memo<Option<Figure>>,
    /// Id of the element with the number.
    id: &'static str,
    /// The number.
    value: Text,
    /// Text below the number.
    label: Text,
) -> impl IntoView {
    let place = NodeRef::new();
    fill_figure(place, figure);
    let shown = value.clone();
    let is_long = move || shown().chars().count() > LONG;
    let name = figure.with_untracked(|figure| figure.as_ref().map_or("", |figure| figure.id));
    view! {
        <details class="figure" id=format!("figure-{name}") node_ref=place>
            <summary>
                <strong id=id class:long=is_long>{value}</strong>
                // The space separates the words for screen readers.
                " "
                <span>{label}</span>
            </summary>
            <div class="why">
                <p><span class="name"></span> " " <strong class="value"></strong> " " <span class="note"></span></p>
                {figure_body()}
            </div>
        </details>
    }
}

/// Number of letters of the longest number in large type.
const LONG: usize = 8;

/// The curve of the utilization against the setting that a person changed last.
#[component]
pub(super) fn UtilizationCurve() -> impl IntoView {
    let ctx = use_ctx();
    let against = memo(Box::new(move || {
        ctx.session().with(|session| session.trial.as_ref().map(|trial| (trial.field, trial.before)))
    }));
    let curve = text_from(move || {
        let (field, before) = against.get().map_or((Field::M, None), |(field, before)| (field, Some(before)));
        ctx.plan.with(|plan| busy::spark(&studio::busy::curve(plan, field, before)).svg(CURVE.0, CURVE.1))
    });
    view! { <div class="curve-room" id="curve" inner_html=curve></div> }
}
