//! Groups of chips that split a model in several ways at once: tensor, pipeline and expert parallelism inside data
//! parallelism.
//!
//! `C` chips form `C ÷ (tensor · pipeline)` replicas of the model. Each replica has `pipeline` stages of `tensor` chips.
//! The replicas are data parallel or fully sharded. `expert` replicas share the experts of a layer. The order is that of
//! Megatron Core: tensor groups are innermost, so that their communication stays on the fastest links. Then come the
//! expert groups and the replicas. The stages are outermost, because they send the least.

use crate::{
    BETWEEN_NODES, Collective, Concurrent, Fabric, FlopsPerSec, IN_NODE, Nodes, ON_TORUS, Remat, Seconds, Sharding,
    Step, StepTime, Torus,
};

/// Sizes of the groups. All sizes are 1 for a run that has only data parallelism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Chips that split each matmul.
    pub tensor: u64,
    /// Stages that split the layers.
    pub pipeline: u64,
    /// Micro-batches into which a replica splits its sequences, so that all stages work at once.
    pub microbatches: u64,
    /// Replicas that share the experts of a layer.
    pub expert: u64,
}

impl Default for Groups {
    fn default() -> Self {
        Self { tensor: 1, pipeline: 1, microbatches: 1, expert: 1 }
    }
}

impl Groups {
    /// Number of chips of a replica.
    pub const fn replica(&self) -> u64 {
        self.tensor.saturating_mul(self.pipeline)
    }

    /// Time in which a stage waits for other stages ÷ time in which the stage works: `(p − 1) ÷ m` (Narayanan et al.,
    /// 2021, section 2.2).
    pub fn bubble(&self) -> f64 {
        (self.pipeline as f64 - 1.0) / self.microbatches as f64
    }

    /// Micro-batches whose activations the first stage holds at once ÷ all micro-batches, if each stage begins backward
    /// passes as early as possible.
    pub fn held(&self) -> f64 {
        self.pipeline.min(self.microbatches) as f64 / self.microbatches as f64
    }
}

/// Inputs that the communication in groups needs in addition to the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grouped {
    /// Sizes of the groups.
    pub groups: Groups,
    /// Number of replicas of the model.
    pub replicas: u64,
    /// Parameters of experts, which are part of the parameters of the step.
    pub expert_parameters: f64,
    /// Elements that all chips send to experts in a forward pass.
    pub dispatched: f64,
    /// Experts that a token visits in a layer. A token that visits several experts of a node crosses the network to this
    /// node once (DeepSeek-AI, DeepSeek-V3 Technical Report, 2024, section 3.2.2).
    pub per_token: f64,
}

impl Fabric {
    /// Network of one group of `members` neighboring chips. A torus gives the group whole axes, as few as possible.
    #[must_use]
    pub fn inner(&self, members: u64) -> Self {
        if members >= self.chips() {
            return *self;
        }
        match *self {
            Self::Torus(torus) => {
                let axes = axes_of(&torus, members);
                let chips_per_axis = side(members, axes);
                let wraps = torus.wraps && chips_per_axis == torus.chips_per_axis;
                Self::Torus(Torus { axes, chips_per_axis, wraps, ..torus })
            }
            Self::Nodes(nodes) => {
                let gpus_per_node = small(members.min(nodes.gpus_per_node.into()));
                let of = members.div_ceil(nodes.gpus_per_node.max(1).into());
                Self::Nodes(Nodes { gpus_per_node, nodes: small(of), ..nodes })
            }
        }
    }

    /// Network of the chips that have equal positions in all groups of `inner` neighboring chips. The groups share the
    /// links of a node. On a torus, these chips communicate along the axes that the groups do not fill. If the torus
    /// has only one axis, the groups share its links.
    #[must_use]
    pub fn outer(&self, inner: u64) -> Self {
        if inner <= 1 {
            return *self;
        }
        let members = (self.chips() / inner).max(1);
        match *self {
            Self::Torus(torus) => {
                let left = torus.axes - axes_of(&torus, inner).min(torus.axes);
                let shared = if left == 0 { inner as f64 } else { 1.0 };
                let chips_per_axis = side(members, left.max(1));
                let wraps = torus.wraps && chips_per_axis == torus.chips_per_axis;
                let link_bytes_per_sec = torus.link_bytes_per_sec / shared;
                Self::Torus(Torus { axes: left.max(1), chips_per_axis, wraps, link_bytes_per_sec, ..torus })
            }
            Self::Nodes(nodes) => {
                let gpus = u64::from(nodes.gpus_per_node);
                let gpus_per_node = (gpus / inner).clamp(1, members);
                let node_bytes_per_sec = nodes.node_bytes_per_sec / inner.min(gpus).max(1) as f64;
                let of = small(members.div_ceil(gpus_per_node));
                Self::Nodes(Nodes { gpus_per_node: small(gpus_per_node), nodes: of, node_bytes_per_sec, ..nodes })
            }
        }
    }

    /// Time of sending tokens of `bytes` in total to the experts of a group, in `messages` collectives. Each token
    /// visits `per_token` experts, whose places are independent of each other.
    fn time_to_experts(&self, bytes: f64, per_token: f64, messages: f64) -> f64 {
        let Self::Nodes(nodes) = self else { return self.time(Collective::AllToAll, bytes, messages).0 };
        let of = f64::from(nodes.nodes);
        let visited = of * (1.0 - (1.0 - 1.0 / of).powf(per_token));
        let between = nodes.between(Collective::AllToAll, bytes * (visited / per_token.max(1.0)).min(1.0)).0;
        let inside = IN_NODE.time(nodes.inside(Collective::AllToAll, bytes / of).0, messages);
        inside.max(BETWEEN_NODES.time(between, messages))
    }

    /// Time in which each chip sends `bytes` to the chip at the corresponding position in the next group. The bytes are
    /// sent in `messages` messages, and each group has `inner` chips.
    fn time_to_next(&self, inner: u64, bytes: f64, messages: f64) -> f64 {
        match self {
            Self::Torus(torus) => {
                ON_TORUS.time(2.0 * bytes / torus.link_bytes_per_sec, messages) + messages * torus.hop.0
            }
            Self::Nodes(nodes) if inner < nodes.gpus_per_node.into() => {
                IN_NODE.time(bytes / nodes.gpu_bytes_per_sec, messages)
            }
            Self::Nodes(nodes) => {
                BETWEEN_NODES.time(bytes * f64::from(nodes.gpus_per_node) / nodes.node_bytes_per_sec, messages)
            }
        }
    }
}

/// Axes of a torus that a group of `members` chips fills. The group leaves at least one axis to the other groups, unless
/// the torus has only one axis.
fn axes_of(torus: &Torus, members: u64) -> u32 {
    let most = torus.axes.saturating_sub(1).max(1);
    (1..most).find(|axes| u64::from(torus.chips_per_axis).saturating_pow(*axes) >= members).unwrap_or(most)
}

/// Smallest side of a cube with this many axes that has room for `members` chips.
fn side(members: u64, axes: u32) -> u32 {
    let found = (1u64..).find(|side| side.saturating_pow(axes) >= members);
    found.map_or(1, small)
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl StepTime {
    /// Time of a step on chips in groups. `sharding` is the parallelism of the replicas: data parallel or fully sharded.
    ///
    /// With `t`, `p` and `e` as the sizes of the groups and `d = C ÷ (t · p)` replicas:
    /// - Arithmetic takes as long as without groups; [`Groups::bubble`] adds the waiting time of the stages.
    /// - Replicas communicate the `V ÷ (t · p)` bytes of a chip's weights, as in [`StepTime::new`]. Experts count
    ///   `1 ÷ e`.
    /// - Tensor groups communicate the activations `A ÷ d` of their replica in two blocks of each of `L ÷ p` layers, as
    ///   in [`StepTime::new`].
    /// - Stages send `A ÷ (d · t)` bytes to the next stage in each pass.
    /// - Expert groups send the inputs of experts to other chips and the outputs back, each with an AllToAll.
    ///
    /// `None` if the fabric has no chips or `rate` is not above zero.
    pub fn grouped(
        step: &Step,
        sharding: Sharding,
        grouped: &Grouped,
        fabric: &Fabric,
        rate: FlopsPerSec,
    ) -> Option<Self> {
        let Grouped { groups, replicas, expert_parameters, dispatched, .. } = *grouped;
        let [tensor, pipeline, expert] = [groups.tensor, groups.pipeline, groups.expert].map(|size| size as f64);
        let per_chip = (step.parameters - expert_parameters + expert_parameters / expert) / (tensor * pipeline);
        let layers = f64::from(step.layers.max(1)) / pipeline;
        let microbatches = groups.microbatches as f64;
        let of_stage = fabric.chips() / groups.pipeline;
        let stage = if groups.pipeline > 1 { fabric.inner(of_stage) } else { *fabric };
        let outer = stage.outer(groups.tensor);
        let mut exchange = [0.0; 2];
        if replicas > 1 {
            let layers = step.layers.div_ceil(small(groups.pipeline));
            let own = Self::new(&Step { parameters: per_chip, layers, ..*step }, sharding, &outer, rate)?;
            exchange = [own.forward.exchange.0, own.backward.exchange.0];
        }
        let mut add = |more: [f64; 2]| exchange = [exchange[0] + more[0], exchange[1] + more[1]];
        let again = if step.remat == Remat::Full { 2.0 } else { 1.0 };
        if groups.tensor > 1 {
            let inner = stage.inner(groups.tensor);
            let blocks = 2.0 * layers;
            let activations = blocks * step.bytes * step.tokens * f64::from(step.width) / replicas as f64;
            let pass = inner.time(Collective::AllReduce, activations, blocks * microbatches).0;
            add([pass, again * pass]);
        }
        if groups.pipeline > 1 {
            let sent = step.bytes * step.tokens * f64::from(step.width) / (replicas as f64 * tensor);
            let pass = fabric.time_to_next(of_stage, sent, microbatches);
            add([pass, again * pass]);
        }
        if groups.expert > 1 {
            let sent = step.bytes * dispatched * expert / (replicas as f64 * tensor * pipeline);
            let pass = 2.0 * outer.inner(groups.expert).time_to_experts(sent, grouped.per_token, layers * microbatches);
            add([pass, again * pass]);
        }
        let math = Self::new(&Step { parameters: 0.0, ..*step }, Sharding::Data, fabric, rate)?;
        let [forward, backward] = exchange.map(Seconds);
        let with = |pass: Concurrent, exchange| Concurrent { exchange, ..pass };
        Some(Self { forward: with(math.forward, forward), backward: with(math.backward, backward) })
    }
}
