//! Problems in single lines of a list of matmuls.

use crate::product::TooLarge;
use plain::{Decimal, NoNumber};

/// Maximum number of lines in a list.
pub(crate) const LINES_MAX: usize = 10_000;
/// Maximum number of bytes in a line.
pub(crate) const LINE_BYTES_MAX: usize = 1 << 15;
/// Number of problems after which reading stops.
pub(crate) const PROBLEMS_MAX: usize = 20;

/// A line that the reader cannot use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Number of the line, counted from 1.
    pub line: usize,
    /// Error in the line.
    pub fault: Fault,
}

/// Error in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A cell must contain a count, but contains something else.
    NotACount {
        /// Name of the column.
        column: Column,
        /// Text of the cell, truncated.
        given: String,
    },
    /// A number whose point or comma may stand either before decimals or between thousands.
    EitherNumber {
        /// Name of the column.
        column: Column,
        /// Text of the cell, truncated.
        given: String,
    },
    /// Extra number after the count.
    Surplus {
        /// Text of the cell, truncated.
        given: String,
    },
    /// A required column is missing or empty.
    Missing {
        /// Name of the column.
        column: Column,
    },
    /// Two columns with the same meaning.
    ColumnTwice {
        /// Meaning of the columns.
        column: Column,
    },
    /// Sparsity that does not have the form N:M with 0 < N ≤ M.
    Sparsity {
        /// Text of the cell, truncated.
        given: String,
    },
    /// Filter that is larger than its input.
    FilterTooLarge {
        /// Side of the image: height or width.
        way: Way,
        /// Size of the filter along the side.
        filter: u64,
        /// Size of the input along the side.
        input: u64,
    },
    /// Channels or filters that cannot be divided evenly into the groups.
    Groups {
        /// Number of groups.
        groups: u64,
        /// Channels of the input.
        channels: u64,
        /// Channels of the output.
        filters: u64,
    },
    /// Traced table without one of its columns.
    TracedColumn {
        /// Name of the column.
        name: &'static str,
    },
    /// Role of a row that is not a role of a training step.
    Role {
        /// Text of the cell, truncated.
        given: String,
    },
    /// Number of weights that is not a whole number.
    Weights {
        /// Text of the cell, truncated.
        given: String,
    },
    /// Kept matrix that is not A, B or C.
    Kept {
        /// Text of the cell, truncated.
        given: String,
    },
    /// Share of a mask that is not from 0 to 1.
    Masked {
        /// Text of the cell, truncated.
        given: String,
    },
    /// Number in the totals of a traced table that does not match the rows.
    Totals {
        /// Name of the number.
        name: &'static str,
        /// Number in the totals; `None` if it is missing.
        stated: Option<u128>,
        /// The number as computed from the rows.
        found: u128,
    },
    /// Sizes that are too large to count exactly.
    TooLarge,
    /// The list has too many lines.
    TooManyLines,
    /// The line is too long.
    LineTooLong,
    /// The line contains bytes that are not UTF-8 text.
    NotText,
    /// The whole text contains no layer.
    Empty,
    /// Neither the first line nor the number of columns identifies the columns.
    UnknownColumns,
}

/// A column of a list, required or optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Rows of A and of C.
    M,
    /// Columns of A and rows of B.
    K,
    /// Columns of B and of C.
    N,
    /// Number of times that a pass runs the matmul.
    Count,
    /// Number of layers with the matmul.
    Layers,
    /// Number of heads with the matmul.
    Heads,
    /// Number of experts with the matmul.
    Experts,
    /// Number of images or sequences.
    Batch,
    /// Step of a filter, in rows or columns of the input.
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
    /// Groups of channels, each with its own filters.
    Groups,
    /// Rows and columns of zeros around the input, on each side.
    Padding,
    /// Step between the values of a filter.
    Dilation,
}

/// A side of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Height of the image.
    High,
    /// Width of the image.
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

/// Parses a count of at least 1. `decimal` is the decimal separator, if it is known.
pub(crate) fn count(column: Column, cell: &str, decimal: Option<Decimal>) -> Result<u64, Fault> {
    match whole(column, cell, decimal)? {
        0 => Err(Fault::NotACount { column, given: plain::cut(cell.trim()) }),
        value => Ok(value),
    }
}

/// Parses a whole number, which may be 0.
pub(crate) fn whole(column: Column, cell: &str, decimal: Option<Decimal>) -> Result<u64, Fault> {
    plain::whole_number(cell.trim(), decimal).map_err(|why| {
        let given = plain::cut(cell.trim());
        match why {
            NoNumber::Word => Fault::NotACount { column, given },
            NoNumber::Either => Fault::EitherNumber { column, given },
        }
    })
}
