//! A pass of a model: which one, over how many sequences of what length.

use crate::note::Note;
use crate::product::{Product, Role};
use crate::workload::Workload;
use perfmodel::{Attention, Remat};

/// A pass of a model, and how its work is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSpec {
    /// Training, prefill or decode.
    pub pass: Pass,
    /// Sequences (images) in one pass.
    pub batch: u64,
    /// How attention under a causal mask is counted.
    pub attention: Attention,
}

/// Which pass, and over what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Forward and backward over whole sequences, logits at every position.
    Training {
        /// Tokens of a sequence.
        sequence: u64,
        /// What the backward pass computes again.
        remat: Remat,
    },
    /// Forward over whole sequences.
    Prefill {
        /// Tokens of a sequence.
        sequence: u64,
        /// Where logits are wanted.
        logits: Logits,
    },
    /// One new token for each sequence.
    Decode {
        /// Tokens already in the key-value cache; the new token attends to these and to itself.
        context: u64,
    },
}

/// The kind of a pass, whatever it is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PassKind {
    /// Forward and backward.
    #[default]
    Training,
    /// Forward over whole sequences.
    Prefill,
    /// One new token for each sequence.
    Decode,
}

impl Pass {
    /// Its kind.
    pub const fn kind(self) -> PassKind {
        match self {
            Self::Training { .. } => PassKind::Training,
            Self::Prefill { .. } => PassKind::Prefill,
            Self::Decode { .. } => PassKind::Decode,
        }
    }
}

/// Where a prefill computes logits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logits {
    /// At every position, as a plain forward pass does.
    Every,
    /// At the last position of each sequence, as servers do.
    Last,
}

impl PassSpec {
    /// Tokens that one sequence brings to this pass.
    pub fn tokens(&self) -> u64 {
        match self.pass {
            Pass::Training { sequence, .. } | Pass::Prefill { sequence, .. } => sequence,
            Pass::Decode { .. } => 1,
        }
    }

    /// Whether logits are wanted at the last position alone.
    pub(crate) fn last_logits_only(&self) -> bool {
        matches!(self.pass, Pass::Prefill { logits: Logits::Last, .. })
    }

    /// Whether a causal mask halves attention: over whole sequences, by that convention.
    pub(crate) fn halves(&self) -> bool {
        self.attention == Attention::Causal && self.pass.kind() != PassKind::Decode
    }

    /// Adds the backward pass when the pass is training.
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
