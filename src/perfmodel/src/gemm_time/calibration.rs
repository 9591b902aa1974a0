//! Every constant of the general time model, where it was measured, and what stands in for it elsewhere.
//!
//! One constant a line, none per shape. The constants of the model fitted to TPU v4 are beside it, in `tpu_v4.rs`.

use crate::{Chip, Confidence, PeakDtype, Per, Source};

/// Rows and columns of C that are worked on at a time, and the depth of one step: the stated tiling, from which follows
/// what is read again from memory. 2048² sums of 32 bits are 16 MiB, the vector memory of a core of TPU v4.
pub const TILE: u64 = 2048;

/// What a chip does of what its data sheet says.
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    /// The chip.
    pub chip: &'static str,
    /// Seconds before anything is multiplied.
    pub launch_sec: f64,
    /// Share of the published peak that multiplying reaches.
    pub math_share: f64,
    /// Share of the published bandwidth that moving reaches.
    pub memory_share: f64,
    /// What they were measured on.
    pub source: &'static Source,
    /// How far to trust them.
    pub confidence: Confidence,
}

/// What the constants behind a time were measured on.
#[derive(Clone, Copy, Debug)]
pub enum Basis {
    /// Hundreds of products on this chip in this format: see [`super::tpu_v4`].
    Fitted,
    /// A few products on this chip.
    Measured(&'static Calibration),
    /// Another chip: no product was measured on this one in this format.
    Borrowed(&'static Calibration),
}

static IRONWOOD: Source = Source {
    key: "accelerator-microbenchmarks",
    text: "AI-Hypercomputer accelerator-microbenchmarks: bf16 products of 128³, 1024³ and 16384³ per TensorCore of TPU7x \
           (2.59, 349.7, 950.1 TFLOP/s) and a copy in HBM at 6421 of 7380 GB/s; read 2026-11",
};
static TRILLIUM: Source = Source {
    key: "accelerator-microbenchmarks-v6e",
    text: "AI-Hypercomputer accelerator-microbenchmarks: a bf16 product of 8192³ on TPU v6e at 827.5 of 918 TFLOP/s and a \
           copy in HBM at 1359.6 of 1638 GB/s; read 2026-11",
};
static MAMF: Source = Source {
    key: "mamf",
    text: "Stas Bekman, Machine Learning Engineering Open Book: best bf16 product found by a search over shapes, as a \
           share of the published peak; read 2026-11",
};

/// Launch from 128³, the share of the peak from 16384³, that of the bandwidth from the copy; 1024³ then comes out 6 % fast.
static TPU_7X: Calibration = Calibration {
    chip: "tpu-7x",
    launch_sec: 1.553e-6,
    math_share: 0.824,
    memory_share: 0.870,
    source: &IRONWOOD,
    confidence: Confidence::Medium,
};

/// Launch is that of TPU7x.
static TPU_V6E: Calibration = Calibration {
    chip: "tpu-v6e",
    launch_sec: 1.553e-6,
    math_share: 0.912,
    memory_share: 0.830,
    source: &TRILLIUM,
    confidence: Confidence::Medium,
};

/// The best of many shapes; launch and the share of the bandwidth are those of TPU7x.
const fn best_of_many(chip: &'static str, math_share: f64) -> Calibration {
    let (source, confidence) = (&MAMF, Confidence::Low);
    Calibration { chip, math_share, launch_sec: 1.553e-6, memory_share: 0.870, source, confidence }
}

/// Chips on which something was measured.
pub static CALIBRATIONS: [&Calibration; 7] = [
    &TPU_7X,
    &TPU_V6E,
    &best_of_many("a100-80", 0.869),
    &best_of_many("h100-sxm", 0.803),
    &best_of_many("b200-sxm", 0.776),
    &best_of_many("gaudi2", 0.969),
    &best_of_many("gaudi3", 0.741),
];

impl Basis {
    /// What the time of a product on a whole chip rests on.
    pub fn of(chip: &Chip, dtype: PeakDtype) -> Self {
        if super::tpu_v4::applies_to(chip, dtype, Per::Chip) { Self::Fitted } else { calibration_of_chip(chip).1 }
    }

    /// The document, and how far to trust it for this chip.
    pub const fn source(&self) -> (&'static Source, Confidence) {
        match self {
            Self::Fitted => (&super::tpu_v4::SOURCE, Confidence::Medium),
            Self::Measured(own) => (own.source, own.confidence),
            Self::Borrowed(other) => (other.source, Confidence::Low),
        }
    }
}

/// The constants for a chip, and whether they are its own.
pub fn calibration_of_chip(chip: &Chip) -> (&'static Calibration, Basis) {
    match CALIBRATIONS.into_iter().find(|calibration| calibration.chip == chip.id) {
        Some(other) if chip.is_custom => (other, Basis::Borrowed(other)),
        Some(own) => (own, Basis::Measured(own)),
        None => (&TPU_7X, Basis::Borrowed(&TPU_7X)),
    }
}
