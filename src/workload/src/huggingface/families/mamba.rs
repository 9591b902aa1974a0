//! Decoders with the state-space layers of Mamba and Mamba-2.

use super::decoders::LLAMA;
use super::hybrids::{Built, linear, of};
use super::{PER_TOKEN, count_with_default, inner, kv, vocab};
use crate::huggingface::config::{Basics, Config};
use crate::huggingface::layers::Layer;
use crate::huggingface::rules::{Build, Count, Fallback, Family};
use crate::huggingface::{Allowed, FoundValue, Refusal};
use crate::transformer::{ExpertForm, Feed, Mixer, Recurrent, Scan};

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

const MAMBA_MIXED: [(&str, bool); 4] =
    [("attention", true), ("full_attention", true), ("mamba", false), ("linear_attention", false)];

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
    let inner = config.optional("intermediate_size", None)?.unwrap_or(expand.saturating_mul(hidden));
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

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 8] =
    [&GRANITE_HYBRID, &BAMBA, &FALCON_H1, &NEMOTRON_H, &JAMBA, &MAMBA, &FALCON_MAMBA, &MAMBA2];
