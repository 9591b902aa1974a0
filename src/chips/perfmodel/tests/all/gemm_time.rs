//! Compares the time of one matmul with times that others measured.

use std::collections::BTreeMap;
use std::{env, fs};

use perfmodel::GemmSizes;
use perfmodel::PeakDtype::{Bf16, F16, F32, Int8};
use perfmodel::gemm_time::accuracy::{self, Sides};
use perfmodel::gemm_time::left_out::{self, LeftOut, Measured};
use perfmodel::gemm_time::{Arrays, Dealing, GemmTime, Limit, StaysOnChip, calibration, tpu_v4};
use perfmodel::{Chip, MfuRefusal, PassTime, PeakDtype, Per};

use super::dealing::close;
use proptest::prelude::*;

fn chip(id: &str) -> &'static Chip {
    Chip::by_id(id).expect("the chip exists")
}

fn square(side: u64) -> GemmSizes {
    GemmSizes { m: side, k: side, n: side }
}

fn time(id: &str, dtype: PeakDtype, product: GemmSizes, per: Per) -> GemmTime {
    GemmTime::new(chip(id), dtype, product, per).expect("known")
}

/// Returns measured matmuls: `range, M, N, K, us_avg, …`. They are third-party data and do not belong to this project.
/// The variable MEASURED_GEMMS names their file. Without this variable, the test has nothing to compare.
fn measured() -> Option<Vec<(String, GemmSizes, f64)>> {
    let path = env::var("MEASURED_GEMMS").ok()?;
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("MEASURED_GEMMS names {path}: {error}"));
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.splitn(6, ',').collect();
        let side = |index: usize| fields[index].parse().expect("a side");
        let product = GemmSizes { m: side(1), n: side(2), k: side(3) };
        (fields[0].to_owned(), product, fields[4].parse().expect("microseconds"))
    });
    Some(rows.collect())
}

#[expect(clippy::print_stdout, reason = "a check that is not made is named")]
#[test]
fn measured_products_are_predicted_with_the_published_errors() {
    let Some(rows) = measured() else {
        println!("not checked: MEASURED_GEMMS names no file of measured products");
        return;
    };
    let mut errors: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut elsewhere = Vec::new();
    for (range, product, us) in rows {
        let predicted = time("tpu-v4", F16, product, Per::Chip).total.0 * 1e6;
        if Sides::of(product) != sides_of(&range) {
            elsewhere.push(product);
        }
        errors.entry(range).or_default().push((predicted / us - 1.0) * 100.0);
    }
    // Squares at the borders are in two or more ranges.
    elsewhere.retain(|product| *product != square(128) && *product != square(1024));
    assert_eq!(elsewhere, []);
    assert_eq!(errors.len(), accuracy::TPU_V4_F16.len());
    for (range, mut of_range) in errors {
        let published = accuracy::TPU_V4_F16.iter().find(|one| one.sides == sides_of(&range)).expect("a range");
        let count = of_range.len() as f64;
        let bias = of_range.iter().sum::<f64>() / count;
        of_range.iter_mut().for_each(|error| *error = error.abs());
        of_range.sort_by(f64::total_cmp);
        let within = |percent: usize| of_range[(of_range.len() * percent).div_ceil(100) - 1];
        let found = [of_range.iter().sum::<f64>() / count, within(50), within(90), bias, within(100)];
        let stated = [published.mean, published.median, published.within_90, published.bias, published.worst];
        let is_stated = found.iter().zip(stated).all(|(found, stated)| (found - stated).abs() < 0.0051);
        assert!(is_stated && published.products as usize == of_range.len(), "{range}: {found:?}, published {stated:?}");
    }
}

/// Returns the range of sizes that has this name in the measured rows.
fn sides_of(range: &str) -> Sides {
    match range {
        "lt128" => Sides::To128,
        "128-1024" => Sides::To1024,
        "1024-4096" => Sides::To4096,
        _ if range.starts_with("unaligned") => Sides::Ragged,
        other => panic!("{other} is no range"),
    }
}

#[test]
fn every_product_has_its_range() {
    let of = |m, k, n| Sides::of(GemmSizes { m, k, n });
    assert_eq!([of(1, 1, 1), of(128, 128, 128), of(128, 7, 100)], [Sides::To128; 3]);
    assert_eq!([of(128, 256, 1024), of(1024, 128, 128)], [Sides::To1024; 2]);
    assert_eq!([of(1024, 1024, 1152), of(4096, 4096, 4096)], [Sides::To4096; 2]);
    assert_eq!([of(1025, 1024, 1024), of(4095, 4096, 4096)], [Sides::Ragged; 2]);
    assert_eq!([of(129, 128, 128), of(128, 128, 1152), of(8192, 4096, 4096), of(1000, 2048, 2048)], [Sides::Other; 4]);
}

#[expect(clippy::print_stdout, reason = "a check that is not made is named")]
#[test]
fn groups_of_shapes_that_are_left_out_are_inside_the_published_intervals() {
    let Some(rows) = measured() else {
        println!("not checked: MEASURED_GEMMS names no file of measured products");
        return;
    };
    let all: Vec<Measured> = rows.iter().map(|(_, product, us)| Measured { product: *product, us: *us }).collect();
    let mut ranges: BTreeMap<&str, Vec<LeftOut>> = BTreeMap::new();
    for ((range, ..), one) in rows.iter().zip(left_out::left_out(&all)) {
        ranges.entry(range).or_default().push(one);
    }
    assert_eq!(ranges.len(), accuracy::TPU_V4_F16_LEFT_OUT.len());
    for (range, of) in ranges {
        let published = accuracy::TPU_V4_F16_LEFT_OUT.iter().find(|one| one.sides == sides_of(range)).expect("a range");
        let mean = 100.0 * of.iter().map(|one| one.error().abs()).sum::<f64>() / of.len() as f64;
        let found = left_out::interval(&of).expect("groups");
        assert!(
            (mean - published.mean).abs() < 0.0051 && (found.log - published.log).abs() < 0.000_51,
            "{range}: {mean} {found:?}"
        );
        assert_eq!(found.held, published.held as usize, "{range}");
        assert!(found.held as f64 >= 0.8 * of.len() as f64, "{range}: {found:?}");
    }
}

/// Returns three parts of a matmul's time, in microseconds: multiplication, all memory traffic, and exposed memory
/// traffic. The times are those of a TPU v4 at its peak and bandwidth.
fn general(product: GemmSizes) -> [f64; 3] {
    let v4 = chip("tpu-v4");
    let per_us = v4.memory.bytes_per_sec().expect("published") * 1e-6;
    let cycle_us = 2.0 * 131_072.0 / v4.peak_flops(Bf16).expect("published").0 * 1e6;
    let bytes = |of: GemmSizes, [a, b]: [f64; 2]| {
        2.0 * (a * (of.m * of.k) as f64 + b * (of.k * of.n) as f64 + (of.m * of.n) as f64) / per_us
    };
    let blocks = |side: u64| side.div_ceil(calibration::TILE) as f64;
    let [m, k, n] = product.mkn().map(|side| side.min(calibration::TILE));
    let arrays = Arrays { rows: 128, cols: 128, units: 8, waits_for_weights: true };
    let math = Dealing::new(product, arrays, 1).cycles() * cycle_us;
    [math, bytes(product, [blocks(product.n), blocks(product.m)]), bytes(GemmSizes { m, k, n }, [1.0; 2])]
}

/// Returns the launch in µs and the slowdowns of multiplication and memory that minimize the mean of |ln(predicted ÷
/// measured)|.
fn fitted_general(rows: &[([f64; 3], f64)], start: [f64; 3]) -> [f64; 3] {
    let score = |with: [f64; 3]| rows.iter().map(|(parts, us)| (in_general(*parts, with) / us).ln().abs()).sum::<f64>();
    let (mut best, mut steps) = ((score(start), start), [0.2, 0.3, 0.3]);
    while steps.iter().any(|step| *step > 0.004) {
        let before = best.0;
        for (index, step) in steps.into_iter().enumerate() {
            for by in [step, -step] {
                let mut with = best.1;
                with[index] = (with[index] + by).max(1e-9);
                let found = score(with);
                if found < best.0 - 1e-9 {
                    best = (found, with);
                }
            }
        }
        if best.0 == before {
            steps = steps.map(|step| step / 2.0);
        }
    }
    best.1
}

fn in_general([math, memory, exposed]: [f64; 3], [launch, slower, drier]: [f64; 3]) -> f64 {
    launch + exposed * drier + (math * slower).max((memory - exposed) * drier)
}

#[expect(clippy::print_stdout, reason = "a check that is not made is named")]
#[test]
fn the_cycles_of_the_arrays_explain_as_much_of_groups_left_out_as_the_document_states() {
    let Some(rows) = measured() else {
        println!("not checked: MEASURED_GEMMS names no file of measured products");
        return;
    };
    let all: Vec<([f64; 3], f64)> = rows.iter().map(|(_, product, us)| (general(*product), *us)).collect();
    let fit_of_all = fitted_general(&all, [0.8, 1.3, 1.2]);
    let others = |left_out: u64| {
        let rest = || rows.iter().zip(&all).filter(|((_, product, _), _)| left_out::group(*product) != left_out);
        let log = rest().map(|((_, product, us), _)| (us / product.flops()).ln()).sum::<f64>();
        let fit = fitted_general(&rest().map(|(_, row)| *row).collect::<Vec<_>>(), fit_of_all);
        (fit, (log / rest().count() as f64).exp())
    };
    let mut of_group: BTreeMap<u64, ([f64; 3], f64)> = BTreeMap::new();
    let mut errors: BTreeMap<&str, Vec<[f64; 3]>> = BTreeMap::new();
    for ((range, product, us), (parts, _)) in rows.iter().zip(&all) {
        let group = left_out::group(*product);
        let (fit, us_per_flop) = *of_group.entry(group).or_insert_with(|| others(group));
        let once =
            product.least_bytes(F16, StaysOnChip::Nothing) / chip("tpu-v4").memory.bytes_per_sec().expect("known");
        let roofline = (product.flops() / 275e12).max(once) * 1e6;
        let predicted = [in_general(*parts, fit), us_per_flop * product.flops(), roofline];
        errors.entry(range).or_default().push(predicted.map(|predicted| 100.0 * (predicted / us - 1.0).abs()));
    }
    let document = include_str!("../../../../../docs/accuracy.md");
    for (range, of) in errors {
        let mean = |nth: usize| of.iter().map(|errors| errors[nth]).sum::<f64>() / of.len() as f64;
        let [model, rate, roofline] = [mean(0), mean(1), mean(2)];
        let head = format!("| {} | {} | {model:.1}% |", sides_of(range).words(), of.len());
        let tail = format!("| {rate:.0}% | {roofline:.0}% |");
        assert!(document.lines().any(|line| line.starts_with(&head) && line.ends_with(&tail)), "{head} … {tail}");
    }
}

#[test]
fn the_document_states_the_errors_of_groups_left_out() {
    let document = include_str!("../../../../../docs/accuracy.md");
    for (one, all) in accuracy::TPU_V4_F16_LEFT_OUT.iter().zip(accuracy::TPU_V4_F16) {
        assert_eq!(one.sides, all.sides);
        let rows = document.lines().filter(|line| line.contains("| ÷ "));
        let named = |line: &&str| {
            line.split(" |").next().is_some_and(|name| {
                let name = name.trim_start_matches("| ");
                ["lt128", "128-1024", "1024-4096", "unaligned-1024-4084"].contains(&name) && sides_of(name) == one.sides
            })
        };
        let row = rows.clone().find(named).expect("a row for each range");
        let coverage = 100.0 * f64::from(one.held) / f64::from(all.products);
        let factor = one.log.exp();
        let cells = format!(
            "| {} | {:.2}% | ÷ {factor:.2} to × {factor:.2} | {} | {coverage:.1}% |",
            all.products, one.mean, one.held
        );
        assert!(row.ends_with(&cells), "{row}: {cells}");
    }
}

#[test]
fn a_time_has_an_interval_where_products_of_its_kind_were_measured() {
    let of = |id: &str, dtype, product| accuracy::interval(chip(id), dtype, Per::Chip, product, 1.0);
    let (low, high) = of("tpu-v4", F16, square(512)).expect("measured");
    assert!(low < 1.0 && (low * high - 1.0).abs() < 1e-12);
    let ragged = of("tpu-v4", F16, square(1675)).expect("measured");
    assert!(ragged.0 < low && ragged.1 > high, "what was predicted worse has a wider interval");
    assert_eq!(
        [of("tpu-v4", Bf16, square(512)), of("tpu-v5e", F16, square(512)), of("tpu-v4", F16, square(9000))],
        [None; 3]
    );
}

#[test]
fn the_document_states_the_published_errors() {
    let document = include_str!("../../../../../docs/accuracy.md");
    for one in accuracy::TPU_V4_F16 {
        let row = document.lines().find(|line| line.contains(one.sides.words())).expect("a row for each range");
        let cells: Vec<f64> = row
            .split('|')
            .filter_map(|cell| cell.trim().trim_end_matches('%').replace('\u{2212}', "-").parse().ok())
            .collect();
        // The columns are the number of matmuls, mean, median, 90th percentile, bias, worst, left out, and the other
        // model's error.
        assert_eq!(cells.len(), 8, "{row}");
        let stated = [one.mean, one.median, one.within_90, one.bias, one.worst, one.held_out];
        assert!((cells[0] - f64::from(one.products)).abs() < 0.5, "{row}");
        for (cell, stated) in cells[1..7].iter().zip(stated) {
            assert!((cell - stated).abs() <= if stated.abs() < 10.0 { 0.051 } else { 0.51 }, "{row}: {stated}");
        }
    }
    assert!(document.contains(accuracy::DATE));
}

#[test]
fn published_products_come_out() {
    for check in accuracy::CHECKS {
        let found = check.product().flops() / time(check.chip, check.dtype, check.product(), check.per).total.0 / 1e12;
        let within = if check.is_fitted { 0.01 } else { 0.065 };
        assert!((found / check.tflops - 1.0).abs() < within, "{check:?}: {found}");
    }
    assert!(accuracy::CHECKS.iter().any(|check| !check.is_fitted), "one that no constant was set by");
}

#[test]
fn tpu_v1_reads_only_weights_from_its_memory() {
    // ISCA 2017, section 7, has 18 µs. Nine tiles of 64 KiB load at 34 GB/s. Then 200 rows take 256 + 256 more cycles
    // at 92 TOPS.
    let product = GemmSizes { m: 200, k: 600, n: 600 };
    let cycle = 1.0 / (92e12 / (2.0 * 65_536.0));
    let wanted = 9.0 * 65_536.0 / 34e9 + 711.0 * cycle;
    let found = time("tpu-v1", Int8, product, Per::Chip).total.0;
    assert!((found / wanted - 1.0).abs() < 1e-9 && (found * 1e6 - 18.0).abs() < 0.5, "{found}");
    // More rows of A only add compute. 8 times as many rows take 8 times as long in each tile.
    let large = time("tpu-v1", Int8, GemmSizes { m: 12_800, ..product }, Per::Chip);
    let wanted = 65_536.0 / 34e9 + (8.0 * 12_800.0 + 12_800.0 + 511.0) * cycle;
    assert!((large.total.0 / wanted - 1.0).abs() < 1e-9 && large.limit() == Limit::Compute);
}

#[test]
fn tile_efficiency_is_that_of_width_and_depth() {
    // LSTM1 of the TPU v1 paper multiplies 600 × 600 on 256 × 256, which fills 600² of 768². Table 3 has 60%, and the
    // exact ratio is 61.0%.
    assert!((GemmSizes { m: 96, k: 600, n: 600 }.eta_tile(256, 256) - 0.610).abs() < 0.0005);
    assert_eq!(time("tpu-v4", Bf16, square(130), Per::Chip).eta_tile, Some(130.0 * 130.0 / (256.0 * 256.0)));
    assert_eq!(time("h100-sxm", Bf16, square(130), Per::Chip).eta_tile, None);
}

#[test]
fn a_small_batch_is_bound_by_memory_and_a_large_square_by_arithmetic() {
    let decode = time("tpu-v5e", Bf16, GemmSizes { m: 8, k: 8192, n: 8192 }, Per::Chip);
    assert_eq!(decode.limit(), Limit::Memory);
    assert_eq!(time("tpu-v5e", Bf16, square(8192), Per::Chip).limit(), Limit::Compute);
    assert_eq!(time("tpu-v5e", Bf16, square(64), Per::Chip).limit(), Limit::Launch);
}

#[test]
fn what_is_launched_with_others_is_not_bound_by_its_launch() {
    let small = time("tpu-v5e", Bf16, square(64), Per::Chip);
    assert_eq!((small.limit(), small.limit_among_others()), (Limit::Launch, Limit::Compute));
}

#[test]
fn a_pass_adds_its_products_up_and_launches_once() {
    let (wide, ragged) = (square(4096), GemmSizes { m: 8, k: 8192, n: 8200 });
    let pass = |n_wide: f64, n_ragged: f64| {
        let products = [(wide, StaysOnChip::Nothing, n_wide), (ragged, StaysOnChip::Nothing, n_ragged)];
        PassTime::new(chip("tpu-v5e"), Bf16, products).expect("known")
    };
    let own = |product| {
        let time = time("tpu-v5e", Bf16, product, Per::Chip);
        time.total.0 - time.parts.launch.0
    };
    let found = pass(3.0, 10.0);
    close(found.total.0, 3.0 * own(wide) + 10.0 * own(ragged) + 1.430e-6);
    close(found.flops, 3.0 * wide.flops() + 10.0 * ragged.flops());
    // 8200 columns need 65 arrays of 128.
    let padded = 3.0 * wide.flops() + 10.0 * ragged.flops() * 8320.0 / 8200.0;
    close(found.eta_tile.expect("arrays"), found.flops / padded);
    let [compute, memory, in_turn, reload, launch] = found.by_limit.map(|(_, time)| time.0);
    close(compute, 3.0 * own(wide));
    close(memory, 10.0 * own(ragged));
    assert_eq!((in_turn, reload, launch), (0.0, 0.0, 1.430e-6));
    // The compute-bound matmul takes 4 times as long as the memory-bound one.
    assert_eq!([pass(1.0, 1.0), pass(1.0, 9.0)].map(|pass| pass.limit()), [Limit::Compute, Limit::Memory]);
    let nothing = PassTime::new(chip("tpu-v5e"), Bf16, [(wide, StaysOnChip::Nothing, 0.0)]);
    assert_eq!(nothing, Err(MfuRefusal::NoRate));
}

#[test]
fn the_fit_of_a_v4_is_of_products_that_go_to_memory_and_back() {
    let product = square(2048);
    let of = |stays| GemmTime::in_kernel(chip("tpu-v4"), F16, product, Per::Chip, stays).expect("known").total;
    let fitted = tpu_v4::time(product).0;
    assert_eq!(of(StaysOnChip::Nothing), fitted);
    assert!(of(StaysOnChip::C) != fitted, "inside a larger kernel the general model counts");
}

#[test]
fn what_is_not_published_has_no_time() {
    let unknown = |id: &str, dtype| GemmTime::new(chip(id), dtype, square(512), Per::Chip).err();
    assert!(matches!(unknown("gaudi3", F32), Some(MfuRefusal::Unknown { .. })));
    assert!(matches!(unknown("tpu-v1", F32), Some(MfuRefusal::Unknown { .. })));
    let nothing = GemmTime::new(chip("tpu-v4"), Bf16, GemmSizes { m: 0, k: 4, n: 4 }, Per::Chip).err();
    assert_eq!(nothing, Some(MfuRefusal::NoRate));
    let slice = GemmTime::new(chip("tpu-v4"), Bf16, square(512), Per::Slice(4)).err();
    assert!(matches!(slice, Some(MfuRefusal::Unknown { .. })), "how a product is split over chips is not modeled");
}

#[test]
fn every_constant_has_its_source() {
    for one in calibration::CALIBRATIONS {
        assert!(Chip::by_id(one.chip).is_some() && !one.source.citation().is_empty(), "{}", one.chip);
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
            let Ok(found) = GemmTime::new(chip, dtype, GemmSizes { m, k, n }, Per::Chip) else { continue };
            prop_assert!(found.total.0 > 0.0 && found.total.0.is_finite());
            prop_assert!(found.mfu.is_ok(), "{} {dtype:?}: {:?}", chip.id, found.mfu);
            prop_assert!(found.eta_tile.is_none_or(|eta| eta > 0.0 && eta <= 1.0));
        }
    }

    #[test]
    fn elsewhere_twice_the_rows_never_take_less_time((m, k, n) in (1u64..9000, 1u64..9000, 1u64..9000)) {
        let total = |m| time("tpu-v5p", Bf16, GemmSizes { m, k, n }, Per::Chip).total.0;
        prop_assert!(total(2 * m) >= total(m) * 0.999_999);
    }
}

#[test]
fn a_few_more_rows_than_one_array_takes_are_no_faster() {
    // 81 rows are one block of 96 on one array. 162 rows are two blocks, and the larger one has 128 rows.
    let total = |m| time("tpu-v5p", Bf16, GemmSizes { m, k: 4737, n: 1 }, Per::Chip).total.0;
    assert!(total(162) >= total(81) && total(128) <= total(129));
}

#[test]
fn a_product_of_absurd_sizes_still_takes_its_time() {
    let huge = GemmSizes { m: 1 << 50, k: 1, n: 1 << 49 };
    for id in ["tpu-v5e", "tpu-v4", "h100-sxm"] {
        let total = time(id, Bf16, huge, Per::Chip).total.0;
        assert!(total > 1e12 && total.is_finite(), "{id}: {total}");
    }
}

/// Checks that TPU v4 multiplies bf16 and converts f16 to bf16.
#[test]
fn bf16_is_never_slower_than_f16_on_tpu_v4() {
    const SIDES: [u64; 14] = [1, 8, 64, 100, 128, 129, 512, 1000, 1024, 1536, 2048, 3000, 4096, 16384];
    for nth in 0..14_usize.pow(3) {
        let [m, k, n] = [nth, nth / 14, nth / 196].map(|at| SIDES[at % 14]);
        let product = GemmSizes { m, k, n };
        let [bf16, f16] = [Bf16, F16].map(|dtype| time("tpu-v4", dtype, product, Per::Chip).total.0);
        assert!(bf16 <= f16, "{product:?}: {bf16} {f16}");
    }
}
