//! Rules that describe the differences between model families.

use super::Refusal;
use super::config::Config;
use crate::transformer::{Latent, Transformer};

/// A count in a configuration, with its keys and defaults.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    /// Key of the count, followed by its aliases.
    pub(super) keys: &'static [&'static str],
    /// Default for a missing key.
    pub(super) missing: Fallback,
    /// Default for the value `null`.
    pub(super) null: Fallback,
}

/// Default for a count that the configuration does not contain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fallback {
    Is(u64),
    /// The number of query heads.
    Heads,
    /// A multiple of the residual stream's width.
    Hidden(u64),
    /// Width of the residual stream divided by the number of heads.
    PerHead,
    Refuse,
}

/// Rule for the projections to queries, keys and values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Attend {
    Separate,
    Fused,
    /// Multi-head latent attention, with the defaults of its widths.
    Latent(Latent),
}

/// Rule for the feed-forward part of a layer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Forward {
    Plain,
    Gated,
    GatedFused,
    Experts(&'static Experts),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Experts {
    pub(super) experts: Count,
    pub(super) per_token: Count,
    pub(super) inner: Count,
    pub(super) shared: Shared,
    pub(super) sparse: Sparse,
}

/// Rule for the shared experts, which process every token in addition to the experts that the token is routed to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shared {
    None,
    /// One shared expert with its own width; a gate weighs the output of this expert.
    Gated(Count),
    /// One shared expert with its own width: the key, and its default. A width of 0 means no shared expert.
    Width(&'static str, Option<u64>),
    /// Several shared experts with the same width as the other experts.
    Experts(Count),
}

/// Rule for the layers that have experts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sparse {
    All,
    /// Every `decoder_sparse_step`-th layer, except the layers in `mlp_only_layers`.
    Step,
    /// All layers except the first `first_k_dense_replace`. The variant contains the default of
    /// `first_k_dense_replace`.
    AllBut(u64),
}

/// Rule for the layers with a sliding window of attention.
#[derive(Clone, Copy, Debug)]
pub(super) enum Window {
    None,
    /// All layers, if `sliding_window` is a number. The variant contains the default of `sliding_window`.
    All(Option<u64>),
    /// All layers, if `use_sliding_window` is true and `sliding_window` is a number.
    AllIfUsed,
    /// Layers from `max_window_layers` on, or the layers that `layer_types` lists as sliding, if `use_sliding_window`
    /// is true.
    LateIfUsed,
    /// Layers that `layer_types` lists as sliding, if `use_sliding_window` is true.
    ListedIfUsed,
    /// All layers except every `full_each`-th, or the layers that `layer_types` lists as sliding. `missing` is the
    /// default of `sliding_window`.
    Between {
        full_each: u64,
        missing: u64,
    },
}

/// Architecture that the layers form.
#[derive(Clone, Copy, Debug)]
pub(super) enum Build {
    Decoder,
    Encoder,
    /// Special rules, which no table describes.
    Own(fn(&mut Config<'_>) -> Result<Transformer, Refusal>),
}

/// Rules of one model type.
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
    /// Default of `tie_word_embeddings`.
    pub(super) is_tied: bool,
}
