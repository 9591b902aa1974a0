//! Time of one training step on many chips: arithmetic, communication, and their overlap.

use crate::{Collective, FlopsPerSec, Nodes, Remat, Seconds, Torus};

/// Parallelism: the distribution of a model over chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharding {
    /// Data parallel: every chip has the whole model; the chips sum their gradients in the backward pass.
    Data,
    /// Fully sharded data parallel (ZeRO-3): the chips gather the parameters in each pass, and sum and scatter the
    /// gradients in the backward pass.
    FullySharded,
    /// Tensor parallel: each matmul is split over the chips; activations are gathered and scattered in every layer.
    Tensor,
}

/// Network that joins the chips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fabric {
    /// Links along the axes of a torus.
    Torus(Torus),
    /// Switches inside nodes and a network between them.
    Nodes(Nodes),
}

impl Fabric {
    /// Number of chips in the network.
    pub fn chips(&self) -> u64 {
        match self {
            Self::Torus(torus) => u64::from(torus.chips_per_axis).saturating_pow(torus.axes),
            Self::Nodes(nodes) => u64::from(nodes.gpus_per_node) * u64::from(nodes.nodes),
        }
    }

    /// Time of `messages` collectives over arrays of `bytes` in total, as measured ([`crate::Measured`]).
    pub fn time(&self, collective: Collective, bytes: f64, messages: f64) -> Seconds {
        match self {
            Self::Torus(torus) => torus.measured(collective, bytes, messages),
            Self::Nodes(nodes) => nodes.measured(collective, bytes, messages),
        }
    }
}

/// A dense model and its batch: all inputs that the time of a step depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// `N`: parameters.
    pub parameters: f64,
    /// FLOPs of one token in the forward pass; at least `2·N`.
    pub forward_flops_per_token: f64,
    /// FLOPs of one token in the backward pass, including rematerialization. Without rematerialization, the backward
    /// pass needs twice the FLOPs of the forward pass.
    pub backward_flops_per_token: f64,
    /// Rematerialization in the backward pass. Under tensor parallelism, rematerialization also repeats communication.
    pub remat: Remat,
    /// Number of tokens in the step, summed over all chips.
    pub tokens: f64,
    /// `L`: layers. Each layer gathers its weights or activations in its own messages. At least 1.
    pub layers: u32,
    /// `D`: width of the activations between layers.
    pub width: u32,
    /// Bytes of a parameter, gradient or activation on the links: 2 for bf16.
    pub bytes: f64,
}

/// Arithmetic and communication that may run at the same time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concurrent {
    /// Time of the arithmetic.
    pub math: Seconds,
    /// Time of the communication.
    pub exchange: Seconds,
}

impl Concurrent {
    /// Time of arithmetic and communication together: `max + (1 − overlap) · min`. At overlap 0, arithmetic and
    /// communication run one after the other. At overlap 1, only the longer time counts. An overlap outside 0 to 1 is
    /// clamped.
    pub fn time(self, overlap: f64) -> Seconds {
        let (longer, shorter) = (self.math.0.max(self.exchange.0), self.math.0.min(self.exchange.0));
        Seconds(longer + (1.0 - overlap.clamp(0.0, 1.0)) * shorter)
    }

    /// True if the arithmetic takes at least as long as the communication, and therefore can hide the communication.
    pub fn is_compute_bound(self) -> bool {
        self.math >= self.exchange
    }
}

/// Time of a training step, by pass. The time includes only matmuls and their communication, not the optimizer or the
/// input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepTime {
    /// The forward pass.
    pub forward: Concurrent,
    /// The backward pass.
    pub backward: Concurrent,
}

impl StepTime {
    /// Time of a step on a fabric. Each chip computes at `rate`, which is the peak times the share of the peak that
    /// kernels reach.
    ///
    /// Arithmetic takes FLOPs ÷ (chips · rate). Communication depends on the parallelism. The parameters are `V = bytes
    /// · N` bytes, and the activations are `A = bytes · tokens · D` bytes:
    /// - Data parallel: AllReduce(V) in the backward pass.
    /// - Fully sharded: AllGather(V) in the forward pass, AllGather(V) and ReduceScatter(V) in the backward pass.
    /// - Tensor parallel: AllGather(A) and ReduceScatter(A), together an AllReduce(A), in each of the two blocks of a
    ///   layer, in each pass. With full rematerialization, the backward pass also repeats the communication of the
    ///   forward pass.
    ///
    /// Weights and gradients move layer by layer.
    ///
    /// `None` if the fabric has no chips or `rate` is not above zero.
    pub fn new(step: &Step, sharding: Sharding, fabric: &Fabric, rate: FlopsPerSec) -> Option<Self> {
        let total = fabric.chips() as f64 * rate.0;
        if total.is_nan() || total <= 0.0 {
            return None;
        }
        let math = |flops_per_token: f64| Seconds(step.tokens * flops_per_token / total);
        let parameters = step.bytes * step.parameters;
        let layers = f64::from(step.layers.max(1));
        let gather = || fabric.time(Collective::AllGather, parameters, layers).0;
        let scatter = || fabric.time(Collective::ReduceScatter, parameters, layers).0;
        let (forward, backward) = match sharding {
            Sharding::Data => (0.0, fabric.time(Collective::AllReduce, parameters, layers).0),
            Sharding::FullySharded => (gather(), gather() + scatter()),
            Sharding::Tensor => {
                let blocks = 2.0 * f64::from(step.layers);
                let activations = blocks * step.bytes * step.tokens * f64::from(step.width);
                let pass = fabric.time(Collective::AllReduce, activations, blocks).0;
                let again = match step.remat {
                    Remat::None => 0.0,
                    Remat::Full => pass,
                };
                (pass, pass + again)
            }
        };
        Some(Self {
            forward: Concurrent { math: math(step.forward_flops_per_token), exchange: Seconds(forward) },
            backward: Concurrent { math: math(step.backward_flops_per_token), exchange: Seconds(backward) },
        })
    }

    /// Time of the forward pass plus the backward pass, with an overlap from 0 to 1 in each pass.
    pub fn time(&self, overlap: f64) -> Seconds {
        Seconds(self.forward.time(overlap).0 + self.backward.time(overlap).0)
    }

    /// True if both passes can hide their communication completely.
    pub fn is_compute_bound(&self) -> bool {
        self.forward.is_compute_bound() && self.backward.is_compute_bound()
    }
}

/// Tokens per chip above which data parallelism, sharded or not, is compute bound: `C ÷ (W · axes)`. `C` is the FLOP/s
/// of a chip, and `W · axes` is the bytes/s of a collective on the torus (scaling-book, training.md). `None` without
/// bandwidth.
///
/// This number gives the critical batch of a run ([`crate::definition::scale::CRITICAL_TOKENS`]). Tests compare this
/// number with the worked numbers of the scaling book.
pub fn critical_tokens_per_chip(rate: FlopsPerSec, torus: &Torus) -> Option<f64> {
    ratio(rate.0, torus.bytes_per_sec())
}

/// Tokens per pod above which data parallelism between pods is compute bound: `C ÷ W`. `C` is FLOP/s, and `W` is
/// bytes/s of the data-center network. Both belong to the whole pod, or to one chip and its share of the network.
///
/// This number is the critical batch per pod. Tests compare this number with the scaling book.
pub fn critical_tokens_per_pod(rate: FlopsPerSec, network_bytes_per_sec: f64) -> Option<f64> {
    ratio(rate.0, network_bytes_per_sec)
}

/// Largest number of chips for which tensor parallelism is compute bound in a feed-forward block of hidden width `F`:
/// `axes · F · W ÷ C`, for any batch (scaling-book, training.md).
///
/// Tests compare this critical number of chips with the worked numbers of the scaling book.
pub fn critical_tensor_chips(rate: FlopsPerSec, torus: &Torus, hidden: u32) -> Option<f64> {
    ratio(f64::from(hidden) * torus.bytes_per_sec(), rate.0)
}

/// Tokens per chip above which a mix of fully sharded and tensor parallelism is compute bound:
/// `a · (C ÷ W)² ÷ (sharded axes · tensor axes · F)`.
///
/// `a` is 1 if the two kinds of parallelism communicate at the same time on separate axes. `a` is 4 if one kind waits
/// for the communication of the other kind. Editions of the scaling book differ by exactly this factor.
///
/// This number is the critical batch of mixed parallelism. Tests compare this number with both editions.
pub fn critical_mixed_tokens_per_chip(
    rate: FlopsPerSec,
    link_bytes_per_sec: f64,
    sharded_axes: u32,
    tensor_axes: u32,
    hidden: u32,
    at_once: bool,
) -> Option<f64> {
    let alpha = ratio(rate.0, link_bytes_per_sec)?;
    let axes = f64::from(sharded_axes) * f64::from(tensor_axes);
    ratio(if at_once { 1.0 } else { 4.0 } * alpha * alpha, axes * f64::from(hidden))
}

fn ratio(over: f64, under: f64) -> Option<f64> {
    (under > 0.0).then(|| over / under)
}
