//! Families whose layers have the same parts: decoders like LLaMA and GPT-2, and BERT.

use super::{
    ALL_HEADS, HEAD_DIM, KV_OR_HEADS, N_INNER, PER_HEAD, count_with_default, head_dim, heads, hidden, inner, kv,
    layers, vocab,
};
use crate::huggingface::rules::{Attend, Build, Family, Forward, Window};

pub(super) const LLAMA: Family = Family {
    model_type: "llama",
    build: Build::Decoder,
    vocab: vocab(32_000),
    hidden: hidden(4096),
    layers: layers(32),
    heads: heads(32),
    kv_heads: KV_OR_HEADS,
    head_dim: HEAD_DIM,
    inner: inner(11_008),
    attend: Attend::Separate,
    forward: Forward::Gated,
    window: Window::None,
    is_tied: false,
};
const MISTRAL: Family =
    Family { model_type: "mistral", kv_heads: kv(8), inner: inner(14_336), window: Window::All(Some(4096)), ..LLAMA };
pub(super) const QWEN2: Family = Family {
    model_type: "qwen2",
    vocab: vocab(151_936),
    kv_heads: kv(32),
    head_dim: PER_HEAD,
    inner: inner(22_016),
    window: Window::LateIfUsed,
    ..LLAMA
};
const QWEN2_5_VL: Family = Family {
    model_type: "qwen2_5_vl_text",
    vocab: vocab(152_064),
    hidden: hidden(8192),
    layers: layers(80),
    heads: heads(64),
    kv_heads: kv(8),
    inner: inner(29_568),
    ..QWEN2
};
const QWEN3: Family = Family { model_type: "qwen3", head_dim: head_dim(128), ..QWEN2 };
const QWEN3_VL: Family = Family { model_type: "qwen3_vl_text", window: Window::None, ..QWEN3 };
const GEMMA: Family = Family {
    model_type: "gemma",
    vocab: vocab(256_000),
    hidden: hidden(3072),
    layers: layers(28),
    heads: heads(16),
    kv_heads: kv(16),
    head_dim: head_dim(256),
    inner: inner(24_576),
    is_tied: true,
    ..LLAMA
};
const GEMMA2: Family = Family {
    model_type: "gemma2",
    hidden: hidden(2304),
    layers: layers(26),
    heads: heads(8),
    kv_heads: kv(4),
    inner: inner(9216),
    window: Window::Between { full_each: 2, missing: 4096 },
    ..GEMMA
};
const GEMMA3: Family = Family {
    model_type: "gemma3_text",
    vocab: vocab(262_208),
    window: Window::Between { full_each: 6, missing: 4096 },
    ..GEMMA2
};
const COHERE: Family = Family {
    model_type: "cohere",
    vocab: vocab(256_000),
    hidden: hidden(8192),
    layers: layers(40),
    heads: heads(64),
    inner: inner(22_528),
    is_tied: true,
    ..LLAMA
};
pub(super) const OLMO2: Family = Family { model_type: "olmo2", vocab: vocab(50_304), head_dim: PER_HEAD, ..LLAMA };
const PHI3: Family = Family {
    model_type: "phi3",
    vocab: vocab(32_064),
    hidden: hidden(3072),
    inner: inner(8192),
    attend: Attend::Fused,
    forward: Forward::GatedFused,
    window: Window::All(None),
    ..LLAMA
};
const STARCODER2: Family = Family {
    model_type: "starcoder2",
    vocab: vocab(49_152),
    hidden: hidden(3072),
    layers: layers(30),
    heads: heads(24),
    kv_heads: kv(2),
    inner: inner(12_288),
    forward: Forward::Plain,
    window: Window::All(None),
    is_tied: true,
    ..LLAMA
};
const SMOLLM3: Family = Family {
    model_type: "smollm3",
    vocab: vocab(128_256),
    hidden: hidden(2048),
    layers: layers(36),
    heads: heads(16),
    kv_heads: kv(4),
    head_dim: PER_HEAD,
    window: Window::ListedIfUsed,
    is_tied: true,
    ..LLAMA
};
const GPT2: Family = Family {
    model_type: "gpt2",
    build: Build::Decoder,
    vocab: vocab(50_257),
    hidden: count_with_default(&["n_embd", "hidden_size"], 768),
    layers: count_with_default(&["n_layer", "num_hidden_layers"], 12),
    heads: count_with_default(&["n_head", "num_attention_heads"], 12),
    kv_heads: ALL_HEADS,
    head_dim: PER_HEAD,
    inner: N_INNER,
    attend: Attend::Fused,
    forward: Forward::Plain,
    window: Window::None,
    is_tied: true,
};
const GPT_NEOX: Family = Family {
    model_type: "gpt_neox",
    vocab: vocab(50_432),
    hidden: hidden(6144),
    layers: layers(44),
    heads: heads(64),
    inner: inner(24_576),
    is_tied: false,
    ..GPT2
};
const BERT: Family = Family {
    model_type: "bert",
    build: Build::Encoder,
    vocab: vocab(30_522),
    hidden: hidden(768),
    layers: layers(12),
    heads: heads(12),
    inner: inner(3072),
    attend: Attend::Separate,
    ..GPT2
};

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 17] = [
    &LLAMA,
    &MISTRAL,
    &QWEN2,
    &QWEN2_5_VL,
    &QWEN3,
    &QWEN3_VL,
    &GEMMA,
    &GEMMA2,
    &GEMMA3,
    &COHERE,
    &OLMO2,
    &PHI3,
    &STARCODER2,
    &SMOLLM3,
    &GPT2,
    &GPT_NEOX,
    &BERT,
];
