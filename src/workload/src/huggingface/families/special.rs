//! Decoders and encoders with parts that no table describes.

use super::decoders::LLAMA;
use super::{HEAD_DIM, PER_TOKEN, count_with_default, head_dim, heads, hidden, inner, kv, layers, vocab};
use crate::huggingface::config::Config;
use crate::huggingface::layers::{Layer, grouped, within};
use crate::huggingface::rules::{Attend, Build, Count, Experts, Fallback, Family, Forward, Shared, Sparse, Window};
use crate::huggingface::{Allowed, FoundValue, Refusal};
use crate::json::Value;
use crate::product::Kind;
use crate::transformer::{End, ExpertForm, Feed, Head, Heads, Linear, Mixer, Reach, Rows, Stack, Transformer};

type Built = Result<Transformer, Refusal>;

const fn linear(name: &'static str, input: u64, output: u64) -> Linear {
    Linear { name, input, output }
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

/// Four streams that are mixed in each layer (AltUp), small side branches (LAuReL), and embeddings of each layer.
fn gemma3n(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let hidden = known.hidden;
    let Mixer::Heads(heads) = config.mixer(known)? else { return Err(Refusal::Missing { key: "num_attention_heads" }) };
    let inner = config.each_layer("intermediate_size", layers, 16_384)?;
    let each = config.count(&["hidden_size_per_layer_input"], 256)?;
    let streams = config.count(&["altup_num_inputs"], 4)?;
    let rank = config.count(&["laurel_rank"], 64)?;
    let shared = config.optional("num_kv_shared_layers", Some(15))?.unwrap_or(0);
    let linears = vec![
        // The router runs before and after the layer.
        linear("altup.predict_router", hidden, streams),
        linear("altup.predict_coefs", streams, streams.saturating_mul(streams)),
        linear("laurel.left", hidden, rank),
        linear("laurel.right", rank, hidden),
        linear("altup.correct_router", hidden, streams),
        linear("altup.correct_coefs", streams, streams),
        linear("per_layer_gate", hidden, each),
        linear("per_layer_proj", each, hidden),
    ];
    let reaches = config.reaches(layers)?;
    let all = reaches.into_iter().zip(inner).zip(0..layers).map(|((reach, inner), at)| {
        let shares_kv = at >= layers.saturating_sub(shared);
        let kind = if shares_kv { "shared." } else { "" };
        let mixer = Mixer::Heads(Heads { shares_kv, ..heads });
        let feed = Feed::Gated { inner, fused: false };
        Layer { kind, reach, linears: linears.clone(), ..Layer::of(mixer, feed) }
    });
    let end =
        |name, output, count| End { name, kind: Kind::Weights, rows: Rows::Positions, input: hidden, output, count };
    let others = streams.saturating_sub(1);
    let ends = vec![
        end("per_layer_model_proj", layers.saturating_mul(each), 1),
        end("altup.proj", hidden, others),
        end("altup.unembed_proj", hidden, others),
    ];
    let stack = Stack { ends, ..Stack::of(true, grouped(all)) };
    config.decoder(known, vocab, vec![stack])
}

/// Wider heads in full layers, and optional embeddings of each layer and experts beside the feed-forward part.
fn gemma4(config: &mut Config<'_>) -> Built {
    let (known, vocab, layers) = config.basics()?;
    let hidden = known.hidden;
    let Mixer::Heads(narrow) = config.mixer(known)? else {
        return Err(Refusal::Missing { key: "num_attention_heads" });
    };
    let inner = config.count(&["intermediate_size"], 9216)?;
    let keys_are_values = config.flag("attention_k_eq_v", false)?;
    let global = config.optional("num_global_key_value_heads", None)?.filter(|_| keys_are_values);
    let wide = Heads {
        head_dim: config.count(&["global_head_dim"], 512)?,
        kv_heads: global.unwrap_or(narrow.kv_heads),
        keys_are_values,
        ..narrow
    };
    let shared = config.optional("num_kv_shared_layers", None)?.unwrap_or(0);
    let doubles = config.flag("use_double_wide_mlp", false)?;
    let each = config.optional("hidden_size_per_layer_input", Some(256))?;
    let mut linears: Vec<Linear> = Vec::new();
    if let Some(each) = each {
        linears.extend([linear("per_layer_gate", hidden, each), linear("per_layer_proj", each, hidden)]);
    }
    let experts = if config.flag("enable_moe_block", false)? {
        let experts = config.required(&["num_experts"])?;
        let per_token = config.required(&["top_k_experts"])?;
        let inner = config.required(&["moe_intermediate_size"])?;
        Some((experts, per_token, inner))
    } else {
        None
    };
    let mut reaches = config.reaches(layers)?;
    if let Some(last) = reaches.last_mut() {
        *last = Reach::All;
    }
    let all = reaches.into_iter().zip(0..layers).map(|(reach, at)| {
        let shares_kv = at >= layers.saturating_sub(shared);
        let heads = Heads { shares_kv, ..if reach == Reach::All { wide } else { narrow } };
        let inner = if shares_kv && doubles { inner.saturating_mul(2) } else { inner };
        // The feed-forward part works beside the experts, as a shared expert does.
        let feed = match experts {
            Some((experts, per_token, own)) => {
                let form = ExpertForm::Gated;
                Feed::Experts {
                    experts,
                    per_token,
                    inner: own,
                    shared: Some(inner),
                    shared_gate: false,
                    form,
                    latent: None,
                }
            }
            None => Feed::Gated { inner, fused: false },
        };
        let kind = if shares_kv { "shared." } else { "" };
        Layer { kind, reach, linears: linears.clone(), ..Layer::of(Mixer::Heads(heads), feed) }
    });
    let projection = each.map(|each| End {
        name: "per_layer_model_proj",
        kind: Kind::Weights,
        rows: Rows::Positions,
        input: hidden,
        output: layers.saturating_mul(each),
        count: 1,
    });
    let stack = Stack { ends: projection.into_iter().collect(), ..Stack::of(true, grouped(all)) };
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
            let narrow = ((known.hidden.saturating_mul(8) / 3) as f64 * share) as u64;
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

/// Keys of attention and experts in objects of their own.
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
const GEMMA3N: Family = Family {
    model_type: "gemma3n_text",
    build: Build::Own(gemma3n),
    vocab: vocab(262_400),
    hidden: hidden(2048),
    layers: layers(35),
    heads: heads(8),
    kv_heads: kv(2),
    head_dim: head_dim(256),
    window: Window::Between { full_each: 5, missing: 512 },
    ..LLAMA
};
const GEMMA4: Family = Family {
    model_type: "gemma4_text",
    build: Build::Own(gemma4),
    vocab: vocab(262_144),
    hidden: hidden(2304),
    layers: layers(30),
    heads: heads(8),
    kv_heads: kv(4),
    head_dim: head_dim(256),
    window: Window::Between { full_each: 6, missing: 512 },
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
pub(in crate::huggingface) static ALL: [&Family; 11] =
    [&LLAMA4, &GEMMA3N, &GEMMA4, &AFMOE, &GPT_NEO, &MPT, &DBRX, &MODERNBERT, &ELECTRA, &NOMIC_BERT, &EUROBERT];
