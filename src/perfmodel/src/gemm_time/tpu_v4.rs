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
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tile {
    /// Launch and one round trip to memory, µs.
    launch: f64,
    /// Draining and storing the result, µs per element of its side.
    edge: f64,
    /// Depth pushed through the array, µs per k: about half a clock.
    depth: f64,
    /// One more transfer that nothing hides, where no operand is the largest, µs.
    third_transfer: f64,
}

/// Everything in vector memory at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Resident {
    /// Launch, µs.
    launch: f64,
    /// Filling and draining, µs per 128 k: about 60 clocks.
    fill: f64,
    /// Multiplying against the peak: of the four arrays of a core about one and a half are busy.
    math: f64,
    /// Converting A, loading B, storing C, µs per million elements on one core.
    a: f64,
    b: f64,
    c: f64,
    /// Loading B again for each block of rows, µs per million elements: about 240 clocks per 128 × 128 weights.
    reload: f64,
}

/// In tiles from memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tiled {
    /// Launch, the first tiles coming in and the last going out, µs.
    launch: f64,
    /// Multiplying against the peak.
    math: f64,
    /// Storing C, µs per million elements.
    c: f64,
    /// Loading B again for each block of rows, µs per million elements.
    reload: f64,
    /// With K split: sums read and written again and A converted again, µs per million multiply-accumulates.
    sums: f64,
    /// With K split: B comes in once, µs per million elements.
    b_once: f64,
}

/// Sizes at which the compiler changes its tiling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Borders {
    /// A, B and C together that vector memory holds, millions of elements.
    pub(super) resident: f64,
    /// What a core holds in one step, and the largest A that two blocks of rows take, millions of elements.
    pub(super) one_step: f64,
    pub(super) two_blocks: f64,
    /// Rows of a block at most, and of the small blocks that widths which do not fill the lanes fall into.
    pub(super) block_rows: f64,
    pub(super) small_block_rows: f64,
    /// Depths up to which K stays whole; the second where M or N is between 1024 and 2048.
    pub(super) whole_k: f64,
    pub(super) whole_k_odd: f64,
    /// B that stays in vector memory, millions of elements.
    pub(super) held_b: f64,
}

/// Constants of the fit: a time is a sum of them, each times something that follows from the sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Linear {
    pub(super) tile: Tile,
    pub(super) resident: Resident,
    pub(super) tiled: Tiled,
}

/// All that was fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Constants {
    pub(super) linear: Linear,
    pub(super) borders: Borders,
}

/// As fitted to all 890 products.
pub(super) static SHIPPED: Constants = Constants {
    linear: Linear {
        tile: Tile { launch: 0.9124, edge: 2.156e-3, depth: 0.498e-3, third_transfer: 0.0984 },
        resident: Resident { launch: 0.976, fill: 0.057, math: 2.63, a: 7.32, b: 2.455, c: 9.20, reload: 7.26 },
        tiled: Tiled { launch: 5.28, math: 1.21, c: 2.45, reload: 6.64, sums: 4.23e-3, b_once: 2.02 },
    },
    borders: Borders {
        resident: 3.2,
        one_step: 0.93,
        two_blocks: 0.95,
        block_rows: 1024.0,
        small_block_rows: 256.0,
        whole_k: 2496.0,
        whole_k_odd: 2688.0,
        held_b: 3.6,
    },
};

/// How many constants a [`Linear`] has.
pub(super) const N_LINEAR: usize = 17;

impl Linear {
    /// In the same order.
    pub(super) const fn to_array(self) -> [f64; N_LINEAR] {
        let Self { tile: t, resident: r, tiled: m } = self;
        [
            t.launch,
            t.edge,
            t.depth,
            t.third_transfer,
            r.launch,
            r.fill,
            r.math,
            r.a,
            r.b,
            r.c,
            r.reload,
            m.launch,
            m.math,
            m.c,
            m.reload,
            m.sums,
            m.b_once,
        ]
    }

    /// In a fixed order.
    pub(super) const fn from_array(of: [f64; N_LINEAR]) -> Self {
        let [t0, t1, t2, t3, r0, r1, r2, r3, r4, r5, r6, m0, m1, m2, m3, m4, m5] = of;
        Self {
            tile: Tile { launch: t0, edge: t1, depth: t2, third_transfer: t3 },
            resident: Resident { launch: r0, fill: r1, math: r2, a: r3, b: r4, c: r5, reload: r6 },
            tiled: Tiled { launch: m0, math: m1, c: m2, reload: m3, sums: m4, b_once: m5 },
        }
    }
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
    let [launch, math, reload, memory] = parts(product, &SHIPPED, &SHIPPED.linear);
    let seconds = |us: f64| Seconds(us * 1e-6);
    let parts =
        Parts { launch: seconds(launch), math: seconds(math), reload: seconds(reload), memory: seconds(memory) };
    (seconds(launch + math + reload + memory), parts)
}

/// Microseconds of launch, multiplying, reloading and converting, and moving; they add up.
type Microseconds = [f64; 4];

/// The parts of a time `with` some constants, in the tiling that `by` others is the faster: a fit varies the first while
/// the second stand.
pub(super) fn parts(product: GemmSizes, by: &Constants, with: &Linear) -> Microseconds {
    let GemmSizes { m, k, n } = product;
    if m.max(k).max(n) <= 128 {
        in_one_tile(product, &with.tile)
    } else if elements(m, k) + elements(k, n) + elements(m, n) <= by.borders.resident {
        in_vector_memory(product, by, &with.resident)
    } else {
        in_tiles(product, &by.borders, &with.tiled)
    }
}

/// Which constants of a [`Linear`], by their order, the time of a product depends on.
pub(super) fn counting(GemmSizes { m, k, n }: GemmSizes, by: &Borders) -> core::ops::Range<usize> {
    match () {
        () if m.max(k).max(n) <= 128 => 0..4,
        () if elements(m, k) + elements(k, n) + elements(m, n) <= by.resident => 4..11,
        () => 11..N_LINEAR,
    }
}

fn in_one_tile(GemmSizes { m, k, n }: GemmSizes, with: &Tile) -> Microseconds {
    let depth = with.depth * k as f64;
    let edge = with.edge * (m as f64 * n as f64).sqrt();
    let third = if k <= m.min(n) || m == n { with.third_transfer } else { 0.0 };
    [with.launch, depth, 0.0, edge + third]
}

fn in_vector_memory(GemmSizes { m, k, n }: GemmSizes, by: &Constants, with: &Resident) -> Microseconds {
    let (m, k, n) = (up(m, 8), up(k, LANES), up(n, LANES));
    // Both cores take half of the columns, or of the rows where each gets at least 128.
    let half_n = |of: &Resident| core(of, m as f64, k, up(n.div_ceil(2), LANES) as f64);
    let half_m = |of: &Resident| core(of, if m >= 256 { m as f64 / 2.0 } else { m as f64 }, k, n as f64);
    let fixed = &by.linear.resident;
    let takes_half_n = sum(half_n(fixed)) <= sum(half_m(fixed));
    let one = |of: &Resident| if takes_half_n { half_n(of) } else { half_m(of) };
    let share = (elements(m, k) + (elements(k, n) + elements(m, n)) / 2.0)
        .min((elements(m, k) + elements(m, n)) / 2.0 + elements(k, n));
    let launch = |[math, reload, memory]: [f64; 3]| [with.launch, math, reload, memory];
    if share <= by.borders.one_step {
        return launch(one(with));
    }
    let is_small = elements(m, k) <= by.borders.two_blocks;
    let blocks = if is_small { 2.0 } else { 4.0 };
    // Multiplying in blocks runs at the peak, which is not fitted.
    let math = elements(m, k) * n as f64 / PEAK;
    let many = |of: &Resident| [math, of.reload * blocks * elements(k, n), of.c / 2.0 * elements(m, n)];
    launch(if is_small && sum(one(fixed)) > sum(many(fixed)) { one(with) } else { many(with) })
}

/// What one core does with its share: multiplying with filling and draining, converting and loading, storing.
fn core(of: &Resident, m: f64, k: u64, n: f64) -> [f64; 3] {
    let k = k as f64;
    let math = of.fill * k / 128.0 + of.math * m * n * k * 1e-6 / (PEAK / 2.0);
    [math, (of.a * m * k + of.b * k * n) * 1e-6, of.c * m * n * 1e-6]
}

fn in_tiles(product: GemmSizes, by: &Borders, with: &Tiled) -> Microseconds {
    let (m, k, n) = (up(product.m, 16), up(product.k, LANES), up(product.n, LANES));
    let (macs, b) = (elements(m, k) * n as f64, elements(k, n));
    let (math, stored) = (with.math * macs / PEAK, with.c * elements(m, n));
    let reload = |rows: f64| [with.launch, math, with.reload * b * m as f64 / rows, stored];
    // A width that does not fill the lanes falls into small blocks of rows: where the depth does not fill them either
    // and the result is no taller than wide, or where the depth does and B is small.
    let is_ragged = !product.n.is_multiple_of(LANES)
        && if product.k.is_multiple_of(LANES) {
            elements(product.k, product.n) < by.held_b
        } else {
            product.m <= product.n
        };
    if is_ragged {
        return reload(by.small_block_rows);
    }
    let between = |side: u64| side > 1024 && side < 2048;
    let whole = if between(m) || between(n) { by.whole_k_odd } else { by.whole_k };
    if (k as f64) < whole {
        // At least two blocks each way.
        let (m, n) = (m as f64, n as f64);
        return reload(by.block_rows.min(n / 2.0).min(if n <= 2.0 * m { m / 2.0 } else { m }));
    }
    [with.launch, math, with.sums * macs, stored + with.b_once * b]
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
