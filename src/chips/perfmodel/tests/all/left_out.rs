//! Predicts published runs a second time, each without its publication. This second method uses normal variables with a
//! covariance, without coefficients.

use std::collections::BTreeMap;

use perfmodel::left_out::{self, Class, Judged, Verdict};
use perfmodel::{Chip, Effect, FP8_SPREAD, Framework, MfuModel, PeakDtype, PublishedMfu, RESIDUAL, Remat, RunSetting};
use proptest::prelude::*;

type Runs = Vec<&'static PublishedMfu>;

/// Returns the covariance of the logarithms of the MFU of two runs.
fn covariance(one: &Description, other: &Description) -> f64 {
    let slopes: f64 =
        one.slopes.iter().zip(other.slopes).zip(SLOPES).map(|((a, b), spread)| a * b * spread * spread).sum();
    let shared = |is: bool, spread: f64| if is { spread * spread } else { 0.0 };
    slopes
        + 0.25
        + shared(one.maker == other.maker, Effect::Maker("").spread())
        + shared(one.chip == other.chip, Effect::Chip("").spread())
        + shared(!one.framework.is_empty() && one.framework == other.framework, Effect::Framework("").spread())
        + shared(
            !one.publication.is_empty() && one.publication == other.publication && one.chip == other.chip,
            Effect::Publication("", "").spread(),
        )
}

/// Prior standard deviations of the slopes, in the order of [`Description::slopes`].
const SLOPES: [f64; 9] = [
    Effect::Recomputation.spread(),
    Effect::Parameters.spread(),
    Effect::Sequence.spread(),
    Effect::Chips.spread(),
    Effect::Pods.spread(),
    Effect::Experts.spread(),
    Effect::Unfused.spread(),
    Effect::ModelReport.spread(),
    Effect::Ridge.spread(),
];

/// Description of a run for the regression, computed from the table independently of the crate's regression.
struct Description {
    maker: &'static str,
    chip: &'static str,
    framework: &'static str,
    publication: &'static str,
    slopes: [f64; 9],
}

fn described(run: &'static PublishedMfu, is_new: bool) -> Description {
    let chip = Chip::by_id(run.chip).expect("listed");
    let doublings = |value: Option<f64>, from: f64| value.map_or(0.0, |value| value.log2() - from.log2());
    let pods = match chip.pod_chips.value {
        Some(pod) if chip.vendor == "Google" => doublings(run.chips.map(f64::from), f64::from(pod)).max(0.0),
        _ => 0.0,
    };
    let flag = |is: bool| if is { 1.0 } else { 0.0 };
    let wide = chip.peak_flops(PeakDtype::Bf16).or(chip.peak_flops(PeakDtype::F16)).expect("published").0;
    Description {
        maker: chip.vendor,
        chip: run.chip,
        framework: if is_new && run.framework != "maxtext" { "" } else { run.framework },
        publication: if is_new { "" } else { run.publication() },
        slopes: [
            run.remat.map_or(0.5, |remat| flag(remat == Remat::Full)),
            doublings(run.parameters, 16e9),
            doublings(run.sequence.map(f64::from), 2048.0),
            doublings(run.chips.map(f64::from), 64.0),
            pods,
            f64::from(run.experts.max(1)).log2(),
            flag(run.is_unfused),
            flag(run.is_model_report),
            doublings(Some(wide / chip.memory.bytes_per_sec().expect("published")), 240.0),
        ],
    }
}

/// Solves a symmetric positive definite system by Cholesky.
fn solved(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for j in 0..n {
        for k in 0..j {
            let factor = a[j][k];
            for row in a.iter_mut().skip(j) {
                row[j] -= row[k] * factor;
            }
        }
        let root = a[j][j].sqrt();
        for row in a.iter_mut().skip(j) {
            row[j] /= root;
        }
    }
    for i in 0..n {
        b[i] = (b[i] - (0..i).map(|k| a[i][k] * b[k]).sum::<f64>()) / a[i][i];
    }
    for i in (0..n).rev() {
        b[i] = (b[i] - (i + 1..n).map(|k| a[k][i] * b[k]).sum::<f64>()) / a[i][i];
    }
    b
}

/// Returns the median of the MFU of a run of an unknown publication, and the standard deviation of its logarithm, given
/// these runs.
fn conditioned(known: &[Description], measured: &[f64], new: &Description) -> (f64, f64) {
    let level = 0.45f64.ln();
    let matrix: Vec<Vec<f64>> = known
        .iter()
        .enumerate()
        .map(|(i, one)| {
            let of = |(j, other): (usize, &Description)| {
                covariance(one, other) + if i == j { RESIDUAL * RESIDUAL } else { 0.0 }
            };
            known.iter().enumerate().map(of).collect()
        })
        .collect();
    let with: Vec<f64> = known.iter().map(|one| covariance(one, new)).collect();
    let weights = solved(matrix, with.clone());
    let mean = level + weights.iter().zip(measured).map(|(weight, value)| weight * (value - level)).sum::<f64>();
    let publication = Effect::Publication("", "").spread();
    let framework = if new.framework.is_empty() { Effect::Framework("").spread() } else { 0.0 };
    let own = publication * publication + framework * framework;
    let variance =
        covariance(new, new) + own + RESIDUAL * RESIDUAL - weights.iter().zip(&with).map(|(a, b)| a * b).sum::<f64>();
    (mean.exp(), variance.sqrt())
}

/// Returns the MFU of a run in 16 bits, from the times of the parts of a step at the 16-bit peak.
fn wide(run: &PublishedMfu) -> f64 {
    let step = 100.0 / run.full_percent.expect("counted");
    if run.format != PeakDtype::Fp8 {
        return 1.0 / step;
    }
    let chip = Chip::by_id(run.chip).expect("listed");
    let large = perfmodel::gemm_time::calibration::calibration_of_chip(chip).0.math_share;
    let slower =
        chip.peak_flops(PeakDtype::Fp8).expect("published").0 / chip.peak_flops(PeakDtype::Bf16).expect("published").0;
    let scores = run.layers.zip(run.width).zip(run.sequence).zip(run.parameters);
    let attention = scores.map_or(0.1, |(((layers, width), sequence), parameters)| {
        let per_weight = 2.0 * f64::from(layers) * f64::from(width) * f64::from(sequence) / parameters;
        per_weight / (1.0 + per_weight)
    });
    // All matmuls except attention took `part` of the time. In 16 bits, they take `slower` times as long.
    let part = (1.0 - attention) / slower / large;
    1.0 / (step + part * (slower - 1.0))
}

#[test]
fn fp8_is_the_run_in_16_bits_times_its_gain() {
    let all = left_out::verified();
    let alike = |one: &PublishedMfu, other: &PublishedMfu| {
        let key = |run: &PublishedMfu| (run.publication(), run.chip, run.chips, run.model, run.sequence);
        key(one) == key(other)
    };
    // Each fp8 run of a publication is compared with the bf16 run of the same setting that has equally many slower
    // runs. The fastest fp8 runs may have no partner, because their micro-batches do not fit in bf16.
    let mut differences: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for run in all.iter().filter(|run| run.format == PeakDtype::Fp8) {
        let ranked = |format: PeakDtype| {
            let mut runs: Runs = all.iter().filter(|one| one.format == format && alike(one, run)).copied().collect();
            runs.sort_by(|one, other| one.full_percent.partial_cmp(&other.full_percent).expect("a number"));
            runs
        };
        let rank = ranked(PeakDtype::Fp8).iter().position(|one| core::ptr::eq(*one, *run)).expect("listed");
        if let Some(usual) = ranked(PeakDtype::Bf16).get(rank) {
            differences.entry(run.publication()).or_default().push((wide(run) / wide(usual)).ln());
        }
    }
    assert_eq!((differences.len(), differences.values().map(Vec::len).sum::<usize>()), (4, 18), "{differences:?}");
    let mean_square = |of: &Vec<f64>| of.iter().map(|one| one * one).sum::<f64>() / of.len() as f64;
    let spread = (differences.values().map(mean_square).sum::<f64>() / differences.len() as f64).sqrt();
    assert!((0.8 * FP8_SPREAD..=FP8_SPREAD).contains(&spread), "{spread}");
}

fn apart(name: &str) -> (Runs, Runs) {
    left_out::verified().into_iter().partition(|run| run.publication() == name)
}

#[test]
fn the_regression_is_what_normal_variables_give() {
    for name in ["maxtext-v5e", "moe-folding", "aws-neuron", "lamb"] {
        let (own, rest) = apart(name);
        let known: Vec<Description> = rest.iter().map(|run| described(run, false)).collect();
        let measured: Vec<f64> = rest.iter().map(|run| wide(run).ln()).collect();
        let model = MfuModel::fitted(&rest);
        for run in own.iter().step_by(5) {
            let (mfu, spread) = conditioned(&known, &measured, &described(run, true));
            let found = model.forecast(&run.setting().expect("listed"));
            assert!((found.mfu_16_bits / mfu - 1.0).abs() < 1e-5, "{name} {}: {} {mfu}", run.model, found.mfu_16_bits);
            assert!((found.spread / spread - 1.0).abs() < 1e-5, "{name} {}: {} {spread}", run.model, found.spread);
        }
    }
}

#[test]
fn an_own_run_counts_as_a_run_of_a_further_publication() {
    let all = left_out::verified();
    let known: Vec<Description> = all.iter().map(|run| described(run, false)).collect();
    let measured: Vec<f64> = all.iter().map(|run| wide(run).ln()).collect();
    let run = all.iter().find(|run| run.publication() == "tinyllama").expect("listed");
    let setting = run.setting().expect("listed");
    let before = MfuModel::shipped().forecast(&setting);
    let after = MfuModel::shipped().after(&[(setting, 0.30)]).forecast(&setting);
    // The covariance of the logarithms before the measured run determines how far that run moves them.
    let (mean, spread) = conditioned(&known, &measured, &described(run, true));
    let variance = spread * spread;
    let moved = (variance - RESIDUAL * RESIDUAL) / variance * (0.30f64.ln() - mean.ln());
    assert!((before.mfu / mean - 1.0).abs() < 1e-5);
    assert!((after.mfu / (mean.ln() + moved).exp() - 1.0).abs() < 1e-5, "{} {}", after.mfu, (mean.ln() + moved).exp());
    assert!(after.spread < before.spread && (0.30..before.mfu).contains(&after.mfu));
}

#[test]
fn a_framework_with_a_level_has_runs_of_more_than_three_publications() {
    let all = left_out::verified();
    for one in Framework::ALL.into_iter().filter(|one| one.has_level()) {
        let runs: Runs = all.iter().filter(|run| run.framework == one.id()).copied().collect();
        // One publication can be left out.
        assert!(left_out::publications(&runs).len() > 3, "{}", one.id());
    }
    let is_benchmark = |run: &RunSetting<'_>, maker| Class::of(run) == Class::Dense && run.chip.vendor == maker;
    // The usual framework has the majority of the benchmarks of dense models on the chips of its maker.
    for maker in ["Google", "NVIDIA", "AWS"] {
        let of_maker: Runs =
            all.iter().filter(|run| run.setting().is_some_and(|run| is_benchmark(&run, maker))).copied().collect();
        let publications = left_out::publications(&of_maker).len();
        let is_major = |one: &Framework| {
            let runs: Runs = of_maker.iter().filter(|run| run.framework == one.id()).copied().collect();
            2 * left_out::publications(&runs).len() > publications
        };
        let major = Framework::ALL.into_iter().find(is_major).unwrap_or_default();
        assert_eq!(major, Framework::usual(of_maker[0].chip().expect("listed")), "{maker}");
    }
}

#[test]
fn means_count_each_publication_once() {
    let judged = left_out::judged(&left_out::by_regression);
    let all = left_out::verified();
    assert_eq!(judged.len(), all.len());
    for class in Class::ALL {
        let runs: Vec<Judged> = judged.iter().filter(|run| run.class == class).copied().collect();
        let verdict = Verdict::of(&runs);
        let weight = |run: &Judged| {
            let alike = runs.iter().filter(|other| other.row.publication() == run.row.publication()).count();
            1.0 / alike as f64
        };
        let publications: f64 = runs.iter().map(weight).sum();
        let error =
            runs.iter().map(|run| weight(run) * (run.predicted - run.measured).abs()).sum::<f64>() / publications;
        assert!((verdict.mean_error - error).abs() < 1e-9 && (verdict.publications as f64 - publications).abs() < 1e-9);
    }
}

#[test]
fn a_chip_without_a_run_has_a_wider_range() {
    let width = |id: &str| {
        let chip = Chip::by_id(id).expect("listed");
        MfuModel::shipped()
            .forecast(&RunSetting { chips: Some(64.0), parameters: Some(8e9), ..RunSetting::on(chip) })
            .spread
    };
    for known in ["h100-sxm", "a100-80", "tpu-v5p", "tpu-v5e"] {
        for unknown in ["b300-sxm", "tpu-8t", "gaudi3", "mi300x"] {
            assert!(width(known) < width(unknown), "{known} {unknown}");
        }
    }
    assert!(width("b300-sxm") < width("mi300x"), "no run of the maker is known");
}

#[test]
fn more_chips_experts_and_recomputation_lower_the_mfu() {
    let size = |wanted: Effect| {
        let found = MfuModel::shipped().effects().find(|(effect, ..)| *effect == wanted);
        found.map(|(_, mean, _)| mean).expect("known")
    };
    for effect in [Effect::Chips, Effect::Pods, Effect::Experts, Effect::Recomputation, Effect::Unfused, Effect::Ridge]
    {
        assert!(size(effect) < 0.0, "{effect:?}");
    }
    // Measured runs lose 0 to 15%, not the quarter that the executed FLOPs suggest.
    assert!(size(Effect::Recomputation) > 0.8f64.ln());
}

proptest! {
    #[test]
    fn an_interval_holds_its_point_and_nothing_impossible(mfu in 0.0001f64..1.0, more in 1.0f64..1.5, factor in 0.5f64..3.0) {
        let mfu = mfu / more;
        let run = left_out::verified()[0];
        let forecast = MfuModel::shipped().forecast(&run.setting().expect("listed"));
        let (low, high) = forecast.around(mfu, more, factor);
        prop_assert!(low > 0.0 && low <= mfu && mfu <= high && high * more <= 1.0 + 1e-12, "{low} {mfu} {high}");
    }
}
