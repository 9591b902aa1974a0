//! Registers of the stationary operand, and shadow registers that load the stationary operand of the next fold.

use super::bits::BitRow;
use super::ring::RowRing;
use super::skew::SkewedRow;

/// The stationary operand of every PE.
#[derive(Clone, Debug)]
pub(super) struct HeldOperands<T: Copy + Default> {
    held: RowRing<T>,
    shadow: Option<Shadow<T>>,
    rows: usize,
}

/// Shadow registers: one chain down each column. A shift moves only the operands of the new fold.
#[derive(Clone, Debug)]
struct Shadow<T: Copy + Default> {
    plane: RowRing<T>,
    /// Registers that rows of the new fold's stationary operand have reached.
    is_new: Vec<BitRow>,
}

impl<T: Copy + Default> HeldOperands<T> {
    pub(super) fn new(rows: usize, cols: usize, has_shadow: bool) -> Self {
        let shadow =
            has_shadow.then(|| Shadow { plane: RowRing::new(rows, cols), is_new: vec![BitRow::new(cols); rows] });
        Self { held: RowRing::new(rows, cols), shadow, rows }
    }

    /// Advances all chains of registers by one clock edge. A column shifts if it receives a vector. A column clears its
    /// `is_new` bits if a fold begins in the column.
    pub(super) fn shift_in(&mut self, north: &SkewedRow<T>) {
        let cols = &north.is_vector;
        match &mut self.shadow {
            None if cols.is_full() => self.held.shift_south(&north.values, north.valid),
            None => {
                for row in (1..self.rows).rev() {
                    self.held.take_from_north(row, cols);
                }
                self.held.put(0, &north.values, &north.valid, cols);
            }
            Some(Shadow { plane, is_new }) => {
                for bits in is_new.iter_mut() {
                    *bits = bits.and_not(&north.is_first);
                }
                for row in (1..self.rows).rev() {
                    let shifting = cols.and(&is_new[row - 1]);
                    if !shifting.is_empty() {
                        plane.take_from_north(row, &shifting);
                        is_new[row] = is_new[row].or(&shifting);
                    }
                }
                plane.put(0, &north.values, &north.valid, cols);
                is_new[0] = is_new[0].or(cols);
            }
        }
    }

    /// Copies some columns of a row from the shadow registers to the held registers.
    pub(super) fn swap(&mut self, row: usize, cols: &BitRow) {
        if let Some(shadow) = &self.shadow
            && !cols.is_empty()
        {
            self.held.put(row, shadow.plane.row(row), shadow.plane.valid(row), cols);
        }
    }

    pub(super) fn row(&self, row: usize) -> &[T] {
        self.held.row(row)
    }

    pub(super) fn valid(&self, row: usize) -> &BitRow {
        self.held.valid(row)
    }

    /// True if every PE holds an operand.
    pub(super) fn all_full(&self) -> bool {
        self.held.all_full()
    }

    /// Held operands of all rows in order, in two parts like [`RowRing::parts`].
    pub(super) fn parts(&self) -> (&[T], &[T]) {
        self.held.parts()
    }

    pub(super) fn get(&self, row: usize, col: usize) -> Option<T> {
        self.held.get(row, col)
    }

    pub(super) fn shadow(&self, row: usize, col: usize) -> Option<T> {
        self.shadow.as_ref().and_then(|shadow| shadow.plane.get(row, col))
    }
}
