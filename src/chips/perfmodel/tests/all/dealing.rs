//! Compares the cycles of a matmul on the arrays of a chip with the schedule of one array, and with cycles counted by
//! hand.

use perfmodel::GemmSizes;
use perfmodel::PeakDtype::{Bf16, Int4, Int8};
use perfmodel::gemm_time::{Arrays, Dealing, GemmTime, Limit, StaysOnChip};
use perfmodel::{Chip, PeakDtype, Per};
use proptest::prelude::*;

fn chip(id: &str) -> &'static Chip {
    Chip::by_id(id).expect("the chip exists")
}

fn time(id: &str, dtype: PeakDtype, product: GemmSizes, per: Per) -> GemmTime {
    GemmTime::new(chip(id), dtype, product, per).expect("known")
}

/// Seconds per clock cycle of a TPU v5e, from its four arrays and its bf16 peak.
const V5E_CYCLE: f64 = 2.0 * 4.0 * 128.0 * 128.0 / 197e12;

/// Checks that `found` is `expected` to twelve digits.
pub(super) fn close(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-12, "{found} for {expected}");
}

#[test]
fn a_worked_product_takes_the_time_of_its_tiles() {
    // The chip is a TPU v5e with 197 TFLOP/s and 819 GB/s, and the launch of a TPU7x. 3000 × 5000 × 7000 has 2 × 3 × 4
    // blocks of 2048, so A is read 4 times and B twice. 40 · 55 tiles of 128 × 128 weights are 550 folds for each of
    // the four arrays.
    let product = GemmSizes { m: 3000, k: 5000, n: 7000 };
    let bandwidth = 819e9 * 0.870;
    let [a, b, c] = [3000.0 * 5000.0 * 4.0, 5000.0 * 7000.0 * 2.0, 3000.0 * 7000.0].map(|elements| 2.0 * elements);
    let math = (550.0 * 3000.0 + 254.0) * V5E_CYCLE / 0.929;
    for (stays, bytes) in
        [(StaysOnChip::Nothing, a + b + c), (StaysOnChip::A, b + c), (StaysOnChip::B, a + c), (StaysOnChip::C, a + b)]
    {
        let found = GemmTime::in_kernel(chip("tpu-v5e"), Bf16, product, Per::Chip, stays).expect("known");
        close(found.parts.math.0, math);
        close(found.parts.memory.0, bytes / bandwidth);
        // The first tiles of A and B and the last tile of C are exposed, but not inside a larger kernel.
        let tiles = if stays == StaysOnChip::Nothing { 3.0 } else { 0.0 };
        close(found.total.0, 1.430e-6 + math + tiles * 2.0 * 2048.0 * 2048.0 / bandwidth);
    }
}

#[test]
fn tiles_are_dealt_and_rows_divided_if_that_is_faster() {
    // A matmul with one row, K = 128 and N = 512 has a tile for each of the 4 arrays of a TPU v5e. A cycle lasts 2 ·
    // PEs ÷ peak.
    let row = GemmSizes { m: 1, k: 128, n: 512 };
    for (dtype, peak) in [(Bf16, 197e12), (Int8, 393e12), (Int4, 788e12)] {
        let cycle = 2.0 * 4.0 * 16_384.0 / peak;
        close(time("tpu-v5e", dtype, row, Per::Chip).parts.math.0, (1.0 + 254.0) * cycle / 0.929);
    }
    // The 8 arrays of a TPU v5p can compute 9 tiles of 130 rows in three ways. The first is 2 folds of 130 rows. The
    // second is 9 folds of 17 rows, which take 128 cycles each. The third is 3 folds of 65 rows with 4 groups of 2
    // arrays, which take 65 + 2 · 128 cycles. The first way is the fastest.
    let ragged = GemmSizes { m: 130, k: 100, n: 1100 };
    let cycle = 2.0 * 8.0 * 16_384.0 / 459e12;
    close(time("tpu-v5p", Bf16, ragged, Per::Chip).parts.math.0, (2.0 * 130.0 + 254.0) * cycle / 0.826);
    // One core with 4 arrays needs 3 folds of 130 rows.
    close(time("tpu-v5p", Bf16, ragged, Per::Core).parts.math.0, (3.0 * 130.0 + 254.0) * cycle / 0.826);
    // Eight arrays share a single tile, and each has at most 3 rows.
    let single = GemmSizes { m: 20, k: 100, n: 100 };
    close(time("tpu-v5p", Bf16, single, Per::Chip).parts.math.0, (3.0 + 254.0) * cycle / 0.826);
}

#[test]
fn neither_compute_nor_memory_alone_limits_a_matmul_that_adds_both() {
    // With sizes up to a tile, nothing overlaps. The total is the launch, 6.05 µs of compute and 5.89 µs of memory.
    let found = time("tpu-v5e", Bf16, GemmSizes { m: 512, k: 1024, n: 1024 }, Per::Chip);
    assert_eq!(found.limit(), Limit::InTurn);
    // 4 arrays of 128×128 compute 64 tiles in 16 folds of 512 rows. Filling and draining take 254 cycles.
    let cycles = 16.0 * 512.0 + 254.0;
    let [compute, memory] = [cycles * V5E_CYCLE / 0.929, 4_194_304.0 / (819e9 * 0.87)];
    assert!((found.total.0 - 1.430e-6 - compute - memory).abs() < 1e-12, "{found:?}");
}

proptest! {
    /// Checks that the cycles of an array and their classes are those of the array view, except for the first load.
    #[test]
    fn the_busiest_array_has_the_cycles_of_the_array_view(
        (m, k, n) in (1..=400u64, 1..=400u64, 1..=400u64),
        (rows, cols) in (1..=40u32, 1..=40u32),
        (units, passes) in (1..=9u64, 1..=3u32),
    ) {
        let arrays = Arrays { rows, cols, units, waits_for_weights: true };
        let dealing = Dealing::new(GemmSizes { m, k, n }, arrays, passes);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]
        let (streamed, folds) = (dealing.streamed as u64, dealing.folds as u64);
        let (rows, cols) = (u64::from(rows), u64::from(cols));
        let gemm = systolic::Gemm::new(streamed, folds * rows, cols).expect("in range");
        let shape = systolic::ArrayShape::new(rows, cols).expect("in range");
        let of = systolic::Schedule::new(gemm, shape, systolic::Dataflow::WeightStationary, systolic::Padding::Ragged);
        let design = systolic::Design { overlap: systolic::Overlap::DoubleBuffered, ..systolic::Design::default() };
        let schedule = of.and_then(|schedule| schedule.with(design)).expect("can run");
        let cycles = |pe_cycles: u64| (pe_cycles / shape.pes()) as f64;
        let tally = schedule.tally();
        prop_assert_eq!(dealing.cycles(), (schedule.cycles().0 - rows) as f64);
        prop_assert_eq!(dealing.streaming(), cycles(tally.useful.0));
        prop_assert_eq!(dealing.loading(), cycles(tally.load.0) - rows as f64);
        prop_assert_eq!(dealing.fill_and_drain(), cycles(tally.fill.0 + tally.drain.0));
        // No other number of arrays that share a tile is faster.
        for sharing in 1..=units {
            let other = Dealing::shared(GemmSizes { m, k, n }, arrays, passes, sharing);
            prop_assert!(other.cycles() >= dealing.cycles(), "{sharing}");
        }
    }
}
