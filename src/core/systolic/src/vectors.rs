//! Operands encoded once, in the order in which the edges of the array take them in.
//!
//! The west edge takes in one vector, with an element per row, for each index of the time axis. The north edge takes in
//! one vector, with an element per column, for each stationary row (WS, IS) or time index (OS). Each vector is
//! contiguous in memory.

use core::ops::Range;
use std::sync::Arc;

use crate::{Fold, Hold, Lane, Matrix, Mkn, Operand, Operands, Schedule};

/// Vectors for one edge, one vector per line. Each vector runs along the axis that is mapped to the rows (west edge) or
/// to the columns (north edge).
#[derive(Clone, Debug)]
struct Lines<T> {
    first_line: u64,
    first_place: u64,
    places: usize,
    values: Arc<Vec<T>>,
}

/// Operands in the order in which the array takes them in, and the matrix c. The operands are all of A and B, or the
/// parts that one fold needs. Clones share the operands.
#[derive(Clone, Debug)]
pub struct Vectors<L: Lane> {
    lane: L,
    west: Lines<L::Operand>,
    north: Lines<L::Operand>,
    c: Option<Matrix>,
}

#[expect(clippy::cast_possible_truncation, reason = "a vector in memory is shorter than the address space")]
const fn places(range: &Range<u64>) -> usize {
    (range.end - range.start) as usize
}

impl<T: Copy> Lines<T> {
    fn new(lines: Range<u64>, along: Range<u64>, mut at: impl FnMut(u64, u64) -> T) -> Self {
        let mut values = Vec::with_capacity(places(&lines) * places(&along));
        for line in lines.clone() {
            values.extend(along.clone().map(|place| at(line, place)));
        }
        Self { first_line: lines.start, first_place: along.start, places: places(&along), values: Arc::new(values) }
    }

    #[inline]
    fn get(&self, line: u64, along: Range<u64>) -> &[T] {
        let start = places(&(self.first_line..line)) * self.places + places(&(self.first_place..along.start));
        &self.values[start..start + places(&along)]
    }
}

impl<L: Lane> Vectors<L> {
    /// All of A and B, zeros of padding included: M·K + K·N operands.
    #[must_use]
    pub fn new(lane: L, schedule: &Schedule, operands: &Operands) -> Self {
        let (run, mapping) = (schedule.run(), schedule.mapping());
        let (rows, cols) = (0..run.extent(mapping.rows), 0..run.extent(mapping.cols));
        Self::part(lane, schedule, operands, 0..run.extent(mapping.time), rows, cols)
    }

    /// The part of A and B that one fold needs for a range of time indices.
    pub(crate) fn of_fold(lane: L, schedule: &Schedule, operands: &Operands, fold: &Fold, time: Range<u64>) -> Self {
        let rows = fold.row_origin..fold.row_origin + u64::from(fold.mapped.rows);
        let cols = fold.col_origin..fold.col_origin + u64::from(fold.mapped.cols);
        Self::part(lane, schedule, operands, time, rows, cols)
    }

    fn part(
        lane: L,
        schedule: &Schedule,
        operands: &Operands,
        time: Range<u64>,
        rows: Range<u64>,
        cols: Range<u64>,
    ) -> Self {
        let (mapping, dataflow) = (schedule.mapping(), schedule.dataflow());
        let encoded = |operand: Operand, mkn: Mkn| lane.encode(operands.at(operand, mkn.of(operand)));
        let west = |time: u64, row: u64| encoded(dataflow.from_west(), mapping.mkn(schedule.row_index(row), 0, time));
        let north = |line: u64, col: u64| match dataflow.hold() {
            Hold::Operand => encoded(dataflow.stationary(), mapping.mkn(schedule.row_index(line), col, 0)),
            Hold::Result => encoded(Operand::B, mapping.mkn(0, col, line)),
        };
        let north_lines = match dataflow.hold() {
            Hold::Operand => rows.clone(),
            Hold::Result => time.clone(),
        };
        let (west, north) = (Lines::new(time, rows, west), Lines::new(north_lines, cols, north));
        Self { lane, west, north, c: operands.c.clone() }
    }

    /// True if sums start from a matrix c.
    pub(crate) const fn has_c(&self) -> bool {
        self.c.is_some()
    }

    /// Start of the sum to which a multiply-accumulate belongs: the element of c, or zero without a matrix c.
    #[inline(never)]
    pub(crate) fn start(&self, at: Mkn) -> L::Sum {
        self.c.as_ref().map_or_else(L::Sum::default, |c| self.lane.start(c.at(at.m, at.n)))
    }

    pub(crate) const fn lane(&self) -> L {
        self.lane
    }

    /// Vector that the rows of a fold take in from the west for index `time` of the time axis.
    #[inline]
    pub(crate) fn west_vector(&self, fold: &Fold, time: u64) -> &[L::Operand] {
        self.west.get(time, fold.row_origin..fold.row_origin + u64::from(fold.mapped.rows))
    }

    /// Vector that the columns of a fold take in from the north. `line` is a row of the stationary operand, counted
    /// within the fold (WS, IS), or an index of the time axis (OS).
    #[inline]
    pub(crate) fn north_vector(&self, fold: &Fold, hold: Hold, line: u64) -> &[L::Operand] {
        let line = match hold {
            Hold::Operand => fold.row_origin + line,
            Hold::Result => line,
        };
        self.north.get(line, fold.col_origin..fold.col_origin + u64::from(fold.mapped.cols))
    }
}
