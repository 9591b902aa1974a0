//! Model FLOPs utilization: how much of a chip's peak the model's own arithmetic used.

use crate::{Chip, FlopsPerSec, PeakDtype, Seconds};

/// Rounding that is forgiven before an MFU above 100 % is refused.
const SLACK: f64 = 1e-9;

/// What a schedule counted for one GEMM on one array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayRun {
    /// PE rows of the array.
    pub rows: u32,
    /// PE columns of the array.
    pub cols: u32,
    /// Cycles from the first load to the last result.
    pub cycles: u64,
    /// Useful MACs: those of the GEMM itself, without padding.
    pub macs: u64,
}

impl ArrayRun {
    /// PEs of the array.
    pub fn pes(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.cols)
    }

    /// Model FLOPs: 2 per useful MAC.
    pub fn model_flops(&self) -> f64 {
        2.0 * self.macs as f64
    }

    /// Utilization: useful MACs ÷ (R · C · cycles), from 0 to 1; `None` when there was no PE or no cycle.
    pub fn utilization(&self) -> Option<f64> {
        let slots = self.pes() as f64 * self.cycles as f64;
        (slots > 0.0).then(|| self.macs as f64 / slots)
    }

    /// The share of a chip's MAC lanes this array is: `R · C ÷ lanes`. Above 1 the array needs more than one chip.
    pub fn chip_share(&self, chip: &Chip) -> Option<f64> {
        Some(self.pes() as f64 / chip.lanes()? as f64)
    }

    /// Time at the chip's published rate per PE: `cycles ÷ (peak ÷ (2 · lanes))`.
    ///
    /// A cycle is one MAC slot of a PE, so a dtype that runs two MACs per PE and clock takes half the time.
    ///
    /// # Errors
    /// [`MfuRefusal::Unknown`] where the maker published no peak for the dtype or no geometry.
    pub fn time(&self, chip: &Chip, dtype: PeakDtype) -> Result<Seconds, MfuRefusal> {
        Ok(Seconds(self.cycles as f64 / pe_rate(chip, dtype)?))
    }
}

/// An MFU that can be true: from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mfu {
    /// Model FLOPs ÷ (peak × time), from 0 to 1.
    pub ratio: f64,
    /// The time it is measured over.
    pub time: Seconds,
    /// The peak it is measured against.
    pub peak: FlopsPerSec,
}

/// Why there is no MFU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MfuRefusal {
    /// More than the peak allows: the FLOP count, the time, the chips or the peak is wrong.
    AboveOne {
        /// What the division gave, above 1.
        ratio: f64,
    },
    /// A number of the chip that the division needs was never published.
    Unknown {
        /// Which.
        missing: Missing,
    },
    /// No time passed or there is no peak, so there is no rate.
    NoRate,
}

/// What of a chip an MFU or a time needs and nobody published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Its peak for a dtype.
    Peak(PeakDtype),
    /// Rows, columns and number of its arrays.
    Geometry,
    /// The bandwidth of its memory.
    Bandwidth,
    /// The number of its cores.
    Cores,
    /// How one product is split over several chips, which is not modeled.
    Split,
    /// A rate for this format of floats, because the chip multiplies another.
    Format,
}

impl Mfu {
    /// Model FLOPs ÷ (peak × time), for any number of chips: `peak` is theirs together.
    ///
    /// # Errors
    /// Above 100 % (beyond rounding) is refused, and so is a time or peak that is not above zero.
    pub fn new(model_flops: f64, time: Seconds, peak: FlopsPerSec) -> Result<Self, MfuRefusal> {
        let possible = time.0 * peak.0;
        let ratio = model_flops / possible;
        if possible > 0.0 && ratio <= 1.0 + SLACK {
            Ok(Self { ratio: ratio.min(1.0), time, peak })
        } else if possible > 0.0 && ratio > 1.0 {
            Err(MfuRefusal::AboveOne { ratio })
        } else {
            Err(MfuRefusal::NoRate)
        }
    }

    /// The thin model: the array runs at the chip's published rate per PE, and nothing outside the array takes time.
    ///
    /// MFU is measured against the array's own peak `2 · R · C · rate`, not the whole chip's: see
    /// [`ArrayRun::chip_share`]. It then equals [`ArrayRun::utilization`].
    ///
    /// # Errors
    /// [`MfuRefusal::Unknown`] where the maker published no peak for the dtype or no geometry; else as [`Mfu::new`].
    pub fn of_array(chip: &Chip, dtype: PeakDtype, run: &ArrayRun) -> Result<Self, MfuRefusal> {
        let rate = pe_rate(chip, dtype)?;
        let peak = FlopsPerSec(2.0 * run.pes() as f64 * rate);
        Self::new(run.model_flops(), run.time(chip, dtype)?, peak)
    }
}

/// MAC/s of one PE at the published peak, or what is missing for it.
fn pe_rate(chip: &Chip, dtype: PeakDtype) -> Result<f64, MfuRefusal> {
    if chip.lanes().is_none() {
        return Err(MfuRefusal::Unknown { missing: Missing::Geometry });
    }
    chip.macs_per_pe_per_sec(dtype).ok_or(MfuRefusal::Unknown { missing: Missing::Peak(dtype) })
}

#[cfg(test)]
mod tests {
    use super::{ArrayRun, Mfu, MfuRefusal, Missing};
    use crate::PeakDtype::{Bf16, F32, Fp4, Int8};
    use crate::{Chip, FlopsPerSec, Seconds};

    fn chip(id: &str) -> &'static Chip {
        Chip::by_id(id).expect("the chip exists")
    }

    /// 28.125 % of 128 × 128 PEs: 9 of 32 MAC slots.
    const RUN: ArrayRun = ArrayRun { rows: 128, cols: 128, cycles: 3200, macs: 900 * 128 * 128 };

    #[test]
    fn on_the_thin_model_mfu_is_the_utilization() {
        assert_eq!(RUN.utilization(), Some(0.28125));
        let mfu = Mfu::of_array(chip("tpu-v4"), Bf16, &RUN).expect("possible");
        assert!((mfu.ratio - 0.28125).abs() < 1e-15);
        assert!((mfu.peak.0 * 8.0 - 275e12).abs() < 1.0, "one of the eight MXUs of a TPU v4");
    }

    #[test]
    fn a_dtype_with_two_macs_per_clock_takes_half_the_time() {
        let v5e = chip("tpu-v5e");
        let slow = RUN.time(v5e, Bf16).expect("known").0;
        let fast = RUN.time(v5e, Int8).expect("known").0;
        assert!((slow / fast - 393.0 / 197.0).abs() < 1e-12);
        assert!((slow - 3200.0 / 1.5e9).abs() / slow < 0.003, "close to the 1.5 GHz clock");
        // TPU v4 has no faster int8.
        assert_eq!(RUN.time(chip("tpu-v4"), Bf16), RUN.time(chip("tpu-v4"), Int8));
    }

    #[test]
    fn what_is_not_published_is_unknown() {
        let no_peak = |dtype| MfuRefusal::Unknown { missing: Missing::Peak(dtype) };
        assert_eq!(Mfu::of_array(chip("tpu-v4"), F32, &RUN), Err(no_peak(F32)));
        assert_eq!(Mfu::of_array(chip("tpu-7x"), Int8, &RUN), Err(no_peak(Int8)));
        let geometry = MfuRefusal::Unknown { missing: Missing::Geometry };
        assert_eq!(Mfu::of_array(chip("tpu-8t"), Fp4, &RUN), Err(geometry));
        // No clock is published for v6e, but its peak and geometry are, and they suffice.
        assert!(Mfu::of_array(chip("tpu-v6e"), Bf16, &RUN).is_ok());
    }

    #[test]
    fn an_mfu_above_one_is_refused() {
        // Claimed: BERT-Large in 76 minutes on 256 TPU v3. Its 1.63e20 FLOP make that 113.7 % of the peak.
        let v3 = chip("tpu-v3").peak_flops(Bf16).expect("known").0;
        let minutes = Seconds(76.0 * 60.0);
        let Err(MfuRefusal::AboveOne { ratio }) = Mfu::new(1.63e20, minutes, FlopsPerSec(256.0 * v3)) else {
            panic!("refused");
        };
        // The FLOP count is known to three digits.
        assert!((ratio - 1.137).abs() < 0.002, "{ratio}");
        // On the 1024 chips of the paper (You et al., LAMB, 2020) it is 28.4 %.
        let real = Mfu::new(1.63e20, minutes, FlopsPerSec(1024.0 * v3)).expect("possible");
        assert!((real.ratio - 0.284).abs() < 0.0005, "{}", real.ratio);
    }

    #[test]
    fn palm_comes_out_as_its_paper_says() {
        // PaLM 540B (Chowdhery et al. 2022, Appendix B): FLOP per token = 6·N + 12·L·H·Q·T, 238.3 k tokens/s, 6144 v4.
        let weights = 6.0 * 540.35e9;
        let attention = 12.0 * 118.0 * 48.0 * 256.0 * 2048.0;
        let peak = FlopsPerSec(6144.0 * chip("tpu-v4").peak_flops(Bf16).expect("known").0);
        let with = Mfu::new(238.3e3 * (weights + attention), Seconds(1.0), peak).expect("possible");
        let without = Mfu::new(238.3e3 * weights, Seconds(1.0), peak).expect("possible");
        assert!((with.ratio - 0.462).abs() < 0.0005, "{}", with.ratio);
        assert!((without.ratio - 0.457).abs() < 0.0005, "{}", without.ratio);
    }

    #[test]
    fn rounding_is_forgiven_and_nothing_is_not_a_rate() {
        let full = Mfu::new(1.0 + 1e-10, Seconds(1.0), FlopsPerSec(1.0)).expect("within rounding");
        assert_eq!(full.ratio, 1.0);
        assert!(Mfu::new(1.0 + 1e-8, Seconds(1.0), FlopsPerSec(1.0)).is_err());
        assert_eq!(Mfu::new(0.0, Seconds(0.0), FlopsPerSec(1.0)), Err(MfuRefusal::NoRate));
        assert_eq!(ArrayRun { cycles: 0, macs: 0, ..RUN }.utilization(), None);
    }
}
