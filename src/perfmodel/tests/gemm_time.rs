//! The time of one product, against times that others measured.

use std::collections::BTreeMap;
use std::{env, fs};

use perfmodel::PeakDtype::{Bf16, F16, F32, Int8};
use perfmodel::gemm_time::{GemmTime, Limit, Product, calibration};
use perfmodel::{Chip, MfuRefusal, PeakDtype, Per};
use proptest::prelude::*;

fn chip(id: &str) -> &'static Chip {
    Chip::by_id(id).expect("the chip exists")
}

fn square(side: u64) -> Product {
    Product { m: side, k: side, n: side }
}

fn time(id: &str, dtype: PeakDtype, product: Product, per: Per) -> GemmTime {
    GemmTime::new(chip(id), dtype, product, per).expect("known")
}

/// Measured products: `range, M, N, K, us_avg, …`. They are third-party data and not part of this project: the variable
/// MEASURED_GEMMS names the file, else it is looked for beside the project.
fn measured() -> Option<Vec<(String, Product, f64)>> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/golden/tpu_v4_gemm_measured.csv");
    let path = env::var("MEASURED_GEMMS").unwrap_or_else(|_| beside.to_owned());
    let text = fs::read_to_string(path).ok()?;
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.splitn(6, ',').collect();
        let side = |index: usize| fields[index].parse().expect("a side");
        let product = Product { m: side(1), n: side(2), k: side(3) };
        (fields[0].to_owned(), product, fields[4].parse().expect("microseconds"))
    });
    Some(rows.collect())
}

#[expect(clippy::print_stdout, reason = "a check that is not made is told")]
#[test]
fn measured_products_are_foretold_with_the_published_errors() {
    let Some(rows) = measured() else {
        println!("not checked: the measured products are absent; MEASURED_GEMMS names their file");
        return;
    };
    let mut errors: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (range, product, us) in rows {
        let foretold = time("tpu-v4", F16, product, Per::Chip).total.0 * 1e6;
        errors.entry(range).or_default().push((foretold / us - 1.0).abs());
    }
    // Mean absolute errors, as the README states them; a little room for the last digit.
    for (range, most) in [("lt128", 0.0145), ("128-1024", 0.0575), ("1024-4096", 0.0505), ("unaligned", 0.089)] {
        let (_, of_range) = errors.iter().find(|(name, _)| name.contains(range)).expect(range);
        let mean = of_range.iter().sum::<f64>() / of_range.len() as f64;
        assert!(mean < most, "{range}: {mean}");
        assert!(mean > most / 2.0, "{range}: {mean} is better than what is published");
    }
}

#[test]
fn published_products_on_a_core_of_tpu_7x_come_out() {
    // Oracle: accelerator-microbenchmarks, TFLOP/s per TensorCore. The first and the last are calibrated on.
    for (side, tflops, within) in [(128, 2.59, 0.01), (1024, 349.7, 0.065), (16384, 950.1, 0.01)] {
        let found = square(side).flops() / time("tpu-7x", Bf16, square(side), Per::Core).total.0 / 1e12;
        assert!((found / tflops - 1.0).abs() < within, "{side}: {found} for {tflops}");
    }
}

#[test]
fn the_published_product_on_tpu_v6e_comes_out() {
    let mfu = time("tpu-v6e", Bf16, square(8192), Per::Chip).mfu.expect("possible").ratio;
    assert!((mfu - 0.901).abs() < 0.002, "{mfu}");
}

#[test]
fn tile_efficiency_is_that_of_width_and_depth() {
    // LSTM1 of the TPU v1 paper: 600 × 600 on 256 × 256 fills 600² of 768² (Table 3: 60 %, arithmetic: 61.0 %).
    assert!((Product { m: 96, k: 600, n: 600 }.eta_tile(256, 256) - 0.610).abs() < 0.0005);
    assert_eq!(time("tpu-v4", Bf16, square(130), Per::Chip).eta_tile, Some(130.0 * 130.0 / (256.0 * 256.0)));
    assert_eq!(time("h100-sxm", Bf16, square(130), Per::Chip).eta_tile, None);
}

#[test]
fn a_small_batch_is_bound_by_memory_and_a_large_square_by_arithmetic() {
    let decode = time("tpu-v5e", Bf16, Product { m: 8, k: 8192, n: 8192 }, Per::Chip);
    assert_eq!(decode.parts.limit(), Limit::Memory);
    assert_eq!(time("tpu-v5e", Bf16, square(8192), Per::Chip).parts.limit(), Limit::Compute);
    assert_eq!(time("tpu-v5e", Bf16, square(64), Per::Chip).parts.limit(), Limit::Launch);
}

#[test]
fn what_is_not_published_has_no_time() {
    let unknown = |id: &str, dtype| GemmTime::new(chip(id), dtype, square(512), Per::Chip).err();
    assert!(matches!(unknown("tpu-v4", F32), Some(MfuRefusal::Unknown { .. })));
    assert!(matches!(unknown("tpu-7x", Int8), Some(MfuRefusal::Unknown { .. })));
    assert!(matches!(unknown("tpu-8t", Bf16), Some(MfuRefusal::Unknown { .. })));
    let nothing = GemmTime::new(chip("tpu-v4"), Bf16, Product { m: 0, k: 4, n: 4 }, Per::Chip).err();
    assert_eq!(nothing, Some(MfuRefusal::NoRate));
    let slice = GemmTime::new(chip("tpu-v4"), Bf16, square(512), Per::Slice(4)).err();
    assert!(matches!(slice, Some(MfuRefusal::Unknown { .. })), "how a product is split over chips is not modeled");
}

#[test]
fn every_constant_has_its_source() {
    for one in calibration::CALIBRATIONS {
        assert!(Chip::by_id(one.chip).is_some() && !one.source.text.is_empty(), "{}", one.chip);
        let shares = [one.math_share, one.memory_share];
        assert!(shares.iter().all(|share| *share > 0.5 && *share < 1.0) && one.launch_sec > 0.0, "{}", one.chip);
    }
}

proptest! {
    #[test]
    fn no_product_beats_the_peak_or_takes_no_time(
        (m, k, n) in (1u64..200_000, 1u64..200_000, 1u64..200_000),
        which in 0usize..21,
    ) {
        let chip = &Chip::all()[which];
        for dtype in PeakDtype::ALL {
            let Ok(found) = GemmTime::new(chip, dtype, Product { m, k, n }, Per::Chip) else { continue };
            prop_assert!(found.total.0 > 0.0 && found.total.0.is_finite());
            prop_assert!(found.mfu.is_ok(), "{} {dtype:?}: {:?}", chip.id, found.mfu);
            prop_assert!(found.eta_tile.is_none_or(|eta| eta > 0.0 && eta <= 1.0));
        }
    }

    #[test]
    fn elsewhere_twice_the_rows_never_take_less_time((m, k, n) in (1u64..9000, 1u64..9000, 1u64..9000)) {
        let total = |m| time("tpu-v5p", Bf16, Product { m, k, n }, Per::Chip).total.0;
        prop_assert!(total(2 * m) >= total(m) * 0.999_999);
    }
}
