//! Price of multiplications on an array that does useful work in every PE-cycle. The module also computes the MFU and
//! the price for an array with less useful work.

use crate::{AsRun, Chip, Compute, Format, MfuRefusal, Missing, usd_per_1e18_multiplications};

/// Chip whose price and peak replace those of a chip without a list price or without a published peak.
const PRICED: &str = "tpu-v4";

/// Price of multiplications at the full rate of a chip.
///
/// The price needs no clock: `price per chip-hour ÷ (peak ÷ 2 · 3600 s)`. An array of any size costs the share of its
/// PEs in this price, so the size of the array cancels out.
///
/// ```
/// use perfmodel::{Chip, PeakDtype};
///
/// let v4 = Chip::by_id("tpu-v4").expect("it is in the table");
/// let rate = v4.full_rate(PeakDtype::Int8)?;
/// // $3.22 ÷ (275e12 ÷ 2 · 3600) · 10¹⁸.
/// assert!((rate.usd_per_1e18 - 6.505).abs() < 0.001);
/// // 72 useful of 256 PE-cycles cost 256 ÷ 72 as much.
/// let mfu = rate.mfu(72.0 / 256.0);
/// assert!((rate.usd_per_1e18_at(mfu).expect("useful") - 23.13).abs() < 0.01);
/// # Ok::<(), perfmodel::MfuRefusal>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FullRate<'a> {
    /// Chip that provides the price and the peak. If [`Self::is_lent`], this is another chip than the requested chip.
    pub chip: &'a Chip,
    /// Format in which the chip multiplies, and the number of its passes.
    pub as_run: AsRun,
    /// US dollars for 10¹⁸ multiplications in the format in which the chip multiplies.
    pub usd_per_1e18: f64,
    /// True if the requested chip has no list price or no published peak.
    pub is_lent: bool,
}

impl Chip {
    /// The price of multiplications at the full rate of this chip. If the chip has no list price, or no peak in any
    /// format, then the price and the peak are those of TPU v4.
    ///
    /// # Errors
    /// [`MfuRefusal::Unknown`] if the chip does not multiply in any format that contains the values of the requested
    /// format.
    pub fn full_rate(&self, format: impl Into<Format>) -> Result<FullRate<'_>, MfuRefusal> {
        let format = format.into();
        let has_peak = self.peaks.iter().any(|(_, peak)| peak.value.is_some());
        if has_peak {
            let as_run = self.as_run(format)?;
            if let Some(rate) = priced(self, as_run, false) {
                return Ok(rate);
            }
        }
        let lender = Self::by_id(PRICED).ok_or(MfuRefusal::Unknown { missing: Missing::Peak(format.dtype) })?;
        let as_run = lender.as_run(format)?;
        priced(lender, as_run, true).ok_or(MfuRefusal::Unknown { missing: Missing::Peak(format.dtype) })
    }
}

/// Returns the price at the full rate of a chip; `None` if the chip has no list price or no peak in the format in which
/// it multiplies.
fn priced(chip: &Chip, as_run: AsRun, is_lent: bool) -> Option<FullRate<'_>> {
    let usd = chip.default_price()?.usd_per_chip_hour.value?;
    let usd_per_1e18 = usd_per_1e18_multiplications(usd, chip.peak_flops(as_run.multiplied)?, 1.0)?;
    Some(FullRate { chip, as_run, usd_per_1e18, is_lent })
}

impl FullRate<'_> {
    /// MFU of an array with this utilization, from 0 to 1: `utilization ÷ passes`. Each pass multiplies again, but only
    /// one multiplication per pair of operands is useful.
    pub fn mfu(&self, utilization: f64) -> f64 {
        utilization / f64::from(self.as_run.passes)
    }

    /// US dollars for 10¹⁸ useful multiplications at this MFU. `None` if the MFU is not above zero.
    pub fn usd_per_1e18_at(&self, mfu: f64) -> Option<f64> {
        (mfu > 0.0).then(|| self.usd_per_1e18 / mfu)
    }

    /// Seconds of a cycle in which each PE of the chip's arrays multiplies once: `2 · PEs ÷ peak`. `None` if the chip
    /// has no systolic arrays.
    pub fn secs_per_cycle(&self) -> Option<f64> {
        Some(2.0 * self.pes()? / self.chip.peak_flops(self.as_run.multiplied)?.0)
    }

    /// PEs in all arrays of the chip. `None` if the chip has no systolic arrays.
    pub fn pes(&self) -> Option<f64> {
        let Compute::Arrays { rows, cols, units_per_core, cores, .. } = &self.chip.compute else { return None };
        let sides = [rows, cols, units_per_core, cores].map(|side| side.value.map(f64::from));
        sides.into_iter().try_fold(1.0, |pes, side| Some(pes * side?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conversion, F32Passes, PeakDtype};

    fn rate(id: &str, format: impl Into<Format>) -> FullRate<'static> {
        Chip::by_id(id).expect("the chip exists").full_rate(format).expect(id)
    }

    #[test]
    fn int8_halves_the_price_only_on_a_chip_that_multiplies_it_twice_as_fast() {
        let of = |id, dtype| rate(id, dtype).usd_per_1e18;
        // These are $1.20 ÷ (197e12 ÷ 2 · 3600) and $1.20 ÷ (393e12 ÷ 2 · 3600), computed by hand.
        assert!((of("tpu-v5e", PeakDtype::Bf16) - 3.384).abs() < 0.001);
        assert!((of("tpu-v5e", PeakDtype::Int8) - 1.696).abs() < 0.001);
        assert_eq!(of("tpu-v4", PeakDtype::Int8), of("tpu-v4", PeakDtype::Bf16));
    }

    #[test]
    fn a_format_that_the_chip_lacks_runs_as_the_chip_runs_it() {
        let v4 = rate("tpu-v4", PeakDtype::Int4);
        assert_eq!((v4.as_run.multiplied, v4.as_run.conversion), (PeakDtype::Int8, Conversion::Widened));
        assert_eq!(rate("tpu-v5e", PeakDtype::Fp8).as_run.multiplied, PeakDtype::Bf16);
        let six = rate("tpu-v4", Format::from(PeakDtype::F32).in_passes(F32Passes::Six));
        assert!((six.mfu(0.9) - 0.15).abs() < 1e-15);
        // TPU v1 multiplies integers only.
        let v1 = Chip::by_id("tpu-v1").expect("the chip exists");
        assert!(v1.full_rate(PeakDtype::Bf16).is_err());
    }

    #[test]
    fn a_chip_without_a_price_or_a_peak_has_the_price_of_another_chip() {
        for chip in Chip::all() {
            for dtype in PeakDtype::ALL {
                let Ok(rate) = chip.full_rate(dtype) else { continue };
                let own = chip.as_run(dtype).is_ok() && chip.default_price().is_some();
                assert_eq!(rate.is_lent, !own, "{} {dtype:?}", chip.id);
                assert!(rate.usd_per_1e18 > 0.0 && rate.usd_per_1e18.is_finite(), "{} {dtype:?}", chip.id);
            }
        }
        assert!(rate("tpu-v1", PeakDtype::Int8).is_lent);
    }

    #[test]
    fn a_cycle_takes_two_operations_of_each_pe() {
        let ns = |id, dtype| rate(id, dtype).secs_per_cycle().map(|secs| (1e12 * secs).round() / 1e3);
        // The first chip has 8 · 128 · 128 PEs and 275e12 FLOP/s. The second has 4 · 128 · 128 PEs and 197e12 or
        // 393e12. The third has 2 · 256 · 256 PEs and 918e12.
        assert_eq!(ns("tpu-v4", PeakDtype::Int8), Some(0.953));
        assert_eq!(ns("tpu-v5e", PeakDtype::Bf16), Some(0.665));
        assert_eq!(ns("tpu-v5e", PeakDtype::Int8), Some(0.334));
        assert_eq!(ns("tpu-v6e", PeakDtype::Bf16), Some(0.286));
        assert_eq!(ns("h100-sxm", PeakDtype::Bf16), None);
    }

    #[test]
    fn nothing_useful_has_no_price() {
        assert_eq!(rate("tpu-v4", PeakDtype::Bf16).usd_per_1e18_at(0.0), None);
    }
}
