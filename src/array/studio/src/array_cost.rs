//! MFU and cost of the array on screen, for the whole run or for a part of it.

use crate::Plan;
use perfmodel::{FullRate, MfuRefusal};
use systolic::{Slot, Tally};

/// MFU and cost of an array for a number of PE-cycles.
#[derive(Clone, Copy, Debug)]
pub struct ArrayCost<'a> {
    /// Price of multiplications on an array that is useful in every PE-cycle, and the passes of the format.
    pub rate: FullRate<'a>,
    /// Useful work ÷ work at peak in the time of the PE-cycles, from 0 to 1.
    pub mfu: f64,
    /// US dollars for 10¹⁸ useful multiplications. `None` if no PE-cycle is useful.
    pub usd_per_1e18: Option<f64>,
    tally: Tally,
}

impl ArrayCost<'_> {
    /// Cost divided by the cost of a full array. `None` if no PE-cycle is useful.
    #[must_use]
    pub fn times_full(&self) -> Option<f64> {
        self.usd_per_1e18.map(|usd| usd / self.rate.usd_per_1e18)
    }

    /// Part of [`Self::usd_per_1e18`] that pays for a class of PE-cycles. All classes add up to the whole.
    #[must_use]
    pub fn usd_of(&self, slot: Slot) -> Option<f64> {
        let share = self.tally.get(slot).as_f64() / self.tally.total().as_f64();
        self.usd_per_1e18.map(|usd| usd * share)
    }

    /// US dollars of the counted PE-cycles of this run: `PE-cycles · passes · price at full rate`.
    #[must_use]
    pub fn usd(&self) -> f64 {
        self.tally.total().as_f64() * f64::from(self.rate.as_run.passes) * self.rate.usd_per_1e18 / 1e18
    }
}

impl Plan {
    /// MFU and cost of the array on screen over the PE-cycles of a tally, at the price and peak of the chosen chip. The
    /// time is that of the array: stalls, padding, loading, filling and draining cost as much as useful PE-cycles.
    ///
    /// # Errors
    /// [`MfuRefusal`] if the chip does not multiply in any format that contains the values of the run.
    pub fn array_cost(&self, tally: &Tally) -> Result<ArrayCost<'_>, MfuRefusal> {
        let rate = self.chip().full_rate(self.format())?;
        let mfu = rate.mfu(tally.utilization());
        Ok(ArrayCost { rate, mfu, usd_per_1e18: rate.usd_per_1e18_at(mfu), tally: *tally })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Link, Plan};
    use systolic::{Cycle, Slot, Tally};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&Link::parse(query, "").scenario).expect("a run")
    }

    /// Returns the cycles of the whole run, its MFU in percent, and US dollars for 10¹⁸ useful multiplications. The
    /// last number is this cost divided by the cost of a full array.
    fn whole(query: &str) -> (u64, f64, f64, f64) {
        let plan = plan(query);
        let tally = plan.schedule().tally();
        let cost = plan.array_cost(&tally).expect("known");
        let usd = cost.usd_per_1e18.expect("useful");
        (plan.schedule().cycles().get(), 100.0 * cost.mfu, usd, cost.times_full().expect("useful"))
    }

    /// Settings, each with the cycles, the MFU in percent, and the cost divided by the cost of a full array. The MFU is
    /// counted by hand: useful ÷ (R · C · cycles).
    const SETTINGS: [(&str, u64, f64, f64); 15] = [
        ("", 16, 28.1, 3.56),
        ("m=64", 74, 64.9, 1.54),
        ("m=512", 522, 73.6, 1.36),
        ("rows=8", 24, 9.4, 10.7),
        ("cols=3", 15, 40.0, 2.50),
        ("df=os", 20, 22.5, 4.44),
        ("df=os&overlap=double-buffered", 14, 32.1, 3.11),
        ("df=is", 26, 17.3, 5.78),
        ("df=is&overlap=double-buffered", 17, 26.5, 3.78),
        ("pad=zero", 16, 28.1, 3.56),
        ("pad=m&padm=8", 18, 25.0, 4.00),
        ("rows=8&cols=8&m=64&k=32&n=24", 1032, 74.4, 1.34),
        ("rows=8&cols=8&m=64&k=32&n=24&overlap=double-buffered", 790, 97.2, 1.03),
        ("rows=128&cols=128", 388, 0.00113, 88_300.0),
        ("rows=128&cols=128&m=4096&k=4096&n=4096&overlap=double-buffered", 4_194_686, 99.99, 1.00),
    ];

    #[test]
    fn every_setting_moves_the_mfu_and_the_cost_of_the_array() {
        let base = "rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&chip=tpu-v4";
        for (settings, cycles, mfu, times) in SETTINGS {
            let first = settings.split('&').map(|one| one.split_once('=').unwrap_or((one, "")).0);
            let kept = base.split('&').filter(|one| !first.clone().any(|name| one.starts_with(&format!("{name}="))));
            let query = kept.chain(settings.split('&')).collect::<Vec<_>>().join("&");
            let got = whole(&query);
            let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.006;
            assert_eq!(got.0, cycles, "{query}");
            assert!(near(got.1, mfu) && near(got.3, times) && near(got.2, 650.505 / got.1), "{query} {got:?}");
        }
    }

    #[test]
    fn the_first_screen_costs_the_parts_of_its_classes() {
        let plan = Plan::default();
        let round = |usd: Option<f64>| (100.0 * usd.expect("useful")).round() / 100.0;
        let of = |tally: &Tally| plan.array_cost(tally).expect("known");
        let tally = plan.schedule().tally();
        let classes = [Slot::Useful, Slot::Padding, Slot::Load, Slot::Fill, Slot::Drain];
        let parts = classes.map(|slot| round(of(&tally).usd_of(slot)));
        assert_eq!(parts, [6.51, 5.78, 4.34, 2.71, 3.79]);
        assert_eq!(round(of(&tally).usd_per_1e18), 23.13);
        // Up to cycle 7, 19 of 128 PE-cycles are useful.
        assert_eq!(round(of(&plan.schedule().tally_until(Cycle(7))).usd_per_1e18), 43.82);
        // While B is loading, nothing is useful.
        assert!(of(&plan.schedule().tally_until(Cycle(0))).usd_per_1e18.is_none());
        assert!((1e18 * of(&tally).usd() - 256.0 * 6.505).abs() < 0.2);
    }

    #[test]
    fn passes_divide_the_mfu_and_formats_set_the_price() {
        let f32 = whole("dt=f32&passes=3");
        assert!((f32.1 - 28.125 / 3.0).abs() < 1e-9 && (f32.3 - 3.0 * 256.0 / 72.0).abs() < 1e-9, "{f32:?}");
        let usd = |query: &str| whole(query).2;
        assert!((usd("dt=bf16&chip=tpu-v5e") / usd("dt=int8&chip=tpu-v5e") - 393.0 / 197.0).abs() < 0.01);
        assert_eq!(usd("dt=bf16"), usd("dt=int8"));
        assert_eq!(usd("dt=int4"), usd("dt=int8"));
        let plan = plan("dt=bf16&chip=tpu-v1");
        assert!(plan.array_cost(&plan.schedule().tally()).is_err());
    }

    #[test]
    fn a_custom_chip_sets_price_and_peak() {
        // 2 arrays of 4×4 PEs at 500 MHz do 16e9 multiplications per second for $36 per hour. So 16e9 multiplications
        // cost a cent.
        let cost = whole("rows=4&cols=4&dt=int8&arrays=2&mhz=500&cents=3600");
        assert!((cost.2 * cost.1 / 100.0 - 0.01 / 16e9 * 1e18).abs() < 1.0, "{cost:?}");
    }
}
