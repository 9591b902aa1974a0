//! Problems of a command as values. The module `words` writes their sentences.

use std::error::Error;
use std::fmt;
use std::io;

use csv::StringRecord;
use estimate::{InvalidEntry, Refusal};
use perfmodel::MfuRefusal;
use studio::npy::NpyRefusal;
use studio::problem::Why;
use systolic::Dtype;

/// A problem that the command line reports.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Value that cannot be used.
    Value {
        name: Name,
        given: String,
        usable: Usable,
    },
    /// Option that works only with these other options.
    WorksOnly(&'static str, &'static str),
    /// Adder that does not fit the format or the run.
    Adder {
        adder: systolic::Adder,
        error: systolic::AdderError,
    },
    /// File or folder of an option that cannot be used.
    File {
        option: &'static str,
        path: String,
        why: FileProblem,
    },
    /// Run that cannot be generated as hardware.
    Hardware(rtl::Refusal),
    /// Number of PE-cycles that is too large for waveforms.
    Waveforms(u64),
    /// Rows of a matrix with different lengths.
    Ragged {
        option: &'static str,
        row: u64,
        found: u64,
        first: u64,
    },
    /// Matrices whose inner sizes differ.
    InnerSizes {
        b_rows: u64,
        a_cols: u64,
    },
    /// Matrix c whose sizes are not those of the results.
    SizesOfC {
        given: (u64, u64),
        needed: (u64, u64),
    },
    TooManyResults {
        m: u64,
        n: u64,
        most: u64,
    },
    TooManyPeCycles {
        most: u64,
    },
    /// Columns that the table lacks.
    MissingColumns {
        missing: Vec<&'static str>,
        needed: &'static [&'static str],
    },
    /// Column name that two columns of the table have.
    ColumnTwice {
        name: String,
    },
    NotText,
    Input(io::Error),
    Output(io::Error),
    /// Table that cannot be read, with the error message of the parser.
    Table(String),
    /// Number that the core does not accept.
    Range(systolic::RangeError),
    /// Option of the model estimates with an invalid value.
    Entry(InvalidEntry),
    /// Estimate of a model that cannot be computed, with the reason.
    Model {
        about: About,
        refusal: Refusal,
    },
    /// Time of a matmul that cannot be computed, with the reason.
    Time(MfuRefusal),
    /// Link to the model estimates, which pictures and reports do not show.
    EstimateLink(&'static str),
    /// Tool that a link opens, but that pictures and reports do not show.
    ToolLink {
        command: &'static str,
        name: &'static str,
        given: String,
    },
    /// Link without a question for `systolic ask`.
    NoQuestion,
    /// Entry that a link has outside of its question, where the entry has no effect.
    OutsideQuestion {
        question: &'static str,
        name: String,
        given: String,
    },
    /// Sentence about the command line, or message of the page about a link.
    Sentence(String),
    /// Message of the page about an option.
    LinkOption {
        option: &'static str,
        sentence: String,
    },
    /// Number of further problems of a link that are not listed.
    MoreOfLink(u64),
    /// Problem in a row of a table.
    InRow(u64, Box<Self>),
}

/// Reason why a file or a folder cannot be used.
#[derive(Debug)]
pub(crate) enum FileProblem {
    Unreadable(io::Error),
    Unwritable(io::Error),
    /// Matrix file without numbers.
    NoNumbers,
    /// Matrix file with more than this number of numbers.
    TooManyNumbers(u64),
    /// File of a NumPy array that cannot be used as a matrix.
    Npy(NpyRefusal),
    /// Printed matrix that cannot be read.
    Printed(Why),
}

/// Source of a value, which the message names.
#[derive(Debug)]
pub(crate) enum Name {
    Option(&'static str),
    Column(String),
    /// Element of a matrix.
    Cell {
        option: &'static str,
        row: u64,
        col: u64,
    },
    /// Number from the standard input.
    Number,
}

/// Values that can be used instead of a wrong or missing value.
#[derive(Clone, Debug)]
pub(crate) enum Usable {
    Gemm,
    Array,
    /// One of these names, which are separated by commas.
    OneOf(String),
    Padding,
    /// Whole number from 1 to this maximum.
    UpTo(u64),
    /// Whole number of at least 0.
    Whole,
    From {
        least: u64,
        most: u64,
    },
    /// Cycle of a run from 0 to `last`, or `all`.
    Cycle {
        last: u64,
    },
    Number,
    /// Number with only one reading. The comma or point of the given number may stand before decimals or between
    /// thousands.
    OneReading,
    /// Whole number that the format can represent.
    WholeOf {
        dtype: Dtype,
        least: i32,
        most: i32,
    },
    /// Accumulator that works with the format.
    Accumulator {
        dtype: Dtype,
    },
    Rate,
    TileOrder,
    Size,
    Address,
    ColumnName,
    Microseconds,
}

impl Usable {
    pub(crate) fn one_of(names: impl IntoIterator<Item = impl ToString>) -> Self {
        Self::OneOf(names.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", "))
    }
}

impl Error for Usable {}

/// Subject of an estimate that cannot be computed.
#[derive(Debug)]
pub(crate) enum About {
    Model,
    File(String),
    Versus,
}

impl Problem {
    pub(crate) fn option(name: &'static str, given: &str, usable: Usable) -> Self {
        Self::Value { name: Name::Option(name), given: given.to_owned(), usable }
    }

    pub(crate) fn column(name: &str, given: &str, usable: Usable) -> Self {
        Self::Value { name: Name::Column(name.to_owned()), given: given.to_owned(), usable }
    }

    pub(crate) fn in_row(self, row: u64) -> Self {
        Self::InRow(row, Box::new(self))
    }
}

/// All problems of a command, in the order in which their sentences are printed.
#[derive(Debug)]
pub(crate) struct Problems(pub(crate) Vec<Problem>);

impl Problems {
    /// Returns `Ok` if the list is empty, or else all problems.
    pub(crate) fn all(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self(problems)) }
    }

    /// Returns `Ok` if every option can be used, or else a problem for each invalid option.
    pub(crate) fn of_options(invalid: Vec<InvalidEntry>) -> Result<(), Self> {
        Self::all(invalid.into_iter().map(Problem::Entry).collect())
    }

    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.0
            .iter()
            .any(|problem| matches!(problem, Problem::Output(error) if error.kind() == io::ErrorKind::BrokenPipe))
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A sentence may quote a file, so its control characters must not reach the terminal.
        self.0.iter().try_for_each(|problem| writeln!(f, "{}", plain::without_control_signs(&problem.to_string())))
    }
}

/// Returns a row of a table, or [`Problem::NotText`] if the row is not UTF-8. The command can skip such a row and
/// continue.
///
/// # Errors
/// Fails if the table cannot be read.
pub(crate) fn record(read: Result<StringRecord, csv::Error>) -> Result<Result<StringRecord, Problem>, Problem> {
    match read {
        Ok(record) => Ok(Ok(record)),
        Err(error) if matches!(error.kind(), csv::ErrorKind::Utf8 { .. }) => Ok(Err(Problem::NotText)),
        Err(error) => Err(error.into()),
    }
}

/// Returns all values, or the problems of all failed results.
pub(crate) fn each<T, const N: usize>(results: [Result<T, Problem>; N]) -> Result<[T; N], Problems> {
    let mut problems = Vec::new();
    let values: Vec<T> =
        results.into_iter().filter_map(|one| one.map_err(|problem| problems.push(problem)).ok()).collect();
    values.try_into().map_err(|_| Problems(problems))
}

impl<E> From<E> for Problems
where
    Problem: From<E>,
{
    fn from(error: E) -> Self {
        Self(vec![error.into()])
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<csv::Error> for Problem {
    fn from(error: csv::Error) -> Self {
        // The conversion consumes the error, so its message is formatted first.
        let said = error.to_string();
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Self::Output(error),
            _ => Self::Table(said),
        }
    }
}

impl From<systolic::RangeError> for Problem {
    fn from(error: systolic::RangeError) -> Self {
        Self::Range(error)
    }
}
