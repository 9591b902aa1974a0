//! One accelerator as its documents describe it.

use std::borrow::Cow;

use crate::chips_generated::{self, CHIPS};
use crate::{FlopsPerSec, Fp8, PeakDtype, Price, Sourced};

/// The day the whole table was last checked, `YYYY-MM-DD`.
pub const AS_OF: &str = chips_generated::AS_OF;

/// One accelerator chip. Every number has its source; a number nobody published is `None`.
#[derive(Clone, Debug)]
pub struct Chip {
    /// Stable name in links and data: `tpu-v4`.
    pub id: &'static str,
    /// Name on screen: `TPU v4`.
    pub name: &'static str,
    /// Who makes it.
    pub vendor: &'static str,
    /// Year it was deployed or announced.
    pub year: Sourced<u16>,
    /// What multiplies matrices in it.
    pub compute: Compute,
    /// Clock of that compute in MHz.
    pub clock_mhz: Sourced<f64>,
    /// Published dense peaks in TFLOPS (integer dtypes: TOPS), by dtype.
    pub peaks: Cow<'static, [(PeakDtype, Sourced<f64>)]>,
    /// Which 8-bit float its fp8 peak is of; `None` where no document says.
    pub fp8_format: Option<Sourced<Fp8>>,
    /// The format that it multiplies instead of f16, if it has none of its own.
    pub f16_as: Option<Sourced<PeakDtype>>,
    /// The memory beside the chip.
    pub memory: Memory,
    /// What it draws, in watts.
    pub power_watts: Cow<'static, [(PowerKind, Sourced<f64>)]>,
    /// Chips in the largest pod or node joined by the chip's own links.
    pub pod_chips: Sourced<u32>,
    /// What an hour of it costs.
    pub prices: Cow<'static, [Price]>,
    /// Whether somebody set values of it: what was measured on the chip of that name then holds for another one.
    pub is_custom: bool,
}

/// What multiplies matrices in a chip.
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
        /// Which operand the arrays hold, in words.
        dataflow: Sourced<&'static str>,
    },
    /// Tensor cores: small matrix units, not one systolic array.
    TensorCores {
        /// Tensor cores in the chip.
        count: Sourced<u32>,
        /// Fused multiply-adds each starts per clock, at 16 bit.
        fma_per_clock: Sourced<u32>,
    },
    /// The maker has not said; the text is empty and only its source counts.
    Unknown(Sourced<&'static str>),
}

/// The memory beside a chip (HBM, or DDR3 on the first TPU).
#[derive(Clone, Debug)]
pub struct Memory {
    /// Kind of memory, in the maker's words.
    pub kind: &'static str,
    /// Capacity in `unit`.
    pub capacity: Sourced<f64>,
    /// The unit the document states the capacity in.
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

/// Documents mix two units of capacity; the table says which one is theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapacityUnit {
    /// 10⁹ bytes.
    Gb,
    /// 2³⁰ bytes.
    Gib,
}

impl CapacityUnit {
    /// The unit's sign.
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

/// What a watt figure means. Different kinds are different bases: do not rank one against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerKind {
    /// Thermal design power.
    Tdp,
    /// Measured mean.
    Mean,
    /// Measured minimum.
    Min,
    /// Measured maximum.
    Max,
    /// Measured while busy.
    Busy,
    /// Measured while idle.
    Idle,
    /// A whole system's power divided by its chips.
    SystemPerChip,
}

impl Chip {
    /// Every chip of the table, in the order a picker lists them.
    pub fn all() -> &'static [Self] {
        &CHIPS
    }

    /// The chip with this id, compared exactly.
    pub fn by_id(id: &str) -> Option<&'static Self> {
        Self::all().iter().find(|chip| chip.id == id)
    }

    /// MAC lanes of the chip: places where a MAC can start each clock at one MAC per lane.
    ///
    /// `rows · cols · units per core · cores`, or `tensor cores · FMA per clock`.
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

    /// The published peak for a dtype in TFLOPS, if the table has an entry for it (whose value may still be unknown).
    pub fn peak(&self, dtype: PeakDtype) -> Option<&Sourced<f64>> {
        self.peaks.iter().find(|(of, _)| *of == dtype).map(|(_, peak)| peak)
    }

    /// The published peak for a dtype as a rate.
    pub fn peak_flops(&self, dtype: PeakDtype) -> Option<FlopsPerSec> {
        self.peak(dtype)?.value.map(FlopsPerSec::from_tflops)
    }

    /// The power that energy is worked out with: the measured mean where one is published, else the first that is.
    ///
    /// A design limit is no average: a mean is nearer to what a chip draws.
    pub fn usual_power(&self) -> Option<&(PowerKind, Sourced<f64>)> {
        let known = || self.power_watts.iter().filter(|(_, watts)| watts.value.is_some());
        known().find(|(kind, _)| *kind == PowerKind::Mean).or_else(|| known().next())
    }

    /// The price a bill starts from: the first on-demand price in a US region, else the first on-demand price,
    /// else the first price of any kind; prices without a number are passed over.
    pub fn default_price(&self) -> Option<&Price> {
        let known = || self.prices.iter().filter(|price| price.usd_per_chip_hour.value.is_some());
        known()
            .find(|price| price.is_on_demand() && price.is_in_us())
            .or_else(|| known().find(|price| price.is_on_demand()))
            .or_else(|| known().next())
    }
}
