//! Matmuls of attention, and the size of the key-value cache.

use super::{ProductList, Reach, Span};
use crate::product::Kind;

/// Multi-head attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
    /// Query heads.
    pub heads: u64,
    /// Number of key-value heads; fewer than query heads if several query heads share a key-value head.
    pub kv_heads: u64,
    /// Width of a head.
    pub head_dim: u64,
    /// True if one matmul computes queries, keys and values.
    pub fused: bool,
}

/// Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434, section 2.1). Passes over whole sequences expand keys
/// and values. A decode pass absorbs the expansion into queries and output, as inference servers do: all heads then
/// attend to the compressed cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latent {
    /// Query heads.
    pub heads: u64,
    /// Width of compressed queries; `None` if queries are not compressed.
    pub q_rank: Option<u64>,
    /// Width of compressed keys and values.
    pub kv_rank: u64,
    /// Width of the part of each query and key that has no positional encoding.
    pub nope_dim: u64,
    /// Width of the part of each query and key that has rotary positional encoding.
    pub rope_dim: u64,
    /// Width of a value.
    pub v_dim: u64,
    /// True if a decode pass also expands the keys and values of all cached tokens, in each step.
    pub expands: bool,
}

/// Queries and keys of one block of attention.
struct Block {
    queries: u64,
    keys: u64,
    /// Number of blocks in a sequence.
    count: u64,
    /// True if a causal mask covers half of the block.
    masked: bool,
}

impl Reach {
    /// Returns the blocks of a sequence. Under a causal mask, the first tokens have too few earlier tokens to fill the
    /// window, so they form a separate block.
    fn blocks(self, span: Span, halves: bool) -> Vec<Block> {
        let all = |keys| vec![Block { queries: span.tokens, keys, count: 1, masked: true }];
        match self {
            Self::Window(window) if window < span.keys => {
                let first = Block { queries: window, keys: window, count: 1, masked: true };
                let queries = span.tokens.saturating_sub(window);
                let then = Block { queries, keys: window, count: 1, masked: false };
                if halves { vec![first, then] } else { all(window) }
            }
            Self::Chunk(chunk) if chunk > 0 && span.decode => {
                all((span.keys.saturating_sub(1) % chunk).saturating_add(1))
            }
            Self::Chunk(chunk) if chunk > 0 && chunk < span.keys => {
                let rest = span.tokens % chunk;
                let whole = Block { queries: chunk, keys: chunk, count: span.tokens / chunk, masked: true };
                vec![whole, Block { queries: rest, keys: rest, count: 1, masked: true }]
            }
            Self::Mean(keys) => all(keys.min(span.keys)),
            Self::All | Self::Window(_) | Self::Chunk(_) => all(span.keys),
        }
    }

    /// Returns the number of tokens whose keys and values a layer keeps.
    fn kept(self, span: Span) -> u64 {
        match self {
            Self::All | Self::Mean(_) => span.keys,
            Self::Window(most) | Self::Chunk(most) => span.keys.min(most),
        }
    }
}

impl Heads {
    pub(super) fn add(&self, list: &mut ProductList, span: Span, reach: Reach, layers: u64) {
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
        let halves = list.halves;
        for block in reach.blocks(span, halves) {
            list.halves = halves && block.masked;
            let queries = list.times(&[block.queries, group]);
            let count = list.times(&[span.batch, self.heads / group, layers, block.count]);
            list.add("scores", Kind::Scores, [queries, self.head_dim, block.keys], count);
            list.add("values", Kind::Values, [queries, block.keys, self.head_dim], count);
        }
        list.halves = halves;
        list.add("o_proj", Kind::Weights, [rows, q, hidden], layers);
        list.keep(self.kv_heads, &[2, span.batch, reach.kept(span), layers, kv]);
    }
}

impl Latent {
    pub(super) fn add(&self, list: &mut ProductList, span: Span, reach: Reach, layers: u64) {
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
        let compressed = self.kv_rank.saturating_add(self.rope_dim);
        let cached = list.times(&[span.batch, span.keys]);
        let halves = list.halves;
        let absorbs = span.decode && !self.expands;
        if absorbs {
            // Each head has its own part of the absorbed matrix.
            let heads = list.times(&[self.heads, layers]);
            list.add("k_up_proj", Kind::Weights, [rows, self.nope_dim, self.kv_rank], heads);
            list.add("v_up_proj", Kind::Weights, [rows, self.kv_rank, self.v_dim], heads);
        } else {
            list.add("kv_b_proj", Kind::Weights, [cached, self.kv_rank, kv], layers);
        }
        for block in reach.blocks(span, halves) {
            list.halves = halves && block.masked;
            if absorbs {
                // All heads share the compressed keys, so that the heads are the rows of one matmul.
                let count = list.times(&[span.batch, layers, block.count]);
                list.add("scores", Kind::Scores, [self.heads, compressed, block.keys], count);
                list.add("values", Kind::Values, [self.heads, block.keys, self.kv_rank], count);
            } else {
                let count = list.times(&[span.batch, self.heads, layers, block.count]);
                list.add("scores", Kind::Scores, [block.queries, qk_dim, block.keys], count);
                list.add("values", Kind::Values, [block.queries, block.keys, self.v_dim], count);
            }
        }
        list.halves = halves;
        list.add("o_proj", Kind::Weights, [rows, v, hidden], layers);
        // All heads need the whole compressed keys.
        list.keep(1, &[cached, layers, compressed]);
    }
}
