//! Sentences about the assumptions behind a list of matmuls.

use std::fmt;

use plain::grouped;

use crate::note::Note;

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OfModel(sentence) => sentence,
            Self::AsItStands => "The list is one chip's step as it stands: batch, sequence and pass do not change it.",
            Self::Recomputed => "The backward pass computes the whole forward pass again.",
            Self::TwoGradients => "Every product has two gradients, including that of the first layer's input.",
            Self::CausalHalf => "Attention counts half where a mask is causal.",
            Self::FullAttention => "Attention counts in full, masked products included.",
            Self::EvenExperts => "Tokens are spread evenly over the experts.",
            Self::WholeWindows => "Layers with a sliding window count the whole sequence, masked products included.",
            Self::ExpandedLatent => {
                "Latent attention expands all keys and values in each step; it does not absorb them."
            }
            Self::SameLengths => "Encoder and decoder see sequences of the same length.",
            Self::MaskedLogits => "Logits are computed at 15 % of the positions, rounded up.",
            Self::Default { key, is_null, value, family } => {
                let is = if *is_null { "null" } else { "not set" };
                return write!(f, "{key} is {is}: transformers takes {} for {family}.", grouped(*value));
            }
            Self::Quantized => "quantization_config changes how weights are stored, not the products.",
            Self::StoredAsLinear => "Matrices are taken to be stored as N×K, as PyTorch's linear layers are.",
            Self::NoHead => "No lm_head is stored: where it shares the embedding's weights, it is not counted.",
            Self::NoHeader => "There is no header: the columns are in SCALE-Sim's order.",
            Self::NoPadding => {
                "Convolutions are counted without padding, as SCALE-Sim counts them, and as products by im2col."
            }
            Self::Sparsity { line, n, m } => {
                return write!(f, "Line {line}: the sparsity {n}:{m} is not applied; the product is dense.");
            }
            Self::MoreSparsity => "The sparsity of further lines is not applied either.",
            Self::Dilated { line } => return write!(f, "Line {line}: the zeros between inputs are counted."),
            Self::Branches { line } => {
                return write!(f, "Line {line}: every branch is counted, though only one runs.");
            }
        })
    }
}
