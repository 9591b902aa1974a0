//! Sentences about a command line that the parser refuses.

use std::error::Error as _;

use std::collections::BTreeMap;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use plain::cut;
use report::model::NOTHING;
use systolic::UnknownName;

use crate::problem::Usable;

/// Returns a sentence about an error in the use of `command`. If the command line names no command, `command` describes
/// the whole command line.
pub(crate) fn sentence(command: &Command, error: &clap::Error) -> String {
    let all = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => vec![cut(text)],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    };
    let given = all(ContextKind::InvalidArg).join(", ");
    let name = name(command, &given);
    if command.has_subcommands() {
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let about = match [given, all(ContextKind::InvalidSubcommand).concat()].concat() {
            none if none.is_empty() => "No command".to_owned(),
            unknown => format!("Unknown command: {unknown}"),
        };
        return format!("{about}. Use one of: {}.", names.join(", "));
    }
    match error.kind() {
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            let values = all(ContextKind::InvalidValue).concat();
            let usable = match (error.get(ContextKind::ValidValue), error.source()) {
                (_, Some(source)) => match source.downcast_ref::<UnknownName>() {
                    Some(UnknownName { names }) => Usable::one_of(*names).to_string(),
                    None => source.to_string(),
                },
                (Some(ContextValue::Strings(names)), None) if !names.is_empty() => Usable::one_of(names).to_string(),
                _ => return format!("{name} has no value: write one after it."),
            };
            let value = if values.trim().is_empty() { NOTHING } else { &values };
            format!("{name} = {value}: {usable}.")
        }
        ErrorKind::TooManyValues => format!("{name} accepts no value: write the option without a value."),
        ErrorKind::ArgumentConflict => match all(ContextKind::PriorArg) {
            prior if prior == [given.as_str()] => format!("{name} was given twice: give it once."),
            prior => {
                let prior: Vec<String> = prior.iter().map(|prior| self::name(command, prior)).collect();
                format!("Use either {name} or {}, not both.", prior.join(" and "))
            }
        },
        ErrorKind::MissingRequiredArgument => {
            format!("systolic {0} needs {given}: see systolic help {0}.", command.get_name())
        }
        ErrorKind::UnknownArgument if given.starts_with('-') => {
            let options: Vec<String> =
                command.get_arguments().filter(|option| !option.is_hide_set()).filter_map(long).collect();
            let usable = match options.as_slice() {
                [] => ", which has no options".to_owned(),
                options => format!(". Use {}", options.join(", ")),
            };
            format!("{given} is not an option of systolic {}{usable}.", command.get_name())
        }
        ErrorKind::UnknownArgument => {
            format!("Unexpected argument: {given}. {}", command.clone().render_usage())
        }
        kind => format!("The command line cannot be read: {kind}."),
    }
}

fn long(option: &Arg) -> Option<String> {
    option.get_long().map(|long| format!("--{long}"))
}

/// Returns the name of an argument without its value: `--gemm` for `--gemm <MxKxN>`, `LINK` for `[LINK]`.
fn name(command: &Command, shown: &str) -> String {
    // An error of clap names an argument by its usage text.
    let arguments: BTreeMap<String, &Arg> = command.get_arguments().map(|one| (one.to_string(), one)).collect();
    let argument = arguments.get(shown).copied();
    let value = |argument: &Arg| argument.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    argument.and_then(|argument| long(argument).or_else(|| value(argument))).unwrap_or_else(|| shown.to_owned())
}
