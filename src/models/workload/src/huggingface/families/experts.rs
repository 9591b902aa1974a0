//! Decoders with experts; each token is routed to only a few experts.

use super::dense::{LLAMA, QWEN2};
use super::{
    EXPERTS, HEAD_DIM, LOCAL_EXPERTS, MOE_INNER, PER_TOKEN, ROUTED_EXPERTS, count_with_default, head_dim, heads,
    hidden, inner, kv, layers, vocab,
};
use crate::huggingface::rules::{Attend, Count, Experts, Fallback, Family, Forward, Shared, Sparse, Window};
use crate::transformer::Latent;

/// Widths of latent attention in DeepSeek-V2 and V3.
const LATENT: Latent =
    Latent { heads: 0, q_rank: Some(1536), kv_rank: 512, nope_dim: 128, rope_dim: 64, v_dim: 128, expands: false };

const MIXTRAL: Family = Family {
    model_type: "mixtral",
    kv_heads: kv(8),
    inner: inner(14_336),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(LOCAL_EXPERTS, 8),
        per_token: count_with_default(PER_TOKEN, 2),
        inner: inner(14_336),
        shared: Shared::None,
        sparse: Sparse::All,
    }),
    window: Window::All(None),
    ..LLAMA
};
const QWEN2_MOE: Family = Family {
    model_type: "qwen2_moe",
    hidden: hidden(2048),
    layers: layers(24),
    heads: heads(16),
    kv_heads: kv(16),
    inner: inner(5632),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(EXPERTS, 60),
        per_token: count_with_default(PER_TOKEN, 4),
        inner: count_with_default(MOE_INNER, 1408),
        shared: Shared::Gated(count_with_default(&["shared_expert_intermediate_size"], 5632)),
        sparse: Sparse::Step,
    }),
    ..QWEN2
};
const QWEN3_MOE: Family = Family {
    model_type: "qwen3_moe",
    heads: heads(32),
    kv_heads: kv(4),
    head_dim: HEAD_DIM,
    inner: inner(6144),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(LOCAL_EXPERTS, 128),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: count_with_default(MOE_INNER, 768),
        shared: Shared::None,
        sparse: Sparse::Step,
    }),
    window: Window::AllIfUsed,
    ..QWEN2_MOE
};
const GPT_OSS: Family = Family {
    model_type: "gpt_oss",
    vocab: vocab(201_088),
    hidden: hidden(2880),
    layers: layers(36),
    heads: heads(64),
    kv_heads: kv(8),
    head_dim: head_dim(64),
    inner: inner(2880),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(LOCAL_EXPERTS, 128),
        per_token: count_with_default(PER_TOKEN, 4),
        inner: inner(2880),
        shared: Shared::None,
        sparse: Sparse::All,
    }),
    window: Window::Between { full_each: 2, missing: 128 },
    ..LLAMA
};
const DEEPSEEK_V2: Family = Family {
    model_type: "deepseek_v2",
    vocab: vocab(102_400),
    attend: Attend::Latent(LATENT),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(ROUTED_EXPERTS, 64),
        per_token: Count { keys: PER_TOKEN, missing: Fallback::Refuse, null: Fallback::Refuse },
        inner: count_with_default(MOE_INNER, 1407),
        shared: Shared::Experts(count_with_default(&["n_shared_experts"], 2)),
        sparse: Sparse::AllBut(0),
    }),
    ..LLAMA
};
const DEEPSEEK_V3: Family = Family {
    model_type: "deepseek_v3",
    vocab: vocab(129_280),
    hidden: hidden(7168),
    layers: layers(61),
    heads: heads(128),
    inner: inner(18_432),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(ROUTED_EXPERTS, 256),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: count_with_default(MOE_INNER, 2048),
        shared: Shared::Experts(count_with_default(&["n_shared_experts"], 1)),
        sparse: Sparse::AllBut(3),
    }),
    ..DEEPSEEK_V2
};
const KIMI_K2: Family = Family { model_type: "kimi_k2", ..DEEPSEEK_V3 };
const GLM4_MOE: Family = Family {
    model_type: "glm4_moe",
    vocab: vocab(151_552),
    layers: layers(46),
    heads: heads(96),
    kv_heads: kv(8),
    inner: inner(10_944),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(ROUTED_EXPERTS, 128),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: count_with_default(MOE_INNER, 1408),
        shared: Shared::Experts(count_with_default(&["n_shared_experts"], 1)),
        sparse: Sparse::AllBut(1),
    }),
    ..LLAMA
};
const MINIMAX_M2: Family = Family {
    model_type: "minimax_m2",
    vocab: vocab(200_064),
    hidden: hidden(3072),
    layers: layers(62),
    heads: heads(48),
    kv_heads: kv(8),
    head_dim: head_dim(128),
    inner: inner(1536),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(LOCAL_EXPERTS, 256),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: inner(1536),
        shared: Shared::None,
        sparse: Sparse::All,
    }),
    ..LLAMA
};
const HUNYUAN_MOE: Family = Family {
    model_type: "hunyuan_v1_moe",
    vocab: vocab(290_943),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(EXPERTS, 1),
        per_token: count_with_default(&["moe_topk", "num_experts_per_tok"], 1),
        inner: inner(11_008),
        shared: Shared::Width("intermediate_size", Some(11_008)),
        sparse: Sparse::All,
    }),
    ..LLAMA
};

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 10] = [
    &MIXTRAL,
    &QWEN2_MOE,
    &QWEN3_MOE,
    &GPT_OSS,
    &DEEPSEEK_V2,
    &DEEPSEEK_V3,
    &KIMI_K2,
    &GLM4_MOE,
    &MINIMAX_M2,
    &HUNYUAN_MOE,
];
