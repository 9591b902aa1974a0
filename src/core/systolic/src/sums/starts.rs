//! Initial values (starts) of the sums of a fold: a matrix c, or the sums of the previous folds (WS, IS).

use crate::units::len_usize;
use crate::{Axis, Fold, Hold, Lane, Schedule, Vectors};

/// Starts of all sums of a run, if some sums do not start from zero.
#[derive(Clone, Debug)]
pub(super) struct Starts<S> {
    /// One list of starts for each fold number along the rows. A list has an element for each index along time and each
    /// index along the columns. A list is empty if the sums of these folds start from zero.
    planes: Vec<Vec<S>>,
    cols: usize,
}

impl<S: Copy + Default> Starts<S> {
    /// Starts of a run; `None` if all sums start from zero, or if sums stay in place (OS).
    pub(super) fn new<L: Lane<Sum = S>>(s: &Schedule, vectors: &Vectors<L>) -> Option<Self> {
        let mapping = s.mapping();
        let goes_on = mapping.rows == Axis::K && vectors.lane().continues() && s.row_folds() > 1;
        if s.dataflow().hold() == Hold::Result || !(goes_on || vectors.has_c()) {
            return None;
        }
        let (cols, times) = (s.run().extent(mapping.cols), s.stream_len());
        let places = (0..times).flat_map(|time| (0..cols).map(move |col| (time, col)));
        let first: Vec<S> = places.map(|(time, col)| vectors.start(mapping.mkn(0, col, time))).collect();
        let later = if goes_on { first.clone() } else { Vec::new() };
        let planes = core::iter::once(first).chain((1..s.row_folds()).map(|_| later.clone())).collect();
        let mut starts = Self { planes, cols: len_usize(cols) };
        for fold in
            (0..s.folds()).map(|index| s.fold(index)).filter(|fold| goes_on && fold.row_fold + 1 < s.row_folds())
        {
            starts.go_on(&fold, vectors, times);
        }
        Some(starts)
    }

    /// Computes the starts of the fold that continues the sums of `fold`.
    fn go_on<L: Lane<Sum = S>>(&mut self, fold: &Fold, vectors: &Vectors<L>, times: u64) {
        let (lane, row_fold) = (vectors.lane(), len_usize(fold.row_fold));
        for time in 0..times {
            let x = vectors.west_vector(fold, time);
            for col in 0..fold.mapped.cols as usize {
                let place = self.place(fold, time, col);
                let sum = (0..).zip(x).fold(self.planes[row_fold][place], |sum, (k, &x)| {
                    lane.mac(sum, x, vectors.north_vector(fold, Hold::Operand, k)[col])
                });
                self.planes[row_fold + 1][place] = lane.closed(sum);
            }
        }
    }

    fn place(&self, fold: &Fold, time: u64, col: usize) -> usize {
        len_usize(time) * self.cols + len_usize(fold.col_origin) + col
    }

    /// Start of the sum of a column of a fold, for an index along time.
    pub(super) fn at(&self, fold: &Fold, time: u64, col: usize) -> S {
        self.planes[len_usize(fold.row_fold)].get(self.place(fold, time, col)).copied().unwrap_or_default()
    }
}
