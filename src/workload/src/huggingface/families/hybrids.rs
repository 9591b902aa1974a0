//! Decoders with linear attention or short convolutions in place of some attention.

use super::decoders::LLAMA;
use super::experts::LATENT;
use super::{
    HEAD_DIM, LOCAL_EXPERTS, PER_TOKEN, count_with_default, head_dim, heads, hidden, inner, kv, layers, vocab,
};
use crate::huggingface::config::{Basics, Config};
use crate::huggingface::layers::{Layer, grouped};
use crate::huggingface::rules::{Attend, Build, Experts, Family, Forward, Shared, Sparse};
use crate::huggingface::{Allowed, FoundValue, Refusal};
use crate::limits::floor;
use crate::transformer::{Feed, Heads, Latent, Linear, Mixer, Recurrent, Scan, Stack, Transformer};

pub(super) type Built = Result<Transformer, Refusal>;

/// Tokens in a chunk of Gated DeltaNet in the transformers library.
const DELTA_CHUNK: u64 = 64;

pub(super) const fn linear(name: &'static str, input: u64, output: u64) -> Linear {
    Linear { name, input, output }
}

impl Config<'_> {
    pub(super) fn hybrid(&mut self, known: Basics, vocab: u64, all: Vec<Layer>) -> Built {
        self.decoder(known, vocab, vec![Stack::of(true, grouped(all))])
    }

    /// Reads which layers have full attention: a list, or every `interval`-th layer.
    fn full_layers(
        &mut self,
        layers: u64,
        interval: u64,
        names: &[(&'static str, bool)],
    ) -> Result<Vec<bool>, Refusal> {
        if let Some(listed) = self.typed("layer_types", layers, names)? {
            return Ok(listed);
        }
        let interval = self.optional("full_attention_interval", None)?.unwrap_or(interval);
        Ok((1..=layers).map(|layer| layer.is_multiple_of(interval)).collect())
    }

    /// Reads the heads of full attention.
    pub(super) fn heads(&mut self, known: Basics) -> Result<Heads, Refusal> {
        match self.mixer(known)? {
            Mixer::Heads(heads) => Ok(heads),
            Mixer::Latent(_) | Mixer::Recurrent(_) => Err(Refusal::Missing { key: "num_attention_heads" }),
        }
    }
}

const MIXED: [(&str, bool); 2] = [("full_attention", true), ("linear_attention", false)];

pub(super) fn of(kind: &'static str, mixer: Mixer, feed: Feed) -> Layer {
    Layer { kind, ..Layer::of(mixer, feed) }
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
        scan: Some(Scan {
            heads: value_heads,
            key_heads: value_heads,
            key_dim,
            value_dim,
            chunk: DELTA_CHUNK,
            delta: true,
        }),
        state: values.saturating_mul(key_dim).saturating_add(convolved.saturating_mul(conv)),
    });
    let feeds = config.feeds(known)?;
    let dense = config.dense_layers(layers)?;
    let full = config.full_layers(layers, 4, &MIXED)?;
    let gate = linear("q_gate_proj", hidden, heads.heads.saturating_mul(heads.head_dim));
    let all = full.iter().enumerate().map(|(at, full)| {
        let feed = if dense.get(at).copied().unwrap_or(false) { feeds.1 } else { feeds.0 };
        if *full {
            Layer { linears: vec![gate], ..of("attention.", Mixer::Heads(heads), feed) }
        } else {
            of("linear.", delta.clone(), feed)
        }
    });
    config.hybrid(known, vocab, all.collect())
}

/// Kimi delta attention (arXiv:2510.26692) beside latent attention.
fn kimi_linear(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let hidden = known.hidden;
    let latent = config.mixer(known)?;
    let (sparse, dense) = config.feeds(known)?;
    let is_dense = config.dense_layers(layers)?;
    let (heads, head_dim, taps, listed) = config.inside("linear_attn_config", |config| {
        // This list counts layers from 1.
        let full = config.numbers("full_attn_layers", layers)?;
        let heads = config.count(&["num_heads"], 32)?;
        Ok::<_, Refusal>((
            heads,
            config.count(&["head_dim"], 128)?,
            config.count(&["short_conv_kernel_size"], 4)?,
            full,
        ))
    })?;
    let width = heads.saturating_mul(head_dim);
    let delta = Mixer::Recurrent(Recurrent {
        linears: vec![
            linear("qkv_proj", hidden, width.saturating_mul(3)),
            linear("decay.a_proj", hidden, head_dim),
            linear("decay.b_proj", head_dim, width),
            linear("b_proj", hidden, heads),
            linear("gate.a_proj", hidden, head_dim),
            linear("gate.b_proj", head_dim, width),
            linear("o_proj", width, hidden),
        ],
        scan: Some(Scan {
            heads,
            key_heads: heads,
            key_dim: head_dim,
            value_dim: head_dim,
            chunk: DELTA_CHUNK,
            delta: true,
        }),
        state: width.saturating_mul(head_dim.saturating_add(taps.saturating_mul(3))),
    });
    let full = match config.typed("layer_types", layers, &MIXED)? {
        Some(listed) => listed,
        None => (0..layers)
            .map(|at| match &listed {
                Some(listed) => listed.contains(&at.saturating_add(1)),
                None => at > 0 && at % 4 == 0,
            })
            .collect(),
    };
    let all = full.iter().enumerate().map(|(at, full)| {
        let feed = if is_dense.get(at).copied().unwrap_or(false) { dense } else { sparse };
        if *full { of("attention.", latent.clone(), feed) } else { of("delta.", delta.clone(), feed) }
    });
    config.hybrid(known, vocab, all.collect())
}

/// Lightning attention (MiniMax-01, arXiv:2501.08313) beside full attention.
fn minimax(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let heads = config.heads(known)?;
    let width = heads.heads.saturating_mul(heads.head_dim);
    let chunk = config.count(&["block_size"], 256)?;
    let lightning = Mixer::Recurrent(Recurrent {
        linears: vec![
            linear("qkv_proj", known.hidden, width.saturating_mul(3)),
            linear("output_gate", known.hidden, width),
            linear("out_proj", width, known.hidden),
        ],
        scan: Some(Scan {
            heads: heads.heads,
            key_heads: heads.heads,
            key_dim: heads.head_dim,
            value_dim: heads.head_dim,
            chunk,
            delta: false,
        }),
        state: width.saturating_mul(heads.head_dim),
    });
    let (feed, _) = config.feeds(known)?;
    let full = match config.numbers("attn_type_list", 1)? {
        Some(list) if u64::try_from(list.len()) == Ok(layers) => list.iter().map(|kind| *kind == 1).collect(),
        Some(list) => {
            let (key, given) = ("attn_type_list".into(), FoundValue::List { length: list.len() });
            return Err(Refusal::BadValue { key, given, allowed: Allowed::TypePerLayer });
        }
        None => match config.typed("layer_types", layers, &MIXED)? {
            Some(listed) => listed,
            None => (0..layers).map(|layer| layer % 2 == 0).collect(),
        },
    };
    let all = full.iter().map(|full| {
        if *full { of("attention.", Mixer::Heads(heads), feed) } else { of("lightning.", lightning.clone(), feed) }
    });
    config.hybrid(known, vocab, all.collect())
}

/// Short convolutions with gates, and attention in some layers.
fn lfm2(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let hidden = known.hidden;
    let heads = config.heads(known)?;
    let kinds = [("full_attention", true), ("conv", false)];
    let full = match config.typed("layer_types", layers, &kinds)? {
        Some(listed) => listed,
        None => {
            let full = config.numbers("full_attn_idxs", layers)?;
            (0..layers).map(|at| full.as_ref().is_none_or(|full| full.contains(&at))).collect()
        }
    };
    let taps = config.count(&["conv_L_cache"], 3)?;
    let conv = Mixer::Recurrent(Recurrent {
        linears: vec![linear("in_proj", hidden, hidden.saturating_mul(3)), linear("out_proj", hidden, hidden)],
        scan: None,
        state: hidden.saturating_mul(taps),
    });
    let (sparse, dense) = match config.family.forward {
        Forward::Experts(_) => config.feeds(known)?,
        _ => {
            let inner = config.count(&["block_ff_dim", "intermediate_size"], 12_288)?;
            let inner = if config.flag("block_auto_adjust_ff_dim", true)? {
                let share = config.fraction("block_ffn_dim_multiplier").unwrap_or(1.0);
                // As in the library: two thirds, times a share, rounded up to a multiple.
                let narrow = floor((inner.saturating_mul(2) / 3) as f64 * share);
                let each = config.count(&["block_multiple_of"], 256)?;
                narrow.div_ceil(each).saturating_mul(each)
            } else {
                inner
            };
            let feed = Feed::Gated { inner, fused: false };
            (feed, feed)
        }
    };
    let is_dense = config.dense_layers(layers)?;
    let all = full.iter().enumerate().map(|(at, full)| {
        let feed = if is_dense.get(at).copied().unwrap_or(false) { dense } else { sparse };
        if *full { of("attention.", Mixer::Heads(heads), feed) } else { of("conv.", conv.clone(), feed) }
    });
    config.hybrid(known, vocab, all.collect())
}

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
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts", "num_local_experts"], 512),
        per_token: count_with_default(PER_TOKEN, 10),
        inner: count_with_default(&["moe_intermediate_size"], 512),
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
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts", "num_local_experts"], 256),
        per_token: count_with_default(PER_TOKEN, 8),
        inner: count_with_default(&["moe_intermediate_size"], 512),
        shared: Shared::Gated(count_with_default(&["shared_expert_intermediate_size"], 512)),
        sparse: Sparse::All,
    }),
    ..QWEN3_NEXT
};

const KIMI_LINEAR: Family = Family {
    model_type: "kimi_linear",
    build: Build::Own(kimi_linear),
    vocab: vocab(163_840),
    hidden: hidden(2304),
    layers: layers(27),
    heads: heads(32),
    inner: inner(9216),
    attend: Attend::Latent(Latent { q_rank: None, ..LATENT }),
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts"], 256),
        per_token: count_with_default(&["num_experts_per_token", "num_experts_per_tok"], 8),
        inner: count_with_default(&["moe_intermediate_size"], 1024),
        shared: Shared::Experts(count_with_default(&["num_shared_experts", "n_shared_experts"], 1)),
        sparse: Sparse::AllBut(1),
    }),
    ..LLAMA
};

const MINIMAX: Family = Family {
    model_type: "minimax",
    build: Build::Own(minimax),
    kv_heads: kv(8),
    inner: inner(14_336),
    forward: Forward::Experts(Experts {
        experts: count_with_default(LOCAL_EXPERTS, 8),
        per_token: count_with_default(PER_TOKEN, 2),
        inner: inner(14_336),
        shared: Shared::None,
        sparse: Sparse::All,
    }),
    ..LLAMA
};

const LFM2: Family = Family {
    model_type: "lfm2",
    build: Build::Own(lfm2),
    vocab: vocab(65_536),
    hidden: hidden(2560),
    kv_heads: kv(8),
    head_dim: HEAD_DIM,
    ..LLAMA
};

const LFM2_MOE: Family = Family {
    model_type: "lfm2_moe",
    hidden: hidden(2048),
    inner: inner(7168),
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts", "num_local_experts"], 32),
        per_token: count_with_default(PER_TOKEN, 4),
        inner: count_with_default(&["moe_intermediate_size"], 1792),
        shared: Shared::None,
        sparse: Sparse::AllBut(2),
    }),
    ..LFM2
};

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 7] =
    [&QWEN3_NEXT, &QWEN3_5, &QWEN3_5_MOE, &KIMI_LINEAR, &MINIMAX, &LFM2, &LFM2_MOE];
