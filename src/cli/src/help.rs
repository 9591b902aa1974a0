//! `systolic help`: the manual.

use std::io::Write;

use crate::arguments::Arguments;
use crate::command::Command;
use crate::problem::{Name, Problem, Problems, Usable};

const MANUAL: &str = include_str!("manual.txt");

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let Some(word) = arguments.word(0) else { return Ok(out.write_all(MANUAL.as_bytes())?) };
    let command = Command::from_id(word).ok_or_else(|| {
        let usable = Usable::OneOf(Command::ALL.map(Command::id).to_vec());
        Problem::Value { name: Name::Command, given: word.to_owned(), usable }
    })?;
    Ok(out.write_all(part(command).as_bytes())?)
}

/// The manual as far as it is about a command: its synopsis, what it does, and its options.
fn part(command: Command) -> String {
    let options: Vec<String> = command.options().into_iter().map(|option| format!("--{option}")).collect();
    let mut part = String::new();
    let (mut section, mut is_wanted) = ("", false);
    let mut heading = None;
    for line in MANUAL.lines() {
        if !line.starts_with(' ') {
            (section, is_wanted) = (line, false);
            heading = (!line.is_empty()).then_some(line);
            continue;
        }
        // What is indented deeper goes on with the entry before it.
        if !line.starts_with("     ") {
            let entry = line.trim_start();
            let (head, _) = entry.split_once("  ").unwrap_or((entry, ""));
            let words: Vec<&str> = head.split([' ', ',']).collect();
            is_wanted = match section {
                "SYNOPSIS" => words.get(1) == Some(&command.id()),
                "COMMANDS" => words.first() == Some(&command.id()),
                "OPTIONS" | "DESIGN" | "TERMS" => words.iter().any(|word| options.iter().any(|option| option == word)),
                _ => false,
            };
        }
        if is_wanted {
            if let Some(heading) = heading.take() {
                let gap = if part.is_empty() { "" } else { "\n" };
                part.push_str(&format!("{gap}{heading}\n"));
            }
            part.push_str(&format!("{line}\n"));
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The manual as `man` reads it: headings are headings, the rest stands as it is.
    fn page() -> String {
        let mut page = String::from(".TH SYSTOLIC 1\n");
        for line in MANUAL.lines() {
            let escaped = line.replace('\\', "\\e").replace('-', "\\-");
            if line.starts_with(|first: char| first.is_ascii_uppercase()) {
                page.push_str(&format!(".SH {escaped}\n.nf\n"));
            } else {
                page.push_str(escaped.strip_prefix("    ").unwrap_or(&escaped));
                page.push('\n');
            }
        }
        page
    }

    #[test]
    fn the_manual_page_is_the_manual() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/systolic.1");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, page()).expect("written");
        }
        let kept = std::fs::read_to_string(path).expect("the page is there");
        assert!(kept == page(), "docs/systolic.1 is stale: run this test with UPDATE=1");
    }

    #[test]
    fn the_part_of_a_command_has_its_options_and_no_others() {
        for command in Command::ALL {
            let part = part(command);
            assert!(part.starts_with("SYNOPSIS\n") && part.contains("\nCOMMANDS\n"), "{part}");
            for option in crate::arguments::options() {
                let is_there = part.lines().any(|line| {
                    let line = line.strip_prefix("    ").unwrap_or(line);
                    line.starts_with("--") && line.contains(&format!("--{option} ")) || line == format!("--{option}")
                });
                let takes = command.options().contains(&option);
                assert!(is_there || !takes, "{option} in the part of {}: {part}", command.id());
            }
        }
        assert!(!part(Command::Cast).contains("--chip"));
    }

    #[test]
    fn the_manual_has_every_command_and_option() {
        let options = crate::arguments::options().map(|option| format!("--{option}"));
        let commands = Command::ALL.map(|command| format!("systolic {}", command.id()));
        for word in options.chain(commands) {
            assert!(MANUAL.contains(&word), "{word}");
        }
    }
}
