//! The question: which pass of which model, on how many of which chips.

use std::sync::Arc;

use super::{own, price};
use perfmodel::{Attention, Chip, HourlyPrice, OwnValues, PeakDtype, Per, Price, Remat, Sharding};
use workload::models::{MODELS, Model};

/// The pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pass {
    /// Forward and backward over whole sequences.
    #[default]
    Train,
    /// Forward over whole sequences.
    Prefill,
    /// One token for each sequence.
    Decode,
}

impl Pass {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Train, Self::Prefill, Self::Decode];

    /// The name in a link.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Prefill => "prefill",
            Self::Decode => "decode",
        }
    }
}

/// The names of the parts of a question, as in a link and on the command line.
pub const NAMES: [&str; 15] = [
    "model",
    "chip",
    "own",
    "dtype",
    "chips",
    "pass",
    "seq",
    "batch",
    "remat",
    "attention",
    "split",
    "overlap",
    "price",
    "usd",
    "tokens",
];

/// Ways of splitting a model over chips, by their names in a link.
pub const SPLITS: [(&str, Sharding); 3] =
    [("data", Sharding::Data), ("fsdp", Sharding::FullySharded), ("tensor", Sharding::Tensor)];

/// A question that can be answered.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The model; `None` where its products are given.
    pub model: Option<&'static Model>,
    /// The chip, with the values that were set of it.
    pub chip: Arc<Chip>,
    /// Those values.
    pub own: OwnValues,
    /// Format of the operands.
    pub dtype: PeakDtype,
    /// Chips that run one program together.
    pub chips: u64,
    /// The pass.
    pub pass: Pass,
    /// Tokens of a sequence; in decode those in the cache.
    pub seq: u64,
    /// Sequences on each chip.
    pub batch: u64,
    /// What the backward pass computes again.
    pub remat: Remat,
    /// How attention is counted in model FLOPs.
    pub attention: Attention,
    /// How the model is spread.
    pub split: Sharding,
    /// Percent of the shorter of arithmetic and exchange that hides behind the longer.
    pub overlap: u64,
    /// The listed price that was chosen.
    pub listed: Option<Price>,
    /// One's own price for a chip and an hour, which counts before any listed one.
    pub usd: Option<f64>,
    /// Tokens of a whole run.
    pub tokens: Option<f64>,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            model: Model::by_id("llama3-8b"),
            chip: Arc::new(Chip::by_id("tpu-v5e").unwrap_or(&Chip::all()[0]).clone()),
            own: OwnValues::default(),
            dtype: PeakDtype::Bf16,
            chips: 64,
            pass: Pass::Train,
            seq: 2048,
            batch: 4,
            remat: Remat::None,
            attention: Attention::Full,
            split: Sharding::FullySharded,
            overlap: 100,
            listed: None,
            usd: None,
            tokens: None,
        }
    }
}

/// A part of a question that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Which part.
    pub name: String,
    /// What was given, cut to a readable length.
    pub given: String,
    /// What is allowed.
    pub allowed: String,
}

impl Wrong {
    pub(super) fn new(name: &str, given: &str, allowed: String) -> Self {
        let given = given.chars().filter(|c| !c.is_control()).take(40).collect();
        Self { name: name.chars().take(20).collect(), given, allowed }
    }
}

fn whole(text: &str, most: u64) -> Option<u64> {
    text.parse().ok().filter(|value| (1..=most).contains(value))
}

fn amount(text: &str) -> Option<f64> {
    // As people write them: 15e12, 0.5, 1_000.
    let text = text.replace('_', "");
    display::number::read(&text).filter(|value| value.is_finite() && *value > 0.0)
}

/// A price with what it is for: `1.2`, `0.6/core`, `9.6/8`.
fn hourly(text: &str) -> Option<HourlyPrice> {
    let (usd, per) = match text.split_once('/') {
        None => (text, Per::Chip),
        Some((usd, unit)) => match unit.trim() {
            "chip" => (usd, Per::Chip),
            "core" => (usd, Per::Core),
            chips => (usd, Per::Slice(whole(chips, 1_000_000)?)),
        },
    };
    Some(HourlyPrice { usd: amount(usd.trim())?, per })
}

impl Asked {
    /// Reads the parameter of a link. Total: what cannot be used is told and keeps its default.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<Wrong>) {
        let pairs = form_urlencoded::parse(text.as_bytes()).into_owned();
        Self::from_pairs(pairs)
    }

    /// The same from names and values.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> (Self, Vec<Wrong>) {
        let (mut asked, mut wrong) = (Self::default(), Vec::new());
        // Values are set over a chip, and prices, cores and slices are those of a chip.
        let mut pairs: Vec<(String, String)> = pairs.into_iter().collect();
        pairs.sort_by_key(|(name, _)| {
            ["own", "price", "usd", "chips"].iter().position(|later| later == name).map_or(0, |at| at + 1)
        });
        for (name, value) in pairs {
            if name == "own" {
                wrong.extend(asked.set_own(&value));
            } else if let Err(allowed) = asked.set(&name, value.trim()) {
                wrong.push(Wrong::new(&name, &value, allowed));
            }
        }
        (asked, wrong)
    }

    /// Sets values over the chip; what cannot be used is told.
    fn set_own(&mut self, text: &str) -> Vec<Wrong> {
        let (values, wrong) = own::read(text);
        self.chip = Arc::new(values.over(&self.chip));
        self.own = values;
        wrong
    }

    /// The chip as it is listed, without values of one's own.
    #[must_use]
    pub fn published(&self) -> Chip {
        Chip::by_id(self.chip.id).cloned().unwrap_or_else(Chip::blank)
    }

    /// Sets a part by its name, all but `own`.
    ///
    /// # Errors
    /// What is allowed.
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let names = |all: &[&str]| all.join(", ");
        match name {
            "model" => self.model = Some(known_model(value)?),
            "chip" => {
                let all = Chip::all().iter().map(|chip| chip.id).chain([Chip::BLANK]);
                let own = || (value == Chip::BLANK).then(Chip::blank);
                let chip = Chip::by_id(value).cloned().or_else(own);
                self.chip = Arc::new(chip.ok_or_else(|| names(&all.collect::<Vec<_>>()))?);
            }
            "dtype" => {
                let all = PeakDtype::ALL.map(PeakDtype::word);
                let found = PeakDtype::ALL.into_iter().find(|dtype| dtype.word() == value);
                self.dtype = found.ok_or_else(|| names(&all))?;
            }
            "chips" => {
                let slice = || self.chip.chips_of_slice(value).filter(|chips| (1..=1_000_000).contains(chips));
                let chips = whole(value, 1_000_000).or_else(slice);
                self.chips =
                    chips.ok_or("whole numbers from 1 to 1 000 000, or a slice of the chip by its name, as v5p-128")?;
            }
            "pass" => {
                let found = Pass::ALL.into_iter().find(|pass| pass.id() == value);
                self.pass = found.ok_or_else(|| names(&Pass::ALL.map(Pass::id)))?;
            }
            "seq" => self.seq = whole(value, 10_000_000).ok_or("whole numbers from 1 to 10 000 000")?,
            "batch" => self.batch = whole(value, 1_000_000).ok_or("whole numbers from 1 to 1 000 000")?,
            "remat" => {
                self.remat = match value {
                    "none" => Remat::None,
                    "full" => Remat::Full,
                    _ => return Err("none or full".to_owned()),
                }
            }
            "attention" => {
                self.attention = match value {
                    "full" => Attention::Full,
                    "causal" => Attention::Causal,
                    _ => return Err("full or causal".to_owned()),
                }
            }
            "split" => {
                let found = SPLITS.into_iter().find(|(id, _)| *id == value);
                self.split = found.ok_or_else(|| names(&SPLITS.map(|(id, _)| id)))?.1;
            }
            "overlap" => {
                let percent = value.parse().ok().filter(|percent| *percent <= 100);
                self.overlap = percent.ok_or("whole percents from 0 to 100")?;
            }
            "price" => self.listed = Some(price::named(&self.chip, value)?),
            "usd" => {
                let price = hourly(value).and_then(|price| price.usd_per_chip_hour(&self.chip));
                let price = price.filter(|usd| usd.is_finite() && *usd > 0.0);
                self.usd = Some(price.ok_or(
                    "dollars above 0 for an hour of a chip, as 1.2, of a core where the chip has such, as 0.6/core, or of so \
                     many chips, as 9.6/8",
                )?);
            }
            "tokens" => self.tokens = Some(amount(value).ok_or("a number above 0, as 15e12")?),
            _ => return Err(format!("one of {}", super::Case::names().collect::<Vec<_>>().join(", "))),
        }
        Ok(())
    }

    /// The text of a part, as it is read.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        match name {
            "model" => self.model.map_or("", |model| model.id).to_owned(),
            "chip" => self.chip.id.to_owned(),
            "own" => own::show(&self.own),
            "price" => self.listed.as_ref().map(price::id).unwrap_or_default(),
            "dtype" => self.dtype.word().to_owned(),
            "chips" => self.chips.to_string(),
            "pass" => self.pass.id().to_owned(),
            "seq" => self.seq.to_string(),
            "batch" => self.batch.to_string(),
            "remat" => if self.remat == Remat::Full { "full" } else { "none" }.to_owned(),
            "attention" => if self.attention == Attention::Causal { "causal" } else { "full" }.to_owned(),
            "split" => SPLITS.iter().find(|(_, split)| *split == self.split).map_or("", |(id, _)| id).to_owned(),
            "overlap" => self.overlap.to_string(),
            "usd" => self.usd.map(|usd| display::number::significant(usd, 9)).unwrap_or_default(),
            "tokens" => self.tokens.map(|tokens| display::number::significant(tokens, 9)).unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// The price that is taken where none of one's own is set: the chosen one, else the chip's first.
    #[must_use]
    pub fn price(&self) -> Option<&Price> {
        self.listed.as_ref().or_else(|| self.chip.default_price())
    }

    /// Dollars for a chip and an hour.
    #[must_use]
    pub fn usd_per_chip_hour(&self) -> Option<f64> {
        self.usd.or_else(|| self.price()?.usd_per_chip_hour.value)
    }
}

/// Models whose layers are published.
pub fn models() -> impl Iterator<Item = &'static Model> {
    MODELS.iter().filter(|model| model.is_published())
}

fn known_model(id: &str) -> Result<&'static Model, String> {
    let all: Vec<&str> = MODELS.iter().map(|model| model.id).collect();
    Model::by_id(id).ok_or_else(|| all.join(", "))
}
