//! A pass of a model: which one, over how many sequences of what length.

use crate::gemm::{Gemm, Role};
use crate::note::Note;
use crate::workload::Workload;

/// A pass of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSpec {
    /// Training, prefill or decode.
    pub phase: Phase,
    /// Sequences (images) in one pass.
    pub batch: u64,
    /// How attention under a causal mask is counted.
    pub attention: Attention,
}

/// Which pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
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

/// What a backward pass computes again because the activations were not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remat {
    /// Nothing: every activation is stored.
    None,
    /// Every product of the forward pass once more.
    Full,
}

/// Where a prefill computes logits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logits {
    /// At every position, as a plain forward pass does.
    Every,
    /// At the last position of each sequence, as servers do.
    Last,
}

/// How attention under a causal mask is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// In full, masked products included: PaLM's convention (Chowdhery et al. 2022, appendix B).
    Full,
    /// Half of the products of a whole sequence: a kernel that skips masked tiles comes close to it.
    CausalHalf,
}

impl PassSpec {
    /// Tokens that one sequence brings to this pass.
    pub fn tokens(&self) -> u64 {
        match self.phase {
            Phase::Training { sequence, .. } | Phase::Prefill { sequence, .. } => sequence,
            Phase::Decode { .. } => 1,
        }
    }

    /// Whether logits are wanted at the last position alone.
    pub(crate) fn last_logits_only(&self) -> bool {
        matches!(self.phase, Phase::Prefill { logits: Logits::Last, .. })
    }

    /// Whether a causal mask halves attention: over whole sequences, by that convention.
    pub(crate) fn halves(&self) -> bool {
        self.attention == Attention::CausalHalf && !matches!(self.phase, Phase::Decode { .. })
    }

    /// Adds the backward pass when the pass is training.
    pub(crate) fn add_backward(&self, work: &mut Workload) {
        let Phase::Training { remat, .. } = self.phase else { return };
        let forward = work.gemms.clone();
        if remat == Remat::Full {
            work.gemms.extend(forward.iter().map(|gemm| Gemm { role: Role::Recompute, ..gemm.clone() }));
            work.notes.push(Note::Recomputed);
        }
        work.gemms.extend(forward.iter().flat_map(Gemm::backward));
        work.notes.push(Note::TwoGradients);
    }
}
