//! The communication between the chips of a run: the network, and the time of the communication.

use perfmodel::{
    Chip, Fabric, FlopsPerSec, Grouped, Groups, Links, Nodes, PassTime, Remat, Sharding, Step, StepTime, Torus,
};
use workload::{Kind, PassKind, Product, ResidualStream, Role, Workload};

use super::Question;

/// Returns the network between the chips, if its links are published.
pub(crate) fn fabric(question: &Question) -> Option<Fabric> {
    let (chip, chips) = (&*question.chip, question.chips);
    let links = Links::of(chip)?;
    let small = |count: u64| u32::try_from(count).ok();
    if let Some(axes) = links.torus_axes() {
        // Another network connects the pods.
        if chip.pod_chips.value.is_some_and(|most| chips > most.into()) {
            return None;
        }
        return torus(chip, axes, chips).map(Fabric::Torus);
    }
    let most = u64::from(Nodes::GPUS);
    let nodes = Nodes::of(chip, small(chips.min(most))?, small(chips.div_ceil(most))?)?;
    let named = question.network.and_then(|name| links.network(name)?.value);
    let node_bytes_per_sec = named.map_or(nodes.node_bytes_per_sec, |rate| rate * 1e9);
    Some(Fabric::Nodes(Nodes { node_bytes_per_sec, ..nodes }))
}

/// Returns the torus for a number of chips. The torus has as many axes as possible. All axes have the same length,
/// which is just large enough for the chips.
fn torus(chip: &Chip, axes: u8, chips: u64) -> Option<Torus> {
    let possible = axes.min(u8::try_from(chips.ilog2()).unwrap_or(u8::MAX)).max(1);
    let side = (1u64..).find(|side| side.saturating_pow(possible.into()) >= chips)?;
    // Whole cubes of 4 × 4 × 4 form axes that are multiples of 4. The axes may differ: 4 × 8 × 8.
    let in_cubes = axes == 3 && chips.is_multiple_of(64);
    let per_axis = if in_cubes { side.next_multiple_of(4) } else { side };
    let torus = Torus::of(chip, possible.into(), u32::try_from(per_axis).ok()?)?;
    // An axis has wraparound links only in a slice of whole cubes. In 4 × 4 × 2 an axis of 4 stays open.
    let is_whole = in_cubes || (axes < 3 && side.saturating_pow(possible.into()) == chips);
    Some(Torus { wraps: torus.wraps && is_whole, ..torus })
}

impl Question {
    /// Returns the torus of the question's chips; `None` if the chips have another network, or if their links are not
    /// published.
    #[must_use]
    pub fn torus(&self) -> Option<Torus> {
        match fabric(self)? {
            Fabric::Torus(torus) => Some(torus),
            Fabric::Nodes(_) => None,
        }
    }

    /// True if the chips form a torus and no source states which axes have wraparound links.
    #[must_use]
    pub fn has_unknown_rings(&self) -> bool {
        self.torus().is_some() && Links::of(&self.chip).is_some_and(|links| links.ring_axes.is_none())
    }
}

/// True if the chips communicate during the pass of the question.
pub(super) fn is_needed(question: &Question, groups: &Groups) -> bool {
    let is_split = question.split != Sharding::Data || *groups != Groups::default();
    question.chips > 1 && (question.pass == PassKind::Training || is_split)
}

/// Returns the size in bytes of one communicated weight or activation. The size is equal to the size in the matmuls,
/// but at least 2 bytes (bf16) in training.
fn link_bytes(question: &Question) -> f64 {
    let least = if question.pass == PassKind::Training { 2.0 } else { 0.0 };
    question.dtype.bytes().max(least)
}

/// Returns the times of arithmetic and communication in a step. `None` if the chips do not communicate, or if the links
/// or the sizes are unknown.
pub(super) fn exchange(
    question: &Question,
    groups: &Groups,
    work: &Workload,
    products: &PassTime,
    tokens: f64,
) -> Option<StepTime> {
    if !is_needed(question, groups) {
        return None;
    }
    let fabric = fabric(question)?;
    let replicas = question.chips / groups.replica();
    // Tensor and pipeline parallelism communicate activations between layers. Replicas communicate weights or gradients.
    let is_in_layers = groups.replica() > 1;
    // Without known layers, weights move in as many messages as the most frequent matmul has runs.
    let weights = work.products.iter().filter(|product| product.role == Role::Forward && product.kind == Kind::Weights);
    let unknown = ResidualStream { layers: weights.map(|product| product.count).max().unwrap_or(1), width: 0 };
    let stream = if is_in_layers { work.stream? } else { work.stream.unwrap_or(unknown) };
    let parameters = if replicas > 1 { work.weights()? } else { 0.0 };
    let small = |count: u64| u32::try_from(count).ok();
    let flops = |is_in: fn(Role) -> bool| {
        let products = work.products.iter().filter(|product| is_in(product.role));
        products.map(Product::executed_flops).sum::<f64>() * fabric.chips() as f64 / tokens
    };
    let is_recomputed = work.products.iter().any(|product| product.role == Role::Recompute);
    let step = Step {
        parameters,
        forward_flops_per_token: flops(|role| role == Role::Forward),
        backward_flops_per_token: flops(|role| role != Role::Forward),
        remat: if is_recomputed { Remat::Full } else { Remat::None },
        tokens,
        layers: small(stream.layers)?,
        width: small(stream.width)?,
        bytes: link_bytes(question),
    };
    // Each expert has one matmul with this name. A file of weights may have other names.
    let inputs = work.products.iter().filter(|product| {
        product.role == Role::Forward && product.kind == Kind::Expert && product.name.ends_with("up_proj")
    });
    let elements = |product: &Product| product.sizes.m as f64 * product.sizes.k as f64 * product.count as f64;
    let (of_chip, rows, runs) = inputs.fold((0.0, 0.0, 0.0), |(of_chip, rows, runs), product| {
        let count = product.count as f64;
        (of_chip + elements(product), rows + product.sizes.m as f64 * count, runs + count)
    });
    let dispatched = of_chip * question.chips as f64;
    // Each layer has one run for each of its experts.
    let layers_of_experts = runs / work.experts.max(1) as f64;
    let per_token = (rows / layers_of_experts / (tokens / question.chips as f64)).max(1.0);
    if groups.expert > 1 && dispatched == 0.0 {
        return None;
    }
    let expert_parameters = work.expert_weights();
    let grouped = Grouped { groups: *groups, replicas, expert_parameters, dispatched, per_token };
    let sharding = if question.split == Sharding::Tensor { Sharding::Data } else { question.split };
    StepTime::grouped(&step, sharding, &grouped, &fabric, FlopsPerSec(work.executed_flops() / products.total.0))
}

#[cfg(test)]
mod tests {
    use crate::{Estimate, ModelQuery};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn answer(text: &str) -> Estimate {
        let ModelQuery { question, invalid, .. } = ModelQuery::parse(text);
        assert_eq!(invalid, [], "{text}");
        Estimate::new(&question).expect("an answer")
    }

    #[test]
    fn whole_cubes_of_chips_have_the_bandwidth_of_closed_axes() {
        let exchange = |chips: u64| {
            let one = answer(&format!("chip=tpu-v5p&model=llama3-70b&overlap=0&chips={chips}"));
            one.exchange_time().expect("counted").0
        };
        let slower = |chips| exchange(chips) / exchange(512);
        // Slices of 4 × 4 × 4, 4 × 8 × 8 and 8 × 8 × 8 have wraparound links. A slice without whole cubes does not,
        // whatever its sides, and has half the bandwidth of three axes. 4 chips have two axes, and 2 chips have one.
        for (chips, times) in [(64, 1.0), (256, 1.0), (16, 2.0), (32, 2.0), (48, 2.0), (65, 2.0), (4, 3.0), (2, 6.0)] {
            // The numbers of hops differ a little.
            assert!((slower(chips) / times - 1.0).abs() < 0.02, "{chips}: {}", slower(chips));
        }
    }

    #[test]
    fn a_side_of_sixteen_closes_only_in_a_whole_square_of_them() {
        let exchange = |chips: u64| {
            let one = answer(&format!("chip=tpu-v5e&model=llama3-70b&overlap=0&chips={chips}"));
            one.exchange_time().expect("counted").0
        };
        // 250 chips also have a side of 16, but do not form a whole square, so they have half of the bandwidth.
        assert!((exchange(250) / exchange(256) - 2.0).abs() < 0.02);
    }

    #[test]
    fn tensor_parallelism_exchanges_the_activations_of_every_layer() {
        // 24 layers of two blocks gather and scatter 2 bytes · tokens · 1024 each, for all chips. They use three axes
        // without wraparound links: 3 · 2 · 90 GB/s ÷ 2.
        let text = "model=bert-large&chip=tpu-v5p&chips=8&split=tensor&pass=prefill&seq=512&batch=8";
        let found = answer(text).exchange_time().expect("counted").0;
        let bytes = 2.0 * (8.0 * 8.0 * 512.0) * 1024.0;
        // The links reach 95% of the rate. Each of the 48 sums needs two passes over three hops of 1 µs.
        let expected = 24.0 * 2.0 * 2.0 * bytes / (3.0 * 180e9 / 2.0) / 0.95 + 48.0 * 2.0 * 3.0 * 1e-6;
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} for {expected}");
        // Rematerialization in training repeats the communication.
        let train = |remat| {
            let text = format!("model=llama3-8b&chip=tpu-v5p&chips=8&split=tensor&remat={remat}");
            answer(&text).exchange_time().expect("counted").0
        };
        assert!((train("full") / train("none") - 1.5).abs() < 1e-9);
        // Training communicates values of 2 bytes even if its matmuls use fewer bytes. A forward pass communicates
        // values in the format that it multiplies.
        let bytes_short = |pass: &str| {
            let of = |dtype: &str| {
                let text =
                    format!("model=llama3-8b&chip=tpu-v5p&chips=8&split=tensor&remat=none&pass={pass}&dtype={dtype}");
                answer(&text).exchange_time().expect("counted").0
            };
            of("int8") / of("bf16")
        };
        assert!((bytes_short("train") - 1.0).abs() < 1e-9, "{}", bytes_short("train"));
        assert!((bytes_short("prefill") - 0.5).abs() < 2e-3, "{}", bytes_short("prefill"));
        // The layers of an image model are not listed.
        assert_eq!(answer("model=resnet50&chip=tpu-v5p&chips=8&split=tensor").exchange, None);
    }

    #[test]
    fn only_of_a_torus_is_it_asked_which_axes_close() {
        for (chip, is_unknown) in
            [("tpu-v3", true), ("tpu-7x", true), ("tpu-v5e", false), ("tpu-v5p", false), ("h100-sxm", false)]
        {
            let one = answer(&format!("chip={chip}&model=llama3-70b&chips=64"));
            assert!(one.exchange_time().is_some(), "{chip}");
            assert_eq!(one.question.has_unknown_rings(), is_unknown, "{chip}");
        }
    }

    #[test]
    fn the_forward_pass_has_its_own_share_of_the_arithmetic() {
        let share = |remat| {
            let step =
                answer(&format!("model=llama3-8b&chip=tpu-v5p&chips=64&remat={remat}")).exchange.expect("counted");
            step.forward.math.0 / (step.forward.math.0 + step.backward.math.0)
        };
        assert!((share("none") - 1.0 / 3.0).abs() < 1e-9 && (share("full") - 0.25).abs() < 1e-9);
    }
}
