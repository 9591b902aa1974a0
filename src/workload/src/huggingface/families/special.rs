//! Decoders and encoders with parts that no table describes.

use super::decoders::LLAMA;
use super::hybrids::{Built, linear};
use super::{HEAD_DIM, PER_TOKEN, count_with_default, heads, hidden, inner, kv, layers, vocab};
use crate::huggingface::config::Config;
use crate::huggingface::layers::{Layer, grouped, within};
use crate::huggingface::rules::{Attend, Build, Count, Experts, Fallback, Family, Forward, Shared, Sparse, Window};
use crate::huggingface::{Allowed, FoundValue, Refusal};
use crate::json::Value;
use crate::limits::floor;
use crate::transformer::{ExpertForm, Feed, Head, Heads, Mixer, Reach, Stack, Transformer};

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
        form: ExpertForm::Gated,
        latent: None,
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
    let stack = Stack::of(true, grouped(all));
    config.decoder(known, vocab, vec![stack])
}

/// Attention whose output is gated by a linear layer.
fn afmoe(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let mixer = config.mixer(known)?;
    let mut stack = config.stack(known, &mixer, layers, true)?;
    if let Mixer::Heads(heads) = mixer {
        for layers in &mut stack.layers {
            layers.linears.push(linear("gate_proj", known.hidden, heads.heads.saturating_mul(heads.head_dim)));
        }
    }
    config.decoder(known, vocab, vec![stack])
}

/// Local and global attention by a list of patterns: `[[["global", "local"], 12]]`.
fn gpt_neo(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let mixer = config.mixer(known)?;
    let (feed, _) = config.feeds(known)?;
    let window = config.count(&["window_size"], 256)?;
    let bad = |given: &Value<'_>| Refusal::BadValue {
        key: "attention_types".into(),
        given: FoundValue::Value(given.shown()),
        allowed: Allowed::TypePerLayer,
    };
    let mut reaches = Vec::new();
    for pattern in config.list("attention_types")?.unwrap_or(&[]) {
        let Value::List(pair) = pattern else { return Err(bad(pattern)) };
        let [Value::List(kinds), Value::Number(times)] = &pair[..] else { return Err(bad(pattern)) };
        let times: u64 = times.parse().map_err(|_| bad(pattern))?;
        for _ in 0..times.min(layers) {
            for kind in kinds {
                reaches.push(match kind {
                    Value::Text(kind) if kind == "global" => Reach::All,
                    Value::Text(kind) if kind == "local" => Reach::Window(window),
                    other => return Err(bad(other)),
                });
            }
        }
    }
    if reaches.is_empty() {
        reaches = (0..layers).map(|at| if at % 2 == 0 { Reach::All } else { Reach::Window(window) }).collect();
    }
    if u64::try_from(reaches.len()) != Ok(layers) {
        let (key, given) = ("attention_types".into(), FoundValue::List { length: reaches.len() });
        return Err(Refusal::BadValue { key, given, allowed: Allowed::TypePerLayer });
    }
    let all = reaches.into_iter().map(|reach| Layer { reach, ..Layer::of(mixer.clone(), feed) });
    let stack = Stack::of(true, grouped(all));
    config.decoder(known, vocab, vec![stack])
}

/// The library has four times the width in the feed-forward part, whatever `expansion_ratio` says.
fn mpt(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let mixer = config.mixer(known)?;
    let feed = Feed::Plain { inner: known.hidden.saturating_mul(4) };
    let stack = Stack::of(true, grouped((0..layers).map(|_| Layer::of(mixer.clone(), feed))));
    config.decoder(known, vocab, vec![stack])
}

/// The `params.json` of LLaMA and Mistral, whose inner width may follow from two other keys.
fn params(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let mixer = config.mixer(known)?;
    let inner = match config.optional("hidden_dim", None)? {
        Some(inner) => inner,
        None => {
            // As in LLaMA's code: two thirds of four times the width, times a share, rounded up to a multiple.
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
        Feed::Gated { inner, fused: false }
    };
    let stack = Stack::of(true, grouped((0..layers).map(|_| Layer::of(mixer.clone(), feed))));
    config.decoder(known, vocab, vec![stack])
}

/// Keys of attention and experts in separate objects.
fn dbrx(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let kv_heads = config.inside("attn_config", |config| config.count(&["kv_n_heads"], 1))?;
    let head_dim = known.hidden / known.heads;
    let mixer = Mixer::Heads(Heads {
        heads: known.heads,
        kv_heads,
        head_dim,
        fused: true,
        shares_kv: false,
        keys_are_values: false,
    });
    let feed = config.inside("ffn_config", |config| {
        Ok::<_, Refusal>(Feed::Experts {
            experts: config.count(&["moe_num_experts"], 4)?,
            per_token: config.count(&["moe_top_k"], 1)?,
            inner: config.count(&["ffn_hidden_size"], 3584)?,
            shared: None,
            shared_gate: false,
            form: ExpertForm::Gated,
            latent: None,
        })
    })?;
    let stack = Stack::of(true, grouped((0..layers).map(|_| Layer::of(mixer.clone(), feed))));
    config.decoder(known, vocab, vec![stack])
}

/// A gated encoder with a window in two of three layers.
fn modernbert(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let mixer = config.mixer(known)?;
    let (feed, _) = config.feeds(known)?;
    // Half of the window on either side, and the token itself.
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
    let stack = Stack::of(false, grouped(all));
    Ok(Transformer { head: Head::Masked, ..config.decoder(known, vocab, vec![stack])? })
}

/// An encoder whose embedding is narrower than its layers.
fn electra(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let mixer = config.mixer(known)?;
    let stack = config.stack(known, &mixer, layers, false)?;
    let width = config.count(&["embedding_size"], 128)?;
    let embedding = Some(width).filter(|width| *width != known.hidden);
    Ok(Transformer { embedding, head: Head::Masked, ..config.decoder(known, vocab, vec![stack])? })
}

/// An encoder with the layers of LLaMA.
fn eurobert(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let mixer = config.mixer(known)?;
    let stack = config.stack(known, &mixer, layers, false)?;
    config.decoder(known, vocab, vec![stack])
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
const AFMOE: Family = Family {
    model_type: "afmoe",
    build: Build::Own(afmoe),
    vocab: vocab(200_192),
    hidden: hidden(2048),
    heads: heads(16),
    head_dim: Count { keys: &["head_dim"], missing: Fallback::Is(128), null: Fallback::PerHead },
    inner: inner(6144),
    forward: Forward::Experts(Experts {
        experts: count_with_default(&["num_experts", "num_local_experts"], 64),
        per_token: count_with_default(PER_TOKEN, 6),
        inner: count_with_default(&["moe_intermediate_size"], 1408),
        shared: Shared::Experts(count_with_default(&["num_shared_experts"], 2)),
        sparse: Sparse::AllBut(1),
    }),
    window: Window::Between { full_each: 4, missing: 1024 },
    ..LLAMA
};
const GPT_NEO: Family = Family {
    model_type: "gpt_neo",
    build: Build::Own(gpt_neo),
    vocab: vocab(50_257),
    hidden: hidden(2048),
    layers: count_with_default(&["num_layers", "num_hidden_layers"], 24),
    heads: count_with_default(&["num_heads", "num_attention_heads"], 16),
    kv_heads: super::ALL_HEADS,
    head_dim: super::PER_HEAD,
    inner: Count { keys: &["intermediate_size"], missing: Fallback::Hidden(4), null: Fallback::Hidden(4) },
    forward: Forward::Plain,
    ..LLAMA
};
const MPT: Family = Family {
    model_type: "mpt",
    build: Build::Own(mpt),
    vocab: vocab(50_368),
    hidden: count_with_default(&["d_model", "hidden_size"], 2048),
    layers: count_with_default(&["n_layers", "num_hidden_layers"], 24),
    heads: count_with_default(&["n_heads", "num_attention_heads"], 16),
    attend: Attend::Fused,
    ..GPT_NEO
};
const DBRX: Family = Family { model_type: "dbrx", build: Build::Own(dbrx), vocab: vocab(32_000), ..MPT };
pub(in crate::huggingface) static PARAMS: Family = Family {
    model_type: "params.json",
    build: Build::Own(params),
    vocab: Count { keys: &["vocab_size"], missing: Fallback::Refuse, null: Fallback::Refuse },
    hidden: count_with_default(&["dim"], 4096),
    layers: count_with_default(&["n_layers"], 32),
    heads: count_with_default(&["n_heads"], 32),
    kv_heads: Count { keys: &["n_kv_heads"], missing: Fallback::Heads, null: Fallback::Heads },
    ..LLAMA
};
const MODERNBERT: Family = Family {
    model_type: "modernbert",
    build: Build::Own(modernbert),
    vocab: vocab(50_368),
    hidden: hidden(768),
    layers: layers(22),
    heads: heads(12),
    kv_heads: super::ALL_HEADS,
    head_dim: super::PER_HEAD,
    inner: inner(1152),
    attend: Attend::Fused,
    forward: Forward::GatedFused,
    ..LLAMA
};
const ELECTRA: Family = Family {
    model_type: "electra",
    build: Build::Own(electra),
    vocab: vocab(30_522),
    hidden: hidden(256),
    layers: layers(12),
    heads: heads(4),
    inner: inner(1024),
    attend: Attend::Separate,
    forward: Forward::Plain,
    ..MODERNBERT
};
const NOMIC_BERT: Family = Family {
    model_type: "nomic_bert",
    build: Build::Encoder,
    vocab: vocab(30_528),
    layers: layers(12),
    inner: inner(3072),
    attend: Attend::Separate,
    forward: Forward::Gated,
    ..MODERNBERT
};
const EUROBERT: Family = Family {
    model_type: "eurobert",
    build: Build::Own(eurobert),
    vocab: vocab(128_256),
    hidden: hidden(768),
    layers: layers(12),
    heads: heads(12),
    head_dim: HEAD_DIM,
    inner: inner(3072),
    ..LLAMA
};

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 9] =
    [&LLAMA4, &AFMOE, &GPT_NEO, &MPT, &DBRX, &MODERNBERT, &ELECTRA, &NOMIC_BERT, &EUROBERT];
