//! Families with parts that no table describes.

use super::dense::LLAMA;
use super::{
    ALL_HEADS, EXPERTS, MOE_INNER, PER_HEAD, PER_TOKEN, count_with_default, head_dim, heads, hidden, inner, kv, layers,
    vocab,
};
use crate::huggingface::Refusal;
use crate::huggingface::config::{Basics, Config};
use crate::huggingface::layers::{Layer, grouped, within};
use crate::huggingface::rules::{Attend, Build, Count, Experts, Fallback, Family, Forward, Shared, Sparse};
use crate::limits::floor;
use crate::transformer::{Feed, Head, Heads, Linear, Mixer, Reach, Recurrent, Scan, Transformer};

type Built = Result<Transformer, Refusal>;

/// Tokens in a chunk of Gated DeltaNet in the transformers library.
const DELTA_CHUNK: u64 = 64;

const fn linear(name: &'static str, input: u64, output: u64) -> Linear {
    Linear { name, input, output }
}

impl Config<'_> {
    /// Reads which layers have full attention: a list, or every fourth layer.
    fn full_layers(&mut self, layers: u64) -> Result<Vec<bool>, Refusal> {
        let kinds = [("full_attention", true), ("linear_attention", false)];
        if let Some(listed) = self.typed("layer_types", layers, &kinds)? {
            return Ok(listed);
        }
        let interval = self.optional("full_attention_interval", None)?.unwrap_or(4);
        Ok((1..=layers).map(|layer| layer.is_multiple_of(interval)).collect())
    }

    /// Reads the heads of full attention.
    fn heads(&mut self, known: Basics) -> Result<Heads, Refusal> {
        match self.mixer(known)? {
            Mixer::Heads(heads) => Ok(heads),
            Mixer::Latent(_) | Mixer::Recurrent(_) => Err(Refusal::Missing { key: "num_attention_heads" }),
        }
    }
}

/// Layers with and without experts in turn, and attention within chunks in three of four layers.
fn llama4(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let mixer = config.mixer(known)?;
    let inner = config.count(&["intermediate_size"], 8192)?;
    let dense = Feed::Gated { inner: config.count(&["intermediate_size_mlp"], 16_384)?, fused: false };
    let sparse = Feed::Experts {
        experts: config.count(&["num_local_experts", "num_experts"], 16)?,
        per_token: config.count(PER_TOKEN, 1)?,
        inner,
        shared: Some(inner),
        shared_gate: false,
    };
    let step = config.count(&["interleave_moe_layer_step"], 1)?;
    let listed = config.numbers("moe_layers", layers)?.filter(|listed| !listed.is_empty());
    let chunk = config.optional("attention_chunk_size", Some(8192))?.map_or(Reach::All, Reach::Chunk);
    let kinds = [("full_attention", Reach::All), ("chunked_attention", chunk)];
    let reaches = match config.typed("layer_types", layers, &kinds)? {
        Some(reaches) => reaches,
        None => {
            // A layer without rotary positions attends to the whole sequence.
            let rotary = config.numbers("no_rope_layers", 1)?.filter(|listed| !listed.is_empty());
            let interval = config.count(&["no_rope_layer_interval"], 4)?;
            let is_chunked = |at: u64| match &rotary {
                Some(listed) => usize::try_from(at).ok().and_then(|at| listed.get(at)).is_none_or(|has| *has == 1),
                None => !at.saturating_add(1).is_multiple_of(interval),
            };
            (0..layers).map(|at| if is_chunked(at) { chunk } else { Reach::All }).collect()
        }
    };
    let all = reaches.into_iter().zip(0..layers).map(|(reach, at)| {
        let has_experts = listed.as_ref().map_or(at.saturating_add(1).is_multiple_of(step), |list| list.contains(&at));
        Layer { reach, ..Layer::of(mixer.clone(), if has_experts { sparse } else { dense }) }
    });
    config.decoder(known, vocab, grouped(all))
}

/// A gated encoder with a window in two of three layers.
fn modernbert(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let mixer = config.mixer(known)?;
    let (feed, _) = config.feeds(known)?;
    // The window has half of its tokens on either side, and the token itself.
    let window = config.optional("local_attention", Some(128))?.map(|window| (window / 2 * 2).saturating_add(1));
    let kinds = [("full_attention", Reach::All), ("sliding_attention", within(window))];
    let reaches = match config.typed("layer_types", layers, &kinds)? {
        Some(reaches) => reaches,
        None => {
            let each = config.count(&["global_attn_every_n_layers"], 3)?;
            (0..layers).map(|at| within(window.filter(|_| at % each != 0))).collect()
        }
    };
    let all = reaches.into_iter().map(|reach| Layer { reach, ..Layer::of(mixer.clone(), feed) });
    Ok(Transformer { causal: false, head: Head::Masked, ..config.decoder(known, vocab, grouped(all))? })
}

/// The `params.json` of LLaMA and Mistral, whose inner width may follow from two other keys.
fn params(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let mixer = config.mixer(known)?;
    let inner = match config.optional("hidden_dim", None)? {
        Some(inner) => inner,
        None => {
            // LLaMA's code computes two thirds of four times the width, times a share, rounded up to a multiple.
            let share = config.fraction("ffn_dim_multiplier").unwrap_or(1.0);
            let each = config.count(&["multiple_of"], 256)?;
            let narrow = floor((known.hidden.saturating_mul(8) / 3) as f64 * share);
            narrow.div_ceil(each).saturating_mul(each)
        }
    };
    let feed = if config.has("moe") {
        let (experts, per_token) = config.inside("moe", |config| {
            Ok::<_, Refusal>((config.count(&["num_experts"], 8)?, config.count(PER_TOKEN, 2)?))
        })?;
        Feed::Experts { experts, per_token, inner, shared: None, shared_gate: false }
    } else {
        Feed::Gated { inner, fused: false }
    };
    config.decoder(known, vocab, grouped((0..layers).map(|_| Layer::of(mixer.clone(), feed))))
}

/// Gated DeltaNet beside full attention with a gate on its output.
fn qwen3_next(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let hidden = known.hidden;
    let heads = config.heads(known)?;
    let key_heads = config.count(&["linear_num_key_heads"], 16)?;
    let value_heads = config.count(&["linear_num_value_heads"], 32)?;
    let key_dim = config.count(&["linear_key_head_dim"], 128)?;
    let value_dim = config.count(&["linear_value_head_dim"], 128)?;
    let conv = config.count(&["linear_conv_kernel_dim"], 4)?;
    let keys = key_heads.saturating_mul(key_dim);
    let values = value_heads.saturating_mul(value_dim);
    let convolved = keys.saturating_mul(2).saturating_add(values);
    let delta = Mixer::Recurrent(Recurrent {
        linears: vec![
            linear("in_proj_qkvz", hidden, convolved.saturating_add(values)),
            linear("in_proj_ba", hidden, value_heads.saturating_mul(2)),
            linear("out_proj", values, hidden),
        ],
        // Keys are shared by several heads, but each head scores them with its own decay.
        scan: Some(Scan { heads: value_heads, key_dim, value_dim, chunk: DELTA_CHUNK }),
        state: values.saturating_mul(key_dim).saturating_add(convolved.saturating_mul(conv)),
    });
    let feeds = config.feeds(known)?;
    let dense = config.dense_layers(layers)?;
    let full = config.full_layers(layers)?;
    let gate = linear("q_gate_proj", hidden, heads.heads.saturating_mul(heads.head_dim));
    let all = full.iter().enumerate().map(|(at, full)| {
        let feed = if dense.get(at).copied().unwrap_or(false) { feeds.1 } else { feeds.0 };
        if *full {
            Layer { linears: vec![gate], kind: "attention.", ..Layer::of(Mixer::Heads(heads), feed) }
        } else {
            Layer { kind: "linear.", ..Layer::of(delta.clone(), feed) }
        }
    });
    config.decoder(known, vocab, grouped(all))
}

const fn required(keys: &'static [&'static str]) -> Count {
    Count { keys, missing: Fallback::Refuse, null: Fallback::Refuse }
}

const LLAMA4: Family = Family {
    model_type: "llama4_text",
    build: Build::Own(llama4),
    vocab: vocab(202_048),
    hidden: hidden(5120),
    layers: layers(48),
    heads: heads(40),
    kv_heads: kv(8),
    head_dim: Count { keys: &["head_dim"], missing: Fallback::Is(128), null: Fallback::PerHead },
    ..LLAMA
};
const MODERNBERT: Family = Family {
    model_type: "modernbert",
    build: Build::Own(modernbert),
    vocab: vocab(50_368),
    hidden: hidden(768),
    layers: layers(22),
    heads: heads(12),
    kv_heads: ALL_HEADS,
    head_dim: PER_HEAD,
    inner: inner(1152),
    attend: Attend::Fused,
    forward: Forward::GatedFused,
    is_tied: true,
    ..LLAMA
};
pub(in crate::huggingface) static PARAMS: Family = Family {
    model_type: "params.json",
    build: Build::Own(params),
    vocab: required(&["vocab_size"]),
    hidden: required(&["dim"]),
    layers: required(&["n_layers"]),
    heads: required(&["n_heads"]),
    kv_heads: Count { keys: &["n_kv_heads"], missing: Fallback::Heads, null: Fallback::Heads },
    ..LLAMA
};
const QWEN3_NEXT: Family = Family {
    model_type: "qwen3_next",
    build: Build::Own(qwen3_next),
    vocab: vocab(151_936),
    hidden: hidden(2048),
    layers: layers(48),
    heads: heads(16),
    kv_heads: kv(2),
    head_dim: head_dim(256),
    inner: inner(5632),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(EXPERTS, 512),
        per_token: count_with_default(PER_TOKEN, 10),
        inner: count_with_default(MOE_INNER, 512),
        shared: Shared::Gated(count_with_default(&["shared_expert_intermediate_size"], 512)),
        sparse: Sparse::Step,
    }),
    ..LLAMA
};
const QWEN3_5: Family = Family {
    model_type: "qwen3_5_text",
    vocab: vocab(248_320),
    hidden: hidden(4096),
    layers: layers(32),
    kv_heads: kv(4),
    inner: inner(12_288),
    forward: Forward::Gated,
    ..QWEN3_NEXT
};
const QWEN3_5_MOE: Family = Family {
    model_type: "qwen3_5_moe_text",
    vocab: vocab(248_320),
    layers: layers(40),
    forward: Forward::Experts(&Experts {
        experts: count_with_default(EXPERTS, 256),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: count_with_default(MOE_INNER, 512),
        shared: Shared::Gated(count_with_default(&["shared_expert_intermediate_size"], 512)),
        sparse: Sparse::All,
    }),
    ..QWEN3_NEXT
};

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 5] = [&LLAMA4, &MODERNBERT, &QWEN3_NEXT, &QWEN3_5, &QWEN3_5_MOE];
