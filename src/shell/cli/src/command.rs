//! Commands of the command line. Help, manual pages and completions come from the doc comments of options.

use std::ffi::OsString;

use clap::{Arg, ArgAction, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::problem::{Problem, Usable};
use crate::words::usage;
use crate::{ask, cast, check, count, define, help, link, model, rtl, run, state, time, trace, worksheet};

/// Count, trace and inspect a systolic array from the command line.
///
/// Every command works on a run of C = A·B on R×C processing elements, where A is M×K and B is K×N. Cycle 0 is the clock
/// edge that latches the first stationary row (ws, is) or the first operands (os). Within a fold, k ascends from zero,
/// and the results of folds are added in the order of the folds. In os, one fold covers all of K. By default,
/// arithmetic follows IEEE f32 with round to nearest even. With --adder, sums are those of the adders of a chip.
#[derive(Debug, Parser)]
#[command(name = "systolic", version, after_long_help = include_str!("after.txt"), term_width = 110)]
#[command(disable_help_flag = true, disable_help_subcommand = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    // The flag is hidden, because otherwise the help of every command would list it.
    #[arg(short, long, global = true, hide = true, action = ArgAction::HelpLong)]
    help: Option<bool>,
}

/// A command of `systolic` with its options.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Count(count::Options),
    Trace(trace::Options),
    Run(run::Options),
    State(state::Options),
    Cast(cast::Options),
    Svg(link::SvgOptions),
    Export(link::ExportOptions),
    Rtl(rtl::Options),
    Report(link::ReportOptions),
    Time(time::Options),
    Model(model::Options),
    Ask(ask::Options),
    Check(check::Options),
    Define(define::Options),
    Worksheet(worksheet::Options),
    Completions(help::CompletionsOptions),
    Help(help::Options),
    /// Writes the version.
    Version,
}

/// Returns the description of the whole command line.
pub(crate) fn parser() -> clap::Command {
    let mut parser = CommandLine::command().mut_subcommands(|command| command.mut_args(option).disable_help_flag(true));
    // After this call, the descriptions of the commands have the width and the names of the whole command line.
    parser.build();
    parser
}

fn option(option: Arg) -> Arg {
    // The derive removes the last period of a doc comment, but these texts have several sentences.
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    // A value such as -5 is accepted as a value here, so that its refusal can list the usable values.
    let is_value = !option.is_positional() && option.get_action().takes_values();
    option.help(format!("{}.", help.trim_end_matches('.'))).allow_hyphen_values(is_value)
}

/// Parses a command by its name.
pub(crate) fn named(name: &str) -> Result<clap::Command, Usable> {
    let parser = parser();
    let names = || Usable::one_of(parser.get_subcommands().map(clap::Command::get_name));
    parser.find_subcommand(name).cloned().ok_or_else(names)
}

/// Reads the command line of the program. If the command line asks for help, the function prints the help and exits.
pub(crate) fn read() -> Result<Command, Problem> {
    let mut parser = parser();
    let mut words: Vec<OsString> = std::env::args_os().collect();
    put_command_first(&parser, &mut words);
    let read = parser.try_get_matches_from_mut(&words).and_then(|matches| CommandLine::from_arg_matches(&matches));
    read.map(|line| line.command).map_err(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        let command = words.get(1).and_then(|name| parser.find_subcommand(name));
        Problem::Sentence(usage::sentence(command.unwrap_or(&parser), &error))
    })
}

/// Moves the command before its options, because options may come first. The command is the first word that is the name
/// of a command and not the value of an option.
fn put_command_first(parser: &clap::Command, words: &mut [OsString]) {
    let takes_value = |word: &OsString| {
        let long = word.to_str().and_then(|word| word.strip_prefix("--"));
        long.is_some() && parser.get_subcommands().flat_map(clap::Command::get_opts).any(|opt| opt.get_long() == long)
    };
    let is_command = |at: &usize| parser.find_subcommand(&words[*at]).is_some() && !takes_value(&words[*at - 1]);
    if let Some(at) = (1..words.len()).find(is_command) {
        words[1..=at].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_has_no_contradiction() {
        parser().debug_assert();
    }

    #[test]
    fn every_option_has_a_text() {
        for command in parser().get_subcommands() {
            for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
                let help = option.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(help.len() > 10, "{option} of {command}: {help}");
            }
        }
    }
}
