//! The device (a chip or a core) that runs a matmul: its peak, bandwidth and arrays, and the time of the matmul.

use super::calibration::{self, Calibration};
use super::gpu::{self, Gpu};
use super::{Parts, StaysOnChip};
use crate::sizes::up;
use crate::{AsRun, Chip, Compute, FlopsPerSec, Format, GemmSizes, MfuRefusal, Missing, PeakDtype, Per, Seconds};

/// Rows of A in one block of work for an array.
const BLOCK_ROWS: u64 = 128;

/// Number of rows in a layout tile. A TPU stores a matrix as layout tiles. A register has 8 sublanes of 32 bits
/// (Pallas, TPU details).
pub(super) const fn sublanes(dtype: PeakDtype) -> u64 {
    match dtype {
        PeakDtype::F32 | PeakDtype::Tf32 => 8,
        PeakDtype::Bf16 | PeakDtype::F16 | PeakDtype::Int16 => 16,
        PeakDtype::Fp8 | PeakDtype::Int8 => 32,
        PeakDtype::Fp4 | PeakDtype::Int4 => 64,
    }
}

/// The chip or core that runs a matmul.
#[derive(Clone, Copy, Debug)]
pub(super) struct Device {
    /// Peak in the format in which the device multiplies.
    pub(super) peak: FlopsPerSec,
    pub(super) bytes_per_sec: f64,
    /// True if only B moves between memory and chip.
    pub(super) holds_only_weights: bool,
    /// Rows and columns of an array.
    pub(super) sides: Option<(u32, u32)>,
    /// Number of arrays; 1 if the chip has no arrays or their number is unknown.
    pub(super) units: u64,
    pub(super) as_run: AsRun,
}

/// Cumulative times of a matmul. Each stage adds one cause: multiplication, data movement with each byte moved once,
/// re-reads, and launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stages {
    pub(super) total: Seconds,
    pub(super) parts: Parts,
    /// Seconds for multiplication and data movement, if each element moves once.
    pub(super) moved_once: f64,
    /// Seconds for multiplication and data movement, with re-reads and without the launch.
    pub(super) moved: f64,
}

impl Stages {
    /// Builds the stages of a time whose parts add up to the total.
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
        let (peak, bytes_per_sec) = (FlopsPerSec(peak.0 * part), bandwidth * part);
        let holds_only_weights = chip.memory.holds_only_weights;
        Ok(Self { peak, bytes_per_sec, holds_only_weights, sides, units, as_run })
    }

    /// Stages of a matmul's time, which is `launch + exposed + max(math, memory − exposed)`. The exposed memory time is
    /// the time to read the first tiles of A and B and to write the last tile of C. All other data movement overlaps
    /// with multiplication. With one tile, nothing overlaps.
    pub(super) fn stages(&self, product: GemmSizes, stays: StaysOnChip, with: &Calibration) -> Stages {
        let math = self.multiplied_flops(product) / (self.peak.0 * with.math_share);
        let per_byte = 1.0 / (self.bytes_per_sec * with.memory_share);
        let memory = moved_bytes(product, self.as_run.stored, stays) * per_byte;
        let once = product.least_bytes(self.as_run.stored, stays) * per_byte;
        let exposed = one_tile(product).least_bytes(self.as_run.stored, stays) * per_byte;
        let beside = |memory: f64| exposed + math.max(memory - exposed);
        let total = Seconds(with.launch_sec + beside(memory));
        let parts = Parts {
            launch: Seconds(with.launch_sec),
            math: Seconds(math),
            reload: Seconds(0.0),
            memory: Seconds(memory),
        };
        Stages { total, parts, moved_once: beside(once), moved: beside(memory) }
    }

    /// Stages of a matmul's time on a chip whose memory holds only weights (TPU v1). The first tile of B arrives. Then,
    /// while an array multiplies M rows by one tile of B, the next tile arrives. Finally, M rows pass the last tile, from
    /// the first row of the array to the last column. This is the schedule of a double-buffered array.
    pub(super) fn weights(&self, product: GemmSizes) -> Stages {
        let (rows, cols) = self.sides.map_or((1.0, 1.0), |(rows, cols)| (f64::from(rows), f64::from(cols)));
        let tiles = (product.k as f64 / rows).ceil() * (product.n as f64 / cols).ceil();
        let tiles = (tiles / self.units as f64).ceil();
        let cycle = 2.0 * rows * cols * self.units as f64 * f64::from(self.as_run.passes) / self.peak.0;
        let arrival = rows * cols * self.units as f64 * self.as_run.stored.bytes() / self.bytes_per_sec;
        let rows_of_a = product.m as f64;
        let last = (rows_of_a + rows + cols - 1.0) * cycle;
        let total = Seconds(arrival + (tiles - 1.0) * arrival.max(rows_of_a * cycle) + last);
        let parts = Parts {
            launch: Seconds(0.0),
            math: Seconds((tiles - 1.0) * rows_of_a * cycle + last),
            reload: Seconds(0.0),
            memory: Seconds(tiles * arrival),
        };
        Stages { total, parts, moved_once: total.0, moved: total.0 }
    }

    /// Stages of a matmul's time on a GPU, which is `launch + max(math, memory)`. Many thread blocks run at once, so
    /// data movement and multiplication overlap. Each element moves once, because blocks share it in the cache.
    pub(super) fn waves(&self, product: GemmSizes, gpu: Gpu, with: &Calibration) -> Stages {
        let math = gpu.waves(product, 1, &gpu::SHIPPED).us * 1e-6 * f64::from(self.as_run.passes);
        let bytes = product.least_bytes(self.as_run.stored, StaysOnChip::Nothing);
        let memory = bytes / (self.bytes_per_sec * with.memory_share);
        let moved = math.max(memory);
        let parts = Parts {
            launch: Seconds(with.launch_sec),
            math: Seconds(math),
            reload: Seconds(0.0),
            memory: Seconds(memory),
        };
        Stages { total: Seconds(with.launch_sec + moved), parts, moved_once: moved, moved }
    }

    /// Bytes that move between memory and chip if each element moves once.
    pub(super) fn least_bytes(&self, product: GemmSizes) -> f64 {
        if self.holds_only_weights {
            return product.k as f64 * product.n as f64 * self.as_run.stored.bytes();
        }
        product.least_bytes(self.as_run.stored, StaysOnChip::Nothing)
    }

    /// Bytes that move between memory and chip, with re-reads and with the padding of weights.
    pub(super) fn moved_bytes(&self, product: GemmSizes) -> f64 {
        if self.holds_only_weights {
            return self.weights(product).parts.memory.0 * self.bytes_per_sec;
        }
        moved_bytes(product, self.as_run.stored, StaysOnChip::Nothing)
    }

    /// FLOP that all arrays could do in the time of the multiplication. The number includes every pass and all padding.
    /// Idle arrays count as busy.
    pub(super) fn multiplied_flops(&self, product: GemmSizes) -> f64 {
        self.busiest_flops(product) * f64::from(self.as_run.passes)
    }

    /// FLOP with M, K and N padded to whole tiles.
    pub(super) fn padded_flops(&self, product: GemmSizes) -> f64 {
        match self.sides {
            Some((rows, cols)) => {
                2.0 * up(product.m, self.sublanes()) * up(product.k, rows.into()) * up(product.n, cols.into())
            }
            None => product.flops(),
        }
    }

    /// FLOP if every array had as much work as the busiest array. An array gets only whole blocks of C. A block has 128
    /// rows, and as many columns as the array.
    pub(super) fn busiest_flops(&self, product: GemmSizes) -> f64 {
        let padded = self.padded_flops(product);
        let Some((rows, cols)) = self.sides else { return padded };
        let (blocks, units) = (self.dealt(product), self.units as f64);
        let block = 2.0 * up(product.m.min(BLOCK_ROWS), self.sublanes()) * up(product.k, rows.into()) * f64::from(cols);
        (padded * (blocks / units).ceil() * units / blocks).max(block * units)
    }

    /// Number of blocks that are distributed over the arrays; 1 if the chip has no arrays.
    pub(super) fn dealt(&self, product: GemmSizes) -> f64 {
        let Some((_, cols)) = self.sides else { return 1.0 };
        product.m.div_ceil(BLOCK_ROWS).max(1) as f64 * product.n.div_ceil(cols.into()).max(1) as f64
    }

    /// Number of rows in a layout tile. M is padded to a multiple of this number.
    pub(super) const fn sublanes(&self) -> u64 {
        sublanes(self.as_run.multiplied)
    }
}

/// The sizes of the first tile of a matmul.
fn one_tile(GemmSizes { m, k, n }: GemmSizes) -> GemmSizes {
    let [m, k, n] = [m, k, n].map(|side| side.min(calibration::TILE));
    GemmSizes { m, k, n }
}

/// Number of tiles along a side of `extent` elements, at least 1.
fn blocks(extent: u64) -> f64 {
    extent.div_ceil(calibration::TILE).max(1) as f64
}

/// Bytes that move between memory and chip. The chip reads all of A for every block of columns of C, and all of B for
/// every block of rows of C.
fn moved_bytes(product: GemmSizes, dtype: PeakDtype, stays: StaysOnChip) -> f64 {
    let (m, k, n) = (product.m as f64, product.k as f64, product.n as f64);
    let moves = |elements: f64, matrix: StaysOnChip| if stays == matrix { 0.0 } else { dtype.bytes() * elements };
    moves(m * k * blocks(product.n), StaysOnChip::A)
        + moves(k * n * blocks(product.m), StaysOnChip::B)
        + moves(m * n, StaysOnChip::C)
}
