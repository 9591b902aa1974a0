//! Matmuls of linear attention.

use super::{Linear, ProductList, Span};
use crate::product::Kind;

/// A recurrence with its linear layers. The size of its cache does not depend on the number of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrent {
    /// Linear layers before and after the recurrence.
    pub linears: Vec<Linear>,
    /// The recurrence, if it consists of matmuls.
    pub scan: Option<Scan>,
    /// Elements that a layer keeps for each sequence: its state, and the last inputs of its convolution.
    pub state: u64,
}

/// A recurrence of heads, each with a state of `key_dim` × `value_dim`. Each token first removes what the state
/// holds for its key (the delta rule). Whole sequences are computed in chunks, as in Gated DeltaNet (arXiv:2412.06464,
/// section 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Heads, each with its own values, and its own decay of scores.
    pub heads: u64,
    /// Width of a key.
    pub key_dim: u64,
    /// Width of a value.
    pub value_dim: u64,
    /// Tokens in a chunk.
    pub chunk: u64,
}

impl Recurrent {
    pub(super) fn add(&self, list: &mut ProductList, span: Span, layers: u64) {
        for linear in &self.linears {
            linear.add(list, span, layers);
        }
        if let Some(scan) = &self.scan {
            scan.add(list, span, layers);
        }
        // Every channel has its own state.
        list.keep(u64::MAX, &[span.batch, layers, self.state]);
    }
}

impl Scan {
    fn add(&self, list: &mut ProductList, span: Span, layers: u64) {
        let Self { key_dim, value_dim, .. } = *self;
        let halves = list.halves;
        let full = list.times(&[span.batch, span.tokens / self.chunk.max(1)]);
        let rest = span.tokens.checked_rem(self.chunk).unwrap_or(0);
        for (tokens, chunks) in [(self.chunk, full), (rest, span.batch)] {
            let heads = list.times(&[chunks, self.heads, layers]);
            // A single token attends to no other token of its chunk.
            if tokens > 1 {
                list.halves = halves;
                list.add("chunk_scores", Kind::Scores, [tokens, key_dim, tokens], heads);
                list.add("chunk_values", Kind::Values, [tokens, tokens, value_dim], heads);
                list.add("delta_scores", Kind::Scores, [tokens, key_dim, tokens], heads);
                list.add("delta_values", Kind::Values, [tokens, tokens, value_dim], heads);
                list.add("delta_keys", Kind::Values, [tokens, tokens, key_dim], heads);
            }
            list.halves = false;
            list.add("delta_read", Kind::Values, [tokens, key_dim, value_dim], heads);
            list.add("state_read", Kind::Values, [tokens, key_dim, value_dim], heads);
            list.add("state_write", Kind::Values, [key_dim, tokens, value_dim], heads);
        }
        list.halves = halves;
    }
}
