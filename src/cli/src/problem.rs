//! What goes wrong, as values; `words` makes the sentences.

use std::fmt;
use std::io;

use csv::StringRecord;
use estimate::{InvalidEntry, Refusal};
use perfmodel::MfuRefusal;
use systolic::{Dataflow, Dtype};

use crate::command::Command;

/// One thing that cannot be used.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The command line is not readable, as its reader says it.
    CommandLine(String),
    /// An option without its value.
    NoValue(String),
    /// An option with a value that it does not take.
    NeedsNoValue(String),
    NoCommand,
    UnknownCommand {
        given: String,
    },
    /// An option that the command does not have.
    NoSuchOption {
        command: Option<Command>,
        given: String,
    },
    /// An option of one letter.
    ShortOption(char),
    /// A word where the command takes none.
    ExtraWord {
        command: Command,
        given: String,
    },
    /// An option that is there twice: to take one of two values would be a wrong answer for the other.
    Twice(String),
    /// An option that the command cannot do without.
    Required {
        option: &'static str,
        usable: Usable,
    },
    /// A value.
    Value {
        name: Name,
        given: String,
        usable: Usable,
    },
    /// Two options of which one is enough.
    Either(&'static str, &'static str),
    /// A link and an option that says the same.
    LinkBesideOption(&'static str),
    /// Two sizes of one picture.
    TwoSizes {
        option: String,
        word: String,
    },
    /// `--passes` with another format than f32.
    PassesNeedF32,
    /// `--by` alone.
    ByNeedsAgainst,
    /// `--left-out` where no fit can be made anew.
    LeftOutNeedsFit,
    /// `--bounds` where errors are written.
    BoundsNotAgainst,
    /// `--ladder` for a core, or where errors are written.
    LadderNeedsChip,
    /// An option about how operands are loaded, or sums drained, that the dataflow has no use for.
    NotOfDataflow {
        option: &'static str,
        dataflows: &'static [Dataflow],
    },
    /// A file that is not readable.
    File {
        option: &'static str,
        path: String,
        error: io::Error,
    },
    /// A folder that cannot be written to.
    Folder {
        path: String,
        error: io::Error,
    },
    /// A run that cannot be hardware.
    Hardware(rtl::Refusal),
    /// More PE-cycles than waveforms are written for.
    Waveforms(u64),
    /// A file that is no table.
    FileTable {
        option: &'static str,
        path: String,
        error: csv::Error,
    },
    /// A matrix without numbers.
    NoNumbers {
        option: &'static str,
        path: String,
    },
    /// A matrix with more numbers than are read.
    TooManyNumbers {
        option: &'static str,
        path: String,
        most: u64,
    },
    /// Rows of a matrix that differ in length.
    Ragged {
        option: &'static str,
        row: u64,
        found: u64,
        first: u64,
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
    /// Columns that the table needs.
    MissingColumns {
        missing: Vec<&'static str>,
        needed: &'static [&'static str],
    },
    /// A column that an option names.
    NoSuchColumn {
        option: &'static str,
        given: String,
    },
    NotText,
    Input(io::Error),
    Output(io::Error),
    /// A table that is not readable, as the reader says it.
    Table(String),
    /// A number that the core refuses.
    Range(systolic::RangeError),
    /// An option that the estimate has, too.
    Entry(InvalidEntry),
    /// Why a model has no answer, after what it is about.
    Model {
        about: About,
        refusal: Refusal,
    },
    /// Why a product has no time.
    Time(MfuRefusal),
    /// A link to the estimate, which neither picture nor report shows.
    EstimateLink(Command),
    /// A tool of a link, which neither picture nor report shows.
    ToolLink {
        command: Command,
        name: &'static str,
        given: String,
    },
    /// A link without a question.
    NoQuestion,
    /// A sentence that the page makes of a link.
    Link(String),
    /// The same of an option.
    LinkOption {
        option: &'static str,
        sentence: String,
    },
    /// Parts of a link that are not named one by one.
    MoreOfLink(u64),
    /// The same, in a row of a table.
    InRow(u64, Box<Self>),
}

/// What a value belongs to.
#[derive(Debug)]
pub(crate) enum Name {
    Option(String),
    Column(String),
    /// A number of a matrix.
    Cell {
        option: &'static str,
        row: u64,
        col: usize,
    },
    Link,
    Measure,
    Worksheet,
    Command,
    Shell,
    /// A number of the input.
    Number,
}

/// What can be used in place of a value.
#[derive(Clone, Debug)]
pub(crate) enum Usable {
    Gemm,
    Array,
    OneOf(Vec<&'static str>),
    Padding,
    /// A whole number from 1.
    UpTo(u64),
    /// A whole number from 0.
    Whole,
    From {
        least: u64,
        most: u64,
    },
    /// A cycle of a run, or all.
    Cycle {
        last: u64,
    },
    Number,
    /// A whole number of a format.
    WholeOf {
        dtype: Dtype,
        least: i32,
        most: i32,
    },
    /// The one accumulator, or those, of a format.
    Accumulator {
        dtype: Dtype,
    },
    Rate {
        most: u64,
    },
    Size,
    Address,
    Microseconds,
    CsvFile,
    Folder,
}

/// What a refusal of a model is about.
#[derive(Debug)]
pub(crate) enum About {
    Model,
    File(String),
    Versus,
}

impl Problem {
    pub(crate) fn option(name: &str, given: &str, usable: Usable) -> Self {
        Self::Value { name: Name::Option(name.to_owned()), given: given.to_owned(), usable }
    }

    pub(crate) fn column(name: &str, given: &str, usable: Usable) -> Self {
        Self::Value { name: Name::Column(name.to_owned()), given: given.to_owned(), usable }
    }

    pub(crate) fn in_row(self, row: u64) -> Self {
        Self::InRow(row, Box::new(self))
    }
}

/// All problems of a command.
#[derive(Debug)]
pub(crate) struct Problems(pub(crate) Vec<Problem>);

impl Problems {
    /// Nothing when there is no problem.
    pub(crate) fn all(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self(problems)) }
    }

    /// Nothing when every option can be used.
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
        // A sentence may quote a file, and it goes to a terminal.
        self.0.iter().try_for_each(|problem| writeln!(f, "{}", plain::shown(&problem.to_string())))
    }
}

/// A record of a table, or what is wrong with this row alone: bytes that are no text.
///
/// # Errors
/// What is wrong with the whole table.
pub(crate) fn record(read: Result<StringRecord, csv::Error>) -> Result<Result<StringRecord, Problem>, Problem> {
    match read {
        Ok(record) => Ok(Ok(record)),
        Err(error) if matches!(error.kind(), csv::ErrorKind::Utf8 { .. }) => Ok(Err(Problem::NotText)),
        Err(error) => Err(error.into()),
    }
}

/// All of some values, or the problems of all.
pub(crate) fn each<T, const N: usize>(results: [Result<T, Problem>; N]) -> Result<[T; N], Problems> {
    let mut problems = Vec::new();
    let values: Vec<T> =
        results.into_iter().filter_map(|one| one.map_err(|problem| problems.push(problem)).ok()).collect();
    values.try_into().map_err(|_| Problems(problems))
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<csv::Error> for Problem {
    fn from(error: csv::Error) -> Self {
        // What the error says is lost with its kind, so it is written down first.
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

impl From<io::Error> for Problems {
    fn from(error: io::Error) -> Self {
        Problem::from(error).into()
    }
}

impl From<csv::Error> for Problems {
    fn from(error: csv::Error) -> Self {
        Problem::from(error).into()
    }
}

impl From<systolic::RangeError> for Problems {
    fn from(error: systolic::RangeError) -> Self {
        Problem::from(error).into()
    }
}
