//! Conversion of a configuration to layers, by the rules of its family.

use super::config::{Basics, Config};
use super::rules::{Attend, Build, Experts, Fallback, Forward, Shared, Sparse, Window};
use super::{Allowed, FoundValue, Refusal};
use crate::json::Value;
use crate::note::Omitted;
use crate::transformer::{Feed, Head, Heads, Latent, Layers, Linear, Mixer, Reach, Transformer};
use crate::workload::LeftOut;

/// Parts of one layer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layer {
    /// Kind of the layer, which becomes a prefix of its matmuls' names if the kinds differ: `mamba.`
    pub(super) kind: &'static str,
    pub(super) mixer: Mixer,
    pub(super) feed: Feed,
    pub(super) linears: Vec<Linear>,
    pub(super) reach: Reach,
}

impl Layer {
    pub(super) fn of(mixer: Mixer, feed: Feed) -> Self {
        Self { kind: "", mixer, feed, linears: Vec::new(), reach: Reach::All }
    }
}

/// Maximum number of layers in a configuration.
const LAYERS_MAX: u64 = 10_000;

impl Config<'_> {
    /// Returns the dimensions of the model, by the rules of its family.
    pub(super) fn transformer(&mut self) -> Result<Transformer, Refusal> {
        let family = self.family;
        if let Build::Own(build) = family.build {
            return build(self);
        }
        let (known, vocab, layers) = self.basics()?;
        for key in ["is_decoder", "add_cross_attention"] {
            if self.flag(key, false)? {
                let (key, given) = (key.into(), FoundValue::Value(true.to_string()));
                return Err(Refusal::BadValue { key, given, allowed: Allowed::False });
            }
        }
        let mixer = self.mixer(known)?;
        let stack = self.stack(known, &mixer, layers)?;
        let decoder = self.decoder(known, vocab, stack)?;
        Ok(match family.build {
            Build::Encoder => Transformer { causal: false, head: Head::Masked, ..decoder },
            Build::Decoder | Build::Own(_) => decoder,
        })
    }

    /// Returns the widths of the model, its vocabulary and its number of layers.
    pub(super) fn basics(&mut self) -> Result<(Basics, u64, u64), Refusal> {
        let family = self.family;
        let nothing = Basics { hidden: 0, heads: 0 };
        let hidden = self.number(&family.hidden, nothing)?;
        let heads = self.number(&family.heads, nothing)?;
        let vocab = self.number(&family.vocab, nothing)?;
        let layers = self.number_to(&family.layers, nothing, LAYERS_MAX)?;
        Ok((Basics { hidden, heads }, vocab, layers))
    }

    /// Returns a decoder with a linear head over the vocabulary.
    pub(super) fn decoder(&mut self, known: Basics, vocab: u64, layers: Vec<Layers>) -> Result<Transformer, Refusal> {
        let mut left_out = Vec::new();
        if let Some(count) = self.optional("num_nextn_predict_layers", None)? {
            left_out.push(LeftOut::unknown(Omitted::PredictingLayers { count }));
        }
        let (name, hidden, notes) = (String::new(), known.hidden, Vec::new());
        let is_tied = self.flag("tie_word_embeddings", self.family.is_tied)?;
        Ok(Transformer { name, hidden, vocab, head: Head::Linear, is_tied, causal: true, layers, left_out, notes })
    }

    pub(super) fn mixer(&mut self, known: Basics) -> Result<Mixer, Refusal> {
        let family = self.family;
        let heads = known.heads;
        let (kv_heads, fused) = match family.attend {
            Attend::Latent(missing) => return self.latent(heads, &missing).map(Mixer::Latent),
            Attend::Separate => (self.number(&family.kv_heads, known)?, false),
            Attend::Fused => (self.number(&family.kv_heads, known)?, true),
        };
        if kv_heads > heads || !heads.is_multiple_of(kv_heads) {
            let key = family.kv_heads.keys.first().copied().unwrap_or("num_key_value_heads").into();
            let given = FoundValue::ForHeads { value: kv_heads, heads };
            return Err(Refusal::BadValue { key, given, allowed: Allowed::DivisorOfHeads });
        }
        let head_dim = self.number(&family.head_dim, known)?;
        Ok(Mixer::Heads(Heads { heads, kv_heads, head_dim, fused }))
    }

    /// Reads the widths of latent attention; `missing` has their defaults.
    pub(super) fn latent(&mut self, heads: u64, missing: &Latent) -> Result<Latent, Refusal> {
        let kv_rank = self.count(&["kv_lora_rank"], missing.kv_rank)?;
        let nope_dim = self.count(&["qk_nope_head_dim"], missing.nope_dim)?;
        let rope_dim = self.count(&["qk_rope_head_dim"], missing.rope_dim)?;
        let v_dim = self.count(&["v_head_dim"], missing.v_dim)?;
        let q_rank = self.optional("q_lora_rank", missing.q_rank)?;
        Ok(Latent { heads, q_rank, kv_rank, nope_dim, rope_dim, v_dim, expands: false })
    }

    /// Returns `count` layers that differ at most in their windows and experts.
    fn stack(&mut self, known: Basics, mixer: &Mixer, count: u64) -> Result<Vec<Layers>, Refusal> {
        let reaches = self.reaches(count)?;
        let feeds = self.feeds(known)?;
        let dense = self.dense_layers(count)?;
        let layers = reaches.into_iter().enumerate().map(|(layer, reach)| {
            let feed = if dense.get(layer).copied().unwrap_or(false) { feeds.1 } else { feeds.0 };
            Layer { reach, ..Layer::of(mixer.clone(), feed) }
        });
        Ok(grouped(layers))
    }

    /// Returns the feed-forward parts of layers with experts and of layers without experts. The two parts are equal in
    /// a family without experts.
    pub(super) fn feeds(&mut self, known: Basics) -> Result<(Feed, Feed), Refusal> {
        let family = self.family;
        let gated = |inner| Feed::Gated { inner, fused: false };
        let one = match family.forward {
            Forward::Plain => Feed::Plain { inner: self.number(&family.inner, known)? },
            Forward::Gated => gated(self.number(&family.inner, known)?),
            Forward::GatedFused => Feed::Gated { inner: self.number(&family.inner, known)?, fused: true },
            Forward::Experts(rule) => {
                let sparse = self.experts(rule, known)?;
                let dense = match rule.sparse {
                    Sparse::All => sparse,
                    Sparse::Step | Sparse::AllBut(_) => gated(self.number(&family.inner, known)?),
                };
                return Ok((sparse, dense));
            }
        };
        Ok((one, one))
    }

    pub(super) fn experts(&mut self, rule: &Experts, known: Basics) -> Result<Feed, Refusal> {
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
            Shared::Width(key, missing) => (self.optional(key, missing)?, false),
            Shared::Experts(number) => {
                // A missing or zero number means no shared experts.
                let key = number.keys.iter().find(|key| self.has(key)).or(number.keys.first()).copied().unwrap_or("");
                let missing = if let Fallback::Is(missing) = number.missing { Some(missing) } else { None };
                (self.optional(key, missing)?.map(|number| number.saturating_mul(inner)), false)
            }
        };
        Ok(Feed::Experts { experts, per_token, inner, shared, shared_gate })
    }

    /// Returns a flag for each layer, true for layers without experts. Empty if no layer or every layer has experts.
    pub(super) fn dense_layers(&mut self, layers: u64) -> Result<Vec<bool>, Refusal> {
        let Forward::Experts(&Experts { sparse, .. }) = self.family.forward else { return Ok(Vec::new()) };
        match sparse {
            Sparse::All => Ok(Vec::new()),
            Sparse::AllBut(missing) => {
                let kinds = [("dense", true), ("sparse", false)];
                if let Some(listed) = self.typed("mlp_layer_types", layers, &kinds)? {
                    return Ok(listed);
                }
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

    /// Returns the tokens that each layer attends to.
    pub(super) fn reaches(&mut self, layers: u64) -> Result<Vec<Reach>, Refusal> {
        let all = |window: Option<u64>| (0..layers).map(|_| within(window)).collect();
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
                Ok((0..layers).map(|layer| within(window.filter(|_| layer >= from))).collect())
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
                Ok((1..=layers).map(|layer| within(window.filter(|_| layer % each != 0))).collect())
            }
        }
    }

    /// Reads `layer_types`, and returns the tokens that each layer attends to. `None` if the configuration has no such
    /// list.
    fn listed(&self, layers: u64, window: Option<u64>) -> Result<Option<Vec<Reach>>, Refusal> {
        let kinds = [("full_attention", Reach::All), ("sliding_attention", within(window))];
        self.typed("layer_types", layers, &kinds)
    }

    /// Reads a list with one type for each layer, and returns what `kinds` has for each type. `None` if the
    /// configuration has no such list.
    pub(super) fn typed<T: Clone>(
        &self,
        key: &'static str,
        layers: u64,
        kinds: &[(&'static str, T)],
    ) -> Result<Option<Vec<T>>, Refusal> {
        let Some(list) = self.list(key)? else { return Ok(None) };
        if u64::try_from(list.len()) != Ok(layers) {
            let given = FoundValue::List { length: list.len() };
            return Err(Refusal::BadValue { key: key.into(), given, allowed: Allowed::TypePerLayer });
        }
        let each = list.iter().map(|given| {
            let found = kinds.iter().find(|(word, _)| matches!(given, Value::Text(own) if own == word));
            found.map(|(_, kind)| kind.clone()).ok_or_else(|| Refusal::BadValue {
                key: key.into(),
                given: FoundValue::Value(given.shown()),
                allowed: Allowed::OneOf(kinds.iter().map(|(word, _)| *word).collect()),
            })
        });
        each.collect::<Result<Vec<_>, _>>().map(Some)
    }
}

/// The reach of a layer with this window.
pub(super) fn within(window: Option<u64>) -> Reach {
    window.map_or(Reach::All, Reach::Window)
}

/// Groups equal layers, in the order in which a pass first runs them. The names of the groups' matmuls say what differs
/// between the groups.
pub(super) fn grouped(all: impl IntoIterator<Item = Layer>) -> Vec<Layers> {
    let mut kinds: Vec<(Layer, u64)> = Vec::new();
    for layer in all {
        match kinds.iter_mut().find(|(other, _)| *other == layer) {
            Some((_, count)) => *count += 1,
            None => kinds.push((layer, 1)),
        }
    }
    let sparse = |layer: &Layer| matches!(layer.feed, Feed::Experts { .. });
    let differ = |test: &dyn Fn(&Layer, &Layer) -> bool| {
        kinds.first().is_some_and(|(first, _)| kinds.iter().any(|(other, _)| test(first, other)))
    };
    let by_kind = differ(&|a, b| a.kind != b.kind);
    let by_reach = differ(&|a, b| a.reach != b.reach);
    let by_feed = differ(&|a, b| sparse(a) != sparse(b));
    let prefix = |layer: &Layer| {
        let reach = match layer.reach {
            Reach::All => "full.",
            Reach::Window(_) => "sliding.",
            Reach::Chunk(_) => "chunked.",
            Reach::Mean(_) => "packed.",
        };
        let feed = if sparse(layer) { "sparse." } else { "dense." };
        let has_heads = !matches!(layer.mixer, Mixer::Recurrent(_));
        let parts = [(by_kind, layer.kind), (by_reach && has_heads, reach), (by_feed, feed)];
        parts.iter().filter(|(on, _)| *on).map(|(_, part)| *part).collect()
    };
    let groups = kinds.iter().map(|(layer, count)| Layers {
        prefix: prefix(layer),
        count: *count,
        mixer: layer.mixer.clone(),
        feed: layer.feed,
        linears: layer.linears.clone(),
        reach: layer.reach,
    });
    groups.collect()
}
