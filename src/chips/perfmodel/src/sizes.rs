//! M, K and N: the sizes that determine the time and the traffic of a matmul.

/// Sizes of a matmul C (M×N) = A (M×K) · B (K×N), without limits.
///
/// `systolic::Gemm` is the type for matmuls that a simulated array runs, and checks the limits of the sizes.
/// `workload::Product` adds the name of a matmul in a model and the number of its runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GemmSizes {
    /// Rows of A and C.
    pub m: u64,
    /// Columns of A, rows of B.
    pub k: u64,
    /// Columns of B and C.
    pub n: u64,
}

impl GemmSizes {
    /// Useful work in FLOP: `2 · M · K · N`.
    pub fn flops(&self) -> f64 {
        2.0 * self.m as f64 * self.k as f64 * self.n as f64
    }

    /// The three sizes in the order M, K, N.
    pub const fn mkn(self) -> [u64; 3] {
        [self.m, self.k, self.n]
    }

    /// Tile efficiency of a weight-stationary array: `K ÷ (⌈K/R⌉ · R) · N ÷ (⌈N/C⌉ · C)`, from 0 to 1.
    ///
    /// In such an array, M needs no padding, but the array has to fill and drain.
    pub fn eta_tile(&self, rows: u32, cols: u32) -> f64 {
        let share = |extent: u64, side: u32| extent as f64 / up(extent, side.into());
        share(self.k, rows) * share(self.n, cols)
    }
}

/// Rounds `extent` up to a multiple of `of`.
pub(crate) fn up(extent: u64, of: u64) -> f64 {
    extent.div_ceil(of) as f64 * of as f64
}

#[cfg(test)]
mod tests {
    use super::GemmSizes;

    #[test]
    fn the_sides_of_a_product_come_in_the_order_m_k_n() {
        let sizes = GemmSizes { m: 2, k: 3, n: 5 };
        assert_eq!((sizes.mkn(), sizes.flops()), ([2, 3, 5], 60.0));
    }
}
