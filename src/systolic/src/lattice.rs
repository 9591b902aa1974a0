//! Counting PEs by their distance from the corner, in constant time.
//!
//! The wave reaches PE (i,j) i + j cycles after the corner, so every count of PEs in a phase is a count of points of an
//! r×c lattice below an anti-diagonal.

use crate::Block;

const fn triangle(x: i64) -> i64 {
    if x <= 0 { 0 } else { x * (x + 1) / 2 }
}

const fn tetrahedron(x: i64) -> i64 {
    if x <= 0 { 0 } else { x * (x + 1) * (x + 2) / 6 }
}

fn sides(block: Block) -> (i64, i64) {
    (i64::from(block.rows), i64::from(block.cols))
}

#[expect(clippy::cast_sign_loss, reason = "a count of PEs times cycles is not negative")]
const fn count(value: i64) -> u64 {
    value as u64
}

/// A number of cycles that may be counted below zero; runs are far shorter than 2^63 cycles.
pub(crate) fn signed(cycles: u64) -> i64 {
    i64::try_from(cycles).unwrap_or(i64::MAX)
}

/// Number of PEs of the block with i + j < `d`.
pub(crate) fn reached(block: Block, d: i64) -> u64 {
    let (r, c) = sides(block);
    let d = d.min(r + c);
    count(triangle(d) - triangle(d - r) - triangle(d - c) + triangle(d - r - c))
}

/// Sum over the PEs of max(0, d − i − j): PE-cycles since the wave reached each PE.
pub(crate) fn since_reached(block: Block, d: i64) -> u64 {
    let (r, c) = sides(block);
    let near = d.min(r + c);
    let base = tetrahedron(near) - tetrahedron(near - r) - tetrahedron(near - c) + tetrahedron(near - r - c);
    count(base + (d - near).max(0) * r * c)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn counts_equal_a_walk_over_the_pes() {
        for (rows, cols) in [(0, 3), (3, 0), (1, 1), (1, 6), (5, 2), (4, 4), (7, 3)] {
            let block = Block { rows, cols };
            let pes = || (0..rows).flat_map(|i| (0..cols).map(move |j| u64::from(i + j)));
            for d in 0..25u64 {
                let near = pes().filter(|&hop| hop < d).count() as u64;
                assert_eq!(reached(block, i64::try_from(d).expect("small")), near, "{block:?} d={d}");
                let area = pes().map(|hop| d.saturating_sub(hop)).sum::<u64>();
                assert_eq!(since_reached(block, i64::try_from(d).expect("small")), area, "{block:?} d={d}");
            }
        }
    }
}
