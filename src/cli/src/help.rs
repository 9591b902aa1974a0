//! `systolic help` and `systolic completions`: their outputs are generated from the description of the command line.

use std::io::Write;

use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::command::Command;
use crate::parser::{of_command, parser};
use crate::problem::{Name, Problem, Problems, Usable};

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let mut shown = match arguments.word(0) {
        None => parser(),
        Some(word) => of_command(Command::from_id(word).ok_or_else(|| {
            let usable = Usable::OneOf(Command::NAMES.to_vec());
            Problem::Value { name: Name::Command, given: word.to_owned(), usable }
        })?),
    };
    Ok(out.write_all(shown.render_long_help().to_string().as_bytes())?)
}

/// Shells that have completions.
const SHELLS: [(&str, Shell); 5] = [
    ("bash", Shell::Bash),
    ("elvish", Shell::Elvish),
    ("fish", Shell::Fish),
    ("powershell", Shell::PowerShell),
    ("zsh", Shell::Zsh),
];

pub(crate) fn completions(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let given = arguments.word(0).unwrap_or("");
    let shell = SHELLS.iter().find(|(name, _)| *name == given).ok_or_else(|| {
        let usable = Usable::OneOf(SHELLS.iter().map(|(name, _)| *name).collect());
        Problem::Value { name: Name::Shell, given: given.to_owned(), usable }
    })?;
    clap_complete::generate(shell.1, &mut parser(), "systolic", out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The manual pages: one of the program and one of each command, as `man` reads them.
    fn pages() -> Vec<(String, String)> {
        let all = Command::ALL.map(|command| (format!("systolic-{}", command.id()), of_command(command)));
        let page = |(name, command): (String, clap::Command)| {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).title(&name).render(&mut page).expect("memory takes it");
            (format!("{name}.1"), String::from_utf8(page).expect("text"))
        };
        core::iter::once(("systolic".to_owned(), parser())).chain(all).map(page).collect()
    }

    #[test]
    fn the_manual_pages_are_those_of_the_description() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/man/");
        let pages = pages();
        if std::env::var_os("UPDATE").is_some() {
            std::fs::create_dir_all(folder).expect("a folder");
            pages.iter().for_each(|(name, page)| std::fs::write(format!("{folder}{name}"), page).expect("written"));
        }
        for (name, page) in &pages {
            let kept = std::fs::read_to_string(format!("{folder}{name}")).unwrap_or_default().replace('\r', "");
            assert!(kept == *page, "docs/man/{name} is stale: run this test with UPDATE=1");
        }
        let n_files = std::fs::read_dir(folder).expect("the folder").count();
        assert_eq!(n_files, pages.len(), "docs/man has a page of a command that is gone");
    }

    #[test]
    fn the_help_of_a_command_has_its_options_and_no_others() {
        for command in Command::ALL {
            let help = of_command(command).render_long_help().to_string();
            for text in crate::words::manual::options() {
                let is_there = help.lines().any(|line| {
                    let option = line.trim_start().strip_prefix("--").unwrap_or_default();
                    option.split(' ').next() == Some(text.id)
                });
                assert_eq!(is_there, command.options().contains(&text.id), "--{} of {}", text.id, command.id());
            }
        }
    }

    #[test]
    fn every_shell_completes_commands_and_options() {
        for (name, shell) in SHELLS {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut parser(), "systolic", &mut script);
            let script = String::from_utf8(script).expect("text");
            assert!(script.contains("worksheet") && script.contains("two-registers-south"), "{name}");
        }
    }
}
