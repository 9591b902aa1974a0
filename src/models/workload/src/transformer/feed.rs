//! The feed-forward part of a layer, and its matmuls.

use super::{ProductList, Span};
use crate::product::Kind;

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

impl Feed {
    pub(super) fn add(&self, list: &mut ProductList, span: Span, layers: u64) {
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
                list.experts = list.experts.max(experts);
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
