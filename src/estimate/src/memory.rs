//! The memory of a chip, in bytes: weights, keys and values, and activations.

use crate::{Estimate, Question};
use perfmodel::{Remat, Sharding};
use workload::{PassKind, Workload};

/// Bytes of training for each weight: bf16 weight and gradient, f32 weight and Adam's two moments.
const TRAINING_BYTES: f64 = 16.0;

/// The parts of a model that one chip keeps in its memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Bytes of each weight; in training with its gradient and Adam's moments.
    pub bytes: f64,
    /// Chips that share the weights.
    pub over: f64,
    /// Elements of keys and values; in training these are activations.
    pub cached: f64,
    /// The weights; `None` where nobody knows them.
    pub weights: Option<f64>,
    /// Bytes that the backward pass needs of the forward pass; `None` outside of training and where the layers are not
    /// known.
    pub activations: Option<f64>,
}

impl Held {
    /// The parts of a workload that one chip of a question keeps.
    #[must_use]
    pub fn new(question: &Question, work: &Workload) -> Self {
        let is_training = question.pass == PassKind::Training;
        Self {
            bytes: if is_training { TRAINING_BYTES } else { question.dtype.bytes() },
            over: if question.split == Sharding::Data { 1.0 } else { question.chips as f64 },
            cached: if is_training { 0.0 } else { work.cached },
            weights: work.weights(),
            activations: activations(question, work),
        }
    }

    /// Bytes of weights, keys and values; in training of its state. `None` where nobody knows the weights.
    #[must_use]
    pub fn in_all(&self) -> Option<f64> {
        Some(self.weights? * self.bytes / self.over + self.cached * self.bytes)
    }
}

/// True if weights, keys and values fit into the memory; `None` if their size or the memory is unknown.
pub(crate) fn fits(question: &Question, work: &Workload) -> Option<bool> {
    Some(Held::new(question, work).in_all()? <= question.chip.memory.bytes()?)
}

impl Estimate {
    /// The parts that one chip keeps in its memory.
    #[must_use]
    pub fn held(&self) -> Held {
        Held::new(&self.question, &self.work)
    }

    /// Bytes that a chip needs, if its memory has fewer. The run is then impossible.
    #[must_use]
    pub fn misfit(&self) -> Option<f64> {
        let has = self.question.chip.memory.bytes()?;
        self.held().in_all().filter(|needed| *needed > has)
    }

    /// Bytes of activations, if in training the weights fit, but not with these.
    #[must_use]
    pub fn activations_without_room(&self) -> Option<f64> {
        let held = self.held();
        let left = self.question.chip.memory.bytes()? - held.in_all()?;
        held.activations.filter(|bytes| left >= 0.0 && *bytes > left)
    }
}

/// Bytes of what the backward pass needs of the forward pass, in 16 bits with the scores of attention left on the chip: 34
/// for each token, layer and element of the stream; where everything is computed again the layers' inputs and one layer.
fn activations(question: &Question, work: &Workload) -> Option<f64> {
    let stream = work.stream.filter(|_| question.pass == PassKind::Training)?;
    let elements = question.seq as f64 * question.batch as f64 * stream.width as f64;
    Some(match question.recomputes() {
        Remat::None => 34.0 * elements * stream.layers as f64,
        Remat::Full => elements * (2.0 * stream.layers as f64 + 34.0),
    })
}
