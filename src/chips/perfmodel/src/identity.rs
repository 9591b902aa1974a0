//! The check that a chip's published peak follows from its geometry and clock.

use crate::{Chip, PeakDtype};

/// Numbers of MACs per PE and clock cycle that listed chips have in a format. In one clock cycle, a PE starts one MAC
/// of 16-bit floats, one or two MACs of 8-bit numbers, or four MACs of 4-bit numbers. A MAC in another format takes up
/// to four clock cycles.
const fn rates(dtype: PeakDtype) -> &'static [f64] {
    match dtype {
        PeakDtype::Bf16 | PeakDtype::F16 => &[1.0],
        PeakDtype::Int8 | PeakDtype::Fp8 => &[1.0, 2.0],
        PeakDtype::Int4 | PeakDtype::Fp4 => &[4.0],
        PeakDtype::Tf32 => &[0.5, 1.0],
        PeakDtype::F32 | PeakDtype::Int16 => &[0.25],
    }
}

/// Tolerance of the check: a relative difference of 1% between the implied rate and a listed rate.
const SLACK: f64 = 0.01;

/// The check `published = 2 · lanes · clock · (MACs per PE and clock)` for one chip and dtype.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identity {
    /// `2 · lanes · clock` in TFLOPS: the peak at one MAC per PE and clock.
    pub computed_tflops: f64,
    /// The maker's peak in TFLOPS.
    pub published_tflops: f64,
    /// MACs per PE and clock cycle that the maker's peak implies: `published ÷ computed`.
    pub macs_per_pe_per_clock: f64,
    /// True if `macs_per_pe_per_clock` is within 1 % of a rate that listed chips have in the format.
    pub closes: bool,
}

impl Chip {
    /// The identity check for a dtype; `None` if geometry, clock or peak is unknown.
    pub fn identity(&self, dtype: PeakDtype) -> Option<Identity> {
        let published_tflops = self.peak(dtype)?.value?;
        let computed_tflops = 2.0 * self.lanes()? as f64 * self.clock_mhz.value? * 1e6 / 1e12;
        let macs_per_pe_per_clock = published_tflops / computed_tflops;
        let closes = rates(dtype).iter().any(|rate| (macs_per_pe_per_clock / rate - 1.0).abs() <= SLACK);
        Some(Identity { computed_tflops, published_tflops, macs_per_pe_per_clock, closes })
    }
}

#[cfg(test)]
mod tests {
    use super::Identity;
    use crate::PeakDtype::{Bf16, F16, F32, Fp4, Fp8, Int4, Int8, Int16};
    use crate::{Chip, CustomValue, CustomValues};

    /// Ratio of the computed peak to the published peak, to three decimals, and whether the identity closes. Another
    /// program computed the ratios.
    const EXPECTED: [(&str, crate::PeakDtype, f64, bool); 43] = [
        ("tpu-v1", Int8, 1.003, true),
        ("tpu-v1", Int16, 0.251, true),
        ("tpu-v2", Bf16, 1.003, true),
        ("tpu-v3", Bf16, 0.998, true),
        ("tpu-v4i", Bf16, 1.003, true),
        ("tpu-v4i", Int8, 1.003, true),
        ("tpu-v4", Bf16, 0.999, true),
        ("tpu-v4", Int8, 0.999, true),
        ("tpu-v5e", Bf16, 1.002, true),
        ("tpu-v5e", Int8, 1.999, true),
        ("tpu-v5e", Int4, 4.008, true),
        ("tpu-v5p", Bf16, 1.001, true),
        ("tpu-v5p", Int8, 2.001, true),
        ("tpu-v5p", Fp8, 1.001, true),
        ("tpu-v5p", Int4, 4.011, true),
        ("v100", F16, 0.997, true),
        ("a100-40", Bf16, 1.0, true),
        ("a100-40", F16, 1.0, true),
        ("a100-40", Int8, 2.001, true),
        ("a100-80", Bf16, 1.0, true),
        ("a100-80", F16, 1.0, true),
        ("a100-80", Int8, 2.001, true),
        ("h100-sxm", Bf16, 1.0, true),
        ("h100-sxm", Fp8, 2.0, true),
        ("h100-sxm", Int8, 2.0, true),
        ("h200-sxm", Bf16, 1.0, true),
        ("h200-sxm", Fp8, 2.0, true),
        ("h200-sxm", Int8, 2.0, true),
        ("b200-sxm", Bf16, 0.944, false),
        ("b200-sxm", Fp8, 1.889, false),
        ("b200-sxm", Fp4, 3.778, false),
        ("trainium1", Bf16, 1.035, false),
        ("trainium1", Int8, 2.071, false),
        ("trainium1", F32, 0.259, false),
        ("trainium2", Bf16, 1.06, false),
        ("trainium2", Fp8, 2.065, false),
        ("trainium2", F32, 0.288, false),
        ("gaudi2", Bf16, 0.999, true),
        ("gaudi2", Fp8, 2.0, true),
        ("gaudi3", Bf16, 1.0, true),
        ("gaudi3", Fp8, 1.0, true),
        // These are peaks of vector units, which have their own identity. The identity of the tensor cores would close
        // for them only by accident.
        ("a100-40", F32, 0.063, false),
        ("v100", F32, 0.125, false),
    ];

    fn identity(id: &str, dtype: crate::PeakDtype) -> Option<Identity> {
        Chip::by_id(id).expect("the chip exists").identity(dtype)
    }

    #[test]
    fn the_published_peak_follows_from_geometry_and_clock_where_it_should_and_only_there() {
        for (id, dtype, macs, closes) in EXPECTED {
            let found = identity(id, dtype).expect(id);
            let printed = (found.macs_per_pe_per_clock * 1000.0).round() / 1000.0;
            assert_eq!((printed, found.closes), (macs, closes), "{id} {}", dtype.word());
        }
    }

    #[test]
    fn a_tpu_v4_of_two_arrays_does_not_close() {
        let mut own = CustomValues::default();
        own.set(CustomValue::Arrays, Some(2.0)).expect("allowed");
        let chip = own.over(Chip::by_id("tpu-v4").expect("the chip exists"));
        for dtype in [Bf16, Int8] {
            let two = chip.identity(dtype).expect("known");
            // The identity gives 2 · 128 · 128 · 2 · 1.05 GHz, a quarter of the published peak.
            assert!((two.computed_tflops - 68.8128).abs() < 1e-9);
            assert!(!two.closes, "four products of {} in a PE is what no chip does", dtype.word());
        }
    }

    #[test]
    fn without_a_published_clock_there_is_nothing_to_check() {
        for id in ["tpu-v6e", "tpu-7x", "tpu-8i", "tpu-8t"] {
            assert_eq!(identity(id, Bf16), None, "{id}");
        }
    }

    #[test]
    fn the_computed_side_is_two_flop_per_lane_and_clock() {
        let v4 = identity("tpu-v4", Bf16).expect("known");
        // The identity gives 2 · 128 · 128 · 4 · 2 · 1.05 GHz.
        assert!((v4.computed_tflops - 275.2512).abs() < 1e-9);
        assert_eq!(Chip::by_id("tpu-v4").and_then(Chip::lanes), Some(131_072));
        assert_eq!(Chip::by_id("h100-sxm").and_then(Chip::lanes), Some(528 * 512));
        assert_eq!(Chip::by_id("tpu-8t").and_then(Chip::lanes), Some(2 * 256 * 256));
    }
}
