//! Constants of the general time model, with their sources, and the substitutes for chips without measurements.
//!
//! Each constant has its own line, and no constant applies to only one matmul shape. The constants of the model fitted
//! to TPU v4 are in `tpu_v4.rs`.

use super::gpu;
use crate::{Chip, Compute, Confidence, PeakDtype, Per, Source};

/// Number of rows and columns of the block of C that is computed at one time, and depth of one step along K. This
/// tiling determines how often operands are read again from memory. 2048² partial sums of 32 bits are 16 MiB, the
/// vector memory of a core of TPU v4.
pub const TILE: u64 = 2048;

/// Measured constants of a chip: launch time, and the shares of the data sheet's peak and bandwidth that the chip
/// reaches.
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    /// Id of the chip.
    pub chip: &'static str,
    /// Launch time in seconds, before anything is multiplied.
    pub launch_sec: f64,
    /// Share of the published peak that multiplication reaches in large matmuls. On a chip with arrays, the share
    /// covers only the loss that the cycles of the arrays do not explain.
    pub math_share: f64,
    /// Lower and upper end of [`Self::math_share`] if it was not measured on this chip.
    pub math_range: Option<(f64, f64)>,
    /// Share of the published bandwidth that data movement reaches.
    pub memory_share: f64,
    /// Source of the measurements.
    pub source: &'static Source,
    /// Confidence in the constants.
    pub confidence: Confidence,
}

/// Measurements from which the constants of a time model were derived.
#[derive(Clone, Copy, Debug)]
pub enum Basis {
    /// Hundreds of matmuls on this chip in this format: see [`super::tpu_v4`].
    Fitted,
    /// A few matmuls on this chip.
    Measured(&'static Calibration),
    /// A few matmuls on another chip, because no matmul was measured on this chip in this format.
    Borrowed(&'static Calibration),
    /// No measurement: the published array, peak and bandwidth alone, for a chip whose memory holds only weights.
    Published,
}

static IRONWOOD: Source = Source {
    key: "accelerator-microbenchmarks",
    text: "AI-Hypercomputer accelerator-microbenchmarks: bf16 matmuls of 128³, 1024³ and 16384³ per TensorCore of TPU7x \
           (2.59, 349.7, 950.1 TFLOP/s) and a copy in HBM at 6421 of 7380 GB/s; read 2026-11",
};
static ISCA_2017: Source = Source {
    key: "isca17-section-7",
    text: "Jouppi et al., In-Datacenter Performance Analysis of a TPU, ISCA 2017, section 7: a 200 × 600 by 600 × 600 \
           matmul in int8 takes 18 µs on an array of 256 × 256, because 34 GB/s of weights arrive",
};
static TRILLIUM: Source = Source {
    key: "accelerator-microbenchmarks-v6e",
    text: "AI-Hypercomputer accelerator-microbenchmarks: a bf16 matmul of 8192³ on TPU v6e at 827.5 of 918 TFLOP/s and a \
           copy in HBM at 1359.6 of 1638 GB/s; read 2026-11",
};
static MAXTEXT: Source = Source {
    key: "maxtext-32b-v5e",
    text: "MaxText, 32B configuration on TPU v5e: 66.86 % MFU with full recomputation, so 89.1 % of the peak is executed; \
           shares of other chips; read 2026-11",
};
static MAMF: Source = Source {
    key: "mamf",
    text: "Stas Bekman, Machine Learning Engineering Open Book: best bf16 matmul found by a search over shapes, as a \
           share of the published peak; read 2026-11",
};

/// Constants of TPU7x. The launch time is from the matmul of 128³, without the cycles of its arrays. The share of the
/// peak is from the matmul of 16384³. The share of the bandwidth is from a copy in memory. With these constants, the
/// predicted rate of the matmul of 1024³ is 6% too high.
static TPU_7X: Calibration = Calibration {
    chip: "tpu-7x",
    launch_sec: 1.430e-6,
    math_share: 0.824,
    math_range: None,
    memory_share: 0.870,
    source: &IRONWOOD,
    confidence: Confidence::Medium,
};

/// Constants of TPU v6e, with the launch time of TPU7x.
static TPU_V6E: Calibration = Calibration {
    chip: "tpu-v6e",
    launch_sec: TPU_7X.launch_sec,
    math_share: 0.912,
    math_range: None,
    memory_share: 0.830,
    source: &TRILLIUM,
    confidence: Confidence::Medium,
};

/// Constants of TPU v4 in formats for which [`tpu_v4`](super::tpu_v4) was not fitted. The share of the peak is
/// nevertheless from the fit of [`tpu_v4`](super::tpu_v4): 1 ÷ 1.21. The launch time gives the smallest error for the
/// 238 measured f16 matmuls with sides up to 128. The share of the bandwidth is taken from TPU7x.
static TPU_V4: Calibration = Calibration {
    chip: "tpu-v4",
    launch_sec: 0.812e-6,
    math_share: 0.826,
    math_range: None,
    memory_share: 0.870,
    source: &super::tpu_v4::SOURCE,
    confidence: Confidence::Low,
};

/// Constants of H100. The launch time is from [`gpu`], which also has the shares of the peak for smaller matmuls. The
/// share of the bandwidth is the share of TPU7x.
pub(super) static H100: Calibration = Calibration {
    chip: "h100-sxm",
    launch_sec: gpu::SHIPPED.launch_us * 1e-6,
    math_share: 0.803,
    math_range: None,
    memory_share: 0.870,
    source: &gpu::SOURCE,
    confidence: Confidence::Medium,
};

/// Constants of a chip for which only one value is known: the largest share of the peak over many matmul shapes. The
/// share of the bandwidth is the share of TPU7x.
const fn best_of_many(chip: &'static str, math_share: f64, launch_sec: f64) -> Calibration {
    Calibration {
        chip,
        math_share,
        math_range: None,
        launch_sec,
        memory_share: 0.870,
        source: &MAMF,
        confidence: Confidence::Low,
    }
}

/// Constants of a chip with arrays on which no matmul was measured, so that its share of the peak is unknown. The range
/// of this share is that of the five chips with arrays in [`CALIBRATIONS`], and the share is their median. The other
/// constants are taken from TPU7x.
static OTHER_ARRAYS: Calibration =
    Calibration { math_share: 0.826, math_range: Some((0.741, 0.969)), confidence: Confidence::Low, ..TPU_7X };

/// Constants of TPU v5e. A published run of MaxText, with recomputation, reaches 89.1% of the peak, so the share for
/// matmuls must be larger. The upper end of the range is from [`OTHER_ARRAYS`], and the share is in the middle of the
/// range.
static TPU_V5E: Calibration =
    Calibration { math_share: 0.929, math_range: Some((0.891, 0.969)), source: &MAXTEXT, ..OTHER_ARRAYS };

/// Constants of a GPU on which no matmul was measured: those of H100. The range of the share of the peak is that of the
/// three GPUs in [`CALIBRATIONS`].
static OTHER_GPU: Calibration = Calibration { math_range: Some((0.776, 0.869)), ..H100 };

/// Constants of all chips with measurements.
pub static CALIBRATIONS: [&Calibration; 8] = [
    &TPU_7X,
    &TPU_V4,
    &TPU_V6E,
    &H100,
    &best_of_many("a100-80", 0.869, H100.launch_sec),
    &best_of_many("b200-sxm", 0.776, H100.launch_sec),
    &best_of_many("gaudi2", 0.969, TPU_7X.launch_sec),
    &best_of_many("gaudi3", 0.741, TPU_7X.launch_sec),
];

impl Basis {
    /// Measurements on which the predicted time of a matmul on a whole chip is based.
    pub fn of(chip: &Chip, dtype: PeakDtype) -> Self {
        if super::tpu_v4::applies_to(chip, dtype, Per::Chip) { Self::Fitted } else { calibration_of_chip(chip).1 }
    }

    /// Source of the measurements, and the confidence in the measurements for this chip.
    pub const fn source(&self) -> (&'static Source, Confidence) {
        match self {
            Self::Fitted => (&super::tpu_v4::SOURCE, Confidence::Medium),
            Self::Measured(own) => (own.source, own.confidence),
            Self::Borrowed(other) => (other.source, Confidence::Low),
            Self::Published => (&ISCA_2017, Confidence::Medium),
        }
    }
}

/// The constants for a chip, and the measurements behind these constants.
pub fn calibration_of_chip(chip: &Chip) -> (&'static Calibration, Basis) {
    if chip.memory.holds_only_weights {
        return (&TPU_7X, Basis::Published);
    }
    match CALIBRATIONS.into_iter().find(|calibration| calibration.chip == chip.id) {
        Some(other) if chip.is_custom => (other, Basis::Borrowed(other)),
        Some(own) => (own, Basis::Measured(own)),
        None if is_gpu(chip) => (&OTHER_GPU, Basis::Borrowed(&OTHER_GPU)),
        None if chip.id == "tpu-v5e" => (&TPU_V5E, Basis::Borrowed(&TPU_V5E)),
        None => (&OTHER_ARRAYS, Basis::Borrowed(&OTHER_ARRAYS)),
    }
}

/// True for a GPU, whose matmuls run as thread blocks on tensor cores.
const fn is_gpu(chip: &Chip) -> bool {
    matches!(chip.compute, Compute::TensorCores { .. })
}
