//! Published MFU of training runs, to compare predictions with. Each row has the chips, the model, and the convention
//! for counting attention. Rows whose MFU contradicts their own throughput are left out.

use crate::definition::PALM;
use crate::definition::scale::MAXTEXT_V5E;
use crate::{Attention, Chip, Confidence, Remat, Source, Sourced};

/// One published training run.
#[derive(Clone, Copy, Debug)]
pub struct PublishedMfu {
    /// The chip's id in the chip table.
    pub chip: &'static str,
    /// Number of chips, if known.
    pub chips: Option<u32>,
    /// The model as its source names it.
    pub model: &'static str,
    /// Id of the model in the list of models, if its dimensions are known.
    pub model_id: Option<&'static str>,
    /// Tokens of a sequence.
    pub sequence: Option<u32>,
    /// Sequences per chip and step.
    pub batch_per_chip: Option<f64>,
    /// MFU in percent of the chip's bf16 peak (f16 on a V100).
    pub mfu_percent: Sourced<f64>,
    /// HFU in percent, if published too.
    pub hfu_percent: Option<f64>,
    /// Convention for counting the FLOPs of attention. `None` if no convention is stated, or if attention is not
    /// causal, as in an encoder.
    pub attention: Option<Attention>,
    /// Rematerialization of the run, either published or inferred; `None` if unknown.
    pub remat: Option<Remat>,
    /// MFU in percent that the run would have if its steps contained only matmuls. `None` if the model's layers or the
    /// batch are unknown. In this case, predictions assume large matmuls.
    pub products_percent: Option<f64>,
}

impl PublishedMfu {
    /// All published runs.
    pub fn all() -> &'static [Self] {
        &PUBLISHED
    }

    /// The verified run with the highest MFU on a chip, by the id of the chip.
    pub fn highest_on(chip: &str) -> Option<&'static Self> {
        Self::verified_on(chip)
            .reduce(|most, row| if row.mfu_percent.value > most.mfu_percent.value { row } else { most })
    }

    /// The verified run with the lowest MFU on a chip, by the id of the chip.
    pub fn lowest_on(chip: &str) -> Option<&'static Self> {
        Self::verified_on(chip)
            .reduce(|least, row| if row.mfu_percent.value < least.mfu_percent.value { row } else { least })
    }

    fn verified_on(chip: &str) -> impl Iterator<Item = &'static Self> {
        Self::all().iter().filter(move |row| row.chip == chip && row.mfu_percent.confidence != Confidence::Low)
    }

    /// The chip of the run.
    pub fn chip(&self) -> Option<&'static Chip> {
        Chip::by_id(self.chip)
    }
}

/// Returns a typical row: full attention, first-hand source, no rematerialization.
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

/// Returns a row of Megatron-LM. The HFU includes selective rematerialization. The number of GPUs, which is in the
/// table of the source, is left out.
const fn megatron(model: &'static str, percent: f64, hfu_percent: f64) -> PublishedMfu {
    let row = row(&MEGATRON, ("a100-80", 0), model, 2048, percent);
    PublishedMfu { chips: None, hfu_percent: Some(hfu_percent), ..row }
}

/// Returns a row of Llama 2 70B in MaxText. The source rounds the MFU to whole percent and does not state
/// rematerialization, so no constant is fitted to the row.
const fn llama2(chips: (&'static str, u32), percent: f64) -> PublishedMfu {
    let row = row(&MAXTEXT_LLAMA2, chips, "Llama 2 70B", 4096, percent);
    let mfu_percent =
        Sourced::new(Some(percent), &MAXTEXT_LLAMA2, Confidence::Medium, Some("recomputation not stated"));
    PublishedMfu { mfu_percent, remat: None, ..row }
}

/// Returns the row with full rematerialization.
const fn all_again(row: PublishedMfu) -> PublishedMfu {
    PublishedMfu { remat: Some(Remat::Full), ..row }
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

static PUBLISHED: [PublishedMfu; 38] = [
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
    megatron("GPT 22B", 41.5, 43.7),
    megatron("GPT 175B", 51.4, 52.8),
    megatron("GPT 530B", 56.0, 57.0),
    megatron("GPT 1T", 56.3, 57.0),
    row(&MOSAIC, ("a100-80", 8), "7B, FSDP", 2048, 64.23),
    // All rows of the source with at least 7B parameters, at 2048 tokens in bf16.
    row(&MOSAIC, ("h100-sxm", 8), "7B, FSDP", 2048, 46.44),
    row(&MOSAIC, ("h100-sxm", 8), "13B, FSDP", 2048, 39.79),
    row(&MOSAIC, ("h100-sxm", 16), "13B, FSDP", 2048, 39.58),
    row(&MOSAIC, ("h100-sxm", 32), "13B, FSDP", 2048, 39.95),
    row(&MOSAIC, ("h100-sxm", 64), "13B, FSDP", 2048, 39.86),
    all_again(row(&MOSAIC, ("h100-sxm", 8), "30B, FSDP", 2048, 38.11)),
    all_again(row(&MOSAIC, ("h100-sxm", 16), "30B, FSDP", 2048, 43.07)),
    all_again(row(&MOSAIC, ("h100-sxm", 32), "30B, FSDP", 2048, 43.92)),
    all_again(row(&MOSAIC, ("h100-sxm", 32), "70B, FSDP", 2048, 36.15)),
    all_again(row(&MOSAIC, ("h100-sxm", 64), "70B, FSDP", 2048, 42.57)),
    llama2(("tpu-v4", 64), 57.0),
    llama2(("tpu-v5p", 64), 65.0),
    llama2(("tpu-v5e", 256), 57.0),
    PublishedMfu {
        mfu_percent: Sourced::new(Some(40.4), &LLAMA3, Confidence::Medium, Some("400 of 989.4 TFLOPS")),
        attention: None,
        remat: None,
        ..row(&LLAMA3, ("h100-sxm", 16_384), "Llama 3 405B", 8192, 40.4)
    },
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
    text: "Megatron-LM, Korthikanti et al., 2022: MFU and HFU of models of 22B to 1T on A100 with selective recomputation",
};
static MOSAIC: Source = Source {
    key: "mosaic",
    text: "MosaicML LLM Foundry training benchmarks: FSDP on A100 and H100 80 GB, MFU counted with full attention",
};
static MAXTEXT_LLAMA2: Source = Source {
    key: "maxtext-llama2",
    text: "MaxText, getting_started/Run_Llama2: MFU of Llama 2 70B on v4-128, v5p-128 and v5e-256; read 2026-11",
};
static LLAMA3: Source = Source {
    key: "llama3",
    text: "Llama Team, The Llama 3 Herd of Models, 2024: 400 TFLOPS of bf16 on each of 16 384 H100 on average, 38 to 43 % MFU; \
           read only in quotations, 2026-11",
};
static LAMB: Source = Source {
    key: "lamb",
    text: "You et al., LAMB, 2020: BERT-Large in 76 minutes on a TPU v3 pod; MFU calculated from the FLOP count",
};
