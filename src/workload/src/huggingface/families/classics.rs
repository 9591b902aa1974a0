//! Older families: GPT-2, BERT, T5 and related models.

use super::{ALL_HEADS, N_INNER, PER_HEAD, count_with_default, heads, hidden, inner, layers, vocab};
use crate::huggingface::rules::{Attend, Build, Count, Fallback, Family, Forward, Window};

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
};
const GPT_BIGCODE: Family = Family { model_type: "gpt_bigcode", attend: Attend::MultiQuery, ..GPT2 };
const GPTJ: Family = Family {
    model_type: "gptj",
    vocab: vocab(50_400),
    hidden: count_with_default(&["n_embd", "hidden_size"], 4096),
    layers: count_with_default(&["n_layer", "num_hidden_layers"], 28),
    heads: count_with_default(&["n_head", "num_attention_heads"], 16),
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
    inner: count_with_default(&["ffn_dim"], 3072),
    attend: Attend::Separate,
    ..GPT2
};
const FALCON: Family = Family {
    model_type: "falcon",
    vocab: vocab(65_024),
    hidden: hidden(4544),
    layers: layers(32),
    heads: heads(71),
    kv_heads: Count { keys: &["num_kv_heads"], missing: Fallback::Heads, null: Fallback::Heads },
    inner: Count { keys: &["ffn_hidden_size"], missing: Fallback::Hidden(4), null: Fallback::Hidden(4) },
    attend: Attend::Falcon,
    ..GPT2
};
const BLOOM: Family = Family {
    model_type: "bloom",
    vocab: vocab(250_880),
    hidden: count_with_default(&["n_embed", "hidden_size"], 64),
    layers: count_with_default(&["n_layer", "num_hidden_layers"], 2),
    heads: count_with_default(&["n_head", "num_attention_heads"], 8),
    inner: Count { keys: &[], missing: Fallback::Hidden(4), null: Fallback::Hidden(4) },
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
    hidden: count_with_default(&["dim", "hidden_size"], 768),
    layers: count_with_default(&["n_layers", "num_hidden_layers"], 6),
    heads: count_with_default(&["n_heads", "num_attention_heads"], 12),
    inner: count_with_default(&["hidden_dim"], 3072),
    ..BERT
};
const T5: Family = Family {
    model_type: "t5",
    build: Build::EncoderDecoder,
    vocab: vocab(32_128),
    hidden: count_with_default(&["d_model", "hidden_size"], 512),
    layers: count_with_default(&["num_layers", "num_hidden_layers"], 6),
    heads: count_with_default(&["num_heads", "num_attention_heads"], 8),
    head_dim: count_with_default(&["d_kv", "head_dim"], 64),
    inner: count_with_default(&["d_ff"], 2048),
    attend: Attend::Separate,
    forward: Forward::Named("relu"),
    ..GPT2
};
const MT5: Family = Family {
    model_type: "mt5",
    vocab: vocab(250_112),
    layers: count_with_default(&["num_layers", "num_hidden_layers"], 8),
    heads: count_with_default(&["num_heads", "num_attention_heads"], 6),
    inner: count_with_default(&["d_ff"], 1024),
    forward: Forward::Named("gated-gelu"),
    ..T5
};
const UMT5: Family = Family { model_type: "umt5", hidden: count_with_default(&["d_model", "hidden_size"], 512), ..MT5 };
const CAMEMBERT: Family = Family { model_type: "camembert", ..BERT };
const MPNET: Family = Family { model_type: "mpnet", vocab: vocab(30_527), ..BERT };
const ESM: Family = Family {
    model_type: "esm",
    vocab: Count { keys: &["vocab_size"], missing: Fallback::Refuse, null: Fallback::Refuse },
    ..BERT
};

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 18] = [
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
    &UMT5,
    &CAMEMBERT,
    &MPNET,
    &ESM,
];
