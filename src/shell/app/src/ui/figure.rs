//! A figure that a person can open to see its formula, the formula with numbers, and its sources.

use display::figure::Figure;
use leptos::html;
use leptos::prelude::*;
use words::label;

use crate::browser::{text_cells, timing};

/// Memo of a figure; `None` if the state has no such figure.
pub(crate) type Changing = Memo<Option<Figure>>;

/// Writes the texts of a figure into the elements of a view. The folded texts are written one frame after the visible
/// texts.
pub(crate) fn fill_figure(place: NodeRef<html::Details>, figure: Changing) {
    let summary = move |show: &mut dyn FnMut(&[&str])| {
        figure.with(|figure| {
            figure.as_ref().map(|one| show(&[one.name, &one.value, &one.note, &one.range_in_brackets()]))
        });
    };
    text_cells::fill(place, &[".name", ".value", ".note", ".range"], Box::new(summary));
    let is_drawn = timing::after_a_frame();
    let folded = move |show: &mut dyn FnMut(&Figure)| {
        if is_drawn.get() {
            figure.with(|figure| figure.as_ref().map(show));
        }
    };
    let texts = move |show: &mut dyn FnMut(&[&str])| {
        folded(&mut |one| {
            let leaves_out = format!("{}: {}", label::LEAVES_OUT, one.leaves_out);
            // A figure that uses only its definition has no data that can become outdated.
            let has_data = one.citations.iter().any(|citation| !citation.confidence.is_empty());
            let checked = if has_data { format!("{}{}", label::CHECKED, perfmodel::AS_OF) } else { String::new() };
            show(&[one.says, one.formula, &one.worked, &leaves_out, label::SOURCES, &checked]);
        });
    };
    text_cells::fill(
        place,
        &[".says", ".formula", ".worked", ".leaves-out", ".sources > summary", "p.trust"],
        Box::new(texts),
    );
    text_cells::list(place, Box::new(move |show| folded(&mut |one| show(&one.citations))));
}

/// A number with a short text. A person can open the number to see its derivation. A change replaces only the texts, so
/// that an open figure stays open.
#[component]
pub(crate) fn FigureView(
    /// The figure.
    figure: Changing,
) -> impl IntoView {
    let id = figure.with_untracked(|figure| figure.as_ref().map_or("", |figure| figure.id));
    let place = NodeRef::new();
    fill_figure(place, figure);
    // A part of the view without texts is created as one copy of a template.
    view! {
        <details class="figure" id=format!("figure-{id}") node_ref=place>
            <summary>
                <span class="name"></span>
                <strong class="value"></strong>
                <span class="range"></span>
                <span class="note"></span>
            </summary>
            <div class="why">{figure_body()}</div>
        </details>
    }
}

/// Empty elements for the folded texts of a figure: its definition, its formula, the formula with numbers, and its
/// sources.
pub(crate) fn figure_body() -> impl IntoView {
    view! {
        <p class="says"></p>
        <p class="formula"></p>
        <p class="formula worked"></p>
        <p class="leaves-out"></p>
        <details class="sources">
            <summary></summary>
            <ul></ul>
            <p class="trust"></p>
        </details>
    }
}
