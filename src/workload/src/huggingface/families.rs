//! The families of models that are known: their keys and the defaults of transformers 5.23.

use super::rules::{Attend, Build, Else, Experts, Family, Forward, Number, Shared, Sparse, Window};

const fn of(keys: &'static [&'static str], missing: u64) -> Number {
    Number { keys, missing: Else::Is(missing), null: Else::Refuse }
}
const fn vocab(missing: u64) -> Number {
    of(&["vocab_size"], missing)
}
const fn hidden(missing: u64) -> Number {
    of(&["hidden_size"], missing)
}
const fn layers(missing: u64) -> Number {
    of(&["num_hidden_layers"], missing)
}
const fn heads(missing: u64) -> Number {
    of(&["num_attention_heads"], missing)
}
const fn inner(missing: u64) -> Number {
    of(&["intermediate_size"], missing)
}
const fn kv(missing: u64) -> Number {
    Number { keys: &["num_key_value_heads"], missing: Else::Is(missing), null: Else::Heads }
}
const fn head_dim(missing: u64) -> Number {
    Number { keys: &["head_dim"], missing: Else::Is(missing), null: Else::PerHead }
}
/// The head's width is not a key: it follows from the others.
const PER_HEAD: Number = Number { keys: &[], missing: Else::PerHead, null: Else::PerHead };
/// Every query head has keys and values of its own, or the family asks elsewhere.
const ALL_HEADS: Number = Number { keys: &[], missing: Else::Heads, null: Else::Heads };
const KV_OR_HEADS: Number = Number { keys: &["num_key_value_heads"], missing: Else::Heads, null: Else::Heads };
const HEAD_DIM: Number = Number { keys: &["head_dim"], missing: Else::PerHead, null: Else::PerHead };
const N_INNER: Number = Number { keys: &["n_inner"], missing: Else::Hidden(4), null: Else::Hidden(4) };
const PER_TOKEN: &[&str] = &["num_experts_per_tok"];
const LOCAL_EXPERTS: &[&str] = &["num_local_experts", "num_experts"];
const ROUTED_EXPERTS: &[&str] = &["n_routed_experts"];

const LLAMA: Family = Family {
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
const QWEN2: Family = Family {
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
const OLMO: Family = Family { model_type: "olmo", vocab: vocab(50_304), head_dim: PER_HEAD, ..LLAMA };
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
const GPT2: Family = Family {
    model_type: "gpt2",
    build: Build::Decoder,
    vocab: vocab(50_257),
    hidden: of(&["n_embd", "hidden_size"], 768),
    layers: of(&["n_layer", "num_hidden_layers"], 12),
    heads: of(&["n_head", "num_attention_heads"], 12),
    kv_heads: ALL_HEADS,
    head_dim: PER_HEAD,
    inner: N_INNER,
    attend: Attend::Fused,
    forward: Forward::Plain,
    window: Window::None,
};
const GPT_BIGCODE: Family = Family { model_type: "gpt_bigcode", attend: Attend::MultiQuery, ..GPT2 };
const GPTJ: Family = Family {
    model_type: "gptj",
    vocab: vocab(50_400),
    hidden: of(&["n_embd", "hidden_size"], 4096),
    layers: of(&["n_layer", "num_hidden_layers"], 28),
    heads: of(&["n_head", "num_attention_heads"], 16),
    attend: Attend::Separate,
    ..GPT2
};
const CODEGEN: Family = Family { model_type: "codegen", attend: Attend::Fused, ..GPTJ };
const GPT_NEOX: Family = Family {
    model_type: "gpt_neox",
    vocab: vocab(50_432),
    hidden: hidden(6144),
    layers: layers(44),
    heads: heads(64),
    inner: inner(24_576),
    ..GPT2
};
const OPT: Family = Family {
    model_type: "opt",
    vocab: vocab(50_272),
    hidden: hidden(768),
    layers: layers(12),
    heads: heads(12),
    inner: of(&["ffn_dim"], 3072),
    attend: Attend::Separate,
    ..GPT2
};
const FALCON: Family = Family {
    model_type: "falcon",
    vocab: vocab(65_024),
    hidden: hidden(4544),
    layers: layers(32),
    heads: heads(71),
    kv_heads: Number { keys: &["num_kv_heads"], missing: Else::Heads, null: Else::Heads },
    inner: Number { keys: &["ffn_hidden_size"], missing: Else::Hidden(4), null: Else::Hidden(4) },
    attend: Attend::Falcon,
    ..GPT2
};
const BLOOM: Family = Family {
    model_type: "bloom",
    vocab: vocab(250_880),
    hidden: of(&["n_embed", "hidden_size"], 64),
    layers: of(&["n_layer", "num_hidden_layers"], 2),
    heads: of(&["n_head", "num_attention_heads"], 8),
    inner: Number { keys: &[], missing: Else::Hidden(4), null: Else::Hidden(4) },
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
const ROBERTA: Family = Family { model_type: "roberta", vocab: vocab(50_265), ..BERT };
const XLM_ROBERTA: Family = Family { model_type: "xlm-roberta", ..BERT };
const DISTILBERT: Family = Family {
    model_type: "distilbert",
    hidden: of(&["dim", "hidden_size"], 768),
    layers: of(&["n_layers", "num_hidden_layers"], 6),
    heads: of(&["n_heads", "num_attention_heads"], 12),
    inner: of(&["hidden_dim"], 3072),
    ..BERT
};
const T5: Family = Family {
    model_type: "t5",
    build: Build::EncoderDecoder,
    vocab: vocab(32_128),
    hidden: of(&["d_model", "hidden_size"], 512),
    layers: of(&["num_layers", "num_hidden_layers"], 6),
    heads: of(&["num_heads", "num_attention_heads"], 8),
    head_dim: of(&["d_kv", "head_dim"], 64),
    inner: of(&["d_ff"], 2048),
    attend: Attend::Separate,
    forward: Forward::Named("relu"),
    ..GPT2
};
const MT5: Family = Family {
    model_type: "mt5",
    vocab: vocab(250_112),
    layers: of(&["num_layers", "num_hidden_layers"], 8),
    heads: of(&["num_heads", "num_attention_heads"], 6),
    inner: of(&["d_ff"], 1024),
    forward: Forward::Named("gated-gelu"),
    ..T5
};
const MIXTRAL: Family = Family {
    model_type: "mixtral",
    kv_heads: kv(8),
    inner: inner(14_336),
    forward: Forward::Experts(Experts {
        experts: of(LOCAL_EXPERTS, 8),
        per_token: of(PER_TOKEN, 2),
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
        experts: of(&["num_experts", "num_local_experts"], 64),
        per_token: of(PER_TOKEN, 8),
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
        experts: of(&["num_experts", "num_local_experts"], 60),
        per_token: of(PER_TOKEN, 4),
        inner: of(&["moe_intermediate_size"], 1408),
        shared: Shared::Gated(of(&["shared_expert_intermediate_size"], 5632)),
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
        experts: of(LOCAL_EXPERTS, 128),
        per_token: of(PER_TOKEN, 8),
        inner: of(&["moe_intermediate_size"], 768),
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
        experts: of(LOCAL_EXPERTS, 128),
        per_token: of(PER_TOKEN, 4),
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
        experts: of(ROUTED_EXPERTS, 64),
        per_token: Number { keys: PER_TOKEN, missing: Else::Refuse, null: Else::Refuse },
        inner: of(&["moe_intermediate_size"], 1407),
        shared: Shared::Experts(of(&["n_shared_experts"], 2)),
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
        experts: of(ROUTED_EXPERTS, 256),
        per_token: of(PER_TOKEN, 8),
        inner: of(&["moe_intermediate_size"], 2048),
        shared: Shared::Experts(of(&["n_shared_experts"], 1)),
        sparse: Sparse::AllBut(3),
    }),
    ..DEEPSEEK_V2
};

/// Every family that is known.
pub(super) static FAMILIES: [&Family; 38] = [
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
    &GPT2,
    &GPT_BIGCODE,
    &GPTJ,
    &CODEGEN,
    &GPT_NEOX,
    &OPT,
    &FALCON,
    &BLOOM,
    &BERT,
    &ROBERTA,
    &XLM_ROBERTA,
    &DISTILBERT,
    &T5,
    &MT5,
    &MIXTRAL,
    &OLMOE,
    &QWEN2_MOE,
    &QWEN3_MOE,
    &GPT_OSS,
    &DEEPSEEK_V2,
    &DEEPSEEK_V3,
];
