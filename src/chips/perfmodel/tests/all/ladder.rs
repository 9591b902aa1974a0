//! Tests the factors from the peak to the rate of one matmul: their product, and the parts of each factor.

use perfmodel::gemm_time::{GemmTime, Limit, ProductOnChip, Rung};
use perfmodel::{Chip, F32Passes, Format, GemmSizes, PeakDtype, Per};
use proptest::prelude::*;

fn on(id: &str, format: impl Into<Format>, [m, k, n]: [u64; 3]) -> ProductOnChip {
    ProductOnChip::new(Chip::by_id(id).expect("listed"), format, GemmSizes { m, k, n }).expect("known")
}

fn factor(of: &ProductOnChip, rung: Rung) -> f64 {
    of.steps.iter().find(|step| step.rung == rung).expect("each rung").factor
}

fn side() -> impl Strategy<Value = u64> {
    prop_oneof![1..=20u64, 100..=300u64, 900..=5000u64, 5000..=100_000u64]
}

proptest! {
    #[test]
    fn the_factors_multiply_to_the_rate(
        chip in 0..Chip::all().len(),
        dtype in prop::sample::select(PeakDtype::ALL.to_vec()),
        passes in prop::sample::select(F32Passes::ALL.to_vec()),
        (m, k, n) in (side(), side(), side()),
        padded in 0..200u64,
    ) {
        let chip = &Chip::all()[chip];
        let format = Format::from(dtype).in_passes(passes);
        let run = GemmSizes { m: m + padded, k, n };
        let useful = GemmSizes { m, k, n }.flops();
        let Ok(found) = ProductOnChip::padded(chip, format, run, useful) else { return Ok(()) };
        let time = GemmTime::new(chip, format, run, Per::Chip).expect("the same");
        prop_assert_eq!(found.time.total, time.total);
        let rate = found.steps.iter().map(|step| step.factor).product::<f64>() * found.time.peak.0;
        prop_assert!((rate / (useful / time.total.0) - 1.0).abs() < 1e-12, "{} {}", rate, useful / time.total.0);
        prop_assert!((found.steps[8].left / found.mfu.ratio - 1.0).abs() < 1e-12);
        for step in found.steps {
            prop_assert!(step.factor > 0.0 && step.factor <= 1.0 + 1e-12, "{:?}", step);
        }
        prop_assert!(found.steps.iter().all(|step| step.factor >= found.costliest().factor));
    }
}

#[test]
fn a_product_of_the_first_screen_uses_almost_nothing_of_a_chip() {
    // 144 operations take 0.92 µs. At 275 · 10¹² per second, the share is 5.7 · 10⁻⁷.
    let found = on("tpu-v4", PeakDtype::Int8, [6, 4, 3]);
    assert!((found.mfu.ratio - 144.0 / (275e12 * found.time.total.0)).abs() < 1e-18);
    assert!(found.mfu.ratio < 1e-6, "{}", found.mfu.ratio);
    // The 4 × 3 weights need one tile of 128 × 128. Six arrays get a row each, and 1 cycle streams. Measured times in
    // f16 are shorter than the 254 cycles of fill and drain.
    assert_eq!(factor(&found, Rung::Format).to_bits(), 1.0f64.to_bits());
    assert!((factor(&found, Rung::Arrays) - 6.0 / 8.0).abs() < 1e-12);
    assert!((factor(&found, Rung::Tiles) - 12.0 / (128.0 * 128.0)).abs() < 1e-12);
    let cycle = 2.0 * 131_072.0 / 275e12;
    assert!((factor(&found, Rung::FillAndDrain) - cycle / found.time.parts.math.0).abs() < 1e-12);
    assert!((factor(&found, Rung::Unexplained) - 1.0).abs() < 1e-12);
    assert_eq!(found.costliest().rung, Rung::Tiles);
}

#[test]
fn each_factor_is_what_was_worked_out_by_hand() {
    // In bf16 on v5e, 1000 × 1000 × 1000 has 8 · 8 tiles, which are 16 folds of 1000 rows on each of 4 arrays.
    let found = on("tpu-v5e", PeakDtype::Bf16, [1000, 1000, 1000]);
    assert!((factor(&found, Rung::Arrays) - 1.0).abs() < 1e-12);
    assert!((factor(&found, Rung::Tiles) - 1e6 / (1024.0 * 1024.0)).abs() < 1e-12);
    assert!((factor(&found, Rung::Load) - 1.0).abs() < 1e-12);
    assert!((factor(&found, Rung::FillAndDrain) - 16_000.0 / 16_254.0).abs() < 1e-12);
    // A published run reaches 89.1% of the peak on this chip, counted in executed FLOPs. A run on another chip reaches
    // 96.9%.
    assert!((factor(&found, Rung::Unexplained) - 0.929).abs() < 1e-12);
    let (low, high) = found.mfu_range.expect("not measured");
    assert!(low < found.mfu.ratio && found.mfu.ratio < high, "{low} {high}");
    // With one row of A, an array waits for the next weights in 127 of 128 cycles.
    let row = on("tpu-v5e", PeakDtype::Bf16, [1, 4096, 4096]);
    assert!((factor(&row, Rung::Load) - 256.0 / (256.0 + 255.0 * 127.0)).abs() < 1e-12);
    assert_eq!(row.time.limit(), Limit::Memory);
    // Six passes reach a sixth of the peak. For a large square, memory is not a limit in either case.
    let [one, six] = [F32Passes::One, F32Passes::Six]
        .map(|passes| on("tpu-v5e", Format::from(PeakDtype::F32).in_passes(passes), [8192; 3]));
    assert!((factor(&six, Rung::Format) - 1.0 / 6.0).abs() < 1e-12);
    assert!(six.time.total.0 / one.time.total.0 > 5.5);
    // In blocks of 2048, 4096² reads A and B twice. That is 2 · (2 · 2 + 1) ÷ (2 · 3) times the least number of bytes.
    let square = on("tpu-v5e", PeakDtype::Bf16, [4096; 3]).numbers;
    assert!((square.moved_bytes / square.least_bytes - 5.0 / 3.0).abs() < 1e-12);
}

#[test]
fn decoding_waits_for_memory_and_a_gpu_pads_no_row() {
    let decode = on("tpu-v5e", PeakDtype::Bf16, [1, 4096, 4096]);
    assert!(decode.mfu.ratio < 0.005);
    let gpu = on("h100-sxm", PeakDtype::F16, [1, 4096, 4096]);
    assert!((factor(&gpu, Rung::Tiles) - 1.0).abs() < 1e-12);
    assert_eq!(gpu.costliest().rung, Rung::Memory);
}

#[test]
fn a_gpu_loses_by_idle_multiprocessors_and_by_the_start_of_short_thread_blocks() {
    // 4096³ has 16 · 32 tiles of 256 × 128, which run in 4 waves of 132 tiles. Each tile runs at 0.808 of its share,
    // and adds 0.259 µs.
    let large = on("h100-sxm", PeakDtype::Bf16, [4096; 3]);
    assert!((factor(&large, Rung::Arrays) - 512.0 / (4.0 * 132.0)).abs() < 1e-12);
    assert!((factor(&large, Rung::Tiles) - 1.0).abs() < 1e-12);
    let per_us = large.time.peak.0 / 132.0 * 1e-6 * 0.808;
    let block = 2.0 * 4096.0 * 256.0 * 128.0 / per_us;
    assert!((factor(&large, Rung::Unexplained) - 0.808 * block / (block + 0.259)).abs() < 1e-9);
    // The 8 × 8 elements of C are one tile, on one of 132 multiprocessors. K = 24 is padded to 64.
    let small = on("h100-sxm", PeakDtype::Bf16, [8, 24, 8]);
    assert!((factor(&small, Rung::Arrays) - 1.0 / 132.0).abs() < 1e-12);
    assert!((factor(&small, Rung::Tiles) - 24.0 / 64.0).abs() < 1e-12);
    assert!(factor(&small, Rung::Unexplained) < 0.01);
}

#[test]
fn a_narrow_format_that_is_widened_moves_fewer_bytes_at_the_rate_of_the_wide_one() {
    let [wide, narrow] = [PeakDtype::Bf16, PeakDtype::Fp8].map(|dtype| on("tpu-v4", dtype, [16, 8192, 8192]));
    assert!((wide.numbers.moved_bytes / narrow.numbers.moved_bytes - 2.0).abs() < 1e-12);
    assert_eq!(wide.time.peak, narrow.time.peak);
    assert!(narrow.time.total < wide.time.total);
}

#[test]
fn the_fitted_model_reloads_and_the_general_one_reads_again() {
    let fitted = on("tpu-v4", PeakDtype::F16, [2048; 3]);
    assert!(factor(&fitted, Rung::Reload) < 0.9 && fitted.time.parts.reload.0 > 0.0);
    let general = on("tpu-v4", PeakDtype::Bf16, [2048; 3]);
    assert!((factor(&general, Rung::Reload) - 1.0).abs() < 1e-12);
}

#[test]
fn the_price_is_that_of_the_whole_chip_for_the_time() {
    let found = on("tpu-v5e", PeakDtype::Bf16, [1, 4096, 4096]);
    assert!((found.usd(1.2) - 1.2 * found.time.total.0 / 3600.0).abs() < 1e-24);
}
