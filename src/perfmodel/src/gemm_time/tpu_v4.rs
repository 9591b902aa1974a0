//! f16 products on TPU v4, fitted to measured ones: all constants of the fit, what each means, and what it leaves out.
//!
//! The chip multiplies bf16; f16 operands are converted on their way into the arrays, and what is loaded into them again
//! costs more than what comes from memory. That is why these constants hold for f16 alone. Times are in microseconds,
//! sizes in millions of elements or of multiply-accumulates; the constants were fitted by least squares of the relative
//! error to 890 products that the SCALE-Sim project measured on one TPU v4 (two cores as one device; repository
//! SCALE-Sim-validation, commit 45818f1). `systolic time --against us_avg --by range` prints the errors by size.
//!
//! What it does not know: which tiles the compiler chose. The errors that are left are single shapes at the borders of
//! its choices. Nothing was measured with a side between 129 and 1023 that is no multiple of 128, or beyond 4096.

use super::Parts;
use crate::{Chip, Compute, GemmSizes, PeakDtype, Per, Seconds, Source};

/// Multiply-accumulates per microsecond, in millions: 2 cores × 4 arrays × 128 × 128 × 1.0666 GHz, as the profile of the
/// measured device says (2 × 139.8 TFLOP/s). Not fitted.
const PEAK: f64 = 139.8;
/// Columns of an array, depth of an array. Not fitted.
const LANES: u64 = 128;

/// One tile: no side above 128.
mod tile {
    /// Launch and one round trip to memory, µs.
    pub(super) const LAUNCH: f64 = 0.9124;
    /// Draining and storing the result, µs per element of its side.
    pub(super) const EDGE: f64 = 2.156e-3;
    /// Depth pushed through the array, µs per k: about half a clock.
    pub(super) const DEPTH: f64 = 0.498e-3;
    /// One more transfer that nothing hides, where no operand is the largest, µs.
    pub(super) const THIRD_TRANSFER: f64 = 0.0984;
}

/// Everything in vector memory at once.
mod resident {
    /// A, B and C together up to this many elements, millions.
    pub(super) const MILLIONS_MAX: f64 = 3.2;
    /// Launch, µs.
    pub(super) const LAUNCH: f64 = 0.976;
    /// Filling and draining, µs per 128 k: about 60 clocks.
    pub(super) const FILL: f64 = 0.057;
    /// Multiplying against the peak: of the four arrays of a core about one and a half are busy.
    pub(super) const MATH: f64 = 2.63;
    /// Converting A, loading B, storing C, µs per million elements on one core.
    pub(super) const A: f64 = 7.32;
    pub(super) const B: f64 = 2.455;
    pub(super) const C: f64 = 9.20;
    /// Loading B again for each block of rows, µs per million elements: about 240 clocks per 128 × 128 weights.
    pub(super) const RELOAD: f64 = 7.26;
    /// What a core holds in one step, and the largest A that two blocks of rows take, millions of elements.
    pub(super) const ONE_STEP: f64 = 0.93;
    pub(super) const TWO_BLOCKS: f64 = 0.95;
}

/// In tiles from memory.
mod tiled {
    /// Launch, the first tiles coming in and the last going out, µs.
    pub(super) const LAUNCH: f64 = 5.28;
    /// Multiplying against the peak.
    pub(super) const MATH: f64 = 1.21;
    /// Storing C, µs per million elements.
    pub(super) const C: f64 = 2.45;
    /// Loading B again for each block of rows, µs per million elements.
    pub(super) const RELOAD: f64 = 6.64;
    /// With K split: sums read and written again and A converted again, µs per million multiply-accumulates.
    pub(super) const SUMS: f64 = 4.23e-3;
    /// With K split: B comes in once, µs per million elements.
    pub(super) const B_ONCE: f64 = 2.02;
    /// Rows of a block at most, and of the small blocks that widths which do not fill the lanes fall into.
    pub(super) const BLOCK_ROWS: f64 = 1024.0;
    pub(super) const SMALL_BLOCK_ROWS: f64 = 256.0;
    /// Depths up to which K stays whole; the second where M or N is between 1024 and 2048.
    pub(super) const WHOLE_K: u64 = 2496;
    pub(super) const WHOLE_K_ODD: u64 = 2688;
    /// B that stays in vector memory, millions of elements.
    pub(super) const HELD_B: f64 = 3.6;
}

/// What it was fitted to.
pub static SOURCE: Source = Source {
    key: "scale-sim-validation",
    text: "SCALE-Sim project: times of 890 f16 products on one TPU v4, repository SCALE-Sim-validation, commit 45818f1",
};

/// Whether the fit is for this chip, format and part of the chip.
pub fn applies_to(chip: &Chip, dtype: PeakDtype, per: Per) -> bool {
    chip.id == "tpu-v4"
        && !chip.is_custom
        && dtype == PeakDtype::F16
        && per == Per::Chip
        && matches!(chip.compute, Compute::Arrays { .. })
}

/// The time of a product and its parts.
pub fn time(product: GemmSizes) -> (Seconds, Parts) {
    let GemmSizes { m, k, n } = product;
    let parts = if m.max(k).max(n) <= 128 {
        in_one_tile(product)
    } else if elements(m, k) + elements(k, n) + elements(m, n) <= resident::MILLIONS_MAX {
        in_vector_memory(product)
    } else {
        in_tiles(product)
    };
    let [launch, math, reload, memory] = parts;
    let seconds = |us: f64| Seconds(us * 1e-6);
    let parts =
        Parts { launch: seconds(launch), math: seconds(math), reload: seconds(reload), memory: seconds(memory) };
    (seconds(launch + math + reload + memory), parts)
}

/// Microseconds of launch, multiplying, reloading and converting, and moving; they add up.
type Microseconds = [f64; 4];

fn in_one_tile(GemmSizes { m, k, n }: GemmSizes) -> Microseconds {
    let depth = tile::DEPTH * k as f64;
    let edge = tile::EDGE * (m as f64 * n as f64).sqrt();
    let third = if k <= m.min(n) || m == n { tile::THIRD_TRANSFER } else { 0.0 };
    [tile::LAUNCH, depth, 0.0, edge + third]
}

fn in_vector_memory(GemmSizes { m, k, n }: GemmSizes) -> Microseconds {
    let (m, k, n) = (up(m, 8), up(k, LANES), up(n, LANES));
    // Both cores take half of the columns, or of the rows where each gets at least 128.
    let half_n = core(m as f64, k, up(n.div_ceil(2), LANES) as f64);
    let half_m = core(if m >= 256 { m as f64 / 2.0 } else { m as f64 }, k, n as f64);
    let one = if sum(half_n) <= sum(half_m) { half_n } else { half_m };
    let share = (elements(m, k) + (elements(k, n) + elements(m, n)) / 2.0)
        .min((elements(m, k) + elements(m, n)) / 2.0 + elements(k, n));
    let launch = |[math, reload, memory]: [f64; 3]| [resident::LAUNCH, math, reload, memory];
    if share <= resident::ONE_STEP {
        return launch(one);
    }
    let is_small = elements(m, k) <= resident::TWO_BLOCKS;
    let blocks = if is_small { 2.0 } else { 4.0 };
    let math = elements(m, k) * n as f64 / PEAK;
    let many = [math, resident::RELOAD * blocks * elements(k, n), resident::C / 2.0 * elements(m, n)];
    launch(if is_small && sum(one) > sum(many) { one } else { many })
}

/// What one core does with its share: multiplying with filling and draining, converting and loading, storing.
fn core(m: f64, k: u64, n: f64) -> [f64; 3] {
    let k = k as f64;
    let math = resident::FILL * k / 128.0 + resident::MATH * m * n * k * 1e-6 / (PEAK / 2.0);
    [math, (resident::A * m * k + resident::B * k * n) * 1e-6, resident::C * m * n * 1e-6]
}

fn in_tiles(product: GemmSizes) -> Microseconds {
    let (m, k, n) = (up(product.m, 16), up(product.k, LANES), up(product.n, LANES));
    let (macs, b) = (elements(m, k) * n as f64, elements(k, n));
    let (math, stored) = (tiled::MATH * macs / PEAK, tiled::C * elements(m, n));
    let reload = |rows: f64| [tiled::LAUNCH, math, tiled::RELOAD * b * m as f64 / rows, stored];
    // A width that does not fill the lanes falls into small blocks of rows: where the depth does not fill them either
    // and the result is no taller than wide, or where the depth does and B is small.
    let is_ragged = !product.n.is_multiple_of(LANES)
        && if product.k.is_multiple_of(LANES) {
            elements(product.k, product.n) < tiled::HELD_B
        } else {
            product.m <= product.n
        };
    if is_ragged {
        return reload(tiled::SMALL_BLOCK_ROWS);
    }
    let between = |side: u64| side > 1024 && side < 2048;
    let whole = if between(m) || between(n) { tiled::WHOLE_K_ODD } else { tiled::WHOLE_K };
    if k < whole {
        // At least two blocks each way.
        let (m, n) = (m as f64, n as f64);
        return reload(tiled::BLOCK_ROWS.min(n / 2.0).min(if n <= 2.0 * m { m / 2.0 } else { m }));
    }
    [tiled::LAUNCH, math, tiled::SUMS * macs, stored + tiled::B_ONCE * b]
}

/// Elements of a matrix, in millions.
fn elements(rows: u64, cols: u64) -> f64 {
    rows as f64 * cols as f64 * 1e-6
}

/// The next multiple.
fn up(side: u64, of: u64) -> u64 {
    side.max(1).div_ceil(of).saturating_mul(of)
}

fn sum(parts: [f64; 3]) -> f64 {
    parts.iter().sum()
}
