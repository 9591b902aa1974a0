//! Decoders with experts; each token is routed to only a few experts.

use super::decoders::{LLAMA, OLMO, QWEN2};
use super::{
    HEAD_DIM, LOCAL_EXPERTS, PER_HEAD, PER_TOKEN, ROUTED_EXPERTS, count_with_default, head_dim, heads, hidden, inner,
    kv, layers, vocab,
};
use crate::huggingface::rules::{Attend, Count, Experts, Fallback, Family, Forward, Shared, Sparse, Window};

const MIXTRAL: Family = Family {
    model_type: "mixtral",
    kv_heads: kv(8),
    inner: inner(14_336),
    forward: Forward::Experts(Experts {
        experts: count_with_default(LOCAL_EXPERTS, 8),
        per_token: count_with_default(PER_TOKEN, 2),
        inner: inner(14_336),
        shared: Shared::None,
        sparse: Sparse::All,
    }),
    window: Window::All(None),
    ..LLAMA
};
const OLMOE: Family = Family {
    model_type: "olmoe",
    vocab: vocab(50_304),
    hidden: hidden(2048),
    layers: layers(16),
    heads: heads(16),
    inner: inner(2048),
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts", "num_local_experts"], 64),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: inner(2048),
        shared: Shared::None,
        sparse: Sparse::All,
    }),
    ..OLMO
};
const QWEN2_MOE: Family = Family {
    model_type: "qwen2_moe",
    hidden: hidden(2048),
    layers: layers(24),
    heads: heads(16),
    kv_heads: kv(16),
    inner: inner(5632),
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts", "num_local_experts"], 60),
        per_token: count_with_default(PER_TOKEN, 4),
        inner: count_with_default(&["moe_intermediate_size"], 1408),
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
    forward: Forward::Experts(Experts {
        experts: count_with_default(LOCAL_EXPERTS, 128),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: count_with_default(&["moe_intermediate_size"], 768),
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
    forward: Forward::Experts(Experts {
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
    attend: Attend::Latent,
    forward: Forward::Experts(Experts {
        experts: count_with_default(ROUTED_EXPERTS, 64),
        per_token: Count { keys: PER_TOKEN, missing: Fallback::Refuse, null: Fallback::Refuse },
        inner: count_with_default(&["moe_intermediate_size"], 1407),
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
    forward: Forward::Experts(Experts {
        experts: count_with_default(ROUTED_EXPERTS, 256),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: count_with_default(&["moe_intermediate_size"], 2048),
        shared: Shared::Experts(count_with_default(&["n_shared_experts"], 1)),
        sparse: Sparse::AllBut(3),
    }),
    ..DEEPSEEK_V2
};

const PHIMOE: Family = Family {
    model_type: "phimoe",
    vocab: vocab(32_064),
    inner: inner(6400),
    forward: Forward::Experts(Experts {
        experts: count_with_default(LOCAL_EXPERTS, 16),
        per_token: count_with_default(PER_TOKEN, 2),
        inner: inner(6400),
        shared: Shared::None,
        sparse: Sparse::All,
    }),
    ..MIXTRAL
};
const GRANITEMOE: Family = Family {
    model_type: "granitemoe",
    head_dim: PER_HEAD,
    forward: Forward::Experts(Experts {
        experts: count_with_default(LOCAL_EXPERTS, 8),
        per_token: count_with_default(PER_TOKEN, 2),
        inner: inner(11_008),
        shared: Shared::None,
        sparse: Sparse::All,
    }),
    ..LLAMA
};

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 9] =
    [&MIXTRAL, &OLMOE, &QWEN2_MOE, &QWEN3_MOE, &GPT_OSS, &DEEPSEEK_V2, &DEEPSEEK_V3, &PHIMOE, &GRANITEMOE];
