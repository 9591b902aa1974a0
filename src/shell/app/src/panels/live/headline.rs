//! The headline: MFU and cost of the array on screen, for the whole run and up to the shown cycle, and a curve of the
//! utilization against one setting.

use display::figure::Figure;
use leptos::prelude::*;
use studio::busy::Curve;
use studio::{Field, FieldValue};
use words::figures::ArrayAtAGlance;
use words::{busy, figures, label};

use core::time::Duration;

use super::chip::CostHead;
use super::classes::Bar;
use super::{Array, Figures, Parts, steady, whole};
use crate::browser::effect;
use crate::browser::timing::Debounce;
use crate::ctx::{Text, memo, text_from, use_ctx};
use crate::ui::{figure_body, fill_figure};

/// Width and height of the curve in pixels.
const CURVE: (f64, f64) = (258.0, 60.0);

/// MFU and cost of the array: the whole run in large digits, and next to it the part of the run so far. A press on a
/// number opens its formula. The two bars compare the cost of a full array with the cost of this run.
#[component]
pub(super) fn Headline(all: Figures, array: Array, parts: Parts) -> impl IntoView {
    let ctx = use_ctx();
    let [whole_run, so_far] = [array.whole, array.so_far]
        .map(|of| move |part: fn(&ArrayAtAGlance) -> String| -> Text { text_from(move || of.with(part)) });
    let useful = |now: &ArrayAtAGlance| if now.times.is_empty() { busy::NOTHING_YET } else { busy::SO_FAR }.to_owned();
    let before = before(array);
    // For a few seconds after a change, the label of the whole run is the value before the change.
    let or_before = move |nth: usize, label: Text| -> Text {
        text_from(move || {
            before.with(|before| before.as_ref().map(|before| busy::before(&before[nth], nth))).unwrap_or_else(&*label)
        })
    };
    let scale = StoredValue::new(0.0);
    let length = move |nth: usize| {
        array.whole.with(|now| 100.0 * now.usd[nth] / steady(scale, now.usd[0].max(now.usd[1])).max(f64::MIN_POSITIVE))
    };
    let is_long = move || length(0) > 45.0;
    let width = |nth: usize| text_from(move || display::number::significant(length(nth), 4) + "%");
    view! {
        <div class="glance-head">
            <h2 title=busy::ARRAY_MFU_HELP>{busy::ARRAY_MFU[0]}</h2>
            <span>{busy::ARRAY_MFU[1]}</span>
        </div>
        <div class="glance">
            <Tile
                figure=whole(all, "array-mfu")
                id="busy"
                value=whole_run(|now| now.mfu.clone())
                label=or_before(0, whole_run(|now| busy::useful(&now.useful)))
            />
            <p class="so-far">
                <strong id="so-far">{so_far(|now| now.mfu.clone())}</strong>
                <span>{busy::SO_FAR}</span>
            </p>
        </div>
        <CostHead />
        <div class="glance">
            <Tile
                figure=whole(all, "array-usd-per-1e18")
                id="array-cost"
                value=whole_run(|now| now.cost.clone())
                label=or_before(1, text_from(|| busy::COST[2].to_owned()))
            />
            <p class="so-far">
                <strong id="cost-so-far">{so_far(|now| now.cost.clone())}</strong>
                <span>{so_far(useful)}</span>
            </p>
        </div>
        // The bars are hidden from screen readers, because the numbers above them have the same content.
        <div class="money" aria-hidden="true">
            <span>{busy::BARS[0]}</span>
            // The price is inside a long bar, and after a short one.
            <span class="full" class:long=is_long><i style:width=width(0)></i> <b>{ctx.text_of_plan(figures::full_array)}</b></span>
            <b class="times">{whole_run(|now| now.times.clone())}</b>
            <span>{busy::BARS[1]}</span>
            <span class="run" style:width=width(1)><Bar parts /></span>
        </div>
    }
}

/// The time of the run in seconds, on one line. Hidden if the chip with the price has no systolic arrays.
#[component]
pub(super) fn Time(all: Figures) -> impl IntoView {
    let ctx = use_ctx();
    let part = move |nth: usize| {
        ctx.text_of_plan(move |plan| {
            figures::array_time(plan).map_or_else(String::new, |mut time| core::mem::take(&mut time[nth]))
        })
    };
    let value = part(0);
    let is_unknown = value.clone();
    view! {
        <div class="glance time" hidden=move || is_unknown().is_empty()>
            <Tile figure=whole(all, "array-time") id="array-time" value label=part(1) />
        </div>
    }
}

/// Time for which the panel still shows the MFU and the cost from before a change.
const BEFORE: Duration = Duration::from_secs(4);

/// MFU and cost of the whole run.
type Values = [String; 2];

/// Returns the MFU and the cost of the whole run before the last change, for a few seconds after the change. After
/// several changes of one number, returns the values before the first of these changes. The effect below the number
/// also compares with these values.
fn before(array: Array) -> RwSignal<Option<Values>> {
    let ctx = use_ctx();
    let (before, end) = (RwSignal::new(None), Debounce::new(BEFORE));
    let last = StoredValue::new(None::<(Values, Option<Field>, Values)>);
    effect(move || {
        let now = array.whole.with(|now| [now.mfu.clone(), now.cost.clone()]);
        let field = ctx.session().with_untracked(|session| session.trial.as_ref().map(|trial| trial.field));
        let base = match last.get_value() {
            Some((_, _, earlier)) if earlier == now => return,
            Some((base, of, _)) if of.is_some() && of == field => base,
            Some((_, _, earlier)) => earlier,
            None => now.clone(),
        };
        last.set_value(Some((base.clone(), field, now.clone())));
        // A change back to the first value is not a change.
        before.set(Some(base).filter(|base| *base != now));
        end.call(move || {
            before.try_set(None);
        });
    });
    before
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

/// Maximum number of letters of a number in large type.
const LONG: usize = 6;

/// The curve of the utilization against the setting that a person changed last.
#[component]
pub(super) fn UtilizationCurve() -> impl IntoView {
    let ctx = use_ctx();
    let against = memo(move || {
        let trial = ctx.session().with(|session| session.trial.as_ref().map(|trial| (trial.field, trial.before)));
        trial.map_or((Field::M, None), |(field, before)| (field, Some(before)))
    });
    let points = memo(move || {
        let (field, before) = against.get();
        ctx.plan.with(|plan| studio::busy::curve(plan, field, before))
    });
    let curve =
        text_from(move || points.with(|curve| ctx.plan.with(|plan| busy::spark(plan, curve).svg(CURVE.0, CURVE.1))));
    // A slider over the picture moves the setting along the points of the curve.
    let now = |curve: &Curve| curve.points.iter().position(|(value, _)| *value >= curve.now.0).unwrap_or_default();
    let slide = move |event| {
        let place = event_target_value(&event).parse::<usize>().ok();
        let chosen = points.with_untracked(|curve| Some((curve.field, curve.points.get(place?)?.0)));
        if let Some((field, value)) = chosen {
            ctx.set_all(&[(field, FieldValue::Count(value))]);
        }
    };
    let of_points = move |get: fn(&Curve) -> usize| text_from(move || points.with(get).to_string());
    let name = text_from(move || label::field(against.get().0).to_owned());
    view! {
        <div class="curve-room">
            <div id="curve" inner_html=curve></div>
            {(!ctx.embedded()).then(|| view! {
                <input
                    type="range"
                    id="curve-slider"
                    min="0"
                    max=of_points(|curve| curve.points.len().saturating_sub(1))
                    prop:value=of_points(now)
                    aria-label=name
                    aria-valuetext=text_from(move || points.with(|curve| curve.now.0.to_string()))
                    on:input=slide
                />
            })}
        </div>
    }
}
