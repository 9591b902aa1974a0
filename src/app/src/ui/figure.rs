//! A figure that opens: formula, the numbers put in, sources.

use display::figure::Figure;
use leptos::prelude::*;
use studio::words::label;

use crate::browser::text_cells;

/// A number with a few words; opened, where it comes from. What changes of it is filled in, so that one that is open
/// stays open.
#[component]
pub(crate) fn FigureView(
    /// The figure.
    figure: Memo<Option<Figure>>,
) -> impl IntoView {
    let id = figure.with_untracked(|figure| figure.as_ref().map_or("", |figure| figure.id));
    let place = NodeRef::new();
    text_cells::figure(place, figure);
    view! {
        <details class="figure" id=format!("figure-{id}") node_ref=place>
            <summary>
                <span class="name"></span>
                <strong class="value"></strong>
                <span class="note"></span>
            </summary>
            <div class="why">
                <p class="says"></p>
                <p class="formula"></p>
                <p class="formula worked"></p>
                <p>{label::LEAVES_OUT} ": " <span class="leaves-out"></span></p>
                <h3>{label::SOURCES}</h3>
                <ul></ul>
                <p class="trust">{label::CHECKED} {perfmodel::AS_OF}</p>
            </div>
        </details>
    }
}
