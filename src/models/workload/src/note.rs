//! Assumptions behind a list of matmuls, and computations of the model that are missing from the list.

/// A convention or an assumption behind the counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Sentence about a model from [`crate::models`].
    OfModel(&'static str),
    /// The list describes one step of one chip. The settings for batch, sequence and pass do not change the list.
    AsItStands,
    /// The backward pass computes the whole forward pass again.
    Recomputed,
    /// Every matmul of the forward pass has two gradient matmuls in the backward pass.
    TwoGradients,
    /// A causal mask halves attention.
    CausalHalf,
    /// Attention counts in full, including masked pairs of tokens.
    FullAttention,
    /// Sequences are packed into one: a token attends only to tokens of the same sequence.
    Packed {
        /// Mean number of tokens that a token attends to.
        mean: u64,
    },
    /// Tokens are spread evenly: the experts' numbers of tokens differ by at most one.
    EvenExperts,
    /// Latent attention expands all keys and values.
    ExpandedLatent,
    /// Latent attention decodes without expanding keys and values.
    AbsorbedLatent,
    /// Logits are computed only at positions that pretraining masks.
    MaskedLogits,
    /// A configuration key has the default of its model family.
    Default {
        /// Name of the key.
        key: &'static str,
        /// True if the key is null; false if the key is missing.
        is_null: bool,
        /// Default value.
        value: u64,
        /// Model type of the family: `llama`.
        family: &'static str,
    },
    /// Weights are quantized. The list of matmuls does not change.
    Quantized,
    /// The topology file has no header.
    NoHeader,
    /// The pasted lines have no header: the numbers are M, K, N and a count.
    AssumedOrder,
    /// The tracer and the framework that wrote the table, with the sizes of the step.
    Traced {
        /// Names, versions and sizes, separated by semicolons.
        by: String,
    },
    /// The table has no gradients, so it is a forward pass, although training is chosen.
    ForwardOnly,
    /// Attention counts only the products that its mask keeps.
    Masked,
    /// Rows of a traced table with unknown masks. These rows count in full.
    UnknownMasks {
        /// Number of rows.
        rows: u64,
    },
    /// Columns of the table that have no effect, quoted and truncated.
    UnusedColumns {
        /// Names of the columns, separated by commas.
        names: String,
    },
    /// Convolutions are counted without padding.
    NoPadding,
    /// The sparsity N:M of a line is not applied.
    Sparsity {
        /// Number of the line, counted from 1.
        line: usize,
        /// Nonzero values in each group of `m`.
        n: u64,
        /// Values in each group.
        m: u64,
    },
    /// The sparsity of all further lines is not applied either.
    MoreSparsity,
    /// The input of a convolution is dilated. The counts include MACs with the inserted zeros.
    Dilated {
        /// Number of the line, counted from 1.
        line: usize,
    },
    /// The program runs on several devices, and each matmul is counted as the share of one device.
    Partitions {
        /// Number of devices.
        n: u64,
    },
    /// Every branch of an `if` or `case` is counted.
    Branches {
        /// Number of the line, counted from 1.
        line: usize,
    },
}

/// A computation of the model that is not in the list of matmuls. Names are quoted and truncated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Omitted {
    /// Norms, softmax and other arithmetic without weights.
    Elementwise,
    /// Recurrences that are not matmuls, and short convolutions.
    Recurrence,
    /// Output head that a class of the transformers library adds.
    Head {
        /// Name of the class.
        class: String,
    },
    /// Part of a model that has its own object in the configuration.
    Part {
        /// Configuration key of the part.
        key: String,
    },
    /// Layers that predict further tokens.
    PredictingLayers {
        /// Number of layers.
        count: u64,
    },
    /// An operation of a program, with its line.
    Statement {
        /// Name of the operation.
        name: String,
        /// Number of the line, counted from 1.
        line: usize,
        /// Kind of the operation.
        what: Statement,
    },
    /// All runs of a loop after the first run, because the loop is counted once.
    Runs {
        /// Line of the loop, counted from 1.
        line: usize,
    },
    /// All computations that a traced table leaves out.
    Traced {
        /// Text of the table.
        text: String,
    },
    /// Further omissions that are not listed.
    More,
}

/// Kind of an operation whose matmuls cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A matmul whose sizes are not in the text.
    Sizeless,
    /// A call to code that is not in the text.
    Custom,
    /// An operation that is not a single matmul.
    Several,
}
