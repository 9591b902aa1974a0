//! `systolic help` and `systolic completions`: their outputs are generated from the description of the command line.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use crate::command::{named, parser};
use crate::problem::Problems;

/// Lists the commands, or describes one command.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// The command to describe.
    #[arg(value_parser = named)]
    command: Option<clap::Command>,
}

/// Writes a script that completes commands and options in a shell.
#[derive(Args, Debug)]
pub(crate) struct CompletionsOptions {
    /// The shell: bash, elvish, fish, powershell or zsh.
    #[arg(hide_possible_values = true)]
    shell: Shell,
}

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    let mut shown = options.command.clone().unwrap_or_else(parser);
    Ok(out.write_all(shown.render_long_help().to_string().as_bytes())?)
}

pub(crate) fn completions(options: &CompletionsOptions, out: &mut impl Write) {
    clap_complete::generate(options.shell, &mut parser(), "systolic", out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum as _;

    /// The manual pages: one of the program and one of each command, as `man` reads them.
    fn pages() -> Vec<(String, String)> {
        let parser = parser();
        let all = parser.get_subcommands().map(|command| (format!("systolic-{}", command.get_name()), command.clone()));
        let page = |(name, command): (String, clap::Command)| {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).title(&name).render(&mut page).expect("memory takes it");
            (format!("{name}.1"), String::from_utf8(page).expect("text"))
        };
        core::iter::once(("systolic".to_owned(), parser.clone())).chain(all).map(page).collect()
    }

    #[test]
    fn the_manual_pages_are_those_of_the_description() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/man/");
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
    fn every_shell_completes_commands_and_options() {
        for &shell in Shell::value_variants() {
            let mut script = Vec::new();
            completions(&CompletionsOptions { shell }, &mut script);
            let script = String::from_utf8(script).expect("text");
            assert!(script.contains("worksheet") && script.contains("two-registers-south"), "{shell}");
        }
    }
}
