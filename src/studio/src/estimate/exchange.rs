//! What the chips of a run exchange: over which links, and how much.

use perfmodel::{Chip, Fabric, FlopsPerSec, Links, Nodes, PassTime, Sharding, Step, StepTime, Torus};
use workload::{Gemm, Kind, Role, Workload};

use super::{Asked, Pass};

/// What joins the chips, as far as it is published.
fn fabric(chip: &Chip, chips: u64) -> Option<Fabric> {
    let links = Links::of(chip)?;
    let small = |count: u64| u32::try_from(count).ok();
    if let Some(axes) = links.torus_axes() {
        // Between pods is another network.
        if chip.pod_chips.value.is_some_and(|most| chips > most.into()) {
            return None;
        }
        // As near to a cube or a square as whole chips allow.
        let cube = (1u64..).find(|side| side.saturating_pow(axes.into()) >= chips)?;
        // Whole cubes of 4 × 4 × 4 are joined into axes of multiples of 4, which need not be alike: 4 × 8 × 8.
        let per_axis = if axes == 3 && chips.is_multiple_of(64) { cube.next_multiple_of(4) } else { cube };
        return Torus::of(chip, axes.into(), small(per_axis)?).map(Fabric::Torus);
    }
    const GPUS_PER_NODE: u64 = 8;
    let per_node = small(chips.min(GPUS_PER_NODE))?;
    Nodes::of(chip, per_node, small(chips.div_ceil(GPUS_PER_NODE))?).map(Fabric::Nodes)
}

/// Whether chips exchange anything in a pass.
pub(super) fn is_needed(asked: &Asked) -> bool {
    asked.chips > 1 && (asked.pass == Pass::Train || asked.split != Sharding::Data)
}

/// What they exchange in a step, where their links are published.
pub(super) fn exchange(
    asked: &Asked,
    work: &Workload,
    products: &PassTime,
    parameters: f64,
    tokens: f64,
) -> Option<StepTime> {
    if !is_needed(asked) {
        return None;
    }
    let fabric = fabric(&asked.chip, asked.chips)?;
    let forward = |gemm: &&Gemm| gemm.role == Role::Forward;
    let executed = work.executed_flops();
    // The passes share the time of the products as they share their FLOPs: a third forward, in training.
    let passes = if asked.pass == Pass::Train { 1.0 } else { 3.0 };
    // Activations between layers are as wide as the widest product of weights is deep at its narrowest.
    let width = work.gemms.iter().filter(forward).filter(|gemm| gemm.kind == Kind::Weights).map(|gemm| gemm.k).min();
    let layers =
        work.gemms.iter().filter(forward).filter(|gemm| gemm.kind == Kind::Weights).map(|gemm| gemm.count).min();
    let small = |count: Option<u64>| u32::try_from(count.unwrap_or(1)).ok();
    let step = Step {
        parameters,
        train_flops_per_token: passes * executed * fabric.chips() as f64 / tokens,
        tokens,
        layers: small(layers)?,
        width: small(width)?,
        bytes: 2.0,
    };
    StepTime::new(&step, asked.split, &fabric, FlopsPerSec(executed / products.total.0))
}
