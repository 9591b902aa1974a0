//! The memory of a chip, in bytes: weights, keys and values, and activations.

use crate::groups::groups;
use crate::{Estimate, Question};
use perfmodel::{Remat, Sharding};
use workload::{PassKind, Workload};

/// Bytes per weight in training: bf16 weight and gradient, f32 weight, and Adam's two moments.
const TRAINING_BYTES: f64 = 16.0;

/// The parts of a model that one chip keeps in its memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Bytes per weight. In training, these bytes include the weight's gradient and Adam's moments.
    pub bytes: f64,
    /// Number of chips that share the weights.
    pub over: f64,
    /// Number of elements in the keys and values on the chip; 0 in training, in which keys and values count as
    /// activations. If tensor parallelism uses more chips than there are heads of keys and values, the further chips
    /// keep copies.
    pub cached: f64,
    /// Number of weights in matmuls, which [`Self::over`] chips divide equally; `None` if unknown. Weights of experts
    /// are first divided by the expert groups.
    pub weights: Option<f64>,
    /// Number of weights in tables in which rows are looked up, such as the input embedding.
    pub lookup: f64,
    /// Bytes of activations that the backward pass needs; `None` if the pass is not training, or if the layers are
    /// unknown.
    pub activations: Option<f64>,
}

impl Held {
    /// Computes the parts of a workload that one chip keeps in memory.
    #[must_use]
    pub fn new(question: &Question, work: &Workload) -> Self {
        // Chips that cannot form their groups have no estimate.
        let groups = groups(question, work).unwrap_or_default();
        let is_training = question.pass == PassKind::Training;
        let replica = groups.replica() as f64;
        Self {
            bytes: if is_training { TRAINING_BYTES } else { question.dtype.bytes() },
            over: if question.split == Sharding::FullySharded { question.chips as f64 } else { replica },
            cached: if is_training { 0.0 } else { work.cached_on(groups.tensor) },
            // Fully sharded weights are already divided by all chips.
            weights: work.weights().map(|weights| match question.split {
                Sharding::FullySharded => weights,
                _ => weights - work.expert_weights() * (1.0 - 1.0 / groups.expert as f64),
            }),
            lookup: work.lookup_weights,
            activations: activations(question, work).map(|bytes| bytes * groups.held()),
        }
    }

    /// Returns the bytes of weights. In training, these bytes include the gradients and Adam's moments. `None` if the number
    /// of weights is unknown.
    #[must_use]
    pub fn of_weights(&self) -> Option<f64> {
        Some((self.weights? + self.lookup) * self.bytes / self.over)
    }

    /// Returns the bytes of weights, keys and values. In training, returns the bytes of weights, gradients and Adam's
    /// moments. `None` if the number of weights is unknown.
    #[must_use]
    pub fn in_all(&self) -> Option<f64> {
        Some(self.of_weights()? + self.cached * self.bytes)
    }
}

/// True if weights, keys and values fit in the chip's memory; `None` if the number of weights or the memory capacity is
/// unknown.
pub(crate) fn fits(question: &Question, work: &Workload) -> Option<bool> {
    Some(Held::new(question, work).in_all()? <= question.chip.memory.bytes()?)
}

/// Returns the largest number of sequences on a chip whose activations fit; at least 1. `None` if all sequences of the
/// question fit, or if no number of sequences makes the model fit.
pub(crate) fn fewer_sequences(question: &Question, work: &Workload) -> Option<u64> {
    let held = Held::new(question, work);
    let left = question.chip.memory.bytes()? - held.in_all()?;
    let of_each = held.activations? / question.batch as f64;
    let fitting = (left / of_each).floor();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the number of sequences")]
    (left >= 0.0 && fitting < question.batch as f64).then_some((fitting as u64).max(1))
}

impl Estimate {
    /// Returns the parts that one chip keeps in its memory.
    #[must_use]
    pub fn held(&self) -> Held {
        Held::new(&self.question, &self.work)
    }

    /// Returns the bytes that each chip needs, if the memory of a chip is too small. The run is then impossible.
    #[must_use]
    pub fn misfit(&self) -> Option<f64> {
        let has = self.question.chip.memory.bytes()?;
        self.held().in_all().filter(|needed| *needed > has)
    }

    /// Returns the bytes of activations if the weights fit in the chip's memory but the activations do not. `None`
    /// except in training.
    #[must_use]
    pub fn activations_without_room(&self) -> Option<f64> {
        let held = self.held();
        let left = self.question.chip.memory.bytes()? - held.in_all()?;
        held.activations.filter(|bytes| left >= 0.0 && *bytes > left)
    }
}

/// Returns the bytes of activations that the backward pass needs, in a 16-bit format. Attention scores are not counted,
/// because the scores stay on the chip.
///
/// With tensor parallelism, each chip keeps its share of all activations. A stage of a pipeline keeps the activations of
/// as many micro-batches as the pipeline has stages.
///
/// Without rematerialization, the activations take 34 bytes per token, per layer and per element of the residual
/// stream. With rematerialization, the chip keeps the inputs of all layers, and all activations of one layer.
fn activations(question: &Question, work: &Workload) -> Option<f64> {
    let stream = work.stream.filter(|_| question.pass == PassKind::Training)?;
    let elements = question.seq as f64 * question.batch as f64 * stream.width as f64;
    Some(match question.recomputes() {
        Remat::None => 34.0 * elements * stream.layers as f64,
        Remat::Full => elements * (2.0 * stream.layers as f64 + 34.0),
    })
}
