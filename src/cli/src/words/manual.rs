//! The manual of `systolic`. Help, manual pages, completions and a page of the book come from `manual.txt`.
//!
//! An entry of the file begins with `command NAME USAGE` or `option GROUP --NAME VALUE`. The next line of a command is
//! its summary. The text of the entry follows.

use crate::command::Command;

const MANUAL: &str = include_str!("../manual.txt");

/// Purpose of the program.
pub(crate) const ABOUT: &str = "Count, trace and inspect a systolic array from the command line";

/// Conventions of all commands.
pub(crate) const DESCRIPTION: &str = "Every command works on a run of C = A·B on R×C processing elements, where A \
    is M×K and B is K×N. Cycle 0 is the clock edge that latches the first stationary row (ws, is) or the first \
    operands (os). Within a fold, k ascends from zero, and the results of folds are added in the order of the folds. In \
    os, one fold covers all of K. Arithmetic follows IEEE f32 with round to nearest even; it is not a claim about the \
    adders of a chip.";

/// Exit status and examples, after the list of options.
pub(crate) const AFTER: &str = include_str!("../after.txt");

/// Returns the entries of a kind, `command` or `option`. For each entry, returns the rest of the first line after the
/// kind, and the other lines.
fn entries(kind: &str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let entry = move |entry: &'static str| {
        let mut lines = entry.lines();
        Some((lines.next()?.strip_prefix(kind)?.trim_start(), lines.collect()))
    };
    MANUAL.split("\n\n").filter_map(entry)
}

/// Manual text of a command.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommandText {
    /// Arguments after the command in a command line.
    pub(crate) usage: &'static str,
    /// Purpose of the command, in one line.
    pub(crate) summary: &'static str,
    pub(crate) about: String,
}

/// Returns the manual text of a command.
pub(crate) fn command(command: Command) -> CommandText {
    let of_it = |(head, lines): (&'static str, Vec<&'static str>)| {
        let usage = head.strip_prefix(command.id()).filter(|rest| rest.is_empty() || rest.starts_with(' '))?;
        let (summary, about) = lines.split_first()?;
        Some(CommandText { usage: usage.trim_start(), summary, about: about.join(" ") })
    };
    entries("command").find_map(of_it).unwrap_or_default()
}

/// Groups of options in the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Options of one command or of several commands.
    Own,
    /// Options for the design of the array. The defaults follow SCALE-Sim.
    Design,
    /// Options for the estimate of a model.
    Model,
    /// Options for the terms of a cost breakdown. A term without a value is unknown, and so is the total.
    Bill,
}

systolic::named! {
    exact Group {
        Own => "own",
        Design => "design",
        Model => "model",
        Bill => "bill",
    }
}

impl Group {
    /// Returns the heading of the group in the help of a command.
    pub(crate) const fn heading(self) -> &'static str {
        match self {
            Self::Own | Self::Model => "Options",
            Self::Design => "Design, by default as in SCALE-Sim",
            Self::Bill => "Cost terms; if a term has no value, the term and the total are unknown",
        }
    }
}

/// Manual text of an option.
#[derive(Clone, Debug)]
pub(crate) struct OptionText {
    pub(crate) id: &'static str,
    /// Kind of the option's value; `None` for an option without a value.
    pub(crate) value: Option<&'static str>,
    pub(crate) help: String,
    pub(crate) group: Group,
}

/// Returns the manual texts of all options.
pub(crate) fn options() -> Vec<OptionText> {
    let option = |(head, lines): (&'static str, Vec<&'static str>)| {
        let (group, option) = head.split_once(" --")?;
        let (id, value) = option.split_once(' ').map_or((option, None), |(id, value)| (id, Some(value)));
        Some(OptionText { id, value, help: lines.join(" "), group: Group::from_id(group)? })
    };
    entries("option").filter_map(option).collect()
}
