//! Data of accelerator chips, from published documents.

use std::borrow::Cow;

use crate::chips_generated::{self, CHIPS};
use crate::{FlopsPerSec, Fp8, PeakDtype, Price, Sourced};

/// Day on which the whole chip table was last checked, `YYYY-MM-DD`.
pub const AS_OF: &str = chips_generated::AS_OF;

/// One accelerator chip. Every number has its source; an unpublished number is `None`.
#[derive(Clone, Debug)]
pub struct Chip {
    /// Stable name in links and data: `tpu-v4`.
    pub id: &'static str,
    /// Name on screen: `TPU v4`.
    pub name: &'static str,
    /// Maker of the chip.
    pub vendor: &'static str,
    /// Year of deployment or announcement.
    pub year: Sourced<u16>,
    /// Units of the chip that multiply matrices.
    pub compute: Compute,
    /// Clock of the units that multiply matrices, in MHz.
    pub clock_mhz: Sourced<f64>,
    /// Published dense peaks in TFLOPS (integer dtypes: TOPS), by dtype.
    pub peaks: Cow<'static, [(PeakDtype, Sourced<f64>)]>,
    /// 8-bit float format of the chip's fp8 peak; `None` if no document states the format.
    pub fp8_format: Option<Sourced<Fp8>>,
    /// Format that the chip multiplies instead of f16, if the chip has no native f16.
    pub f16_as: Option<Sourced<PeakDtype>>,
    /// Main memory of the chip.
    pub memory: Memory,
    /// Power of the chip in watts, by kind.
    pub power_watts: Cow<'static, [(PowerKind, Sourced<f64>)]>,
    /// Number of chips in the largest pod or node that the chip's own links connect.
    pub pod_chips: Sourced<u32>,
    /// Prices of the chip per hour.
    pub prices: Cow<'static, [Price]>,
    /// True if the user changed values of the chip. Measurements on the original chip then count as measurements on
    /// another chip.
    pub is_custom: bool,
}

/// Units that multiply matrices in a chip.
#[derive(Clone, Debug)]
pub enum Compute {
    /// Systolic arrays of `rows` × `cols` PEs.
    Arrays {
        /// PE rows of one array.
        rows: Sourced<u32>,
        /// PE columns of one array.
        cols: Sourced<u32>,
        /// Arrays (a TPU's MXUs) in one core.
        units_per_core: Sourced<u32>,
        /// Cores in the chip.
        cores: Sourced<u32>,
        /// Dataflow of the arrays, such as `weight-stationary`.
        dataflow: Sourced<&'static str>,
    },
    /// Tensor cores: small matrix units, not one systolic array.
    TensorCores {
        /// Tensor cores in the chip.
        count: Sourced<u32>,
        /// Fused multiply-adds that each tensor core starts per clock cycle, at 16 bits.
        fma_per_clock: Sourced<u32>,
    },
    /// Units that the maker has not described. The text is empty, and its source names the document that was searched.
    Unknown(Sourced<&'static str>),
}

/// Main memory of a chip (HBM, or DDR3 on the first TPU).
#[derive(Clone, Debug)]
pub struct Memory {
    /// Kind of memory, in the maker's words.
    pub kind: &'static str,
    /// True if only weights (B) move between memory and chip. Activations (A and C) stay on the chip.
    pub holds_only_weights: bool,
    /// Capacity in `unit`.
    pub capacity: Sourced<f64>,
    /// Unit of the capacity in the document.
    pub unit: CapacityUnit,
    /// Bandwidth in GB/s (10⁹ bytes per second).
    pub gb_per_sec: Sourced<f64>,
}

impl Memory {
    /// Capacity in bytes.
    pub fn bytes(&self) -> Option<f64> {
        self.capacity.value.map(|capacity| capacity * self.unit.bytes())
    }

    /// Bandwidth in bytes per second.
    pub fn bytes_per_sec(&self) -> Option<f64> {
        self.gb_per_sec.value.map(|gb| gb * 1e9)
    }
}

/// Unit of a memory capacity. Some documents use GB, others GiB, and the table keeps the unit of each document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapacityUnit {
    /// 10⁹ bytes.
    Gb,
    /// 2³⁰ bytes.
    Gib,
}

impl CapacityUnit {
    /// Symbol of the unit.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Gb => "GB",
            Self::Gib => "GiB",
        }
    }

    /// Bytes in one unit.
    pub const fn bytes(self) -> f64 {
        match self {
            Self::Gb => 1e9,
            Self::Gib => 1_073_741_824.0,
        }
    }
}

/// Kind of a power value, such as design limit or measured mean. Do not compare numbers of different kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerKind {
    /// Thermal design power.
    Tdp,
    /// Measured mean power.
    Mean,
    /// Measured minimum power.
    Min,
    /// Measured maximum power.
    Max,
    /// Power measured while the chip is busy.
    Busy,
    /// A whole system's power divided by its chips.
    SystemPerChip,
}

/// Usual names of chips, each with the id of the chip. The names are in lower case, without the maker and without
/// punctuation.
const USUAL_NAMES: [(&str, &str); 27] = [
    ("v5litepod", "tpu-v5e"),
    ("v5lite", "tpu-v5e"),
    ("v5", "tpu-v5p"),
    ("v6lite", "tpu-v6e"),
    ("trillium", "tpu-v6e"),
    ("v7x", "tpu-7x"),
    ("ironwood", "tpu-7x"),
    ("a100", "a100-80"),
    ("a10080gb", "a100-80"),
    ("a10040gb", "a100-40"),
    ("h100", "h100-sxm"),
    ("h10080gb", "h100-sxm"),
    ("h200", "h200-sxm"),
    ("h800", "h800-sxm"),
    ("b200", "b200-sxm"),
    ("b300", "b300-sxm"),
    ("gb200nvl72", "gb200"),
    ("gb300nvl72", "gb300"),
    ("4090", "rtx-4090"),
    ("5090", "rtx-5090"),
    ("a6000", "rtx-a6000"),
    ("teslat4", "t4"),
    ("trn1", "trainium1"),
    ("trn2", "trainium2"),
    ("trn3", "trainium3"),
    ("mi300", "mi300x"),
    ("mi325", "mi325x"),
];

impl Chip {
    /// All chips of the table, in the order in which menus list them.
    pub fn all() -> &'static [Self] {
        &CHIPS
    }

    /// The chip with exactly this id.
    pub fn by_id(id: &str) -> Option<&'static Self> {
        Self::all().iter().find(|chip| chip.id == id)
    }

    /// The chip with this id, or with a usual name: `h100`, `v5e`, `TPU v6e`, `trn2`, `RTX 4090`.
    ///
    /// ```
    /// use perfmodel::Chip;
    ///
    /// let id = |name| Chip::named(name).map(|chip| chip.id);
    /// assert_eq!(["h100", "v5e", "TPU v6e", "4090"].map(id), [Some("h100-sxm"), Some("tpu-v5e"), Some("tpu-v6e"), Some("rtx-4090")]);
    /// assert_eq!(id("h9000"), None);
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        let plain = |name: &str| {
            let letters = name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase());
            let letters: String = letters.collect();
            let makers = ["nvidia", "google", "amd", "aws", "intel", "cloud", "geforce", "instinct", "tpu"];
            makers.iter().fold(letters, |name, maker| name.strip_prefix(maker).map(str::to_owned).unwrap_or(name))
        };
        let wanted = plain(name);
        let usual = USUAL_NAMES.iter().find(|(usual, _)| *usual == wanted).map(|(_, id)| *id);
        Self::by_id(usual.unwrap_or(name)).or_else(|| Self::all().iter().find(|chip| plain(chip.id) == wanted))
    }

    /// Number of MAC lanes of the chip. In each clock cycle, one MAC can start per lane.
    ///
    /// The number is `rows · cols · units per core · cores` for arrays, and `tensor cores · FMA per clock` for tensor
    /// cores.
    pub fn lanes(&self) -> Option<u64> {
        match &self.compute {
            Compute::Arrays { rows, cols, units_per_core, cores, .. } => [rows, cols, units_per_core, cores]
                .into_iter()
                .try_fold(1_u64, |lanes, factor| Some(lanes * u64::from(factor.value?))),
            Compute::TensorCores { count, fma_per_clock } => {
                Some(u64::from(count.value?) * u64::from(fma_per_clock.value?))
            }
            Compute::Unknown(_) => None,
        }
    }

    /// The published peak for a dtype in TFLOPS, if the table has an entry for the dtype. The value in the entry may be
    /// unknown.
    pub fn peak(&self, dtype: PeakDtype) -> Option<&Sourced<f64>> {
        self.peaks.iter().find(|(of, _)| *of == dtype).map(|(_, peak)| peak)
    }

    /// The published peak for a dtype as a rate.
    pub fn peak_flops(&self, dtype: PeakDtype) -> Option<FlopsPerSec> {
        self.peak(dtype)?.value.map(FlopsPerSec::from_tflops)
    }

    /// The power for estimates of energy: the measured mean if published, else the first published value.
    ///
    /// The mean comes first, because it is closer than a design limit to the power that a chip draws.
    pub fn usual_power(&self) -> Option<&(PowerKind, Sourced<f64>)> {
        let known = || self.power_watts.iter().filter(|(_, watts)| watts.value.is_some());
        known().find(|(kind, _)| *kind == PowerKind::Mean).or_else(|| known().next())
    }

    /// The default price of a cost estimate: the first on-demand price of the list, else the first price of any kind.
    /// Prices without a number are skipped. The list begins with a US region of Google or AWS, if they rent the chip on
    /// demand.
    pub fn default_price(&self) -> Option<&Price> {
        let known = || self.prices.iter().filter(|price| price.usd_per_chip_hour.value.is_some());
        known().find(|price| price.is_on_demand()).or_else(|| known().next())
    }
}
