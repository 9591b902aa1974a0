//! Error of the predicted MFU for runs whose publication was left out of the fit, and the interval that follows from
//! this error.
//!
//! The method leaves out whole publications, one at a time. The method fits the model ([`crate::MfuModel`]) to the other
//! publications and predicts the runs of the publication that is left out. The score of a run is
//! `|ln(measured ÷ predicted)| ÷ spread`, where the spread is the standard deviation of the prediction.
//!
//! Runs of one publication resemble each other, so each publication counts once. The interval is `predicted ÷ e^(q·s)`
//! to `predicted · e^(q·s)` for the spread `s`. The factor `q` of a class of runs is the 80 % quantile of the scores of
//! the class, with the same total weight for each publication. The method is conformal prediction with pooled
//! distributions of groups ([`SOURCE`], arXiv 1809.07441), and with normalized scores (Papadopoulos, Gammerman and
//! Vovk, *Normalized nonconformity measures for regression Conformal Prediction*, 2008). The coverage of 80% is exact
//! only for many publications. Therefore [`judged`] also computes the factor for each run without the publication of
//! the run, so that the real coverage can be counted.

use std::sync::Arc;

use crate::mfu_model::{Forecast, MfuModel, RunSetting};
use crate::{Confidence, PublishedMfu, Source};

/// Source of the method that computes the intervals.
pub static SOURCE: Source = Source {
    key: "dunn",
    text: "Dunn, Wasserman and Ramdas, Distribution-Free Prediction Sets for Two-Layer Hierarchical Models, Journal of the \
           American Statistical Association, 2023: conformal prediction with pooled distributions of groups",
};

/// Share of runs whose published MFU an interval should contain.
pub const LEVEL: f64 = 0.8;

/// Class of training runs. A class has its own factor and its own verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Benchmarks of dense models in 16 bits, with fused attention.
    Dense,
    /// Reports on the training of dense models in 16 bits, with fused attention.
    ModelReport,
    /// Dense models in 16 bits from before 2023, trained with software that has no fused attention.
    Unfused,
    /// Models with experts, in 16 bits.
    Experts,
    /// Runs with matmuls in fp8, with or without experts.
    Fp8,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 5] = [Self::Dense, Self::ModelReport, Self::Unfused, Self::Experts, Self::Fp8];

    /// Name of the class in tables.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::ModelReport => "model-reports",
            Self::Unfused => "before-2023",
            Self::Experts => "experts",
            Self::Fp8 => "fp8",
        }
    }

    /// The classes of runs in 16 bits.
    pub const IN_16_BITS: [Self; 4] = [Self::Dense, Self::ModelReport, Self::Unfused, Self::Experts];

    /// The class whose factor gives the interval of a run. The MFU of an fp8 run is the MFU of its 16-bit run times a
    /// gain. The fp8 run therefore has the factor of the 16-bit run.
    pub const fn of_interval(setting: &RunSetting<'_>) -> Self {
        Self::of(&RunSetting { is_fp8: false, ..*setting })
    }

    /// The class of a run.
    pub const fn of(setting: &RunSetting<'_>) -> Self {
        if setting.is_fp8 {
            Self::Fp8
        } else if setting.experts > 0 {
            Self::Experts
        } else if setting.is_unfused {
            Self::Unfused
        } else if setting.is_model_report {
            Self::ModelReport
        } else {
            Self::Dense
        }
    }
}

/// Factors of the classes, in the order of [`Class::IN_16_BITS`]. They are the result of [`factors`] for all verified
/// runs, with predictions of the whole answer instead of the regression alone.
pub const FACTORS: [f64; 4] = [1.097, 1.439, 1.542, 2.375];

/// Factors of the classes if the user has entered a run: the result of [`factors_after_one`] for all
/// verified runs.
pub const FACTORS_AFTER_ONE: [f64; 4] = [1.230, 2.154, 1.542, 2.475];

/// Smallest number of publications from which the factor of a class is computed. A class with fewer publications has the
/// widest factor of all classes.
pub const PUBLICATIONS_MIN: usize = 4;

/// Smallest number of publications for which the quantile of a class needs no correction if one run of the user is
/// known.
pub const PUBLICATIONS_MANY: usize = 10;

impl Forecast {
    /// The interval around an MFU that the forecast predicts for a chip and a format. Its ends divided by `mfu` equal
    /// the ends of the forecast divided by the MFU of the forecast. The upper end is at most `1 ÷
    /// executed_per_model_flop`, because executed FLOPs cannot exceed the peak. However, the upper end is never below
    /// `mfu`.
    pub fn around(&self, mfu: f64, executed_per_model_flop: f64, factor: f64) -> (f64, f64) {
        let (low, high) = self.ends(factor);
        let most = 1.0 / executed_per_model_flop;
        (mfu * low / self.mfu, (mfu * high / self.mfu).min(most).max(mfu))
    }
}

type Rows = Vec<&'static PublishedMfu>;

/// True if the confidence of the run is at least medium, its MFU is counted in full attention, and its chip is listed. No
/// fit and no statistic uses other runs.
pub fn is_verified(row: &PublishedMfu) -> bool {
    row.mfu_percent.confidence != Confidence::Low && row.full_percent.is_some() && row.chip().is_some()
}

/// Runs that count in statistics: all runs for which [`is_verified`] is true.
pub fn verified() -> Rows {
    PublishedMfu::all().iter().filter(|row| is_verified(row)).collect()
}

/// Publications in alphabetical order.
pub fn publications(rows: &[&'static PublishedMfu]) -> Vec<&'static str> {
    let mut all: Vec<&str> = rows.iter().map(|row| row.publication()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Splits the runs into the runs of a publication and the other runs.
fn apart(rows: &[&'static PublishedMfu], publication: &str) -> (Rows, Rows) {
    rows.iter().partition(|row| row.publication() == publication)
}

/// Scores of the runs of one publication in one class.
type Scores = Vec<(Class, Vec<f64>)>;

/// Sorts scores by class.
fn by_class(scores: impl Iterator<Item = (Class, f64)>) -> Scores {
    let mut all: Scores = Vec::new();
    for (class, score) in scores {
        match all.iter_mut().find(|(one, _)| *one == class) {
            Some((_, group)) => group.push(score),
            None => all.push((class, vec![score])),
        }
    }
    all
}

/// Prediction of a published run by a model that does not know its publication.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// Prediction of the regression alone.
    pub forecast: Forecast,
    /// Class of the run.
    pub class: Class,
    /// MFU of the whole answer as a ratio of the 16-bit peak, counted in full attention. Unlike the regression alone,
    /// the whole answer includes the matmuls of the run and its communication.
    pub mfu: f64,
    /// Executed FLOPs ÷ model FLOPs ÷ speed-up of the peak. The reciprocal of this value is the largest possible MFU.
    pub executed: f64,
}

impl Predicted {
    /// Absolute difference between the logarithms of measured and predicted MFU, in spreads of the forecast
    /// ([`Forecast::score`]).
    fn score(&self, measured: f64) -> f64 {
        self.forecast.score(measured * self.forecast.mfu / self.mfu).abs()
    }
}

/// Predicts a published run with a model. `None` if the answer is unknown.
pub type Predict<'a> = dyn Fn(&Arc<MfuModel>, &'static PublishedMfu) -> Option<Predicted> + 'a;

/// Predicts a published run with the regression alone.
pub fn by_regression(model: &Arc<MfuModel>, row: &'static PublishedMfu) -> Option<Predicted> {
    let setting = row.setting()?;
    let forecast = model.forecast(&setting);
    let executed = row.remat.map_or(1.0, crate::Remat::executed_per_model_flop) / setting.speedup();
    Some(Predicted { class: Class::of(&setting), mfu: forecast.mfu, executed, forecast })
}

/// Scores by publication. The model that predicts a publication is fitted without this publication.
fn scores(rows: &[&'static PublishedMfu], predict: &Predict<'_>) -> Vec<Scores> {
    let of = |left_out: &str| {
        let (own, rest) = apart(rows, left_out);
        let model = Arc::new(MfuModel::fitted(&rest));
        by_class(own.iter().filter_map(|row| {
            let found = predict(&model, row)?;
            Some((found.class, found.score(row.full_ratio()?)))
        }))
    };
    publications(rows).into_iter().map(of).collect()
}

/// Scores by publication if one run of the publication is known. Several runs of a publication take turns as the known
/// run. Each time, the other runs on the same chip with the same framework are predicted.
fn scores_after_one(rows: &[&'static PublishedMfu], predict: &Predict<'_>) -> Vec<Scores> {
    let of = |left_out: &str| {
        let (own, rest) = apart(rows, left_out);
        let model = Arc::new(MfuModel::fitted(&rest));
        let mut scores = Vec::new();
        // A long publication contributes only some of its runs.
        for (at, known) in own.iter().enumerate().step_by(own.len() / 20 + 1) {
            let Some(first) = predict(&model, known) else { continue };
            let Some((setting, measured)) = known.setting().zip(known.full_ratio()) else { continue };
            let model = Arc::new(model.after(&[(setting, measured * first.forecast.mfu / first.mfu)]));
            let is_alike = |row: &PublishedMfu| (row.chip, row.framework) == (known.chip, known.framework);
            let others = own.iter().enumerate().filter(|(other, row)| *other != at && is_alike(row));
            scores.extend(others.filter_map(|(_, row)| {
                let found = predict(&model, row)?;
                Some((found.class, found.score(row.full_ratio()?)))
            }));
        }
        by_class(scores.into_iter())
    };
    publications(rows).into_iter().map(of).collect()
}

/// The factor for the intervals of each class, computed from these runs, in the order of [`Class::IN_16_BITS`].
pub fn factors(rows: &[&'static PublishedMfu], predict: &Predict<'_>) -> [f64; 4] {
    let found = of_classes(&scores(rows, predict), usize::MAX);
    let widest = found.iter().flatten().copied().fold(0.0, f64::max);
    let widest = if widest > 0.0 { widest } else { f64::INFINITY };
    found.map(|factor| factor.unwrap_or(widest))
}

/// The factor for the intervals of each class, computed from these runs, if one run of the same software is known. A
/// class with too few publications keeps its factor from [`factors`].
pub fn factors_after_one(rows: &[&'static PublishedMfu], predict: &Predict<'_>) -> [f64; 4] {
    let mut factors = factors(rows, predict);
    for (factor, found) in factors.iter_mut().zip(of_classes(&scores_after_one(rows, predict), PUBLICATIONS_MANY)) {
        *factor = found.unwrap_or(*factor);
    }
    factors
}

/// The factor of each class; `None` for a class with too few publications. The quantile has no correction if the class
/// has at least `many` publications.
fn of_classes(scores: &[Scores], many: usize) -> [Option<f64>; 4] {
    let of = |class: Class| {
        let groups = scores.iter().flatten().filter(|(one, _)| *one == class).map(|(_, group)| group.clone());
        let groups: Vec<Vec<f64>> = groups.collect();
        if groups.len() < PUBLICATIONS_MIN { None } else { corrected_quantile(&groups, many) }
    };
    Class::IN_16_BITS.map(of)
}

/// Quantile of all scores for intervals that should contain [`LEVEL`] of the runs of one further publication. For `n`
/// publications, the level is multiplied by `(n + 1) ÷ n`. This factor is the correction of split conformal prediction
/// (Vovk, Gammerman and Shafer, *Algorithmic Learning in a Random World*, 2005).
fn corrected_quantile(groups: &[Vec<f64>], many: usize) -> Option<f64> {
    let n = groups.len() as f64;
    let correction = if groups.len() < many { (n + 1.0) / n } else { 1.0 };
    pooled_quantile(groups, (LEVEL * correction).min(1.0))
}

/// Quantile of all scores at `level`, if each group counts once: the smallest score that a share `level` of the scores
/// does not exceed. `None` without scores.
pub fn pooled_quantile(groups: &[Vec<f64>], level: f64) -> Option<f64> {
    let mut all: Vec<(f64, f64)> =
        groups.iter().flat_map(|group| group.iter().map(|score| (*score, 1.0 / group.len() as f64))).collect();
    all.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let wanted = level * groups.len() as f64 - 1e-9;
    let mut within = 0.0;
    all.into_iter().find_map(|(score, weight)| {
        within += weight;
        (within >= wanted).then_some(score)
    })
}

/// A published run with its prediction. The prediction does not use the publication of the run.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// The published run.
    pub row: &'static PublishedMfu,
    /// Class of the run.
    pub class: Class,
    /// MFU in percent of the 16-bit peak, counted in full attention.
    pub measured: f64,
    /// MFU in percent, as predicted.
    pub predicted: f64,
    /// Interval around the predicted MFU, in percent.
    pub interval: (f64, f64),
    /// MFU in percent by the methods of [`BASELINES`].
    pub baselines: [f64; BASELINES.len()],
}

/// Simple predictions to compare with. The first is one number for all runs. The second is the mean of the other
/// publications. The third is their mean on the chip of the run. The fourth is the mean of the five most similar runs
/// on this chip. If no other publication uses the chip, the last two methods take the chips of the maker, or all chips.
pub const BASELINES: [&str; 4] = ["always_50", "mean", "mean_of_chip", "mean_of_nearest"];

/// Number of runs in the mean of the nearest runs.
const NEAREST: usize = 5;

/// The simple predictions of a run, in percent of the 16-bit peak.
fn baselines(row: &PublishedMfu, rest: &[&'static PublishedMfu]) -> [f64; BASELINES.len()] {
    let on = |is: &dyn Fn(&PublishedMfu) -> bool| -> Rows { rest.iter().filter(|row| is(row)).copied().collect() };
    let maker = row.chip().map(|chip| chip.vendor);
    let on_chip = on(&|other| other.chip == row.chip);
    let of_maker = on(&|other| other.chip().map(|chip| chip.vendor) == maker);
    let alike = [&on_chip[..], &of_maker, rest].into_iter().find(|rows| !rows.is_empty()).unwrap_or(rest);
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    // Each publication counts once.
    let of = |rows: &[&'static PublishedMfu]| {
        let means = publications(rows).into_iter().map(|name| {
            let own: Vec<f64> = apart(rows, name).0.iter().filter_map(|row| row.full_percent).collect();
            mean(&own)
        });
        mean(&means.collect::<Vec<_>>())
    };
    let nearest = row.setting().map_or_else(Vec::new, |setting| PublishedMfu::nearest_of(alike, &setting, NEAREST));
    let of_nearest: Vec<f64> = nearest.iter().filter_map(|row| row.full_percent).collect();
    [50.0, of(rest), of(alike), mean(&of_nearest)]
}

impl Judged {
    /// Absolute difference between predicted and published MFU, in percentage points.
    pub fn error(&self) -> f64 {
        (self.predicted - self.measured).abs()
    }

    /// True if the interval contains the published MFU.
    pub fn is_inside(&self) -> bool {
        (self.interval.0..=self.interval.1).contains(&self.measured)
    }
}

/// Predicts every verified run. The model and the interval of a run are computed only from the other publications.
pub fn judged(predict: &Predict<'_>) -> Vec<Judged> {
    let all = verified();
    let mut found: Vec<Judged> = Vec::new();
    for left_out in publications(&all) {
        let (own, rest) = apart(&all, left_out);
        let (model, factors) = (Arc::new(MfuModel::fitted(&rest)), factors(&rest, predict));
        let judge = |row: &'static PublishedMfu| {
            let Predicted { forecast, class, mfu, executed } = predict(&model, row)?;
            let of_interval = Class::of_interval(&row.setting()?);
            let (low, high) = forecast.around(mfu, executed, factors[of_interval as usize]);
            let interval = (low * 100.0, high * 100.0);
            let (measured, predicted) = (row.full_percent?, mfu * 100.0);
            Some(Judged { row, class, measured, predicted, interval, baselines: baselines(row, &rest) })
        };
        found.extend(own.into_iter().filter_map(judge));
    }
    found
}

/// Summary of the prediction errors of several runs. Means count each publication once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Number of publications.
    pub publications: usize,
    /// Number of runs.
    pub runs: usize,
    /// Mean of the absolute errors, in percentage points of MFU.
    pub mean_error: f64,
    /// Mean of the absolute errors of the methods of [`BASELINES`], in percentage points of MFU.
    pub baselines: [f64; BASELINES.len()],
    /// Mean of the absolute errors, if each run counts once.
    pub run_error: f64,
    /// Mean of the absolute errors of the methods of [`BASELINES`], if each run counts once.
    pub run_baselines: [f64; BASELINES.len()],
    /// Number of runs whose published MFU is inside their interval.
    pub inside: usize,
    /// Share of the runs that are inside their interval, in percent.
    pub coverage_percent: f64,
    /// Mean width of the intervals, in percentage points of MFU.
    pub mean_width: f64,
}

impl Verdict {
    /// Summarizes these runs.
    pub fn of(runs: &[Judged]) -> Self {
        let rows: Rows = runs.iter().map(|run| run.row).collect();
        let names = publications(&rows);
        let mean = |of: &dyn Fn(&Judged) -> f64| {
            let mean_of = |name: &&str| {
                let own: Vec<f64> = runs.iter().filter(|run| run.row.publication() == *name).map(of).collect();
                own.iter().sum::<f64>() / own.len() as f64
            };
            names.iter().map(mean_of).sum::<f64>() / names.len().max(1) as f64
        };
        let of_runs = |of: &dyn Fn(&Judged) -> f64| runs.iter().map(of).sum::<f64>() / runs.len().max(1) as f64;
        Self {
            publications: names.len(),
            runs: runs.len(),
            mean_error: mean(&Judged::error),
            baselines: core::array::from_fn(|at| mean(&|run| (run.baselines[at] - run.measured).abs())),
            run_error: of_runs(&Judged::error),
            run_baselines: core::array::from_fn(|at| of_runs(&|run| (run.baselines[at] - run.measured).abs())),
            inside: runs.iter().filter(|run| run.is_inside()).count(),
            coverage_percent: 100.0 * mean(&|run| f64::from(u8::from(run.is_inside()))),
            mean_width: mean(&|run| run.interval.1 - run.interval.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_model_rests_on_a_run_that_it_judges() {
        for left_out in publications(&verified()) {
            let (own, rest) = apart(&verified(), left_out);
            assert!(!own.is_empty() && !rest.is_empty());
            assert!(rest.iter().all(|row| row.publication() != left_out));
        }
    }

    #[test]
    fn the_quantile_counts_each_group_once() {
        // Four groups have one run, and the fifth has many. 80% of five groups are four groups, however many runs the
        // fifth has.
        let groups = vec![vec![0.1], vec![0.2], vec![0.3], vec![0.4], vec![9.0; 100]];
        assert_eq!(pooled_quantile(&groups, 0.8), Some(0.4));
        assert_eq!(pooled_quantile(&[vec![0.1, 0.2, 0.3, 0.4, 0.5]], 0.8), Some(0.4));
        assert_eq!(pooled_quantile(&[], 0.8), None);
    }
}
