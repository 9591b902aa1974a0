//! Time model of f16 matmuls on TPU v4, fitted to measurements: its constants, their meaning and its limits.
//!
//! The chip multiplies bf16, so it converts f16 operands when it loads them into the arrays. Loading operands into the
//! arrays again takes longer than moving the operands from memory. Therefore these constants are valid only for f16.
//! Times are in microseconds, and sizes are in millions of elements or of multiply-accumulates. The constants were
//! fitted to 890 matmuls by least squares of the relative error. The SCALE-Sim project measured these matmuls on one
//! TPU v4 (two cores as one device; repository SCALE-Sim-validation, commit 45818f1). `systolic time --against us_avg
//! --by range` prints the errors by size.
//!
//! The model does not know the tiles that the compiler chose. The remaining errors occur at single shapes, near the
//! sizes at which the compiler changes the tiles. In all measured matmuls, M, K and N are at most 4096, and sizes
//! between 129 and 1023 are multiples of 128.

use super::Parts;
use crate::{Chip, Compute, GemmSizes, PeakDtype, Per, Seconds, Source};

/// Multiply-accumulates per microsecond, in millions: 2 cores × 4 arrays × 128 × 128 × 1.0666 GHz. This is the value in
/// the profile of the measured device (2 × 139.8 TFLOP/s). Not fitted.
const PEAK: f64 = 139.8;
/// Number of columns of an array, which is also the number of rows (the depth). Not fitted.
const LANES: u64 = 128;

/// Constants for a matmul of one tile, with M, K and N of at most 128.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tile {
    /// Launch and one round trip to memory, µs.
    launch: f64,
    /// Draining and storing the result, µs per unit of √(M · N).
    edge: f64,
    /// Pushing K through the array, µs per element of K: about half a clock cycle.
    depth: f64,
    /// Time of a third transfer, µs. The transfer occurs if `K ≤ min(M, N)` or `M = N`, and does not overlap with other
    /// work.
    third_transfer: f64,
}

/// Constants for a matmul whose three matrices fit into vector memory at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Resident {
    /// Launch, µs.
    launch: f64,
    /// Filling and draining, µs per 128 elements of K: about 60 clock cycles.
    fill: f64,
    /// Time of multiplication ÷ time at the peak. The fitted value means that about one and a half of the four arrays
    /// of a core are busy.
    math: f64,
    /// Converting A (`a`), loading B (`b`) and storing C (`c`), µs per million elements on one core.
    a: f64,
    b: f64,
    c: f64,
    /// Loading B again for each block of rows, µs per million elements: about 240 clock cycles per 128 × 128 weights.
    reload: f64,
}

/// Constants for a matmul that runs in tiles from memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tiled {
    /// Launch, loading the first tiles and storing the last tiles, µs.
    launch: f64,
    /// Time of multiplication ÷ time at the peak.
    math: f64,
    /// Storing C, µs per million elements.
    c: f64,
    /// Loading B again for each block of rows, µs per million elements.
    reload: f64,
    /// Extra work if K is split, µs per million multiply-accumulates: reading and writing partial sums again, and
    /// converting A again.
    sums: f64,
    /// Loading B once if K is split, µs per million elements.
    b_once: f64,
}

/// Sizes at which the compiler changes its tiling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Borders {
    /// Largest total size of A, B and C that fits into vector memory, millions of elements.
    pub(super) resident: f64,
    /// Largest share of the matrices that a core handles in one step (`one_step`), millions of elements. Largest A that
    /// is divided into only two blocks of rows (`two_blocks`), millions of elements.
    pub(super) one_step: f64,
    pub(super) two_blocks: f64,
    /// Largest number of rows in a block (`block_rows`). Number of rows in a small block, which is used if N does not
    /// fill the lanes (`small_block_rows`).
    pub(super) block_rows: f64,
    pub(super) small_block_rows: f64,
    /// Limit below which K is not split: in general (`whole_k`), and if M or N is between 1024 and 2048
    /// (`whole_k_odd`).
    pub(super) whole_k: f64,
    pub(super) whole_k_odd: f64,
    /// Largest B that stays in vector memory, millions of elements.
    pub(super) held_b: f64,
}

/// Linear constants of the fit. A time is a sum of terms. Each term is one constant times a value computed from M, K
/// and N.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Linear {
    pub(super) tile: Tile,
    pub(super) resident: Resident,
    pub(super) tiled: Tiled,
}

/// All fitted values: linear constants and borders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Constants {
    pub(super) linear: Linear,
    pub(super) borders: Borders,
}

/// Constants fitted to all 890 matmuls.
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

/// Number of constants in a [`Linear`].
pub(super) const N_LINEAR: usize = 17;

impl Linear {
    /// Returns the constants in the order of [`Self::from_array`].
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

    /// Builds the constants from an array in the order of [`Self::to_array`].
    pub(super) const fn from_array(of: [f64; N_LINEAR]) -> Self {
        let [t0, t1, t2, t3, r0, r1, r2, r3, r4, r5, r6, m0, m1, m2, m3, m4, m5] = of;
        Self {
            tile: Tile { launch: t0, edge: t1, depth: t2, third_transfer: t3 },
            resident: Resident { launch: r0, fill: r1, math: r2, a: r3, b: r4, c: r5, reload: r6 },
            tiled: Tiled { launch: m0, math: m1, c: m2, reload: m3, sums: m4, b_once: m5 },
        }
    }
}

/// Source of the measurements behind the fit.
pub static SOURCE: Source = Source {
    key: "scale-sim-validation",
    text: "SCALE-Sim project: times of 890 f16 matmuls on one TPU v4, repository SCALE-Sim-validation, commit 45818f1",
};

/// True if the fit is valid for this chip, format and unit.
pub fn applies_to(chip: &Chip, dtype: PeakDtype, per: Per) -> bool {
    chip.id == "tpu-v4"
        && !chip.is_custom
        && dtype == PeakDtype::F16
        && per == Per::Chip
        && matches!(chip.compute, Compute::Arrays { .. })
}

/// Time of a matmul, and the parts of this time.
pub fn time(product: GemmSizes) -> (Seconds, Parts) {
    let [launch, math, reload, memory] = parts(product, &SHIPPED, &SHIPPED.linear);
    let seconds = |us: f64| Seconds(us * 1e-6);
    let parts =
        Parts { launch: seconds(launch), math: seconds(math), reload: seconds(reload), memory: seconds(memory) };
    (seconds(launch + math + reload + memory), parts)
}

/// Microseconds of launch, multiplication, reload with conversion, and memory. The sum of the four parts is the time of
/// the matmul.
type Microseconds = [f64; 4];

/// Parts of a matmul's time with the constants `with`. The constants `by` select the faster tiling, and stay fixed
/// while a fit varies `with`.
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

/// Returns the range of positions in [`Linear::to_array`] that contains the constants for a matmul of these sizes.
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
    // Each core gets half of the columns, or half of the rows if that is at least 128.
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

/// Microseconds that one core needs for its share of a matmul. The three parts are multiplication (with filling and
/// draining), conversion (with loading), and storing.
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
    // A width that does not fill the lanes runs in small blocks of rows in two cases. Either the depth fills the lanes
    // and B is small, or the depth does not fill them and the result is not taller than wide.
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
        // Each direction has at least two blocks.
        let (m, n) = (m as f64, n as f64);
        return reload(by.block_rows.min(n / 2.0).min(if n <= 2.0 * m { m / 2.0 } else { m }));
    }
    [with.launch, math, with.sums * macs, stored + with.b_once * b]
}

/// Elements of a matrix, in millions.
fn elements(rows: u64, cols: u64) -> f64 {
    rows as f64 * cols as f64 * 1e-6
}

/// Rounds `side` up to a multiple of `of`, at least `of`.
fn up(side: u64, of: u64) -> u64 {
    side.max(1).div_ceil(of).saturating_mul(of)
}

fn sum(parts: [f64; 3]) -> f64 {
    parts.iter().sum()
}
