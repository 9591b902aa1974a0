//! A transformer's dimensions, and the products that a pass over it runs.

mod attention;

use crate::note::{Note, Omitted};
use crate::pass::{Pass, PassKind, PassSpec};
use crate::product::{Kind, Product, TooLarge};
use crate::workload::{LeftOut, ResidualStream, Workload};

/// What of a transformer decides its products.
#[derive(Clone, Debug, PartialEq)]
pub struct Transformer {
    /// What the workload is named after.
    pub name: String,
    /// Width of the residual stream.
    pub hidden: u64,
    /// Width of the word embeddings where it is not `hidden`, with a projection on either side.
    pub embedding: Option<u64>,
    /// Entries of the vocabulary.
    pub vocab: u64,
    /// What makes logits of the last layer's output.
    pub head: Head,
    /// One stack of layers, or an encoder and a decoder.
    pub stacks: Vec<Stack>,
    /// What of the model is not described here.
    pub left_out: Vec<LeftOut>,
    /// Defaults and assumptions.
    pub notes: Vec<Note>,
}

/// Layers that one sequence runs through.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// Put before the names of its products: `decoder.`
    pub prefix: &'static str,
    /// Whether a token sees only those before it. A stack that is not causal cannot decode.
    pub causal: bool,
    /// The layers, alike ones together.
    pub layers: Vec<Layers>,
}

/// Layers that are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// Put before the names of its products where a stack has several kinds: `sliding.`
    pub prefix: String,
    /// How many.
    pub count: u64,
    /// How tokens see each other.
    pub mixer: Mixer,
    /// Attention to the encoder's output.
    pub cross: Option<Heads>,
    /// The feed-forward part.
    pub feed: Feed,
    /// Tokens that a token sees, itself included; `None` is all.
    pub window: Option<u64>,
}

/// How tokens see each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixer {
    /// Attention with queries, keys and values projected from the stream.
    Heads(Heads),
    /// Multi-head latent attention.
    Latent(Latent),
}

/// Attention of many heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
    /// Query heads.
    pub heads: u64,
    /// Key-value heads; fewer than query heads where these share.
    pub kv_heads: u64,
    /// Width of a head.
    pub head_dim: u64,
    /// Whether one product gives queries, keys and values.
    pub fused: bool,
}

/// Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434, section 2.1), computed as its formulas read: every step
/// expands the keys and values of all tokens. Servers absorb that product into its neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latent {
    /// Query heads.
    pub heads: u64,
    /// Width that queries are squeezed to; `None` where they are projected at once.
    pub q_rank: Option<u64>,
    /// Width that keys and values are squeezed to.
    pub kv_rank: u64,
    /// Part of a query or key without a position.
    pub nope_dim: u64,
    /// Part of a query or key with its position rotated in.
    pub rope_dim: u64,
    /// Width of a value.
    pub v_dim: u64,
}

/// The feed-forward part of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    /// Up and down.
    Plain {
        /// Width between.
        inner: u64,
    },
    /// Gate, up and down.
    Gated {
        /// Width between.
        inner: u64,
        /// Whether one product gives gate and up.
        fused: bool,
    },
    /// Experts with gate, up and down, of which a token visits a few.
    Experts {
        /// How many there are to choose from.
        experts: u64,
        /// How many a token visits.
        per_token: u64,
        /// Width between.
        inner: u64,
        /// Width of what every token visits besides.
        shared: Option<u64>,
        /// Whether that is weighed by a gate of its own.
        shared_gate: bool,
    },
}

/// What makes logits of the last layer's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// Nothing does.
    None,
    /// One product.
    Linear,
    /// A layer of the stream's width before that product, at every position.
    Masked,
    /// The same at the 15 % of positions that pretraining masks, with pooler and next-sentence head beside it.
    Pretraining,
}

/// Why a transformer has no such pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An encoder has no decode pass.
    NoDecode,
    /// A count that must be above zero is zero.
    Zero(Size),
    /// The sizes together are beyond what is added up exactly.
    TooLarge,
}

/// A count that a pass needs above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Sequences of a pass.
    Batch,
    /// Tokens of a sequence.
    Sequence,
}

/// Products being collected; a size that overflows is remembered, so that the formulas read as formulas.
#[derive(Default)]
struct ProductList {
    prefix: String,
    products: Vec<Product>,
    /// Whether a causal mask halves attention where the list is now.
    halves: bool,
    too_large: bool,
    unvisited_weights: f64,
    cached: f64,
    layers: u64,
}

impl ProductList {
    fn times(&mut self, factors: &[u64]) -> u64 {
        let product = factors.iter().try_fold(1u64, |product, &by| product.checked_mul(by));
        self.too_large |= product.is_none();
        product.unwrap_or(0)
    }

    fn add(&mut self, name: &str, kind: Kind, sizes: [u64; 3], count: u64) {
        if count == 0 || sizes.contains(&0) {
            return;
        }
        match Product::new(format!("{}{name}", self.prefix), kind, sizes, count) {
            Ok(product) => {
                let halved = self.halves && matches!(kind, Kind::Scores | Kind::Values);
                self.products.push(Product { halved, ..product });
            }
            Err(TooLarge) => self.too_large = true,
        }
    }
}

fn elements(factors: &[u64]) -> f64 {
    factors.iter().map(|&by| by as f64).product()
}

/// One pass over one stack: how many rows, how far back.
#[derive(Clone, Copy)]
struct Span {
    batch: u64,
    tokens: u64,
    rows: u64,
    keys: u64,
    hidden: u64,
}

impl Transformer {
    /// The products of a pass.
    ///
    /// An encoder and its decoder run over as many tokens each; when decoding, the encoder has run, and its
    /// cache of keys and values is as long as the decoder's own.
    ///
    /// # Errors
    /// [`Refusal`] when the model has no such pass.
    pub fn workload(&self, spec: &PassSpec) -> Result<Workload, Refusal> {
        let decode = spec.pass.kind() == PassKind::Decode;
        if decode && !self.stacks.iter().any(|stack| stack.causal) {
            return Err(Refusal::NoDecode);
        }
        for (what, size) in [(Size::Batch, spec.batch), (Size::Sequence, spec.tokens())] {
            if size == 0 {
                return Err(Refusal::Zero(what));
            }
        }
        let tokens = spec.tokens();
        let keys = match spec.pass {
            Pass::Decode { context } => context.checked_add(1).ok_or(Refusal::TooLarge)?,
            Pass::Training { .. } | Pass::Prefill { .. } => tokens,
        };
        let mut list = ProductList::default();
        let rows = list.times(&[spec.batch, tokens]);
        let span = Span { batch: spec.batch, tokens, rows, keys, hidden: self.hidden };
        if let Some(width) = self.embedding {
            list.add("project_in", Kind::Weights, [rows, width, self.hidden], 1);
        }
        for stack in self.stacks.iter().filter(|stack| stack.causal || !decode) {
            for layers in &stack.layers {
                list.halves = stack.causal && spec.halves();
                list.prefix = format!("{}{}", stack.prefix, layers.prefix);
                layers.add(&mut list, span, decode);
                list.layers = list.layers.saturating_add(layers.count);
            }
        }
        list.prefix.clear();
        self.add_head(&mut list, span, if spec.last_logits_only() { spec.batch } else { rows });
        if list.too_large {
            return Err(Refusal::TooLarge);
        }
        let name = self.name.clone();
        let mut work = Workload {
            name,
            products: list.products,
            unvisited_weights: list.unvisited_weights,
            cached: list.cached,
            stream: Some(ResidualStream { layers: list.layers, width: self.hidden }),
            left_out: self.left_out.clone(),
            notes: self.notes.clone(),
        };
        self.note(decode, &mut work);
        if spec.halves() && self.stacks.iter().any(|stack| stack.causal) {
            work.notes.push(Note::CausalHalf);
        } else if !decode {
            work.notes.push(Note::FullAttention);
        }
        spec.add_backward(&mut work);
        Ok(work)
    }

    fn add_head(&self, list: &mut ProductList, span: Span, rows: u64) {
        let Self { hidden, vocab, .. } = *self;
        let width = self.embedding.unwrap_or(hidden);
        match self.head {
            Head::None => {}
            Head::Linear => {
                if self.embedding.is_some() {
                    // The stack ends with it, at every position.
                    list.add("project_out", Kind::Weights, [span.rows, hidden, width], 1);
                }
                list.add("lm_head", Kind::Head, [rows, width, vocab], 1);
            }
            Head::Masked => {
                list.add("mlm.transform", Kind::Weights, [rows, hidden, hidden], 1);
                list.add("mlm.decoder", Kind::Head, [rows, hidden, vocab], 1);
            }
            Head::Pretraining => {
                let masked = list.times(&[span.tokens, 15]).div_ceil(100);
                let rows = list.times(&[span.batch, masked]);
                list.add("pooler", Kind::Weights, [span.batch, hidden, hidden], 1);
                list.add("mlm.transform", Kind::Weights, [rows, hidden, hidden], 1);
                list.add("mlm.decoder", Kind::Head, [rows, hidden, vocab], 1);
                list.add("nsp", Kind::Head, [span.batch, hidden, 2], 1);
            }
        }
    }

    /// Says what the counts assume, and what no product is of.
    fn note(&self, decode: bool, work: &mut Workload) {
        work.left_out.push(LeftOut::unknown(Omitted::Elementwise));
        let any = |test: fn(&Layers) -> bool| self.stacks.iter().flat_map(|stack| &stack.layers).any(test);
        if any(|layers| matches!(layers.feed, Feed::Experts { .. })) {
            work.notes.push(Note::EvenExperts);
        }
        if !decode && any(|layers| layers.window.is_some()) {
            work.notes.push(Note::WholeWindows);
        }
        if any(|layers| matches!(layers.mixer, Mixer::Latent(_))) {
            work.notes.push(Note::ExpandedLatent);
        }
        if self.stacks.len() > 1 {
            work.notes.push(Note::SameLengths);
        }
        if self.head == Head::Pretraining {
            work.notes.push(Note::MaskedLogits);
        }
    }
}

impl Layers {
    fn add(&self, list: &mut ProductList, span: Span, decode: bool) {
        let keys = if decode { self.window.map_or(span.keys, |window| window.min(span.keys)) } else { span.keys };
        let span = Span { keys, ..span };
        match &self.mixer {
            Mixer::Heads(heads) => heads.add(list, span, self.count),
            Mixer::Latent(latent) => latent.add(list, span, self.count),
        }
        if let Some(cross) = &self.cross {
            // The encoder's output has no order, so no mask.
            list.halves = false;
            cross.add_cross(list, span, self.count, decode);
        }
        self.feed.add(list, span, self.count);
    }
}

impl Feed {
    fn add(&self, list: &mut ProductList, span: Span, layers: u64) {
        let Span { rows, hidden, .. } = span;
        match *self {
            Self::Plain { inner } => {
                list.add("up_proj", Kind::Weights, [rows, hidden, inner], layers);
                list.add("down_proj", Kind::Weights, [rows, inner, hidden], layers);
            }
            Self::Gated { inner, fused: true } => {
                list.add("gate_up_proj", Kind::Weights, [rows, hidden, inner.saturating_mul(2)], layers);
                list.add("down_proj", Kind::Weights, [rows, inner, hidden], layers);
            }
            Self::Gated { inner, fused: false } => {
                list.add("gate_proj", Kind::Weights, [rows, hidden, inner], layers);
                list.add("up_proj", Kind::Weights, [rows, hidden, inner], layers);
                list.add("down_proj", Kind::Weights, [rows, inner, hidden], layers);
            }
            Self::Experts { experts, per_token, inner, shared, shared_gate } => {
                list.add("router", Kind::Weights, [rows, hidden, experts], layers);
                let visits = list.times(&[rows, per_token]);
                let (per_expert, n_with_one_more) =
                    (visits.checked_div(experts).unwrap_or(0), visits.checked_rem(experts).unwrap_or(0));
                // Where visits do not divide evenly, some experts see one token more.
                let unvisited = if per_expert == 0 { experts.saturating_sub(n_with_one_more) } else { 0 };
                list.unvisited_weights +=
                    [3, unvisited, hidden, inner, layers].iter().map(|&by| by as f64).product::<f64>();
                for (rows, experts) in [
                    (per_expert.saturating_add(1), n_with_one_more),
                    (per_expert, experts.saturating_sub(n_with_one_more)),
                ] {
                    let count = list.times(&[experts, layers]);
                    list.add("experts.gate_proj", Kind::Expert, [rows, hidden, inner], count);
                    list.add("experts.up_proj", Kind::Expert, [rows, hidden, inner], count);
                    list.add("experts.down_proj", Kind::Expert, [rows, inner, hidden], count);
                }
                if let Some(inner) = shared {
                    list.add("shared.gate_proj", Kind::Weights, [rows, hidden, inner], layers);
                    list.add("shared.up_proj", Kind::Weights, [rows, hidden, inner], layers);
                    list.add("shared.down_proj", Kind::Weights, [rows, inner, hidden], layers);
                }
                if shared_gate {
                    list.add("shared.gate", Kind::Weights, [rows, hidden, 1], layers);
                }
            }
        }
    }
}
