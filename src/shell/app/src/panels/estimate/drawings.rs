//! The plots of an answer, each with its list of dots or its table.

use std::sync::Arc;

use ::report::{Drawing, curves, drawings, plots as words};
use ::words::label;
use display::figure::Citation;
use estimate::{Answered, Entry};
use leptos::ev::PointerEvent;
use leptos::html::Div;
use leptos::prelude::*;

use crate::browser::text_cells::TableRow;
use crate::browser::{dots, drag, measure};
use crate::ctx::{memo, text_from};
use crate::ui::{TextTable, linked};

/// Maximum number of plots of a topic.
const DRAWINGS_MAX: usize = 4;
/// Number of curves: of the MFU and of the dollars.
const CURVES: usize = 2;

/// Sets entries to texts, in one step of the history.
pub(super) type Set = Arc<dyn Fn(&[(Entry, String)]) + Send + Sync>;

/// The plots of a topic, with the entry field for the quantity of an axis.
#[component]
pub(super) fn Drawings(
    answered: Memo<Arc<Answered>>,
    rested: ReadSignal<Arc<Answered>>,
    axis: AnyView,
    set: Set,
) -> impl IntoView {
    // Curves follow every change at once, because a person drags their points.
    let curves = memo(move || answered.with(|answered| curves(answered)));
    let curves = (0..CURVES)
        .map(|index| {
            let drawing = memo(move || curves.with(|all| all.get(index).cloned()));
            let id = memo(move || drawing.with(|drawing| drawing.as_ref().map(|drawing| drawing.plot.id)));
            let set = Arc::clone(&set);
            move || id.get().map(|id| view! { <Drawn id drawing set=Some(Arc::clone(&set)) /> })
        })
        .collect_view();
    let all = memo(move || rested.with(|answered| drawings(answered)));
    let has = memo(move || all.with(|all| !all.is_empty()));
    let drawings = (0..DRAWINGS_MAX)
        .map(|index| {
            let drawing = memo(move || all.with(|all| all.get(index).cloned()));
            // Each plot has its own element, so that an open list in one plot does not open a list in another.
            let id = memo(move || drawing.with(|drawing| drawing.as_ref().map(|drawing| drawing.plot.id)));
            move || id.get().map(|id| view! { <Drawn id drawing set=None /> })
        })
        .collect_view();
    view! {
        <div class="drawings" hidden=move || !has.get()>
            <h3>{words::TITLE}</h3>
            {axis}
            <div class="plots">{curves} {drawings}</div>
        </div>
    }
}

#[component]
fn Drawn(id: &'static str, drawing: Memo<Option<Drawing>>, set: Option<Set>) -> impl IntoView {
    let room: NodeRef<Div> = NodeRef::new();
    let size = measure::size_of(room);
    // The width has whole pixels, so that a small change of the width draws no new plot.
    let width = memo(move || size.with(|size| f64::from(size.width.floor())));
    let svg = move || {
        let width = width.get();
        drawing.with(|drawing| {
            drawing.as_ref().filter(|_| width > 0.0).map_or_else(String::new, |one| one.plot.svg(width))
        })
    };
    // A drag sets the entry to the value that is nearest to the pointer.
    let moved = {
        let set = set.clone();
        move |event: &PointerEvent| {
            let (Some(set), Some(at)) = (&set, drag::place(event)) else { return };
            let nearest = drawing.with_untracked(|drawing| {
                let drawing = drawing.as_ref()?;
                let [left, _, right, _] = drawing.plot.layout(width.get_untracked()).field;
                let drag = drawing.drag.as_ref()?;
                Some((drag.entry, drag.nearest(&drawing.plot.x, (at - left) / (right - left))?))
            });
            if let Some((entry, value)) = nearest {
                set(&[(entry, value.to_string())]);
            }
        }
    };
    let title = text_from(move || {
        drawing.with(|drawing| drawing.as_ref().map_or_else(String::new, |one| one.plot.title.clone()))
    });
    let of = move || drawing.get();
    let notes = move || {
        let notes = of().map_or_else(Vec::new, |one| one.notes);
        let mut notes = notes.into_iter().map(|note| view! { <p class="hint">{note}</p> });
        let first = notes.next();
        let rest: Vec<_> = notes.collect();
        let rest = (!rest.is_empty())
            .then(|| view! { <details class="as-table"><summary>{words::NOTES}</summary>{rest}</details> });
        view! { {first} {rest} }
    };
    let list = move || {
        let dots = of().map_or_else(Vec::new, |one| one.dots);
        (!dots.is_empty()).then(|| {
            view! {
                <details class="as-table">
                    <summary>{words::DOTS}</summary>
                    <ol class="dots">{listed(id, dots)}</ol>
                </details>
            }
        })
    };
    let has_table = memo(move || drawing.with(|one| one.as_ref().is_some_and(|one| one.table.is_some())));
    let table = move || {
        has_table.get().then(|| {
            let texts = move |show: &mut dyn FnMut(&[&'static str], &[TableRow])| {
                drawing.with(|one| {
                    if let Some(table) = one.as_ref().and_then(|one| one.table.as_ref()) {
                        show(&table.heads, &table.texts());
                    }
                });
            };
            view! {
                <details class="as-table">
                    <summary>{words::TABLE}</summary>
                    <TextTable name=words::TABLE texts=Box::new(texts) />
                </details>
            }
        })
    };
    view! {
        <figure id=id>
            <figcaption>{title}</figcaption>
            // A click on a dot opens its line in the list. A person can also reach this line by keys.
            <div
                class="plot-room"
                class:draggable=set.is_some()
                node_ref=room
                on:pointerdown=move |event| drag::start(&event)
                on:pointermove=move |event| moved(&event)
                inner_html=svg
                on:click=move |event| {
                    if let Some(number) = dots::clicked(&event) {
                        dots::unfold(&format!("{id}-{number}"));
                    }
                }
            ></div>
            {notes}
            {list}
            {table}
        </figure>
    }
}

fn listed(id: &'static str, dots: Vec<(String, Citation)>) -> impl IntoView {
    dots.into_iter()
        .zip(1..)
        .map(|((line, citation), number)| {
            view! {
                <li>
                    <details id=format!("{id}-{number}")>
                        <summary>{line}</summary>
                        <p>{citation.what}</p>
                        <p>{linked(citation.source.to_owned())}</p>
                        <p class="trust">{citation.confidence}</p>
                        <p class="trust">{citation.note}</p>
                        <p class="trust">{label::CHECKED} {perfmodel::AS_OF}</p>
                    </details>
                </li>
            }
        })
        .collect_view()
}
