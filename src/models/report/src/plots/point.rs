//! A dot of a plot that has a row for each run.

use display::figure::Citation;
use display::plot::{Axis, Dot, Shape};

/// A dot with its description and its source for the list of dots.
pub(super) struct Point {
    /// Index of the row.
    pub(super) row: usize,
    /// Coordinate along the row.
    pub(super) x: f64,
    pub(super) shape: Shape,
    pub(super) radius: f64,
    /// Name next to the dot; may be empty.
    pub(super) name: String,
    /// Description in the list of dots.
    pub(super) line: String,
    pub(super) citation: Citation,
}

impl Point {
    /// Returns the dot at its place in the plot; `index` counts from zero.
    pub(super) fn dot(&self, index: usize, is_filled: bool) -> Dot {
        Dot {
            at: (self.x, Axis::row(self.row)),
            shape: self.shape,
            radius: self.radius,
            number: index + 1,
            name: self.name.clone(),
            words: self.line.clone(),
            is_filled,
        }
    }
}
