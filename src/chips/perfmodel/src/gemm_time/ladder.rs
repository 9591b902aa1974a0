//! Efficiency breakdown of one matmul: factors that lead from a chip's peak to the rate of the matmul.

use super::calibration::{Basis, Calibration};
use super::{Dealing, GemmTime, Kernels, StaysOnChip, calibration, gpu};
use crate::{Chip, Confidence, Format, GemmSizes, Mfu, MfuRefusal, Per, Seconds, Source};

/// Cause of a loss in the efficiency breakdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// Several multiplications in another format for each multiplication of the program.
    Format,
    /// Arrays or multiprocessors with less work than the busiest one.
    Arrays,
    /// Padding of K and N to whole arrays, or of all three sizes to thread blocks. Padding that the program added also
    /// counts.
    Tiles,
    /// Arrays that wait for the weights of the next fold.
    Load,
    /// Fill and drain of the arrays.
    FillAndDrain,
    /// On a chip with arrays, the loss that the cycles of the arrays do not explain. On a GPU, the start of thread blocks
    /// and the share of the peak that a multiprocessor with work reaches.
    Unexplained,
    /// Operands that are read from memory again or loaded into the arrays again.
    Reload,
    /// Waiting for memory, if each element moves only once.
    Memory,
    /// Launch of the program on the chip.
    Launch,
}

impl Rung {
    /// All causes, in the order of the efficiency breakdown.
    pub const ALL: [Self; 9] = [
        Self::Format,
        Self::Arrays,
        Self::Tiles,
        Self::Load,
        Self::FillAndDrain,
        Self::Unexplained,
        Self::Reload,
        Self::Memory,
        Self::Launch,
    ];

    /// Stable name of the cause.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Arrays => "arrays",
            Self::Tiles => "tiles",
            Self::Load => "load",
            Self::FillAndDrain => "fill-drain",
            Self::Unexplained => "unexplained",
            Self::Reload => "reload",
            Self::Memory => "memory",
            Self::Launch => "launch",
        }
    }
}

/// One factor of the efficiency breakdown.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Cause of the loss.
    pub rung: Rung,
    /// Rate after this step ÷ rate before this step, from 0 to 1.
    pub factor: f64,
    /// Share of the peak that remains after this step, from 0 to 1: the product of this factor and all previous
    /// factors.
    pub left: f64,
    /// Source of the data or model from which the factor is computed.
    pub source: &'static Source,
    /// Confidence in the source.
    pub confidence: Confidence,
}

/// One matmul on one whole chip: its time, its MFU and its efficiency breakdown.
///
/// The page, `systolic time`, `systolic model` and `systolic report` all use this model.
#[derive(Clone, Debug)]
pub struct ProductOnChip {
    /// Sizes of the matmul on the chip, including padding that the program added.
    pub product: GemmSizes,
    /// FLOP that the program needs: `2 · M · K · N`, with the sizes before padding.
    pub useful_flops: f64,
    /// Time of the matmul.
    pub time: GemmTime,
    /// Useful FLOP ÷ (time · peak in the format in which the chip multiplies).
    pub mfu: Mfu,
    /// Lowest and highest MFU if the share of the peak was not measured on this chip
    /// ([`Calibration::math_range`](super::calibration::Calibration::math_range)).
    pub mfu_range: Option<(f64, f64)>,
    /// Factors of the efficiency breakdown, from the peak to the MFU.
    pub steps: [Step; 9],
    /// Measurements on which the time is based.
    pub basis: Basis,
    /// Numbers that explain the factors.
    pub numbers: Numbers,
}

/// Numbers that explain the factors of one matmul.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// Rows and columns of an array; `None` if the chip has no arrays or the sizes are not published.
    pub sides: Option<(u32, u32)>,
    /// True if thread blocks run in waves on the multiprocessors of a GPU ([`gpu`]).
    pub is_gpu: bool,
    /// Number of arrays of the chip, or of multiprocessors of a GPU.
    pub units: u64,
    /// Work of the busiest array; `None` if the chip has no arrays or the sizes are not published.
    pub dealing: Option<Dealing>,
    /// Seconds of one cycle of the arrays: 2 · PEs ÷ peak.
    pub cycle: f64,
    /// Number of tiles of B, or of thread blocks on a GPU.
    pub blocks: f64,
    /// Number of rows in a layout tile of a matrix in memory.
    pub sublanes: u64,
    /// FLOP of one pass with padding.
    pub padded_flops: f64,
    /// FLOP of one pass if every array or multiprocessor had as much work as the busiest one.
    pub busiest_flops: f64,
    /// Bytes that move between memory and chip if each element moves once.
    pub least_bytes: f64,
    /// Bytes that move between memory and chip, including re-reads.
    pub moved_bytes: f64,
    /// Memory bandwidth in bytes per second, as published.
    pub bytes_per_sec: f64,
    /// Constants of the general time model. For TPU v4 in f16, the constants of [`super::tpu_v4`] apply instead.
    pub calibration: &'static Calibration,
}

static DEALT: Source = Source {
    key: "dealt",
    text: "This model gives tiles of K × N to the arrays, and divides the rows of A if that is faster. No document says how compilers divide the work",
};
static CYCLES: Source = Source {
    key: "array-cycles",
    text: "Cycles of a weight-stationary, double-buffered array of the published size, as the array view counts them, without the first load",
};
static WAVES: Source = Source {
    key: "waves",
    text: "This model runs one thread block at a time on each multiprocessor, with the tile that takes the least time",
};
static TILING: Source = Source {
    key: "tiling",
    text: "This model computes one block of 2048 by 2048 results at a time, and each block reads its operands again",
};

impl ProductOnChip {
    /// Time and efficiency breakdown of a matmul on a whole chip.
    ///
    /// # Errors
    /// Fails for the same reasons as [`GemmTime::new`]. [`MfuRefusal::AboveOne`] if the constants of a custom chip give
    /// a rate above the chip's peak.
    pub fn new(chip: &Chip, format: impl Into<Format>, product: GemmSizes) -> Result<Self, MfuRefusal> {
        Self::padded(chip, format, product, product.flops())
    }

    /// Time and efficiency breakdown of a matmul that a program has padded with zeros to the sizes `product`. Only
    /// `useful_flops` FLOP of the matmul are useful to the program.
    ///
    /// # Errors
    /// Fails for the same reasons as [`Self::new`].
    pub fn padded(
        chip: &Chip,
        format: impl Into<Format>,
        product: GemmSizes,
        useful_flops: f64,
    ) -> Result<Self, MfuRefusal> {
        let format = format.into();
        let kernels = Kernels::of(chip, format, Per::Chip);
        let (device, stages) = kernels.run(product, StaysOnChip::Nothing)?;
        let time = GemmTime::of(product, &device, &stages);
        let mfu_range = kernels.mfu_range(chip, product, useful_flops);
        let (peak, as_run) = (device.peak, device.as_run);
        let mfu = Mfu::new(useful_flops, time.total, peak)?;
        let (dealing, passes) = (device.dealing(product), f64::from(as_run.passes));
        let mut numbers = Numbers {
            sides: device.sides(),
            is_gpu: false,
            units: device.units(),
            dealing,
            cycle: device.cycle(),
            blocks: dealing.map_or(1.0, |dealing| dealing.tiles),
            sublanes: device.sublanes(),
            padded_flops: dealing.map_or(product.flops(), |dealing| dealing.padded_flops(product.m)),
            busiest_flops: dealing.map_or(product.flops(), |dealing| dealing.busiest_flops() / passes),
            least_bytes: device.least_bytes(product),
            moved_bytes: device.moved_bytes(product),
            bytes_per_sec: device.bytes_per_sec,
            calibration: calibration::calibration_of_chip(chip).0,
        };
        if let Some(gpu) = kernels.gpu {
            numbers.run_in_waves(gpu, gpu.waves(product, 1, &gpu::SHIPPED));
        }
        let ideal = useful_flops / peak.0;
        let in_passes = ideal * passes;
        let math = time.parts.math.0;
        // A measured time of multiplication may be shorter than the cycles of the arrays. The chip then distributed the
        // work better.
        let at_most = |seconds: f64| seconds.min(math);
        let dealt = at_most(in_passes * numbers.busiest_flops / numbers.padded_flops);
        let filled = at_most(passes * numbers.busiest_flops / peak.0);
        let loaded = at_most(filled + dealing.map_or(0.0, |dealing| dealing.loading() * numbers.cycle));
        let drained = match dealing {
            Some(_) if device.holds_only_weights => math,
            Some(dealing) => at_most(loaded + dealing.fill_and_drain() * numbers.cycle),
            None => loaded,
        };
        let basis = Basis::of(chip, format.dtype);
        // Each factor is a time ÷ the next time, so the product of all factors is the first time ÷ the last time.
        let factor = |rung| match rung {
            Rung::Format => ideal / in_passes,
            Rung::Arrays => in_passes / dealt,
            Rung::Tiles => dealt / filled,
            Rung::Load => filled / loaded,
            Rung::FillAndDrain => loaded / drained,
            Rung::Unexplained => drained / math,
            Rung::Memory => math / stages.moved_once,
            Rung::Reload => stages.moved_once / stages.moved,
            Rung::Launch => stages.moved / time.total.0,
        };
        let measured = basis.source();
        let source = |rung| match (rung, basis) {
            (Rung::Format, _) => as_run.source().or_else(|| native(chip, format)).unwrap_or(measured),
            (Rung::Arrays | Rung::Tiles, _) if numbers.is_gpu => (&WAVES, Confidence::Low),
            (Rung::Arrays, _) => (&DEALT, Confidence::Low),
            (Rung::Tiles | Rung::Load | Rung::FillAndDrain, _) => (&CYCLES, Confidence::Medium),
            (Rung::Reload, Basis::Measured(_) | Basis::Borrowed(_)) => (&TILING, Confidence::Low),
            (Rung::Unexplained | Rung::Reload | Rung::Memory | Rung::Launch, _) => measured,
        };
        let mut left = 1.0;
        let steps = Rung::ALL.map(|rung| {
            let factor = factor(rung);
            left *= factor;
            let (source, confidence) = source(rung);
            Step { rung, factor, left, source, confidence }
        });
        Ok(Self { product, useful_flops, time, mfu, mfu_range, steps, basis, numbers })
    }

    /// The step with the smallest factor, which loses the largest share of the rate.
    pub fn costliest(&self) -> &Step {
        self.steps.iter().fold(&self.steps[0], |most, step| if step.factor < most.factor { step } else { most })
    }

    /// Cost of the whole chip during the matmul, in US dollars.
    pub fn usd(&self, usd_per_chip_hour: f64) -> f64 {
        self.time.total.0 / 3600.0 * usd_per_chip_hour
    }

    /// Time of the matmul.
    pub const fn seconds(&self) -> Seconds {
        self.time.total
    }
}

/// Source of the chip's peak for a format. If the chip has no such peak, returns the source of [`Chip::f16_as`].
fn native(chip: &Chip, format: Format) -> Option<(&'static Source, Confidence)> {
    let own = chip.peak(format.dtype).map(|peak| (peak.source, peak.confidence));
    own.or_else(|| chip.f16_as.map(|other| (other.source, other.confidence)))
}

impl Numbers {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred multiprocessors")]
    fn run_in_waves(&mut self, gpu: gpu::Gpu, run: gpu::Waves) {
        self.is_gpu = true;
        self.units = gpu.multiprocessors as u64;
        self.blocks = run.blocks;
        self.padded_flops = run.blocks * run.flops_of_block;
        self.busiest_flops = run.waves * gpu.multiprocessors * run.flops_of_block;
    }
}
