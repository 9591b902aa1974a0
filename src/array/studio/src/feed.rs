//! The source of B: storage on the chip that always delivers in time, or the chip's memory at its published rate.
//!
//! The inputs and results of a layer (A and C) stay on the chip, so the array never waits for A or C. The weights (B)
//! come from memory, as on the first TPU (Jouppi et al. 2017). The arrays of a chip share its memory equally, whatever
//! the size of the array on screen.
//!
//! With `feed=memory`, the only slow edge of the array is the edge at which B enters. The rate of this edge comes from
//! the chip table. If no rate is published, the array is not slowed, and the page reports that.

use perfmodel::{Chip, Compute};
use systolic::{Dtype, Rate};

systolic::named! {
    /// Source of B.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    exact pub enum Feed {
        /// Storage on the chip, as fast as the array accepts B.
        #[default]
        OnChip => "on-chip",
        /// The chip's memory, at its published rate.
        Memory => "memory",
    }
}

/// Share of the chip's memory bandwidth that one array gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryShare {
    /// Bandwidth of the memory, in GB/s.
    pub gb_per_sec: f64,
    /// Clock of the arrays, in MHz.
    pub clock_mhz: f64,
    /// Arrays that share the memory.
    pub arrays: u32,
    /// Width of an element, in bits.
    pub bits: u64,
}

impl MemoryShare {
    /// Returns the bandwidth share of one array of a chip, for elements of this format. `None` if the chip has no
    /// arrays. Also `None` if the clock, the bandwidth or the number of arrays is not published.
    #[must_use]
    pub fn of(chip: &Chip, dtype: Dtype) -> Option<Self> {
        let Compute::Arrays { units_per_core, cores, .. } = &chip.compute else { return None };
        Some(Self {
            gb_per_sec: chip.memory.gb_per_sec.value?,
            clock_mhz: chip.clock_mhz.value?,
            arrays: units_per_core.value? * cores.value?,
            bits: dtype.bits(),
        })
    }

    /// Returns the number of elements that the share delivers per cycle of the array.
    #[must_use]
    pub fn elements_per_cycle(&self) -> f64 {
        let bytes_per_cycle = self.gb_per_sec * 1e3 / (self.clock_mhz * f64::from(self.arrays));
        bytes_per_cycle * 8.0 / f64::from(u32::try_from(self.bits).unwrap_or(8))
    }

    /// Returns the share as the rate at which elements enter an edge of the array. The rate is exact if the published
    /// bandwidth and clock have at most one decimal. `None` if the rate is more than any array accepts.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "published rates are small and positive"
    )]
    #[must_use]
    pub fn rate(&self) -> Option<Rate> {
        let tenths = |value: f64| (value * 10.0).round() as u64;
        let mut elements = tenths(self.gb_per_sec) * 8_000;
        let mut cycles = tenths(self.clock_mhz) * u64::from(self.arrays) * self.bits;
        let divisor = greatest_common_divisor(elements, cycles).max(1);
        (elements, cycles) = (elements / divisor, cycles / divisor);
        // The loop halves both numbers until they fit. The rate is then off by less than a hundredth of a percent.
        while elements.max(cycles) > u64::from(Rate::MAX) {
            (elements, cycles) = (elements.div_ceil(2), cycles.div_ceil(2));
        }
        Rate::new(u32::try_from(elements).ok()?, u32::try_from(cycles).ok()?)
    }
}

const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Link, Plan};
    use systolic::Slot;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        let link = Link::parse(query, "");
        assert!(link.notices.is_empty(), "{:?}", link.notices);
        Plan::new(&link.scenario).expect("a run")
    }

    #[test]
    fn the_first_tpu_waits_for_its_memory_as_its_paper_says() {
        let v1 = "m=200&k=600&n=600&overlap=double-buffered&chip=tpu-v1&dt=int8&feed=memory";
        let cycles = |side: u64| plan(&format!("rows={side}&cols={side}&{v1}")).schedule().cycles().get();
        assert_eq!([cycles(256), cycles(512)], [12_860, 22_814], "18.4 and 32.6 µs; the paper has 18 and 32");
        let whole = MemoryShare::of(Chip::by_id("tpu-v1").expect("listed"), Dtype::Int8).expect("published");
        assert_eq!(whole.rate(), Rate::new(340, 7));
        // Table 3, MLP0: without the cycles of other work, 12.7 of 12.7 + 53.9 + 15.9% are active.
        let mlp0 =
            plan("rows=256&cols=256&m=200&k=2048&n=2048&overlap=double-buffered&chip=tpu-v1&dt=int8&feed=memory");
        assert!((mlp0.schedule().tally().utilization() - 12.7 / 82.5).abs() < 0.01);
        assert!(mlp0.schedule().tally().get(Slot::Stall) > mlp0.schedule().tally().get(Slot::Useful));
    }

    #[test]
    fn a_rate_is_what_the_memory_reads_in_a_clock_of_the_arrays() {
        for chip in Chip::all() {
            for dtype in Dtype::ALL {
                let Some(share) = MemoryShare::of(chip, dtype) else { continue };
                let rate = share.rate().expect("less than 65 536 elements a cycle");
                let found = f64::from(rate.elements()) / f64::from(rate.cycles());
                assert!((found / share.elements_per_cycle() - 1.0).abs() < 2e-4, "{} {dtype}: {rate:?}", chip.id);
            }
        }
        // 8 arrays at 1050 MHz share 1200 GB/s. Each array gets 143 bytes per cycle, or 71 bf16 elements.
        let v4 = MemoryShare::of(Chip::by_id("tpu-v4").expect("listed"), Dtype::Bf16).expect("published");
        assert!((v4.elements_per_cycle() - 71.43).abs() < 0.01);
        let nobody = |id: &str| MemoryShare::of(Chip::by_id(id).expect("listed"), Dtype::Bf16);
        assert!(nobody("tpu-v6e").is_none() && nobody("h100-sxm").is_none(), "no clock, no arrays");
    }

    #[test]
    fn a_custom_chip_shares_its_memory_among_its_own_arrays() {
        for chip in ["tpu-v1", "tpu-v4", "h100-sxm"] {
            let own = plan(&format!("rows=8&cols=8&chip={chip}&arrays=3&mhz=525&dt=bf16&feed=memory"));
            let share = own.scenario().memory_share();
            assert!(share.is_some() && share == MemoryShare::of(own.chip(), Dtype::Bf16), "{chip}: {share:?}");
        }
    }

    #[test]
    fn the_matrix_that_waits_is_b_in_every_dataflow() {
        for dataflow in ["ws", "os", "is"] {
            let run =
                |feed: &str| plan(&format!("rows=64&cols=64&m=64&k=64&n=64&dt=int8&chip=tpu-v1&df={dataflow}{feed}"));
            let (fast, slow) = (run(""), run("&feed=memory"));
            assert_eq!(fast.schedule().tally().get(Slot::Stall).get(), 0);
            assert!(slow.schedule().tally().get(Slot::Stall).get() > 0, "{dataflow}");
            // A column of 48 PEs needs less than memory delivers in a cycle.
            let narrow = plan(&format!("rows=48&cols=48&m=64&k=64&n=64&dt=int8&chip=tpu-v1&df={dataflow}&feed=memory"));
            assert_eq!(narrow.schedule().tally().get(Slot::Stall).get(), 0, "{dataflow}");
        }
    }

    #[test]
    fn a_link_without_the_switch_says_nothing_of_it() {
        let link = Link::parse("rows=64&cols=64&chip=tpu-v1", "");
        assert!(!link.to_parts().0.contains("feed"));
        let link = Link::parse("rows=64&cols=64&chip=tpu-v1&feed=memory", "");
        assert!(link.to_parts().0.contains("feed=memory"));
    }
}
