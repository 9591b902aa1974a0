//! From a chip's peak down to the rate at which it runs one product, as factors that multiply to it.

use super::calibration::{Basis, Calibration};
use super::{GemmTime, StaysOnChip, calibration, device, run};
use crate::{Chip, Confidence, Format, GemmSizes, Mfu, MfuRefusal, Per, Seconds, Source};

/// What takes a part of the peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// Several products of another format for one of the program's.
    Format,
    /// Arrays without work.
    Arrays,
    /// Sides filled up to whole arrays and layout tiles, and rows that the program added.
    Tiles,
    /// What arrays do besides: filling, draining, loading, a clock below the highest.
    Pipeline,
    /// Operands read or loaded again.
    Reload,
    /// Waiting for memory, with each element moved once.
    Memory,
    /// Starting.
    Launch,
}

impl Rung {
    /// All of them, from the peak down.
    pub const ALL: [Self; 7] =
        [Self::Format, Self::Arrays, Self::Tiles, Self::Pipeline, Self::Reload, Self::Memory, Self::Launch];

    /// Stable name.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Arrays => "arrays",
            Self::Tiles => "tiles",
            Self::Pipeline => "pipeline",
            Self::Reload => "reload",
            Self::Memory => "memory",
            Self::Launch => "launch",
        }
    }
}

/// One factor.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What it is of.
    pub rung: Rung,
    /// What it leaves of the rate above it, from 0 to 1.
    pub factor: f64,
    /// What is left of the peak after it, from 0 to 1: the product of the factors so far.
    pub left: f64,
    /// Where what it rests on is written.
    pub source: &'static Source,
    /// How far to trust that.
    pub confidence: Confidence,
}

/// One product on one whole chip: its time, its MFU, and where the rest of the peak goes.
///
/// The page, `systolic time`, `systolic model` and `systolic report` all answer with this one model.
#[derive(Clone, Debug)]
pub struct ProductOnChip {
    /// As it runs: what a program padded is in it.
    pub product: GemmSizes,
    /// FLOP that the program wants: `2 · M · K · N` without what it padded.
    pub useful_flops: f64,
    /// The time.
    pub time: GemmTime,
    /// Useful FLOP ÷ (peak of the format that is multiplied · time).
    pub mfu: Mfu,
    /// From the peak to that.
    pub steps: [Step; 7],
    /// What the time rests on.
    pub basis: Basis,
    /// The numbers that go into the factors.
    pub numbers: Numbers,
}

/// The numbers behind the factors of one product.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// Rows and columns of an array; `None` where the chip has none or nobody says.
    pub sides: Option<(u32, u32)>,
    /// Arrays of the chip.
    pub units: u64,
    /// Blocks of work that are dealt out to them.
    pub blocks: f64,
    /// Rows to a multiple of which M is filled up.
    pub sublanes: u64,
    /// FLOP with every side filled up.
    pub padded_flops: f64,
    /// FLOP as if every array had as much as the busiest.
    pub busiest_flops: f64,
    /// Bytes if each element crosses once.
    pub least_bytes: f64,
    /// Bytes with what is read again.
    pub moved_bytes: f64,
    /// Bytes per second of the memory, as published.
    pub bytes_per_sec: f64,
    /// The constants; those of TPU v4 in f16 are `tpu_v4`'s.
    pub calibration: &'static Calibration,
}

static DEALT: Source = Source {
    key: "dealt",
    text: "This model: arrays get whole blocks of 128 rows by the columns of one array. No document says how a compiler does it",
};
static LAYOUT: Source = Source {
    key: "pallas-layout",
    text: "JAX, Pallas for TPU: arrays lie in tiles of 8 sublanes of 32 bits by 128 lanes; the sides of the array are the chip's",
};
static TILING: Source = Source {
    key: "tiling",
    text: "This model: blocks of 2048 by 2048 results are worked on at a time, and each reads its operands again",
};

impl ProductOnChip {
    /// A product on a whole chip.
    ///
    /// # Errors
    /// As [`GemmTime::new`], and [`MfuRefusal::AboveOne`] where the constants of one's own chip allow more than its peak.
    pub fn new(chip: &Chip, format: impl Into<Format>, product: GemmSizes) -> Result<Self, MfuRefusal> {
        Self::padded(chip, format, product, product.flops())
    }

    /// A product that a program has filled up with zeros to these sizes, of which it wants so many FLOP.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn padded(
        chip: &Chip,
        format: impl Into<Format>,
        product: GemmSizes,
        useful_flops: f64,
    ) -> Result<Self, MfuRefusal> {
        let format = format.into();
        let (device, stages) = run(chip, format, product, Per::Chip, StaysOnChip::Nothing)?;
        let time = GemmTime::of(product, &device, &stages);
        let (peak, as_run) = (device.peak, device.as_run);
        let mfu = Mfu::new(useful_flops, time.total, peak)?;
        let numbers = Numbers {
            sides: device.sides,
            units: device.units,
            blocks: device.dealt(product),
            sublanes: device.sublanes(),
            padded_flops: device.padded_flops(product),
            busiest_flops: device.busiest_flops(product),
            least_bytes: product.least_bytes(as_run.stored, StaysOnChip::Nothing),
            moved_bytes: device::moved_bytes(product, as_run.stored, StaysOnChip::Nothing),
            bytes_per_sec: device.bytes_per_sec,
            calibration: calibration::calibration_of_chip(chip).0,
        };
        let ideal = useful_flops / peak.0;
        let passes = ideal * f64::from(as_run.passes);
        let math = time.parts.math.0;
        // A measured time of multiplying may be less than the blocks would take: then they were dealt out better.
        let dealt = (passes * numbers.busiest_flops / numbers.padded_flops).min(math);
        let filled = (f64::from(as_run.passes) * numbers.busiest_flops / peak.0).min(math);
        let basis = Basis::of(chip, format.dtype);
        // Each time over the next is a factor, so that all of them multiply to the first over the last.
        let factor = |rung| match rung {
            Rung::Format => ideal / passes,
            Rung::Arrays => passes / dealt,
            Rung::Tiles => dealt / filled,
            Rung::Pipeline => filled / math,
            Rung::Memory => math / stages.moved_once,
            Rung::Reload => stages.moved_once / stages.moved,
            Rung::Launch => stages.moved / time.total.0,
        };
        let measured = basis.source();
        let source = |rung| match (rung, basis) {
            (Rung::Format, _) => as_run.source().or_else(|| native(chip, format)).unwrap_or(measured),
            (Rung::Arrays, _) => (&DEALT, Confidence::Low),
            (Rung::Tiles, _) => (&LAYOUT, Confidence::Medium),
            (Rung::Reload, Basis::Measured(_) | Basis::Borrowed(_)) => (&TILING, Confidence::Low),
            (Rung::Pipeline | Rung::Reload | Rung::Memory | Rung::Launch, _) => measured,
        };
        let mut left = 1.0;
        let steps = Rung::ALL.map(|rung| {
            let factor = factor(rung);
            left *= factor;
            let (source, confidence) = source(rung);
            Step { rung, factor, left, source, confidence }
        });
        Ok(Self { product, useful_flops, time, mfu, steps, basis, numbers })
    }

    /// The step that takes the largest part of what is there above it.
    pub fn costliest(&self) -> &Step {
        self.steps.iter().fold(&self.steps[0], |most, step| if step.factor < most.factor { step } else { most })
    }

    /// Dollars for the whole chip while it runs the product.
    pub fn usd(&self, usd_per_chip_hour: f64) -> f64 {
        self.time.total.0 / 3600.0 * usd_per_chip_hour
    }

    /// Cycles that filling and draining one array once take, over those of streaming a block's rows through it with
    /// overlapped folds: what of [`Rung::Pipeline`] geometry explains. `None` without arrays.
    pub fn fill_and_drain(&self) -> Option<f64> {
        let (rows, cols) = self.numbers.sides?;
        let folds =
            self.product.k.div_ceil(rows.into()).max(1) as f64 * self.product.n.div_ceil(cols.into()).max(1) as f64;
        let m = crate::sizes::up(self.product.m, self.numbers.sublanes);
        let streamed = folds * m / self.numbers.units as f64;
        let once = 2.0 * f64::from(rows) + f64::from(cols) - 2.0;
        Some(once / (once + streamed))
    }

    /// The time.
    pub const fn seconds(&self) -> Seconds {
        self.time.total
    }
}

/// The source of the rate that a chip has for a format, or of the format it rounds to.
fn native(chip: &Chip, format: Format) -> Option<(&'static Source, Confidence)> {
    let own = chip.peak(format.dtype).map(|peak| (peak.source, peak.confidence));
    own.or_else(|| chip.f16_as.map(|other| (other.source, other.confidence)))
}

impl Numbers {
    /// Whether padding and dealing out are known for this chip.
    pub const fn has_arrays(&self) -> bool {
        self.sides.is_some()
    }
}
