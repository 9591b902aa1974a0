//! Dimensions of a transformer, and the matmuls of its passes.

mod attention;
mod feed;
mod recurrence;
mod variants;

pub use self::attention::{Heads, Indexer, Latent};
pub use self::feed::{ExpertForm, Feed};
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
    /// Width of the token embeddings, if this width differs from `hidden`. The model then projects from and to this
    /// width.
    pub embedding: Option<u64>,
    /// Number of entries in the vocabulary.
    pub vocab: u64,
    /// Output head, which turns the last layer's output into logits.
    pub head: Head,
    /// True if the output head uses the weights of the embedding table.
    pub is_tied: bool,
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
    /// Width of the residual stream, if it differs from the model's.
    pub hidden: Option<u64>,
    /// Number of positions, if the sequence length of the pass does not set it: the patches of an image.
    pub positions: Option<u64>,
    /// Matmuls before and after the layers, such as the embedding of patches.
    pub ends: Vec<End>,
}

/// A matmul before or after the layers of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Name of the matmul: `patch_embedding`.
    pub name: &'static str,
    /// Kind of the operands.
    pub kind: Kind,
    /// Rows of activations of each sequence or image.
    pub rows: Rows,
    /// Width of the input.
    pub input: u64,
    /// Width of the output.
    pub output: u64,
    /// Number of such matmuls.
    pub count: u64,
}

/// Rows of activations of each sequence or image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// One row for each position of the stack.
    Positions,
    /// A fixed number of rows.
    Fixed(u64),
}

impl Stack {
    /// A stack of `layers` with the model's width, and one position for each token.
    pub(crate) fn of(causal: bool, layers: Vec<Layers>) -> Self {
        Self { prefix: "", causal, layers, hidden: None, positions: None, ends: Vec::new() }
    }
}

/// A group of identical layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// Prefix of the layers' matmul names, if a stack has several kinds of layers: `sliding.`
    pub prefix: String,
    /// Number of layers.
    pub count: u64,
    /// Exchange between tokens; several parts work side by side.
    pub mixers: Vec<Mixer>,
    /// Cross-attention to the encoder's output.
    pub cross: Option<Heads>,
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
    /// The nearest tokens, including itself.
    Window(u64),
    /// The tokens of its chunk: sequences are cut into chunks of this many tokens.
    Chunk(u64),
    /// This many tokens on the mean over all tokens: the tokens of its sequence, if several sequences are packed into one.
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
    experts: u64,
    cached: Vec<Cached>,
    layers: u64,
}

impl ProductList {
    /// Adds elements that a server keeps, in this number of heads.
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

/// Sizes of one pass over one stack: rows of activations, and keys that each token attends to.
#[derive(Clone, Copy)]
struct Span {
    batch: u64,
    tokens: u64,
    rows: u64,
    keys: u64,
    hidden: u64,
    /// Tokens of the encoder's output, to which cross-attention attends.
    encoded: u64,
    /// True in a decode pass.
    decode: bool,
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
        // The decoder's own cache has one more key, the key of the new token.
        let cached = if decode { keys.saturating_sub(1) } else { keys };
        let fixed = self.stacks.iter().find(|stack| !stack.causal).and_then(|stack| stack.positions);
        let encoded = fixed.unwrap_or(cached);
        let span = Span { batch: spec.batch, tokens, rows, keys, hidden: self.hidden, encoded, decode };
        if let Some(width) = self.embedding {
            list.add("project_in", Kind::Weights, [rows, width, self.hidden], 1);
        }
        for stack in self.stacks.iter().filter(|stack| stack.causal || !decode) {
            let hidden = stack.hidden.unwrap_or(self.hidden);
            let span = match stack.positions {
                Some(tokens) => {
                    let rows = list.times(&[spec.batch, tokens]);
                    Span { tokens, rows, keys: tokens, hidden, ..span }
                }
                None => Span { hidden, ..span },
            };
            list.prefix = stack.prefix.into();
            for end in &stack.ends {
                let rows = match end.rows {
                    Rows::Positions => span.rows,
                    Rows::Fixed(rows) => list.times(&[spec.batch, rows]),
                };
                list.add(end.name, end.kind, [rows, end.input, end.output], end.count);
            }
            for layers in &stack.layers {
                list.halves = stack.causal && spec.halves();
                list.prefix = format!("{}{}", stack.prefix, layers.prefix);
                layers.add(&mut list, span);
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
            lookup_weights: self.lookup_weights(),
            experts: list.experts,
            cached: list.cached,
            stream: Some(ResidualStream { layers: list.layers, width: self.hidden }),
            left_out: self.left_out.clone(),
            traced: None,
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

    /// Number of weights in the embedding table, if no matmul has these weights.
    fn lookup_weights(&self) -> f64 {
        let is_in_head = self.is_tied && self.head != Head::None;
        if is_in_head { 0.0 } else { elements(&[self.vocab, self.embedding.unwrap_or(self.hidden)]) }
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
                list.add("mlm.transform", Kind::Weights, [rows, hidden, width], 1);
                list.add("mlm.decoder", Kind::Head, [rows, width, vocab], 1);
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
        if any(|layers| layers.mixers.iter().any(|mixer| matches!(mixer, Mixer::Recurrent(_)))) {
            work.left_out.push(LeftOut::unknown(Omitted::Recurrence));
        }
        let latent = |expands| {
            let mixers = self.stacks.iter().flat_map(|stack| &stack.layers).flat_map(|layers| &layers.mixers);
            mixers.into_iter().any(|mixer| matches!(mixer, Mixer::Latent(latent) if latent.expands == expands))
        };
        if latent(true) || !decode && latent(false) {
            work.notes.push(Note::ExpandedLatent);
        } else if latent(false) {
            work.notes.push(Note::AbsorbedLatent);
        }
        for positions in self.stacks.iter().filter(|stack| stack.causal || !decode).filter_map(|stack| stack.positions)
        {
            work.notes.push(Note::FixedPositions { positions });
        }
        if self.stacks.len() > 1 && self.stacks.iter().all(|stack| stack.positions.is_none()) {
            work.notes.push(Note::SameLengths);
        }
        if self.head == Head::Pretraining {
            work.notes.push(Note::MaskedLogits);
        }
    }
}

impl Layers {
    fn add(&self, list: &mut ProductList, span: Span) {
        for mixer in &self.mixers {
            match mixer {
                Mixer::Heads(heads) => heads.add(list, span, self.reach, self.count),
                Mixer::Latent(latent) => latent.add(list, span, self.reach, self.count),
                Mixer::Recurrent(recurrent) => recurrent.add(list, span, self.count),
            }
        }
        if let Some(cross) = &self.cross {
            // Cross-attention has no causal mask.
            list.halves = false;
            cross.add_cross(list, span, self.count);
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
