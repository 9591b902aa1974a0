//! The question about a model: the pass, the chip, the number of chips, and all other settings.

use std::sync::Arc;

use super::{custom, price};
use crate::{Allowed, Entry, GroupSizes, InvalidEntry, NumberRange, Software, Topic};
use display::number::significant;
use perfmodel::{
    Attention, Chip, CustomValues, F32Passes, Format, Framework, HourlyPrice, Links, PeakDtype, Per, Price,
    PublishedMfu, Remat, Seconds, Sharding, Sourced,
};
use workload::models::{MODELS, Model};
use workload::{PassKind, transformer};

/// Largest number of chips in a run.
const CHIPS_MAX: u64 = 1_000_000;
/// Largest number of tokens in a sequence.
const SEQ_MAX: u64 = 10_000_000;
/// Maximum number of lengths of packed sequences.
const LENGTHS_MAX: usize = 200;
/// Default number of sequences on a chip.
pub(crate) const BATCH: u64 = 4;
/// Largest number of sequences on a chip.
pub(crate) const BATCH_MAX: u64 = 1_000_000;
/// Tokens per second that a user can need.
const RATE: NumberRange = NumberRange { usual: 30.0, min: 0.01, max: 1e6, is_whole: false };

/// Largest M, K or N of a single matmul.
const SIDE_MAX: u64 = 1_048_576;

/// The model id of a single matmul.
pub const PRODUCT: &str = "product";

/// Passes, by their names in a link.
pub const PASSES: [(&str, PassKind); 3] =
    [("train", PassKind::Training), ("prefill", PassKind::Prefill), ("decode", PassKind::Decode)];

/// Numbers of bf16 passes that a TPU can use to multiply f32, by their names in a link.
pub const F32_PASSES: [(&str, F32Passes); 3] = [
    (F32Passes::One.id(), F32Passes::One),
    (F32Passes::Three.id(), F32Passes::Three),
    (F32Passes::Six.id(), F32Passes::Six),
];

/// Kinds of rematerialization, by their names in a link. `None` means the kind that the published runs on the chip
/// used.
pub const REMATS: [(&str, Option<Remat>); 3] =
    [("auto", None), ("none", Some(Remat::None)), ("full", Some(Remat::Full))];

/// Training frameworks, by their names in a link. `None` means the usual framework on the chip.
pub const FRAMEWORKS: [(&str, Option<Framework>); 4] = [
    ("auto", None),
    (Framework::MaxText.id(), Some(Framework::MaxText)),
    (Framework::Megatron.id(), Some(Framework::Megatron)),
    (Framework::Other.id(), Some(Framework::Other)),
];

/// Conventions for counting the FLOPs of attention, by their names in a link.
pub const ATTENTIONS: [(&str, Attention); 2] = [("full", Attention::Full), ("causal", Attention::Causal)];

/// Ways to decode with latent attention: true if all keys and values are expanded.
pub const LATENTS: [(&str, bool); 2] = [("absorbed", false), ("expanded", true)];
/// Kinds of parallelism over chips, by their names in a link.
pub const SPLITS: [(&str, Sharding); 3] =
    [("data", Sharding::Data), ("fsdp", Sharding::FullySharded), ("tensor", Sharding::Tensor)];

/// Origin of the parallelism of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutFrom {
    /// No entry sets the parallelism.
    Default,
    /// An entry sets the parallelism.
    Set,
    /// The estimate chose the parallelism, because communication takes too long with the default.
    Chosen,
}

/// Settings that an answer chooses so that each user of decode gets the rate of the question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChosenForRate {
    /// True if the number of chips is chosen.
    pub chips: bool,
    /// True if the number of sequences on a chip is chosen.
    pub batch: bool,
}

/// A valid question about a model or a single matmul: the pass, the chips, and all settings.
#[derive(Clone, Debug)]
pub struct Question {
    /// The model; `None` if the matmuls come from a file or a list.
    pub model: Option<&'static Model>,
    /// True if the question is about a single matmul, which runs on one chip.
    pub is_product: bool,
    /// M, K and N of the single matmul.
    pub sizes: [u64; 3],
    /// The chip, with its custom values applied.
    pub chip: Arc<Chip>,
    /// Custom values of the chip.
    pub own: CustomValues,
    /// Format of the operands.
    pub dtype: PeakDtype,
    /// Number of bf16 passes that a TPU uses to multiply f32.
    pub passes: F32Passes,
    /// Number of chips that run one program together.
    pub chips: u64,
    /// True if the number of chips is set.
    pub are_chips_set: bool,
    /// The pass of the model: training, prefill or decode.
    pub pass: PassKind,
    /// Number of tokens in a sequence; in decode, number of tokens in the cache.
    pub seq: u64,
    /// Lengths of the sequences that are packed into one sequence of [`Self::seq`] tokens; empty without packing.
    pub packed: Vec<u64>,
    /// True if latent attention expands all keys and values in decode. Servers absorb the expansion instead.
    pub expands_latent: bool,
    /// Sequences on each chip.
    pub batch: u64,
    /// True if the number of sequences is set. If it is not set, a training step whose activations do not fit has the
    /// largest number that fits.
    pub is_batch_set: bool,
    /// True if the number of sequences follows from the tokens of a log line.
    pub is_batch_of_log: bool,
    /// Tokens per second that each user of decode needs at least. The answer of a query then chooses the number of chips
    /// and of sequences, unless they are set.
    pub rate: Option<f64>,
    /// Settings that the answer chose for [`Self::rate`].
    pub chosen: ChosenForRate,
    /// Rematerialization in the backward pass. `None` means the kind that the published runs on the chip used.
    pub remat: Option<Remat>,
    /// Training framework. `None` means the usual framework on the chip.
    pub framework: Option<Framework>,
    /// Convention for counting attention in model FLOPs.
    pub attention: Attention,
    /// Kind of parallelism over the chips.
    pub split: Sharding,
    /// Sizes of the groups that split the model in several ways.
    pub groups: GroupSizes,
    /// Origin of [`Self::split`] and [`Self::groups`].
    pub layout: LayoutFrom,
    /// Name of the network between nodes of GPUs; `None` for the default of the chip.
    pub network: Option<&'static str>,
    /// Overlap of arithmetic and communication, in percent of the shorter of the two times.
    pub overlap: Option<u64>,
    /// The listed price that was chosen.
    pub listed: Option<Price>,
    /// Custom price in dollars per chip-hour, which takes precedence over any listed price.
    pub usd: Option<f64>,
    /// Number of tokens in the whole run.
    pub tokens: Option<f64>,
    /// The regression of published runs, updated with the user's own runs. `None` without own runs.
    pub software: Option<Software>,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            model: Model::by_id("llama3-8b"),
            is_product: false,
            sizes: [4096; 3],
            chip: Arc::new(Chip::by_id("tpu-v5e").unwrap_or(&Chip::all()[0]).clone()),
            own: CustomValues::default(),
            dtype: PeakDtype::Bf16,
            passes: F32Passes::One,
            chips: 64,
            are_chips_set: false,
            pass: PassKind::default(),
            seq: 2048,
            packed: Vec::new(),
            expands_latent: false,
            batch: BATCH,
            is_batch_set: false,
            is_batch_of_log: false,
            rate: None,
            chosen: ChosenForRate::default(),
            remat: None,
            framework: None,
            attention: Attention::Full,
            split: Sharding::FullySharded,
            groups: GroupSizes::default(),
            layout: LayoutFrom::Default,
            network: None,
            overlap: None,
            listed: None,
            usd: None,
            tokens: None,
            software: None,
        }
    }
}

fn count(text: &str, max: u64) -> Option<u64> {
    text.parse().ok().filter(|value| (1..=max).contains(value))
}

/// Reads lengths of sequences, such as `512,1024`. `None` if a length is not a whole number above 0.
fn lengths(text: &str) -> Option<Vec<u64>> {
    let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
    let all: Option<Vec<u64>> = parts.take(LENGTHS_MAX + 1).map(|part| count(part, SEQ_MAX)).collect();
    all.filter(|all| all.len() <= LENGTHS_MAX)
}

fn amount(text: &str, least: f64) -> Option<f64> {
    // Common notations: 15e12, 0.5, 1_000.
    let text = text.replace('_', "");
    display::number::read(&text).filter(|value| (least..=1e30).contains(value))
}

/// Reads a price with its unit: `1.2`, `0.6/core`, `9.6/8`.
fn hourly(text: &str) -> Option<HourlyPrice> {
    let (usd, per) = match text.split_once('/') {
        None => (text, Per::Chip),
        Some((usd, unit)) => match unit.trim() {
            "chip" => (usd, Per::Chip),
            "core" => (usd, Per::Core),
            chips => (usd, Per::Slice(count(chips, CHIPS_MAX)?)),
        },
    };
    Some(HourlyPrice { usd: amount(usd.trim(), 1e-6)?, per })
}

impl Question {
    /// Makes a question from entries and their texts. If an entry is repeated, the last usable text counts. Never
    /// fails: unusable entries change nothing, and are returned in the list of invalid entries.
    pub fn from_entries<'a>(entries: impl IntoIterator<Item = (Entry, &'a str)>) -> (Self, Vec<InvalidEntry>) {
        let (mut question, mut invalid) = (Self::default(), Vec::new());
        let mut entries: Vec<(Entry, &str)> = entries.into_iter().collect();
        // Custom values, prices, cores and slices depend on the chip, so the chip is set first.
        entries.sort_by_key(|(entry, _)| match entry {
            Entry::Own => 1,
            Entry::Price => 2,
            Entry::Usd => 3,
            Entry::Chips | Entry::Network => 4,
            _ => 0,
        });
        for (entry, text) in entries {
            if entry == Entry::Own {
                invalid.extend(question.set_own(text));
            } else if let Err(allowed) = question.set(entry, text.trim()) {
                invalid.push(InvalidEntry::new(entry, text, allowed));
            }
        }
        if question.is_product {
            (question.pass, question.chips, question.tokens) = (PassKind::Prefill, 1, None);
        }
        if question.rate_of_user().is_some() && question.layout == LayoutFrom::Default {
            question.set_split(Sharding::Tensor);
        }
        (question, invalid)
    }

    fn set_own(&mut self, text: &str) -> Vec<InvalidEntry> {
        let (values, invalid) = custom::read(text);
        self.chip = Arc::new(values.over(&self.chip));
        self.own = values;
        invalid
    }

    /// Returns the chip as published, without custom values.
    #[must_use]
    pub fn published(&self) -> Chip {
        Chip::by_id(self.chip.id).cloned().unwrap_or_else(Chip::blank)
    }

    pub(crate) fn set(&mut self, entry: Entry, text: &str) -> Result<(), Allowed> {
        match entry {
            Entry::Model => {
                let ids = || named(MODELS.iter().map(|one| one.id).chain([PRODUCT]));
                let model = Model::by_id(text);
                if model.is_none() && text != PRODUCT {
                    return Err(ids());
                }
                (self.model, self.is_product) = (model, model.is_none());
            }
            Entry::M => self.sizes[0] = count(text, SIDE_MAX).ok_or(Allowed::UpTo(SIDE_MAX))?,
            Entry::K => self.sizes[1] = count(text, SIDE_MAX).ok_or(Allowed::UpTo(SIDE_MAX))?,
            Entry::N => self.sizes[2] = count(text, SIDE_MAX).ok_or(Allowed::UpTo(SIDE_MAX))?,
            Entry::Chip => {
                let all = Chip::all().iter().map(|chip| chip.id).chain([Chip::BLANK]);
                let own = || (text == Chip::BLANK).then(Chip::blank);
                let chip = Chip::named(text).cloned().or_else(own);
                self.chip = Arc::new(chip.ok_or_else(|| named(all))?);
            }
            Entry::Dtype => {
                let found = PeakDtype::ALL.into_iter().find(|dtype| dtype.word() == text);
                self.dtype = found.ok_or_else(|| named(PeakDtype::ALL.map(PeakDtype::word)))?;
            }
            Entry::Chips => {
                let slice = || self.chip.chips_of_slice(text).filter(|chips| (1..=CHIPS_MAX).contains(chips));
                let allowed = || Allowed::Chips { max: CHIPS_MAX, slice: self.chip.slice_example() };
                self.chips = count(text, CHIPS_MAX).or_else(slice).ok_or_else(allowed)?;
                self.are_chips_set = true;
            }
            Entry::Passes => self.passes = one_of(&F32_PASSES, text)?,
            Entry::Pass => self.pass = one_of(&PASSES, text)?,
            Entry::Seq => self.seq = count(text, SEQ_MAX).ok_or(Allowed::UpTo(SEQ_MAX))?,
            Entry::Latent => self.expands_latent = one_of(&LATENTS, text)?,
            Entry::Packed => self.packed = lengths(text).ok_or(Allowed::Lengths(SEQ_MAX))?,
            Entry::Batch => self.set_batch(count(text, BATCH_MAX).ok_or(Allowed::UpTo(BATCH_MAX))?),
            Entry::Rate => self.rate = Some(RATE.read(text).ok_or(Allowed::Number(RATE))?),
            Entry::Remat => self.remat = one_of(&REMATS, text)?,
            Entry::Framework => self.framework = one_of(&FRAMEWORKS, text)?,
            Entry::Attention => self.attention = one_of(&ATTENTIONS, text)?,
            Entry::Split => self.set_split(one_of(&SPLITS, text)?),
            Entry::Groups => {
                self.groups = GroupSizes::read(text).ok_or(Allowed::Groups)?;
                self.layout = LayoutFrom::Set;
            }
            Entry::Network => {
                let all = Links::of(&self.chip).map_or(&[][..], |links| links.networks);
                let found = all.iter().find(|(name, _)| *name == text).map(|(name, _)| *name);
                self.network = Some(found.ok_or_else(|| named(all.iter().map(|(name, _)| *name)))?);
            }
            Entry::Overlap => {
                let percent = text.parse().ok().filter(|percent| *percent <= 100);
                self.overlap = Some(percent.ok_or(Allowed::Percent)?);
            }
            Entry::Price => self.listed = Some(price::named(&self.chip, text)?),
            Entry::Usd => {
                let price = hourly(text).and_then(|price| price.usd_per_chip_hour(&self.chip));
                let price = price.filter(|usd| usd.is_finite() && *usd > 0.0);
                self.usd = Some(price.ok_or(Allowed::UsdPerHour)?);
            }
            Entry::Tokens => self.tokens = Some(amount(text, 1.0).ok_or(Allowed::Positive)?),
            _ => return Err(Allowed::EntryOf(Topic::Model)),
        }
        Ok(())
    }

    /// Returns the mean number of tokens to which a token of packed sequences attends. `None` without packing, and in
    /// decode.
    #[must_use]
    pub fn packed_mean(&self) -> Option<u64> {
        let cut: Vec<u64> = self.packed.iter().map(|length| (*length).min(self.seq)).collect();
        transformer::packed_mean(&cut).filter(|_| self.pass != PassKind::Decode)
    }

    /// Returns the number of sequences on a chip that together have `tokens` tokens in a training step. `None` if an
    /// entry sets the number, or if the number would not be whole.
    pub(crate) fn sequences_of(&self, tokens: f64) -> Option<u64> {
        let sequences = tokens / self.seq as f64;
        let whole = sequences.round();
        let is_whole = (1.0..=BATCH_MAX as f64).contains(&whole) && (sequences / whole - 1.0).abs() < 0.01;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number in range")]
        (self.pass == PassKind::Training && !self.is_batch_set && is_whole).then_some(whole as u64)
    }

    /// Sets the parallelism over the chips, and removes groups that an estimate chose.
    pub fn set_split(&mut self, split: Sharding) {
        self.reset_layout();
        (self.split, self.layout) = (split, LayoutFrom::Set);
    }

    /// Returns to the default parallelism if an estimate chose the parallelism.
    pub(crate) fn reset_layout(&mut self) {
        if self.layout == LayoutFrom::Chosen {
            let Self { split, groups, layout, .. } = Self::default();
            (self.split, self.groups, self.layout) = (split, groups, layout);
        }
    }

    /// Returns the network between the nodes of GPUs: its name and its rate out of a node in GB/s. `None` if the chip has
    /// no named network.
    #[must_use]
    pub fn network(&self) -> Option<&'static (&'static str, Sourced<f64>)> {
        let all = Links::of(&self.chip)?.networks;
        all.iter().find(|(name, _)| self.network == Some(*name)).or_else(|| all.first())
    }

    /// Returns the number of sequences on all chips: in decode, the users at once.
    #[must_use]
    pub const fn users(&self) -> u64 {
        self.batch.saturating_mul(self.chips)
    }

    /// Returns the tokens per second that each user needs at least; `None` without such a rate, and except in decode.
    #[must_use]
    pub fn rate_of_user(&self) -> Option<f64> {
        self.rate.filter(|_| self.pass == PassKind::Decode)
    }

    /// Sets the number of sequences on each chip.
    pub const fn set_batch(&mut self, batch: u64) {
        (self.batch, self.is_batch_set) = (batch, true);
    }

    /// Returns the value of an entry, as text that [`Self::from_entries`] can read; empty if the question has no such
    /// value.
    #[must_use]
    pub fn text(&self, entry: Entry) -> String {
        match entry {
            Entry::Model if self.is_product => PRODUCT.to_owned(),
            Entry::Model => self.model.map_or("", |model| model.id).to_owned(),
            Entry::M => self.sizes[0].to_string(),
            Entry::K => self.sizes[1].to_string(),
            Entry::N => self.sizes[2].to_string(),
            Entry::Chip => self.chip.id.to_owned(),
            Entry::Own => custom::show(&self.own),
            Entry::Price => self.listed.as_ref().map_or_else(String::new, price::id),
            Entry::Dtype => self.dtype.word().to_owned(),
            // Other formats have no passes.
            Entry::Passes if self.dtype != PeakDtype::F32 => String::new(),
            Entry::Passes => id_of(&F32_PASSES, self.passes).to_owned(),
            Entry::Chips => self.chips.to_string(),
            Entry::Pass => id_of(&PASSES, self.pass).to_owned(),
            Entry::Seq => self.seq.to_string(),
            // Most models have no latent attention, so the default is not listed.
            Entry::Latent if !self.expands_latent => String::new(),
            Entry::Latent => id_of(&LATENTS, self.expands_latent).to_owned(),
            Entry::Packed => self.packed.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
            Entry::Batch => self.batch.to_string(),
            Entry::Rate => self.rate_of_user().map_or_else(String::new, |rate| significant(rate, 9)),
            Entry::Remat => id_of(&REMATS, self.remat).to_owned(),
            Entry::Framework => id_of(&FRAMEWORKS, self.framework).to_owned(),
            Entry::Attention => id_of(&ATTENTIONS, self.attention).to_owned(),
            Entry::Split => id_of(&SPLITS, self.split).to_owned(),
            Entry::Groups => self.groups.text(),
            Entry::Network => self.network().map_or("", |(name, _)| *name).to_owned(),
            Entry::Overlap => self.overlap_percent().to_string(),
            Entry::Usd => self.usd.map_or_else(String::new, |usd| significant(usd, 9)),
            Entry::Tokens => self.tokens.map_or_else(String::new, |tokens| significant(tokens, 9)),
            _ => String::new(),
        }
    }

    /// Returns the rematerialization in the backward pass: the chosen kind, or the kind in the published runs on the
    /// chip.
    #[must_use]
    pub fn recomputes(&self) -> Remat {
        self.remat.unwrap_or_else(|| PublishedMfu::usual_remat(self.chip.id))
    }

    /// Returns the training framework: the named framework, or the usual framework on the chip.
    #[must_use]
    pub fn framework(&self) -> Framework {
        self.framework.unwrap_or_else(|| Framework::usual(&self.chip))
    }

    /// Returns the overlap in percent: of the two times of arithmetic and communication, the part of the shorter time
    /// that runs during the longer. The default is 100. In decode, the default is 0, because each layer waits for its
    /// communication.
    #[must_use]
    pub const fn overlap_percent(&self) -> u64 {
        match (self.overlap, self.pass) {
            (Some(percent), _) => percent,
            (None, PassKind::Decode) => 0,
            (None, PassKind::Training | PassKind::Prefill) => 100,
        }
    }

    /// True if both questions are about the same chip with the same custom values.
    #[must_use]
    pub fn is_on_chip_of(&self, other: &Self) -> bool {
        self.chip.id == other.chip.id && self.own == other.own
    }

    /// True if both questions have the same chips at the same price.
    pub(crate) fn is_column_of(&self, other: &Self) -> bool {
        let of = |one: &Self| (one.chips, one.usd, one.listed.clone());
        self.is_on_chip_of(other) && of(self) == of(other)
    }

    /// Returns the format of the operands in the program, with the number of passes.
    #[must_use]
    pub fn format(&self) -> Format {
        Format::from(self.dtype).in_passes(self.passes)
    }

    /// Returns the format in which the chip multiplies; the question's format if the chip's rates are not published.
    #[must_use]
    pub fn multiplied(&self) -> PeakDtype {
        self.chip.as_run(self.format()).map_or(self.dtype, |run| run.multiplied)
    }

    /// Returns the listed price that applies if no custom price is set: the chosen price, or the default price of the
    /// chip.
    #[must_use]
    pub fn price(&self) -> Option<&Price> {
        self.listed.as_ref().or_else(|| self.chip.default_price())
    }

    /// Returns the price in dollars per chip-hour; `None` if unknown.
    #[must_use]
    pub fn usd_per_chip_hour(&self) -> Option<f64> {
        self.usd.or_else(|| self.price()?.usd_per_chip_hour.value)
    }

    /// Returns the price of a step on all chips in dollars; `None` if the price of a chip-hour is unknown.
    #[must_use]
    pub fn usd_per_step(&self, step: Seconds) -> Option<f64> {
        Some(self.usd_per_chip_hour()? * self.chips as f64 * step.hours())
    }
}

/// Iterates over the models whose layers are published.
pub fn models() -> impl Iterator<Item = &'static Model> {
    MODELS.iter().filter(|model| model.is_published())
}

fn named<'a>(ids: impl IntoIterator<Item = &'a str>) -> Allowed {
    Allowed::OneOf(ids.into_iter().map(str::to_owned).collect())
}

fn one_of<T: Copy>(all: &[(&'static str, T)], id: &str) -> Result<T, Allowed> {
    let found = all.iter().find(|(one, _)| *one == id).map(|(_, value)| *value);
    found.ok_or_else(|| named(all.iter().map(|(id, _)| *id)))
}

pub(crate) fn id_of<T: Copy + PartialEq>(all: &[(&'static str, T)], value: T) -> &'static str {
    all.iter().find(|(_, one)| *one == value).map_or("", |(id, _)| id)
}
