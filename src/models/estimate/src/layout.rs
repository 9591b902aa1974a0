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
        let (has_weights, has_room) = (self.misfit().is_none(), self.has_room());
        let mut best: Option<Self> = None;
        for sizes in layouts(has_nodes, self.work.experts > 0) {
            // Stages would gather fully sharded weights for each micro-batch.
            let splits: &[Sharding] =
                if sizes.pipeline.is_some() { &[Sharding::Data] } else { &[Sharding::FullySharded, Sharding::Data] };
            for split in splits {
                let layout = LayoutFrom::Chosen;
                let question = Question { split: *split, groups: sizes, layout, ..self.question.clone() };
                if has_weights && fits(&question, &self.work) == Some(false) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelQuery;
    use perfmodel::Groups;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn answer(text: &str) -> Estimate {
        let ModelQuery { question, invalid, .. } = ModelQuery::parse(text);
        assert_eq!(invalid, [], "{text}");
        Estimate::new(&question).expect("an answer")
    }

    const SLOW: &str = "model=llama2-70b&chip=a100-80&chips=2048&batch=1&network=p4d";

    #[test]
    fn a_run_of_the_size_of_llama_65b_reaches_what_was_published() {
        // Touvron et al., 2023, reached 49.5% on 2048 A100 behind 200 Gbit/s each.
        for network in ["", "&network=superpod", "&network=p4d"] {
            let found = answer(&format!("model=llama2-70b&chip=a100-80&chips=2048&batch=1{network}"));
            let mfu = found.mfu.expect("possible").ratio;
            let (low, high) = found.interval().expect("training").rate(mfu);
            assert!((low..=high).contains(&0.495), "{network}: {low} {mfu} {high}");
        }
    }

    #[test]
    fn only_a_run_that_waits_for_communication_gets_another_layout() {
        let fast = answer("model=llama2-70b&chip=a100-80&chips=2048&batch=1");
        assert_eq!((fast.question.layout, fast.groups), (LayoutFrom::Default, Groups::default()));
        let chosen = answer(SLOW);
        assert_eq!(chosen.question.layout, LayoutFrom::Chosen);
        assert!(chosen.groups.tensor == 8 && chosen.groups.pipeline > 1 && chosen.has_room(), "{:?}", chosen.groups);
        // A layout that a person sets stays, although it is slower.
        let set = answer(&format!("{SLOW}&split=fsdp"));
        assert_eq!((set.question.layout, set.bound()), (LayoutFrom::Set, Bound::Communication));
        assert!(set.step > chosen.step);
        // A person who sets this layout by hand gets an equal answer.
        let groups = chosen.question.groups.text();
        let by_hand = answer(&format!("{SLOW}&split=data&groups={groups}"));
        assert_eq!((by_hand.step, by_hand.groups), (chosen.step, chosen.groups));
    }

    #[test]
    fn another_number_of_chips_has_its_own_layout() {
        let chosen = answer(SLOW);
        let few = chosen.on_chips(24).expect("an answer");
        assert_eq!(few.step, answer(&SLOW.replace("2048", "24")).step);
        let split = chosen.split(Sharding::FullySharded).expect("an answer");
        assert_eq!(split.step, answer(&format!("{SLOW}&split=fsdp")).step);
    }

    #[test]
    fn a_chosen_layout_never_takes_more_memory_than_there_is() {
        for chip in ["tpu-v6e", "b200-sxm", "a100-40", "h100-sxm&network=a3-high"] {
            for rest in ["&chips=64&batch=1", "&chips=1024&batch=1", "&chips=4096&batch=1&seq=512"] {
                let [open, set] =
                    ["", "&split=fsdp"].map(|split| answer(&format!("model=llama3-70b&chip={chip}{rest}{split}")));
                assert!(open.step <= set.step, "{chip} {rest}");
                assert!(open.misfit().is_none() || set.misfit().is_some(), "{chip} {rest}");
            }
        }
    }
}
