//! A figure that opens: formula, the numbers put in, sources.

use display::figure::{Citation, Figure};
use leptos::prelude::*;
use studio::words::label;

use crate::ctx::{Text, text_from};

/// A figure that changes, worked out once for all the texts that show it.
pub(crate) type Changing = Memo<Option<Figure>>;

/// A number with a few words; opened, where it comes from.
#[component]
pub(crate) fn FigureView(
    /// The figure.
    figure: Changing,
) -> impl IntoView {
    let id = figure.with_untracked(|figure| figure.as_ref().map_or("", |figure| figure.id));
    let text = |part: fn(&Figure) -> String| -> Text {
        text_from(move || figure.with(|figure| figure.as_ref().map(part).unwrap_or_default()))
    };
    let citations = move || {
        let all = figure.get().map(|figure| figure.citations).unwrap_or_default();
        all.into_iter().map(|one| view! { <Cited one /> }).collect_view()
    };
    view! {
        <details class="figure" id=format!("figure-{id}")>
            <summary>
                <span class="name">{text(|figure| figure.name.to_owned())}</span>
                <strong class="value">{text(|figure| figure.value.clone())}</strong>
                <span class="note">{text(|figure| figure.note.clone())}</span>
            </summary>
            <div class="why">
                <p>{text(|figure| figure.says.to_owned())}</p>
                <p class="formula">{text(|figure| figure.formula.to_owned())}</p>
                <p class="formula worked">{text(|figure| figure.worked.clone())}</p>
                <p>{label::LEAVES_OUT} ": " {text(|figure| figure.leaves_out.to_owned())}</p>
                <h3>{label::SOURCES}</h3>
                <ul>{citations}</ul>
                <p class="trust">{label::CHECKED} {perfmodel::AS_OF}</p>
            </div>
        </details>
    }
}

#[component]
fn Cited(one: Citation) -> impl IntoView {
    view! {
        <li>
            <strong>{one.what}</strong>
            <span>{one.source}</span>
            <span class="trust">{one.confidence}</span>
            <span class="trust">{one.note}</span>
        </li>
    }
}
