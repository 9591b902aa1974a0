//! What the first screen does not need: the comparison of two runs, defects, and one PE written out.

mod breaker;
mod channels;
mod compare;
mod own_skew;
mod sheet;
mod tiles;
mod transcript;

pub(crate) use breaker::Breaker;
pub(crate) use channels::Channels;
pub(crate) use compare::{Compare, OtherStage};
pub(crate) use sheet::Sheet;
pub(crate) use tiles::Tiles;
pub(crate) use transcript::Transcript;

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
