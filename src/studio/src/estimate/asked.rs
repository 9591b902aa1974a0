//! The question: which pass of which model, on how many of which chips.

use perfmodel::{Attention, Chip, PeakDtype, Price, Remat, Sharding};
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
pub const NAMES: [&str; 13] = [
    "model",
    "chip",
    "dtype",
    "chips",
    "pass",
    "seq",
    "batch",
    "remat",
    "attention",
    "split",
    "overlap",
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
    /// The chip.
    pub chip: &'static Chip,
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
    /// One's own price for a chip and an hour.
    pub usd: Option<f64>,
    /// Tokens of a whole run.
    pub tokens: Option<f64>,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            model: Model::by_id("llama3-8b"),
            chip: Chip::by_id("tpu-v5e").unwrap_or(&Chip::all()[0]),
            dtype: PeakDtype::Bf16,
            chips: 64,
            pass: Pass::Train,
            seq: 2048,
            batch: 4,
            remat: Remat::None,
            attention: Attention::Full,
            split: Sharding::FullySharded,
            overlap: 100,
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

fn whole(text: &str, most: u64) -> Option<u64> {
    text.parse().ok().filter(|value| (1..=most).contains(value))
}

fn amount(text: &str) -> Option<f64> {
    // As people write them: 15e12, 0.5, 1_000.
    let text = text.replace('_', "");
    crate::number::read(&text).filter(|value| value.is_finite() && *value > 0.0)
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
        for (name, value) in pairs {
            if let Err(allowed) = asked.set(&name, value.trim()) {
                let given = value.chars().filter(|c| !c.is_control()).take(40).collect();
                wrong.push(Wrong { name: name.chars().take(20).collect(), given, allowed });
            }
        }
        (asked, wrong)
    }

    /// Sets a part by its name.
    ///
    /// # Errors
    /// What is allowed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let names = |all: &[&str]| all.join(", ");
        match name {
            "model" => self.model = Some(known_model(value)?),
            "chip" => {
                let all: Vec<&str> = Chip::all().iter().map(|chip| chip.id).collect();
                self.chip = Chip::by_id(value).ok_or_else(|| names(&all))?;
            }
            "dtype" => {
                let all = PeakDtype::ALL.map(PeakDtype::word);
                let found = PeakDtype::ALL.into_iter().find(|dtype| dtype.word() == value);
                // The formats of the array have names of their own: e4m3fn is an fp8.
                let found = found.or_else(|| systolic::Dtype::from_id(value).map(crate::panel::peak_dtype));
                self.dtype = found.ok_or_else(|| names(&all))?;
            }
            "chips" => self.chips = whole(value, 1_000_000).ok_or("whole numbers from 1 to 1 000 000")?,
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
            "usd" => self.usd = Some(amount(value).ok_or("dollars above 0 for a chip and an hour")?),
            "tokens" => self.tokens = Some(amount(value).ok_or("a number above 0, as 15e12")?),
            _ => return Err(format!("one of {}", NAMES.join(", "))),
        }
        Ok(())
    }

    /// The text of a part, as [`Self::set`] reads it.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        match name {
            "model" => self.model.map_or("", |model| model.id).to_owned(),
            "chip" => self.chip.id.to_owned(),
            "dtype" => self.dtype.word().to_owned(),
            "chips" => self.chips.to_string(),
            "pass" => self.pass.id().to_owned(),
            "seq" => self.seq.to_string(),
            "batch" => self.batch.to_string(),
            "remat" => if self.remat == Remat::Full { "full" } else { "none" }.to_owned(),
            "attention" => if self.attention == Attention::Causal { "causal" } else { "full" }.to_owned(),
            "split" => SPLITS.iter().find(|(_, split)| *split == self.split).map_or("", |(id, _)| id).to_owned(),
            "overlap" => self.overlap.to_string(),
            "usd" => self.usd.map(|usd| crate::number::significant(usd, 9)).unwrap_or_default(),
            "tokens" => self.tokens.map(|tokens| crate::number::significant(tokens, 9)).unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// The list price that is taken where there is no own one.
    #[must_use]
    pub fn price(&self) -> Option<&'static Price> {
        self.chip.default_price()
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
