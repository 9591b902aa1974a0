//! Planes of registers whose contents shift without being moved in memory.

use std::collections::VecDeque;

use super::bits::BitRow;
use super::plane::Plane;

/// A plane whose rows all shift east together.
///
/// A shift changes only the position of the first register in memory. When a row's last element leaves in the east, the
/// next row's new element overwrites that element.
#[derive(Clone, Debug)]
pub(super) struct ShiftPlane<T: Copy + Default> {
    strip: Plane<T>,
    rows: usize,
    cols: usize,
    head: usize,
}

/// Number of spare elements in a strip. After this number of shifts, the contents are moved back to the end of the
/// strip.
const SLACK: usize = 1024;

impl<T: Copy + Default> ShiftPlane<T> {
    pub(super) fn new(rows: usize, cols: usize) -> Self {
        Self { strip: Plane::new(rows * cols + SLACK), rows, cols, head: SLACK }
    }

    /// Moves every row one register east. The caller then sets the first register of each row.
    pub(super) fn shift_east(&mut self) {
        if self.head == 0 {
            self.strip.copy_within(0..self.rows * self.cols, SLACK);
            self.head = SLACK;
        }
        self.head -= 1;
    }

    /// Sets the first register of each row.
    pub(super) fn set_first(&mut self, values: impl Iterator<Item = T>) {
        for (first, value) in self.strip[self.head..].iter_mut().step_by(self.cols).zip(values) {
            *first = value;
        }
    }

    #[inline]
    pub(super) fn row(&self, row: usize) -> &[T] {
        &self.strip[self.head + row * self.cols..][..self.cols]
    }

    /// All rows, one after the other.
    pub(super) fn all(&self) -> &[T] {
        &self.strip[self.head..][..self.rows * self.cols]
    }
}

/// Skew registers in front of a plane, with a separate number of registers for each row.
///
/// The latest vectors are stored one after another. Each row reads the vector that has passed all skew registers of the
/// row.
#[derive(Clone, Debug)]
pub(super) struct Delays<T: Copy + Default> {
    taken: Plane<T>,
    /// Index at which the newest vector begins.
    newest: usize,
    /// Distance, for each row, from `newest` to the element that leaves the row's last register. The distance wraps
    /// around at the end of memory.
    ahead: Vec<usize>,
}

impl<T: Copy + Default> Delays<T> {
    pub(super) fn new(delays: &[usize]) -> Self {
        let rows = delays.len();
        let total = (delays.iter().copied().fold(0, usize::max) + 1) * rows;
        let ahead = delays.iter().enumerate().map(|(row, &delay)| (total - delay * rows + row) % total).collect();
        Self { taken: Plane::new(total), newest: 0, ahead }
    }

    /// Takes in a vector, which may have fewer elements than the plane has rows. The missing elements then have
    /// arbitrary values.
    pub(super) fn push(&mut self, values: &[T]) {
        self.newest += self.ahead.len();
        if self.newest == self.taken.len() {
            self.newest = 0;
        }
        self.taken[self.newest..][..values.len()].copy_from_slice(values);
    }

    /// Elements that leave the last skew register of each row.
    pub(super) fn out(&self) -> impl Iterator<Item = T> {
        let taken = &self.taken[..];
        let (total, newest) = (taken.len(), self.newest);
        self.ahead.iter().map(move |&ahead| {
            let place = newest + ahead;
            taken[if place < total { place } else { place - total }]
        })
    }
}

/// Valid bits of a plane and of the skew registers in front of it.
///
/// All rows take their bits at the same clock edges, and the valid elements of a vector come first. The shift registers
/// are therefore stored as runs: a number of valid rows, and the number of consecutive clock edges with this number.
#[derive(Clone, Debug)]
pub(super) struct BitRing {
    /// Runs of (valid rows, clock edges), the newest first.
    runs: VecDeque<(usize, usize)>,
    longest: usize,
    cols: usize,
    delays: Vec<usize>,
}

/// State of a whole row of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// Row with no bit set.
    Empty,
    /// Row with every bit set.
    Full,
    /// Row that may have set and clear bits.
    Mixed,
}

impl BitRing {
    pub(super) fn new(delays: &[usize], cols: usize) -> Self {
        let longest = delays.iter().copied().fold(0, usize::max) + cols;
        Self { runs: VecDeque::from([(0, longest)]), longest, cols, delays: delays.to_vec() }
    }

    /// Moves every row one register east and sets the first register of the first `n_valid` rows.
    pub(super) fn shift_in(&mut self, n_valid: usize) {
        match self.runs.front_mut() {
            // The length does not exceed the longest row, because rows read no bits beyond it.
            Some((same, length)) if *same == n_valid => *length = (*length + 1).min(self.longest),
            _ => self.runs.push_front((n_valid, 1)),
        }
        let mut seen = 0;
        let n_seen = self.runs.iter().take_while(|(_, length)| {
            let wanted = seen < self.longest;
            seen += length;
            wanted
        });
        let n_seen = n_seen.count();
        self.runs.truncate(n_seen);
    }

    /// True if every bit of every row is set.
    pub(super) fn is_full(&self) -> bool {
        self.runs.front() == Some(&(self.delays.len(), self.longest))
    }

    /// True if no bit of any row is set.
    pub(super) fn is_empty(&self) -> bool {
        self.runs.front() == Some(&(0, self.longest))
    }

    /// State of a row's bits inside the array.
    pub(super) fn run(&self, row: usize) -> Run {
        match self.runs.front() {
            Some(&(n_valid, length)) if length >= self.delays[row] + self.cols => {
                if row < n_valid {
                    Run::Full
                } else {
                    Run::Empty
                }
            }
            _ => Run::Mixed,
        }
    }

    /// Bits of a row inside the array, behind its skew registers.
    pub(super) fn row(&self, row: usize) -> BitRow {
        let mut bits = BitRow::new(self.cols);
        let (first, end) = (self.delays[row], self.delays[row] + self.cols);
        let mut at = 0;
        for &(n_valid, length) in &self.runs {
            let run = at.max(first)..(at + length).min(end);
            if row < n_valid && run.start < run.end {
                bits = bits
                    .or(&BitRow::first(self.cols, run.end - first)
                        .and_not(&BitRow::first(self.cols, run.start - first)));
            }
            at += length;
            if at >= end {
                break;
            }
        }
        bits
    }
}

/// A plane of registers with valid bits, whose rows can shift south together. A shift only changes the index of the
/// first row.
#[derive(Clone, Debug)]
pub(super) struct RowRing<T: Copy + Default> {
    plane: Plane<T>,
    valid: Vec<BitRow>,
    /// True for each row whose registers are all valid. `n_full` is the number of these rows.
    full: Vec<bool>,
    n_full: usize,
    cols: usize,
    head: usize,
}

impl<T: Copy + Default> RowRing<T> {
    pub(super) fn new(rows: usize, cols: usize) -> Self {
        let valid = vec![BitRow::new(cols); rows];
        Self { plane: Plane::new(rows * cols), valid, full: vec![false; rows], n_full: 0, cols, head: 0 }
    }

    fn place(&self, row: usize) -> usize {
        let place = self.head + row;
        if place < self.valid.len() { place } else { place - self.valid.len() }
    }

    /// Moves every row one register south and puts a new row in the north.
    pub(super) fn shift_south(&mut self, values: &[T], valid: BitRow) {
        self.head = if self.head == 0 { self.valid.len() - 1 } else { self.head - 1 };
        self.row_mut(0)[..values.len()].copy_from_slice(values);
        self.set_valid(0, valid);
    }

    /// Copies the columns `cols` of `values` and `valid` to a row of this plane.
    pub(super) fn put(&mut self, row: usize, values: &[T], valid: &BitRow, cols: &BitRow) {
        for run in cols.runs() {
            self.row_mut(row)[run.clone()].copy_from_slice(&values[run]);
        }
        self.set_valid(row, self.valid(row).and_not(cols).or(&valid.and(cols)));
    }

    /// Copies the columns `cols` of a row's northern neighbor to the row.
    pub(super) fn take_from_north(&mut self, row: usize, cols: &BitRow) {
        let (from, to) = (self.place(row - 1) * self.cols, self.place(row) * self.cols);
        for run in cols.runs() {
            self.plane.copy_within(from + run.start..from + run.end, to + run.start);
        }
        self.set_valid(row, self.valid(row).and_not(cols).or(&self.valid(row - 1).and(cols)));
    }

    pub(super) fn row(&self, row: usize) -> &[T] {
        &self.plane[self.place(row) * self.cols..][..self.cols]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [T] {
        let start = self.place(row) * self.cols;
        &mut self.plane[start..start + self.cols]
    }

    /// All rows in order, in two parts: the rows up to the end of the memory, then the rows from the start of the
    /// memory.
    pub(super) fn parts(&self) -> (&[T], &[T]) {
        let (late, early) = self.plane.split_at(self.head * self.cols);
        (early, late)
    }

    /// All rows in two mutable parts, like [`parts`](Self::parts).
    pub(super) fn parts_mut(&mut self) -> (&mut [T], &mut [T]) {
        let (late, early) = self.plane.split_at_mut(self.head * self.cols);
        (early, late)
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.valid.len()
    }

    pub(super) fn valid(&self, row: usize) -> &BitRow {
        &self.valid[self.place(row)]
    }

    pub(super) fn set_valid(&mut self, row: usize, valid: BitRow) {
        let place = self.place(row);
        let is_full = valid.is_full();
        self.n_full = self.n_full + usize::from(is_full) - usize::from(self.full[place]);
        self.full[place] = is_full;
        self.valid[place] = valid;
    }

    /// True if every register of every row is valid.
    pub(super) fn all_full(&self) -> bool {
        self.n_full == self.full.len()
    }

    /// Content of one register; `None` if the register is empty.
    pub(super) fn get(&self, row: usize, col: usize) -> Option<T> {
        self.valid(row).get(col).then(|| self.row(row)[col])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_keeps_the_last_values_of_each_row_behind_its_delay() {
        let (mut skew, mut plane) = (Delays::new(&[0, 2]), ShiftPlane::new(2, 3));
        let mut bits = BitRing::new(&[0, 2], 3);
        for step in 0..3000 {
            skew.push(&[step, 10_000 + step]);
            plane.shift_east();
            plane.set_first(skew.out());
            bits.shift_in(if step % 7 < 6 { 1 + step / 10 % 2 } else { 0 });
            if step >= 4 {
                assert_eq!(plane.row(0), [step, step - 1, step - 2]);
                assert_eq!(plane.row(1), [9998 + step, 9997 + step, 9996 + step]);
                for col in 0..3 {
                    assert_eq!(bits.row(0).get(col), (step - col) % 7 < 6);
                    let then = step - 2 - col;
                    assert_eq!(bits.row(1).get(col), then % 7 < 6 && then / 10 % 2 == 1);
                }
                let all = (0..3).all(|col| bits.row(1).get(col));
                assert!(bits.run(1) != Run::Full || all, "a run is what it says");
                assert!(!bits.is_full() || all, "full is full");
            }
        }
    }

    #[test]
    fn a_row_ring_moves_rows_south() {
        let mut ring = RowRing::new(3, 1);
        for step in 0..5 {
            ring.shift_south(&[step], BitRow::first(1, 1));
        }
        assert_eq!([ring.get(0, 0), ring.get(1, 0), ring.get(2, 0)], [Some(4), Some(3), Some(2)]);
        ring.take_from_north(2, &BitRow::first(1, 1));
        assert_eq!([ring.get(0, 0), ring.get(1, 0), ring.get(2, 0)], [Some(4), Some(3), Some(3)]);
    }
}
