//! Dimensions of a transformer, and the matmuls of its passes.

mod attention;
mod feed;
mod recurrence;
mod variants;

pub use self::attention::{Heads, Latent};
pub use self::feed::Feed;
pub use self::recurrence::{Recurrent, Scan};
pub use self::variants::packed_mean;
use crate::note::{Note, Omitted};
use crate::pass::{Pass, PassKind, PassSpec};
use crate::product::{Kind, Product, TooLarge};
use crate::workload::{Cached, LeftOut, ResidualStream, Workload};

/// Dimensions of a transformer that determine its matmuls.
#[derive(Clone, Debug, PartialEq)]
pub struct Transformer {
    /// Name of the model, which becomes the name of the workload.
    pub name: String,
    /// Width of the residual stream.
    pub hidden: u64,
    /// Number of entries in the vocabulary.
    pub vocab: u64,
    /// Output head, which turns the last layer's output into logits.
    pub head: Head,
    /// True if the output head uses the weights of the embedding table.
    pub is_tied: bool,
    /// True if a token attends only to itself and earlier tokens. A model that is not causal cannot decode.
    pub causal: bool,
    /// Layers, with identical layers grouped.
    pub layers: Vec<Layers>,
    /// Computations of the model that these dimensions do not describe.
    pub left_out: Vec<LeftOut>,
    /// Defaults and assumptions behind these dimensions.
    pub notes: Vec<Note>,
}

/// A group of identical layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// Prefix of the layers' matmul names, if a model has several kinds of layers: `sliding.`
    pub prefix: String,
    /// Number of layers.
    pub count: u64,
    /// Exchange between tokens.
    pub mixer: Mixer,
    /// The feed-forward part.
    pub feed: Feed,
    /// Further linear layers, which multiply every token.
    pub linears: Vec<Linear>,
    /// Tokens that a token attends to.
    pub reach: Reach,
}

/// A linear layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear {
    /// Name of the matmul: `g_proj`.
    pub name: &'static str,
    /// Width of the input.
    pub input: u64,
    /// Width of the output.
    pub output: u64,
}

/// Tokens that a token attends to, before the causal mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All tokens of the sequence.
    All,
    /// This many of the nearest tokens, including the token itself.
    Window(u64),
    /// The tokens of its chunk: sequences are cut into chunks of this many tokens.
    Chunk(u64),
    /// This many tokens on average. If several sequences are packed into one, a token attends only to the tokens of the
    /// sequence that it is in.
    Mean(u64),
}

/// Exchange between tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mixer {
    /// Attention with queries, keys and values projected from the residual stream.
    Heads(Heads),
    /// Multi-head latent attention.
    Latent(Latent),
    /// A recurrence: linear attention, a state-space layer or a short convolution.
    Recurrent(Recurrent),
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
    /// Masked-language head at the 15% of positions that pretraining masks, plus pooler and next-sentence head.
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
    experts: u64,
    cached: Vec<Cached>,
    layers: u64,
}

impl ProductList {
    /// Adds elements that a server keeps for layers with this number of heads. The product of `factors` is the number
    /// of elements.
    fn keep(&mut self, heads: u64, factors: &[u64]) {
        let more = elements(factors);
        match self.cached.iter_mut().find(|part| part.heads == heads) {
            Some(part) => part.elements += more,
            None if more > 0.0 => self.cached.push(Cached { heads, elements: more }),
            None => {}
        }
    }

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
                let is_halved = self.halves && matches!(kind, Kind::Scores | Kind::Values);
                self.products.push(Product { counted: if is_halved { 0.5 } else { 1.0 }, ..product });
            }
            Err(TooLarge) => self.too_large = true,
        }
    }
}

fn elements(factors: &[u64]) -> f64 {
    factors.iter().map(|&by| by as f64).product()
}

/// Sizes of one pass: rows of activations, and keys that each token attends to.
#[derive(Clone, Copy)]
struct Span {
    batch: u64,
    tokens: u64,
    rows: u64,
    keys: u64,
    hidden: u64,
    /// True in a decode pass.
    decode: bool,
}

impl Transformer {
    /// Returns the matmuls of a pass.
    ///
    /// # Errors
    /// [`Refusal`] if the model has no such pass, or if sizes are 0 or too large.
    pub fn workload(&self, spec: &PassSpec) -> Result<Workload, Refusal> {
        let decode = spec.pass.kind() == PassKind::Decode;
        if decode && !self.causal {
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
        let span = Span { batch: spec.batch, tokens, rows, keys, hidden: self.hidden, decode };
        for layers in &self.layers {
            list.halves = self.causal && spec.halves();
            list.prefix.clone_from(&layers.prefix);
            layers.add(&mut list, span);
            list.layers = list.layers.saturating_add(layers.count);
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
            lookup_weights: self.lookup_weights(),
            experts: list.experts,
            cached: list.cached,
            stream: Some(ResidualStream { layers: list.layers, width: self.hidden }),
            left_out: self.left_out.clone(),
            traced: None,
            notes: self.notes.clone(),
        };
        self.note(decode, &mut work);
        if spec.halves() && self.causal {
            work.notes.push(Note::CausalHalf);
        } else if !decode {
            work.notes.push(Note::FullAttention);
        }
        spec.add_backward(&mut work);
        Ok(work)
    }

    /// Number of weights in the embedding table; 0 if the output head uses these weights.
    fn lookup_weights(&self) -> f64 {
        let is_in_head = self.is_tied && self.head != Head::None;
        if is_in_head { 0.0 } else { elements(&[self.vocab, self.hidden]) }
    }

    fn add_head(&self, list: &mut ProductList, span: Span, rows: u64) {
        let Self { hidden, vocab, .. } = *self;
        match self.head {
            Head::None => {}
            Head::Linear => list.add("lm_head", Kind::Head, [rows, hidden, vocab], 1),
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
        let any = |test: fn(&Layers) -> bool| self.layers.iter().any(test);
        if any(|layers| matches!(layers.feed, Feed::Experts { .. })) {
            work.notes.push(Note::EvenExperts);
        }
        if any(|layers| matches!(layers.mixer, Mixer::Recurrent(_))) {
            work.left_out.push(LeftOut::unknown(Omitted::Recurrence));
        }
        let latent = |expands| {
            let mut mixers = self.layers.iter().map(|layers| &layers.mixer);
            mixers.any(|mixer| matches!(mixer, Mixer::Latent(latent) if latent.expands == expands))
        };
        if latent(true) || !decode && latent(false) {
            work.notes.push(Note::ExpandedLatent);
        } else if latent(false) {
            work.notes.push(Note::AbsorbedLatent);
        }
        if self.head == Head::Pretraining {
            work.notes.push(Note::MaskedLogits);
        }
    }
}

impl Layers {
    fn add(&self, list: &mut ProductList, span: Span) {
        match &self.mixer {
            Mixer::Heads(heads) => heads.add(list, span, self.reach, self.count),
            Mixer::Latent(latent) => latent.add(list, span, self.reach, self.count),
            Mixer::Recurrent(recurrent) => recurrent.add(list, span, self.count),
        }
        self.feed.add(list, span, self.count);
        for linear in &self.linears {
            linear.add(list, span, self.count);
        }
    }
}

impl Linear {
    fn add(&self, list: &mut ProductList, span: Span, layers: u64) {
        list.add(self.name, Kind::Weights, [span.rows, self.input, self.output], layers);
    }
}
