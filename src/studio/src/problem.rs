//! What is wrong with an input: the field, its text, what is allowed.

use crate::Field;

/// One thing that keeps a scenario from running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field.
    pub field: Field,
    /// The text that was refused, cut when long.
    pub given: String,
    /// Why it cannot be used.
    pub why: Why,
}

/// Why an input cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Not a whole number, or outside the range.
    NotInRange {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
    },
    /// None of the names.
    NotOneOf(Vec<&'static str>),
    /// The matrix does not have this many rows and columns.
    Shape {
        /// Rows found.
        rows: u64,
        /// Columns found.
        cols: u64,
        /// Rows wanted.
        want_rows: u64,
        /// Columns wanted.
        want_cols: u64,
    },
    /// A row is longer or shorter than the first.
    RowLength {
        /// The row, from 0.
        row: u64,
        /// Its elements.
        found: u64,
        /// Elements of the first row.
        wanted: u64,
    },
    /// An element is no number.
    NotANumber {
        /// Row, from 0.
        row: u64,
        /// Column, from 0.
        col: u64,
    },
    /// An element does not fit the format.
    NotInFormat {
        /// Row, from 0.
        row: u64,
        /// Column, from 0.
        col: u64,
        /// The format.
        dtype: systolic::Dtype,
    },
    /// More elements than a page can hold.
    TooManyElements {
        /// Most elements.
        max: u64,
    },
    /// Values are to be typed in, and there are none yet.
    NoValues,
    /// The run is too long to count.
    TooLong,
}

impl Problem {
    /// A problem with a field; a long input is cut for the message.
    #[must_use]
    pub fn new(field: Field, given: &str, why: Why) -> Self {
        Self { field, given: plain::cut(given), why }
    }

    /// The row and the column of the element that it is about, from 0; nothing where it is about the whole.
    #[must_use]
    pub const fn cell(&self) -> Option<(u64, u64)> {
        match self.why {
            Why::NotANumber { row, col } | Why::NotInFormat { row, col, .. } => Some((row, col)),
            _ => None,
        }
    }
}
