//! Matmuls of a model's pass, and a list of the computations that no matmul contains.

use std::cmp::Ordering;

use crate::note::{Note, Omitted};
use crate::product::{Kind, Product, Role};

/// List of the matmuls of a pass, with the computations that the list leaves out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Workload {
    /// Name of the model: `LLaMA 3 8B`.
    pub name: String,
    /// Matmuls, in the order in which a pass first runs them.
    pub products: Vec<Product>,
    /// Number of weights in experts that no token of the pass is routed to. No matmul contains these weights.
    pub unvisited_weights: f64,
    /// Number of weights in tables in which rows are looked up, such as an embedding. No matmul contains these weights.
    pub lookup_weights: f64,
    /// Largest number of experts of a layer; 0 for a model without experts.
    pub experts: u64,
    /// Keys, values and states that a server keeps for the sequences of the pass.
    pub cached: Vec<Cached>,
    /// Size of the residual stream; `None` if the layers are unknown.
    pub stream: Option<ResidualStream>,
    /// Computations of the model that are not in the list.
    pub left_out: Vec<LeftOut>,
    /// Step that a traced table describes; `None` for any other list.
    pub traced: Option<TracedStep>,
    /// Conventions and assumptions behind the counts.
    pub notes: Vec<Note>,
}

/// Step that a traced table describes, as far as the table states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TracedStep {
    /// Number of sequences.
    pub batch: Option<u64>,
    /// Number of tokens in a sequence, or in its cache if the step adds a token.
    pub sequence: Option<u64>,
    /// True if the step adds a token to each sequence, whose other tokens are in a cache.
    pub is_decode: bool,
}

/// Elements that layers with equally many heads keep for the sequences of a pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cached {
    /// Number of heads of keys and values, which can be on different chips.
    pub heads: u64,
    /// Number of elements of all heads together.
    pub elements: f64,
}

/// Size of the residual stream between the layers of a transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidualStream {
    /// Number of layers in a pass.
    pub layers: u64,
    /// Width of a token's activations between two layers.
    pub width: u64,
}

/// A computation of the model that is not in the list of matmuls.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// Description of the computation.
    pub what: Omitted,
    /// Share of the model's FLOPs, from 0 to 1, if known.
    pub share_of_flops: Option<f64>,
}

impl LeftOut {
    /// Creates an entry with unknown FLOPs.
    pub(crate) const fn unknown(what: Omitted) -> Self {
        Self { what, share_of_flops: None }
    }
}

/// Maximum number of omissions that are listed individually.
const LEFT_OUT_MAX: usize = 200;

impl Workload {
    /// Returns the number of elements that are kept for the sequences of the pass, in all heads of all layers.
    #[must_use]
    pub fn cached_elements(&self) -> f64 {
        self.cached_on(1)
    }

    /// Returns the number of elements on each chip if `chips` chips process `chips` times the sequences and share the
    /// heads. Each chip needs at least one whole head. So if there are more chips than heads, several chips keep copies
    /// of one head.
    #[must_use]
    pub fn cached_on(&self, chips: u64) -> f64 {
        self.cached.iter().map(|part| part.elements * chips as f64 / part.heads.clamp(1, chips.max(1)) as f64).sum()
    }

    /// Records an omission. After 200 omissions, adds one last entry, [`Omitted::More`].
    pub(crate) fn omit(&mut self, what: impl FnOnce() -> Omitted) {
        match self.left_out.len().cmp(&LEFT_OUT_MAX) {
            Ordering::Less => self.left_out.push(LeftOut::unknown(what())),
            Ordering::Equal => self.left_out.push(LeftOut::unknown(Omitted::More)),
            Ordering::Greater => {}
        }
    }

    /// Number of weights in matmuls, including all experts, used or not. `None` if the list does not say which operands
    /// are weights.
    pub fn weights(&self) -> Option<f64> {
        let forward = self.products.iter().filter(|product| product.role == Role::Forward);
        forward.map(Product::weights).try_fold(self.unvisited_weights, |sum, weights| Some(sum + weights?))
    }

    /// Number of weights of all experts, used or not.
    #[must_use]
    pub fn expert_weights(&self) -> f64 {
        let is_of_experts = |product: &&Product| product.role == Role::Forward && product.kind == Kind::Expert;
        let used = self.products.iter().filter(is_of_experts).filter_map(Product::weights).sum::<f64>();
        used + self.unvisited_weights
    }

    /// Number of model FLOPs of the pass.
    pub fn flops(&self) -> f64 {
        self.products.iter().map(Product::flops).sum()
    }

    /// Number of executed FLOPs, including masked and recomputed FLOPs.
    pub fn executed_flops(&self) -> f64 {
        self.products.iter().map(Product::executed_flops).sum()
    }

    /// Exact number of executed MACs, saturating at 2¹²⁸ − 1.
    pub fn executed_macs(&self) -> u128 {
        self.products.iter().fold(0, |sum, product| sum.saturating_add(product.executed_macs()))
    }
}
