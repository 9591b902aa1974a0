//! Description of the command line for `clap`. Help, manual pages and completions are generated from the description.

use clap::{Arg, ArgAction};

use crate::command::{Command, DESIGN};
use crate::words::manual::{self, ABOUT, AFTER, DESCRIPTION, Group, OptionText, options};

/// Id of the bare words in the description.
pub(crate) const WORDS: &str = "words";
/// Width of a line of the manual, in characters.
const WIDTH: usize = 110;

/// Returns the manual text of an option of a command.
pub(crate) fn text(command: Command, id: &str) -> Option<OptionText> {
    // If two options have this name, one belongs to the design and one to the model.
    let of_command = |text: &OptionText| match text.group {
        Group::Design => command.takes_design() && DESIGN.contains(&text.id),
        Group::Model => command == Command::Model,
        Group::Own | Group::Bill => true,
    };
    options().into_iter().find(|text| text.id == id && of_command(text))
}

/// Returns the description of the whole command line.
pub(crate) fn parser() -> clap::Command {
    let whole = clap::Command::new("systolic")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .long_about(format!("{ABOUT}.\n\n{DESCRIPTION}"))
        .after_long_help(AFTER)
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .term_width(WIDTH);
    whole.subcommands(Command::ALL.map(of_command))
}

/// Returns the description of a command with its options and bare words.
pub(crate) fn of_command(command: Command) -> clap::Command {
    let options = command.options().into_iter().filter_map(|id| text(command, id)).map(option);
    let text = manual::command(command);
    let words = (command.words() > 0).then(|| {
        let name = text.usage.split([' ', '[', ']', '|']).find(|word| !word.is_empty()).unwrap_or("");
        Arg::new(WORDS).value_name(name).num_args(0..=command.words()).action(ArgAction::Append).hide(true)
    });
    clap::Command::new(command.id())
        .about(text.summary)
        .long_about(text.about)
        .override_usage(format!("systolic {} {}", command.id(), text.usage).trim_end().to_owned())
        .disable_help_flag(true)
        .disable_version_flag(true)
        .term_width(WIDTH)
        .args(options)
        .args(words)
}

fn option(text: OptionText) -> Arg {
    let option = Arg::new(text.id).long(text.id).help(text.help).help_heading(text.group.heading());
    match text.value {
        Some(value) => option.value_name(value).allow_hyphen_values(true),
        None => option.action(ArgAction::SetTrue),
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
    fn every_option_of_a_command_has_a_text_and_every_text_an_option() {
        let mut unused: Vec<_> = options().into_iter().map(|text| (text.id, text.group)).collect();
        for command in Command::ALL {
            for id in command.options() {
                let text = text(command, id).unwrap_or_else(|| panic!("--{id} of {} has no text", command.id()));
                unused.retain(|one| *one != (text.id, text.group));
            }
        }
        assert_eq!(unused, []);
    }
}
