//! The time of one matrix product on one chip.
//!
//! Where rows were measured, a calibrated model says it ([`tpu_v4`]); elsewhere a general one does, from the chip's
//! published peak and bandwidth and a few shares measured on it or on its nearest relative ([`calibration`]). How far
//! either is off is in [`accuracy`].

pub mod accuracy;
pub mod calibration;
pub mod tpu_v4;
mod traffic;

use crate::sizes::up;
use crate::{Chip, Compute, FlopsPerSec, GemmSizes, Mfu, MfuRefusal, Missing, PeakDtype, Per, Seconds};
use calibration::Calibration;

/// Which matrix of a product never goes to memory, because a kernel makes and uses it on the chip: the scores of
/// attention, as in FlashAttention (Dao et al. 2022).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaysOnChip {
    /// None.
    #[default]
    Nothing,
    /// The first operand.
    A,
    /// The second operand.
    B,
    /// The result.
    C,
}

/// What takes most of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Starting at all.
    Launch,
    /// Multiplying.
    Compute,
    /// Loading operands into the arrays again and converting them, inside the chip.
    Reload,
    /// Moving operands and results between memory and chip.
    Memory,
}

impl Limit {
    /// The word in a table.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Launch => "launch",
            Self::Compute => "compute",
            Self::Reload => "reload",
            Self::Memory => "memory",
        }
    }
}

/// The parts of a time; how they add up is the model's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// Before anything is multiplied.
    pub launch: Seconds,
    /// Multiplying, padding included.
    pub math: Seconds,
    /// Loading and converting inside the chip.
    pub reload: Seconds,
    /// Moving between memory and chip.
    pub memory: Seconds,
}

impl Parts {
    /// The largest where the product is launched with others, so that the launch is not its own.
    pub fn limit_among_others(self) -> Limit {
        Self { launch: Seconds(0.0), ..self }.limit()
    }

    /// The largest.
    pub fn limit(&self) -> Limit {
        let parts = [
            (self.math, Limit::Compute),
            (self.memory, Limit::Memory),
            (self.reload, Limit::Reload),
            (self.launch, Limit::Launch),
        ];
        parts.into_iter().fold(parts[0], |most, part| if part.0.0 > most.0.0 { part } else { most }).1
    }
}

/// The time of one product.
#[derive(Clone, Copy, Debug)]
pub struct GemmTime {
    /// From launch to result.
    pub total: Seconds,
    /// What it is made of.
    pub parts: Parts,
    /// Useful share of the array's width and depth; `None` where the chip has no arrays.
    pub eta_tile: Option<f64>,
    /// Model FLOPs ÷ (peak · time).
    pub mfu: Result<Mfu, MfuRefusal>,
}

impl GemmTime {
    /// The time on a whole chip, or on one of its cores.
    ///
    /// # Errors
    /// [`MfuRefusal::Unknown`] where the maker published no peak for the dtype or no bandwidth;
    /// [`MfuRefusal::NoRate`] for a product without work.
    pub fn new(chip: &Chip, dtype: PeakDtype, product: GemmSizes, per: Per) -> Result<Self, MfuRefusal> {
        Self::in_kernel(chip, dtype, product, per, StaysOnChip::Nothing)
    }

    /// The time of a product that is part of a larger kernel.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn in_kernel(
        chip: &Chip,
        dtype: PeakDtype,
        product: GemmSizes,
        per: Per,
        stays: StaysOnChip,
    ) -> Result<Self, MfuRefusal> {
        if product.flops() <= 0.0 {
            return Err(MfuRefusal::NoRate);
        }
        let device = Device::of(chip, dtype, per)?;
        let eta_tile = device.sides.map(|(rows, cols)| product.eta_tile(rows, cols));
        let (total, parts) = if tpu_v4::applies_to(chip, dtype, per) && stays == StaysOnChip::Nothing {
            tpu_v4::time(product)
        } else {
            device.time(product, dtype, stays, calibration::of(chip).0)
        };
        Ok(Self { total, parts, eta_tile, mfu: Mfu::new(product.flops(), total, device.peak) })
    }
}

/// Rows of a layout tile: a register holds 32 bits in each of 8 sublanes (Pallas, TPU details).
const fn sublanes(dtype: PeakDtype) -> u64 {
    match dtype {
        PeakDtype::F32 | PeakDtype::Tf32 => 8,
        PeakDtype::Bf16 | PeakDtype::F16 | PeakDtype::Int16 => 16,
        PeakDtype::Fp8 | PeakDtype::Int8 => 32,
        PeakDtype::Fp4 | PeakDtype::Int4 => 64,
    }
}

/// What runs the product.
#[derive(Clone, Copy, Debug)]
struct Device {
    peak: FlopsPerSec,
    bytes_per_sec: f64,
    /// Rows and columns of an array.
    sides: Option<(u32, u32)>,
    /// Arrays.
    units: u64,
}

impl Device {
    fn of(chip: &Chip, dtype: PeakDtype, per: Per) -> Result<Self, MfuRefusal> {
        let unknown = |missing| MfuRefusal::Unknown { missing };
        let peak = chip.peak_flops(chip.multiplied_as(dtype)).ok_or(unknown(Missing::Peak(dtype)))?;
        let bandwidth = chip.memory.bytes_per_sec().ok_or(unknown(Missing::Bandwidth))?;
        let part = match per {
            Per::Core | Per::Chip => per.chips(chip).ok_or(unknown(Missing::Cores))?,
            Per::Slice(_) => return Err(unknown(Missing::Split)),
        };
        let (sides, units) = match &chip.compute {
            Compute::Arrays { rows, cols, units_per_core, cores, .. } => {
                let units = units_per_core.value.zip(cores.value).map_or(1, |(units, cores)| u64::from(units * cores));
                (rows.value.zip(cols.value), units)
            }
            Compute::TensorCores { .. } | Compute::Unknown(_) => (None, 1),
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few arrays")]
        let units = ((units as f64 * part).round() as u64).max(1);
        Ok(Self { peak: FlopsPerSec(peak.0 * part), bytes_per_sec: bandwidth * part, sides, units })
    }

    /// `launch + max(math, memory) + min(math, memory) ÷ steps`: in the first of the steps nothing is there to be
    /// multiplied yet, and afterwards moving and multiplying go side by side.
    fn time(&self, product: GemmSizes, dtype: PeakDtype, stays: StaysOnChip, with: &Calibration) -> (Seconds, Parts) {
        let bytes = dtype.bytes();
        let math = self.busiest_flops(product, sublanes(dtype)) / (self.peak.0 * with.math_share);
        let blocks = |extent: u64| extent.div_ceil(calibration::TILE).max(1) as f64;
        let (m, k, n) = (product.m as f64, product.k as f64, product.n as f64);
        // Each panel of A is read for every block of columns of C, each of B for every block of rows.
        let moves = |elements: f64, matrix: StaysOnChip| if stays == matrix { 0.0 } else { bytes * elements };
        let moved = moves(m * k * blocks(product.n), StaysOnChip::A)
            + moves(k * n * blocks(product.m), StaysOnChip::B)
            + moves(m * n, StaysOnChip::C);
        let memory = moved / (self.bytes_per_sec * with.memory_share);
        let steps = blocks(product.m) * blocks(product.n) * blocks(product.k);
        let total = with.launch_sec + math.max(memory) + math.min(memory) / steps;
        let parts = Parts {
            launch: Seconds(with.launch_sec),
            math: Seconds(math),
            reload: Seconds(0.0),
            memory: Seconds(memory),
        };
        (Seconds(total), parts)
    }

    /// The work with every side filled up to whole tiles.
    fn padded_flops(&self, product: GemmSizes, sublanes: u64) -> f64 {
        match self.sides {
            Some((rows, cols)) => {
                2.0 * up(product.m, sublanes) * up(product.k, rows.into()) * up(product.n, cols.into())
            }
            None => product.flops(),
        }
    }

    /// The work as if every array had as much as the busiest: blocks of 128 rows by one array's columns are dealt out
    /// whole, and whoever has any has a whole one.
    fn busiest_flops(&self, product: GemmSizes, sublanes: u64) -> f64 {
        let padded = self.padded_flops(product, sublanes);
        let Some((rows, cols)) = self.sides else { return padded };
        let blocks = product.m.div_ceil(BLOCK_ROWS).max(1) as f64 * product.n.div_ceil(cols.into()).max(1) as f64;
        let units = self.units as f64;
        let block = 2.0 * up(product.m.min(BLOCK_ROWS), sublanes) * up(product.k, rows.into()) * f64::from(cols);
        (padded * (blocks / units).ceil() * units / blocks).max(block * units)
    }
}

/// Rows of A that are dealt out together.
const BLOCK_ROWS: u64 = 128;
