//! The device (a chip or a core) that runs a matmul: its peak, bandwidth and arrays, and the time of the matmul.

use super::calibration::{self, Calibration};
use super::dealing::{Arrays, Dealing};
use super::gpu::{self, Gpu};
use super::{Parts, StaysOnChip};
use crate::{AsRun, Chip, Compute, FlopsPerSec, Format, GemmSizes, MfuRefusal, Missing, PeakDtype, Per, Seconds};

/// Number of rows in a layout tile, the block in which a TPU stores a matrix. A register has 8 sublanes of 32 bits, so
/// narrower formats have more rows (Pallas, TPU details).
const fn sublanes(dtype: PeakDtype) -> u64 {
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
    /// The arrays; `None` if the chip has no arrays or their size is unknown. If only their number is unknown, it
    /// counts as 1.
    pub(super) arrays: Option<Arrays>,
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
        let holds_only_weights = chip.memory.holds_only_weights;
        let arrays = match &chip.compute {
            Compute::Arrays { rows, cols, units_per_core, cores, dataflow, .. } => {
                let units = units_per_core.value.zip(cores.value).map_or(1, |(units, cores)| u64::from(units * cores));
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few arrays")]
                let units = ((units as f64 * part).round() as u64).max(1);
                let holds_weights = dataflow.value.is_some_and(|dataflow| dataflow.starts_with("weight-stationary"));
                // The memory of TPU v1 delivers weights more slowly than the arrays load them.
                let waits_for_weights = holds_weights && !holds_only_weights;
                rows.value.zip(cols.value).map(|(rows, cols)| Arrays { rows, cols, units, waits_for_weights })
            }
            Compute::TensorCores { .. } | Compute::Unknown(_) => None,
        };
        let (peak, bytes_per_sec) = (FlopsPerSec(peak.0 * part), bandwidth * part);
        Ok(Self { peak, bytes_per_sec, holds_only_weights, arrays, as_run })
    }

    /// Stages of a matmul's time, which is `launch + exposed + max(math, memory − exposed)`. The exposed memory time is
    /// the time to read the first tiles of A and B and to write the last tile of C. All other data movement overlaps
    /// with multiplication. With one tile, nothing overlaps. Inside a larger kernel, nothing is exposed, because the
    /// operands of the next matmul move during this matmul.
    pub(super) fn stages(&self, product: GemmSizes, stays: StaysOnChip, with: &Calibration) -> Stages {
        let math = self.at_the_peak(product) / with.math_share;
        let per_byte = 1.0 / (self.bytes_per_sec * with.memory_share);
        let memory = moved_bytes(product, self.as_run.stored, stays) * per_byte;
        let once = product.least_bytes(self.as_run.stored, stays) * per_byte;
        let exposed = match stays {
            StaysOnChip::Nothing => one_tile(product).least_bytes(self.as_run.stored, stays) * per_byte,
            StaysOnChip::A | StaysOnChip::B | StaysOnChip::C => 0.0,
        };
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
        let (rows, cols) = self.arrays.map_or((1.0, 1.0), |arrays| (f64::from(arrays.rows), f64::from(arrays.cols)));
        let tiles = self.dealing(product).map_or(1.0, |dealing| dealing.folds / f64::from(self.as_run.passes));
        let cycle = self.cycle() * f64::from(self.as_run.passes);
        let arrival = rows * cols * self.units() as f64 * self.as_run.stored.bytes() / self.bytes_per_sec;
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

    /// The work of the busiest array; `None` if the chip has no arrays or their size is unknown. If only weights come from
    /// memory, no two arrays share a tile.
    pub(super) fn dealing(&self, product: GemmSizes) -> Option<Dealing> {
        let (arrays, passes) = (self.arrays?, self.as_run.passes);
        Some(if self.holds_only_weights {
            Dealing::shared(product, arrays, passes, 1)
        } else {
            Dealing::new(product, arrays, passes)
        })
    }

    /// Number of arrays; 1 if the chip has no arrays.
    pub(super) fn units(&self) -> u64 {
        self.arrays.map_or(1, |arrays| arrays.units)
    }

    /// Rows and columns of an array.
    pub(super) fn sides(&self) -> Option<(u32, u32)> {
        self.arrays.map(|arrays| (arrays.rows, arrays.cols))
    }

    /// Number of rows in a layout tile of a matrix in memory.
    pub(super) const fn sublanes(&self) -> u64 {
        sublanes(self.as_run.multiplied)
    }

    /// Seconds of one cycle of the arrays: 2 · PEs ÷ peak. A published clock is not needed.
    pub(super) fn cycle(&self) -> f64 {
        let pes = self.arrays.map_or(1.0, |arrays| f64::from(arrays.rows) * f64::from(arrays.cols));
        2.0 * pes * self.units() as f64 / self.peak.0
    }

    /// Seconds of multiplication if the cycles of the arrays are the only loss. If the size of the arrays is unknown,
    /// seconds of multiplication at the peak.
    pub(super) fn at_the_peak(&self, product: GemmSizes) -> f64 {
        let all = product.flops() * f64::from(self.as_run.passes) / self.peak.0;
        self.dealing(product).map_or(all, |dealing| dealing.cycles() * self.cycle())
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
