//! The skew at the north edge: column j has j registers between its port and the array.

use super::bits::BitRow;
use super::ring::Delays;

/// What the port took in at one clock edge, apart from the elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PortInput {
    /// Columns that got an element.
    n_valid: usize,
    /// Whether a vector was taken, of elements or of nothing.
    is_vector: bool,
    /// Whether it was the first of a fold.
    is_first: bool,
}

/// The last vectors taken, from which each column reads the one that has come through its registers.
#[derive(Clone, Debug)]
pub(super) struct Skew<T: Copy + Default> {
    values: Delays<T>,
    taken: Vec<PortInput>,
    newest: usize,
    /// For how many clock edges the port has taken the same kind of thing.
    n_alike: usize,
    cols: usize,
}

/// A row of elements behind the skew.
#[derive(Clone, Debug)]
pub(super) struct SkewedRow<T> {
    /// Any value where there is no element.
    pub(super) values: Vec<T>,
    pub(super) valid: BitRow,
    pub(super) is_vector: BitRow,
    pub(super) is_first: BitRow,
}

impl<T: Copy + Default> Skew<T> {
    /// For `cols` columns; without skew all of them read the newest vector.
    pub(super) fn new(cols: usize, is_skewed: bool) -> Self {
        let delays: Vec<usize> = (0..cols).map(|col| if is_skewed { col } else { 0 }).collect();
        let taken = vec![PortInput::default(); if is_skewed { cols } else { 1 }];
        Self { values: Delays::new(&delays), n_alike: taken.len(), taken, newest: 0, cols }
    }

    /// One clock edge. `vector` has the elements of the first columns; `None` when the port takes nothing.
    pub(super) fn push(&mut self, vector: Option<&[T]>, is_first: bool) {
        let values = vector.unwrap_or(&[]);
        let taken = PortInput { n_valid: values.len(), is_vector: vector.is_some(), is_first };
        self.values.push(values);
        let is_like_the_last = self.taken[self.newest] == taken;
        self.n_alike = if is_like_the_last { (self.n_alike + 1).min(self.taken.len()) } else { 1 };
        self.newest = (self.newest + 1) % self.taken.len();
        self.taken[self.newest] = taken;
    }

    /// What leaves the skew registers.
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
