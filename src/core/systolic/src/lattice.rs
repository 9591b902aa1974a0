//! Counts of PEs by their distance from the corner.
//!
//! The wave takes h cycles from a row to the next, and 1 cycle from a column to the next. So PE (i,j) is h·i + j cycles
//! behind the corner PE. The PEs that the wave has reached are therefore the points of an r×c lattice below a line. For
//! h = 1, the module counts these points in constant time, otherwise row by row.

use crate::Block;

const fn triangle(x: i64) -> i64 {
    if x <= 0 { 0 } else { x * (x + 1) / 2 }
}

const fn tetrahedron(x: i64) -> i64 {
    if x <= 0 { 0 } else { x * (x + 1) * (x + 2) / 6 }
}

#[expect(clippy::cast_sign_loss, reason = "a count of PEs times cycles is not negative")]
const fn count(value: i64) -> u64 {
    value as u64
}

/// Number of cycles as a signed integer. Runs are far shorter than 2^63 cycles.
pub(crate) fn signed(cycles: u64) -> i64 {
    i64::try_from(cycles).unwrap_or(i64::MAX)
}

/// A block of PEs and the cycles from a row to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    rows: i64,
    cols: i64,
    row_hop: i64,
}

impl Lattice {
    pub(crate) fn new(block: Block, row_hop: u64) -> Self {
        Self { rows: block.rows.into(), cols: block.cols.into(), row_hop: signed(row_hop) }
    }

    /// One more than the distance of the farthest PE; 0 for an empty block.
    pub(crate) fn distances(self) -> u64 {
        if self.rows == 0 || self.cols == 0 { 0 } else { count(self.row_hop * (self.rows - 1) + self.cols) }
    }

    /// Number of PEs nearer to the corner than `d`.
    #[inline(never)]
    pub(crate) fn reached(self, d: i64) -> u64 {
        let (r, c) = (self.rows, self.cols);
        if self.row_hop == 1 {
            // Beyond the farthest PE, the count no longer grows.
            let d = d.min(r + c);
            return count(triangle(d) - triangle(d - r) - triangle(d - c));
        }
        let inside = |row: i64| (d - self.row_hop * row).max(0).min(c);
        (0..r).map(|row| count(inside(row))).sum()
    }

    /// Sum over the PEs of max(0, d − distance): PE-cycles since the wave reached each PE.
    #[inline(never)]
    pub(crate) fn since_reached(self, d: i64) -> u64 {
        let (r, c) = (self.rows, self.cols);
        // Beyond the farthest PE, every further cycle counts for all PEs.
        let near = d.min(signed(self.distances()));
        let base = if self.row_hop == 1 {
            tetrahedron(near) - tetrahedron(near - r) - tetrahedron(near - c)
        } else {
            (0..r).map(|row| near - self.row_hop * row).map(|d| triangle(d) - triangle(d - c)).sum()
        };
        count(base + (d - near).max(0) * r * c)
    }

    /// Sum of `each(distance)` over all PEs.
    #[inline(never)]
    pub(crate) fn sum_by_distance(self, each: &dyn Fn(u64) -> u64) -> u64 {
        let (mut sum, mut nearer) = (0, 0);
        for distance in 0..self.distances() {
            let reached = self.reached(signed(distance + 1));
            sum += (reached - nearer) * each(distance);
            nearer = reached;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn counts_equal_a_walk_over_the_pes() {
        for (rows, cols) in [(0, 3), (3, 0), (1, 1), (1, 6), (5, 2), (4, 4), (7, 3)] {
            for row_hop in 1..4 {
                let lattice = Lattice::new(Block { rows, cols }, row_hop);
                let pes = || (0..rows).flat_map(|i| (0..cols).map(move |j| row_hop * u64::from(i) + u64::from(j)));
                for d in 0..40u64 {
                    let near = pes().filter(|&hop| hop < d).count() as u64;
                    assert_eq!(lattice.reached(signed(d)), near, "{lattice:?} d={d}");
                    let area = pes().map(|hop| d.saturating_sub(hop)).sum::<u64>();
                    assert_eq!(lattice.since_reached(signed(d)), area, "{lattice:?} d={d}");
                }
                assert_eq!((lattice.reached(-1), lattice.since_reached(-1)), (0, 0));
                let squares = pes().map(|hop| hop * hop).sum::<u64>();
                assert_eq!(lattice.sum_by_distance(&|distance| distance * distance), squares);
            }
        }
    }
}
