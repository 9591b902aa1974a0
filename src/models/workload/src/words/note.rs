//! Sentences about the assumptions behind a list of matmuls.

use std::fmt;

use plain::grouped;

use crate::note::Note;

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OfModel(sentence) => sentence,
            Self::AsItStands => "The list describes one step of one chip: settings for batch, sequence and pass do not change the list.",
            Self::Recomputed => "The backward pass recomputes the whole forward pass.",
            Self::TwoGradients => "Two gradients are counted for every matmul, including the gradient of the first layer's input.",
            Self::CausalHalf => "Attention with a causal mask is counted as half of full attention.",
            Self::FullAttention => "Attention is counted in full, including masked products.",
            Self::Packed { mean } => {
                return write!(
                    f,
                    "Sequences are packed: a token attends only to its own sequence. Averaged over all tokens, this sequence has {} tokens.",
                    grouped(*mean)
                );
            }
            Self::EvenExperts => "Tokens are spread evenly over the experts.",
            Self::ExpandedLatent => "Latent attention expands all keys and values.",
            Self::AbsorbedLatent => {
                "Latent attention absorbs the expansion of keys and values into queries and output: heads attend to the compressed cache."
            }
            Self::MaskedLogits => "Logits are computed at 15 % of the positions, rounded up.",
            Self::Default { key, is_null, value, family } => {
                let is = if *is_null { "null" } else { "not set" };
                return write!(f, "{key} is {is}: the transformers library uses {} for {family}.", grouped(*value));
            }
            Self::Quantized => "quantization_config changes only how weights are stored: the matmuls stay the same.",
            Self::NoHeader => "The table has no header: the columns are assumed to be in SCALE-Sim's order.",
            Self::AssumedOrder => "The lines have no header: their numbers are read as M, K, N and a count.",
            Self::Traced { by } => return write!(f, "Written by {by}."),
            Self::ForwardOnly => "The table has no gradients, so it counts as a forward pass: trace the model with --train for a training step.",
            Self::Masked => "Attention counts only the products that its mask keeps.",
            Self::UnknownMasks { rows } => {
                return write!(f, "The mask of {} rows is not known: these rows count in full.", grouped(*rows));
            }
            Self::UnusedColumns { names } => return write!(f, "These columns have no effect: {names}."),
            Self::NoPadding => {
                "Convolutions are counted as matmuls by im2col, without padding, as in SCALE-Sim."
            }
            Self::Sparsity { line, n, m } => {
                return write!(f, "Line {line}: the sparsity {n}:{m} is not applied, so the matmul is counted as dense.");
            }
            Self::MoreSparsity => "Sparsity in later lines is ignored, too.",
            Self::Dilated { line } => return write!(f, "Line {line}: the count includes multiplications by the zeros that dilation inserts between inputs."),
            Self::Partitions { n } => {
                return write!(
                    f,
                    "The program runs on {n} partitions: each matmul is counted as 1/{n}, as if the partitions shared its work evenly."
                );
            }
            Self::Branches { line } => {
                return write!(f, "Line {line}: every branch is counted, although only one branch runs.");
            }
        })
    }
}
