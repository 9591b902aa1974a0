//! The skew at the north edge: column j has j registers between its port and the array.

use super::bits::BitRow;
use super::ring::Delays;

/// Input of the north ports at one clock edge, without the values of the elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PortInput {
    /// Number of columns that received an element.
    n_valid: usize,
    /// True if a vector entered, even an empty vector.
    is_vector: bool,
    /// True if a fold begins at this clock edge.
    is_first: bool,
}

/// Skew registers of the north edge. Each column reads the vector that has passed all skew registers of the column.
#[derive(Clone, Debug)]
pub(super) struct Skew<T: Copy + Default> {
    values: Delays<T>,
    taken: Vec<PortInput>,
    newest: usize,
    /// Number of the latest consecutive clock edges with equal port input.
    n_alike: usize,
    cols: usize,
}

/// A row of elements that leaves the skew registers.
#[derive(Clone, Debug)]
pub(super) struct SkewedRow<T> {
    /// Elements of the row, with arbitrary values in columns without an element.
    pub(super) values: Vec<T>,
    pub(super) valid: BitRow,
    pub(super) is_vector: BitRow,
    pub(super) is_first: BitRow,
}

impl<T: Copy + Default> Skew<T> {
    /// Skew registers for `cols` columns. Without skew, all columns read the newest vector.
    pub(super) fn new(cols: usize, is_skewed: bool) -> Self {
        let delays: Vec<usize> = (0..cols).map(|col| if is_skewed { col } else { 0 }).collect();
        let taken = vec![PortInput::default(); if is_skewed { cols } else { 1 }];
        Self { values: Delays::new(&delays), n_alike: taken.len(), taken, newest: 0, cols }
    }

    /// Advances the registers by one clock edge. `vector` has the elements of the first columns; `None` if no vector
    /// enters.
    pub(super) fn push(&mut self, vector: Option<&[T]>, is_first: bool) {
        let values = vector.unwrap_or(&[]);
        let taken = PortInput { n_valid: values.len(), is_vector: vector.is_some(), is_first };
        self.values.push(values);
        let is_like_the_last = self.taken[self.newest] == taken;
        self.n_alike = if is_like_the_last { (self.n_alike + 1).min(self.taken.len()) } else { 1 };
        self.newest = (self.newest + 1) % self.taken.len();
        self.taken[self.newest] = taken;
    }

    /// Row of elements that leaves the skew registers.
    pub(super) fn row(&self) -> SkewedRow<T> {
        let none = BitRow::new(self.cols);
        let values = self.values.out().collect();
        let mut row = SkewedRow { values, valid: none, is_vector: none, is_first: none };
        if self.n_alike == self.taken.len() {
            let PortInput { n_valid, is_vector, is_first } = self.taken[self.newest];
            let all_if = |all: bool| BitRow::first(self.cols, if all { self.cols } else { 0 });
            return SkewedRow {
                valid: BitRow::first(self.cols, n_valid),
                is_vector: all_if(is_vector),
                is_first: all_if(is_first),
                ..row
            };
        }
        for col in 0..self.cols {
            let age = col % self.taken.len();
            let taken = &self.taken[(self.newest + self.taken.len() - age) % self.taken.len()];
            if taken.is_first {
                row.is_first.set(col);
            }
            if taken.is_vector {
                row.is_vector.set(col);
            }
            if col < taken.n_valid {
                row.valid.set(col);
            }
        }
        row
    }
}
