//! Arithmetic intensity of a matmul: FLOP per byte that must move between memory and chip.

use super::StaysOnChip;
use crate::{GemmSizes, PeakDtype};

impl GemmSizes {
    /// Bytes that move between memory and chip if every element moves once. The matrix that stays on the chip does not
    /// move.
    pub fn least_bytes(&self, dtype: PeakDtype, stays: StaysOnChip) -> f64 {
        let bytes = dtype.bytes();
        let (m, k, n) = (self.m as f64, self.k as f64, self.n as f64);
        let crosses = |elements: f64, matrix: StaysOnChip| if stays == matrix { 0.0 } else { elements };
        bytes * (crosses(m * k, StaysOnChip::A) + crosses(k * n, StaysOnChip::B) + crosses(m * n, StaysOnChip::C))
    }

    /// Arithmetic intensity in FLOP per byte; `None` for a matmul that moves nothing.
    pub fn intensity(&self, dtype: PeakDtype, stays: StaysOnChip) -> Option<f64> {
        let bytes = self.least_bytes(dtype, stays);
        (bytes > 0.0).then(|| self.flops() / bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_product_pays_a_third_of_its_side_for_each_byte() {
        // In bf16, the intensity is 2·n³ ÷ (3 · 2 bytes · n²) = n ÷ 3. In 8 bits, it is twice that.
        let square = GemmSizes { m: 1024, k: 1024, n: 1024 };
        let found = square.intensity(PeakDtype::Bf16, StaysOnChip::Nothing).expect("moves");
        assert!((found - 1024.0 / 3.0).abs() < 1e-9);
        assert_eq!(GemmSizes { m: 0, k: 0, n: 0 }.intensity(PeakDtype::Bf16, StaysOnChip::Nothing), None);
        assert!((square.intensity(PeakDtype::Int8, StaysOnChip::Nothing).expect("moves") - 2.0 * found).abs() < 1e-9);
    }

    #[test]
    fn scores_that_stay_on_the_chip_cross_no_memory() {
        // Queries are multiplied by keys, with 2048 tokens and heads of 128. Only Q and K cross: 2 · 2048 · 128
        // elements of 2 bytes.
        let scores = GemmSizes { m: 2048, k: 128, n: 2048 };
        assert!((scores.least_bytes(PeakDtype::Bf16, StaysOnChip::C) - 2.0 * 2.0 * 2048.0 * 128.0).abs() < 1e-9);
        assert!(
            scores.intensity(PeakDtype::Bf16, StaysOnChip::C) > scores.intensity(PeakDtype::Bf16, StaysOnChip::Nothing)
        );
    }
}
