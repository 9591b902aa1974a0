//! Problems of the input as typed values; `words` makes the sentences.

use std::ops::RangeInclusive;

use estimate::InvalidEntry;
use perfmodel::MfuRefusal;
use systolic::{Adder, AdderError, Dataflow, Dtype, RangeError};

/// Input that cannot be used.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Setting with a value that cannot be used.
    Value {
        name: String,
        given: String,
        usable: Usable,
    },
    /// Column with a number that cannot be used; `index` counts from 0.
    At {
        name: &'static str,
        index: usize,
        given: String,
        usable: Usable,
    },
    /// Matrix with an element that cannot be used.
    Cell {
        name: &'static str,
        row: u64,
        col: u64,
        given: f64,
        usable: Usable,
    },
    /// Setting with an unknown name.
    NoSuchSetting {
        given: String,
        names: &'static [&'static str],
    },
    /// Setting for loading operands or draining sums that the dataflow does not use.
    NotOfDataflow {
        name: &'static str,
        dataflows: &'static [Dataflow],
    },
    /// Adder that does not fit the format or the run.
    Adder {
        adder: Adder,
        error: AdderError,
    },
    /// Matrix c whose sizes are not those of the results.
    SizesOfC {
        given: (u64, u64),
        needed: (u64, u64),
    },
    /// Matrix whose number of bytes does not fit its shape.
    Bytes {
        name: &'static str,
    },
    /// Matrices that cannot be multiplied, because their inner sizes differ.
    InnerSizes {
        b_rows: u64,
        a_cols: u64,
    },
    TooManyResults {
        m: u64,
        n: u64,
        most: u64,
    },
    TooManyPeCycles {
        most: u64,
    },
    TooManyEvents {
        most: u64,
    },
    /// Number that the core refuses.
    Range(RangeError),
    /// Run that the page cannot show, with the setting that the page does not have.
    NotOnPage {
        name: &'static str,
        given: &'static str,
    },
    /// Matrix with more elements than a link can list.
    NotInLink {
        name: &'static str,
        most: u64,
    },
    /// Fields that the page refuses.
    Fields(Vec<studio::Problem>),
    /// Entries that the estimate refuses.
    Entries(Vec<InvalidEntry>),
    /// Entry that the estimate does not have.
    NoSuchEntry {
        given: String,
    },
    /// Model without an answer, with the reason.
    Model {
        about: &'static str,
        refusal: estimate::Refusal,
    },
    /// File that cannot be read.
    File {
        path: String,
        error: std::io::Error,
    },
    /// Matmul without a time, with the reason.
    Time(MfuRefusal),
}

/// Allowed values of an input.
#[derive(Clone, Debug)]
pub(crate) enum Usable {
    OneOf(Vec<&'static str>),
    /// Whole number from 1 to this limit.
    UpTo(u64),
    /// Cycle of a run, from 0 to `last`.
    Cycle {
        last: u64,
    },
    Flag,
    /// Whole number of pixels.
    Pixels(RangeInclusive<u16>),
    Padding,
    Rate {
        most: u64,
    },
    TileOrder,
    /// Accumulator that the format allows.
    Accumulator {
        dtype: Dtype,
    },
    /// Whole number that the format can represent.
    WholeOf {
        dtype: Dtype,
        least: i32,
        most: i32,
    },
}

impl Problem {
    pub(crate) fn value(name: &str, given: &str, usable: Usable) -> Self {
        Self::Value { name: name.to_owned(), given: given.to_owned(), usable }
    }
}

impl From<RangeError> for Problem {
    fn from(error: RangeError) -> Self {
        match error.field {
            "pe_cycles" => Self::TooManyPeCycles { most: error.max },
            _ => Self::Range(error),
        }
    }
}
