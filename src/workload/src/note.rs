//! What a list of products assumes, and what of the model it leaves out.

/// A convention or an assumption behind the counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// What the table of models says of one of them, a sentence.
    OfModel(&'static str),
    /// A list that names no pass is one chip's step, whatever batch, sequence and pass are set.
    AsItStands,
    /// The backward pass computes the forward pass again.
    Recomputed,
    /// Every product has two gradients.
    TwoGradients,
    /// A causal mask halves attention.
    CausalHalf,
    /// Attention counts in full.
    FullAttention,
    /// Tokens are spread evenly over experts.
    EvenExperts,
    /// Layers with a sliding window count the whole sequence.
    WholeWindows,
    /// Latent attention is counted with keys and values expanded.
    ExpandedLatent,
    /// Encoder and decoder see sequences of the same length.
    SameLengths,
    /// Logits are computed where pretraining masks a token.
    MaskedLogits,
    /// A key of a configuration has its family's default.
    Default {
        /// The key.
        key: &'static str,
        /// Whether the key is there, but null.
        is_null: bool,
        /// The default.
        value: u64,
        /// The model type.
        family: &'static str,
    },
    /// Weights are quantized, which changes no product.
    Quantized,
    /// Stored matrices are taken to be N×K.
    StoredAsLinear,
    /// No head is stored.
    NoHead,
    /// A topology file has no header.
    NoHeader,
    /// Convolutions are counted without padding.
    NoPadding,
    /// The sparsity of a line is not applied.
    Sparsity {
        /// The line, counted from 1.
        line: usize,
        /// Values that are not zero.
        n: u64,
        /// Of this many.
        m: u64,
    },
    /// The same of all further lines.
    MoreSparsity,
    /// A convolution's inputs have zeros between them, which are counted.
    Dilated {
        /// Its line, counted from 1.
        line: usize,
    },
    /// Every branch of a choice is counted.
    Branches {
        /// Its line, counted from 1.
        line: usize,
    },
}

/// Arithmetic of the model that is in no product of the list. Names are quoted and cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Omitted {
    /// Norms, softmax and other arithmetic without weights.
    Elementwise,
    /// The head that a class of transformers has on top.
    Head {
        /// The class.
        class: String,
    },
    /// A part of a model that its configuration describes apart.
    Part {
        /// The key that describes it.
        key: String,
    },
    /// Layers that predict further tokens.
    PredictingLayers {
        /// How many.
        count: u64,
    },
    /// Attention, which multiplies no stored weights.
    AttentionProducts,
    /// Stored tensors that no activations are multiplied by, or not in a known way.
    Tensor {
        /// Their name, with `*` for numbers.
        name: String,
        /// How many there are.
        count: u64,
        /// What they are.
        what: Tensor,
    },
    /// An operation in a line of a program.
    Statement {
        /// Its name.
        name: String,
        /// Its line, counted from 1.
        line: usize,
        /// What it is.
        what: Statement,
    },
    /// Further runs of a loop that is counted once.
    Runs {
        /// The loop's line, counted from 1.
        line: usize,
    },
    /// An operation of a graph.
    Node {
        /// The operation.
        op: String,
        /// The node's name.
        name: String,
        /// What it lacks.
        what: Node,
    },
    /// More than is listed.
    More,
}

/// What a tensor is that makes no product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tensor {
    /// Its weights are packed or quantized.
    Packed,
    /// Its rows are looked up.
    Lookup,
    /// It is a stack of matrices.
    Stack,
    /// It belongs to a convolution whose output has no known size.
    Convolution,
}

/// What a statement of a program is that makes no product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A product whose sizes are not in the text.
    Sizeless,
    /// A call of code that is not in the text.
    Custom,
    /// An operation that is no single product.
    Several,
}

/// Why the products of a graph's node are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// It runs graphs of its own.
    Graphs,
    /// It is no operation of ONNX itself.
    Foreign,
    /// Its operands do not fit each other.
    Misfit,
    /// Its shapes are not known.
    Shapeless,
}
