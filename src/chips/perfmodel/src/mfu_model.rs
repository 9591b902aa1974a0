//! Model of the MFU of a training run: a regression of the published runs in the logarithm of the MFU.
//!
//! The logarithm of a run's MFU is a sum of effects. Slopes belong to the size of the model, the sequence length, the
//! number of chips and pods, experts, and FLOPs per byte. Indicators belong to recomputation, unfused attention and reports
//! on models. Levels belong to the maker, the chip, the framework and the publication. Each effect has a normal prior, whose standard deviation is [`Effect::spread`]. The
//! posterior follows in closed form, as in every Bayesian linear regression (Bishop, *Pattern Recognition and Machine
//! Learning*, 2006, section 3.3; Gelman et al., *Bayesian Data Analysis*, 2013, chapter 15).
//!
//! A run in fp8 counts as the run in 16 bits that it would be: faster matmuls save time, but attention and the rest of
//! the step take as long as before. Runs that were published in both formats agree with this gain ([`FP8_SPREAD`]).
//!
//! The priors shrink what the data do not determine: a chip with one publication keeps part of the level of its maker,
//! and a chip without a publication has the level of its maker and a wider range. The width of an interval is the
//! standard deviation of the prediction times a factor. The factor comes from publications that were left out
//! ([`crate::left_out`]).

mod setting;
mod solve;

use std::sync::OnceLock;

use crate::{Chip, PublishedMfu, Source};
pub use setting::RunSetting;
use setting::{in_16_bits, in_own_format};
use solve::Symmetric;

/// Source of predictions: the regression and its data.
pub static SOURCE: Source = Source {
    key: "regression",
    text: "This project: regression of the published training runs in src/chips/perfmodel/data/training_runs.csv, each with its source. `systolic check` prints the errors on publications that were left out",
};

/// A quantity that changes the MFU of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Level of all runs.
    All,
    /// Recomputation of all activations.
    Recomputation,
    /// Each doubling of the parameters that take part in matmuls, relative to 16 billion.
    Parameters,
    /// Each doubling of the sequence, relative to 2048 tokens.
    Sequence,
    /// Each doubling of the number of chips, relative to 64.
    Chips,
    /// Each doubling of the number of pods of a TPU.
    Pods,
    /// Each doubling of the number of experts of a layer, relative to 1.
    Experts,
    /// Each doubling of the chip's peak FLOP/s per byte/s of main memory, relative to 240. This ratio matters because
    /// the work besides matmuls waits for memory.
    Ridge,
    /// Software without fused attention, before 2023.
    Unfused,
    /// A report on the training of a model, not on the speed of a program.
    ModelReport,
    /// Level of a maker of chips.
    Maker(&'static str),
    /// Level of a chip, by id.
    Chip(&'static str),
    /// Level of a training framework.
    Framework(&'static str),
    /// Level of a publication's runs on one chip: the key of the publication, and the id of the chip.
    Publication(&'static str, &'static str),
    /// Level of the user's framework, if the regression has no level for this framework.
    OwnFramework,
    /// Level of the user's software apart from its framework. The user's own runs determine this level.
    OwnSoftware,
}

impl Effect {
    /// Standard deviation of the effect on the logarithm of MFU, before any run is known.
    pub const fn spread(self) -> f64 {
        match self {
            Self::All => 0.5,
            Self::Recomputation | Self::ModelReport => 0.12,
            Self::Parameters => 0.03,
            Self::Sequence | Self::Pods => 0.02,
            Self::Chips => 0.015,
            Self::Experts => 0.08,
            Self::Chip(_) => 0.1,
            Self::Unfused => 0.3,
            Self::Ridge | Self::Maker(_) => 0.2,
            Self::Framework(_) | Self::OwnFramework => 0.14,
            Self::Publication(..) | Self::OwnSoftware => 0.115,
        }
    }

    /// Value of the effect before any run is known.
    fn start(self) -> f64 {
        if self == Self::All { LEVEL_START.ln() } else { 0.0 }
    }
}

/// Expected MFU of a run before any published run is known. The prior around this value is wide.
const LEVEL_START: f64 = 0.45;
/// Standard deviation of the logarithm of MFU, among runs of one publication in similar settings.
pub const RESIDUAL: f64 = 0.1;
/// Standard deviation of the logarithm of the converted MFU ÷ the published MFU, both in 16 bits. The converted MFU
/// comes from a run in fp8, the published MFU from the same run in 16 bits. The test
/// `fp8_is_the_run_in_16_bits_times_its_gain` compares runs that were published in both formats.
pub const FP8_SPREAD: f64 = 0.05;

/// The regression, fitted to published runs.
#[derive(Clone, Debug, PartialEq)]
pub struct MfuModel {
    effects: Vec<Effect>,
    mean: Vec<f64>,
    covariance: Symmetric,
    /// Publications, each with the maker and the id of a chip.
    publications: Vec<(&'static str, &'static str, &'static str)>,
}

/// A predicted MFU.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Median of the predicted MFU as a ratio of the 16-bit peak, counted with full attention.
    pub mfu: f64,
    /// Median of the predicted MFU of the same run in 16 bits.
    pub mfu_16_bits: f64,
    /// Standard deviation of the logarithm of the predicted MFU in 16 bits.
    pub spread: f64,
    /// Time that matmuls in fp8 save, in units of the time that the FLOPs of the step take at the 16-bit peak.
    saved: f64,
    /// Effects with their sizes as a logarithm of MFU, without the level of all runs. The sum of all effects and of the
    /// level is `mfu_16_bits.ln()`.
    pub effects: Vec<(Effect, f64)>,
    /// Number of publications on this chip.
    pub publications_on_chip: usize,
    /// Number of publications on chips of this maker.
    pub publications_of_maker: usize,
}

/// Rounds a number to six decimal places. Logarithms differ in the last digits between processors. Rounding makes the
/// answers of the page and of the command line equal.
fn steady(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// Runs that determine the level of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// Runs on the chip itself.
    ThisChip,
    /// Runs on other chips of the same maker.
    SameMaker,
    /// Runs on chips of other makers.
    OtherMaker,
}

impl Evidence {
    /// Name of the evidence in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::ThisChip => "this-chip",
            Self::SameMaker => "same-maker",
            Self::OtherMaker => "other-maker",
        }
    }
}

impl Forecast {
    /// Ends of the interval around the predicted MFU, as ratios of the 16-bit peak. The MFU in 16 bits lies between
    /// `mfu_16_bits ÷ e^(factor · spread)` and `mfu_16_bits · e^(factor · spread)`.
    pub fn ends(&self, factor: f64) -> (f64, f64) {
        let by = steady((factor * self.spread).exp());
        (in_own_format(self.mfu_16_bits / by, self.saved), in_own_format(self.mfu_16_bits * by, self.saved))
    }

    /// Logarithm of the measured MFU ÷ the predicted MFU, both converted to 16 bits, in units of the prediction's
    /// spread. Both MFUs are ratios of the 16-bit peak, counted with full attention.
    pub fn score(&self, measured: f64) -> f64 {
        (in_16_bits(measured, self.saved) / self.mfu_16_bits).ln() / self.spread
    }

    /// The runs that determine the level of the chip.
    pub const fn evidence(&self) -> Evidence {
        match (self.publications_on_chip, self.publications_of_maker) {
            (0, 0) => Evidence::OtherMaker,
            (0, _) => Evidence::SameMaker,
            _ => Evidence::ThisChip,
        }
    }
}

impl MfuModel {
    /// Fits the model to these runs. A run on an unlisted chip or without a counted MFU is left out.
    pub fn fitted(rows: &[&'static PublishedMfu]) -> Self {
        let measured = |row: &PublishedMfu| Some(in_16_bits(row.full_ratio()?, row.setting()?.saved()).ln());
        let runs: Vec<_> = rows.iter().filter_map(|row| Some((row.effects()?, measured(row)?))).collect();
        let mut effects: Vec<Effect> =
            runs.iter().flat_map(|(effects, _)| effects.iter().map(|(effect, _)| *effect)).collect();
        effects.sort_unstable();
        effects.dedup();
        let mut precision = Symmetric::diagonal(effects.iter().map(|effect| effect.spread().powi(-2)));
        let mut weighed: Vec<f64> = effects.iter().map(|effect| effect.start() * effect.spread().powi(-2)).collect();
        let one = RESIDUAL.powi(-2);
        for (run, measured) in &runs {
            let at: Vec<(usize, f64)> = run
                .iter()
                .filter_map(|(effect, factor)| Some((effects.binary_search(effect).ok()?, *factor)))
                .collect();
            precision.add_square(&at, one);
            for (place, factor) in at {
                if let Some(sum) = weighed.get_mut(place) {
                    *sum += factor * measured * one;
                }
            }
        }
        let covariance = precision.inverse();
        let mean = covariance.times(&weighed);
        let mut publications: Vec<_> =
            rows.iter().filter_map(|row| Some((row.publication(), row.chip()?.vendor, row.chip))).collect();
        publications.sort_unstable();
        publications.dedup();
        Self { effects, mean, covariance, publications }
    }

    /// The model of all published runs that count. The first call fits the model.
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<MfuModel> = OnceLock::new();
        SHIPPED.get_or_init(|| Self::fitted(&crate::left_out::verified()))
    }

    /// Iterates over the effects, each with its mean and its standard deviation as a logarithm of MFU.
    pub fn effects(&self) -> impl Iterator<Item = (Effect, f64, f64)> {
        let deviation = |place: usize| self.covariance.square(&[(place, 1.0)]).sqrt();
        self.effects.iter().zip(&self.mean).enumerate().map(move |(at, (effect, mean))| (*effect, *mean, deviation(at)))
    }

    /// Predicts the MFU of the user's run in a setting.
    pub fn forecast(&self, setting: &RunSetting<'_>) -> Forecast {
        self.of(setting, &setting.own_effects())
    }

    /// Predicts the MFU of a run with these effects.
    fn of(&self, setting: &RunSetting<'_>, effects: &[(Effect, f64)]) -> Forecast {
        let mut at = Vec::with_capacity(effects.len());
        let mut sizes = Vec::with_capacity(effects.len());
        let gain = if setting.is_fp8 { FP8_SPREAD } else { 0.0 };
        let mut variance = RESIDUAL * RESIDUAL + gain * gain;
        let mut level = Effect::All.start();
        for (effect, factor) in effects {
            match self.effects.binary_search(effect) {
                Ok(place) => {
                    let mean = self.mean.get(place).copied().unwrap_or_default() * factor;
                    at.push((place, *factor));
                    if *effect == Effect::All { level = mean } else { sizes.push((*effect, mean)) }
                }
                Err(_) => variance += (effect.spread() * factor).powi(2),
            }
        }
        variance += self.covariance.square(&at);
        let count = |is: &dyn Fn(&str, &str) -> bool| {
            let of = self.publications.iter().filter(|(_, maker, chip)| is(maker, chip));
            let mut names: Vec<&str> = of.map(|(publication, ..)| *publication).collect();
            names.dedup();
            names.len()
        };
        let Chip { vendor, id, is_custom, .. } = setting.chip;
        let mfu_16_bits = steady((level + sizes.iter().map(|(_, size)| size).sum::<f64>()).exp());
        let saved = setting.saved();
        Forecast {
            mfu: in_own_format(mfu_16_bits, saved),
            mfu_16_bits,
            saved,
            spread: steady(variance.sqrt()),
            effects: sizes,
            publications_on_chip: if *is_custom { 0 } else { count(&|_, chip| chip == *id) },
            publications_of_maker: count(&|maker, _| maker == *vendor),
        }
    }

    /// Returns the model updated by the user's own runs. Each run has its measured MFU as a ratio of the 16-bit peak,
    /// counted with full attention. The runs mainly determine the level of the user's software, and change the other
    /// effects a little.
    #[must_use]
    pub fn after(&self, own: &[(RunSetting<'_>, f64)]) -> Self {
        let mut next = self.clone();
        if own.is_empty() {
            return next;
        }
        let mut learn = |effect: Effect| {
            if let Err(place) = next.effects.binary_search(&effect) {
                next.effects.insert(place, effect);
                next.mean.insert(place, effect.start());
                next.covariance.insert(place, effect.spread().powi(2));
            }
        };
        learn(Effect::OwnFramework);
        learn(Effect::OwnSoftware);
        for (setting, mfu) in own {
            next.observe(setting, &setting.own_effects(), in_16_bits(*mfu, setting.saved()).ln());
        }
        next
    }

    /// One step of a Kalman filter: the posterior after one more run.
    fn observe(&mut self, setting: &RunSetting<'_>, effects: &[(Effect, f64)], measured: f64) {
        let expected = self.of(setting, effects);
        let at: Vec<(usize, f64)> = effects
            .iter()
            .filter_map(|(effect, factor)| Some((self.effects.binary_search(effect).ok()?, *factor)))
            .collect();
        let gain = self.covariance.column(&at);
        let variance = expected.spread * expected.spread;
        let surprise = measured - expected.mfu_16_bits.ln();
        for (mean, gain) in self.mean.iter_mut().zip(&gain) {
            *mean += gain * surprise / variance;
        }
        self.covariance.subtract_outer(&gain, variance);
    }
}
