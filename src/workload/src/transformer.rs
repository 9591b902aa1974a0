//! Dimensions of a transformer, and the matmuls of its passes.

mod attention;

use crate::note::{Note, Omitted};
use crate::pass::{Pass, PassKind, PassSpec};
use crate::product::{Kind, Product, TooLarge};
use crate::workload::{LeftOut, ResidualStream, Workload};

/// Dimensions of a transformer that determine its matmuls.
#[derive(Clone, Debug, PartialEq)]
pub struct Transformer {
    /// Name of the model, which becomes the name of the workload.
    pub name: String,
    /// Width of the residual stream.
    pub hidden: u64,
    /// Width of the token embeddings, if this width differs from `hidden`. The model then projects from and to this
    /// width.
    pub embedding: Option<u64>,
    /// Number of entries in the vocabulary.
    pub vocab: u64,
    /// Output head, which turns the last layer's output into logits.
    pub head: Head,
    /// One stack of layers, or an encoder and a decoder.
    pub stacks: Vec<Stack>,
    /// Computations of the model that these dimensions do not describe.
    pub left_out: Vec<LeftOut>,
    /// Defaults and assumptions behind these dimensions.
    pub notes: Vec<Note>,
}

/// A stack of layers: an encoder or a decoder.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// Prefix of the stack's matmul names: `decoder.`
    pub prefix: &'static str,
    /// True if a token attends only to itself and earlier tokens. A stack that is not causal cannot decode.
    pub causal: bool,
    /// Layers, with identical layers grouped.
    pub layers: Vec<Layers>,
}

/// A group of identical layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// Prefix of the layers' matmul names, if a stack has several kinds of layers: `sliding.`
    pub prefix: String,
    /// Number of layers.
    pub count: u64,
    /// Attention between tokens.
    pub mixer: Mixer,
    /// Cross-attention to the encoder's output.
    pub cross: Option<Heads>,
    /// The feed-forward part.
    pub feed: Feed,
    /// Number of tokens that a token attends to, including itself; `None` means all.
    pub window: Option<u64>,
}

/// Attention between tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixer {
    /// Attention with queries, keys and values projected from the residual stream.
    Heads(Heads),
    /// Multi-head latent attention.
    Latent(Latent),
}

/// Multi-head attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
    /// Query heads.
    pub heads: u64,
    /// Number of key-value heads; fewer than query heads if several query heads share a key-value head.
    pub kv_heads: u64,
    /// Width of a head.
    pub head_dim: u64,
    /// True if one matmul computes queries, keys and values.
    pub fused: bool,
}

/// Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434, section 2.1), computed exactly as its formulas say:
/// every step expands the keys and values of all tokens. Inference servers avoid the expansion: they absorb its matmul
/// into neighboring matmuls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latent {
    /// Query heads.
    pub heads: u64,
    /// Width of compressed queries; `None` if queries are not compressed.
    pub q_rank: Option<u64>,
    /// Width of compressed keys and values.
    pub kv_rank: u64,
    /// Width of the part of each query and key that has no positional encoding.
    pub nope_dim: u64,
    /// Width of the part of each query and key that has rotary positional encoding.
    pub rope_dim: u64,
    /// Width of a value.
    pub v_dim: u64,
}

/// The feed-forward part of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    /// Feed-forward part with an up and a down projection.
    Plain {
        /// Inner width, between the up and the down projection.
        inner: u64,
    },
    /// Feed-forward part with a gate, an up and a down projection.
    Gated {
        /// Inner width, between the up and the down projection.
        inner: u64,
        /// True if one matmul computes the gate and the up projection.
        fused: bool,
    },
    /// Experts with gate, up and down projection; each token is routed to only a few experts.
    Experts {
        /// Number of experts to choose from.
        experts: u64,
        /// Number of experts that each token is routed to.
        per_token: u64,
        /// Inner width, between the up and the down projection.
        inner: u64,
        /// Total inner width of the shared experts, which process every token; `None` without shared experts.
        shared: Option<u64>,
        /// True if a gate weighs the output of the shared experts.
        shared_gate: bool,
    },
}

/// Output head, which turns the last layer's output into logits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// No output head.
    None,
    /// One linear layer.
    Linear,
    /// Masked-language head at every position: a layer with the width of the residual stream, then a linear layer.
    Masked,
    /// Masked-language head at the 15 % of positions that pretraining masks, plus pooler and next-sentence head.
    Pretraining,
}

/// Reason why a transformer has no list of matmuls for a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An encoder has no decode pass.
    NoDecode,
    /// A count is 0, but must be at least 1.
    Zero(Size),
    /// Sizes that are too large to count exactly.
    TooLarge,
}

/// A count of a pass that must be at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Number of sequences in a pass.
    Batch,
    /// Number of tokens in a sequence.
    Sequence,
}

/// List that collects the matmuls of a pass. An overflow only sets `too_large`, so that the formulas stay readable.
#[derive(Default)]
struct ProductList {
    prefix: String,
    products: Vec<Product>,
    /// True if a causal mask halves the attention matmuls that are added next.
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

/// Sizes of one pass over one stack: rows of activations, and keys that each token attends to.
#[derive(Clone, Copy)]
struct Span {
    batch: u64,
    tokens: u64,
    rows: u64,
    keys: u64,
    hidden: u64,
}

impl Transformer {
    /// Returns the matmuls of a pass.
    ///
    /// An encoder and its decoder process the same number of tokens. A decode pass assumes that the encoder has already
    /// run. The cache of the encoder's output then has as many tokens as the decoder's own cache.
    ///
    /// # Errors
    /// [`Refusal`] if the model has no such pass, or if sizes are 0 or too large.
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
                    // This projection belongs to the stack, so it runs at every position.
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

    /// Adds notes about the assumptions, and an entry for elementwise computations.
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
            // Cross-attention has no causal mask.
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
                // If the tokens do not divide evenly among the experts, some experts receive one more token.
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
