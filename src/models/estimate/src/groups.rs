//! The groups of chips in a question: tensor, pipeline and expert parallelism inside data parallelism.

use crate::{Question, Refusal};
use perfmodel::{Groups, Sharding};
use workload::Workload;

/// Default number of micro-batches for each stage of a pipeline.
const MICROBATCHES_PER_STAGE: u64 = 4;
/// Largest size of a group.
const SIZE_MAX: u64 = 1_000_000;

/// Sizes of the groups in a question; `None` for a size that is not set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupSizes {
    /// Chips that split each matmul.
    pub tensor: Option<u64>,
    /// Stages that split the layers.
    pub pipeline: Option<u64>,
    /// Micro-batches of a replica.
    pub microbatches: Option<u64>,
    /// Replicas that share the experts.
    pub expert: Option<u64>,
}

impl GroupSizes {
    /// Names of the sizes in a link.
    pub const NAMES: [&str; 4] = ["tensor", "pipeline", "microbatches", "expert"];

    fn sizes(&mut self) -> [&mut Option<u64>; 4] {
        [&mut self.tensor, &mut self.pipeline, &mut self.microbatches, &mut self.expert]
    }

    /// Reads `tensor=8,pipeline=4`. `None` if a name is unknown or repeated, or if a size is not a whole number above 0.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut found = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, size) = part.split_once('=')?;
            let size = size.trim().parse().ok().filter(|size| (1..=SIZE_MAX).contains(size))?;
            let place = Self::NAMES.iter().position(|one| *one == name.trim())?;
            let of = found.sizes().into_iter().nth(place)?;
            if of.replace(size).is_some() {
                return None;
            }
        }
        Some(found)
    }

    /// Returns the text that [`Self::read`] reads.
    #[must_use]
    pub fn text(mut self) -> String {
        let sizes = self.sizes().map(|size| *size);
        let set = Self::NAMES.iter().zip(sizes).filter_map(|(name, size)| Some(format!("{name}={}", size?)));
        set.collect::<Vec<_>>().join(",")
    }
}

/// Reason why the chips of a question cannot form its groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupsRefusal {
    /// The number of chips is not a multiple of the chips of a replica.
    Chips {
        /// Number of chips.
        chips: u64,
        /// Chips of a replica: tensor · pipeline.
        replica: u64,
    },
    /// Tensor parallelism over all chips, with a size of the tensor groups.
    AllTensor,
    /// More stages than layers, or a pipeline for a model with unknown layers.
    Layers {
        /// Number of stages.
        pipeline: u64,
        /// Number of layers, if known.
        layers: Option<u64>,
    },
    /// More micro-batches than sequences of a replica.
    Microbatches {
        /// Number of micro-batches.
        microbatches: u64,
        /// Sequences of a replica.
        sequences: u64,
    },
    /// Expert groups whose size does not divide the number of replicas or of experts.
    Expert {
        /// Size of an expert group.
        expert: u64,
        /// Number of replicas.
        replicas: u64,
        /// Number of experts of a layer.
        experts: u64,
    },
}

/// Returns the groups of a run.
///
/// # Errors
/// [`Refusal::Groups`] if the chips cannot form the groups.
pub(crate) fn groups(question: &Question, work: &Workload) -> Result<Groups, Refusal> {
    let GroupSizes { tensor, pipeline, microbatches, expert } = question.groups;
    let (chips, pipeline, expert) = (question.chips, pipeline.unwrap_or(1), expert.unwrap_or(1));
    let refused = |why| Err(Refusal::Groups(why));
    let tensor = match (question.split, tensor) {
        (Sharding::Tensor, Some(tensor)) if tensor.saturating_mul(pipeline) != chips => {
            return refused(GroupsRefusal::AllTensor);
        }
        (Sharding::Tensor, _) => (chips / pipeline).max(1),
        (_, tensor) => tensor.unwrap_or(1),
    };
    let replica = tensor.saturating_mul(pipeline);
    if !chips.is_multiple_of(replica) {
        return refused(GroupsRefusal::Chips { chips, replica });
    }
    let layers = work.stream.map(|stream| stream.layers);
    if pipeline > 1 && layers.is_none_or(|layers| pipeline > layers) {
        return refused(GroupsRefusal::Layers { pipeline, layers });
    }
    let (replicas, experts) = (chips / replica, work.experts);
    if expert > 1 && !(replicas.is_multiple_of(expert) && experts > 0 && experts.is_multiple_of(expert)) {
        return refused(GroupsRefusal::Expert { expert, replicas, experts });
    }
    let sequences = question.batch.saturating_mul(replica);
    let usual = || {
        let most = MICROBATCHES_PER_STAGE.saturating_mul(pipeline).min(sequences);
        (1..=most).rev().find(|count| sequences.is_multiple_of(*count)).unwrap_or(1)
    };
    let microbatches = match microbatches {
        Some(microbatches) if microbatches > sequences => {
            return refused(GroupsRefusal::Microbatches { microbatches, sequences });
        }
        Some(microbatches) => microbatches,
        None if pipeline > 1 => usual(),
        None => 1,
    };
    Ok(Groups { tensor, pipeline, microbatches, expert })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Estimate, ModelQuery};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn of(text: &str) -> Result<Estimate, Refusal> {
        let ModelQuery { question, invalid, .. } = ModelQuery::parse(text);
        assert_eq!(invalid, [], "{text}");
        Estimate::new(&question)
    }

    fn answer(text: &str) -> Estimate {
        of(text).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"))
    }

    #[test]
    fn sizes_are_read_as_they_are_shown() {
        let text = "tensor=8,pipeline=4,microbatches=16,expert=2";
        assert_eq!(GroupSizes::read(text).map(GroupSizes::text).as_deref(), Some(text));
        assert_eq!(GroupSizes::read(" pipeline = 4 ,").map(GroupSizes::text).as_deref(), Some("pipeline=4"));
        assert_eq!(GroupSizes::read(""), Some(GroupSizes::default()));
        for bad in ["tensor", "tensor=0", "tensor=8,tensor=8", "data=8", "tensor=-1", "tensor=1.5"] {
            assert_eq!(GroupSizes::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn chips_that_cannot_form_the_groups_are_refused() {
        for (text, why) in [
            ("groups=tensor=48", GroupsRefusal::Chips { chips: 64, replica: 48 }),
            ("groups=tensor=8&split=tensor", GroupsRefusal::AllTensor),
            ("groups=pipeline=64&chips=64", GroupsRefusal::Layers { pipeline: 64, layers: Some(32) }),
            ("groups=pipeline=4&model=resnet50", GroupsRefusal::Layers { pipeline: 4, layers: None }),
            (
                "groups=pipeline=4,microbatches=17&batch=4",
                GroupsRefusal::Microbatches { microbatches: 17, sequences: 16 },
            ),
            ("groups=expert=8", GroupsRefusal::Expert { expert: 8, replicas: 64, experts: 0 }),
        ] {
            let refused = of(text).map(|_| ());
            assert_eq!(refused, Err(Refusal::Groups(why)), "{text}");
        }
    }

    #[test]
    fn groups_share_weights_activations_and_the_cache_and_not_the_work() {
        let base = "model=llama3-70b&chip=h100-sxm&chips=64&split=data&batch=4&remat=full";
        let one = answer(base);
        let grouped = answer(&format!("{base}&groups=tensor=8,pipeline=4,microbatches=16"));
        assert_eq!(grouped.groups, Groups { tensor: 8, pipeline: 4, microbatches: 16, expert: 1 });
        assert_eq!((one.model_flops, one.tokens), (grouped.model_flops, grouped.tokens));
        assert_eq!((one.held().over, grouped.held().over), (1.0, 32.0));
        // Four of sixteen micro-batches are in progress.
        let activations = |one: &Estimate| one.held().activations.expect("training");
        assert!((activations(&grouped) / activations(&one) - 0.25).abs() < 1e-12);
        // The default is four micro-batches for each stage.
        assert_eq!(answer(&format!("{base}&groups=pipeline=4")).groups.microbatches, 16);
        let factors = grouped.factors();
        let product: f64 = factors.iter().map(|one| one.factor).product();
        assert!((product / grouped.mfu.expect("possible").ratio - 1.0).abs() < 1e-9);
        let waits = factors.iter().find(|one| one.part == crate::Part::Pipeline).expect("stages");
        assert!((waits.factor - 16.0 / 19.0).abs() < 1e-12);
        // All chips as one tensor group are tensor parallelism.
        let serve = "model=llama3-70b&chip=h100-sxm&chips=8&pass=decode&batch=4";
        let all = answer(&format!("{serve}&split=data&groups=tensor=8"));
        let tensor = answer(&format!("{serve}&split=tensor"));
        assert_eq!((all.step, all.held()), (tensor.step, tensor.held()));
        // A chip stores only the experts of its place in the expert group.
        let content =
            crate::imported(br#"{"model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}"#)
                .expect("a model");
        let of_experts = |groups: &str| {
            let query = ModelQuery::parse(&format!("chip=h100-sxm&chips=64&split=data&batch=1{groups}"));
            Estimate::of_content(&query.question, &content).expect("an answer")
        };
        let (all, shared) = (of_experts(""), of_experts("&groups=expert=8"));
        let held = |one: &Estimate| one.held().weights.expect("known");
        let experts = all.work.expert_weights();
        assert!(experts > 0.9 * held(&all) && (held(&all) - held(&shared) - experts * 7.0 / 8.0).abs() < 1.0);
        let exchange = |one: &Estimate| one.exchange.expect("counted").forward.exchange.0;
        assert!(exchange(&all) == 0.0 && exchange(&shared) > 0.0, "tokens go to experts and back");
        // Replicas of tensor groups multiply the number of tokens, and do not change the time of a token.
        let two = answer("model=llama3-70b&chip=h100-sxm&chips=16&pass=decode&batch=4&split=data&groups=tensor=8");
        assert!((two.step.0 / tensor.step.0 - 1.0).abs() < 1e-9);
    }
}
