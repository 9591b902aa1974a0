//! The command line: a command, named options, and at most a few bare words.

use std::collections::BTreeMap;
use std::path::PathBuf;

use estimate::CostInput;
use systolic::{Accumulator, ArrayShape, Dataflow, Dtype, Gemm, MacUnit, Padding, Schedule};

use crate::design;
use crate::problem::Problems;

/// Options that stand alone.
const FLAGS: [&str; 4] = ["saturate", "flush", "json", "ulp"];
/// Options that take a value.
const VALUED: [&str; 31] = [
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
    "size",
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
    VALUED.into_iter().chain(["versus"]).chain(CostInput::ALL.map(CostInput::id)).chain(design::VALUED)
}

/// Every option.
pub(crate) fn options() -> impl Iterator<Item = &'static str> {
    valued().chain(flags())
}

/// The command line, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) command: String,
    words: Vec<String>,
    values: BTreeMap<String, String>,
    flags: Vec<String>,
}

impl Arguments {
    pub(crate) fn read() -> Result<Self, Problems> {
        let mut found = Self::default();
        let mut parser = lexopt::Parser::from_env();
        let broken = |error: lexopt::Error| Problems::one(format!("The command line cannot be read: {error}."));
        while let Some(argument) = parser.next().map_err(broken)? {
            match argument {
                lexopt::Arg::Long("help") | lexopt::Arg::Short('h') => found.command = "help".to_owned(),
                lexopt::Arg::Long(name) if flags().any(|flag| flag == name) => {
                    let name = name.to_owned();
                    if found.flag(&name) {
                        return Err(twice(&name));
                    }
                    found.flags.push(name);
                }
                lexopt::Arg::Long(name) if valued().any(|valued| valued == name) => {
                    let name = name.to_owned();
                    let value = parser.value().map_err(broken)?.to_string_lossy().into_owned();
                    // To take one of two values would be a wrong answer for the other.
                    if found.value(&name).is_some() {
                        return Err(twice(&name));
                    }
                    found.values.insert(name, value);
                }
                lexopt::Arg::Value(word) if found.command.is_empty() => {
                    found.command = word.to_string_lossy().into_owned();
                }
                lexopt::Arg::Value(word) => found.words.push(word.to_string_lossy().into_owned()),
                lexopt::Arg::Long(name) => {
                    let known: Vec<String> = options().map(|name| format!("--{name}")).collect();
                    return Err(Problems::one(format!("--{name}: allowed are {}.", known.join(", "))));
                }
                lexopt::Arg::Short(letter) => {
                    return Err(Problems::one(format!("-{letter}: options have two dashes; see systolic help.")));
                }
            }
        }
        Ok(found)
    }

    /// Names the options and words given that the command does not take: to pass over them would be a wrong answer.
    pub(crate) fn only(&self, options: &[&str], takes_design: bool) -> Result<(), Problems> {
        let takes = |name: &str| {
            let is_design = design::VALUED.contains(&name) || design::FLAGS.contains(&name);
            options.contains(&name) || (takes_design && is_design)
        };
        let given = self.values.keys().map(String::as_str).chain(self.flags.iter().map(String::as_str));
        let strange = given
            .filter(|name| !takes(name))
            .map(|name| format!("--{name} is not an option of systolic {}: see systolic help.", self.command));
        let words = match self.command.as_str() {
            "svg" => 2,
            "report" | "define" => 1,
            _ => 0,
        };
        let words = self.words.iter().skip(words);
        let words =
            words.map(|word| format!("systolic {} takes no {word}: tables are read from its input.", self.command));
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

    pub(crate) fn needed(&self, name: &str, allowed: &str) -> Result<&str, Problems> {
        self.value(name).ok_or_else(|| Problems::one(format!("--{name} is missing: allowed is {allowed}.")))
    }

    pub(crate) fn path(&self, name: &str) -> Result<PathBuf, Problems> {
        self.needed(name, "the name of a CSV file").map(PathBuf::from)
    }

    pub(crate) fn array(&self) -> Result<ArrayShape, Problems> {
        let allowed = "RxC, each from 1 to 1024, as 128x128";
        let text = self.needed("array", allowed)?;
        let sides =
            sides::<2>(text).ok_or_else(|| Problems::one(format!("--array = {text}: allowed is {allowed}.")))?;
        Ok(ArrayShape::new(sides[0], sides[1])?)
    }

    pub(crate) fn gemm(&self) -> Result<Gemm, Problems> {
        let most = plain::grouped(Gemm::DIM_MAX);
        let allowed = format!("MxKxN, each from 1 to {most}, as 128x1024x1024");
        let text = self.needed("gemm", &allowed)?;
        let sides = sides::<3>(text).ok_or_else(|| Problems::one(format!("--gemm = {text}: allowed is {allowed}.")))?;
        Ok(Gemm::new(sides[0], sides[1], sides[2])?)
    }

    pub(crate) fn dataflow(&self) -> Result<Dataflow, Problems> {
        let text = self.needed("dataflow", "ws, os or is")?;
        Dataflow::from_id(text).ok_or_else(|| Problems::one(format!("--dataflow = {text}: allowed is ws, os or is.")))
    }

    pub(crate) fn dtype_of(&self, name: &str) -> Result<Dtype, Problems> {
        let allowed = Dtype::ALL.map(Dtype::id).join(", ");
        let text = self.needed(name, &allowed)?;
        Dtype::from_id(text).ok_or_else(|| Problems::one(format!("--{name} = {text}: allowed are {allowed}.")))
    }

    /// `--dtype`, `--acc`, `--saturate`, `--flush`.
    pub(crate) fn unit(&self) -> Result<MacUnit, Problems> {
        let dtype = self.dtype_of("dtype")?;
        let unit = MacUnit::new(dtype).with_saturation(self.flag("saturate")).with_flushing(self.flag("flush"));
        let Some(text) = self.value("acc") else { return Ok(unit) };
        let allowed = if dtype.is_integer() { "int32" } else { "f32, bf16 or f16" };
        Accumulator::from_id(text)
            .and_then(|accumulator| unit.with_accumulator(accumulator))
            .ok_or_else(|| Problems::one(format!("--acc = {text}: allowed with {dtype} is {allowed}.")))
    }

    /// `--pad`: `ragged`, `zero`, or `m` with the multiple that M is padded to, as `m128`.
    pub(crate) fn padding(&self) -> Result<Padding, Problems> {
        match self.value("pad") {
            None | Some("ragged") => Ok(Padding::Ragged),
            Some("zero") => Ok(Padding::ToArray),
            Some(text) => {
                let multiple = text.strip_prefix('m').and_then(|multiple| multiple.parse::<u32>().ok());
                multiple
                    .filter(|&multiple| multiple >= 1 && u64::from(multiple) <= Padding::MULTIPLE_MAX)
                    .map(Padding::MultipleOfM)
                    .ok_or_else(|| Problems::one(format!("--pad = {text}: allowed is ragged, zero or m1 to m65536.")))
            }
        }
    }

    pub(crate) fn schedule(&self, gemm: Gemm) -> Result<Schedule, Problems> {
        let schedule = Schedule::new(gemm, self.array()?, self.dataflow()?, self.padding()?)?;
        Ok(schedule.with(design::design(self)?)?)
    }

    /// One of a few words.
    pub(crate) fn choice(&self, name: &str, allowed: &[&'static str]) -> Result<&'static str, Problems> {
        let text = self.value(name).unwrap_or(allowed[0]);
        allowed
            .iter()
            .find(|choice| **choice == text)
            .copied()
            .ok_or_else(|| Problems::one(format!("--{name} = {text}: allowed is {}.", allowed.join(" or "))))
    }
}

fn twice(name: &str) -> Problems {
    Problems::one(format!("--{name} is there twice: allowed is once."))
}

fn sides<const N: usize>(text: &str) -> Option<[u64; N]> {
    let numbers: Option<Vec<u64>> = text.split(['x', 'X', '×']).map(|side| side.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}
