//! The Gemma models for phones and their successors, with parts beside the usual layers.

use super::decoders::LLAMA;
use super::hybrids::{Built, linear};
use super::{head_dim, heads, hidden, kv, layers, vocab};
use crate::huggingface::Refusal;
use crate::huggingface::config::Config;
use crate::huggingface::layers::{Layer, grouped};
use crate::huggingface::rules::{Build, Family, Window};
use crate::product::Kind;
use crate::transformer::{End, ExpertForm, Feed, Heads, Linear, Mixer, Reach, Rows, Stack};

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

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 2] = [&GEMMA3N, &GEMMA4];
