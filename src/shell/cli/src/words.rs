//! All sentences of the command line, made from typed values.

use std::fmt;

use estimate::Entry;
use perfmodel::{MfuRefusal, Missing};
use plain::{cut, grouped};
use report::{invalid, model};
use systolic::RangeError;

use crate::problem::{About, FileProblem, Name, Problem, Usable};

/// Heading of the options for the costs of a model.
pub(crate) const COST_TERMS: &str = "Cost terms; if a term has no value, the term and the total are unknown";
/// Options with which `--load` works.
pub(crate) const WS_OR_IS: &str = "--dataflow ws or is";
/// Options with which `--passes` works.
pub(crate) const F32_SUMS: &str = "--dtype f32 and f32 sums";
/// Option with which `--by` works.
pub(crate) const MEASURED_COLUMN: &str = "--against, which names a column of measured microseconds";
/// Options with which `--ladder` works.
pub(crate) const PER_CHIP: &str = "--per chip, and not with --against";
/// Options with which a model of a chip can be fitted again.
pub(crate) const FITTED_CHIP: &str =
    "--against, --chip tpu-v4 and --dtype f16, because only the model of this chip can be fitted again";

/// Text before the name of a measure in SCALE-Sim.
pub(crate) const IN_SCALE_SIM: &str = "In SCALE-Sim: ";
/// Reason why the program refuses a large pipe.
pub(crate) const LARGE_PIPE: &str = "the pipe has 64 MiB or more; use a regular file";
/// Text before the effects that a result does not include.
pub(crate) const LEAVES_OUT: &str = "Leaves out: ";
/// Text before the source of a result.
pub(crate) const SOURCE: &str = "Source: ";

pub(crate) mod rtl;
pub(crate) mod usage;
pub(crate) mod worksheet;

/// Message if a link contains no question.
const NO_QUESTION: &str = "The link contains no question. Use a link with the parameter ask, lengths or failures, such as '?failures=chips%3D16384'.";

/// Returns a line about a matmul of a model: its name, sizes, runs, share of the time, limit and tile efficiency.
/// `share` is in percent, without the percent sign. `eta` has the percent sign, or is "unknown".
pub(crate) fn product(row: &estimate::Row, share: &str, eta: &str) -> String {
    let [m, k, n] = row.sizes.map(grouped);
    let times = match row.count {
        1 => "once".to_owned(),
        count => format!("{} times", grouped(count)),
    };
    format!("{}: {m}×{k}×{n}, {times}, {share} % of the time, bound by {}, tile efficiency {eta}", row.name, row.bound)
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sentence(sentence) => f.write_str(sentence),
            Self::Value { name, given, usable } if given.trim().is_empty() => {
                write!(f, "{name} = {}: {usable}.", model::NOTHING)
            }
            Self::Value { name, given, usable } => write!(f, "{name} = {}: {usable}.", cut(given)),
            Self::Adder { adder, error } => write!(f, "--adder = {}: {}", adder.id(), words::adder::refused(*error)),
            Self::WorksOnly(option, with) => write!(f, "--{option} works only with {with}."),
            Self::TooManyPeCycles { most } => {
                write!(f, "The run has too many PE-cycles to count: use at most {}.", grouped(*most))
            }
            Self::TooManyResults { m, n, most } => {
                let [m, n, most] = [*m, *n, *most].map(grouped);
                write!(f, "The matmul has {m} × {n} results: use at most {most} in total.")
            }
            Self::MissingColumns { missing, needed } => missing_columns(f, missing, needed),
            Self::ColumnTwice { name } => {
                write!(f, "The table has two columns {}: rename or remove one of them.", cut(name))
            }
            Self::NotText => f.write_str("this row is not UTF-8 text."),
            Self::Input(error) => write!(f, "The input cannot be read: {error}."),
            Self::Output(error) => write!(f, "The output cannot be written: {error}."),
            Self::Table(said) => write!(f, "The table cannot be read: {said}."),
            Self::Range(RangeError { field, given, min, max }) => {
                let [given, min, max] = [*given, *min, *max].map(grouped);
                write!(f, "{field} = {given}: use a whole number from {min} to {max}.")
            }
            Self::Entry(entry) => f.write_str(&invalid::option(entry)),
            Self::Model { about, refusal } => {
                let lines: Vec<String> = invalid::why(refusal)
                    .into_iter()
                    .map(|sentence| format!("{about}{sentence}{}", own(refusal)))
                    .collect();
                f.write_str(&lines.join("\n"))
            }
            Self::Time(refusal) => f.write_str(refusal.says()),
            Self::EstimateLink(command) => write!(
                f,
                "The link opens the estimate (ui = desk), but `systolic {command}` shows only the array. For the estimate, use `systolic model`."
            ),
            Self::ToolLink { command, name, given } => write!(
                f,
                "In the link, {name} = {}: systolic {command} cannot show a fault or a second run. Open the link on the page.",
                cut(given)
            ),
            Self::NoQuestion => f.write_str(NO_QUESTION),
            Self::OutsideQuestion { question, name, given } => {
                let (name, given) = (cut(name), cut(given));
                write!(
                    f,
                    "In the link, {name} = {given} is outside of {question} and has no effect: write %26{name}%3D{given} at the end of {question}."
                )
            }
            Self::LinkOption { option, sentence } => write!(f, "--{option}: {sentence}"),
            Self::MoreOfLink(n) => more_of_link(f, *n),
            Self::InRow(row, problem) => write!(f, "row {}: {problem}", grouped(*row)),
            Self::Hardware(refusal) => refusal.fmt(f),
            Self::Waveforms(pe_cycles) => rtl::no_waveforms(f, *pe_cycles),
            Self::File { option, path, why } => write!(f, "--{option} = {path}: {why}"),
            Self::Ragged { option, row, found, first } => write!(
                f,
                "--{option}: row {} has {}, but row 0 has {}. Give all rows the same length.",
                grouped(*row),
                counted(*found, "number"),
                grouped(*first)
            ),
            Self::SizesOfC { given, needed } => {
                let [rows, cols, m, n] = [given.0, given.1, needed.0, needed.1].map(grouped);
                write!(f, "--c has {rows}×{cols} numbers, but M×N is {m}×{n}: change the sizes or the matrix.")
            }
            Self::InnerSizes { b_rows, a_cols } => {
                write!(f, "--b has {}, but needs {}, one per column of --a.", counted(*b_rows, "row"), grouped(*a_cols))
            }
        }
    }
}

/// Writes the number of unusable link parts that no other sentence names.
fn more_of_link(f: &mut fmt::Formatter<'_>, n: u64) -> fmt::Result {
    match n {
        1 => f.write_str("1 more part of the link cannot be used."),
        n => write!(f, "{} more parts of the link cannot be used.", grouped(n)),
    }
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "cannot read the file ({error})."),
            Self::Unwritable(error) => write!(f, "cannot write there ({error})."),
            Self::NoNumbers => f.write_str("the file has no numbers: write one row of numbers per line."),
            Self::TooManyNumbers(most) => write!(f, "use a file of at most {} numbers.", grouped(*most)),
            Self::Npy(why) => f.write_str(&words::own_matrices::npy(why)),
            Self::Printed(why) => f.write_str(&words::own_matrices::printed(why)),
        }
    }
}

fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

fn missing_columns(f: &mut fmt::Formatter<'_>, missing: &[&str], needed: &[&str]) -> fmt::Result {
    let s = if missing.len() == 1 { "" } else { "s" };
    write!(f, "Missing column{s}: {}. The table needs {}.", missing.join(", "), needed.join(", "))
}

/// Returns a hint about the option that supplies an unpublished value of a chip. Empty if no option can supply the
/// value.
fn own(refusal: &estimate::Refusal) -> String {
    let estimate::Refusal::Chip(MfuRefusal::Unknown { missing }) = refusal else { return String::new() };
    match missing {
        Missing::Peak(dtype) => format!(" Use --own peak-{}.TFLOPS.", dtype.word()),
        Missing::Bandwidth => " Use --own hbm.GBPS.".to_owned(),
        Missing::Geometry => " Use --own rows.N_cols.N_arrays.N.".to_owned(),
        Missing::Cores | Missing::Split | Missing::Format => String::new(),
    }
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model => Ok(()),
            Self::File(path) => write!(f, "{path}: "),
            Self::Versus => write!(f, "--{}: ", Entry::Versus.id()),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(name) => write!(f, "--{name}"),
            Self::Column(name) => f.write_str(&cut(name)),
            Self::Cell { option, row, col } => {
                write!(f, "--{option}, row {}, column {}", grouped(*row), grouped(*col))
            }
            Self::Number => f.write_str("value"),
        }
    }
}

impl fmt::Display for Usable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = grouped(systolic::Gemm::DIM_MAX);
        match self {
            Self::Gemm => write!(f, "use MxKxN, each side 1 to {sides}, e.g. 128x1024x1024"),
            Self::Array => {
                let most = grouped(systolic::ArrayShape::SIDE_MAX);
                write!(f, "use RxC, each side 1 to {most}, e.g. 128x128")
            }
            Self::OneOf(names) => write!(f, "use one of {names}"),
            Self::Padding => {
                let most = systolic::Padding::MULTIPLE_MAX;
                write!(f, "use ragged, zero, or m followed by a number from 1 to {most} (m8 pads M to a multiple of 8)")
            }
            Self::UpTo(most) => write!(f, "use a whole number from 1 to {}", grouped(*most)),
            Self::Whole => f.write_str("use a whole number, 0 or more"),
            Self::From { least, most } => {
                write!(f, "use a whole number from {} to {}", grouped(*least), grouped(*most))
            }
            Self::Cycle { last } => write!(f, "use the word \"all\", or a cycle from 0 to {}", grouped(*last)),
            Self::Number => f.write_str("use a number, nan, inf or -inf"),
            Self::OneReading => f.write_str(
                "the sign may stand before decimals or between thousands: use --decimal comma or --decimal point",
            ),
            Self::WholeOf { dtype, least, most } => {
                write!(f, "with {dtype}, use a whole number from {least} to {most}")
            }
            Self::Accumulator { dtype } => {
                let usable = if dtype.is_integer() { "int32" } else { "one of f32, bf16, f16" };
                write!(f, "with {dtype}, use {usable}")
            }
            Self::Rate => write!(
                f,
                "use a number of elements per cycle (such as 64), or a fraction such as 340/7 for 340 elements in 7 cycles, with numbers from 1 to {}",
                grouped(systolic::Rate::MAX.into())
            ),
            Self::TileOrder => write!(f, "use {}", words::message::TILE_ORDER),
            Self::Size => f.write_str("use WIDTHxHEIGHT in pixels, each side 40 to 8000"),
            Self::Address => f.write_str("use the address of the page, or the part of the address from the ? on"),
            Self::ColumnName => f.write_str("use the name of a column of the table"),
            Self::Microseconds => f.write_str("use a number of microseconds above 0"),
        }
    }
}
