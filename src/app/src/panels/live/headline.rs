//! The headline: the utilization of the array, and a curve of the utilization against one setting.

use leptos::prelude::*;
use studio::Field;
use words::busy;

use super::{Figures, whole};
use crate::ctx::{memo, text_from, use_ctx};
use crate::ui::{figure_body, fill_figure};

/// Width and height of the curve in pixels.
const CURVE: (f64, f64) = (144.0, 78.0);

/// The utilization in large digits, which opens its definition, and the curve next to it.
#[component]
pub(super) fn Headline(all: Figures) -> impl IntoView {
    let ctx = use_ctx();
    let place = NodeRef::new();
    fill_figure(place, whole(all, "utilization"));
    // One row has space for four letters in the largest size.
    let letters = ctx.text_of_plan(|plan| busy::share(&plan.schedule().tally()).chars().count().to_string());
    // The curve is against the setting that was changed last.
    let against = memo(Box::new(move || {
        ctx.session().with(|session| session.trial.as_ref().map(|trial| (trial.field, trial.before)))
    }));
    let curve = text_from(move || {
        let (field, before) = against.get().map_or((Field::M, None), |(field, before)| (field, Some(before)));
        ctx.plan.with(|plan| busy::spark(&studio::busy::curve(plan, field, before)).svg(CURVE.0, CURVE.1))
    });
    view! {
        <div class="glance">
            <details class="figure" id="figure-utilization" node_ref=place>
                <summary>
                    <strong class="busy" data-letters=letters id="busy">{ctx.text_of_plan(|plan| busy::share(&plan.schedule().tally()))}</strong>
                    <span class="whole-run">{busy::WHOLE_RUN}</span>
                </summary>
                <div class="why">
                    <p>
                        <span class="name"></span> " " <strong class="value"></strong> " " <span class="note"></span>
                    </p>
                    {figure_body()}
                </div>
            </details>
            <div class="curve-room" id="curve" inner_html=curve></div>
        </div>
    }
}
