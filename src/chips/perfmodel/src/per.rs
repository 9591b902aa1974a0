//! Unit of a count or a price: a core, a chip or a slice. Mixing these units is the most common error in a cost
//! estimate.

use crate::{Chip, Compute, Links};

/// Unit of an amount, such as a count or a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// One core (a TPU's TensorCore); some accelerator names and prices count cores.
    Core,
    /// One chip, or one GPU.
    Chip,
    /// A slice, host or node of this many chips.
    Slice(u64),
}

impl Per {
    /// Number of chips in one unit: `1 ÷ cores per chip` for a core, 1 for a chip, or the size of the slice.
    ///
    /// `None` for an empty slice. `None` for a core if the number of cores is not published, or if the chip is a GPU,
    /// which is rented whole.
    pub fn chips(self, chip: &Chip) -> Option<f64> {
        match self {
            Self::Core => Some(1.0 / f64::from(chip.cores()?)),
            Self::Chip => Some(1.0),
            Self::Slice(0) => None,
            Self::Slice(chips) => Some(chips as f64),
        }
    }

    /// Converts an amount per `self` to an amount per `other`: `amount · chips(other) ÷ chips(self)`.
    pub fn restate(self, amount: f64, other: Self, chip: &Chip) -> Option<f64> {
        Some(amount * other.chips(chip)? / self.chips(chip)?)
    }
}

/// A price per hour for one unit: a core, a chip or a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HourlyPrice {
    /// US dollars per hour.
    pub usd: f64,
    /// Unit that the price is for.
    pub per: Per,
}

impl HourlyPrice {
    /// US dollars for one chip and one hour.
    pub fn usd_per_chip_hour(self, chip: &Chip) -> Option<f64> {
        self.per.restate(self.usd, Per::Chip, chip)
    }

    /// US dollars for `count` units of the size `of`, rented for `hours` hours.
    pub fn total(self, count: u64, of: Per, hours: f64, chip: &Chip) -> Option<f64> {
        Some(self.per.restate(self.usd, of, chip)? * count as f64 * hours)
    }
}

impl Chip {
    /// Number of cores of one chip. `None` for a GPU, because a tensor core cannot be rented. Also `None` if the maker
    /// does not publish the number of cores.
    pub fn cores(&self) -> Option<u32> {
        match &self.compute {
            Compute::Arrays { cores, .. } => cores.value.filter(|cores| *cores > 0),
            Compute::TensorCores { .. } | Compute::Unknown(_) => None,
        }
    }

    /// Number of chips in a slice, from a name such as `v5p-128` or `v5litepod-16`. `None` if the name is for slices of
    /// another chip, or if the number in the name is not a whole number of chips.
    ///
    /// ```
    /// use perfmodel::Chip;
    /// let chips = |id, name| Chip::by_id(id).and_then(|chip| chip.chips_of_slice(name));
    /// assert_eq!(chips("tpu-v5p", "v5p-128"), Some(64), "its names count cores");
    /// assert_eq!(chips("tpu-v5e", "v5litepod-128"), Some(128), "its names count chips");
    /// ```
    pub fn chips_of_slice(&self, name: &str) -> Option<u64> {
        let (prefix, number) = name.rsplit_once('-')?;
        let names = Links::of(self)?.slice_names?;
        if !names.prefixes.contains(&prefix) {
            return None;
        }
        let number: u64 = number.parse().ok()?;
        match names.number.value? {
            Per::Core => {
                let cores = u64::from(self.cores()?);
                number.is_multiple_of(cores).then(|| number / cores)
            }
            Per::Chip => Some(number),
            Per::Slice(chips) => number.checked_mul(chips),
        }
    }

    /// Name of a slice of this chip, as an example. `None` if the slices of the chip have no published names.
    pub fn slice_example(&self) -> Option<String> {
        let prefix = Links::of(self)?.slice_names?.prefixes.first()?;
        let names = [128, 16, 1].map(|number| format!("{prefix}-{number}"));
        names.into_iter().find(|name| self.chips_of_slice(name).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::{HourlyPrice, Per};
    use crate::{Chip, Compute, Sourced};

    fn chip(id: &str) -> &'static Chip {
        Chip::by_id(id).expect("the chip exists")
    }

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-9)
    }

    #[test]
    fn a_price_per_core_is_half_the_price_per_chip_on_a_v4() {
        let v4 = chip("tpu-v4");
        assert!(near(Per::Chip.restate(3.22, Per::Core, v4), 1.61));
        assert!(near(HourlyPrice { usd: 1.61, per: Per::Core }.usd_per_chip_hour(v4), 3.22));
        // The claim is "v4: $1.20 per 8 cores". 8 cores are 4 chips, which cost $12.88 on demand and $3.69 spot.
        let cores = |usd| HourlyPrice { usd, per: Per::Chip }.total(8, Per::Core, 1.0, v4);
        assert!(near(cores(3.22), 12.88) && near(cores(0.9215), 3.686));
        assert!(HourlyPrice { usd: 1.2, per: Per::Slice(4) }.usd_per_chip_hour(v4) < Some(0.9215));
    }

    #[test]
    fn a_host_of_eight_cores_is_four_chips_and_not_eight() {
        // A preemptible v3-8 costs $2.40 per hour. 512 cores are 64 hosts, which cost $195 for 76 minutes. 512 hosts
        // would cost $1556 ($1561 with the hours rounded to 1.27).
        let v3 = chip("tpu-v3");
        let host = HourlyPrice { usd: 2.4, per: Per::Slice(4) };
        let hours = 76.0 / 60.0;
        assert!(near(host.usd_per_chip_hour(v3), 0.6));
        assert_eq!(host.total(512, Per::Core, hours, v3).map(f64::round), Some(195.0));
        assert_eq!(host.total(512, Per::Slice(4), hours, v3).map(f64::round), Some(1556.0));
        // The paper's pod has 1024 chips, 2048 cores and 256 hosts. It costs $778 preemptible, and $2594 on demand at
        // $8.00.
        for (count, of) in [(1024, Per::Chip), (2048, Per::Core), (256, Per::Slice(4))] {
            assert_eq!(host.total(count, of, hours, v3).map(f64::round), Some(778.0));
            let on_demand = HourlyPrice { usd: 8.0, per: Per::Slice(4) };
            assert_eq!(on_demand.total(count, of, hours, v3).map(f64::floor), Some(2594.0));
        }
    }

    #[test]
    fn names_count_cores_in_some_generations_and_chips_in_others() {
        for (id, name, chips) in [
            ("tpu-v2", "v2-8", Some(4)),
            ("tpu-v3", "v3-8", Some(4)),
            ("tpu-v4", "v4-8", Some(4)),
            ("tpu-v4", "v4-7", None),
            ("tpu-v5p", "v5p-128", Some(64)),
            ("tpu-v5e", "v5e-128", Some(128)),
            ("tpu-v5e", "v5litepod-16", Some(16)),
            ("tpu-v6e", "v6e-256", Some(256)),
            ("tpu-v4", "v5p-128", None),
            ("tpu-v4", "v4-", None),
            ("tpu-v4", "v4-18446744073709551616", None),
            ("tpu-7x", "7x-8", None),
            ("h100-sxm", "h100-8", None),
        ] {
            assert_eq!(chip(id).chips_of_slice(name), chips, "{name}");
        }
    }

    #[test]
    fn whole_nodes_divide_by_their_gpus() {
        // A p4d.24xlarge with 8 A100 costs $21.957642 (AWS price list, 2026-07-28). 8 v5e at $1.20 cost $9.60.
        let node = HourlyPrice { usd: 21.957_642, per: Per::Slice(8) };
        let gpu = node.usd_per_chip_hour(chip("a100-40")).expect("known");
        assert!((gpu - 2.7447).abs() < 5e-5);
        assert!(near(Per::Chip.restate(1.2, Per::Slice(8), chip("tpu-v5e")), 9.6));
    }

    #[test]
    fn there_is_no_core_where_none_is_published_and_nothing_in_an_empty_slice() {
        assert_eq!(Per::Core.restate(1.0, Per::Chip, chip("h100-sxm")), None);
        assert_eq!(Per::Slice(0).restate(1.0, Per::Chip, chip("tpu-v4")), None);
        let mut none = chip("tpu-v4").clone();
        if let Compute::Arrays { cores, .. } = &mut none.compute {
            *cores = Sourced::yours(Some(0));
        }
        assert_eq!((none.cores(), Per::Core.chips(&none)), (None, None));
    }
}
