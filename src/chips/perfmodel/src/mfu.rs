//! Model FLOPs utilization: the share of a chip's peak that the model's own arithmetic used.

use crate::{FlopsPerSec, PeakDtype, Seconds};

/// Largest rounding error by which an MFU may exceed 100%.
const SLACK: f64 = 1e-9;

/// A valid MFU, which is from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mfu {
    /// Model FLOPs ÷ (peak × time), from 0 to 1.
    pub ratio: f64,
    /// Time over which the MFU is measured.
    pub time: Seconds,
    /// Peak with which the MFU is computed.
    pub peak: FlopsPerSec,
}

/// Reason why an MFU cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MfuRefusal {
    /// MFU above 100%: the FLOP count, the time, the number of chips or the peak is wrong.
    AboveOne {
        /// Result of the division, above 1.
        ratio: f64,
    },
    /// Chip data that the division needs, but that is not published.
    Unknown {
        /// The data that is not published.
        missing: Missing,
    },
    /// No rate, because no time passed, the peak is not above zero, or nothing ran.
    NoRate,
}

/// Unpublished data of a chip, without which an MFU or a time cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Peak of the chip for a dtype.
    Peak(PeakDtype),
    /// Rows, columns and number of the chip's arrays.
    Geometry,
    /// Bandwidth of the chip's memory.
    Bandwidth,
    /// Number of the chip's cores.
    Cores,
    /// Time of a matmul that is split over several chips, which is not modeled.
    Split,
    /// Format that the chip multiplies and that contains the values of the requested format.
    Format,
}

impl Mfu {
    /// Model FLOPs ÷ (peak × time), for any number of chips: `peak` is the sum over all chips.
    ///
    /// # Errors
    /// [`MfuRefusal::AboveOne`] if the ratio is above 100 % by more than rounding. [`MfuRefusal::NoRate`] if the time
    /// or the peak is not above zero.
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
}

#[cfg(test)]
mod tests {
    use super::{Mfu, MfuRefusal};
    use crate::PeakDtype::Bf16;
    use crate::{Chip, FlopsPerSec, Seconds};

    fn chip(id: &str) -> &'static Chip {
        Chip::by_id(id).expect("the chip exists")
    }

    #[test]
    fn an_mfu_above_one_is_refused() {
        // The claim is BERT-Large in 76 minutes on 256 TPU v3. Its 1.63e20 FLOP would be 113.7% of the peak.
        let v3 = chip("tpu-v3").peak_flops(Bf16).expect("known").0;
        let minutes = Seconds(76.0 * 60.0);
        let Err(MfuRefusal::AboveOne { ratio }) = Mfu::new(1.63e20, minutes, FlopsPerSec(256.0 * v3)) else {
            panic!("refused");
        };
        // The FLOP count is known to three digits.
        assert!((ratio - 1.137).abs() < 0.002, "{ratio}");
        // On the 1024 chips of the paper (You et al., LAMB, 2020), the MFU is 28.4%.
        let real = Mfu::new(1.63e20, minutes, FlopsPerSec(1024.0 * v3)).expect("possible");
        assert!((real.ratio - 0.284).abs() < 0.0005, "{}", real.ratio);
    }

    #[test]
    fn palm_comes_out_as_its_paper_says() {
        // PaLM 540B (Chowdhery et al. 2022, Appendix B) has 6·N + 12·L·H·Q·T FLOP per token, and 238.3 k tokens/s on
        // 6144 v4.
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
    }
}
