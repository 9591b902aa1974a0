//! The legend of the array view: each shape, with its role in the dataflow, and switches that hide a shape.

use leptos::prelude::*;
use words::legend::{self, Entry, Shape};

use crate::ctx::{text_from, use_ctx};

/// Returns the SVG path of a shape's outline, on a grid of 22 by 14.
pub(crate) const fn shape_path(shape: Shape) -> &'static str {
    match shape {
        Shape::Pill => "M7.5 1h7a6 6 0 0 1 0 12h-7a6 6 0 0 1 0-12z",
        Shape::Notch => "M2 1h6l3 3 3-3h6v12H2z",
        Shape::Chevron => "M2 1h18v9l-9 3-9-3z",
        Shape::Hexagon => "M6 1h10l5 6-5 6H6L1 7z",
    }
}

/// The legend of the shapes.
#[component]
pub(crate) fn Legend() -> impl IntoView {
    let ctx = use_ctx();
    let entries = Memo::new(move |_| ctx.plan.with(|plan| legend::entries(plan)));
    let part = move |nth: usize, part: fn(&Entry) -> &str| {
        text_from(move || entries.with(|entries| entries.get(nth).map_or("", part).to_owned()))
    };
    let items = (0..legend::N)
        .map(|nth| {
            view! {
                <li class=part(nth, |entry| entry.shape.id())>
                    <svg viewBox="0 0 22 14" aria-hidden="true">
                        <path d=part(nth, |entry| shape_path(entry.shape))></path>
                    </svg>
                    <b>{part(nth, |entry| entry.letter)}</b>
                    " "
                    {part(nth, |entry| entry.does)}
                </li>
            }
        })
        .collect_view();
    let title = |part: fn([String; 2]) -> String| ctx.text_of_plan(move |plan| part(legend::title(plan)));
    let signs = legend::SIGNS.map(|(sign, does)| {
        view! { <li hidden=move || !ctx.frame.has_signs.get()><b>{sign}</b> " " {does}</li> }
    });
    view! {
        <div class="shapes">
            <p><b>{title(|[who, _]| who)}</b> " " {title(|[_, reads]| reads)}</p>
            <ul>{items}{signs.collect_view()}</ul>
        </div>
    }
}

/// A switch for each shape of the array view.
#[component]
pub(crate) fn ShapeSwitches() -> impl IntoView {
    let ctx = use_ctx();
    let switches = Shape::ALL.map(|shape| {
        let id = format!("shows-{}", shape.id());
        let switch = move |_| ctx.view.filter.update(|filter| *filter = filter.switched(shape));
        view! {
            <label class="check">
                <input id=id type="checkbox" prop:checked=move || ctx.view.filter.get().shows(shape) on:change=switch />
                <svg viewBox="0 0 22 14" class=shape.id() aria-hidden="true"><path d=shape_path(shape)></path></svg>
                {legend::letter(shape)}
            </label>
        }
    });
    view! { <fieldset class="shape-switches"><legend>{legend::SWITCH}</legend>{switches.collect_view()}</fieldset> }
}
