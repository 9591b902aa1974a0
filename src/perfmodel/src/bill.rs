//! What the arithmetic costs.

use crate::{ArrayRun, Chip, FlopsPerSec, Mfu, PeakDtype, Price, Usd};

/// Dollars for useful arithmetic. A part whose inputs are unknown is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArithmeticCost {
    /// `price ÷ peak` in USD for 10¹⁵ FLOP/s held for one hour: what it would cost at an MFU of 100 %.
    pub usd_per_ideal_pflop_hour: Option<f64>,
    /// `price ÷ (peak · MFU)` in USD for 10¹⁵ useful FLOP/s held for one hour.
    pub usd_per_useful_pflop_hour: Option<f64>,
    /// `model FLOPs ÷ (peak · MFU) ÷ 3600 · price`: the run, billed for the part of the chip it used.
    pub run: Option<Usd>,
}

impl ArithmeticCost {
    /// A bill from a price in USD per chip-hour, one chip's peak, the MFU (from 0 to 1) and the model's FLOPs.
    ///
    /// Chips cancel: twice as many take half the time. With an MFU of zero nothing useful is bought at any price,
    /// so the useful parts are `None`.
    pub fn new(usd_per_chip_hour: Option<f64>, peak: Option<FlopsPerSec>, mfu: Option<f64>, model_flops: f64) -> Self {
        let ideal = usd_per_chip_hour.zip(peak.filter(|peak| peak.0 > 0.0)).map(|(usd, peak)| usd / peak.pflops());
        let useful = ideal.zip(mfu.filter(|mfu| *mfu > 0.0)).map(|(usd, mfu)| usd / mfu);
        Self {
            usd_per_ideal_pflop_hour: ideal,
            usd_per_useful_pflop_hour: useful,
            run: useful.map(|usd| Usd(model_flops / 1e15 / 3600.0 * usd)),
        }
    }

    /// The bill of an array's run on a chip at one of its prices.
    pub fn of_array(chip: &Chip, dtype: PeakDtype, price: Option<&Price>, run: &ArrayRun) -> Self {
        let usd = price.and_then(|price| price.usd_per_chip_hour.value);
        let mfu = Mfu::of_array(chip, dtype, run).ok().map(|mfu| mfu.ratio);
        Self::new(usd, chip.peak_flops(dtype), mfu, run.model_flops())
    }
}

#[cfg(test)]
mod tests {
    use super::ArithmeticCost;
    use crate::PeakDtype::{Bf16, F32, Int8};
    use crate::{ArrayRun, Chip};

    const RUN: ArrayRun = ArrayRun { rows: 128, cols: 128, cycles: 3200, macs: 900 * 128 * 128 };

    fn chip(id: &str) -> &'static Chip {
        Chip::by_id(id).expect("the chip exists")
    }

    fn bill(id: &str, dtype: crate::PeakDtype) -> ArithmeticCost {
        ArithmeticCost::of_array(chip(id), dtype, chip(id).default_price(), &RUN)
    }

    #[test]
    fn a_useful_pflop_hour_costs_the_ideal_one_over_mfu() {
        // TPU v4: $3.22 per chip-hour (SkyPilot catalog) over 0.275 PFLOPS (Google), then over 28.125 %.
        let v4 = bill("tpu-v4", Bf16);
        assert!((v4.usd_per_ideal_pflop_hour.expect("known") - 11.709).abs() < 0.0005);
        assert!((v4.usd_per_useful_pflop_hour.expect("known") - 41.63).abs() < 0.005);
    }

    #[test]
    fn ideal_prices_agree_with_a_second_working() {
        // USD per peak bf16 PFLOP-hour at the default price.
        for (id, usd) in [("tpu-v2", 24.457), ("tpu-v3", 16.26), ("tpu-v5e", 6.091), ("tpu-v5p", 9.15)] {
            let found = bill(id, Bf16).usd_per_ideal_pflop_hour.expect(id);
            assert!((found - usd).abs() < 0.0005, "{id}: {found}");
        }
    }

    #[test]
    fn the_run_costs_price_times_time_times_the_share_of_the_chip() {
        for (id, dtype) in [("tpu-v4", Bf16), ("tpu-v5e", Int8), ("tpu-v6e", Bf16), ("h100-sxm", Bf16)] {
            let price = chip(id).default_price().and_then(|price| price.usd_per_chip_hour.value).expect(id);
            let hours = RUN.time(chip(id), dtype).expect(id).hours();
            let share = RUN.chip_share(chip(id)).expect(id);
            let run = bill(id, dtype).run.expect(id).0;
            assert!((run / (price * hours * share) - 1.0).abs() < 1e-12, "{id}");
        }
    }

    #[test]
    fn the_unknown_stays_unknown() {
        let unpriced = bill("tpu-7x", Bf16);
        assert_eq!((unpriced.usd_per_ideal_pflop_hour, unpriced.run), (None, None));
        let unpublished = bill("tpu-v4", F32);
        assert_eq!((unpublished.usd_per_useful_pflop_hour, unpublished.run), (None, None));
        let idle = ArithmeticCost::of_array(
            chip("tpu-v4"),
            Bf16,
            chip("tpu-v4").default_price(),
            &ArrayRun { macs: 0, ..RUN },
        );
        assert!(idle.usd_per_ideal_pflop_hour.is_some());
        assert_eq!((idle.usd_per_useful_pflop_hour, idle.run), (None, None));
    }
}
