//! The products of a model's pass, and what they leave out.

use std::cmp::Ordering;

use crate::note::{Note, Omitted};
use crate::product::{Product, Role};

/// A list of products with what is known about its completeness.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Workload {
    /// What it is the work of: `LLaMA 3 8B`.
    pub name: String,
    /// The products, in the order in which a pass first meets them.
    pub products: Vec<Product>,
    /// Weights of experts that no token of the pass visits, so that no product has them.
    pub unvisited_weights: f64,
    /// Elements of keys and values that a server keeps for the sequences of the pass.
    pub cached: f64,
    /// What its layers hand on; `None` where the list does not name layers.
    pub stream: Option<ResidualStream>,
    /// Arithmetic of the model that is not in the list.
    pub left_out: Vec<LeftOut>,
    /// Conventions and assumptions.
    pub notes: Vec<Note>,
}

/// What the layers of a transformer hand on from one to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidualStream {
    /// Layers that a pass runs through.
    pub layers: u64,
    /// Width of a token's activations between them.
    pub width: u64,
}

/// Something the model computes that is in no product of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// What it is.
    pub what: Omitted,
    /// Its share of the model's FLOPs, from 0 to 1, where it is known.
    pub share_of_flops: Option<f64>,
}

impl LeftOut {
    /// Something whose FLOPs nobody here knows.
    pub(crate) const fn unknown(what: Omitted) -> Self {
        Self { what, share_of_flops: None }
    }
}

/// Things left out that are listed, one by one.
const LEFT_OUT_MAX: usize = 200;

impl Workload {
    /// Records an omission: at most 200, then one entry for more.
    pub(crate) fn omit(&mut self, what: impl FnOnce() -> Omitted) {
        match self.left_out.len().cmp(&LEFT_OUT_MAX) {
            Ordering::Less => self.left_out.push(LeftOut::unknown(what())),
            Ordering::Equal => self.left_out.push(LeftOut::unknown(Omitted::More)),
            Ordering::Greater => {}
        }
    }

    /// Weights that take part in products, those of experts included whether a token visits them or not; `None` where it
    /// is not known which operands are weights.
    pub fn weights(&self) -> Option<f64> {
        let forward = self.products.iter().filter(|product| product.role == Role::Forward);
        forward.map(Product::weights).try_fold(self.unvisited_weights, |sum, weights| Some(sum + weights?))
    }

    /// Model FLOPs of the pass.
    pub fn flops(&self) -> f64 {
        self.products.iter().map(Product::flops).sum()
    }

    /// FLOPs that run, masked and recomputed ones included.
    pub fn executed_flops(&self) -> f64 {
        self.products.iter().map(Product::executed_flops).sum()
    }

    /// MACs that run, exactly; at 2¹²⁸ − 1 it stops.
    pub fn executed_macs(&self) -> u128 {
        self.products.iter().fold(0, |sum, product| sum.saturating_add(product.executed_macs()))
    }
}
