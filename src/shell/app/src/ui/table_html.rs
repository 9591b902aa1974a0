//! A table as HTML text, for tables that are written as a whole.

use words::table::Table;

/// Returns a table as HTML text. The texts are not escaped, because they are the project's names and numbers, without
/// markup characters.
pub(crate) fn table_html(table: &Table) -> String {
    let name = &table.name;
    // A head without a text is an ordinary cell.
    let head = |text: &String| if text.is_empty() { cell("td", "", text) } else { cell("th", " scope=\"col\"", text) };
    let heads: String = table.heads.iter().map(head).collect();
    let row = |texts: &Vec<String>| {
        let cell = |(nth, text): (usize, &String)| {
            if nth == 0 { cell("th", " scope=\"row\"", text) } else { cell("td", "", text) }
        };
        ["<tr>", &texts.iter().enumerate().map(cell).collect::<String>(), "</tr>"].concat()
    };
    let rows: String = table.rows.iter().map(row).collect();
    [
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"",
        name,
        "\"><table><caption>",
        name,
        "</caption><thead><tr>",
        &heads,
        "</tr></thead><tbody>",
        &rows,
        "</tbody></table></div>",
    ]
    .concat()
}

fn cell(tag: &str, scope: &str, text: &str) -> String {
    ["<", tag, scope, ">", text, "</", tag, ">"].concat()
}
