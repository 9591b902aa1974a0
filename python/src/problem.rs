//! What cannot be used, as values; `words` makes the sentences.

use estimate::InvalidEntry;
use perfmodel::MfuRefusal;
use systolic::{Dataflow, Dtype, RangeError};

/// One thing that cannot be used.
#[derive(Debug)]
pub(crate) enum Problem {
    /// A value of a setting.
    Value {
        name: String,
        given: String,
        usable: Usable,
    },
    /// A value of a column, counted from 0.
    At {
        name: &'static str,
        index: usize,
        given: String,
        usable: Usable,
    },
    /// A number of a matrix.
    Cell {
        name: &'static str,
        row: u64,
        col: u64,
        given: f64,
        usable: Usable,
    },
    /// A setting that nothing is called.
    NoSuchSetting {
        given: String,
        names: &'static [&'static str],
    },
    /// A setting about how operands are loaded, or sums drained, that the dataflow has no use for.
    NotOfDataflow {
        name: &'static str,
        dataflows: &'static [Dataflow],
    },
    /// A matrix with fewer numbers than its shape says.
    Bytes {
        name: &'static str,
    },
    /// Matrices that do not multiply.
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
    /// A number that the core refuses.
    Range(RangeError),
    /// A run that the page does not show, by the setting that it does not have.
    NotOnPage {
        name: &'static str,
        given: &'static str,
    },
    /// A matrix with more numbers than a link lists.
    NotInLink {
        name: &'static str,
        most: u64,
    },
    /// What the page says of a field.
    Fields(Vec<studio::Problem>),
    /// Entries of the estimate.
    Entries(Vec<InvalidEntry>),
    /// An entry that the estimate does not have.
    NoSuchEntry {
        given: String,
    },
    /// Why a model has no answer.
    Model {
        about: &'static str,
        refusal: estimate::Refusal,
    },
    /// A file that cannot be read.
    File {
        path: String,
        error: std::io::Error,
    },
    /// Why a product has no time.
    Time(MfuRefusal),
}

/// What can be used in place of a value.
#[derive(Clone, Debug)]
pub(crate) enum Usable {
    OneOf(Vec<&'static str>),
    /// A whole number from 1.
    UpTo(u64),
    /// A cycle of a run.
    Cycle {
        last: u64,
    },
    Flag,
    Padding,
    Rate {
        most: u64,
    },
    /// The one accumulator, or those, of a format.
    Accumulator {
        dtype: Dtype,
    },
    /// A whole number of a format.
    WholeOf {
        dtype: Dtype,
        least: i8,
        most: i8,
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
