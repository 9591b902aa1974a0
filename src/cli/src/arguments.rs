//! The command line: a command, named options, and at most a few bare words.

use std::collections::BTreeMap;
use std::path::PathBuf;

use estimate::CostInput;
use systolic::{Accumulator, ArrayShape, Dataflow, Dtype, Gemm, Hold, MacUnit, Padding, Schedule};

use crate::command::Command;
use crate::design;
use crate::problem::{Problem, Problems, Usable};

/// Options that stand alone.
const FLAGS: [&str; 8] = ["saturate", "flush", "json", "ulp", "ladder", "left-out", "bounds", "answers"];
/// Options that take a value.
const VALUED: [&str; 33] = [
    "gemm",
    "array",
    "dataflow",
    "dtype",
    "acc",
    "passes",
    "pad",
    "a",
    "b",
    "at",
    "format",
    "from",
    "to",
    "as",
    "size",
    "out",
    "chip",
    "per",
    "against",
    "by",
    "config",
    "model",
    "chips",
    "pass",
    "seq",
    "batch",
    "remat",
    "attention",
    "split",
    "own",
    "price",
    "usd",
    "tokens",
];

fn flags() -> impl Iterator<Item = &'static str> {
    FLAGS.into_iter().chain(design::FLAGS)
}

fn valued() -> impl Iterator<Item = &'static str> {
    VALUED
        .into_iter()
        .chain(["versus", "than", "measured", "claim"])
        .chain(CostInput::ALL.map(CostInput::id))
        .chain(design::VALUED)
}

/// Every option.
#[cfg(test)]
pub(crate) fn options() -> impl Iterator<Item = &'static str> {
    valued().chain(flags())
}

/// The command line, taken apart.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) command: Command,
    words: Vec<String>,
    values: BTreeMap<String, String>,
    flags: Vec<String>,
}

impl Arguments {
    pub(crate) fn read() -> Result<Self, Problems> {
        let mut command = String::new();
        let (mut words, mut values, mut flags_found) = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut parser = lexopt::Parser::from_env();
        let mut wants_help = false;
        while let Some(argument) = parser.next().map_err(Problem::CommandLine)? {
            match argument {
                lexopt::Arg::Long("help") | lexopt::Arg::Short('h') => wants_help = true,
                lexopt::Arg::Long("version") | lexopt::Arg::Short('V') if command.is_empty() => {
                    command = Command::Version.id().to_owned();
                }
                lexopt::Arg::Long(name) if flags().any(|flag| flag == name) => {
                    let name = name.to_owned();
                    if flags_found.contains(&name) {
                        return Err(Problem::Twice(name).into());
                    }
                    flags_found.push(name);
                }
                lexopt::Arg::Long(name) if valued().any(|valued| valued == name) => {
                    let name = name.to_owned();
                    let value = parser.value().map_err(Problem::CommandLine)?.to_string_lossy().into_owned();
                    if values.contains_key(&name) {
                        return Err(Problem::Twice(name).into());
                    }
                    values.insert(name, value);
                }
                lexopt::Arg::Value(word) if command.is_empty() => command = word.to_string_lossy().into_owned(),
                lexopt::Arg::Value(word) => words.push(word.to_string_lossy().into_owned()),
                lexopt::Arg::Long(name) => {
                    let given = name.to_owned();
                    return Err(Problem::NoSuchOption { command: Command::from_id(&command), given }.into());
                }
                lexopt::Arg::Short(letter) => return Err(Problem::ShortOption(letter).into()),
            }
        }
        if wants_help {
            // "systolic --help model" and "systolic model --help" are the same.
            let words = Command::from_id(&command).map(|command| command.id().to_owned()).into_iter().collect();
            return Ok(Self { command: Command::Help, words, values: BTreeMap::new(), flags: Vec::new() });
        }
        let command = match Command::from_id(&command) {
            Some(command) => command,
            None if command.is_empty() => return Err(Problem::NoCommand.into()),
            None => return Err(Problem::UnknownCommand { given: command }.into()),
        };
        let found = Self { command, words, values, flags: flags_found };
        found.are_taken().map(|()| found)
    }

    /// Names the options and words that the command does not take: to pass over them would be a wrong answer.
    fn are_taken(&self) -> Result<(), Problems> {
        let (command, options) = (self.command, self.command.options());
        let names = self.values.keys().chain(&self.flags);
        let strange = names.filter(|name| !options.contains(&name.as_str()));
        let strange = strange.map(|name| Problem::NoSuchOption { command: Some(command), given: name.clone() });
        let words = self.words.iter().skip(command.words());
        let words = words.map(|word| Problem::ExtraWord { command, given: word.clone() });
        Problems::all(strange.chain(words).collect())
    }

    /// The first option of some that is there.
    pub(crate) fn first_of(&self, options: &[&'static str]) -> Option<&'static str> {
        options.iter().find(|name| self.value(name).is_some()).copied()
    }

    /// A bare word after the command.
    pub(crate) fn word(&self, index: usize) -> Option<&str> {
        self.words.get(index).map(String::as_str)
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag == name)
    }

    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    pub(crate) fn needed(&self, option: &'static str, usable: Usable) -> Result<&str, Problem> {
        self.value(option).ok_or(Problem::Required { option, usable })
    }

    /// What a value stands for, or what could be used in its place.
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

    /// `--dtype`, `--acc`, `--saturate`, `--flush`.
    pub(crate) fn unit(&self) -> Result<MacUnit, Problem> {
        let dtype = self.dtype_of("dtype")?;
        let unit = MacUnit::new(dtype).with_saturation(self.flag("saturate")).with_flushing(self.flag("flush"));
        let Some(text) = self.value("acc") else { return Ok(unit) };
        Accumulator::from_id(text)
            .and_then(|accumulator| unit.with_accumulator(accumulator))
            .ok_or_else(|| Problem::option("acc", text, Usable::Accumulator { dtype }))
    }

    /// `--pad`: `ragged`, `zero`, or `m` with the multiple that M is padded to, as `m128`.
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

    pub(crate) fn schedule(&self, gemm: Gemm) -> Result<Schedule, Problem> {
        let (array, dataflow) = (self.array()?, self.dataflow()?);
        let (option, dataflows) = match dataflow.hold() {
            Hold::Operand => ("drain", &[Dataflow::OutputStationary][..]),
            Hold::Result => ("load", &[Dataflow::WeightStationary, Dataflow::InputStationary][..]),
        };
        // To pass over it would be an answer about another machine.
        if self.value(option).is_some() {
            return Err(Problem::NotOfDataflow { option, dataflows });
        }
        let schedule = Schedule::new(gemm, array, dataflow, self.padding()?)?;
        Ok(schedule.with(design::design(self)?)?)
    }

    /// One of a few words.
    pub(crate) fn choice(&self, name: &str, choices: &[&'static str]) -> Result<&'static str, Problem> {
        let text = self.value(name).unwrap_or(choices[0]);
        let found = choices.iter().find(|choice| **choice == text).copied();
        found.ok_or_else(|| Problem::option(name, text, Usable::OneOf(choices.to_vec())))
    }
}

/// What `--dataflow` and the column take.
pub(crate) fn dataflows() -> Usable {
    Usable::OneOf(Dataflow::ALL.map(Dataflow::id).to_vec())
}

fn sides<const N: usize>(text: &str) -> Option<[u64; N]> {
    let numbers: Option<Vec<u64>> = text.split(['x', 'X', '×']).map(|side| side.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}
