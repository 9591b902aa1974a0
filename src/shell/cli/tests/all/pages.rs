//! Tests of pages of the book that programs write: `docs/glossary.md` and `docs/cli.md`. `UPDATE=1` writes them.

use std::fs;
use std::path::Path;

use crate::common::{systolic, told};
use words::glossary::ENTRIES;

/// Checks that a page of the book is up to date. If `UPDATE` is set, rewrites it.
fn is_page(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs").join(name);
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
fn the_page_of_the_command_line_is_its_help() {
    let block = |arguments: &[&str]| format!("```text\n{}\n```\n", told(&systolic(arguments)).trim_end());
    let whole = told(&systolic(&["help"]));
    let mut text = format!(
        "# Command line\n\nThis page is for engineers. `cargo install --path src/shell/cli` builds the program `systolic`.\n\n\
         - `systolic help` lists the commands, and `systolic help COMMAND` describes one.\n\
         - `man ./docs/man/systolic-model.1` shows the same as a manual page.\n\
         - `systolic completions bash` writes completions for a shell: bash, elvish, fish, powershell or zsh.\n\n{}",
        block(&["help"])
    );
    let commands = whole.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let mut n_commands = 0;
    for name in commands.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next()) {
        text += &format!("\n## `systolic {name}`\n\n{}", block(&["help", name]));
        n_commands += 1;
    }
    assert!(n_commands > 15, "{whole}");
    is_page("cli.md", &text);
}
