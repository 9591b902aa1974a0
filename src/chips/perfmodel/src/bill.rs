//! Cost of useful arithmetic.

use crate::FlopsPerSec;

/// Price in US dollars of 10¹⁵ useful FLOP/s for one hour: `price ÷ (peak · MFU)`. `None` if the peak or the MFU is not
/// above zero.
///
/// The number of chips cancels out: twice as many chips need half the time.
pub fn usd_per_pflop_hour(usd_per_chip_hour: f64, peak: FlopsPerSec, mfu: f64) -> Option<f64> {
    (peak.0 > 0.0 && mfu > 0.0).then(|| usd_per_chip_hour / (peak.pflops() * mfu))
}

/// Multiplications in a PFLOP-hour, in units of 10¹⁸: 10¹⁵ FLOP/s · 3600 s ÷ 2.
const E18_PER_PFLOP_HOUR: f64 = 1.8;

/// Price in US dollars of 10¹⁸ useful multiplications: `price ÷ (peak ÷ 2 · 3600 s · MFU) · 10¹⁸`. `None` if the peak or
/// the MFU is not above zero.
pub fn usd_per_1e18_multiplications(usd_per_chip_hour: f64, peak: FlopsPerSec, mfu: f64) -> Option<f64> {
    usd_per_pflop_hour(usd_per_chip_hour, peak, mfu).map(|usd| usd / E18_PER_PFLOP_HOUR)
}

#[cfg(test)]
mod tests {
    use super::usd_per_pflop_hour;
    use crate::PeakDtype::Bf16;
    use crate::{Chip, FlopsPerSec};

    /// Returns the price at the chip's first listed price.
    fn usd(id: &str, mfu: f64) -> f64 {
        let chip = Chip::by_id(id).expect("the chip exists");
        let price = chip.default_price().and_then(|price| price.usd_per_chip_hour.value).expect(id);
        usd_per_pflop_hour(price, chip.peak_flops(Bf16).expect(id), mfu).expect("useful")
    }

    #[test]
    fn a_useful_pflop_hour_costs_the_ideal_one_over_mfu() {
        // TPU v4 costs $3.22 per chip-hour (SkyPilot catalog). The first divisor is 0.275 PFLOPS (Google), and the
        // second is 28.125%.
        assert!((usd("tpu-v4", 1.0) - 11.709).abs() < 0.0005);
        assert!((usd("tpu-v4", 0.28125) - 41.63).abs() < 0.005);
    }

    #[test]
    fn ideal_prices_agree_with_a_second_working() {
        // These are USD per peak bf16 PFLOP-hour at the default price.
        for (id, price) in [("tpu-v2", 24.457), ("tpu-v3", 16.26), ("tpu-v5e", 6.091), ("tpu-v5p", 9.15)] {
            assert!((usd(id, 1.0) - price).abs() < 0.0005, "{id}");
        }
    }

    #[test]
    fn nothing_useful_has_no_price() {
        assert_eq!(usd_per_pflop_hour(3.22, FlopsPerSec(275e12), 0.0), None);
        assert_eq!(usd_per_pflop_hour(3.22, FlopsPerSec(0.0), 0.5), None);
    }
}
