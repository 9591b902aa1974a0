//! Share of a training step's time that the matmuls of the step take. This share is the only constant of a chip that no
//! formula gives.
//!
//! No public source states how long the rest of a step takes: normalization, optimizer, waiting for input, and kernels
//! that do not overlap. Therefore a chip's share is the published MFU of a run ÷ the MFU that the run would have if its
//! steps contained only matmuls. The share includes matmuls that rematerialization repeats. The share reproduces the
//! MFU of this run by construction. For all other runs, the share is only an approximation.

use crate::{Chip, Compute, Confidence, Remat, Source, Sourced};

/// Share of a training step that matmuls take on a chip, with its source.
#[derive(Clone, Copy, Debug)]
pub struct ProductShare {
    /// Id of the chip.
    pub chip: &'static str,
    /// Time of the matmuls ÷ time of the step, from 0 to 1.
    pub share: Sourced<f64>,
    /// Rematerialization of the runs from which the share is computed, published or inferred. Predictions use this
    /// rematerialization by default.
    pub remat: Remat,
    /// Mean absolute error of predictions for the other published runs on the chip, in percent; `None` if the chip has
    /// only one run.
    pub held_out_error_percent: Option<f64>,
}

static V5E: Source = Source {
    key: "maxtext-v5e",
    text: "MaxText, configs/v5e: MFU of the 16B, 32B, 64B and 128B models on one pod (61.1, 66.9, 59.9, 56.1 %), divided by the share of the peak that large matmuls reach. Full recomputation (remat_policy=full): 8/6 of the FLOPs are executed. The layer sizes are not published",
};
static V5P: Source = Source {
    key: "maxtext-v5p",
    text: "MaxText, configs for TPU v5p: 71.47 % MFU of the 32B model on 64 chips, divided by the share of the peak that large matmuls reach",
};
static V6E: Source = Source {
    key: "maxtext-tiering",
    text: "MaxText documentation, tiering page: 45.46 % MFU of Llama 3.1 8B at 8192 tokens on 256 v6e, divided by the MFU that the matmul times give with two sequences per chip",
};
static V4: Source = Source {
    key: "palm",
    text: "Chowdhery et al., PaLM, 2022: 46.2 % MFU of PaLM 540B on 6144 v4. The share is the HFU of 57.8 %, divided by the share of the peak that large matmuls reach",
};
static A100: Source = Source {
    key: "mosaic",
    text: "MosaicML LLM Foundry: 64.23 % MFU of a 7B model on 8 A100 80 GB at 2048 tokens, divided by the share of the peak that large matmuls reach",
};

static H100: Source = Source {
    key: "mosaic",
    text: "MosaicML LLM Foundry: MFU of models of 7B, 13B and 30B on 8 H100 80 GB at 2048 tokens (46.4, 39.8 and 38.1 %, the last with full recomputation), divided by the share of the peak that large matmuls reach",
};

const fn share(
    chip: &'static str,
    value: f64,
    remat: Remat,
    source: &'static Source,
    held_out: Option<f64>,
) -> ProductShare {
    let share = Sourced::new(Some(value), source, Confidence::Low, None);
    ProductShare { chip, share, remat, held_out_error_percent: held_out }
}

/// One share per chip. Each share follows from a published run; a chip without such a run has no entry.
pub static PRODUCT_SHARES: [ProductShare; 6] = [
    share("tpu-v5e", 0.987, Remat::Full, &V5E, Some(6.5)),
    share("tpu-v5p", 0.867, Remat::None, &V5P, None),
    share("tpu-v6e", 0.599, Remat::None, &V6E, None),
    share("tpu-v4", 0.701, Remat::Full, &V4, None),
    share("a100-80", 0.739, Remat::None, &A100, None),
    share("h100-sxm", 0.569, Remat::None, &H100, None),
];

/// The share for a chip, and true if the share was measured on exactly this chip. A chip without an entry gets the
/// share of H100 if the chip has tensor cores, and otherwise the share of TPU v4. The shares of H100 and TPU v4 are
/// near the middle of the known shares, and the rematerialization of their runs is known.
pub fn product_share(chip: &Chip) -> (&'static ProductShare, bool) {
    let lent = match &chip.compute {
        // A100 80 GB is the same chip with another memory, so its share is the nearest.
        Compute::TensorCores { .. } if chip.id == "a100-40" => &PRODUCT_SHARES[4],
        Compute::TensorCores { .. } => &PRODUCT_SHARES[5],
        Compute::Arrays { .. } | Compute::Unknown(_) => &PRODUCT_SHARES[3],
    };
    match PRODUCT_SHARES.iter().find(|one| one.chip == chip.id) {
        Some(own) => (own, !chip.is_custom),
        None => (lent, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_lent_by_a_chip_of_the_same_kind() {
        let of = |id: &str| {
            let (share, own) = product_share(Chip::by_id(id).expect("listed"));
            (share.chip, own)
        };
        assert_eq!(of("tpu-v5e"), ("tpu-v5e", true));
        assert_eq!([of("tpu-v3"), of("trainium2"), of("tpu-7x")], [("tpu-v4", false); 3]);
        assert_eq!(of("h100-sxm"), ("h100-sxm", true));
        assert_eq!([of("h200-sxm"), of("b200-sxm")], [("h100-sxm", false); 2]);
        assert_eq!(of("a100-40"), ("a100-80", false));
        for share in &PRODUCT_SHARES {
            assert!(share.share.value.is_some_and(|value| value > 0.0 && value <= 1.0), "{}", share.chip);
        }
    }

    #[test]
    fn the_published_runs_of_v5e_come_out_with_all_that_they_computed_again() {
        // 61.10, 66.86, 59.90 and 56.06 %: 60.98 % on average, of products that reach 82.4 % of the peak and run 8/6.
        let value = PRODUCT_SHARES[0].share.value.expect("known");
        assert!((0.824 * value * 6.0 / 8.0 - 0.6098).abs() < 0.001);
    }
}
