//! Conversion of a configuration to layers, by the rules of its family.

use super::config::{Basics, Config};
use super::rules::{Attend, Build, Count, Experts, Fallback, Forward, Shared, Sparse, Window};
use super::{Allowed, FoundValue, Refusal};
use crate::json::Value;
use crate::note::Omitted;
use crate::transformer::{Feed, Head, Heads, Latent, Layers, Mixer, Stack, Transformer};
use crate::workload::LeftOut;

/// Maximum number of layers in a configuration.
const LAYERS_MAX: u64 = 10_000;

impl Config<'_> {
    /// Returns the dimensions of the model, by the rules of its family.
    pub(super) fn transformer(&mut self) -> Result<Transformer, Refusal> {
        let family = self.family;
        let nothing = Basics { hidden: 0, heads: 0 };
        let hidden = self.number(&family.hidden, nothing)?;
        let heads = self.number(&family.heads, nothing)?;
        let known = Basics { hidden, heads };
        let vocab = self.number(&family.vocab, nothing)?;
        let layers = self.layer_count(&family.layers)?;
        for key in ["is_decoder", "add_cross_attention"] {
            if !matches!(family.build, Build::EncoderDecoder) && self.flag(key, false)? {
                let (key, given) = (key.into(), FoundValue::Value(true.to_string()));
                return Err(Refusal::BadValue { key, given, allowed: Allowed::False });
            }
        }
        let mixer = self.mixer(known)?;
        let (head, stacks) = match family.build {
            Build::Decoder => (Head::Linear, vec![self.stack(known, mixer, layers, true)?]),
            Build::Encoder => (Head::Masked, vec![self.stack(known, mixer, layers, false)?]),
            Build::EncoderDecoder => {
                let encoder = Stack { prefix: "encoder.", ..self.stack(known, mixer, layers, false)? };
                let keys = &["num_decoder_layers"];
                let same = Count { keys, missing: Fallback::Is(layers), null: Fallback::Is(layers) };
                let deep = self.layer_count(&same)?;
                let mut decoder = Stack { prefix: "decoder.", ..self.stack(known, mixer, deep, true)? };
                for layers in &mut decoder.layers {
                    layers.cross = if let Mixer::Heads(heads) = mixer { Some(heads) } else { None };
                }
                (Head::Linear, vec![encoder, decoder])
            }
        };
        let embedding = if family.model_type == "opt" {
            self.optional("word_embed_proj_dim", None)?.filter(|width| *width != hidden)
        } else {
            None
        };
        let mut left_out = Vec::new();
        if let Some(layers) = self.optional("num_nextn_predict_layers", None)? {
            left_out.push(LeftOut::unknown(Omitted::PredictingLayers { count: layers }));
        }
        let (name, notes) = (String::new(), Vec::new());
        Ok(Transformer { name, hidden, embedding, vocab, head, stacks, left_out, notes })
    }

    fn layer_count(&mut self, number: &Count) -> Result<u64, Refusal> {
        self.number_to(number, Basics { hidden: 0, heads: 0 }, LAYERS_MAX)
    }

    fn mixer(&mut self, known: Basics) -> Result<Mixer, Refusal> {
        let family = self.family;
        let heads = known.heads;
        let (kv_heads, fused) = match family.attend {
            Attend::Latent => return self.latent(heads).map(Mixer::Latent),
            Attend::Separate => (self.number(&family.kv_heads, known)?, false),
            Attend::Fused => (self.number(&family.kv_heads, known)?, true),
            Attend::Falcon if self.flag("new_decoder_architecture", false)? => {
                (self.number(&family.kv_heads, known)?, true)
            }
            Attend::MultiQuery | Attend::Falcon => (if self.flag("multi_query", true)? { 1 } else { heads }, true),
        };
        if kv_heads > heads || !heads.is_multiple_of(kv_heads) {
            let key = family.kv_heads.keys.first().copied().unwrap_or("num_key_value_heads").into();
            let given = FoundValue::ForHeads { value: kv_heads, heads };
            return Err(Refusal::BadValue { key, given, allowed: Allowed::DivisorOfHeads });
        }
        let head_dim = self.number(&family.head_dim, known)?;
        Ok(Mixer::Heads(Heads { heads, kv_heads, head_dim, fused }))
    }

    fn latent(&mut self, heads: u64) -> Result<Latent, Refusal> {
        let nothing = Basics { hidden: 0, heads };
        let mut of = |keys, missing| {
            self.number(&Count { keys, missing: Fallback::Is(missing), null: Fallback::Refuse }, nothing)
        };
        let kv_rank = of(&["kv_lora_rank"], 512)?;
        let nope_dim = of(&["qk_nope_head_dim"], 128)?;
        let rope_dim = of(&["qk_rope_head_dim"], 64)?;
        let v_dim = of(&["v_head_dim"], 128)?;
        let q_rank = self.optional("q_lora_rank", Some(1536))?;
        Ok(Latent { heads, q_rank, kv_rank, nope_dim, rope_dim, v_dim })
    }

    /// Builds a stack of `count` layers and groups identical layers.
    fn stack(&mut self, known: Basics, mixer: Mixer, count: u64, causal: bool) -> Result<Stack, Refusal> {
        let windows = self.windows(count)?;
        let feeds = self.feeds(known)?;
        let dense = self.dense_layers(count)?;
        let mut layers: Vec<Layers> = Vec::new();
        for (layer, window) in windows.into_iter().enumerate() {
            let is_dense = dense.get(layer).copied().unwrap_or(false);
            let feed = if is_dense { feeds.1 } else { feeds.0 };
            match layers.iter_mut().find(|other| other.window == window && other.feed == feed) {
                Some(alike) => alike.count += 1,
                None => {
                    let prefix = String::new();
                    layers.push(Layers { prefix, count: 1, mixer, cross: None, feed, window });
                }
            }
        }
        if layers.len() > 1 {
            let mixed = layers.iter().any(|some| some.window != layers.first().and_then(|first| first.window));
            let sparse = |feed: Feed| matches!(feed, Feed::Experts { .. });
            let both = dense.contains(&true) && layers.iter().any(|some| sparse(some.feed));
            for some in &mut layers {
                let window = if some.window.is_some() { "sliding." } else { "full." };
                let feed = if sparse(some.feed) { "sparse." } else { "dense." };
                some.prefix = [(mixed, window), (both, feed)].iter().filter(|(on, _)| *on).map(|(_, it)| *it).collect();
            }
        }
        Ok(Stack { prefix: "", causal, layers })
    }

    /// Returns the feed-forward parts of layers with experts and of layers without experts. The two parts are equal in
    /// a family without experts.
    fn feeds(&mut self, known: Basics) -> Result<(Feed, Feed), Refusal> {
        let family = self.family;
        let gated = |inner| Feed::Gated { inner, fused: false };
        let one = match family.forward {
            Forward::Plain => Feed::Plain { inner: self.number(&family.inner, known)? },
            Forward::Gated => gated(self.number(&family.inner, known)?),
            Forward::GatedFused => Feed::Gated { inner: self.number(&family.inner, known)?, fused: true },
            Forward::Named(missing) => {
                let inner = self.number(&family.inner, known)?;
                if self.word("feed_forward_proj", missing)?.starts_with("gated") {
                    gated(inner)
                } else {
                    Feed::Plain { inner }
                }
            }
            Forward::Experts(rule) => {
                let sparse = self.experts(&rule, known)?;
                let dense = match rule.sparse {
                    Sparse::All => sparse,
                    Sparse::Step | Sparse::AllBut(_) => gated(self.number(&family.inner, known)?),
                };
                return Ok((sparse, dense));
            }
        };
        Ok((one, one))
    }

    fn experts(&mut self, rule: &Experts, known: Basics) -> Result<Feed, Refusal> {
        let experts = self.number(&rule.experts, known)?;
        let per_token = self.number(&rule.per_token, known)?;
        if per_token > experts {
            let (key, given) = ("num_experts_per_tok".into(), FoundValue::OfExperts { value: per_token, experts });
            return Err(Refusal::BadValue { key, given, allowed: Allowed::AtMostExperts });
        }
        let inner = self.number(&rule.inner, known)?;
        let (shared, shared_gate) = match rule.shared {
            Shared::None => (None, false),
            Shared::Gated(width) => (Some(self.number(&width, known)?), true),
            Shared::Experts(number) => (Some(self.number(&number, known)?.saturating_mul(inner)), false),
        };
        Ok(Feed::Experts { experts, per_token, inner, shared, shared_gate })
    }

    /// Returns a flag for each layer, true for layers without experts. Empty if no layer or every layer has experts.
    fn dense_layers(&mut self, layers: u64) -> Result<Vec<bool>, Refusal> {
        let Forward::Experts(Experts { sparse, .. }) = self.family.forward else { return Ok(Vec::new()) };
        match sparse {
            Sparse::All => Ok(Vec::new()),
            Sparse::AllBut(missing) => {
                let dense = self.optional("first_k_dense_replace", Some(missing))?.unwrap_or(0);
                Ok((0..layers).map(|layer| layer < dense).collect())
            }
            Sparse::Step => {
                let step = self.optional("decoder_sparse_step", Some(1))?.unwrap_or(1);
                let mut dense: Vec<bool> = (1..=layers).map(|layer| layer % step != 0).collect();
                for layer in self.list("mlp_only_layers")?.unwrap_or(&[]) {
                    let place = if let Value::Number(text) = layer { text.parse().ok() } else { None };
                    let Some(found) = place.and_then(|place: usize| dense.get_mut(place)) else {
                        let (key, given) = ("mlp_only_layers".into(), FoundValue::Value(layer.shown()));
                        return Err(Refusal::BadValue { key, given, allowed: Allowed::LayerIndex });
                    };
                    *found = true;
                }
                Ok(dense)
            }
        }
    }

    /// Returns the attention window of each layer; `None` means full attention.
    fn windows(&mut self, layers: u64) -> Result<Vec<Option<u64>>, Refusal> {
        let all = |window: Option<u64>| (0..layers).map(|_| window).collect();
        match self.family.window {
            Window::None => Ok(all(None)),
            Window::All(missing) => Ok(all(self.optional("sliding_window", missing)?)),
            Window::AllIfUsed | Window::LateIfUsed | Window::ListedIfUsed
                if !self.flag("use_sliding_window", false)? =>
            {
                Ok(all(None))
            }
            Window::AllIfUsed => Ok(all(self.optional("sliding_window", Some(4096))?)),
            Window::LateIfUsed => {
                let window = self.optional("sliding_window", Some(4096))?;
                if let Some(listed) = self.listed(layers, window)? {
                    return Ok(listed);
                }
                let from = self.optional("max_window_layers", Some(28))?.unwrap_or(0);
                Ok((0..layers).map(|layer| window.filter(|_| layer >= from)).collect())
            }
            Window::ListedIfUsed => {
                let window = self.optional("sliding_window", None)?;
                self.listed(layers, window)?.ok_or(Refusal::Missing { key: "layer_types" })
            }
            Window::Between { full_each, missing } => {
                let window = self.optional("sliding_window", Some(missing))?;
                if let Some(listed) = self.listed(layers, window)? {
                    return Ok(listed);
                }
                let each = match self.optional("sliding_window_pattern", None)? {
                    Some(each) => each,
                    None => self.optional("_sliding_window_pattern", None)?.unwrap_or(full_each),
                };
                Ok((1..=layers).map(|layer| window.filter(|_| layer % each != 0)).collect())
            }
        }
    }

    /// Reads `layer_types`, and returns the attention window of each layer. `None` if the configuration has no such
    /// list.
    fn listed(&self, layers: u64, window: Option<u64>) -> Result<Option<Vec<Option<u64>>>, Refusal> {
        let Some(list) = self.list("layer_types")? else { return Ok(None) };
        if u64::try_from(list.len()) != Ok(layers) {
            let (key, given) = ("layer_types".into(), FoundValue::List { length: list.len() });
            return Err(Refusal::BadValue { key, given, allowed: Allowed::TypePerLayer });
        }
        let each = list.iter().map(|kind| match kind {
            Value::Text(word) if word == "full_attention" => Ok(None),
            Value::Text(word) if word == "sliding_attention" => Ok(window),
            other => {
                let (key, given) = ("layer_types".into(), FoundValue::Value(other.shown()));
                Err(Refusal::BadValue { key, given, allowed: Allowed::LayerType })
            }
        });
        each.collect::<Result<Vec<_>, _>>().map(Some)
    }
}
