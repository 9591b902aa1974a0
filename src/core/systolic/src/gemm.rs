//! The problem: C = A · B with A of M×K and B of K×N elements.

use crate::{Macs, RangeError};

/// One matrix multiplication (GEMM), C = A · B. Every dimension is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gemm {
    m: u64,
    k: u64,
    n: u64,
}

impl Gemm {
    /// Largest value of M, K or N.
    pub const DIM_MAX: u64 = 1 << 31;

    /// Returns the multiplication of an M×K by a K×N matrix.
    ///
    /// # Errors
    /// [`RangeError`] if a dimension is 0 or above [`Gemm::DIM_MAX`].
    pub fn new(m: u64, k: u64, n: u64) -> Result<Self, RangeError> {
        for (name, given) in [("m", m), ("k", k), ("n", n)] {
            RangeError::check(name, given, 1, Self::DIM_MAX)?;
        }
        Ok(Self { m, k, n })
    }

    /// Rows of A and C.
    #[must_use]
    pub const fn m(self) -> u64 {
        self.m
    }

    /// Columns of A, rows of B: the length of each dot product.
    #[must_use]
    pub const fn k(self) -> u64 {
        self.k
    }

    /// Columns of B and C.
    #[must_use]
    pub const fn n(self) -> u64 {
        self.n
    }

    /// Multiply-accumulates that the GEMM needs, M·K·N; saturates at `u64::MAX`.
    #[must_use]
    pub const fn macs(self) -> Macs {
        Macs(self.m.saturating_mul(self.k).saturating_mul(self.n))
    }

    /// Extent of the GEMM along one axis.
    #[must_use]
    pub const fn extent(self, axis: crate::Axis) -> u64 {
        match axis {
            crate::Axis::M => self.m,
            crate::Axis::K => self.k,
            crate::Axis::N => self.n,
        }
    }
}
