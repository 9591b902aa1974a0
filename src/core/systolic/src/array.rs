//! Shape of the array, and positions of its processing elements (PEs).

use crate::RangeError;

/// Shape of an array of R×C processing elements (PEs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayShape {
    rows: u32,
    cols: u32,
}

impl ArrayShape {
    /// Largest number of rows and largest number of columns.
    pub const SIDE_MAX: u64 = 1024;

    /// An array of R rows and C columns.
    ///
    /// # Errors
    /// [`RangeError`] if `rows` or `cols` is 0 or above [`ArrayShape::SIDE_MAX`].
    #[expect(clippy::cast_possible_truncation, reason = "both sides are checked to be at most 1024")]
    pub fn new(rows: u64, cols: u64) -> Result<Self, RangeError> {
        RangeError::check("rows", rows, 1, Self::SIDE_MAX)?;
        RangeError::check("cols", cols, 1, Self::SIDE_MAX)?;
        Ok(Self { rows: rows as u32, cols: cols as u32 })
    }

    /// Number of rows, R.
    #[must_use]
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// Number of columns, C.
    #[must_use]
    pub const fn cols(self) -> u32 {
        self.cols
    }

    /// Number of PEs, R·C.
    #[must_use]
    pub const fn pes(self) -> u64 {
        self.rows as u64 * self.cols as u64
    }

    /// Every PE, row by row.
    pub fn iter(self) -> impl Iterator<Item = PeId> {
        (0..self.rows).flat_map(move |row| (0..self.cols).map(move |col| PeId { row, col }))
    }

    /// True if the PE is inside the array.
    #[must_use]
    pub const fn contains(self, pe: PeId) -> bool {
        pe.row < self.rows && pe.col < self.cols
    }
}

/// Position of one processing element. Row 0 is north, column 0 is west.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PeId {
    /// Row of the PE, counted from the north.
    pub row: u32,
    /// Column of the PE, counted from the west.
    pub col: u32,
}

impl PeId {
    /// The PE at a row and a column.
    #[must_use]
    pub const fn new(row: u32, col: u32) -> Self {
        Self { row, col }
    }
}
