//! Planes of registers that shift without moving their contents.

/// A plane whose rows all shift east together: each row is a window into a mirrored strip.
#[derive(Clone, Debug)]
pub(super) struct ShiftRing<T> {
    strip: Vec<T>,
    stride: usize,
    cols: usize,
    head: usize,
}

impl<T: Copy + Default> ShiftRing<T> {
    pub(super) fn new(rows: usize, cols: usize) -> Self {
        // An odd multiple of a small block keeps the rows from falling on the same cache lines.
        let stride = 2 * cols + 24;
        Self { strip: vec![T::default(); rows * stride], stride, cols, head: stride - cols }
    }

    /// Moves every row one place east; the first place of each row is then to be set.
    pub(super) fn shift_east(&mut self) {
        if self.head == 0 {
            let start = self.stride - self.cols;
            for row in self.strip.chunks_exact_mut(self.stride) {
                row.copy_within(0..self.cols, start);
            }
            self.head = start;
        }
        self.head -= 1;
    }

    pub(super) fn set_first(&mut self, row: usize, value: T) {
        self.strip[row * self.stride + self.head] = value;
    }

    pub(super) fn row(&self, row: usize) -> &[T] {
        &self.strip[row * self.stride + self.head..][..self.cols]
    }
}

/// A plane whose rows shift south together: only the number of the first row changes.
#[derive(Clone, Debug)]
pub(super) struct RowRing<T> {
    plane: Vec<T>,
    rows: usize,
    cols: usize,
    head: usize,
}

impl<T: Copy + Default> RowRing<T> {
    pub(super) fn new(rows: usize, cols: usize) -> Self {
        Self { plane: vec![T::default(); rows * cols], rows, cols, head: 0 }
    }

    /// Moves every row one place south and gives the north row, which is then to be written.
    pub(super) fn shift_south(&mut self) -> &mut [T] {
        self.head = (self.head + self.rows - 1) % self.rows;
        let start = self.head * self.cols;
        &mut self.plane[start..start + self.cols]
    }

    pub(super) fn row(&self, row: usize) -> &[T] {
        let start = (self.head + row) % self.rows * self.cols;
        &self.plane[start..start + self.cols]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_ring_keeps_the_last_values_of_each_row() {
        let mut ring = ShiftRing::new(2, 3);
        for step in 0..200 {
            ring.shift_east();
            ring.set_first(0, step);
            ring.set_first(1, 1000 + step);
            if step >= 2 {
                assert_eq!(ring.row(0), [step, step - 1, step - 2]);
                assert_eq!(ring.row(1), [1000 + step, 999 + step, 998 + step]);
            }
        }
    }

    #[test]
    fn a_row_ring_moves_rows_south() {
        let mut ring = RowRing::new(3, 1);
        for step in 0..5 {
            ring.shift_south()[0] = step;
        }
        assert_eq!([ring.row(0)[0], ring.row(1)[0], ring.row(2)[0]], [4, 3, 2]);
    }
}
