//! MFU that others published and that a prediction can be compared with; rows that contradict their own throughput are
//! left out: each with its chips, its model and how it was counted.

use crate::definition::PALM;
use crate::definition::scale::MAXTEXT_V5E;
use crate::{Attention, Chip, Confidence, Remat, Source, Sourced};

/// One published training run.
#[derive(Clone, Copy, Debug)]
pub struct PublishedMfu {
    /// The chip's id in the chip table.
    pub chip: &'static str,
    /// Chips.
    pub chips: Option<u32>,
    /// The model as its source names it.
    pub model: &'static str,
    /// Its id in the list of models, where its dimensions are known.
    pub model_id: Option<&'static str>,
    /// Tokens of a sequence.
    pub sequence: Option<u32>,
    /// Sequences per chip and step.
    pub batch_per_chip: Option<f64>,
    /// MFU in percent of the chip's bf16 peak (f16 on a V100).
    pub mfu_percent: Sourced<f64>,
    /// HFU in percent, where it is published too.
    pub hfu_percent: Option<f64>,
    /// How attention was counted; `None` where it is not stated or, as in an encoder, there is no causal half.
    pub attention: Option<Attention>,
    /// What the run computed again, as far as it is published or fits; `None` where that is not known.
    pub remat: Option<Remat>,
    /// The MFU in percent that the products of the model alone would have, where its layers and batch are known; elsewhere
    /// large products stand for them.
    pub products_percent: Option<f64>,
}

impl PublishedMfu {
    /// The whole table.
    pub fn all() -> &'static [Self] {
        &PUBLISHED
    }

    /// The verified run of the highest MFU on a chip, by its id.
    pub fn highest_on(chip: &str) -> Option<&'static Self> {
        Self::verified_on(chip)
            .reduce(|most, row| if row.mfu_percent.value > most.mfu_percent.value { row } else { most })
    }

    /// The verified run of the lowest MFU on a chip, by its id.
    pub fn lowest_on(chip: &str) -> Option<&'static Self> {
        Self::verified_on(chip)
            .reduce(|least, row| if row.mfu_percent.value < least.mfu_percent.value { row } else { least })
    }

    fn verified_on(chip: &str) -> impl Iterator<Item = &'static Self> {
        Self::all().iter().filter(move |row| row.chip == chip && row.mfu_percent.confidence != Confidence::Low)
    }

    /// The chip it ran on.
    pub fn chip(&self) -> Option<&'static Chip> {
        Chip::by_id(self.chip)
    }
}

/// A row as most are: counted in full, first-hand, nothing computed again.
const fn row(
    source: &'static Source,
    (chip, chips): (&'static str, u32),
    model: &'static str,
    sequence: u32,
    percent: f64,
) -> PublishedMfu {
    PublishedMfu {
        chip,
        chips: Some(chips),
        model,
        model_id: None,
        sequence: Some(sequence),
        batch_per_chip: None,
        mfu_percent: Sourced::new(Some(percent), source, Confidence::High, None),
        hfu_percent: None,
        attention: Some(Attention::Full),
        remat: Some(Remat::None),
        products_percent: None,
    }
}

const fn v5e(pods: u32, model: &'static str, batch: f64, percent: f64) -> PublishedMfu {
    let row = row(&MAXTEXT_V5E, ("tpu-v5e", 256 * pods), model, 2048, percent);
    PublishedMfu { batch_per_chip: Some(batch), remat: Some(Remat::Full), ..row }
}

const fn context(chip: &'static str, model: &'static str, percent: f64) -> PublishedMfu {
    PublishedMfu {
        chip,
        chips: None,
        model,
        model_id: None,
        sequence: None,
        batch_per_chip: None,
        mfu_percent: Sourced::new(Some(percent), &PALM_TABLE, Confidence::Low, None),
        hfu_percent: None,
        attention: Some(Attention::Full),
        remat: None,
        products_percent: None,
    }
}

static PUBLISHED: [PublishedMfu; 21] = [
    v5e(1, "16B", 6.0, 61.10),
    v5e(2, "16B", 6.0, 59.37),
    v5e(32, "16B", 6.0, 54.65),
    v5e(1, "32B", 4.0, 66.86),
    v5e(2, "32B", 4.0, 64.81),
    v5e(32, "32B", 4.0, 60.40),
    v5e(1, "64B", 2.0, 59.90),
    v5e(2, "64B", 2.0, 56.66),
    v5e(32, "64B", 2.0, 50.18),
    v5e(1, "128B", 1.0, 56.06),
    v5e(2, "128B", 1.0, 55.82),
    v5e(32, "128B", 1.0, 46.25),
    row(&MAXTEXT_V5P, ("tpu-v5p", 64), "32B", 2048, 71.47),
    PublishedMfu {
        model_id: Some("llama3-8b"),
        products_percent: Some(75.89),
        ..row(&MAXTEXT_TIERING, ("tpu-v6e", 256), "Llama 3.1 8B", 8192, 45.46)
    },
    PublishedMfu {
        hfu_percent: Some(57.8),
        remat: Some(Remat::Full),
        ..row(&PALM, ("tpu-v4", 6144), "PaLM 540B", 2048, 46.2)
    },
    PublishedMfu { chips: None, hfu_percent: Some(52.8), ..row(&MEGATRON, ("a100-80", 0), "GPT 175B", 2048, 51.4) },
    row(&MOSAIC, ("a100-80", 8), "7B, FSDP", 2048, 64.23),
    PublishedMfu {
        chip: "tpu-v3",
        chips: Some(1024),
        model: "BERT-Large",
        model_id: None,
        sequence: None,
        batch_per_chip: None,
        mfu_percent: Sourced::new(Some(28.4), &LAMB, Confidence::Medium, Some("1.63e20 FLOP in 76 minutes")),
        hfu_percent: None,
        attention: None,
        remat: None,
        products_percent: None,
    },
    context("v100", "GPT-3", 21.3),
    context("tpu-v3", "Gopher", 32.5),
    context("a100-80", "MT-NLG", 30.2),
];

static MAXTEXT_V5P: Source = Source {
    key: "maxtext-v5p",
    text: "MaxText repository, configs for TPU v5p: MFU of the 32B model on 64 chips, full attention",
};
static MAXTEXT_TIERING: Source = Source {
    key: "maxtext-tiering",
    text: "MaxText documentation, tiering page: tokens per second and MFU by model and chip, 256 v6e at 8192 tokens",
};
static PALM_TABLE: Source = Source {
    key: "palm-table",
    text: "Chowdhery et al., PaLM, 2022, the table of MFU of earlier models; not verified",
};
static MEGATRON: Source = Source {
    key: "megatron",
    text: "Megatron-LM, Korthikanti et al., 2022: MFU and HFU of the 175B model on A100 with selective recomputation",
};
static MOSAIC: Source = Source {
    key: "mosaic",
    text: "MosaicML LLM Foundry training benchmarks: FSDP on A100 80 GB, MFU counted with full attention",
};
static LAMB: Source = Source {
    key: "lamb",
    text: "You et al., LAMB, 2020: BERT-Large in 76 minutes on a TPU v3 pod; MFU worked out from its FLOP count",
};
