//! Time model of matmuls on GPUs: thread blocks that run in waves over the streaming multiprocessors (SMs).
//!
//! A thread block computes one tile of C. Each SM runs one thread block at a time, so the blocks run in waves of as
//! many blocks as the GPU has SMs. The last wave takes as long as a full wave. If C has few tiles, K is split among
//! several blocks, and their partial sums are added at the end. The model takes the tile and the split with the least
//! time.
//!
//! The constants were fitted to 375 bf16 matmuls on H100 by least squares of the relative error. XLA's developers
//! measured these matmuls with M, K and N of 256 to 4096 and 1, 2 or 4 matmuls at once (`data/gpu_matmuls.csv`). Other
//! GPUs use the constants of H100 with their own peak, number of SMs and largest share of the peak.

use super::calibration::H100;
use crate::{Chip, Compute, GemmSizes, Source};

/// Rows and columns of the large and the small tile that the model tries.
const TILES: [(u64, u64); 2] = [(256, 128), (64, 64)];
/// Numbers of thread blocks that share one tile, each with its own part of K.
const SPLITS: [u64; 4] = [1, 2, 4, 8];
/// Depth of one step along K. K is padded to whole steps.
const STEP: u64 = 64;

/// Constants of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// Launch of the kernel, µs.
    pub launch_us: f64,
    /// Share of an SM's peak that a large tile (256 × 128) and a small tile (64 × 64) reach.
    pub shares: [f64; 2],
    /// Start and end of one wave, µs.
    pub wave_us: f64,
    /// Addition of the partial sums if K is split, µs.
    pub split_us: f64,
}

/// Constants fitted to all 375 matmuls.
pub static SHIPPED: Constants = Constants { launch_us: 5.0, shares: [0.808, 0.4603], wave_us: 0.259, split_us: 1.13 };

/// Source of the measurements behind the fit.
pub static SOURCE: Source = Source {
    key: "xla-matmul-table",
    text: "OpenXLA, XLA's table of measured matmuls: 375 bf16 matmuls on an H100, \
           xla/service/gpu/model/matmul_interpolator_data.h, TensorFlow commit 9bebee8e (Apache-2.0); read 2026-11",
};

/// The part of a GPU that the model needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gpu {
    /// Number of SMs.
    pub multiprocessors: f64,
    /// Peak of one SM in FLOP per µs.
    pub flops_per_us: f64,
    /// Largest share of the peak on this GPU ÷ largest share of the peak on H100.
    pub relative_share: f64,
}

impl Gpu {
    /// The GPU `chip`, which has the peak `peak` in FLOP/s and reaches `math_share` of this peak. `None` if `chip` is
    /// not a GPU, or if its number of tensor cores is not published.
    pub fn of(chip: &Chip, peak: f64, math_share: f64) -> Option<Self> {
        let Compute::TensorCores { count, fma_per_clock } = &chip.compute else { return None };
        // Volta has eight small tensor cores per SM. All later GPUs of NVIDIA have four.
        let per_multiprocessor = if fma_per_clock.value == Some(64) { 8 } else { 4 };
        let multiprocessors = f64::from(count.value? / per_multiprocessor);
        let flops_per_us = peak / multiprocessors * 1e-6;
        Some(Self { multiprocessors, flops_per_us, relative_share: math_share / H100.math_share })
    }

    /// Thread blocks of `at_once` matmuls in one kernel, with the tile and the split that take the least time.
    pub fn waves(&self, product: GemmSizes, at_once: u64, with: &Constants) -> Waves {
        let GemmSizes { m, k, n } = product;
        let in_tiles = |((rows, cols), share): ((u64, u64), f64)| {
            // A tile is at most as large as C.
            let (rows, cols) = (rows.min(m), cols.min(n));
            let tiles = at_once as f64 * m.div_ceil(rows) as f64 * n.div_ceil(cols) as f64;
            let per_k = 2.0 * (rows * cols) as f64;
            let per_us = self.flops_per_us * share * self.relative_share;
            SPLITS.into_iter().map(move |split| {
                let blocks = tiles * split as f64;
                let waves = (blocks / self.multiprocessors).ceil();
                let flops = per_k * k.div_ceil(split * STEP) as f64 * STEP as f64;
                let added = if split > 1 { with.split_us } else { 0.0 };
                Waves { blocks, waves, flops_of_block: flops, us: waves * (flops / per_us + with.wave_us) + added }
            })
        };
        let none = Waves { blocks: 0.0, waves: 0.0, flops_of_block: 0.0, us: f64::INFINITY };
        let all = TILES.into_iter().zip(with.shares).flat_map(in_tiles);
        all.fold(none, |least, one| if one.us < least.us { one } else { least })
    }
}

/// Thread blocks of a kernel, which run in waves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waves {
    /// Number of thread blocks.
    pub blocks: f64,
    /// Number of waves.
    pub waves: f64,
    /// FLOP of one thread block, padding included.
    pub flops_of_block: f64,
    /// Time of the multiplication, without launch and memory, in µs.
    pub us: f64,
}
