//! Cycles of a matmul on the arrays of a chip.
//!
//! A matmul of M × K × N consists of tiles of K × N: R rows and C columns of weights that one array holds. Each array
//! gets an equal number of tiles and multiplies all rows of A by each tile. If the chip has fewer tiles than arrays, or
//! if the tiles divide unevenly, several arrays can share a tile, each with a part of the rows of A. The shortest time
//! counts.
//!
//! An array is weight-stationary and double-buffered, with diagonal loading. Its cycles are those of
//! `systolic::Schedule`, but for the first load: measured times of one tile contain no load, so the load is hidden. A
//! test compares the cycles and their classes with the schedule. If the dataflow of a chip is not published, no array
//! waits for weights.

use crate::GemmSizes;

/// The arrays of a chip or of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrays {
    /// Rows of an array.
    pub rows: u32,
    /// Columns of an array.
    pub cols: u32,
    /// Number of arrays.
    pub units: u64,
    /// True if an array waits for the weights of its next fold while they load.
    pub waits_for_weights: bool,
}

/// Work of the busiest array of a chip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dealing {
    /// The arrays.
    pub arrays: Arrays,
    /// Number of tiles of B, the K × N matrix.
    pub tiles: f64,
    /// Number of arrays that share a tile. Each of them gets an equal part of the rows of A.
    pub sharing: u64,
    /// Rows of A that stream through the busiest array in each fold.
    pub streamed: f64,
    /// Folds of the busiest array, all passes included.
    pub folds: f64,
}

impl Dealing {
    /// The dealing with the fewest cycles, for a matmul in `passes` passes.
    pub fn new(product: GemmSizes, arrays: Arrays, passes: u32) -> Self {
        let mut shortest = Self::shared(product, arrays, passes, 1);
        let units = arrays.units;
        let mut sharing = 1;
        while sharing < units {
            // This is the largest number of arrays that can share a tile in the next smaller number of groups.
            sharing = units / (units / (sharing + 1));
            let one = Self::shared(product, arrays, passes, sharing);
            if one.cycles() < shortest.cycles() {
                shortest = one;
            }
        }
        shortest
    }

    /// The dealing in which `sharing` arrays share each tile.
    pub fn shared(GemmSizes { m, k, n }: GemmSizes, arrays: Arrays, passes: u32, sharing: u64) -> Self {
        let Arrays { rows, cols, units, .. } = arrays;
        let tiles = k.div_ceil(rows.into()).max(1) as f64 * n.div_ceil(cols.into()).max(1) as f64;
        let groups = (units / sharing).max(1) as f64;
        let streamed = m.div_ceil(sharing).max(1) as f64;
        let folds = (tiles / groups).ceil() * f64::from(passes);
        Self { arrays, tiles, sharing, streamed, folds }
    }

    /// Cycles in which rows of A enter the busiest array. Padding of K and N is included.
    pub fn streaming(&self) -> f64 {
        self.folds * self.streamed
    }

    /// Cycles in which the busiest array waits for the weights of the next fold. An array waits if a fold has fewer
    /// rows of A than the array has rows.
    pub fn loading(&self) -> f64 {
        if !self.arrays.waits_for_weights {
            return 0.0;
        }
        (self.folds - 1.0) * (f64::from(self.arrays.rows) - self.streamed).max(0.0)
    }

    /// Cycles in which the wave fills and drains the array.
    pub fn fill_and_drain(&self) -> f64 {
        f64::from(self.arrays.rows) + f64::from(self.arrays.cols) - 2.0
    }

    /// Cycles of the busiest array, without the first load.
    pub fn cycles(&self) -> f64 {
        self.streaming() + self.loading() + self.fill_and_drain()
    }

    /// FLOP of one pass with K and N padded to whole tiles.
    pub(super) fn padded_flops(&self, m: u64) -> f64 {
        2.0 * m as f64 * self.tiles * self.pes()
    }

    /// FLOP of all passes if every array streamed as many rows of A as the busiest one.
    pub(super) fn busiest_flops(&self) -> f64 {
        2.0 * self.streaming() * self.pes() * self.arrays.units as f64
    }

    fn pes(&self) -> f64 {
        f64::from(self.arrays.rows) * f64::from(self.arrays.cols)
    }
}
