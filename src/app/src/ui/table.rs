//! A table of texts.

use leptos::prelude::*;

use crate::browser::text_cells::{self, TableRow, TableTexts};

/// A table of texts, whose first column heads the rows; rows that are marked stand out by a sign and by weight. Only the
/// texts that differ are touched when it changes.
#[component]
pub(crate) fn TextTable(
    /// What a screen reader calls it: what scrolls sideways must be reached by keys, and then it needs a name.
    name: &'static str,
    /// Its texts.
    texts: TableTexts,
) -> impl IntoView {
    let place = NodeRef::new();
    text_cells::table(place, texts);
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=name>
            <table node_ref=place><thead></thead><tbody></tbody></table>
        </div>
    }
}

/// A table whose texts stay as they are, called by what it lists.
pub(crate) fn fixed_table(heads: &'static [&'static str], rows: Vec<TableRow>) -> impl IntoView {
    let name = heads.first().copied().unwrap_or("");
    view! { <TextTable name texts=Box::new(move |show| show(heads, &rows)) /> }
}
