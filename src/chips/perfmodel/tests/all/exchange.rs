//! Compares collectives and parallel steps with worked examples and published thresholds.

use perfmodel::Collective::{AllGather, AllReduce, AllToAll, ReduceScatter};
use perfmodel::PeakDtype::Bf16;
use perfmodel::{
    BETWEEN_NODES, Chip, Collective, Fabric, FlopsPerSec, HOP, Nodes, ON_TORUS, PodScaling, Remat, Seconds, Sharding,
    Step, StepTime, Torus, V5E_POD_BYTES_PER_SEC, critical_mixed_tokens_per_chip, critical_tensor_chips,
    critical_tokens_per_chip, critical_tokens_per_pod,
};
use proptest::prelude::{Strategy, prop_assert, proptest};

fn chip(id: &str) -> &'static Chip {
    Chip::by_id(id).expect("the chip exists")
}

fn peak(id: &str) -> FlopsPerSec {
    chip(id).peak_flops(Bf16).expect("known")
}

fn torus(id: &str, axes: u32, chips_per_axis: u32) -> Torus {
    Torus::of(chip(id), axes, chips_per_axis).expect("known")
}

fn close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected}");
}

#[test]
fn gathering_on_a_v4_takes_the_microseconds_of_the_worked_example() {
    // This is question 2 of the scaling book, sharding.md: bf16[1024, 4096] on 4 × 4 × 4. Over one axis, a quarter
    // takes 23 µs, and a sixteenth takes 5.8 µs. The whole array takes 46 µs over two axes. In question 3, a tiny array
    // takes two hops, 2 µs.
    let bytes = 2.0 * 1024.0 * 4096.0;
    let one = torus("tpu-v4", 1, 4);
    close(one.time(AllGather, bytes / 4.0).total().0 * 1e6, 23.0, 0.5);
    close(torus("tpu-v4", 2, 4).time(AllGather, bytes).total().0 * 1e6, 46.0, 1.0);
    close(one.time(AllGather, bytes / 16.0).total().0 * 1e6, 5.8, 0.05);
    close(one.time(AllGather, 256.0).total().0 * 1e6, 2.0, 1e-9);
}

#[test]
fn small_arrays_wait_for_the_hops() {
    // Half a ring of 16 has 8 hops, and an AllReduce goes around twice. An open axis of 8 has 7 hops from end to end.
    let floor = |torus: Torus, collective| torus.time(collective, 1.0).total().0 * 1e6;
    close(floor(torus("tpu-v5e", 1, 16), AllGather), 8.0, 1e-9);
    close(floor(torus("tpu-v5e", 2, 16), AllGather), 16.0, 1e-9);
    close(floor(torus("tpu-v5e", 1, 16), AllReduce), 16.0, 1e-9);
    close(floor(torus("tpu-v5e", 1, 8), ReduceScatter), 7.0, 1e-9);
}

#[test]
fn gathering_in_a_node_of_h100_takes_sixty_five_microseconds() {
    // The scaling book (gpus.md) sends bf16[1024, 16384] over 8 GPUs. If the share that stays on its GPU also counted,
    // this would take 75 µs.
    let node = Nodes::of(chip("h100-sxm"), 8, 1).expect("known");
    let bytes = 2.0 * 1024.0 * 16384.0;
    close(node.time(AllGather, bytes).0 * 1e6, 65.0, 0.5);
    close(node.time(AllReduce, bytes).0, 2.0 * node.time(ReduceScatter, bytes).0, 1e-15);
    close(node.time(AllToAll, bytes).0, node.time(AllGather, bytes).0 / 8.0, 1e-15);
    // Beyond the node, the network is the slower level for H100, but not for 72 B200 behind 3600 GB/s.
    let pod = Nodes { nodes: 128, ..node };
    assert!(pod.between(AllGather, 1e9) > pod.inside(AllGather, 1e9));
    close(pod.time(AllGather, 1e9).0, 1e9 / 400e9, 1e9 / 400e9 / 100.0);
    let rack = Nodes { gpu_bytes_per_sec: 900e9, node_bytes_per_sec: 3600e9, gpus_per_node: 72, nodes: 8 };
    assert!(rack.between(AllGather, 1e9) < rack.inside(AllGather, 1e9));
}

#[test]
fn collectives_of_other_clusters_take_the_measured_time_within_a_third() {
    // 8 H200 with NCCL 2.27.7 are measured in stas00/ml-engineering, network/README.md. An AllReduce of 16 GiB has
    // 482.26 GB/s of bus bandwidth, with reductions in the switches. An AllGather has 361.4 GB/s, and an AllReduce of
    // 32 KiB has 1.44 GB/s.
    let gib = f64::from(1 << 30);
    let node = Nodes::of(chip("h200-sxm"), 8, 1).expect("known");
    let bus = |bytes: f64| bytes * 7.0 / 8.0 / node.measured(AllGather, bytes, 1.0).0;
    close(bus(16.0 * gib) / 361.4e9, 1.0, 0.01);
    let small = 2.0 * 32_768.0 * 7.0 / 8.0 / node.measured(AllReduce, 32_768.0, 1.0).0;
    close(small / 1.44e9, 1.7, 0.1);
    // 4 nodes of B200 in this source take 22.05 ms for an AllReduce of 4 GiB.
    let nodes = Nodes::of(chip("b200-sxm"), 8, 4).expect("known");
    close(nodes.measured(AllReduce, 4.0 * gib, 1.0).0 / 22.05e-3, 1.0, 0.01);
    // Messages of one collective wait for each other, so many small ones take longer than one.
    assert!(nodes.measured(AllReduce, gib, 1000.0).0 > 5.0 * nodes.measured(AllReduce, gib, 1.0).0);
    // Ironwood AllGather on 2×2×1 measured 178.8 GB/s (accelerator-microbenchmarks).
    let ironwood = Torus { link_bytes_per_sec: 200e9, axes: 2, chips_per_axis: 2, wraps: false, hop: HOP };
    close(1e9 / ironwood.measured(AllGather, 1e9, 1.0).0 / 178.8e9, 1.0, 0.07);
}

#[test]
fn measured_rates_stay_below_the_formulas() {
    // On an H100 node, an AllReduce of 10 GB reached 370 of 450 GB/s of bus bandwidth (scaling-book, gpus.md).
    let node = Nodes::of(chip("h100-sxm"), 8, 1).expect("known");
    let bus = 2.0 * 10e9 * 7.0 / 8.0 / node.time(AllReduce, 10e9).0;
    close(bus / 1e9, 450.0, 1e-6);
    assert!(370e9 < bus);
    // Ironwood AllGather on 2×2×1 measured 178.8 GB/s; two axes of open links allow 200.
    let ironwood = Torus { link_bytes_per_sec: 200e9, axes: 2, chips_per_axis: 2, wraps: false, hop: HOP };
    assert!(178.8e9 < ironwood.bytes_per_sec());
}

#[test]
fn an_open_axis_takes_twice_as_long_and_axes_share_the_bytes() {
    let ring = torus("tpu-v5e", 1, 16);
    let open = torus("tpu-v5e", 1, 8);
    assert!(ring.wraps && !open.wraps);
    for collective in Collective::ALL {
        let time = |torus: &Torus| torus.time(collective, 1e9).total().0;
        close(time(&open) / time(&ring), 2.0, 1e-12);
        let of_two = if collective == AllToAll { 16.0 } else { 2.0 };
        close(time(&ring) / time(&torus("tpu-v5e", 2, 16)), of_two, 1e-12);
    }
    let gather = ring.time(AllGather, 1e9).total().0;
    close(ring.time(AllReduce, 1e9).total().0, 2.0 * gather, 1e-15);
    close(ring.time(AllToAll, 1e9).total().0, gather / 4.0, 1e-15);
    assert_eq!(Torus { chips_per_axis: 1, ..ring }.time(AllReduce, 1e9).total(), Seconds(0.0));
}

#[test]
fn an_all_to_all_takes_the_time_of_the_busiest_link() {
    // Each chip sends an equal part to every chip, along one axis after the other, the shorter way around. The test
    // counts the links one by one.
    for (axes, length, wraps) in
        [(1, 16, true), (1, 8, false), (2, 16, true), (2, 8, false), (3, 8, true), (3, 4, false)]
    {
        let torus = Torus { link_bytes_per_sec: 90e9, axes, chips_per_axis: length, wraps, hop: HOP };
        let chips = u64::from(length).pow(axes);
        let part = 1e9 / (chips * chips) as f64;
        let side = f64::from(length);
        // Along one axis, each pair of places carries the data of the chips on all other lines, as sources or as
        // targets.
        let mut links = vec![0.0; 2 * length as usize];
        for from in 0..length {
            for to in 0..length {
                let ahead = (to + length - from) % length;
                let steps = |one: bool| (if one { 0 } else { length }) as usize;
                let mut send = |count: u32, is_up: bool, share: f64| {
                    for step in 0..count {
                        let at = if is_up { (from + step) % length } else { (from + length - step) % length };
                        links[at as usize + steps(is_up)] += share * part * chips as f64 / side;
                    }
                };
                match (wraps, 2 * ahead) {
                    (true, twice) if twice == length => {
                        send(ahead, true, 0.5);
                        send(length - ahead, false, 0.5);
                    }
                    (true, twice) if twice < length => send(ahead, true, 1.0),
                    (true, _) => send(length - ahead, false, 1.0),
                    (false, _) if to >= from => send(to - from, true, 1.0),
                    (false, _) => send(from - to, false, 1.0),
                }
            }
        }
        let busiest = links.into_iter().fold(0.0, f64::max) / (90e9 / 2.0);
        let found = torus.time(AllToAll, 1e9).bandwidth.0;
        close(found / busiest, 1.0, 1e-9);
    }
}

#[test]
fn data_parallel_thresholds_are_those_in_print() {
    // In MaxText's documentation and in the scaling book, one axis needs C ÷ W tokens per chip.
    for (id, tokens, within) in [("tpu-v5e", 2189.0, 0.5), ("tpu-v5p", 2550.0, 0.5), ("tpu-v6e", 5100.0, 0.5)] {
        close(critical_tokens_per_chip(peak(id), &torus(id, 1, 16)).expect("known"), tokens, within);
    }
    close(critical_tokens_per_chip(peak("tpu-v5p"), &torus("tpu-v5p", 3, 16)).expect("known"), 850.0, 0.5);
    // For TPU7x, 12,800 is printed. C ÷ W is 11,535 with 100 GB/s per link. The printed number needs 90 GB/s, the rate
    // of v5p.
    let seven = |one_way: f64| {
        let links = Torus { link_bytes_per_sec: 2.0 * one_way, ..torus("tpu-v5p", 1, 16) };
        critical_tokens_per_chip(peak("tpu-7x"), &links).expect("known")
    };
    close(seven(100e9), 11_535.0, 0.5);
    close(seven(90e9), 12_816.7, 0.5);
    // Between pods, 73,000 to 76,000 tokens are printed. A v5p has about 6.25 GB/s of the data-center network.
    close(critical_tokens_per_pod(peak("tpu-v5p"), 6.25e9).expect("known"), 73_440.0, 0.5);
    assert_eq!(critical_tokens_per_pod(peak("tpu-v5p"), 0.0), None);
}

#[test]
fn tensor_parallelism_ends_at_a_number_of_chips_and_mixing_lowers_the_batch() {
    let (rate, one) = (peak("tpu-v5p"), torus("tpu-v5p", 1, 16));
    // The threshold is F ÷ 2550. Llama 3 70B with F = 28672 is compute-bound up to 11 chips on one axis.
    close(critical_tensor_chips(rate, &one, 28_672).expect("known"), 11.2, 0.05);
    // The threshold is 2550² ÷ 2F = 113 (scaling-book, applied-training.md). An older edition has 2 · 2550² ÷ F, four
    // times as many tokens. There, the communication of one axis waits for the other axis.
    let mixed = |at_once| critical_mixed_tokens_per_chip(rate, one.link_bytes_per_sec, 2, 1, 28_672, at_once);
    close(mixed(true).expect("known"), 113.0, 0.5);
    close(mixed(false).expect("known"), 2.0 * 2550.0 * 2550.0 / 28_672.0, 0.5);
    let axes = |tensor| critical_mixed_tokens_per_chip(rate, one.link_bytes_per_sec, 2, tensor, 28_672, true);
    close(axes(1).expect("known") / axes(2).expect("known"), 2.0, 1e-12);
}

/// Returns the peak FLOP/s of a chip, multiplied by `share`, the share of the link rate that collectives reach.
/// Published thresholds assume the peak rates of chip and links, so both rates must shrink by one factor.
fn slowed(id: &str, share: f64) -> FlopsPerSec {
    FlopsPerSec(peak(id).0 * share)
}

/// Returns a step of Llama 3 70B as one layer, so that messages take no time. The step has only the 6·N FLOPs per token
/// that the published thresholds assume.
fn llama(tokens: f64) -> Step {
    let parameters = 70e9;
    Step {
        parameters,
        forward_flops_per_token: 2.0 * parameters,
        backward_flops_per_token: 4.0 * parameters,
        remat: Remat::None,
        tokens,
        layers: 1,
        width: 8192,
        bytes: 2.0,
    }
}

#[test]
fn a_step_turns_compute_bound_at_the_threshold_on_torus_and_switches() {
    let torus = torus("tpu-v5p", 3, 16);
    let fabric = Fabric::Torus(torus);
    let critical = critical_tokens_per_chip(peak("tpu-v5p"), &torus).expect("known") * fabric.chips() as f64;
    for sharding in [Sharding::Data, Sharding::FullySharded] {
        let bound = |tokens| {
            let rate = slowed("tpu-v5p", ON_TORUS.share);
            StepTime::new(&llama(tokens), sharding, &fabric, rate).expect("known").is_compute_bound()
        };
        assert!(bound(critical * 1.001) && !bound(critical * 0.999), "{}", sharding.word());
    }
    // C ÷ W of 8 GPUs behind 400 GB/s is about 2500 tokens per GPU (scaling-book, gpus.md: 989e12 ÷ 400e9).
    let nodes = Fabric::Nodes(Nodes::of(chip("h100-sxm"), 8, 128).expect("known"));
    let critical = 989.4e12 / 400e9 * 1024.0 * (127.0 / 128.0);
    let bound = |tokens| {
        let rate = slowed("h100-sxm", BETWEEN_NODES.share);
        StepTime::new(&llama(tokens), Sharding::Data, &nodes, rate).expect("known").is_compute_bound()
    };
    assert!(bound(critical * 1.001) && !bound(critical * 0.999));
}

#[test]
fn a_step_under_tensor_parallelism_turns_at_as_many_chips_as_the_formula_says() {
    // Each layer has two blocks of 2·D·F parameters. For F = 28672 the limit is 11.2, so 8 chips are below it and 12
    // above.
    let parameters = 80.0 * 2.0 * 2.0 * 8192.0 * 28_672.0;
    let (forward, backward) = (2.0 * parameters, 4.0 * parameters);
    // With so many tokens, the time of the messages of 80 layers is negligible.
    let (layers, tokens) = (80, 4.096e6);
    let step = Step {
        parameters,
        forward_flops_per_token: forward,
        backward_flops_per_token: backward,
        layers,
        ..llama(tokens)
    };
    for (chips, bound) in [(8, true), (12, false)] {
        let torus = torus("tpu-v5p", 1, chips);
        let critical = critical_tensor_chips(peak("tpu-v5p"), &torus, 28_672).expect("known");
        let rate = slowed("tpu-v5p", ON_TORUS.share);
        let time = StepTime::new(&step, Sharding::Tensor, &Fabric::Torus(torus), rate).expect("known");
        assert_eq!((time.is_compute_bound(), f64::from(chips) < critical), (bound, bound), "{chips}");
        close(time.forward.math.0 / time.forward.exchange.0, critical / f64::from(chips), 1e-3);
    }
}

#[test]
fn sharding_costs_half_as_much_again_and_tensor_parallelism_does_not_care_for_the_batch() {
    let fabric = Fabric::Torus(torus("tpu-v5p", 1, 8));
    let step = |sharding, tokens| StepTime::new(&llama(tokens), sharding, &fabric, peak("tpu-v5p")).expect("known");
    let exchange = |time: StepTime| time.forward.exchange.0 + time.backward.exchange.0;
    // With rematerialization, activations are communicated again. Gathered parameters serve both passes.
    let again = Step { remat: Remat::Full, ..llama(1e6) };
    for (sharding, times) in [(Sharding::Tensor, 1.5), (Sharding::FullySharded, 1.0)] {
        let again = StepTime::new(&again, sharding, &fabric, peak("tpu-v5p")).expect("known");
        close(exchange(again) / exchange(step(sharding, 1e6)), times, 1e-9);
    }
    let (data, sharded) = (exchange(step(Sharding::Data, 1e6)), exchange(step(Sharding::FullySharded, 1e6)));
    close(sharded / data, 1.5, 1e-9);
    let ratio = |tokens| exchange(step(Sharding::Tensor, tokens)) / step(Sharding::Tensor, tokens).time(1.0).0;
    close(ratio(1e6) / ratio(1e8), 1.0, 2e-2);
    assert!(StepTime::new(&llama(1e6), Sharding::Data, &fabric, FlopsPerSec(0.0)).is_none());
}

#[test]
fn a_step_is_its_two_passes_each_with_its_own_overlap() {
    let fabric = Fabric::Torus(torus("tpu-v5p", 3, 16));
    let step = StepTime::new(&llama(1e6), Sharding::FullySharded, &fabric, peak("tpu-v5p")).expect("known");
    for overlap in [0.0, 0.3, 1.0] {
        let pass = |one: perfmodel::Concurrent| {
            one.math.0.max(one.exchange.0) + (1.0 - overlap) * one.math.0.min(one.exchange.0)
        };
        close(step.time(overlap).0 / (pass(step.forward) + pass(step.backward)), 1.0, 1e-12);
    }
}

#[test]
fn bandwidth_alone_does_not_explain_what_pods_cost() {
    // MaxText ran on 1, 2 and 32 pods of v5e. The extra time grew by 29 to 99 ms per pod, to 1.16 to 3.02 s. Gradients
    // over 6.4 Tbit/s per pod explain 0.08 to 0.62 s of this time. They also explain why the growth levels off.
    let expected =
        [("16B", 29.0, 1.16, 0.08), ("32B", 30.0, 1.28, 0.155), ("64B", 61.0, 2.58, 0.31), ("128B", 99.0, 3.02, 0.62)];
    for (row, (model, millis, extra, bandwidth)) in PodScaling::all().iter().zip(expected) {
        assert_eq!(row.model, model);
        close(row.seconds_per_pod().0 * 1e3, millis, 0.5);
        close(row.extra(32).expect("published").0, extra, 0.005);
        let by_bandwidth = |pods| row.extra_by_bandwidth(pods, V5E_POD_BYTES_PER_SEC).expect("known").0;
        close(by_bandwidth(32), bandwidth, 0.005);
        assert!(by_bandwidth(32) - by_bandwidth(16) < (by_bandwidth(4) - by_bandwidth(2)) / 4.0);
        assert!((row.extra(33), row.extra(1)) == (None, None), "only between the published rows");
    }
}

fn passes() -> impl Strategy<Value = (f64, f64, f64)> {
    (0.0..1e3, 0.0..1e3, 0.0..=1.0)
}

proptest! {
    #[test]
    fn overlap_never_lengthens_a_pass_and_never_beats_the_longer_part((math, exchange, overlap) in passes()) {
        let pass = perfmodel::Concurrent { math: Seconds(math), exchange: Seconds(exchange) };
        let time = pass.time(overlap).0;
        prop_assert!(math.max(exchange) <= time && time <= math + exchange + 1e-9);
        prop_assert!((pass.time(0.0).0 - (math + exchange)).abs() < 1e-9);
        prop_assert!(pass.time(1.0).0 == math.max(exchange));
        prop_assert!(pass.time(7.0) == pass.time(1.0) && pass.time(-1.0) == pass.time(0.0));
    }

    #[test]
    fn a_collective_never_takes_less_than_its_hops_nor_less_for_more_bytes(
        bytes in 0.0..1e12, more in 1.0..10.0, length in 2..64_u32, axes in 1..=3_u32, wraps in proptest::bool::ANY,
    ) {
        let torus = Torus { link_bytes_per_sec: 9e10, axes, chips_per_axis: length, wraps, hop: HOP };
        for collective in Collective::ALL {
            let time = torus.time(collective, bytes);
            prop_assert!(time.total() >= time.latency && time.total() >= time.bandwidth);
            prop_assert!(torus.time(collective, bytes * more).total() >= time.total());
        }
    }
}
