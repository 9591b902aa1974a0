//! A table of texts.

use leptos::prelude::*;

/// A table of texts, whose first column heads the rows; rows that are marked stand out by a sign and by weight.
pub(crate) fn table(heads: &[&'static str], rows: Vec<(bool, Vec<String>)>) -> impl IntoView + use<> {
    // What scrolls sideways must be reached by keys, and then it needs a name.
    let heads_label = heads.first().copied().unwrap_or_default();
    let heads = heads.iter().map(|head| view! { <th scope="col">{*head}</th> }).collect_view();
    let rows = rows
        .into_iter()
        .map(|(marked, cells)| {
            let mut cells = cells.into_iter();
            let first = cells.next().unwrap_or_default();
            let cells = cells.map(|cell| view! { <td>{cell}</td> }).collect_view();
            view! { <tr class:marked=marked><th scope="row">{first}</th>{cells}</tr> }
        })
        .collect_view();
    view! { <div class="scroll" tabindex="0" role="group" aria-label=heads_label><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div> }
}
