//! Published training runs, for fitting and for judging predictions. Each run has the chips, the model, and the
//! convention for counting attention. Runs whose MFU contradicts their own throughput are left out.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::mfu_model::RunSetting;
use crate::runs_generated::RUNS;
use crate::{Attention, Chip, Confidence, PeakDtype, Remat, Sourced};

/// Smallest number of runs on a chip from which the usual settings on the chip are inferred.
const RUNS_MIN: usize = 3;

/// One published training run.
#[derive(Clone, Copy, Debug)]
pub struct PublishedMfu {
    /// The chip's id in the chip table.
    pub chip: &'static str,
    /// Number of chips, if known.
    pub chips: Option<u32>,
    /// The model as its source names it.
    pub model: &'static str,
    /// Parameters that take part in a matmul for a token: with the output head and the visited experts, without the
    /// lookup of embeddings.
    pub parameters: Option<f64>,
    /// Layers, if known.
    pub layers: Option<u32>,
    /// Query heads · size of a head, if known.
    pub width: Option<u32>,
    /// Tokens of a sequence.
    pub sequence: Option<u32>,
    /// Sequences per chip and step.
    pub batch_per_chip: Option<f64>,
    /// Format of the matmuls.
    pub format: PeakDtype,
    /// Rematerialization of the run, either published or inferred; `None` if unknown.
    pub remat: Option<Remat>,
    /// Experts of a layer; 0 for a dense model.
    pub experts: u32,
    /// Convention for counting the FLOPs of attention. `None` if no convention is stated, or if attention is not
    /// causal, as in an encoder.
    pub attention: Option<Attention>,
    /// Training framework; empty if unknown.
    pub framework: &'static str,
    /// Year of the software.
    pub year: u16,
    /// True for software without fused attention.
    pub is_unfused: bool,
    /// True for a report on the training of a model, not on the speed of a program.
    pub is_model_report: bool,
    /// MFU in percent of the chip's bf16 peak (f16 on a V100), in the convention of the publication.
    pub mfu_percent: Sourced<f64>,
    /// The MFU counted with full attention. `None` if the convention is unknown.
    pub full_percent: Option<f64>,
    /// HFU in percent, if published too.
    pub hfu_percent: Option<f64>,
}

impl PublishedMfu {
    /// All published runs.
    pub fn all() -> &'static [Self] {
        &RUNS
    }

    /// The verified run in 16 bits with the highest MFU on a chip, by the id of the chip.
    pub fn highest_on(chip: &str) -> Option<&'static Self> {
        Self::in_16_bits_on(chip)
            .reduce(|most, row| if row.mfu_percent.value > most.mfu_percent.value { row } else { most })
    }

    /// The verified run in 16 bits with the lowest MFU on a chip, by the id of the chip.
    pub fn lowest_on(chip: &str) -> Option<&'static Self> {
        Self::in_16_bits_on(chip)
            .reduce(|least, row| if row.mfu_percent.value < least.mfu_percent.value { row } else { least })
    }

    /// Runs in fp8 have their MFU in percent of the 16-bit peak, so they cannot be compared with runs in 16 bits.
    fn in_16_bits_on(chip: &str) -> impl Iterator<Item = &'static Self> {
        Self::verified_on(chip).filter(|row| row.format != PeakDtype::Fp8)
    }

    /// The verified runs on a chip, by the id of the chip.
    pub fn verified_on(chip: &str) -> impl Iterator<Item = &'static Self> {
        static BY_CHIP: OnceLock<BTreeMap<&str, Vec<&PublishedMfu>>> = OnceLock::new();
        let by_chip = BY_CHIP.get_or_init(|| {
            let mut by_chip: BTreeMap<&str, Vec<&Self>> = BTreeMap::new();
            for row in Self::all().iter().filter(|row| row.mfu_percent.confidence != Confidence::Low) {
                by_chip.entry(row.chip).or_default().push(row);
            }
            by_chip
        });
        by_chip.get(chip).into_iter().flatten().copied()
    }

    /// The verified runs on the chip of a setting that resemble the setting most, nearest first. Each model of a
    /// publication occurs at most once. Runs that differ in fp8 or in the use of experts count only if no run agrees in
    /// both. Empty for a custom chip.
    pub fn nearest(setting: &RunSetting<'_>, most: usize) -> Vec<&'static Self> {
        if setting.chip.is_custom {
            return Vec::new();
        }
        Self::nearest_of(&Self::verified_on(setting.chip.id).collect::<Vec<_>>(), setting, most)
    }

    /// The runs among `rows` that resemble a setting most, as in [`Self::nearest`].
    pub fn nearest_of(rows: &[&'static Self], setting: &RunSetting<'_>, most: usize) -> Vec<&'static Self> {
        let is_alike =
            |row: &Self| (row.format == PeakDtype::Fp8) == setting.is_fp8 && (row.experts > 0) == (setting.experts > 0);
        let has_alike = rows.iter().any(|row| is_alike(row));
        let mut all: Vec<(f64, &'static Self)> =
            rows.iter().filter(|row| !has_alike || is_alike(row)).map(|row| (row.distance(setting), *row)).collect();
        all.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let mut found: Vec<&'static Self> = Vec::new();
        for (_, row) in all {
            let is_new = |one: &&Self| (one.model, one.publication()) != (row.model, row.publication());
            if found.len() < most && found.iter().all(is_new) {
                found.push(row);
            }
        }
        found
    }

    /// Distance of the run from a setting. The doublings of size, sequence and chips count, weighted by their effect on
    /// the MFU. Each other difference adds a fixed step.
    fn distance(&self, setting: &RunSetting<'_>) -> f64 {
        let doublings = |one: Option<f64>, other: Option<f64>| match one.zip(other) {
            Some((one, other)) => (one / other).log2().abs(),
            None => 2.0,
        };
        let step = |differs: bool, size: f64| if differs { size } else { 0.0 };
        doublings(self.parameters, setting.parameters)
            + doublings(self.sequence.map(f64::from), setting.sequence) / 2.0
            + doublings(self.chips.map(f64::from), setting.chips) / 4.0
            + step(self.remat != setting.remat, 0.5)
            + step(self.is_unfused != setting.is_unfused, 2.0)
    }

    /// The chip of the run.
    pub fn chip(&self) -> Option<&'static Chip> {
        Chip::by_id(self.chip)
    }

    /// Key of the publication that the run comes from.
    pub fn publication(&self) -> &'static str {
        self.mfu_percent.source.key
    }

    /// The MFU counted with full attention, as a ratio.
    pub fn full_ratio(&self) -> Option<f64> {
        self.full_percent.map(|percent| percent / 100.0)
    }

    /// The rematerialization that most publications on a chip use; each publication counts once. `Remat::None` if fewer
    /// than three runs state their rematerialization, because a few runs of one publication do not show the usual
    /// choice.
    pub fn usual_remat(chip: &str) -> Remat {
        static BY_CHIP: OnceLock<BTreeMap<&str, Remat>> = OnceLock::new();
        let of = |chip: &'static Chip| (chip.id, Self::most_frequent_remat(chip.id));
        let by_chip = BY_CHIP.get_or_init(|| Chip::all().iter().map(of).collect());
        by_chip.get(chip).copied().unwrap_or(Remat::None)
    }

    fn most_frequent_remat(chip: &str) -> Remat {
        let mut stated: Vec<(&str, Remat)> =
            Self::verified_on(chip).filter_map(|row| Some((row.publication(), row.remat?))).collect();
        if stated.len() < RUNS_MIN {
            return Remat::None;
        }
        stated.sort_unstable_by_key(|(publication, remat)| (*publication, *remat == Remat::Full));
        stated.dedup();
        let count = |wanted: Remat| stated.iter().filter(|(_, remat)| *remat == wanted).count();
        if count(Remat::Full) > count(Remat::None) { Remat::Full } else { Remat::None }
    }
}
