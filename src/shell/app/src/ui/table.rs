//! A table of texts.

use leptos::prelude::*;

use crate::browser::text_cells::{self, TableRow, TableTexts};

/// A table of texts. The first column contains the row headings, and marked rows have a sign and bold text. A change
/// rewrites only the texts that differ.
#[component]
pub(crate) fn TextTable(
    /// Name for screen readers. The focus must be able to reach a table that scrolls sideways, and an element that can
    /// have the focus needs a name.
    name: &'static str,
    /// Texts of the table.
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

/// A table with fixed texts. Its name is the first heading.
pub(crate) fn fixed_table(heads: &'static [&'static str], rows: Vec<TableRow>) -> impl IntoView {
    let name = heads.first().copied().unwrap_or("");
    view! { <TextTable name texts=Box::new(move |show| show(heads, &rows)) /> }
}
