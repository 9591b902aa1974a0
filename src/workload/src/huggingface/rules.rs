//! The ways in which families of models differ.

/// A count in a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    /// The key and its aliases.
    pub(super) keys: &'static [&'static str],
    /// What a missing key stands for.
    pub(super) missing: Fallback,
    /// What `null` stands for.
    pub(super) null: Fallback,
}

/// What stands for a count that is not written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fallback {
    Is(u64),
    /// The number of query heads.
    Heads,
    /// A multiple of the width of the stream.
    Hidden(u64),
    /// The width of the stream by the number of heads.
    PerHead,
    Refuse,
}

/// How queries, keys and values come about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Attend {
    Separate,
    Fused,
    /// One key-value head where `multi_query` says so, which it does unless it is false.
    MultiQuery,
    /// The same, unless `new_decoder_architecture` asks for `num_kv_heads`.
    Falcon,
    /// Multi-head latent attention.
    Latent,
}

/// The feed-forward part.
#[derive(Clone, Copy, Debug)]
pub(super) enum Forward {
    Plain,
    Gated,
    GatedFused,
    /// Gated where `feed_forward_proj` begins with "gated"; its default.
    Named(&'static str),
    Experts(Experts),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Experts {
    pub(super) experts: Count,
    pub(super) per_token: Count,
    pub(super) inner: Count,
    pub(super) shared: Shared,
    pub(super) sparse: Sparse,
}

/// What every token visits besides its experts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shared {
    None,
    /// One expert of its own width, weighed by a gate.
    Gated(Count),
    /// A number of experts of the common width.
    Experts(Count),
}

/// Which layers have experts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sparse {
    All,
    /// Each `decoder_sparse_step`-th, except `mlp_only_layers`.
    Step,
    /// All but the first `first_k_dense_replace`; its default.
    AllBut(u64),
}

/// Which layers see a window of the sequence.
#[derive(Clone, Copy, Debug)]
pub(super) enum Window {
    None,
    /// All, if `sliding_window` is a number; its default.
    All(Option<u64>),
    /// All, if `use_sliding_window` is true too.
    AllIfUsed,
    /// Those from `max_window_layers` on, if `use_sliding_window` is true.
    LateIfUsed,
    /// As `layer_types` lists them, if `use_sliding_window` is true.
    ListedIfUsed,
    /// All but each so-manieth; the default of `sliding_window`.
    Between {
        full_each: u64,
        missing: u64,
    },
}

/// What the layers make together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Build {
    Decoder,
    Encoder,
    EncoderDecoder,
}

/// One model type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    pub(super) model_type: &'static str,
    pub(super) build: Build,
    pub(super) vocab: Count,
    pub(super) hidden: Count,
    pub(super) layers: Count,
    pub(super) heads: Count,
    pub(super) kv_heads: Count,
    pub(super) head_dim: Count,
    pub(super) inner: Count,
    pub(super) attend: Attend,
    pub(super) forward: Forward,
    pub(super) window: Window,
}
