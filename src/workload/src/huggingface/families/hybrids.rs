//! Decoders with recurrences in place of some or all attention: state-space layers, linear attention and short
//! convolutions.

use super::decoders::LLAMA;
use super::experts::LATENT;
use super::{
    HEAD_DIM, LOCAL_EXPERTS, PER_TOKEN, count_with_default, head_dim, heads, hidden, inner, kv, layers, vocab,
};
use crate::huggingface::config::{Basics, Config};
use crate::huggingface::layers::{Layer, grouped};
use crate::huggingface::rules::{Attend, Build, Count, Experts, Fallback, Family, Forward, Shared, Sparse};
use crate::huggingface::{Allowed, FoundValue, Refusal};
use crate::transformer::{ExpertForm, Feed, Heads, Latent, Linear, Mixer, Recurrent, Scan, Stack, Transformer};

type Built = Result<Transformer, Refusal>;

/// Tokens in a chunk of Gated DeltaNet in the transformers library.
const DELTA_CHUNK: u64 = 64;

const fn linear(name: &'static str, input: u64, output: u64) -> Linear {
    Linear { name, input, output }
}

/// Widths of a Mamba-2 layer.
struct Mamba2 {
    heads: u64,
    head_dim: u64,
    groups: u64,
    state: u64,
    conv: u64,
    chunk: u64,
}

impl Mamba2 {
    fn mixer(&self, hidden: u64) -> Mixer {
        let inner = self.heads.saturating_mul(self.head_dim);
        let shared = self.groups.saturating_mul(self.state).saturating_mul(2);
        let conv = inner.saturating_add(shared);
        // The input projection also computes a gate and the step size of each head.
        let projected = conv.saturating_add(inner).saturating_add(self.heads);
        Mixer::Recurrent(Recurrent {
            linears: vec![linear("in_proj", hidden, projected), linear("out_proj", inner, hidden)],
            scan: Some(Scan {
                heads: self.heads,
                key_heads: self.groups,
                key_dim: self.state,
                value_dim: self.head_dim,
                chunk: self.chunk,
                delta: false,
            }),
            state: inner.saturating_mul(self.state).saturating_add(conv.saturating_mul(self.conv)),
        })
    }
}

/// A layer of Mamba (arXiv:2312.00752), whose recurrence has no matmuls.
fn mamba1(hidden: u64, inner: u64, state: u64, conv: u64, rank: u64) -> Mixer {
    Mixer::Recurrent(Recurrent {
        linears: vec![
            linear("in_proj", hidden, inner.saturating_mul(2)),
            linear("x_proj", inner, rank.saturating_add(state.saturating_mul(2))),
            linear("dt_proj", rank, inner),
            linear("out_proj", inner, hidden),
        ],
        scan: None,
        state: inner.saturating_mul(state.saturating_add(conv)),
    })
}

impl Config<'_> {
    /// Reads the Mamba-2 widths of Bamba, Granite 4 and Falcon-H1; `inner` is their common inner width.
    fn mamba2(&mut self, inner: u64) -> Result<Mamba2, Refusal> {
        let heads = self.count(&["mamba_n_heads"], 128)?;
        let head_dim = self.automatic("mamba_d_head")?.unwrap_or(inner / heads.max(1));
        Ok(Mamba2 {
            heads,
            head_dim,
            groups: self.count(&["mamba_n_groups"], 1)?,
            state: self.count(&["mamba_d_state"], 256)?,
            conv: self.count(&["mamba_d_conv"], 4)?,
            chunk: self.count(&["mamba_chunk_size"], 256)?,
        })
    }

    fn hybrid(&mut self, known: Basics, vocab: u64, all: Vec<Layer>) -> Built {
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
    fn heads(&mut self, known: Basics) -> Result<Heads, Refusal> {
        match self.mixer(known)? {
            Mixer::Heads(heads) => Ok(heads),
            Mixer::Latent(_) | Mixer::Recurrent(_) => Err(Refusal::Missing { key: "num_attention_heads" }),
        }
    }
}

const MIXED: [(&str, bool); 2] = [("full_attention", true), ("linear_attention", false)];
const MAMBA_MIXED: [(&str, bool); 4] =
    [("attention", true), ("full_attention", true), ("mamba", false), ("linear_attention", false)];

fn of(kind: &'static str, mixer: Mixer, feed: Feed) -> Layer {
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

/// Mamba-2 and attention, each with experts that all layers share, or without experts.
fn granite_hybrid(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let heads = config.heads(known)?;
    let expand = config.count(&["mamba_expand"], 2)?;
    let mamba = config.mamba2(expand.saturating_mul(known.hidden))?.mixer(known.hidden);
    let shared = config.count(&["shared_intermediate_size"], 1024)?;
    let feed = match config.optional("num_local_experts", Some(8))? {
        Some(experts) => Feed::Experts {
            experts,
            per_token: config.count(PER_TOKEN, 2)?,
            inner: config.count(&["intermediate_size"], 11_008)?,
            shared: Some(shared),
            shared_gate: false,
            form: ExpertForm::Gated,
            latent: None,
        },
        None => Feed::Gated { inner: shared, fused: true },
    };
    let listed = config.typed("layer_types", layers, &MAMBA_MIXED)?;
    let full = match listed {
        Some(listed) => listed,
        None => config.typed("layers_block_type", layers, &MAMBA_MIXED)?.unwrap_or_default(),
    };
    let all = (0..usize::try_from(layers).unwrap_or(0)).map(|at| {
        let is_full = full.get(at).copied().unwrap_or(false);
        if is_full { of("attention.", Mixer::Heads(heads), feed) } else { of("mamba.", mamba.clone(), feed) }
    });
    config.hybrid(known, vocab, all.collect())
}

/// Mamba-2, with attention at the indices of a list.
fn bamba(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let heads = config.heads(known)?;
    let expand = config.count(&["mamba_expand"], 2)?;
    let mamba = config.mamba2(expand.saturating_mul(known.hidden))?.mixer(known.hidden);
    let (feed, _) = config.feeds(known)?;
    let full = config.numbers("attn_layer_indices", layers)?.unwrap_or_default();
    let all = (0..layers).map(|at| {
        if full.contains(&at) { of("attention.", Mixer::Heads(heads), feed) } else { of("mamba.", mamba.clone(), feed) }
    });
    config.hybrid(known, vocab, all.collect())
}

/// Attention and Mamba-2 side by side in every layer.
fn falcon_h1(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let heads = config.heads(known)?;
    let expand = config.count(&["mamba_expand"], 2)?;
    let inner = match config.optional("mamba_d_ssm", Some(1024))? {
        Some(inner) => inner,
        None => expand.saturating_mul(known.hidden),
    };
    let mamba = config.mamba2(inner)?.mixer(known.hidden);
    let (feed, _) = config.feeds(known)?;
    let layer = Layer { mixers: vec![mamba, Mixer::Heads(heads)], ..of("", Mixer::Heads(heads), feed) };
    config.hybrid(known, vocab, (0..layers).map(|_| layer.clone()).collect())
}

/// Blocks of one part each: Mamba-2, attention, a feed-forward part or experts.
fn nemotron_h(config: &mut Config<'_>) -> Built {
    let hidden = config.count(&["hidden_size"], 4096)?;
    let heads = config.count(&["num_attention_heads"], 32)?;
    let vocab = config.count(&["vocab_size"], 131_072)?;
    let known = Basics { hidden, heads };
    let heads = config.heads(known)?;
    let mamba = Mamba2 {
        heads: config.count(&["mamba_num_heads"], 128)?,
        head_dim: config.count(&["mamba_head_dim"], 64)?,
        groups: config.count(&["mamba_n_groups", "n_groups"], 8)?,
        state: config.count(&["ssm_state_size"], 128)?,
        conv: config.count(&["mamba_d_conv", "conv_kernel"], 4)?,
        chunk: config.count(&["mamba_chunk_size", "chunk_size"], 128)?,
    };
    let plain = Feed::Plain { inner: config.count(&["intermediate_size"], 21_504)? };
    let mut blocks = config.blocks()?;
    let feed = if blocks.contains(&Block::Experts) {
        let inner = config.count(&["moe_intermediate_size"], 7688)?;
        let shared = config.count(&["moe_shared_expert_intermediate_size"], 7688)?;
        let shared = config.optional("n_shared_experts", Some(1))?.map(|_| shared);
        let experts = config.count(&["n_routed_experts"], 8)?;
        let per_token = config.count(PER_TOKEN, 2)?;
        let latent = config.optional("moe_latent_size", None)?;
        Feed::Experts { experts, per_token, inner, shared, shared_gate: false, form: ExpertForm::Plain, latent }
    } else {
        Feed::None
    };
    let bare = |kind, feed| Layer { mixers: Vec::new(), ..of(kind, Mixer::Heads(heads), feed) };
    let all = blocks.drain(..).map(|block| match block {
        Block::Mamba => of("mamba.", mamba.mixer(hidden), Feed::None),
        Block::Attention => of("attention.", Mixer::Heads(heads), Feed::None),
        Block::Feed => bare("mlp.", plain),
        Block::Experts => bare("moe.", feed),
    });
    let all = all.collect();
    config.hybrid(known, vocab, all)
}

/// Part of a Nemotron-H block.
#[derive(Clone, Copy, PartialEq)]
enum Block {
    Mamba,
    Attention,
    Feed,
    Experts,
}

impl Config<'_> {
    /// Reads `hybrid_override_pattern`, with one letter for each block, or a list of words.
    fn blocks(&mut self) -> Result<Vec<Block>, Refusal> {
        if self.has("hybrid_override_pattern") {
            let pattern = self.word("hybrid_override_pattern", "")?;
            let each = pattern.chars().map(|letter| match letter {
                'M' => Ok(Block::Mamba),
                '*' => Ok(Block::Attention),
                '-' => Ok(Block::Feed),
                'E' => Ok(Block::Experts),
                other => Err(Refusal::BadValue {
                    key: "hybrid_override_pattern".into(),
                    given: FoundValue::Value(plain::quote(&other.to_string())),
                    allowed: Allowed::OneOf(vec!["M", "*", "-", "E"]),
                }),
            });
            return each.collect();
        }
        let kinds = [
            ("mamba", Block::Mamba),
            ("linear_attention", Block::Mamba),
            ("attention", Block::Attention),
            ("full_attention", Block::Attention),
            ("mlp", Block::Feed),
            ("moe", Block::Experts),
        ];
        let key = if self.has("layer_types") { "layer_types" } else { "layers_block_type" };
        let length = self.list(key)?.map_or(0, |list| list.len() as u64);
        let listed = self.typed(key, length, &kinds)?;
        Ok(listed.unwrap_or_else(|| vec![Block::Mamba, Block::Experts, Block::Attention, Block::Feed]))
    }
}

/// Mamba with attention and experts in every few layers.
fn jamba(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let heads = config.heads(known)?;
    let expand = config.count(&["mamba_expand"], 2)?;
    let rank = config.automatic("mamba_dt_rank")?.unwrap_or(known.hidden.div_ceil(16));
    let state = config.count(&["mamba_d_state"], 16)?;
    let conv = config.count(&["mamba_d_conv"], 4)?;
    let mamba = mamba1(known.hidden, expand.saturating_mul(known.hidden), state, conv, rank);
    let inner = config.count(&["intermediate_size"], 14_336)?;
    let experts = config.count(&["num_experts"], 16)?;
    let per_token = config.count(PER_TOKEN, 2)?;
    let dense = Feed::Gated { inner, fused: false };
    let sparse = if experts > 1 {
        Feed::Experts {
            experts,
            per_token,
            inner,
            shared: None,
            shared_gate: false,
            form: ExpertForm::Gated,
            latent: None,
        }
    } else {
        dense
    };
    let expert_period = config.count(&["expert_layer_period"], 2)?;
    let expert_offset = config.optional("expert_layer_offset", Some(1))?.unwrap_or(0);
    let full_period = config.count(&["attn_layer_period"], 8)?;
    let full_offset = config.optional("attn_layer_offset", Some(4))?.unwrap_or(0);
    let all = (0..layers).map(|at| {
        let feed = if at % expert_period == expert_offset { sparse } else { dense };
        if at % full_period == full_offset {
            of("attention.", Mixer::Heads(heads), feed)
        } else {
            of("mamba.", mamba.clone(), feed)
        }
    });
    config.hybrid(known, vocab, all.collect())
}

/// Mamba alone.
fn mamba(config: &mut Config<'_>) -> Built {
    let hidden = config.count(&["hidden_size", "d_model"], 768)?;
    let vocab = config.count(&["vocab_size"], 50_280)?;
    let layers = config.layer_count(&count_with_default(&["num_hidden_layers", "n_layer"], 32))?;
    let state = config.count(&["state_size"], 16)?;
    let conv = config.count(&["conv_kernel"], 4)?;
    let expand = config.count(&["expand"], 2)?;
    let inner = expand.saturating_mul(hidden);
    let rank = config.automatic("time_step_rank")?.unwrap_or(hidden.div_ceil(16));
    let layer = of("", mamba1(hidden, inner, state, conv, rank), Feed::None);
    config.hybrid(Basics { hidden, heads: 0 }, vocab, (0..layers).map(|_| layer.clone()).collect())
}

/// Mamba-2 alone.
fn mamba2(config: &mut Config<'_>) -> Built {
    let hidden = config.count(&["hidden_size", "d_model"], 4096)?;
    let vocab = config.count(&["vocab_size"], 32_768)?;
    let layers = config.layer_count(&count_with_default(&["num_hidden_layers", "n_layer"], 64))?;
    let mamba = Mamba2 {
        heads: config.count(&["num_heads"], 128)?,
        head_dim: config.count(&["head_dim"], 64)?,
        groups: config.count(&["n_groups"], 8)?,
        state: config.count(&["state_size"], 128)?,
        conv: config.count(&["conv_kernel"], 4)?,
        chunk: config.count(&["chunk_size"], 256)?,
    };
    let layer = of("", mamba.mixer(hidden), Feed::None);
    config.hybrid(Basics { hidden, heads: 0 }, vocab, (0..layers).map(|_| layer.clone()).collect())
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
                let narrow = ((inner.saturating_mul(2) / 3) as f64 * share) as u64;
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
const GRANITE_HYBRID: Family = Family { model_type: "granitemoehybrid", build: Build::Own(granite_hybrid), ..LLAMA };
const BAMBA: Family = Family {
    model_type: "bamba",
    build: Build::Own(bamba),
    vocab: vocab(128_000),
    kv_heads: kv(8),
    inner: inner(14_336),
    ..LLAMA
};
const FALCON_H1: Family = Family { model_type: "falcon_h1", build: Build::Own(falcon_h1), ..BAMBA };
const NEMOTRON_H: Family = Family {
    model_type: "nemotron_h",
    build: Build::Own(nemotron_h),
    kv_heads: kv(8),
    head_dim: Count { keys: &["attention_head_dim", "head_dim"], missing: Fallback::Is(128), null: Fallback::PerHead },
    ..LLAMA
};
const JAMBA: Family =
    Family { model_type: "jamba", build: Build::Own(jamba), vocab: vocab(65_536), kv_heads: kv(8), ..LLAMA };
const MAMBA: Family = Family { model_type: "mamba", build: Build::Own(mamba), ..LLAMA };
const FALCON_MAMBA: Family = Family { model_type: "falcon_mamba", ..MAMBA };
const MAMBA2: Family = Family { model_type: "mamba2", build: Build::Own(mamba2), ..LLAMA };
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
pub(in crate::huggingface) static ALL: [&Family; 15] = [
    &QWEN3_NEXT,
    &QWEN3_5,
    &QWEN3_5_MOE,
    &KIMI_LINEAR,
    &MINIMAX,
    &GRANITE_HYBRID,
    &BAMBA,
    &FALCON_H1,
    &NEMOTRON_H,
    &JAMBA,
    &MAMBA,
    &FALCON_MAMBA,
    &MAMBA2,
    &LFM2,
    &LFM2_MOE,
];
