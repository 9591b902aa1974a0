//! Roofline model: either arithmetic or memory limits the rate of a matmul.

use crate::{Chip, FlopsPerSec, GemmSizes, PeakDtype};

/// Traffic of a GEMM between memory and chip if every element moves once (an ideal cache).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GemmTraffic {
    /// Sizes of the GEMM.
    pub sizes: GemmSizes,
    /// Bytes of one element of A or B; 0.5 for a 4-bit dtype.
    pub in_bytes: f64,
    /// Bytes of one element of C.
    pub out_bytes: f64,
}

impl GemmTraffic {
    /// Bytes moved: `in · (M·K + K·N) + out · M·N`. Tiling with operand re-reads moves more bytes.
    pub fn bytes(&self) -> f64 {
        let GemmSizes { m, k, n } = self.sizes;
        let (m, n, k) = (m as f64, n as f64, k as f64);
        self.in_bytes * (m * k + k * n) + self.out_bytes * m * n
    }

    /// Arithmetic intensity in FLOP per byte; `None` for a GEMM that moves nothing.
    pub fn intensity(&self) -> Option<f64> {
        let bytes = self.bytes();
        (bytes > 0.0).then(|| self.sizes.flops() / bytes)
    }
}

/// Limit on the rate of a GEMM on a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Limit by arithmetic, at or right of the ridge point.
    Compute,
    /// Limit by memory, left of the ridge point.
    Memory,
    /// Unknown limit, because the chip's peak for the dtype or its bandwidth is not known.
    Unknown,
}

impl Bound {
    /// The word on screen.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Compute => "compute bound",
            Self::Memory => "memory bound",
            Self::Unknown => "unknown",
        }
    }
}

/// A GEMM's place under a chip's roofline (Williams, Waterman and Patterson, CACM 2009).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roofline {
    /// Arithmetic intensity of the GEMM in FLOP per byte.
    pub intensity: Option<f64>,
    /// The chip's ridge point in FLOP per byte: `peak ÷ bandwidth`.
    pub ridge: Option<f64>,
    /// Limit of the GEMM: memory if its intensity is left of the ridge point, else arithmetic.
    pub bound: Bound,
    /// Rate that the roofline allows: `min(peak, intensity · bandwidth)`.
    pub attainable: Option<FlopsPerSec>,
}

impl Roofline {
    /// Places a GEMM under the roofline of a chip's published peak and bandwidth.
    pub fn new(chip: &Chip, dtype: PeakDtype, gemm: &GemmTraffic) -> Self {
        let intensity = gemm.intensity();
        let roof = chip.peak_flops(dtype).zip(chip.memory.bytes_per_sec());
        let ridge = chip.ridge(dtype);
        let bound = match intensity.zip(ridge) {
            Some((intensity, ridge)) if intensity >= ridge => Bound::Compute,
            Some(_) => Bound::Memory,
            None => Bound::Unknown,
        };
        let attainable =
            intensity.zip(roof).map(|(intensity, (peak, bandwidth))| FlopsPerSec(peak.0.min(intensity * bandwidth)));
        Self { intensity, ridge, bound, attainable }
    }

    /// Returns the roofline for a chip that needs `passes` passes for each matmul. The peak and the ridge point are
    /// divided by `passes`.
    pub fn in_passes(self, passes: u32) -> Self {
        let ridge = self.ridge.map(|ridge| ridge / f64::from(passes));
        let bound = match self.intensity.zip(ridge) {
            Some((intensity, ridge)) if intensity >= ridge => Bound::Compute,
            _ => self.bound,
        };
        let lower = |rate: FlopsPerSec| match bound {
            // Left of the ridge point, the rate does not change.
            Bound::Memory | Bound::Unknown => rate,
            Bound::Compute => self.ridge.zip(self.intensity).map_or(rate, |(above, intensity)| {
                FlopsPerSec(rate.0 * (above / intensity).max(1.0) / f64::from(passes))
            }),
        };
        Self { ridge, bound, attainable: self.attainable.map(lower), ..self }
    }
}

impl Chip {
    /// The ridge point in FLOP per byte: the published peak for a dtype ÷ the memory bandwidth.
    pub fn ridge(&self, dtype: PeakDtype) -> Option<f64> {
        Some(self.peak_flops(dtype)?.0 / self.memory.bytes_per_sec()?)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, GemmTraffic, Roofline};
    use crate::PeakDtype::{Bf16, F16, F32, Int8};
    use crate::{Chip, GemmSizes, PeakDtype};

    fn chip(id: &str) -> &'static Chip {
        Chip::by_id(id).expect("the chip exists")
    }

    fn square(n: u64) -> GemmTraffic {
        GemmTraffic { sizes: GemmSizes { m: n, k: n, n }, in_bytes: 2.0, out_bytes: 2.0 }
    }

    #[test]
    fn ridge_points_are_peak_over_bandwidth() {
        let expected: [(&str, PeakDtype, f64); 20] = [
            ("tpu-v1", Int8, 2705.9),
            ("tpu-v2", Bf16, 65.7),
            ("tpu-v3", Bf16, 136.7),
            ("tpu-v4i", Bf16, 224.8),
            ("tpu-v4", Bf16, 229.2),
            ("tpu-v5e", Bf16, 240.5),
            ("tpu-v5p", Bf16, 166.0),
            ("tpu-v6e", Bf16, 560.4),
            ("tpu-7x", Bf16, 312.6),
            ("tpu-8i", Bf16, 128.0),
            ("v100", F16, 138.9),
            ("a100-40", Bf16, 200.6),
            ("a100-80", Bf16, 153.0),
            ("h100-sxm", Bf16, 295.3),
            ("h200-sxm", Bf16, 206.1),
            ("b200-sxm", Bf16, 281.2),
            ("trainium1", Bf16, 231.7),
            ("trainium2", Bf16, 230.0),
            ("gaudi2", Bf16, 175.6),
            ("gaudi3", Bf16, 453.2),
        ];
        for (id, dtype, ridge) in expected {
            let found = chip(id).ridge(dtype).expect(id);
            // The ridge is printed to one decimal, so half a unit of the last place is allowed.
            assert!((found - ridge).abs() <= 0.05 + 1e-9, "{id}: {found}");
        }
        assert_eq!(chip("tpu-v1").ridge(Bf16), None);
    }

    #[test]
    fn a_square_gemm_does_a_third_of_its_side_per_byte() {
        // The intensity is 2n³ FLOP over 3 matrices of 2n² bytes.
        assert_eq!(square(3072).intensity(), Some(1024.0));
        assert_eq!(square(0).intensity(), None);
    }

    #[test]
    fn wider_results_move_more_bytes() {
        let wide = GemmTraffic { out_bytes: 4.0, ..square(16) };
        assert_eq!(wide.bytes(), 2.0 * 512.0 + 4.0 * 256.0);
    }

    #[test]
    fn small_batches_are_memory_bound_and_large_squares_compute_bound() {
        let v5e = chip("tpu-v5e");
        let batch = GemmTraffic { sizes: GemmSizes { m: 8, k: 8192, n: 8192 }, ..square(8192) };
        let decode = Roofline::new(v5e, Bf16, &batch);
        assert_eq!(decode.bound, Bound::Memory);
        let rate = decode.attainable.expect("known").0;
        assert!((rate - decode.intensity.expect("known") * 819e9).abs() < 1.0);
        let train = Roofline::new(v5e, Bf16, &square(8192));
        assert_eq!((train.bound, train.attainable), (Bound::Compute, v5e.peak_flops(Bf16)));
    }

    #[test]
    fn several_passes_lower_the_roof_and_the_ridge() {
        // In f32, squares of 1024 have 170.7 FLOP/B. That is left of a ridge of 240.5, and right of a third of it.
        let gemm = GemmTraffic { in_bytes: 4.0, out_bytes: 4.0, ..square(1024) };
        let one = Roofline::new(chip("tpu-v5e"), Bf16, &gemm);
        let three = one.in_passes(3);
        assert_eq!((one.bound, three.bound), (Bound::Memory, Bound::Compute));
        assert!((three.ridge.expect("known") - 240.537 / 3.0).abs() < 0.001);
        assert!((three.attainable.expect("known").0 / (197e12 / 3.0) - 1.0).abs() < 1e-12);
        assert_eq!(one.in_passes(1), one);
        let right = Roofline::new(chip("tpu-v5e"), Bf16, &square(8192));
        assert!((right.in_passes(6).attainable.expect("known").0 / (197e12 / 6.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_unpublished_peak_leaves_the_roof_unknown() {
        let none = Roofline::new(chip("tpu-v4"), F32, &square(1024));
        assert_eq!((none.ridge, none.bound, none.attainable), (None, Bound::Unknown, None));
        assert!(none.intensity.is_some());
    }
}
