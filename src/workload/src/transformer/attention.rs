//! Matmuls of attention, and the size of the key-value cache.

use super::{Heads, Latent, ProductList, Span, elements};
use crate::product::Kind;

impl Heads {
    pub(super) fn add(&self, list: &mut ProductList, span: Span, layers: u64) {
        let Span { rows, hidden, .. } = span;
        let q = list.times(&[self.heads, self.head_dim]);
        let kv = list.times(&[self.kv_heads, self.head_dim]);
        if self.fused {
            list.add("qkv_proj", Kind::Weights, [rows, hidden, q.saturating_add(kv).saturating_add(kv)], layers);
        } else {
            list.add("q_proj", Kind::Weights, [rows, hidden, q], layers);
            list.add("k_proj", Kind::Weights, [rows, hidden, kv], layers);
            list.add("v_proj", Kind::Weights, [rows, hidden, kv], layers);
        }
        // Over whole sequences, kernels compute one head at a time. For a single token, query heads that share keys and
        // values become the rows of one matmul. Keys and values are then read only once, and these reads limit
        // decoding.
        let shared = self.heads.checked_div(self.kv_heads).filter(|_| span.tokens == 1);
        let group = shared.filter(|group| *group > 0 && self.heads.is_multiple_of(*group)).unwrap_or(1);
        let queries = list.times(&[span.tokens, group]);
        let count = list.times(&[span.batch, self.heads / group, layers]);
        list.add("scores", Kind::Scores, [queries, self.head_dim, span.keys], count);
        list.add("values", Kind::Values, [queries, span.keys, self.head_dim], count);
        list.add("o_proj", Kind::Weights, [rows, q, hidden], layers);
        list.cached += elements(&[2, span.batch, span.keys, layers, kv]);
    }

    /// Adds the matmuls of cross-attention. Keys and values of the encoder's output are computed once and stored.
    pub(super) fn add_cross(&self, list: &mut ProductList, span: Span, layers: u64, decode: bool) {
        let Span { rows, hidden, .. } = span;
        let width = list.times(&[self.heads, self.head_dim]);
        // The decoder's own cache has one more key, the key of the new token.
        let keys = if decode { span.keys.saturating_sub(1) } else { span.keys };
        list.add("cross_q_proj", Kind::Weights, [rows, hidden, width], layers);
        if !decode {
            list.add("cross_k_proj", Kind::Weights, [rows, hidden, width], layers);
            list.add("cross_v_proj", Kind::Weights, [rows, hidden, width], layers);
        }
        let count = list.times(&[span.batch, self.heads, layers]);
        list.add("cross_scores", Kind::Scores, [span.tokens, self.head_dim, keys], count);
        list.add("cross_values", Kind::Values, [span.tokens, keys, self.head_dim], count);
        list.add("cross_o_proj", Kind::Weights, [rows, width, hidden], layers);
        list.cached += elements(&[2, span.batch, keys, layers, width]);
    }
}

impl Latent {
    pub(super) fn add(&self, list: &mut ProductList, span: Span, layers: u64) {
        let Span { rows, hidden, .. } = span;
        let qk_dim = self.nope_dim.saturating_add(self.rope_dim);
        let q = list.times(&[self.heads, qk_dim]);
        let kv = list.times(&[self.heads, self.nope_dim.saturating_add(self.v_dim)]);
        let v = list.times(&[self.heads, self.v_dim]);
        if let Some(rank) = self.q_rank {
            list.add("q_a_proj", Kind::Weights, [rows, hidden, rank], layers);
            list.add("q_b_proj", Kind::Weights, [rows, rank, q], layers);
        } else {
            list.add("q_proj", Kind::Weights, [rows, hidden, q], layers);
        }
        list.add("kv_a_proj", Kind::Weights, [rows, hidden, self.kv_rank.saturating_add(self.rope_dim)], layers);
        // The cache contains earlier tokens in compressed form, so each step expands the whole cache.
        let cached = list.times(&[span.batch, span.keys]);
        list.add("kv_b_proj", Kind::Weights, [cached, self.kv_rank, kv], layers);
        let count = list.times(&[span.batch, self.heads, layers]);
        list.add("scores", Kind::Scores, [span.tokens, qk_dim, span.keys], count);
        list.add("values", Kind::Values, [span.tokens, span.keys, self.v_dim], count);
        list.add("o_proj", Kind::Weights, [rows, v, hidden], layers);
        list.cached += elements(&[cached, layers, self.kv_rank.saturating_add(self.rope_dim)]);
    }
}
