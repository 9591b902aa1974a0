//! Folds. A fold is one pass of a tile of the problem over the array, as in SCALE-Sim.

/// One fold and its position in the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Number of the fold in the order in which folds run, from 0.
    pub index: u64,
    /// Position along the axis mapped to the rows, in folds.
    pub row_fold: u64,
    /// Position along the axis mapped to the columns, in folds.
    pub col_fold: u64,
    /// Index of the first element along the axis mapped to the rows.
    pub row_origin: u64,
    /// Index of the first element along the axis mapped to the columns.
    pub col_origin: u64,
    /// Rows and columns of PEs that get operands, zeros of padding included.
    pub mapped: Block,
    /// Rows and columns of PEs that get elements of the problem itself.
    pub real: Block,
}

/// A block of PEs in the north-west corner of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub cols: u32,
}

impl Block {
    /// Number of PEs in the block.
    #[must_use]
    pub const fn pes(self) -> u64 {
        self.rows as u64 * self.cols as u64
    }

    /// True if a PE is in the block.
    #[must_use]
    pub const fn contains(self, pe: crate::PeId) -> bool {
        pe.row < self.rows && pe.col < self.cols
    }
}

/// Number of elements in fold number `index` along an axis of `extent` elements, with at most `side` elements per fold.
#[expect(clippy::cast_possible_truncation, reason = "the result is at most `side`")]
pub(crate) fn share(extent: u64, side: u32, index: u64) -> u32 {
    extent.saturating_sub(index.saturating_mul(u64::from(side))).min(u64::from(side)) as u32
}
