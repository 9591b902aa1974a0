//! Problems with an input: the field, its text, and what is allowed.

use crate::Field;

/// A problem that keeps a scenario from running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field.
    pub field: Field,
    /// The text that was refused, cut when long.
    pub given: String,
    /// Reason why the text cannot be used.
    pub why: Why,
}

/// Reason why an input cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A text that is not a whole number, or a number outside the range.
    NotInRange {
        /// Smallest allowed number.
        min: u64,
        /// Largest allowed number.
        max: u64,
    },
    /// A text that is not one of these names.
    NotOneOf(Vec<&'static str>),
    /// A text that is neither an order of tiles nor a list of tiles.
    NotAnOrder,
    /// An order of tiles for a K that is not a multiple of the rows, or a list with another number of tiles than the run.
    NotAllTiles {
        /// K of the run.
        k: u64,
        /// Rows of the array.
        rows: u64,
    },
    /// An adder that does not fit the format or the run.
    Adder(systolic::AdderError),
    /// A matrix with a wrong number of rows or columns.
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
    /// A matrix whose side K differs from the side K of the other matrix.
    Inner {
        /// Columns of A.
        a_cols: u64,
        /// Rows of B.
        b_rows: u64,
    },
    /// A row that is longer or shorter than the first.
    RowLength {
        /// Index of the row, from 0.
        row: u64,
        /// Number of elements in the row.
        found: u64,
        /// Number of elements in the first row.
        wanted: u64,
    },
    /// An element that is not a number.
    NotANumber {
        /// Row of the element, from 0.
        row: u64,
        /// Column of the element, from 0.
        col: u64,
    },
    /// An element with a comma that may separate decimals or thousands.
    CommaInNumber {
        /// Row of the element, from 0.
        row: u64,
        /// Column of the element, from 0.
        col: u64,
    },
    /// An element that does not fit the number format.
    NotInFormat {
        /// Row of the element, from 0.
        row: u64,
        /// Column of the element, from 0.
        col: u64,
        /// The number format.
        dtype: systolic::Dtype,
    },
    /// More elements than a listed matrix can have.
    TooManyElements {
        /// Maximum number of elements.
        max: u64,
    },
    /// A list of matrices, or another array that does not have two dimensions.
    Dimensions {
        /// Number of dimensions.
        found: u64,
    },
    /// A matrix in blocks of columns or with a common factor, as MATLAB and R print it.
    Blocks,
    /// A list whose line breaks may end rows or only lines.
    LineBreaks,
    /// A custom matrix that has no values yet.
    NoValues,
    /// A run that is too long to count.
    TooLong,
}

impl Problem {
    /// Creates a problem with a field. Cuts a long input for the message.
    #[must_use]
    pub fn new(field: Field, given: &str, why: Why) -> Self {
        Self { field, given: plain::cut(given), why }
    }

    /// Returns row and column, from 0, of the element that has the problem. `None` if the problem is about the whole
    /// input.
    #[must_use]
    pub const fn cell(&self) -> Option<(u64, u64)> {
        match self.why {
            Why::NotANumber { row, col } | Why::CommaInNumber { row, col } | Why::NotInFormat { row, col, .. } => {
                Some((row, col))
            }
            _ => None,
        }
    }
}
