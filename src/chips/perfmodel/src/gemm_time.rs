//! The time of one matmul on one chip.
//!
//! For some chips and formats, hundreds of matmuls were measured, and a model fitted to these measurements predicts the
//! time ([`tpu_v4`], [`gpu`]). A general model predicts all other times. On a chip with systolic arrays, the general
//! model counts the cycles of the busiest array ([`Dealing`]). These cycles do not explain the whole time. The
//! remaining factor is the share of the peak that large matmuls reach ([`calibration`]). [`accuracy`] lists the errors
//! of the models.

pub mod accuracy;
pub mod calibration;
mod dealing;
mod device;
pub mod gpu;
mod ladder;
pub mod left_out;
pub mod tpu_v4;
mod traffic;

pub use dealing::{Arrays, Dealing};
pub use ladder::{ProductOnChip, Rung, Step};

use crate::{AsRun, Chip, FlopsPerSec, Format, GemmSizes, Mfu, MfuRefusal, PeakDtype, Per, Seconds};
use device::{Device, Stages};

/// Matrix that a kernel keeps on the chip during a matmul, so that the matrix never moves to or from memory. Example:
/// the attention scores in FlashAttention (Dao et al. 2022).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaysOnChip {
    /// No matrix: operands and result all move between memory and chip.
    #[default]
    Nothing,
    /// The first operand, A.
    A,
    /// The second operand, B.
    B,
    /// The result, C.
    C,
}

/// The longest part of a matmul's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Launch, before anything is multiplied.
    Launch,
    /// Multiplication.
    Compute,
    /// Work inside the chip: loading operands into the arrays again, and converting operands.
    Reload,
    /// Moving operands and results between memory and chip.
    Memory,
    /// Multiplication, and moving operands and results in time that does not overlap with the multiplication.
    InTurn,
}

/// Parts of a matmul's time. In some time models, parts overlap, so the total can be less than the sum of the parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// Time before anything is multiplied.
    pub launch: Seconds,
    /// Time of multiplication, padding included.
    pub math: Seconds,
    /// Time in which the chip loads operands into the arrays again and converts operands.
    pub reload: Seconds,
    /// Time of moving operands and results between memory and chip.
    pub memory: Seconds,
}

/// The time of one matmul, with its parts and its MFU.
#[derive(Clone, Copy, Debug)]
pub struct GemmTime {
    /// Time from launch to result.
    pub total: Seconds,
    /// Parts of the total time.
    pub parts: Parts,
    /// Tile efficiency: the share of the arrays' work that is not padding of K or N. `None` if the chip has no arrays.
    pub eta_tile: Option<f64>,
    /// Number format of the program, and the format in which the chip multiplies.
    pub as_run: AsRun,
    /// Peak of the chip or core in the format in which the chip multiplies.
    pub peak: FlopsPerSec,
    /// Model FLOPs ÷ (peak · time).
    pub mfu: Result<Mfu, MfuRefusal>,
}

/// Smallest wait for memory that counts as a limit next to multiplication, as a share of the time of multiplication. A
/// shorter wait loses less time than the arrays of most chips lose while they multiply.
const IN_TURN: f64 = 0.2;

impl GemmTime {
    /// Time of a matmul on a whole chip or on one of its cores.
    ///
    /// # Errors
    /// - [`MfuRefusal::Unknown`] if the maker published no bandwidth, or no peak for the format or for a wider format.
    /// - [`MfuRefusal::Unknown`] for [`Per::Slice`], and for [`Per::Core`] if the number of cores is not published.
    /// - [`MfuRefusal::NoRate`] if the matmul has no work.
    pub fn new(chip: &Chip, format: impl Into<Format>, product: GemmSizes, per: Per) -> Result<Self, MfuRefusal> {
        Self::in_kernel(chip, format, product, per, StaysOnChip::Nothing)
    }

    /// Time of a matmul inside a larger kernel, which keeps the matrix `stays` on the chip.
    ///
    /// # Errors
    /// Fails for the same reasons as [`Self::new`].
    pub fn in_kernel(
        chip: &Chip,
        format: impl Into<Format>,
        product: GemmSizes,
        per: Per,
        stays: StaysOnChip,
    ) -> Result<Self, MfuRefusal> {
        Kernels::of(chip, format, per).time(product, stays)
    }

    /// The limit of the matmul if it is launched together with other matmuls.
    pub fn limit_among_others(&self) -> Limit {
        let Parts { launch, math, reload, memory } = self.parts;
        let parts = [(math, Limit::Compute), (memory, Limit::Memory), (reload, Limit::Reload)];
        let longest = parts.into_iter().fold(parts[0], |most, part| if part.0.0 > most.0.0 { part } else { most }).1;
        // If the wait for memory is as long as a large part of the compute time, compute is not the only limit.
        let waits = self.total.0 - launch.0 - math.0 - reload.0;
        if longest == Limit::Compute && waits > IN_TURN * math.0 { Limit::InTurn } else { longest }
    }

    /// The largest part of the time.
    pub fn limit(&self) -> Limit {
        let Parts { launch, math, reload, memory } = self.parts;
        let longest = math.0.max(memory.0).max(reload.0);
        if launch.0 > longest { Limit::Launch } else { self.limit_among_others() }
    }

    fn of(product: GemmSizes, device: &Device, stages: &Stages) -> Self {
        let eta_tile = device.sides().map(|(rows, cols)| product.eta_tile(rows, cols));
        let mfu = Mfu::new(product.flops(), stages.total, device.peak);
        let (as_run, peak) = (device.as_run, device.peak);
        Self { total: stages.total, parts: stages.parts, eta_tile, as_run, peak, mfu }
    }
}

/// Time model for the matmuls of one program on one chip. The data of the chip is looked up only once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernels {
    device: Result<Device, MfuRefusal>,
    calibration: calibration::Calibration,
    /// The requested format if [`tpu_v4`] applies. In f16, [`tpu_v4`] predicts the time. In a format that is at most as
    /// wide as f16, the time of f16 is an upper limit.
    on_tpu_v4: Option<PeakDtype>,
    /// The GPU whose waves of thread blocks determine the times ([`gpu`]).
    gpu: Option<gpu::Gpu>,
}

impl Kernels {
    /// Builds the time model for a whole chip or for one of its cores.
    pub(crate) fn of(chip: &Chip, format: impl Into<Format>, per: Per) -> Self {
        let format = format.into();
        // These formats have the peak of f16 on TPU v4, and at most as many bytes.
        let is_narrow = matches!(format.dtype, PeakDtype::Bf16 | PeakDtype::Fp8 | PeakDtype::Int8 | PeakDtype::Int4);
        let is_limited = is_narrow && tpu_v4::applies_to(chip, PeakDtype::F16, per);
        let on_tpu_v4 = (is_limited || tpu_v4::applies_to(chip, format.dtype, per)).then_some(format.dtype);
        let device = Device::of(chip, format, per);
        let calibration = *calibration::calibration_of_chip(chip).0;
        let gpu = device.ok().and_then(|device| gpu::Gpu::of(chip, device.peak.0, calibration.math_share));
        Self { device, calibration, on_tpu_v4, gpu }
    }

    /// MFU at both ends of the range of the chip's share of the peak. `None` if the share was measured on this chip.
    fn mfu_range(&self, chip: &Chip, product: GemmSizes, useful_flops: f64) -> Option<(f64, f64)> {
        let (low, high) = self.calibration.math_range?;
        let at = |math_share: f64| {
            let calibration = calibration::Calibration { math_share, ..self.calibration };
            let gpu = self.device.ok().and_then(|device| gpu::Gpu::of(chip, device.peak.0, math_share));
            let (device, stages) = Self { calibration, gpu, ..*self }.run(product, StaysOnChip::Nothing).ok()?;
            Some(useful_flops / (stages.total.0 * device.peak.0))
        };
        Some((at(low)?, at(high)?))
    }

    /// Time of one matmul.
    ///
    /// # Errors
    /// Fails for the same reasons as [`GemmTime::new`].
    pub(crate) fn time(&self, product: GemmSizes, stays: StaysOnChip) -> Result<GemmTime, MfuRefusal> {
        let (device, stages) = self.run(product, stays)?;
        Ok(GemmTime::of(product, &device, &stages))
    }

    fn run(&self, product: GemmSizes, stays: StaysOnChip) -> Result<(Device, Stages), MfuRefusal> {
        if product.flops() <= 0.0 {
            return Err(MfuRefusal::NoRate);
        }
        let device = self.device?;
        // Both fitted models describe a matmul that runs on its own. Inside a larger kernel, the general model applies.
        let general = || device.stages(product, stays, &self.calibration);
        if device.holds_only_weights {
            return Ok((device, device.weights(product)));
        }
        let stages = match (stays, self.gpu, self.on_tpu_v4) {
            (StaysOnChip::Nothing, Some(gpu), _) => device.waves(product, gpu, &self.calibration),
            (StaysOnChip::Nothing, None, Some(format)) => {
                let (total, parts) = tpu_v4::time(product);
                let is_possible = total.0 * device.bytes_per_sec >= product.least_bytes(device.as_run.stored, stays);
                let in_f16 = is_possible.then(|| Stages::fitted(total, parts));
                match (in_f16, format) {
                    // Far above the measured sizes, the fit may exceed the bandwidth of the memory.
                    (None, _) => general(),
                    (Some(in_f16), PeakDtype::F16) => in_f16,
                    // TPU v4 converts f16 to bf16. A matmul in bf16, or with fewer bytes at the same peak, never takes
                    // longer than in f16.
                    (Some(in_f16), _) => Some(general()).filter(|own| own.total.0 < in_f16.total.0).unwrap_or(in_f16),
                }
            }
            _ => general(),
        };
        Ok((device, stages))
    }
}
