//! Tests that the page of the book on printed digits has the course's list. `UPDATE=1` writes the page.

use lesson::printed::{ALL, Print};
use lesson::words;

#[test]
fn the_book_lists_every_print_with_the_digits_of_the_array() {
    let root = std::path::PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests"))
        .join("../../..");
    let path = root.join("docs/printed.md");
    let row = |print: &Print| {
        let n = print.printed.len();
        let equal = match (print.all, print.n_equal()) {
            (Some(all), _) => all.to_owned(),
            (None, equal) => format!("{equal} of {n}"),
        };
        let [first, ours] = [print.printed[0].to_owned(), words::digits(print.ours()[0])];
        let proves = print.why.unwrap_or(print.proves);
        format!(
            "| [{}]({}) | {} | {first} | {ours} | {equal} | {proves} |",
            print.title,
            print.source,
            words::chip_and_date(print)
        )
    };
    let head = "| print | chip, date | first digits | this array | equal | conclusion |\n|---|---|---|---|---|---|";
    let table = ALL.iter().map(row).fold(head.to_owned(), |table, row| table + "\n" + &row);
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once("<!-- prints -->\n").expect("a place");
    let (_, after) = rest.split_once("<!-- /prints -->").expect("an end");
    let now = format!("{before}<!-- prints -->\n{table}\n<!-- /prints -->{after}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &now).expect("written");
    }
    assert!(now == page || std::env::var_os("UPDATE").is_some(), "docs/printed.md is stale: UPDATE=1 writes it");
}
