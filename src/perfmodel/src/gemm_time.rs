//! The time of one matrix product on one chip.
//!
//! Where rows were measured, a calibrated model says it ([`tpu_v4`]); elsewhere a general one does, from the chip's
//! published peak and bandwidth and a few shares measured on it or on its nearest relative ([`calibration`]). How far
//! either is off is in [`accuracy`].

pub mod accuracy;
pub mod calibration;
mod device;
mod ladder;
pub mod left_out;
pub mod tpu_v4;
mod traffic;

pub use ladder::{ProductOnChip, Rung, Step};

use crate::{AsRun, Chip, FlopsPerSec, Format, GemmSizes, Mfu, MfuRefusal, Per, Seconds};
use device::{Device, Stages};

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
    /// How the format runs.
    pub as_run: AsRun,
    /// Peak of the chip, or of its part, in the format that is multiplied.
    pub peak: FlopsPerSec,
    /// Model FLOPs ÷ (peak · time).
    pub mfu: Result<Mfu, MfuRefusal>,
}

impl GemmTime {
    /// The time on a whole chip, or on one of its cores.
    ///
    /// # Errors
    /// [`MfuRefusal::Unknown`] where the maker published no peak for the format or for one that holds it, or no
    /// bandwidth; [`MfuRefusal::NoRate`] for a product without work.
    pub fn new(chip: &Chip, format: impl Into<Format>, product: GemmSizes, per: Per) -> Result<Self, MfuRefusal> {
        Self::in_kernel(chip, format, product, per, StaysOnChip::Nothing)
    }

    /// The time of a product that is part of a larger kernel.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn in_kernel(
        chip: &Chip,
        format: impl Into<Format>,
        product: GemmSizes,
        per: Per,
        stays: StaysOnChip,
    ) -> Result<Self, MfuRefusal> {
        Kernels::of(chip, format, per).time(product, stays)
    }

    fn of(product: GemmSizes, device: &Device, stages: &Stages) -> Self {
        let eta_tile = device.sides.map(|(rows, cols)| product.eta_tile(rows, cols));
        let mfu = Mfu::new(product.flops(), stages.total, device.peak);
        let (as_run, peak) = (device.as_run, device.peak);
        Self { total: stages.total, parts: stages.parts, eta_tile, as_run, peak, mfu }
    }
}

/// Times of the products of one program: what they share is looked up once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernels {
    device: Result<Device, MfuRefusal>,
    calibration: &'static calibration::Calibration,
    /// Whether rows measured in this format say it.
    is_fitted: bool,
}

impl Kernels {
    /// On a whole chip, or on one of its cores.
    pub(crate) fn of(chip: &Chip, format: impl Into<Format>, per: Per) -> Self {
        let format = format.into();
        let is_fitted = tpu_v4::applies_to(chip, format.dtype, per);
        Self { device: Device::of(chip, format, per), calibration: calibration::calibration_of_chip(chip).0, is_fitted }
    }

    /// The time of one.
    ///
    /// # Errors
    /// As [`GemmTime::new`].
    pub(crate) fn time(&self, product: GemmSizes, stays: StaysOnChip) -> Result<GemmTime, MfuRefusal> {
        let (device, stages) = self.run(product, stays)?;
        Ok(GemmTime::of(product, &device, &stages))
    }

    fn run(&self, product: GemmSizes, stays: StaysOnChip) -> Result<(Device, Stages), MfuRefusal> {
        if product.flops() <= 0.0 {
            return Err(MfuRefusal::NoRate);
        }
        let device = self.device?;
        let stages = if self.is_fitted && stays == StaysOnChip::Nothing {
            let (total, parts) = tpu_v4::time(product);
            Stages::fitted(total, parts)
        } else {
            device.stages(product, stays, self.calibration)
        };
        Ok((device, stages))
    }
}

/// What runs a product, and the stages of its time.
fn run(
    chip: &Chip,
    format: Format,
    product: GemmSizes,
    per: Per,
    stays: StaysOnChip,
) -> Result<(Device, Stages), MfuRefusal> {
    Kernels::of(chip, format, per).run(product, stays)
}
