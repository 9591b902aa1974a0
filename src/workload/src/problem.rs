//! What is wrong with one line of a list, as a sentence.

use std::fmt;

use crate::gemm::TooLarge;
use plain::{grouped, quote};

/// Lines that are read of a list.
pub(crate) const LINES_MAX: usize = 10_000;
/// Bytes of a line that are read.
pub(crate) const LINE_BYTES_MAX: usize = 1 << 15;
/// Problems that are told before the rest is left.
pub(crate) const PROBLEMS_MAX: usize = 20;

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A cell that should hold a count holds something else.
    NotACount {
        /// The column.
        column: &'static str,
        /// The cell, as quoted.
        given: String,
    },
    /// The line ends before a column that is needed.
    Missing {
        /// The column.
        column: &'static str,
    },
    /// A sparsity that is not N:M with N at most M.
    Sparsity {
        /// The cell, as quoted.
        given: String,
    },
    /// A filter is larger than what it is moved over.
    FilterTooLarge {
        /// `high` or `wide`.
        way: &'static str,
        /// The filter's size.
        filter: u64,
        /// That of the input.
        input: u64,
    },
    /// The sizes together are beyond what is added up exactly.
    TooLarge,
    /// The list goes on for too long.
    TooManyLines,
    /// The line goes on for too long.
    LineTooLong,
    /// There are bytes that are no text.
    NotText,
    /// Nothing in the whole text is a layer.
    Empty,
    /// The first line does not say what the columns are, nor do their number.
    UnknownColumns,
}

impl Problem {
    pub(crate) fn new(line: usize, fault: Fault) -> Self {
        Self { line, fault }
    }
}

impl From<TooLarge> for Fault {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line {}: ", self.line)?;
        match &self.fault {
            Fault::NotACount { column, given } => {
                write!(f, "{column} is {given}; allowed is a whole number from 1.")
            }
            Fault::Missing { column } => write!(f, "{column} is missing; every row needs it."),
            Fault::Sparsity { given } => write!(f, "the sparsity is {given}; allowed is N:M with N at most M, as 2:4."),
            Fault::FilterTooLarge { way, filter, input } => {
                let (filter, input) = (grouped(*filter), grouped(*input));
                write!(f, "the filter is {filter} {way}; allowed is at most the input's {input}.")
            }
            Fault::TooLarge => TooLarge.fmt(f),
            Fault::TooManyLines => write!(f, "there are too many lines; allowed are {}.", grouped(LINES_MAX as u64)),
            Fault::LineTooLong => {
                let most = grouped(LINE_BYTES_MAX as u64);
                write!(f, "it is longer than {most} bytes; allowed is one layer in each line.")
            }
            Fault::NotText => f.write_str("there are bytes that are no text; allowed is UTF-8."),
            Fault::Empty => f.write_str("there is no layer here; allowed is one in each line."),
            Fault::UnknownColumns => f.write_str(
                "the columns are unknown; allowed is a header with M, N and K, or with the heights and widths of input \
                 and filter.",
            ),
        }
    }
}

/// A count as people write it: digits with spaces, underscores or apostrophes between them.
pub(crate) fn count(column: &'static str, cell: &str) -> Result<u64, Fault> {
    let digits: String =
        cell.chars().filter(|c| !matches!(c, '_' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}')).collect();
    match digits.parse() {
        Ok(value) if value > 0 && !digits.starts_with('+') => Ok(value),
        _ => Err(Fault::NotACount { column, given: quote(cell) }),
    }
}
