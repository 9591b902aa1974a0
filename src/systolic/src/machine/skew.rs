//! The skew at the north edge: column j has j registers between its port and the array.

use super::bits::BitRow;

/// What the port took in at one clock edge.
#[derive(Clone, Debug)]
struct Taken<T> {
    values: Vec<T>,
    /// Columns that got an element.
    n_valid: usize,
    /// Whether a vector was taken, of elements or of nothing.
    is_vector: bool,
    /// Whether it was the first of a fold.
    is_first: bool,
}

/// The last vectors taken, from which each column reads the one that has come through its registers.
#[derive(Clone, Debug)]
pub(super) struct Skew<T> {
    taken: Vec<Taken<T>>,
    newest: usize,
}

/// A row of elements behind the skew.
#[derive(Clone, Debug)]
pub(super) struct SkewedRow<T> {
    pub(super) values: Vec<T>,
    pub(super) valid: BitRow,
    pub(super) is_vector: BitRow,
    pub(super) is_first: BitRow,
}

impl<T: Copy + Default> Skew<T> {
    /// For so many columns; without skew all of them read the newest vector.
    pub(super) fn new(cols: usize, is_skewed: bool) -> Self {
        let nothing = Taken { values: vec![T::default(); cols], n_valid: 0, is_vector: false, is_first: false };
        Self { taken: vec![nothing; if is_skewed { cols } else { 1 }], newest: 0 }
    }

    /// One clock edge. `vector` has the elements of the first columns; `None` when the port takes nothing.
    pub(super) fn push(&mut self, vector: Option<&[T]>, is_first: bool) {
        self.newest = (self.newest + 1) % self.taken.len();
        let taken = &mut self.taken[self.newest];
        let values = vector.unwrap_or_default();
        taken.values[..values.len()].copy_from_slice(values);
        (taken.n_valid, taken.is_vector, taken.is_first) = (values.len(), vector.is_some(), is_first);
    }

    /// What leaves the skew registers.
    pub(super) fn row(&self) -> SkewedRow<T> {
        let cols = self.taken[0].values.len();
        let none = BitRow::new(cols);
        let mut row = SkewedRow { values: vec![T::default(); cols], valid: none, is_vector: none, is_first: none };
        for col in 0..cols {
            let age = col % self.taken.len();
            let taken = &self.taken[(self.newest + self.taken.len() - age) % self.taken.len()];
            if taken.is_first {
                row.is_first.set(col);
            }
            if taken.is_vector {
                row.is_vector.set(col);
                row.values[col] = taken.values[col];
                if col < taken.n_valid {
                    row.valid.set(col);
                }
            }
        }
        row
    }
}
