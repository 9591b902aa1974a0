//! What runs a product: peak, bandwidth and arrays of a chip or of a core, and the time of a product on it.

use super::calibration::{self, Calibration};
use super::{Parts, StaysOnChip};
use crate::sizes::up;
use crate::{AsRun, Chip, Compute, FlopsPerSec, Format, GemmSizes, MfuRefusal, Missing, PeakDtype, Per, Seconds};

/// Rows of A that are dealt out together.
const BLOCK_ROWS: u64 = 128;

/// Rows of a layout tile: a register holds 32 bits in each of 8 sublanes (Pallas, TPU details).
pub(super) const fn sublanes(dtype: PeakDtype) -> u64 {
    match dtype {
        PeakDtype::F32 | PeakDtype::Tf32 => 8,
        PeakDtype::Bf16 | PeakDtype::F16 | PeakDtype::Int16 => 16,
        PeakDtype::Fp8 | PeakDtype::Int8 => 32,
        PeakDtype::Fp4 | PeakDtype::Int4 => 64,
    }
}

/// What runs the product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Device {
    /// Of the format that is multiplied.
    pub(super) peak: FlopsPerSec,
    pub(super) bytes_per_sec: f64,
    /// Rows and columns of an array.
    pub(super) sides: Option<(u32, u32)>,
    /// Arrays.
    pub(super) units: u64,
    pub(super) as_run: AsRun,
}

/// A time as it grows: multiplying, then what memory adds when each byte crosses once, what reading bytes again adds,
/// and launching.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stages {
    pub(super) total: Seconds,
    pub(super) parts: Parts,
    /// With each element moved once.
    pub(super) moved_once: f64,
    /// With everything that moves or is loaded again.
    pub(super) moved: f64,
}

impl Stages {
    /// Parts that add up.
    pub(super) fn fitted(total: Seconds, parts: Parts) -> Self {
        let moved_once = parts.math.0 + parts.memory.0;
        Self { total, parts, moved_once, moved: moved_once + parts.reload.0 }
    }
}

impl Device {
    pub(super) fn of(chip: &Chip, format: Format, per: Per) -> Result<Self, MfuRefusal> {
        let unknown = |missing| MfuRefusal::Unknown { missing };
        let as_run = chip.as_run(format)?;
        let peak = chip.peak_flops(as_run.multiplied).ok_or(unknown(Missing::Peak(as_run.multiplied)))?;
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
        Ok(Self { peak: FlopsPerSec(peak.0 * part), bytes_per_sec: bandwidth * part, sides, units, as_run })
    }

    /// `launch + max(math, memory) + min(math, memory) ÷ steps`: in the first of the steps nothing is there to be
    /// multiplied yet, and afterwards moving and multiplying go side by side.
    pub(super) fn stages(&self, product: GemmSizes, stays: StaysOnChip, with: &Calibration) -> Stages {
        let math = self.multiplied_flops(product) / (self.peak.0 * with.math_share);
        let steps = blocks(product.m) * blocks(product.n) * blocks(product.k);
        let per_byte = 1.0 / (self.bytes_per_sec * with.memory_share);
        let memory = moved_bytes(product, self.as_run.stored, stays) * per_byte;
        let once = product.least_bytes(self.as_run.stored, stays) * per_byte;
        let beside = |memory: f64| math.max(memory) + math.min(memory) / steps;
        let total = Seconds(with.launch_sec + math.max(memory) + math.min(memory) / steps);
        let parts = Parts {
            launch: Seconds(with.launch_sec),
            math: Seconds(math),
            reload: Seconds(0.0),
            memory: Seconds(memory),
        };
        Stages { total, parts, moved_once: beside(once), moved: beside(memory) }
    }

    /// What the arrays have time for while they multiply: every pass, with all sides filled up and the arrays without work
    /// counted as if they had some.
    pub(super) fn multiplied_flops(&self, product: GemmSizes) -> f64 {
        self.busiest_flops(product) * f64::from(self.as_run.passes)
    }

    /// The work with every side filled up to whole tiles.
    pub(super) fn padded_flops(&self, product: GemmSizes) -> f64 {
        match self.sides {
            Some((rows, cols)) => {
                2.0 * up(product.m, self.sublanes()) * up(product.k, rows.into()) * up(product.n, cols.into())
            }
            None => product.flops(),
        }
    }

    /// The work as if every array had as much as the busiest: blocks of 128 rows by one array's columns are dealt out
    /// whole, and whoever has any has a whole one.
    pub(super) fn busiest_flops(&self, product: GemmSizes) -> f64 {
        let padded = self.padded_flops(product);
        let Some((rows, cols)) = self.sides else { return padded };
        let (blocks, units) = (self.dealt(product), self.units as f64);
        let block = 2.0 * up(product.m.min(BLOCK_ROWS), self.sublanes()) * up(product.k, rows.into()) * f64::from(cols);
        (padded * (blocks / units).ceil() * units / blocks).max(block * units)
    }

    /// Blocks that are dealt out to the arrays; 1 where there are none.
    pub(super) fn dealt(&self, product: GemmSizes) -> f64 {
        let Some((_, cols)) = self.sides else { return 1.0 };
        product.m.div_ceil(BLOCK_ROWS).max(1) as f64 * product.n.div_ceil(cols.into()).max(1) as f64
    }

    /// Rows to which M is filled up.
    pub(super) const fn sublanes(&self) -> u64 {
        sublanes(self.as_run.multiplied)
    }
}

/// Blocks of a tile's side.
fn blocks(extent: u64) -> f64 {
    extent.div_ceil(calibration::TILE).max(1) as f64
}

/// Bytes that move: each panel of A is read for every block of columns of C, each of B for every block of rows.
pub(super) fn moved_bytes(product: GemmSizes, dtype: PeakDtype, stays: StaysOnChip) -> f64 {
    let (m, k, n) = (product.m as f64, product.k as f64, product.n as f64);
    let moves = |elements: f64, matrix: StaysOnChip| if stays == matrix { 0.0 } else { dtype.bytes() * elements };
    moves(m * k * blocks(product.n), StaysOnChip::A)
        + moves(k * n * blocks(product.m), StaysOnChip::B)
        + moves(m * n, StaysOnChip::C)
}
