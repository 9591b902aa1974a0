//! Decoders whose layers differ at most in their attention window: LLaMA and its successors.

use super::{HEAD_DIM, KV_OR_HEADS, PER_HEAD, head_dim, heads, hidden, inner, kv, layers, vocab};
use crate::huggingface::rules::{Attend, Build, Count, Fallback, Family, Forward, Window};

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
const QWEN3: Family = Family { model_type: "qwen3", head_dim: head_dim(128), ..QWEN2 };
const GEMMA: Family = Family {
    model_type: "gemma",
    vocab: vocab(256_000),
    hidden: hidden(3072),
    layers: layers(28),
    heads: heads(16),
    kv_heads: kv(16),
    head_dim: head_dim(256),
    inner: inner(24_576),
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
const GRANITE: Family = Family { model_type: "granite", head_dim: PER_HEAD, ..LLAMA };
const COHERE: Family = Family {
    model_type: "cohere",
    vocab: vocab(256_000),
    hidden: hidden(8192),
    layers: layers(40),
    heads: heads(64),
    inner: inner(22_528),
    ..LLAMA
};
const COHERE2: Family =
    Family { model_type: "cohere2", window: Window::Between { full_each: 4, missing: 4096 }, ..COHERE };
const STABLELM: Family = Family {
    model_type: "stablelm",
    vocab: vocab(50_304),
    hidden: hidden(2560),
    kv_heads: kv(32),
    head_dim: PER_HEAD,
    inner: inner(6912),
    ..LLAMA
};
pub(super) const OLMO: Family = Family { model_type: "olmo", vocab: vocab(50_304), head_dim: PER_HEAD, ..LLAMA };
const OLMO2: Family = Family { model_type: "olmo2", ..OLMO };
const OLMO3: Family = Family { model_type: "olmo3", window: Window::Between { full_each: 4, missing: 4096 }, ..OLMO };
const PHI: Family = Family {
    model_type: "phi",
    vocab: vocab(51_200),
    hidden: hidden(2048),
    layers: layers(24),
    head_dim: PER_HEAD,
    inner: inner(8192),
    forward: Forward::Plain,
    ..LLAMA
};
const PHI3: Family = Family {
    model_type: "phi3",
    vocab: vocab(32_064),
    hidden: hidden(3072),
    head_dim: HEAD_DIM,
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
    ..LLAMA
};

const MINISTRAL: Family = Family {
    model_type: "ministral",
    head_dim: Count { keys: &["head_dim"], missing: Fallback::Refuse, null: Fallback::Refuse },
    // All layers have a sliding window unless `layer_types` lists other layers.
    window: Window::Between { full_each: u64::MAX, missing: 4096 },
    ..MISTRAL
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
    ..LLAMA
};
const SEED_OSS: Family = Family {
    model_type: "seed_oss",
    vocab: vocab(155_136),
    layers: layers(64),
    heads: heads(80),
    kv_heads: kv(8),
    head_dim: head_dim(128),
    inner: inner(27_648),
    ..LLAMA
};
const HUNYUAN: Family = Family {
    model_type: "hunyuan_v1_dense",
    vocab: vocab(290_943),
    head_dim: Count { keys: &["head_dim"], missing: Fallback::Refuse, null: Fallback::Refuse },
    ..LLAMA
};
const HELIUM: Family = Family {
    model_type: "helium",
    vocab: vocab(48_000),
    hidden: hidden(2560),
    layers: layers(24),
    heads: heads(20),
    kv_heads: kv(20),
    head_dim: head_dim(128),
    inner: inner(7040),
    ..LLAMA
};
const ERNIE: Family = Family {
    model_type: "ernie4_5",
    vocab: vocab(103_424),
    hidden: hidden(1024),
    layers: layers(18),
    heads: heads(16),
    kv_heads: kv(2),
    head_dim: head_dim(128),
    inner: inner(3072),
    ..LLAMA
};
const GLM: Family = Family {
    model_type: "glm",
    vocab: vocab(151_552),
    layers: layers(40),
    kv_heads: kv(2),
    head_dim: head_dim(128),
    inner: inner(13_696),
    forward: Forward::GatedFused,
    ..LLAMA
};
const GLM4: Family = Family { model_type: "glm4", ..GLM };
const ARCEE: Family =
    Family { model_type: "arcee", hidden: hidden(2560), inner: inner(18_432), forward: Forward::Plain, ..LLAMA };
const APERTUS: Family =
    Family { model_type: "apertus", vocab: vocab(131_072), inner: inner(14_336), forward: Forward::Plain, ..LLAMA };
const NEMOTRON: Family = Family {
    model_type: "nemotron",
    vocab: vocab(256_000),
    hidden: hidden(6144),
    heads: heads(48),
    kv_heads: Count { keys: &["num_key_value_heads"], missing: Fallback::Refuse, null: Fallback::Refuse },
    inner: inner(24_576),
    forward: Forward::Plain,
    ..LLAMA
};

const EXAONE4: Family = Family {
    model_type: "exaone4",
    vocab: vocab(102_400),
    kv_heads: kv(32),
    inner: inner(16_384),
    window: Window::Between { full_each: 4, missing: 4096 },
    ..LLAMA
};
const BITNET: Family = Family {
    model_type: "bitnet",
    vocab: vocab(128_256),
    hidden: hidden(2560),
    layers: layers(30),
    heads: heads(20),
    kv_heads: kv(5),
    inner: inner(6912),
    ..LLAMA
};
const NANOCHAT: Family = Family {
    model_type: "nanochat",
    vocab: vocab(50_304),
    hidden: hidden(768),
    layers: layers(12),
    heads: heads(6),
    inner: inner(8192),
    forward: Forward::Plain,
    ..LLAMA
};
const JAIS2: Family = Family {
    model_type: "jais2",
    vocab: vocab(150_272),
    hidden: hidden(3328),
    heads: heads(26),
    inner: inner(26_624),
    forward: Forward::Plain,
    ..LLAMA
};
const MINISTRAL3: Family = Family {
    model_type: "ministral3",
    vocab: vocab(131_072),
    layers: layers(34),
    kv_heads: kv(8),
    head_dim: Count { keys: &["head_dim"], missing: Fallback::Is(128), null: Fallback::PerHead },
    inner: inner(14_336),
    window: Window::All(None),
    ..LLAMA
};
const PERSIMMON: Family = Family {
    model_type: "persimmon",
    vocab: vocab(262_144),
    layers: layers(36),
    heads: heads(64),
    kv_heads: super::ALL_HEADS,
    head_dim: PER_HEAD,
    inner: inner(16_384),
    attend: Attend::Fused,
    forward: Forward::Plain,
    ..LLAMA
};
const VAULTGEMMA: Family = Family { model_type: "vaultgemma", ..GEMMA2 };
const HYPERCLOVAX: Family = Family { model_type: "hyperclovax", ..LLAMA };
const CWM: Family = Family {
    model_type: "cwm",
    vocab: vocab(128_256),
    hidden: hidden(6144),
    layers: layers(64),
    heads: heads(48),
    kv_heads: kv(8),
    head_dim: head_dim(128),
    inner: inner(21_504),
    window: Window::AfterFull { full_each: 4, missing: 8192 },
    ..LLAMA
};
const QWEN2_VL: Family = Family {
    model_type: "qwen2_vl_text",
    vocab: vocab(152_064),
    hidden: hidden(8192),
    layers: layers(80),
    heads: heads(64),
    kv_heads: kv(8),
    inner: inner(29_568),
    ..QWEN2
};
const QWEN2_5_VL: Family = Family { model_type: "qwen2_5_vl_text", ..QWEN2_VL };
const QWEN3_VL: Family = Family { model_type: "qwen3_vl_text", window: Window::None, ..QWEN3 };
const BIOGPT: Family = Family {
    model_type: "biogpt",
    vocab: vocab(42_384),
    hidden: hidden(1024),
    layers: layers(24),
    heads: heads(16),
    kv_heads: super::ALL_HEADS,
    head_dim: PER_HEAD,
    inner: inner(4096),
    forward: Forward::Plain,
    ..LLAMA
};
const XGLM: Family = Family {
    model_type: "xglm",
    vocab: vocab(256_008),
    hidden: super::count_with_default(&["d_model", "hidden_size"], 1024),
    layers: super::count_with_default(&["num_layers", "num_hidden_layers"], 24),
    heads: super::count_with_default(&["attention_heads", "num_attention_heads"], 16),
    inner: super::count_with_default(&["ffn_dim"], 4096),
    ..BIOGPT
};

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 42] = [
    &LLAMA,
    &MISTRAL,
    &QWEN2,
    &QWEN3,
    &GEMMA,
    &GEMMA2,
    &GEMMA3,
    &GRANITE,
    &COHERE,
    &COHERE2,
    &STABLELM,
    &OLMO,
    &OLMO2,
    &OLMO3,
    &PHI,
    &PHI3,
    &STARCODER2,
    &MINISTRAL,
    &SMOLLM3,
    &SEED_OSS,
    &HUNYUAN,
    &HELIUM,
    &ERNIE,
    &GLM,
    &GLM4,
    &ARCEE,
    &APERTUS,
    &NEMOTRON,
    &EXAONE4,
    &BITNET,
    &NANOCHAT,
    &JAIS2,
    &MINISTRAL3,
    &PERSIMMON,
    &VAULTGEMMA,
    &HYPERCLOVAX,
    &CWM,
    &QWEN2_VL,
    &QWEN2_5_VL,
    &QWEN3_VL,
    &BIOGPT,
    &XGLM,
];
