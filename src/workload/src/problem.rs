//! What is wrong with one line of a list.

use crate::product::TooLarge;

/// Lines that are read of a list.
pub(crate) const LINES_MAX: usize = 10_000;
/// Bytes of a line that are read.
pub(crate) const LINE_BYTES_MAX: usize = 1 << 15;
/// Problems after which the rest is not read.
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
        column: Column,
        /// The cell, cut.
        given: String,
    },
    /// There is a number behind the count.
    Surplus {
        /// The cell, cut.
        given: String,
    },
    /// The line ends before a column that is needed.
    Missing {
        /// The column.
        column: Column,
    },
    /// A sparsity that is not N:M with N at most M.
    Sparsity {
        /// The cell, cut.
        given: String,
    },
    /// A filter is larger than what it is moved over.
    FilterTooLarge {
        /// Along which side.
        way: Way,
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

/// A column that every row needs, or may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Rows of A and of the product.
    M,
    /// Columns of A, rows of B.
    K,
    /// Columns of B and of the product.
    N,
    /// How often the product runs.
    Count,
    /// Images or sequences.
    Batch,
    /// How far a filter moves.
    Stride,
    /// Rows of the input.
    InputHeight,
    /// Columns of the input.
    InputWidth,
    /// Rows of a filter.
    FilterHeight,
    /// Columns of a filter.
    FilterWidth,
    /// Channels of the input.
    Channels,
    /// Channels of the output.
    Filters,
}

/// A side of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Its height.
    High,
    /// Its width.
    Wide,
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

/// A count as people write it: digits with spaces, underscores or apostrophes between them.
pub(crate) fn count(column: Column, cell: &str) -> Result<u64, Fault> {
    let digits: String =
        cell.chars().filter(|c| !matches!(c, '_' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}')).collect();
    match digits.parse() {
        Ok(value) if value > 0 && !digits.starts_with('+') => Ok(value),
        _ => Err(Fault::NotACount { column, given: plain::cut(cell.trim()) }),
    }
}
