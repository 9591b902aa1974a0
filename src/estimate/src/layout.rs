//! The parallelism of a training run whose question sets none.
//!
//! The default is fully sharded data parallelism. If communication then takes longer than the work of a chip, the run has
//! the layout that people choose at this size: tensor parallelism inside a node, experts and pipeline stages between
//! nodes. The estimate tries the usual sizes, and takes the fastest run that fits in memory.

use std::sync::Arc;

use crate::memory::fits;
use crate::question::LayoutFrom;
use crate::{Bound, Estimate, GroupSizes, Question, exchange};
use perfmodel::{Fabric, Sharding};
use workload::PassKind;

/// Sizes of tensor groups that are tried on GPUs: one chip, or a whole node.
const TENSOR_IN_NODE: [u64; 2] = [1, 8];
/// Sizes of tensor groups that are tried on a torus.
const TENSOR_ON_TORUS: [u64; 3] = [1, 4, 16];
/// Numbers of pipeline stages that are tried. TPUs have no slow network inside a pod, so they have one stage.
const PIPELINE: [u64; 4] = [1, 4, 8, 16];
/// Sizes of expert groups that are tried.
const EXPERT: [u64; 3] = [1, 8, 64];

impl Estimate {
    /// Returns the fastest estimate with one of the usual layouts. `None` if the default is fast enough, or if the
    /// question sets its parallelism.
    pub(crate) fn in_faster_layout(&self) -> Option<Self> {
        let Question { layout, pass, .. } = self.question;
        let is_open = layout == LayoutFrom::Default && pass == PassKind::Training;
        if !is_open || self.bound() != Bound::Communication {
            return None;
        }
        let has_nodes = matches!(exchange::fabric(&self.question)?, Fabric::Nodes(_));
        let has_room = self.has_room();
        let mut best: Option<Self> = None;
        for sizes in layouts(has_nodes, self.work.experts > 0) {
            // Stages would gather fully sharded weights for each micro-batch.
            let splits: &[Sharding] =
                if sizes.pipeline.is_some() { &[Sharding::Data] } else { &[Sharding::FullySharded, Sharding::Data] };
            for split in splits {
                let layout = LayoutFrom::Chosen;
                let question = Question { split: *split, groups: sizes, layout, ..self.question.clone() };
                if has_room && fits(&question, &self.work) == Some(false) {
                    continue;
                }
                let Ok(other) = Self::laid_out(&question, Arc::clone(&self.work), self.inputs) else { continue };
                let least = best.as_ref().unwrap_or(self).step;
                if other.exchange.is_some() && other.step < least && (other.has_room() || !has_room) {
                    best = Some(other);
                }
            }
        }
        best
    }
}

/// Sizes of groups to try, from the simplest to the most divided.
fn layouts(has_nodes: bool, has_experts: bool) -> impl Iterator<Item = GroupSizes> {
    let stages = PIPELINE.into_iter().filter(move |size| has_nodes || *size == 1);
    stages.flat_map(move |pipeline| {
        let tensors: &[u64] = if has_nodes { &TENSOR_IN_NODE } else { &TENSOR_ON_TORUS };
        tensors.iter().flat_map(move |tensor| {
            let experts = EXPERT.into_iter().filter(move |size| has_experts || *size == 1);
            experts.map(move |expert| {
                let size = |size: u64| Some(size).filter(|size| *size > 1);
                GroupSizes {
                    tensor: size(*tensor),
                    pipeline: size(pipeline),
                    expert: size(expert),
                    ..GroupSizes::default()
                }
            })
        })
    })
}
