//! Parsing of the command line: a command, named options, and at most a few bare words (arguments without a name).

use std::path::PathBuf;

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use plain::Decimal;
use systolic::{Accumulator, ArrayShape, Dataflow, Dtype, Gemm, MacUnit, Padding};

use crate::command::Command;
use crate::parser::{WORDS, parser, text};
use crate::problem::{Problem, Problems, Usable};

/// A parsed command line.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) command: Command,
    matches: ArgMatches,
}

impl Arguments {
    pub(crate) fn read() -> Result<Self, Problems> {
        let given: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        Self::of(&given)
    }

    fn of(given: &[String]) -> Result<Self, Problems> {
        let command = command_of(given);
        let is_command = |word: &String| command.is_some_and(|command| word == command.id());
        // "systolic --help model" means "systolic model --help".
        let given = if given.iter().any(|word| word == "--help" || word == "-h") {
            core::iter::once("help".to_owned()).chain(given.iter().find(|word| is_command(word)).cloned()).collect()
        } else if command.is_none() && given.iter().any(|word| word == "--version" || word == "-V") {
            vec!["version".to_owned()]
        } else {
            // Options may come before the command.
            let at = given.iter().take_while(|word| !is_command(word)).count();
            let mut words = given.to_vec();
            if at < given.len() {
                words[..=at].rotate_right(1);
            }
            words
        };
        let words: Vec<String> = core::iter::once("systolic".to_owned()).chain(given).collect();
        let matches = parser().try_get_matches_from(&words).map_err(|error| match (command, error.kind()) {
            (Some(command), ErrorKind::UnknownArgument) => strange(command, &words, refused(Some(command), &error)),
            _ => refused(command, &error).into(),
        })?;
        let (name, matches) = matches.subcommand().ok_or(Problem::NoCommand)?;
        let command = Command::from_id(name).ok_or(Problem::NoCommand)?;
        Ok(Self { command, matches: matches.clone() })
    }

    /// Returns the first of these options that the command line contains.
    pub(crate) fn first_of(&self, options: &[&'static str]) -> Option<&'static str> {
        options.iter().find(|name| self.value(name).is_some()).copied()
    }

    /// Returns a bare word after the command, by its index from 0.
    pub(crate) fn word(&self, index: usize) -> Option<&str> {
        let mut words = self.matches.try_get_many::<String>(WORDS).ok().flatten()?;
        words.nth(index).map(String::as_str)
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        // A command without this option cannot have the flag.
        matches!(self.matches.try_get_one::<bool>(name), Ok(Some(true)))
    }

    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.matches.try_get_one::<String>(name).ok().flatten().map(String::as_str)
    }

    pub(crate) fn needed(&self, option: &'static str, usable: Usable) -> Result<&str, Problem> {
        self.value(option).ok_or(Problem::Required { option, usable })
    }

    /// Parses the value of an option. A missing or wrong value is a problem that lists the usable values.
    fn parsed<T>(&self, option: &'static str, usable: Usable, parse: impl Fn(&str) -> Option<T>) -> Result<T, Problem> {
        let text = self.needed(option, usable.clone())?;
        parse(text).ok_or_else(|| Problem::option(option, text, usable))
    }

    pub(crate) fn path(&self, option: &'static str) -> Result<PathBuf, Problem> {
        self.needed(option, Usable::CsvFile).map(PathBuf::from)
    }

    pub(crate) fn array(&self) -> Result<ArrayShape, Problem> {
        let [rows, cols] = self.parsed("array", Usable::Array, sides)?;
        Ok(ArrayShape::new(rows, cols)?)
    }

    pub(crate) fn gemm(&self) -> Result<Gemm, Problem> {
        let [m, k, n] = self.parsed("gemm", Usable::Gemm, sides)?;
        Ok(Gemm::new(m, k, n)?)
    }

    pub(crate) fn dataflow(&self) -> Result<Dataflow, Problem> {
        self.parsed("dataflow", dataflows(), Dataflow::from_id)
    }

    pub(crate) fn dtype_of(&self, option: &'static str) -> Result<Dtype, Problem> {
        self.parsed(option, Usable::OneOf(Dtype::ALL.map(Dtype::id).to_vec()), Dtype::from_id)
    }

    /// Reads the arithmetic of the PEs from `--dtype`, `--acc`, `--saturate` and `--flush`.
    pub(crate) fn unit(&self) -> Result<MacUnit, Problem> {
        let dtype = self.dtype_of("dtype")?;
        let unit = MacUnit::new(dtype).with_saturation(self.flag("saturate")).with_flushing(self.flag("flush"));
        let Some(text) = self.value("acc") else { return Ok(unit) };
        Accumulator::from_id(text)
            .and_then(|accumulator| unit.with_accumulator(accumulator))
            .ok_or_else(|| Problem::option("acc", text, Usable::Accumulator { dtype }))
    }

    /// Reads `--decimal`, the sign before decimals in files and tables. `None` without this option.
    pub(crate) fn decimal(&self) -> Result<Option<Decimal>, Problem> {
        let names = [("point", Decimal::Point), ("comma", Decimal::Comma)];
        self.value("decimal")
            .map(|text| {
                let found = names.iter().find(|(name, _)| *name == text).map(|(_, decimal)| *decimal);
                found.ok_or_else(|| Problem::option("decimal", text, Usable::OneOf(vec!["comma", "point"])))
            })
            .transpose()
    }

    /// Reads `--pad`: `ragged`, `zero`, or `m` with the multiple that M is padded to, such as `m128`.
    pub(crate) fn padding(&self) -> Result<Padding, Problem> {
        match self.value("pad") {
            None | Some("ragged") => Ok(Padding::Ragged),
            Some("zero") => Ok(Padding::ToArray),
            Some(text) => {
                let multiple = text.strip_prefix('m').and_then(|multiple| multiple.parse::<u32>().ok());
                multiple
                    .filter(|&multiple| multiple >= 1 && u64::from(multiple) <= Padding::MULTIPLE_MAX)
                    .map(Padding::MultipleOfM)
                    .ok_or_else(|| Problem::option("pad", text, Usable::Padding))
            }
        }
    }

    /// Reads an option that accepts a few words. The first of `choices` is the default.
    pub(crate) fn choice(&self, name: &str, choices: &[&'static str]) -> Result<&'static str, Problem> {
        let text = self.value(name).unwrap_or(choices[0]);
        let found = choices.iter().find(|choice| **choice == text).copied();
        found.ok_or_else(|| Problem::option(name, text, Usable::OneOf(choices.to_vec())))
    }
}

/// Finds the command of a command line: the first word that is neither an option nor the value of an option.
fn command_of(given: &[String]) -> Option<Command> {
    let takes_value = |word: &str| {
        let id = word.strip_prefix("--").filter(|id| !id.contains('='));
        let mut texts = Command::ALL.into_iter().filter_map(|command| text(command, id?));
        texts.next().is_some_and(|text| text.value.is_some())
    };
    let mut words = given.iter();
    while let Some(word) = words.next() {
        if takes_value(word) {
            words.next();
        } else if !word.starts_with('-') {
            return Command::from_id(word);
        }
    }
    None
}

/// Returns a problem for each option that the command does not accept. Returns `first` if the command accepts all
/// options.
fn strange(command: Command, words: &[String], first: Problem) -> Problems {
    let (known, mut given) = (command.options(), Vec::new());
    for id in words.iter().filter_map(|word| word.strip_prefix("--")) {
        let id = id.split('=').next().unwrap_or(id).to_owned();
        if !id.is_empty() && !known.contains(&id.as_str()) && !given.contains(&id) {
            given.push(id);
        }
    }
    if given.is_empty() {
        return first.into();
    }
    Problems(given.into_iter().map(|given| Problem::NoSuchOption { command: Some(command), given }).collect())
}

/// Converts an error of the `clap` parser to a problem.
fn refused(command: Option<Command>, error: &clap::Error) -> Problem {
    let name = match error.get(ContextKind::InvalidArg).or_else(|| error.get(ContextKind::InvalidSubcommand)) {
        Some(ContextValue::String(name)) => name.as_str(),
        _ => "",
    };
    // The name has the form "--gemm <MxKxN>".
    let option = name.strip_prefix("--").map(|rest| rest.split([' ', '=']).next().unwrap_or(rest).to_owned());
    match (error.kind(), option) {
        (ErrorKind::InvalidSubcommand, _) => Problem::UnknownCommand { given: name.to_owned() },
        (ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand, _) => Problem::NoCommand,
        (ErrorKind::UnknownArgument, Some(given)) => Problem::NoSuchOption { command, given },
        (ErrorKind::UnknownArgument, None) => {
            match (name.strip_prefix('-').and_then(|rest| rest.chars().next()), command) {
                (Some(letter), _) => Problem::ShortOption(letter),
                (None, Some(command)) => Problem::ExtraWord { command, given: name.to_owned() },
                (None, None) => Problem::UnknownCommand { given: name.to_owned() },
            }
        }
        (ErrorKind::ArgumentConflict, Some(option)) => Problem::Twice(option),
        (ErrorKind::InvalidValue, Some(option)) => Problem::NoValue(option),
        (ErrorKind::TooManyValues | ErrorKind::WrongNumberOfValues, Some(option)) => Problem::NeedsNoValue(option),
        _ => Problem::CommandLine(error.kind().to_string()),
    }
}

/// Values that `--dataflow` and the column `dataflow` accept.
pub(crate) fn dataflows() -> Usable {
    Usable::OneOf(Dataflow::ALL.map(Dataflow::id).to_vec())
}

fn sides<const N: usize>(text: &str) -> Option<[u64; N]> {
    let numbers: Option<Vec<u64>> = text.split(['x', 'X', '×']).map(|side| side.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}
