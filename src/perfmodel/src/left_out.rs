//! How far a predicted MFU is off on runs that no constant was fitted on, and the interval that follows.
//!
//! Whole publications are left out, one at a time: all constants are fitted to the rest ([`crate::PRODUCT_SHARES`] are
//! those of all), the runs of that publication are predicted, and the score of a run is `|ln(measured ÷ predicted)|`.
//! Runs of one publication resemble each other, so each publication counts once: the interval is `predicted ÷ e^q` to
//! `predicted · e^q`, where `q` is the score that 80 % of the mean of the publications' distributions stay within. That is
//! conformal prediction with pooled distributions of groups (Dunn, Wasserman and Ramdas, *Distribution-Free Prediction
//! Sets for Two-Layer Hierarchical Models*, JASA, 2023, arXiv 1809.07441; conformal prediction itself: Vovk, Gammerman and
//! Shafer, *Algorithmic Learning in a Random World*, 2005). Its coverage is asymptotic in the number of publications, of
//! which there are few: [`judged`] measures it, with the interval of each run made without its publication too.
//!
//! The scores are taken class by class, by whose constant a prediction rests on ([`ShareFrom`]).

use crate::gemm_time::calibration;
use crate::{Chip, Compute, Confidence, PublishedMfu, Remat, Source, product_share};

/// The method of the intervals.
pub static SOURCE: Source = Source {
    key: "dunn",
    text: "Dunn, Wasserman and Ramdas, Distribution-Free Prediction Sets for Two-Layer Hierarchical Models, Journal of the \
           American Statistical Association, 2023: conformal prediction with pooled distributions of groups",
};

/// The share of runs that an interval is made to hold.
pub const LEVEL: f64 = 0.8;

/// Whose constant a prediction rests on: the further away, the wider its interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShareFrom {
    /// Another run on the same chip.
    ThisChip,
    /// Another chip of the same maker.
    SameMaker,
    /// A chip of another maker, or one whose values somebody set.
    OtherMaker,
}

impl ShareFrom {
    /// Its name in tables.
    pub const fn id(self) -> &'static str {
        match self {
            Self::ThisChip => "this-chip",
            Self::SameMaker => "same-maker",
            Self::OtherMaker => "other-maker",
        }
    }

    /// From the nearest to the furthest.
    pub const ALL: [Self; 3] = [Self::ThisChip, Self::SameMaker, Self::OtherMaker];

    /// Whose constant a chip is predicted with.
    pub fn of(chip: &Chip) -> Self {
        let (share, own) = product_share(chip);
        let is_of_the_maker = Chip::by_id(share.chip).is_some_and(|lender| lender.vendor == chip.vendor);
        match (own, is_of_the_maker && !chip.is_custom) {
            (true, _) => Self::ThisChip,
            (false, true) => Self::SameMaker,
            (false, false) => Self::OtherMaker,
        }
    }

    /// How far runs were from such predictions.
    pub fn spread(self) -> &'static Spread {
        let [this_chip, same_maker, other_maker] = &SPREADS;
        match self {
            Self::ThisChip => this_chip,
            Self::SameMaker => same_maker,
            Self::OtherMaker => other_maker,
        }
    }
}

/// How far runs were from predictions of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The score that [`LEVEL`] of the publications stay within: `ln` of the factor each way.
    pub log: f64,
    /// Publications with a score of the class.
    pub publications: u32,
    /// Their runs.
    pub runs: u32,
}

/// What [`spreads`] gives for the whole table: `systolic check --by class` prints it.
pub static SPREADS: [Spread; 3] = [
    Spread { log: 0.223, publications: 4, runs: 9 },
    Spread { log: 0.385, publications: 9, runs: 34 },
    Spread { log: 0.441, publications: 9, runs: 35 },
];

impl Spread {
    /// The interval around an MFU; all are ratios. More than the whole peak cannot run, so the upper end is at most
    /// `1 ÷ executed FLOPs per model FLOP`.
    pub fn around(&self, mfu: f64, executed_per_model_flop: f64) -> (f64, f64) {
        let factor = self.log.exp();
        let most = 1.0 / executed_per_model_flop.max(1.0);
        (mfu / factor, (mfu * factor).min(most).max(mfu))
    }
}

/// A chip's constant, fitted to some of the runs.
struct Fitted {
    chip: &'static Chip,
    share: f64,
    remat: Remat,
}

/// The constants by the rule behind [`crate::PRODUCT_SHARES`]: first-hand runs; of several publications on a chip the
/// first that states its chips; of those runs, the ones on the fewest chips.
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

/// What a publication is called.
pub fn publication(row: &PublishedMfu) -> &'static str {
    row.mfu_percent.source.key
}

/// The part of the peak that the products of a run reach alone.
fn reach(row: &PublishedMfu) -> Option<f64> {
    let large = || Some(calibration::calibration_of_chip(row.chip()?).0.math_share);
    row.products_percent.map(|percent| percent / 100.0).or_else(large)
}

/// Time of the products ÷ time of the step of a run, by its executed FLOPs.
fn share(row: &PublishedMfu) -> Option<f64> {
    let mfu = row.mfu_percent.value?;
    let executed = row.hfu_percent.unwrap_or(mfu * row.remat.map_or(1.0, Remat::executed_per_model_flop));
    Some(executed / 100.0 / reach(row)?)
}

/// The constant of the lower middle among some chips, as TPU v4's is among those with arrays.
fn middle<'a>(among: impl Iterator<Item = &'a Fitted>) -> Option<&'a Fitted> {
    let mut all: Vec<&Fitted> = among.collect();
    all.sort_by(|a, b| a.share.total_cmp(&b.share));
    all.get(all.len().saturating_sub(1) / 2).copied()
}

/// The constant that a run of a class is predicted with.
fn constant<'a>(all: &'a [Fitted], chip: &Chip, from: ShareFrom) -> Option<&'a Fitted> {
    let is_of = |one: &&Fitted| match from {
        ShareFrom::ThisChip => one.chip.id == chip.id,
        ShareFrom::SameMaker => one.chip.id != chip.id && one.chip.vendor == chip.vendor && is_alike(one.chip, chip),
        ShareFrom::OtherMaker => one.chip.vendor != chip.vendor,
    };
    middle(all.iter().filter(is_of))
}

/// Both have arrays, or neither has.
fn is_alike(a: &Chip, b: &Chip) -> bool {
    let has_arrays = |chip: &Chip| !matches!(chip.compute, Compute::TensorCores { .. });
    has_arrays(a) == has_arrays(b)
}

/// The MFU of a run by a constant, and its executed per model FLOP. What the run computed again is part of the question.
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

/// The scores of a class, publication by publication, each predicted without it.
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

/// The smallest score that this share of the groups stay within, each group counting once; `None` without any.
pub fn pooled_quantile(groups: &[Vec<f64>], level: f64) -> Option<f64> {
    let mut all: Vec<f64> = groups.concat();
    all.sort_by(f64::total_cmp);
    let within = |score: f64| {
        let of = |group: &Vec<f64>| group.iter().filter(|one| **one <= score).count() as f64 / group.len() as f64;
        groups.iter().map(of).sum::<f64>() / groups.len() as f64
    };
    all.into_iter().find(|score| within(*score) >= level - 1e-9)
}

/// Publications of which a class needs as many: fewer cannot hold four fifths of the runs of one more.
pub const PUBLICATIONS_MIN: usize = 4;

/// The spreads of the classes by some runs. A class with too few publications has that of the next further one, and none is
/// narrower than a nearer one.
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

/// The wider of two, of which either may be missing.
fn wider(one: Option<f64>, two: Option<f64>) -> Option<f64> {
    one.zip(two).map(|(one, two)| one.max(two)).or(one).or(two)
}

/// A published run, predicted without its publication.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// The run.
    pub row: &'static PublishedMfu,
    /// Whose constant it was predicted with.
    pub from: ShareFrom,
    /// MFU in percent, as published.
    pub measured: f64,
    /// MFU in percent, as predicted.
    pub predicted: f64,
    /// The interval in percent.
    pub interval: (f64, f64),
}

impl Judged {
    /// Points between both.
    pub fn error(&self) -> f64 {
        (self.predicted - self.measured).abs()
    }

    /// Whether the interval holds the published MFU.
    pub fn is_held(&self) -> bool {
        (self.interval.0..=self.interval.1).contains(&self.measured)
    }
}

/// Runs whose publication was read; the others are predicted too, and count in no figure.
pub fn is_verified(row: &PublishedMfu) -> bool {
    row.mfu_percent.confidence != Confidence::Low
}

/// The runs that count.
pub fn verified() -> Vec<&'static PublishedMfu> {
    PublishedMfu::all().iter().filter(|row| is_verified(row)).collect()
}

/// Every published run, predicted by constants and with an interval that were made without its publication.
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

/// What judged runs come to together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Runs.
    pub runs: usize,
    /// Mean of the absolute errors, points of MFU.
    pub mean_error: f64,
    /// Runs within 2.5 points.
    pub within_2_5: usize,
    /// Runs within 5 points.
    pub within_5: usize,
    /// Runs that their interval holds.
    pub held: usize,
    /// Mean width of the intervals, points of MFU.
    pub mean_width: f64,
}

impl Verdict {
    /// Of these runs.
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

    /// Held ÷ runs, in percent.
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
