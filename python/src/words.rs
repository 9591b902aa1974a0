//! Sentences of the package, made from typed values: the field, the given value, the allowed values.

use std::fmt;

use plain::{cut, grouped};
use report::invalid;
use systolic::RangeError;

use crate::problem::{Problem, Usable};

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { name, given, usable } => write!(f, "{} = {}: {usable}.", cut(name), shown(given)),
            Self::At { name, index, given, usable } => write!(f, "{name}[{index}] = {}: {usable}.", shown(given)),
            Self::Cell { name, row, col, given, usable } => write!(f, "{name}[{row},{col}] = {given}: {usable}."),
            Self::NoSuchSetting { given, names } => {
                write!(f, "{} is not a setting of an array: use one of {}.", cut(given), names.join(", "))
            }
            Self::NotOfDataflow { name, dataflows } => {
                let ids: Vec<&str> = dataflows.iter().map(|dataflow| dataflow.id()).collect();
                write!(f, "{name} works only with dataflow {}.", ids.join(" or "))
            }
            Self::Adder { adder, error } => write!(f, "adder = {}: {}", adder.id(), words::adder::refused(*error)),
            Self::SizesOfC { given, needed } => {
                let [rows, cols, m, n] = [given.0, given.1, needed.0, needed.1].map(grouped);
                write!(f, "c has {rows}×{cols} numbers, but M×N is {m}×{n}: change the sizes or the matrix.")
            }
            Self::Bytes { name } => write!(f, "{name}: the number of bytes does not match the shape."),
            Self::InnerSizes { b_rows, a_cols } => {
                let s = if *b_rows == 1 { "" } else { "s" };
                write!(f, "B has {} row{s}, but needs {}, one per column of A.", grouped(*b_rows), grouped(*a_cols))
            }
            Self::TooManyResults { m, n, most } => {
                let [m, n, most] = [*m, *n, *most].map(grouped);
                write!(f, "The matmul has {m} × {n} results: use at most {most} in total.")
            }
            Self::TooManyPeCycles { most } => {
                write!(f, "The run has too many PE-cycles to count: use at most {}.", grouped(*most))
            }
            Self::TooManyEvents { most } => {
                write!(f, "The trace has more than {} events: request fewer cycles at a time.", grouped(*most))
            }
            Self::Range(RangeError { field, given, min, max }) => {
                let [given, min, max] = [*given, *min, *max].map(grouped);
                write!(f, "{field} = {given}: use a whole number from {min} to {max}.")
            }
            Self::NotOnPage { name, given } => {
                write!(
                    f,
                    "{name} = {given}: the page cannot show arrays with this setting, so the run has no link and no drawing. Read C and state instead."
                )
            }
            Self::NotInLink { name, most } => {
                write!(
                    f,
                    "{name} has more than {} numbers, which is the limit of a link: use a smaller matrix.",
                    grouped(*most)
                )
            }
            Self::Fields(problems) => lines(f, problems.iter().map(words::message::problem)),
            Self::Entries(entries) => lines(f, entries.iter().map(invalid::in_link)),
            Self::NoSuchEntry { given } => {
                let ids: Vec<&str> = estimate::Entry::options().map(estimate::Entry::id).collect();
                write!(f, "{} is not an entry of a model: use one of {}.", cut(given), ids.join(", "))
            }
            Self::Model { about, refusal } => {
                lines(f, invalid::why(refusal).into_iter().map(|sentence| format!("{about}{sentence}")))
            }
            Self::File { path, error } => {
                write!(f, "config = {}: cannot read the file ({error}).", plain::without_control_signs(path))
            }
            Self::Time(refusal) => f.write_str(refusal.says()),
        }
    }
}

/// Writes the sentences, one per line.
fn lines(f: &mut fmt::Formatter<'_>, sentences: impl Iterator<Item = String>) -> fmt::Result {
    f.write_str(&sentences.collect::<Vec<_>>().join("\n"))
}

/// Value in a sentence, shortened; "nothing" if the value is empty.
fn shown(given: &str) -> String {
    if given.trim().is_empty() { "nothing".to_owned() } else { cut(given) }
}

impl fmt::Display for Usable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneOf(names) => write!(f, "use one of {}", names.join(", ")),
            Self::UpTo(most) => write!(f, "use a whole number from 1 to {}", grouped(*most)),
            Self::Cycle { last } => write!(f, "use a cycle from 0 to {}", grouped(*last)),
            Self::Flag => f.write_str("use True or False"),
            Self::Pixels(sides) => write!(f, "use a whole number from {} to {}", sides.start(), sides.end()),
            Self::Padding => {
                let most = systolic::Padding::MULTIPLE_MAX;
                write!(f, "use ragged, zero, or m followed by a number from 1 to {most} (m8 pads M to a multiple of 8)")
            }
            Self::TileOrder => write!(f, "use {}", words::message::TILE_ORDER),
            Self::Rate { most } => write!(
                f,
                "use a number of elements per cycle (such as 64), or a fraction such as 340/7 for 340 elements in 7 cycles, with numbers from 1 to {}",
                grouped(*most)
            ),
            Self::Accumulator { dtype } => {
                let usable = if dtype.is_integer() { "int32" } else { "one of f32, bf16, f16" };
                write!(f, "with {dtype}, use {usable}")
            }
            Self::WholeOf { dtype, least, most } => {
                write!(f, "with {dtype}, use a whole number from {least} to {most}")
            }
        }
    }
}
