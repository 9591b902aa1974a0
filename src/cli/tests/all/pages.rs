//! Pages of the book that this project writes: `docs/glossary.md` and `docs/cli.md` are what the program says.
//! `UPDATE=1` writes them.

use std::fs;
use std::path::Path;

use crate::common::{systolic, told};
use words::glossary::ENTRIES;

/// Compares a page with its text, or writes it.
fn is_page(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, text).expect("written");
    }
    let page = fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
    assert!(page == text, "docs/{name} is stale: UPDATE=1 cargo test -p systolic-cli pages");
}

#[test]
fn the_glossary_has_every_word_of_the_page() {
    let mut text = format!(
        "# Glossary\n\nThis page is for learners. It has all {} words of the field that the playground uses, in the order in \
         which a newcomer meets them.\nOn the page, a word with a dotted line opens its entry.\n",
        ENTRIES.len()
    );
    for entry in &ENTRIES {
        text += &format!("\n## {}\n\n{}\n", entry.term, entry.sentence);
    }
    is_page("glossary.md", &text);
}

#[test]
fn the_page_of_the_command_line_is_its_manual() {
    let manual = told(&systolic(&["help"]));
    let text = format!(
        "# Command line\n\nThis page is for engineers. `cargo install --path src/cli` builds the program `systolic`. The text \
         below is\nwhat `systolic help` prints. `systolic help COMMAND` prints the part about one command, and\n\
         `man ./docs/systolic.1` shows all of it as a manual page.\n\n```text\n{}\n```\n",
        manual.trim_end()
    );
    is_page("cli.md", &text);
}
