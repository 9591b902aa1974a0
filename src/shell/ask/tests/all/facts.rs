//! Numbers in the sentences of `asked.txt`, computed again from the core, the chip table and the models.

use ask::Entry;
use display::number::{grouped, percent, readable};
use perfmodel::{Chip, Compute, LinkRate, Links, PeakDtype, usd_per_million_tokens};
use studio::{Link, Plan};
use systolic::{Dtype, MacUnit};
use workload::Mixer;
use workload::models::Model;

/// Cycles of the run of a link.
fn cycles(query: &str) -> u64 {
    let link = Link::parse(query, "");
    assert!(link.notices.is_empty(), "{query}");
    Plan::new(&link.scenario).expect("a run").schedule().cycles().get()
}

fn chip(id: &str) -> &'static Chip {
    Chip::by_id(id).expect("a chip")
}

fn peak(id: &str) -> f64 {
    chip(id).peak_flops(PeakDtype::Bf16).expect("published").0
}

fn ridge(id: &str) -> String {
    readable(chip(id).ridge(PeakDtype::Bf16).expect("published").round(), 3)
}

fn bytes_per_sec(id: &str) -> f64 {
    chip(id).memory.bytes_per_sec().expect("published")
}

/// Multiply-adds of one tensor core in a cycle.
fn of_tensor_core(id: &str) -> u32 {
    match &chip(id).compute {
        Compute::TensorCores { fma_per_clock, .. } => fma_per_clock.value.expect("published"),
        _ => panic!("{id} has tensor cores"),
    }
}

/// Size of the keys and values of one token in KiB.
fn cache_kib(id: &str) -> u64 {
    let model = Model::by_id(id).and_then(Model::transformer).expect("a model");
    let of = |layers: &workload::Layers| match &layers.mixer {
        Mixer::Heads(heads) => layers.count * heads.kv_heads * heads.head_dim,
        _ => panic!("{id} has heads"),
    };
    2 * 2 * model.layers.iter().map(of).sum::<u64>() / 1024
}

/// Checks that the sentence of the entry with a title contains these numbers.
fn assert_says(title: &str, numbers: Vec<String>) {
    let text = crate::read("src/shell/ask/asked.txt");
    let entry = text.lines().filter_map(Entry::parse).find(|entry| entry.answer.title.contains(title));
    let Some(entry) = entry else { panic!("no entry: {title}") };
    // The page groups digits by a narrow space.
    for number in numbers.into_iter().map(|number| number.replace(['\u{202f}', '\u{a0}'], " ")) {
        assert!(entry.answer.says.contains(&number), "{title}: {number} is not in {:?}", entry.answer.says);
    }
}

#[test]
fn sentences_on_folds_training_and_caches_have_the_numbers_of_the_core() {
    let fold_128 = |m: u64| cycles(&format!("?rows=128&cols=128&m={m}&k=128&n=128&df=ws")).to_string();
    let cube = |side: u64| cycles(&format!("?rows={side}&cols={side}&m=64&k=64&n=64&df=ws"));
    let flops_of_budget = 6.0 * 70e9 * 16.4e6;
    for (title, numbers) in [
        (
            "Why does a matrix-vector product take nearly as long",
            vec![format!("{} cycles", fold_128(1)), format!("{} for 256 rows", fold_128(256))],
        ),
        (
            "Why are 16 times as many PEs not",
            vec![format!("{} cycles on 16×16 PEs and {} on 64×64", cube(16), cube(64))],
        ),
        (
            "How many PEs and steps does a matrix times a vector need",
            vec![format!("{} steps", cycles("?rows=5&cols=1&m=5&k=7&n=1&df=os"))],
        ),
        (
            "How do I compute the MFU of a training run",
            vec![percent(flops_of_budget / (13.5 * 3600.0 * 16.0 * peak("a100-80"))) + " %"],
        ),
        (
            "How can weight-only quantization be faster",
            vec![ridge("a100-80") + " rows on an A100", ridge("h100-sxm") + " on an H100"],
        ),
        ("Is the exaFLOPS of a TPU pod comparable", vec![readable(9216.0 * peak("tpu-7x") / 1e18, 3) + " in bf16"]),
        (
            "Why is a depthwise convolution slow",
            vec![percent(9.0 / 128.0 / 128.0) + " %", percent(9.0 / 32.0 / 32.0) + " %"],
        ),
        ("How large is the KV cache of DeepSeek", vec![grouped(61 * (512 + 64) * 2) + " bytes"]),
    ] {
        assert_says(title, numbers);
    }
}

#[test]
fn sentences_have_the_numbers_of_the_core_and_of_the_chips() {
    let bf16 = |value: f64| MacUnit::new(Dtype::Bf16).operand(value).as_f64();
    let fold = "?rows=4&cols=4&m=4&k=4&n=4";
    let v5e_tiles = 4.0 * 128.0 * 128.0 * 2.0 / bytes_per_sec("tpu-v5e");
    let max = |dtype: Dtype| grouped_f64(dtype.float().expect("a float").max());
    let hours = 6.0 * 1e9 * 1e12 / (peak("a100-80") * 0.4 * 3600.0);
    let arrays = |side: u64, m: u64| cycles(&format!("?rows={side}&cols={side}&m={m}&k=1024&n={m}&df=os&dt=bf16"));
    let nvlink = |rate| {
        let links = Links::of(chip("h100-sxm")).expect("links");
        readable(links.rate(rate).expect("published").value.expect("published"), 3)
    };
    for (title, numbers) in [
        ("How many cycles does an N×N array need", vec![format!("{} for N = 4", cycles(&format!("{fold}&df=os")))]),
        ("How do I compute the roofline", vec![format!("= {} FLOP", ridge("tpu-v5e"))]),
        (
            "What batch makes a matmul compute-bound",
            vec![ridge("tpu-v5e") + " on a v5e", ridge("tpu-v6e") + " on a v6e", ridge("h100-sxm") + " on an H100"],
        ),
        (
            "Does double buffering hide reads",
            vec![
                format!("{} ns", readable(v5e_tiles * 1e9, 3)),
                format!("{} cycles", readable(v5e_tiles * chip("tpu-v5e").clock_mhz.value.expect("a clock") * 1e6, 3)),
            ],
        ),
        ("Why do copies, transposes", vec![format!("{} ms", readable(2e12 / bytes_per_sec("tpu-v5e"), 2))]),
        (
            "Why is the utilization of an accelerator low",
            vec![format!("{} cycles", cycles("?rows=16&cols=16&m=49&k=16&n=16&df=ws"))],
        ),
        ("One large array or many small", vec![grouped(arrays(64, 256)), grouped(arrays(256, 1024))]),
        (
            "How is the utilization of an array computed",
            vec![format!("{} cycles", cycles("?")), percent(72.0 / 16.0 / 16.0) + " %"],
        ),
        ("How many FLOP does a matmul have", vec![format!("{} GFLOP", readable(2.0 * 4096_f64.powi(3) / 1e9, 3))]),
        (
            "How many FLOP does an SM of an H100",
            vec![(4 * 2 * of_tensor_core("h100-sxm")).to_string(), (8 * 2 * of_tensor_core("v100")).to_string()],
        ),
        ("fp8: e4m3 or e5m2", vec![max(Dtype::E4m3fn), max(Dtype::E5m2)]),
        ("bf16 or f16: which is better", vec![max(Dtype::F16)]),
        (
            "How does the array round",
            vec![format!("257 becomes {}", bf16(257.0)), format!("259 becomes {}", bf16(259.0))],
        ),
        (
            "How large is a KV cache",
            vec![
                format!("{} KiB for Llama 2 7B", cache_kib("llama2-7b")),
                format!("{} KiB for Llama 3 8B", cache_kib("llama3-8b")),
            ],
        ),
        ("How many GPU-hours", vec![format!("{} hours", grouped_f64(hours.round()))]),
        (
            "How do I compute dollars per million",
            vec![format!("${}", readable(usd_per_million_tokens(2.0, 2000.0).expect("a rate"), 2))],
        ),
        (
            "How is the peak of a chip computed",
            vec![readable(2.0 * 128.0 * 128.0 * 8.0 * 1.05e9 / 1e12, 3) + " TFLOPS"],
        ),
        (
            "algbw and busbw",
            vec![
                nvlink(LinkRate::NvlinkOneWay) + " GB/s one way",
                nvlink(LinkRate::NvlinkBothWays),
                "1.75 times".to_owned(),
            ],
        ),
        ("Does a GeForce add f16", vec![readable(peak("rtx-4090") / 1e12, 3)]),
        ("Why is a small matmul not faster", vec![format!("{} ns", readable(2e6 / peak("a100-80") * 1e9, 2))]),
    ] {
        assert_says(title, numbers);
    }
    // Zeros around a matrix change no cycle, and sums that leave through the rows take R more cycles.
    assert_eq!(cycles("?n=5&pad=zero"), cycles("?n=5"));
    assert_eq!(cycles(&format!("{fold}&df=os&drain=south")), 2 * 4 + 4 + 4 - 2);
    assert_eq!(cycles(&format!("{fold}&df=ws")), 4 * 4 - 2);
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and positive")]
fn grouped_f64(value: f64) -> String {
    grouped(value as u64)
}
