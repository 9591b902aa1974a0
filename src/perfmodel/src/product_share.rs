//! How much of a training step its products take: the one constant per chip that no formula gives.
//!
//! What a step does besides (normalization, optimizer, waiting for input, kernels that do not overlap) is in no public
//! source. So a chip's share is its published MFU over the MFU that this project's times of the products alone would
//! give; what is predicted with it has the right height by construction for that run, and is a model for all others.

use crate::{Chip, Confidence, Source, Sourced};

/// The share of a chip and what it was taken from.
#[derive(Clone, Copy, Debug)]
pub struct ProductShare {
    /// The chip.
    pub chip: &'static str,
    /// Time of the products ÷ time of the step, from 0 to 1.
    pub share: Sourced<f64>,
    /// Its mean absolute error on the other published runs on that chip, in percent; `None` with one run.
    pub held_out_error_percent: Option<f64>,
}

static V5E: Source = Source {
    key: "maxtext-v5e",
    text: "MaxText, configs/v5e: MFU of the 16B, 32B, 64B and 128B models on one pod (61.1, 66.9, 59.9, 56.1 %), over the \
           share of the peak that large products reach; the sizes of their layers are not published",
};
static V5P: Source = Source {
    key: "maxtext-v5p",
    text: "MaxText, configs for TPU v5p: 71.47 % MFU of the 32B model on 64 chips, over the share of the peak that large \
           products reach",
};
static V6E: Source = Source {
    key: "maxtext-tiering",
    text: "MaxText documentation, tiering page: 45.46 % MFU of Llama 3.1 8B at 8192 tokens on 256 v6e, over the time of its \
           products with two sequences per chip",
};
static V4: Source = Source {
    key: "palm",
    text: "Chowdhery et al., PaLM, 2022: 46.2 % MFU of PaLM 540B on 6144 v4, its HFU of 57.8 % over the share of the peak \
           that large products reach",
};
static A100: Source = Source {
    key: "mosaic",
    text: "MosaicML LLM Foundry: 64.23 % MFU of a 7B model on 8 A100 80 GB at 2048 tokens, over the share of the peak that \
           large products reach",
};

const fn share(chip: &'static str, value: f64, source: &'static Source, held_out: Option<f64>) -> ProductShare {
    let share = Sourced::new(Some(value), source, Confidence::Low, None);
    ProductShare { chip, share, held_out_error_percent: held_out }
}

/// Chips with a published run that can be taken apart.
pub static PRODUCT_SHARES: [ProductShare; 5] = [
    share("tpu-v5e", 0.740, &V5E, Some(6.5)),
    share("tpu-v5p", 0.867, &V5P, None),
    share("tpu-v6e", 0.599, &V6E, None),
    share("tpu-v4", 0.701, &V4, None),
    share("a100-80", 0.739, &A100, None),
];

/// The share of a chip, and whether it is its own; elsewhere that of TPU v5e, near the middle of those
/// that are known and taken from the most runs.
pub fn product_share(chip: &Chip) -> (&'static ProductShare, bool) {
    match PRODUCT_SHARES.iter().find(|one| one.chip == chip.id) {
        Some(own) => (own, !chip.is_custom),
        None => (&PRODUCT_SHARES[0], false),
    }
}
