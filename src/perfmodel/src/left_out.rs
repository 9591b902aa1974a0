//! Error of the predicted MFU for runs that were not used to fit the constants, and the interval that follows from this
//! error.
//!
//! The method leaves out whole publications, one at a time. The method fits all constants to the other publications and
//! predicts the runs of the publication that is left out. ([`crate::PRODUCT_SHARES`] are fitted to all publications.)
//! The score of a run is `|ln(measured ÷ predicted)|`.
//!
//! Runs of one publication resemble each other, so each publication counts once. The interval is `predicted ÷ e^q` to
//! `predicted · e^q`. The score `q` is the 80 % quantile of all scores, with the same total weight for each
//! publication. The method is conformal prediction with pooled distributions of groups (Dunn, Wasserman and Ramdas,
//! *Distribution-Free Prediction Sets for Two-Layer Hierarchical Models*, JASA, 2023, arXiv 1809.07441). Conformal
//! prediction itself is from Vovk, Gammerman and Shafer, *Algorithmic Learning in a Random World*, 2005. The coverage
//! of 80 % is exact only for many publications, but there are only a few publications. Therefore [`judged`] also
//! computes the interval of each run without the publication of the run, so that the real coverage can be counted.
//!
//! Each class of predictions has its own scores. The class depends on the chip whose constant a prediction uses
//! ([`ShareFrom`]).

use crate::gemm_time::calibration;
use crate::{Chip, Compute, Confidence, PublishedMfu, Remat, Source, product_share};

/// Source of the method that computes the intervals.
pub static SOURCE: Source = Source {
    key: "dunn",
    text: "Dunn, Wasserman and Ramdas, Distribution-Free Prediction Sets for Two-Layer Hierarchical Models, Journal of the \
           American Statistical Association, 2023: conformal prediction with pooled distributions of groups",
};

/// Share of runs whose published MFU an interval should contain.
pub const LEVEL: f64 = 0.8;

/// Class of a prediction, by the chip whose constant the prediction uses. The less this chip resembles the predicted
/// chip, the wider the interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShareFrom {
    /// Constant from another run on the same chip.
    ThisChip,
    /// Constant of another chip of the same maker.
    SameMaker,
    /// Constant of a chip of another maker, or any constant if the user set values of the predicted chip.
    OtherMaker,
}

impl ShareFrom {
    /// Name of the class in tables.
    pub const fn id(self) -> &'static str {
        match self {
            Self::ThisChip => "this-chip",
            Self::SameMaker => "same-maker",
            Self::OtherMaker => "other-maker",
        }
    }

    /// All classes, from the most similar chip to the least similar chip.
    pub const ALL: [Self; 3] = [Self::ThisChip, Self::SameMaker, Self::OtherMaker];

    /// The class of predictions for `chip`.
    pub fn of(chip: &Chip) -> Self {
        let (share, own) = product_share(chip);
        let is_of_the_maker = Chip::by_id(share.chip).is_some_and(|lender| lender.vendor == chip.vendor);
        match (own, is_of_the_maker && !chip.is_custom) {
            (true, _) => Self::ThisChip,
            (false, true) => Self::SameMaker,
            (false, false) => Self::OtherMaker,
        }
    }

    /// Prediction errors of the class, from [`SPREADS`].
    pub fn spread(self) -> &'static Spread {
        let [this_chip, same_maker, other_maker] = &SPREADS;
        match self {
            Self::ThisChip => this_chip,
            Self::SameMaker => same_maker,
            Self::OtherMaker => other_maker,
        }
    }
}

/// Prediction errors of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Quantile `q` of the scores at [`LEVEL`], if each publication counts once. The interval around a prediction is
    /// `predicted ÷ e^q` to `predicted · e^q`.
    pub log: f64,
    /// Number of publications with a score in the class.
    pub publications: u32,
    /// Number of runs with a score in the class.
    pub runs: u32,
}

/// Results of [`spreads`] for the whole table, as `systolic check --by class` prints them.
pub static SPREADS: [Spread; 3] = [
    Spread { log: 0.223, publications: 4, runs: 9 },
    Spread { log: 0.385, publications: 9, runs: 34 },
    Spread { log: 0.441, publications: 9, runs: 35 },
];

impl Spread {
    /// The interval around the predicted MFU `mfu`. All values are ratios, not percent. The upper end is at most
    /// `1 ÷ executed_per_model_flop`, because executed FLOPs cannot exceed the peak. However, the upper end is never
    /// below `mfu`.
    pub fn around(&self, mfu: f64, executed_per_model_flop: f64) -> (f64, f64) {
        let factor = self.log.exp();
        let most = 1.0 / executed_per_model_flop.max(1.0);
        (mfu / factor, (mfu * factor).min(most).max(mfu))
    }
}

/// A chip's constant, fitted to a subset of the runs.
struct Fitted {
    chip: &'static Chip,
    share: f64,
    remat: Remat,
}

/// Fits one constant per chip by the rules of [`crate::PRODUCT_SHARES`]:
/// - Only first-hand runs count.
/// - If a chip has several publications, only the first publication that states the number of chips counts.
/// - In this publication, only the runs on the fewest chips count.
fn fitted(rows: &[&'static PublishedMfu]) -> Vec<Fitted> {
    let mut all: Vec<Fitted> = Vec::new();
    for row in rows {
        let Some(chip) = row.chip().filter(|chip| all.iter().all(|one| one.chip.id != chip.id)) else { continue };
        let on_it = |one: &&&PublishedMfu| one.chip == chip.id && one.mfu_percent.confidence == Confidence::High;
        let first = rows.iter().filter(on_it).find(|one| one.chips.is_some()).or(rows.iter().find(on_it));
        let Some(first) = first else { continue };
        let of_it: Vec<_> =
            rows.iter().filter(on_it).filter(|one| publication(one) == publication(first)).copied().collect();
        let fewest = of_it.iter().filter_map(|one| one.chips).min();
        let shares: Vec<f64> = of_it.iter().filter(|one| one.chips == fewest).filter_map(|one| share(one)).collect();
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        all.push(Fitted { chip, share: mean, remat: first.remat.unwrap_or(Remat::None) });
    }
    all
}

/// Key of the publication that a run comes from.
pub fn publication(row: &PublishedMfu) -> &'static str {
    row.mfu_percent.source.key
}

/// Share of the peak that a run would reach if its steps contained only matmuls. If this share is unknown, the chip's
/// share for large matmuls replaces it.
fn reach(row: &PublishedMfu) -> Option<f64> {
    let large = || Some(calibration::calibration_of_chip(row.chip()?).0.math_share);
    row.products_percent.map(|percent| percent / 100.0).or_else(large)
}

/// Time of a run's matmuls ÷ time of the run's steps, computed from the executed FLOPs.
fn share(row: &PublishedMfu) -> Option<f64> {
    let mfu = row.mfu_percent.value?;
    let executed = row.hfu_percent.unwrap_or(mfu * row.remat.map_or(1.0, Remat::executed_per_model_flop));
    Some(executed / 100.0 / reach(row)?)
}

/// Lower median of the constants of several chips. For the chips with arrays, for example, the median is the constant
/// of TPU v4.
fn middle<'a>(among: impl Iterator<Item = &'a Fitted>) -> Option<&'a Fitted> {
    let mut all: Vec<&Fitted> = among.collect();
    all.sort_by(|a, b| a.share.total_cmp(&b.share));
    all.get(all.len().saturating_sub(1) / 2).copied()
}

/// The constant that a class uses to predict runs on `chip`.
fn constant<'a>(all: &'a [Fitted], chip: &Chip, from: ShareFrom) -> Option<&'a Fitted> {
    let is_of = |one: &&Fitted| match from {
        ShareFrom::ThisChip => one.chip.id == chip.id,
        ShareFrom::SameMaker => one.chip.id != chip.id && one.chip.vendor == chip.vendor && is_alike(one.chip, chip),
        ShareFrom::OtherMaker => one.chip.vendor != chip.vendor,
    };
    middle(all.iter().filter(is_of))
}

/// True if both chips have tensor cores, or if neither chip has tensor cores.
fn is_alike(a: &Chip, b: &Chip) -> bool {
    let has_arrays = |chip: &Chip| !matches!(chip.compute, Compute::TensorCores { .. });
    has_arrays(a) == has_arrays(b)
}

/// Predicted MFU of a run from a chip's constant, and executed FLOPs per model FLOP. If the rematerialization of the
/// run is unknown, the prediction uses the rematerialization of the run to which the constant was fitted.
fn predicted(row: &PublishedMfu, constant: &Fitted) -> Option<(f64, f64)> {
    let executed = row.remat.unwrap_or(constant.remat).executed_per_model_flop();
    Some((constant.share * reach(row)? / executed, executed))
}

/// Publications in the order of the table.
fn publications(rows: &[&'static PublishedMfu]) -> Vec<&'static str> {
    let mut all: Vec<&str> = rows.iter().map(|row| publication(row)).collect();
    all.dedup();
    all
}

fn without(rows: &[&'static PublishedMfu], left_out: &str) -> Vec<&'static PublishedMfu> {
    rows.iter().filter(|row| publication(row) != left_out).copied().collect()
}

/// Scores of a class, publication by publication. The constants that predict a publication are fitted without this
/// publication.
fn scores(rows: &[&'static PublishedMfu], from: ShareFrom) -> Vec<Vec<f64>> {
    let of = |left_out: &str| {
        let constants = fitted(&without(rows, left_out));
        let score = |row: &&&PublishedMfu| {
            let (mfu, _) = predicted(row, constant(&constants, row.chip()?, from)?)?;
            Some((row.mfu_percent.value? / 100.0 / mfu).ln().abs())
        };
        rows.iter().filter(|row| publication(row) == left_out).filter_map(|row| score(&row)).collect::<Vec<f64>>()
    };
    publications(rows).into_iter().map(of).filter(|scores| !scores.is_empty()).collect()
}

/// Quantile of all scores at `level`, if each group counts once: the smallest score that a share `level` of the scores
/// does not exceed. `None` without scores.
pub fn pooled_quantile(groups: &[Vec<f64>], level: f64) -> Option<f64> {
    let mut all: Vec<f64> = groups.concat();
    all.sort_by(f64::total_cmp);
    let within = |score: f64| {
        let of = |group: &Vec<f64>| group.iter().filter(|one| **one <= score).count() as f64 / group.len() as f64;
        groups.iter().map(of).sum::<f64>() / groups.len() as f64
    };
    all.into_iter().find(|score| within(*score) >= level - 1e-9)
}

/// Smallest number of publications from which the spread of a class is computed. With fewer publications, an interval
/// cannot cover 80 % of the runs of one further publication.
pub const PUBLICATIONS_MIN: usize = 4;

/// Computes the spread of each class from these runs. A class with too few publications gets the spread of the next
/// class, whose chips are less similar. No class has a narrower spread than a class of more similar chips.
pub fn spreads(rows: &[&'static PublishedMfu]) -> [Spread; 3] {
    let found = ShareFrom::ALL.map(|from| scores(rows, from));
    let enough = |groups: &Vec<Vec<f64>>| pooled_quantile(groups, LEVEL).filter(|_| groups.len() >= PUBLICATIONS_MIN);
    let [this_chip, same_maker, other_maker] = found.each_ref().map(enough);
    let same_maker = wider(same_maker, this_chip).or(other_maker);
    let other_maker = wider(other_maker, same_maker);
    let logs = [this_chip.or(same_maker), same_maker, other_maker];
    let of = |groups: &Vec<Vec<f64>>, log: Option<f64>| Spread {
        log: log.unwrap_or(f64::INFINITY),
        publications: u32::try_from(groups.len()).unwrap_or(u32::MAX),
        runs: u32::try_from(groups.concat().len()).unwrap_or(u32::MAX),
    };
    let [a, b, c] = &found;
    [of(a, logs[0]), of(b, logs[1]), of(c, logs[2])]
}

/// The wider of two spreads, each of which may be missing.
fn wider(one: Option<f64>, two: Option<f64>) -> Option<f64> {
    one.zip(two).map(|(one, two)| one.max(two)).or(one).or(two)
}

/// A published run with its prediction. The prediction does not use the publication of the run.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// The published run.
    pub row: &'static PublishedMfu,
    /// Class of the prediction.
    pub from: ShareFrom,
    /// MFU in percent, as published.
    pub measured: f64,
    /// MFU in percent, as predicted.
    pub predicted: f64,
    /// Interval around the predicted MFU, in percent.
    pub interval: (f64, f64),
}

impl Judged {
    /// Absolute difference between predicted and published MFU, in percentage points.
    pub fn error(&self) -> f64 {
        (self.predicted - self.measured).abs()
    }

    /// True if the interval contains the published MFU.
    pub fn is_held(&self) -> bool {
        (self.interval.0..=self.interval.1).contains(&self.measured)
    }
}

/// True if a person checked the run against its publication. Other runs are predicted too, but no statistic counts them.
pub fn is_verified(row: &PublishedMfu) -> bool {
    row.mfu_percent.confidence != Confidence::Low
}

/// Runs that count in statistics: all runs for which [`is_verified`] is true.
pub fn verified() -> Vec<&'static PublishedMfu> {
    PublishedMfu::all().iter().filter(|row| is_verified(row)).collect()
}

/// Predicts every published run. Constants and interval of a run are computed only from the other publications.
pub fn judged() -> Vec<Judged> {
    let (all, verified) = (PublishedMfu::all(), verified());
    let mut found: Vec<Judged> = Vec::new();
    for left_out in publications(&all.iter().collect::<Vec<_>>()) {
        let rest = without(&verified, left_out);
        let (constants, spreads) = (fitted(&rest), spreads(&rest));
        let judge = |row: &'static PublishedMfu| {
            let (chip, measured) = (row.chip()?, row.mfu_percent.value?);
            let (from, spread, constant) = ShareFrom::ALL
                .into_iter()
                .zip(spreads)
                .find_map(|(from, spread)| Some((from, spread, constant(&constants, chip, from)?)))?;
            let (mfu, executed) = predicted(row, constant)?;
            let (low, high) = spread.around(mfu, executed);
            Some(Judged { row, from, measured, predicted: mfu * 100.0, interval: (low * 100.0, high * 100.0) })
        };
        found.extend(all.iter().filter(|row| publication(row) == left_out).filter_map(judge));
    }
    found
}

/// Summary of the prediction errors of several runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Number of runs.
    pub runs: usize,
    /// Mean of the absolute errors, in percentage points of MFU.
    pub mean_error: f64,
    /// Number of runs with an error of at most 2.5 percentage points.
    pub within_2_5: usize,
    /// Number of runs with an error of at most 5 percentage points.
    pub within_5: usize,
    /// Number of runs whose published MFU is inside their interval.
    pub held: usize,
    /// Mean width of the intervals, in percentage points of MFU.
    pub mean_width: f64,
}

impl Verdict {
    /// Summarizes these runs.
    pub fn of(runs: &[Judged]) -> Self {
        let mean = |of: fn(&Judged) -> f64| runs.iter().map(of).sum::<f64>() / runs.len().max(1) as f64;
        let count = |is: fn(&Judged) -> bool| runs.iter().filter(|run| is(run)).count();
        Self {
            runs: runs.len(),
            mean_error: mean(Judged::error),
            within_2_5: count(|run| run.error() <= 2.5),
            within_5: count(|run| run.error() <= 5.0),
            held: count(Judged::is_held),
            mean_width: mean(|run| run.interval.1 - run.interval.0),
        }
    }

    /// Share of the runs inside their interval, in percent.
    pub fn coverage_percent(&self) -> f64 {
        100.0 * self.held as f64 / self.runs.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PRODUCT_SHARES;

    #[test]
    fn the_constants_of_all_runs_are_those_of_the_estimate() {
        let all = fitted(&verified());
        assert_eq!(all.len(), PRODUCT_SHARES.len());
        for shipped in &PRODUCT_SHARES {
            let one = all.iter().find(|one| one.chip.id == shipped.chip).expect("fitted");
            let value = shipped.share.value.expect("known");
            assert!((one.share - value).abs() < 0.000_51, "{}: {} {value}", shipped.chip, one.share);
            assert_eq!(one.remat, shipped.remat, "{}", shipped.chip);
        }
        // And what is lent to a chip without a run is what the rule gives.
        for (chip, lender) in [("tpu-v3", "tpu-v4"), ("tpu-7x", "tpu-v4"), ("b200-sxm", "h100-sxm")] {
            let lent = constant(&all, Chip::by_id(chip).expect("listed"), ShareFrom::SameMaker).expect("lent");
            assert_eq!(lent.chip.id, lender, "{chip}");
        }
    }

    #[test]
    fn no_constant_rests_on_a_run_that_it_judges() {
        for left_out in publications(&verified()) {
            let rest = without(&verified(), left_out);
            assert!(!rest.is_empty() && rest.iter().all(|row| publication(row) != left_out));
            // A chip whose only publication is left out has no constant of its own.
            let constants = fitted(&rest);
            let gone = |id: &str| rest.iter().all(|row| row.chip != id);
            assert!(constants.iter().all(|one| !gone(one.chip.id)), "{left_out}");
        }
    }

    #[test]
    fn the_quantile_counts_each_group_once() {
        // Four groups of one and one of many: 80 % of five groups are four of them, however many runs the fifth has.
        let groups = vec![vec![0.1], vec![0.2], vec![0.3], vec![0.4], vec![9.0; 100]];
        assert_eq!(pooled_quantile(&groups, 0.8), Some(0.4));
        assert_eq!(pooled_quantile(&[vec![0.1, 0.2, 0.3, 0.4, 0.5]], 0.8), Some(0.4));
        assert_eq!(pooled_quantile(&[], 0.8), None);
    }
}
