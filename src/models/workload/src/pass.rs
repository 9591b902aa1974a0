//! A pass of a model: its kind, the number of sequences and their length.

use crate::note::Note;
use crate::product::{Product, Role};
use crate::workload::Workload;
use perfmodel::{Attention, Remat};

/// A pass of a model, and the convention for counting its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSpec {
    /// Training, prefill or decode, with the lengths of the sequences.
    pub pass: Pass,
    /// Number of sequences (or images) in one pass.
    pub batch: u64,
    /// Convention for counting attention under a causal mask.
    pub attention: Attention,
}

/// Kind of a pass, with the lengths that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Forward and backward pass over whole sequences, with logits at every position.
    Training {
        /// Number of tokens in a sequence.
        sequence: u64,
        /// Activations that the backward pass recomputes (rematerialization).
        remat: Remat,
    },
    /// Forward pass over whole sequences.
    Prefill {
        /// Number of tokens in a sequence.
        sequence: u64,
        /// Positions at which the pass computes logits.
        logits: Logits,
    },
    /// Forward pass over one new token for each sequence.
    Decode {
        /// Number of tokens that are already in the key-value cache. The new token attends to the cached tokens and to
        /// itself.
        context: u64,
    },
}

/// Kind of a pass, without its lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PassKind {
    /// Forward and backward pass.
    #[default]
    Training,
    /// Forward pass over whole sequences.
    Prefill,
    /// Forward pass over one new token for each sequence.
    Decode,
}

impl Pass {
    /// Returns the kind of the pass.
    pub const fn kind(self) -> PassKind {
        match self {
            Self::Training { .. } => PassKind::Training,
            Self::Prefill { .. } => PassKind::Prefill,
            Self::Decode { .. } => PassKind::Decode,
        }
    }
}

/// Positions at which a prefill computes logits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logits {
    /// Every position, as in a plain forward pass.
    Every,
    /// The last position of each sequence, as in inference servers.
    Last,
}

impl PassSpec {
    /// Number of tokens of each sequence in this pass: the sequence length, or 1 in a decode pass.
    pub fn tokens(&self) -> u64 {
        match self.pass {
            Pass::Training { sequence, .. } | Pass::Prefill { sequence, .. } => sequence,
            Pass::Decode { .. } => 1,
        }
    }

    /// True if the pass computes logits only at the last position of each sequence.
    pub(crate) fn last_logits_only(&self) -> bool {
        matches!(self.pass, Pass::Prefill { logits: Logits::Last, .. })
    }

    /// True if a causal mask halves the counted work of attention. Halving requires [`Attention::Causal`] and a pass
    /// over whole sequences.
    pub(crate) fn halves(&self) -> bool {
        self.attention == Attention::Causal && self.pass.kind() != PassKind::Decode
    }

    /// Adds the matmuls of the backward pass, including recomputed matmuls, if the pass is training.
    pub(crate) fn add_backward(&self, work: &mut Workload) {
        let Pass::Training { remat, .. } = self.pass else { return };
        let forward = work.products.clone();
        if remat == Remat::Full {
            work.products.extend(forward.iter().map(|product| Product { role: Role::Recompute, ..product.clone() }));
            work.notes.push(Note::Recomputed);
        }
        work.products.extend(forward.iter().flat_map(Product::backward));
        work.notes.push(Note::TwoGradients);
    }
}
