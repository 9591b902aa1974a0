//! Decoders with experts; each token is routed to only a few experts.

use super::decoders::{LLAMA, OLMO, QWEN2};
use super::{
    HEAD_DIM, LOCAL_EXPERTS, PER_HEAD, PER_TOKEN, ROUTED_EXPERTS, count_with_default, head_dim, heads, hidden, inner,
    kv, layers, vocab,
};
use crate::huggingface::rules::{Attend, Count, Experts, Fallback, Family, Forward, Shared, Sparse, Window};
use crate::transformer::{Indexer, Latent};

const MOE_INNER: &[&str] = &["moe_intermediate_size"];

/// Widths of latent attention in DeepSeek-V2 and V3.
pub(super) const LATENT: Latent = Latent {
    heads: 0,
    q_rank: Some(1536),
    kv_rank: 512,
    nope_dim: 128,
    rope_dim: 64,
    v_dim: 128,
    expands: false,
    indexer: None,
};

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
    attend: Attend::Latent(LATENT),
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
const GRANITEMOESHARED: Family = Family {
    model_type: "granitemoeshared",
    forward: Forward::Experts(Experts {
        experts: count_with_default(LOCAL_EXPERTS, 8),
        per_token: count_with_default(PER_TOKEN, 2),
        inner: inner(11_008),
        shared: Shared::Width("shared_intermediate_size", None),
        sparse: Sparse::All,
    }),
    ..GRANITEMOE
};
const KIMI_K2: Family = Family { model_type: "kimi_k2", ..DEEPSEEK_V3 };
const DEEPSEEK_V32: Family = Family {
    model_type: "deepseek_v32",
    attend: Attend::Latent(Latent { indexer: Some(Indexer { heads: 64, head_dim: 128, kept: 2048 }), ..LATENT }),
    ..DEEPSEEK_V3
};
const GLM_MOE_DSA: Family = Family {
    model_type: "glm_moe_dsa",
    vocab: vocab(154_880),
    hidden: hidden(6144),
    layers: layers(78),
    heads: heads(64),
    inner: inner(12_288),
    attend: Attend::Latent(Latent {
        q_rank: Some(2048),
        nope_dim: 192,
        v_dim: 256,
        indexer: Some(Indexer { heads: 32, head_dim: 128, kept: 2048 }),
        ..LATENT
    }),
    ..DEEPSEEK_V3
};
const GLM4_MOE: Family = Family {
    model_type: "glm4_moe",
    vocab: vocab(151_552),
    layers: layers(46),
    heads: heads(96),
    kv_heads: kv(8),
    inner: inner(10_944),
    forward: Forward::Experts(Experts {
        experts: count_with_default(ROUTED_EXPERTS, 128),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: count_with_default(MOE_INNER, 1408),
        shared: Shared::Experts(count_with_default(&["n_shared_experts"], 1)),
        sparse: Sparse::AllBut(1),
    }),
    ..LLAMA
};
const GLM4_MOE_LITE: Family = Family {
    model_type: "glm4_moe_lite",
    vocab: vocab(154_880),
    hidden: hidden(2048),
    layers: layers(47),
    heads: heads(20),
    inner: inner(10_240),
    attend: Attend::Latent(Latent { q_rank: Some(768), nope_dim: 192, v_dim: 256, ..LATENT }),
    forward: Forward::Experts(Experts {
        experts: count_with_default(ROUTED_EXPERTS, 64),
        per_token: count_with_default(PER_TOKEN, 4),
        inner: count_with_default(MOE_INNER, 1536),
        shared: Shared::Experts(count_with_default(&["n_shared_experts"], 1)),
        sparse: Sparse::AllBut(1),
    }),
    ..LLAMA
};
const MISTRAL4: Family = Family {
    model_type: "mistral4",
    vocab: vocab(131_072),
    layers: layers(36),
    heads: heads(32),
    inner: inner(12_288),
    attend: Attend::Latent(Latent { q_rank: Some(1024), kv_rank: 256, nope_dim: 64, ..LATENT }),
    forward: Forward::Experts(Experts {
        experts: count_with_default(ROUTED_EXPERTS, 128),
        per_token: count_with_default(PER_TOKEN, 4),
        inner: count_with_default(MOE_INNER, 2048),
        shared: Shared::Experts(count_with_default(&["n_shared_experts"], 1)),
        sparse: Sparse::AllBut(0),
    }),
    ..LLAMA
};
const YOUTU: Family = Family {
    model_type: "youtu",
    vocab: vocab(128_256),
    hidden: hidden(2048),
    heads: heads(16),
    inner: inner(6144),
    attend: Attend::Latent(LATENT),
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
    forward: Forward::Experts(Experts {
        experts: count_with_default(LOCAL_EXPERTS, 256),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: inner(1536),
        shared: Shared::None,
        sparse: Sparse::All,
    }),
    ..LLAMA
};
const SOLAR_OPEN: Family = Family {
    model_type: "solar_open",
    vocab: vocab(196_608),
    layers: layers(48),
    heads: heads(64),
    kv_heads: kv(8),
    head_dim: head_dim(128),
    forward: Forward::Experts(Experts {
        experts: count_with_default(ROUTED_EXPERTS, 128),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: count_with_default(MOE_INNER, 1280),
        shared: Shared::Experts(count_with_default(&["n_shared_experts"], 1)),
        sparse: Sparse::All,
    }),
    ..LLAMA
};
const EXAONE_MOE: Family = Family {
    model_type: "exaone_moe",
    vocab: vocab(102_400),
    kv_heads: kv(32),
    inner: inner(16_384),
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts", "num_local_experts"], 64),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: count_with_default(MOE_INNER, 1024),
        shared: Shared::Experts(count_with_default(&["num_shared_experts"], 1)),
        sparse: Sparse::AllBut(1),
    }),
    window: Window::Between { full_each: 4, missing: 4096 },
    ..LLAMA
};
const HUNYUAN_MOE: Family = Family {
    model_type: "hunyuan_v1_moe",
    vocab: vocab(290_943),
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts", "num_local_experts"], 1),
        per_token: count_with_default(&["moe_topk", "num_experts_per_tok"], 1),
        inner: inner(11_008),
        shared: Shared::Width("intermediate_size", Some(11_008)),
        sparse: Sparse::All,
    }),
    ..LLAMA
};
const DOTS1: Family = Family {
    model_type: "dots1",
    vocab: vocab(152_064),
    hidden: hidden(4608),
    layers: layers(62),
    kv_heads: kv(32),
    inner: inner(10_944),
    forward: Forward::Experts(Experts {
        experts: Count { keys: ROUTED_EXPERTS, missing: Fallback::Refuse, null: Fallback::Refuse },
        per_token: Count { keys: PER_TOKEN, missing: Fallback::Refuse, null: Fallback::Refuse },
        inner: count_with_default(MOE_INNER, 1408),
        shared: Shared::Experts(Count {
            keys: &["n_shared_experts"],
            missing: Fallback::Refuse,
            null: Fallback::Refuse,
        }),
        sparse: Sparse::AllBut(0),
    }),
    window: Window::Late,
    ..LLAMA
};
const FLEX_OLMO: Family = Family {
    model_type: "flex_olmo",
    vocab: vocab(100_352),
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts", "num_local_experts"], 7),
        per_token: count_with_default(PER_TOKEN, 5),
        inner: inner(11_008),
        shared: Shared::None,
        sparse: Sparse::All,
    }),
    ..LLAMA
};
const ERNIE_MOE: Family = Family {
    model_type: "ernie4_5_moe",
    vocab: vocab(103_424),
    hidden: hidden(2560),
    layers: layers(28),
    heads: heads(20),
    kv_heads: kv(4),
    inner: inner(12_288),
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["moe_num_experts"], 64),
        per_token: count_with_default(&["moe_k"], 6),
        inner: count_with_default(MOE_INNER, 1536),
        shared: Shared::Experts(count_with_default(&["moe_num_shared_experts"], 2)),
        sparse: Sparse::Between,
    }),
    ..LLAMA
};
const QWEN3_VL_MOE: Family = Family {
    model_type: "qwen3_vl_moe_text",
    layers: layers(24),
    heads: heads(16),
    kv_heads: kv(16),
    inner: inner(5632),
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts", "num_local_experts"], 60),
        per_token: count_with_default(PER_TOKEN, 4),
        inner: count_with_default(MOE_INNER, 1408),
        shared: Shared::None,
        sparse: Sparse::Step,
    }),
    window: Window::None,
    ..QWEN3_MOE
};

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 25] = [
    &MIXTRAL,
    &OLMOE,
    &QWEN2_MOE,
    &QWEN3_MOE,
    &GPT_OSS,
    &DEEPSEEK_V2,
    &DEEPSEEK_V3,
    &PHIMOE,
    &GRANITEMOE,
    &GRANITEMOESHARED,
    &KIMI_K2,
    &DEEPSEEK_V32,
    &GLM_MOE_DSA,
    &GLM4_MOE,
    &GLM4_MOE_LITE,
    &MISTRAL4,
    &YOUTU,
    &MINIMAX_M2,
    &SOLAR_OPEN,
    &EXAONE_MOE,
    &HUNYUAN_MOE,
    &DOTS1,
    &FLEX_OLMO,
    &ERNIE_MOE,
    &QWEN3_VL_MOE,
];
