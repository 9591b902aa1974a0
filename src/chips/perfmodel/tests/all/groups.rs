//! Tests groups of chips. With only one kind of parallelism, the communication has a known value. With a mix of two
//! kinds, the communication is compared with the scaling book. The waiting of pipeline stages is compared with a
//! simulated schedule.

use perfmodel::{
    Chip, Collective, Fabric, FlopsPerSec, Grouped, Groups, Nodes, ON_TORUS, PeakDtype, Remat, Sharding, Step,
    StepTime, Torus, critical_mixed_tokens_per_chip,
};

fn chip(id: &str) -> &'static Chip {
    Chip::by_id(id).expect("listed")
}

fn peak(id: &str) -> FlopsPerSec {
    chip(id).peak_flops(PeakDtype::Bf16).expect("published")
}

fn torus(axes: u32, side: u32) -> Torus {
    Torus { wraps: true, ..Torus::of(chip("tpu-v5p"), axes, side).expect("published") }
}

/// Returns a step of a model with 80 layers of two blocks.
fn step(tokens: f64, remat: Remat) -> Step {
    let parameters = 70e9;
    Step {
        parameters,
        forward_flops_per_token: 2.0 * parameters,
        backward_flops_per_token: 4.0 * parameters,
        remat,
        tokens,
        layers: 80,
        width: 8192,
        bytes: 2.0,
    }
}

fn close(one: f64, other: f64) {
    assert!((one / other - 1.0).abs() < 1e-9, "{one} {other}");
}

#[test]
fn groups_of_one_chip_and_a_group_of_all_chips_are_the_single_kinds_of_parallelism() {
    let nodes = Fabric::Nodes(Nodes::of(chip("h100-sxm"), 8, 16).expect("published"));
    for (id, fabric) in [("tpu-v5p", Fabric::Torus(torus(3, 8))), ("h100-sxm", nodes)] {
        for remat in [Remat::None, Remat::Full] {
            let step = step(4e6, remat);
            let single = |sharding| StepTime::new(&step, sharding, &fabric, peak(id));
            let grouped = |sharding, tensor, replicas| {
                let groups = Groups { tensor, ..Groups::default() };
                let grouped = Grouped { groups, replicas, ..Grouped::default() };
                StepTime::grouped(&step, sharding, &grouped, &fabric, peak(id))
            };
            for sharding in [Sharding::Data, Sharding::FullySharded] {
                assert_eq!(grouped(sharding, 1, fabric.chips()), single(sharding), "{id}");
            }
            assert_eq!(grouped(Sharding::Data, fabric.chips(), 1), single(Sharding::Tensor), "{id}");
        }
    }
}

#[test]
fn tensor_groups_in_sharded_replicas_turn_at_the_batch_of_the_scaling_book() {
    // The feed-forward model has layers of one block with two matrices of D × F. Two axes are sharded, and one is
    // tensor parallel.
    let (side, width) = (8_u32, 8192.0);
    let torus = torus(3, side);
    let ratio = peak("tpu-v5p").0 / torus.link_bytes_per_sec;
    // With this F, the best tensor group at the critical batch is one axis.
    let hidden = 2.0 * ratio * f64::from(side);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number")]
    let whole = hidden.round() as u32;
    let critical = critical_mixed_tokens_per_chip(peak("tpu-v5p"), torus.link_bytes_per_sec, 2, 1, whole, false);
    let tokens = critical.expect("known") * f64::from(side.pow(3));
    let parameters = 2.0 * 2.0 * width * hidden;
    let step = Step {
        parameters,
        forward_flops_per_token: 2.0 * parameters,
        backward_flops_per_token: 4.0 * parameters,
        // A layer of the formula has two blocks, so one layer has the two blocks of this model.
        layers: 1,
        ..step(tokens, Remat::None)
    };
    let time = |tensor: u64| {
        let groups = Groups { tensor, ..Groups::default() };
        let grouped = Grouped { groups, replicas: u64::from(side).pow(3) / tensor, ..Grouped::default() };
        // Published formulas use the link rate, and collectives reach only a share of it.
        let rate = FlopsPerSec(peak("tpu-v5p").0 * ON_TORUS.share);
        StepTime::grouped(&step, Sharding::FullySharded, &grouped, &Fabric::Torus(torus), rate).expect("known").forward
    };
    let best = time(u64::from(side));
    assert!((best.exchange.0 / best.math.0 - 1.0).abs() < 2e-2, "{best:?}");
    assert!(time(1).exchange.0 > best.exchange.0 && time(64).exchange.0 > best.exchange.0);
}

#[test]
fn groups_communicate_what_a_count_by_hand_says() {
    // 64 H100 have two layouts here. In one, tensor groups of 8 fill a node, and one stage has 8 replicas. The other
    // has 4 stages of 4 chips, and 4 replicas.
    let nodes = Nodes::of(chip("h100-sxm"), 8, 8).expect("published");
    let step = step(1e6, Remat::None);
    let exchange = |groups: Groups, grouped: Grouped| {
        let grouped = Grouped { groups, replicas: 64 / groups.replica(), ..grouped };
        let fabric = Fabric::Nodes(nodes);
        let time = StepTime::grouped(&step, Sharding::Data, &grouped, &fabric, peak("h100-sxm")).expect("known");
        [time.forward.exchange.0, time.backward.exchange.0]
    };
    // NVLink reaches 80% of its rate, and the adapters reach 73%. Each message adds 23 µs in a node, or 65 µs between
    // nodes.
    let in_node = |bytes: f64, members: f64, messages: f64| {
        bytes * (members - 1.0) / members / nodes.gpu_bytes_per_sec / 0.80 + messages * 23e-6
    };
    let out = |bytes: f64, messages: f64| bytes / nodes.node_bytes_per_sec / 0.73 + messages * 65e-6;
    let [forward, backward] = exchange(Groups { tensor: 8, ..Groups::default() }, Grouped::default());
    // In a node, a replica gathers and scatters its activations 160 times each.
    let activations = 2.0 * 1e6 / 8.0 * 8192.0;
    close(forward, in_node(2.0 * 160.0 * activations, 8.0, 160.0));
    // The 8 chips of a node each send an eighth of the gradients at the same time. Together, these are the bytes of one
    // whole copy.
    close(backward - forward, out(2.0 * (2.0 * 70e9) * (7.0 / 8.0), 80.0));
    // Each of 4 stages has 2 nodes. The 4 replicas of a stage are in its nodes, and the next stage is in other nodes.
    let [forward, backward] =
        exchange(Groups { tensor: 4, pipeline: 4, microbatches: 16, expert: 1 }, Grouped::default());
    let activations = 2.0 * 1e6 / 4.0 * 8192.0;
    close(forward, in_node(2.0 * 40.0 * activations, 4.0, 40.0 * 16.0) + out(activations / 4.0 * 8.0, 16.0));
    // A stage has two nodes, and 4 chips of each node share the adapters.
    close(backward - forward, out(2.0 * 2.0 * 70e9 / 16.0 / 2.0 * 4.0, 20.0));
    // Expert groups have 8 replicas. Every chip sends 7/8 of its share to the other chips of its node, and back.
    let dispatched = 64.0 * 1e9;
    let of_experts = Grouped { expert_parameters: 60e9, dispatched, per_token: 2.0, ..Grouped::default() };
    let [forward, backward] = exchange(Groups { expert: 8, ..Groups::default() }, of_experts);
    close(forward, 2.0 * in_node(2.0 * 1e9 * 8.0 / 8.0, 8.0, 80.0));
    let gradients = 2.0 * (10e9 + 60e9 / 8.0);
    let fabric = Fabric::Nodes(nodes);
    close(backward - forward, fabric.time(Collective::AllReduce, gradients, 80.0).0);
    // Over 8 nodes, the two experts of a token are in the same node in an eighth of the cases. The token then goes
    // there only once. Each node sends 7/8 of its tokens to the other nodes.
    let [forward, _] = exchange(Groups { expert: 64, ..Groups::default() }, of_experts);
    close(forward, 2.0 * out(2.0 * 8e9 * (15.0 / 16.0) * 7.0 / 8.0, 80.0));
}

/// Runs the schedule that begins backward passes as early as possible: forward passes take 1, backward passes take 2.
/// Returns the time of the step, and the most micro-batches whose activations the first stage holds at once.
fn simulated(stages: usize, microbatches: usize) -> (f64, usize) {
    // The order of work of each stage: some forward passes first, then one backward and one forward pass in turn.
    let orders: Vec<Vec<(bool, usize)>> = (0..stages)
        .map(|stage| {
            let first = (stages - stage).min(microbatches);
            let mut order: Vec<(bool, usize)> = (0..first).map(|nth| (true, nth)).collect();
            for nth in 0..microbatches {
                order.push((false, nth));
                if first + nth < microbatches {
                    order.push((true, first + nth));
                }
            }
            order
        })
        .collect();
    let mut ends = vec![[vec![None; microbatches], vec![None; microbatches]]; stages];
    let (mut next, mut free) = (vec![0; stages], vec![0.0_f64; stages]);
    while next.iter().zip(&orders).any(|(at, order)| *at < order.len()) {
        for stage in 0..stages {
            while let Some(&(is_forward, nth)) = orders[stage].get(next[stage]) {
                let before = match (is_forward, stage) {
                    (true, 0) => Some(0.0),
                    (true, _) => ends[stage - 1][0][nth],
                    (false, _) if stage + 1 == stages => ends[stage][0][nth],
                    (false, _) => ends[stage + 1][1][nth],
                };
                let Some(before): Option<f64> = before else { break };
                let end = before.max(free[stage]) + if is_forward { 1.0 } else { 2.0 };
                (ends[stage][usize::from(!is_forward)][nth], free[stage]) = (Some(end), end);
                next[stage] += 1;
            }
        }
    }
    let mut held = 0_usize;
    let most = orders[0].iter().map(|(is_forward, _)| {
        held = if *is_forward { held + 1 } else { held - 1 };
        held
    });
    let most = most.max().unwrap_or(0);
    (free.into_iter().fold(0.0, f64::max), most)
}

#[test]
fn stages_wait_and_hold_activations_as_in_a_simulated_schedule() {
    for (stages, microbatches) in [(1, 1), (2, 2), (4, 4), (4, 16), (8, 8), (8, 64), (3, 7), (6, 2)] {
        let (time, held) = simulated(stages, microbatches);
        let groups = Groups { pipeline: stages as u64, microbatches: microbatches as u64, ..Groups::default() };
        let working = 3.0 * microbatches as f64;
        close(time, working * (1.0 + groups.bubble()));
        close(held as f64, groups.held() * microbatches as f64);
    }
}
