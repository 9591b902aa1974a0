//! Symmetric positive definite matrices, as far as the regression needs them.

/// A symmetric matrix.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Symmetric {
    rows: Vec<Vec<f64>>,
}

impl Symmetric {
    /// Returns the matrix with these numbers on its diagonal and zeros elsewhere.
    pub(super) fn diagonal(numbers: impl Iterator<Item = f64>) -> Self {
        let numbers: Vec<f64> = numbers.collect();
        let row = |at: usize, number: f64| (0..numbers.len()).map(|col| if col == at { number } else { 0.0 }).collect();
        Self { rows: numbers.iter().enumerate().map(|(at, number)| row(at, *number)).collect() }
    }

    fn at(&self, row: usize, col: usize) -> f64 {
        self.rows.get(row).and_then(|row| row.get(col)).copied().unwrap_or_default()
    }

    /// Adds `weight · x · xᵀ` for a sparse vector `x`.
    pub(super) fn add_square(&mut self, x: &[(usize, f64)], weight: f64) {
        for (row, one) in x {
            for (col, other) in x {
                if let Some(cell) = self.rows.get_mut(*row).and_then(|row| row.get_mut(*col)) {
                    *cell += weight * one * other;
                }
            }
        }
    }

    /// Returns `xᵀ · self · x` for a sparse vector `x`.
    pub(super) fn square(&self, x: &[(usize, f64)]) -> f64 {
        x.iter().map(|(row, one)| x.iter().map(|(col, other)| one * other * self.at(*row, *col)).sum::<f64>()).sum()
    }

    /// Returns `self · x` for a sparse vector `x`.
    pub(super) fn column(&self, x: &[(usize, f64)]) -> Vec<f64> {
        (0..self.rows.len()).map(|row| x.iter().map(|(col, factor)| factor * self.at(row, *col)).sum()).collect()
    }

    /// Returns `self · x`.
    pub(super) fn times(&self, x: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| row.iter().zip(x).map(|(cell, factor)| cell * factor).sum()).collect()
    }

    /// Subtracts `x · xᵀ ÷ by`.
    pub(super) fn subtract_outer(&mut self, x: &[f64], by: f64) {
        for (row, one) in self.rows.iter_mut().zip(x) {
            for (cell, other) in row.iter_mut().zip(x) {
                *cell -= one * other / by;
            }
        }
    }

    /// Inserts a row and a column of zeros, with a number on the diagonal.
    pub(super) fn insert(&mut self, place: usize, number: f64) {
        for row in &mut self.rows {
            row.insert(place, 0.0);
        }
        let mut row = vec![0.0; self.rows.len() + 1];
        if let Some(cell) = row.get_mut(place) {
            *cell = number;
        }
        self.rows.insert(place, row);
    }

    /// Returns the inverse, by Gauss–Jordan elimination in place. A positive definite matrix needs no exchange of rows.
    pub(super) fn inverse(&self) -> Self {
        let mut rows = self.rows.clone();
        for pivot in 0..rows.len() {
            let Some(mut own) = rows.get(pivot).cloned() else { break };
            let by = own.get_mut(pivot).map_or(1.0, |cell| std::mem::replace(cell, 1.0));
            own.iter_mut().for_each(|cell| *cell /= by);
            for (at, row) in rows.iter_mut().enumerate() {
                if at == pivot {
                    row.clone_from(&own);
                    continue;
                }
                let factor = row.get_mut(pivot).map(std::mem::take).unwrap_or_default();
                for (cell, of) in row.iter_mut().zip(&own) {
                    *cell -= factor * of;
                }
            }
        }
        Self { rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_times_the_matrix_is_the_identity() {
        let mut matrix = Symmetric::diagonal([2.0, 3.0, 5.0, 7.0].into_iter());
        matrix.add_square(&[(0, 1.0), (2, -2.0), (3, 0.5)], 0.7);
        matrix.add_square(&[(1, 1.0), (2, 1.5)], 1.3);
        let inverse = matrix.inverse();
        for row in 0..4 {
            let product = matrix.times(&inverse.column(&[(row, 1.0)]));
            for (col, found) in product.iter().enumerate() {
                assert!((found - f64::from(u8::from(row == col))).abs() < 1e-12, "{row} {col}: {found}");
            }
        }
    }
}
