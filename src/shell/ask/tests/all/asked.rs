//! Questions that people asked in public, each as a person would type it, with the right first answer.

use ask::{Kind, Target};
use perfmodel::Chip;
use systolic::Slot;

use crate::{ask, first, plan, query};

/// Right first answer to a question.
enum Right {
    /// A link or a page of the book whose address begins with this text.
    At(&'static str),
    /// A run with these sizes, array and format. If a share is given, the sentence contains this percentage before this
    /// text.
    Run { mkn: [u64; 3], array: (u32, u32), dtype: &'static str, share: Option<(&'static str, f64)> },
    /// An estimate whose query has these entries.
    Model(&'static [(&'static str, &'static str)]),
    /// A topic that the project does not model.
    Outside,
}
use Right::{At, Model, Outside, Run};

/// Number, source, question and right answer.
const ASKED: [(u8, &str, &str, Right); 28] = [
    (1, "jax#9973", "Why is a 2×2 matmul wrong on a TPU? It printed 0.17405128", At("?rows=4&cols=4&dt=bf16#a=0.3744")),
    (
        2,
        "jax#16349",
        "Why does x[0:1] @ w differ from the first row of x @ w on a TPU (M = 1)?",
        At("docs/facts.html#why-do-the-digits-of-a-tpu-change-if-m--1"),
    ),
    (3, "jax#17214", "bf16 times int8 gives -208, why?", At("docs/facts.html#what-does-bf16-times-int8-give")),
    (
        4,
        "jax#20694",
        "Result of a matmul changes when K is sharded over 8 cores, allclose False",
        At("?rows=4&cols=4&m=4&k=8&n=4&dt=bf16&fill=uniform&ktiles=down"),
    ),
    (5, "jax#11069", "How much slower is f32 than bf16 on a TPU?", At("?dt=f32&passes=6")),
    (
        6,
        "xprof#2206",
        "1024^3 matmul bf16 v6e MXU utilization",
        Run { mkn: [1024; 3], array: (256, 256), dtype: "bf16", share: Some(("% MFU", 26.7)) },
    ),
    (
        7,
        "pytorch/xla#2947",
        "MXU utilization 0.01 % in inference, why so low?",
        At("?rows=128&cols=128&m=1&k=4096&n=4096"),
    ),
    (
        8,
        "maxtext#8",
        "How is MFU computed, is 40 % good on H100?",
        Model(&[("chip", "h100-sxm"), ("measured", "40 %")]),
    ),
    (
        9,
        "EasyDeL#205",
        "Qwen2.5-3B, v4-64, 8192, 49345 tok/s, is 10 % true?",
        Model(&[("chip", "tpu-v4"), ("chips", "32"), ("seq", "8192"), ("measured", "49345 tokens/s; 10 %")]),
    ),
    (
        10,
        "maxtext#1256",
        "8 to 56 experts with the same FLOPs: MFU drops from 50 to 25 %",
        At("?ui=desk&ask=model%3Dqwen3-235b"),
    ),
    (11, "nanochat#60", "MFU of a 5090", Model(&[("chip", "rtx-5090"), ("chips", "1")])),
    (
        12,
        "pytorch/xla#2016",
        "Why does T(8,128) padding take 128 times the memory?",
        At("docs/facts.html#why-does-a-tensor-need-128-times-its-memory"),
    ),
    (13, "pytorch/xla#3180", "conv with 3 input channels wastes most of the MXU", At("?learn=layer-claims.3")),
    (14, "tpu-inference#159", "head_dim 64 on 128 lanes, attention heads", At("?learn=mixed-claims.11")),
    (
        15,
        "keras-io#2284",
        "Which block size fits VMEM with double buffering?",
        At("docs/facts.html#which-block-sizes-fit-vmem-with-double-buffering"),
    ),
    (
        16,
        "pytorch#111339",
        "2:4 sparse is slower than dense at M = 1",
        At("docs/questions.html#is-24-sparsity-faster-if-m--1"),
    ),
    (
        17,
        "TransformerEngine#3105",
        "NVFP4 or MXFP4, what is shared?",
        At("docs/facts.html#what-do-nvfp4-mxfp4-and-mxfp8-share"),
    ),
    (18, "tpu-inference#1262", "fp8 on v5e", Run { mkn: [4096; 3], array: (128, 128), dtype: "e4m3fn", share: None }),
    (
        19,
        "ONNXim#27",
        "conv 12544×64×147 on a 128×128 array weight stationary, utilization",
        Run {
            mkn: [12_544, 64, 147],
            array: (128, 128),
            dtype: "bf16",
            share: Some(("% of the PE-cycles useful", 27.9)),
        },
    ),
    (20, "SCALE-Sim#26", "Why are there pauses between folds, fill and drain?", At("?")),
    (21, "SCALE-Sim#61", "pipelined MAC, how many cycles?", At("docs/cli.html#systolic-count")),
    (22, "gemmini#314", "weight stationary or output stationary, which is this?", At("?learn=dataflow.1")),
    (
        23,
        "Hacker News 43407978",
        "Is a tensor core a systolic array?",
        At("docs/facts.html#is-a-tensor-core-a-systolic-array"),
    ),
    (
        24,
        "Hacker News 45886314",
        "256×256 array, 256×256×256 matmul: 512 cycles, 128 times faster?",
        Run { mkn: [256; 3], array: (256, 256), dtype: "bf16", share: Some(("% of the PE-cycles useful", 25.0)) },
    ),
    (25, "junyi.dev", "Is a TPU cheaper per token than a GPU?", At("?ui=desk&ask=model%3Dllama3-70b")),
    (
        26,
        "accelerator-microbenchmarks#71",
        "all-reduce reaches only a tenth of the link bandwidth",
        At("docs/facts.html#why-does-an-all-reduce-reach-a-tenth-of-the-link-rate"),
    ),
    (
        27,
        "SCALE-Sim#44",
        "pJ per MAC and per memory access",
        At("docs/facts.html#how-many-picojoules-do-a-mac-and-a-memory-access-need"),
    ),
    (
        28,
        "Vitis_Libraries#197",
        "throughput drops at multiples of 4096",
        At("docs/facts.html#why-is-a-matmul-slow-at-multiples-of-4096"),
    ),
];

/// First number before a text: 26.7 in `26.7 % MFU`.
fn number_before(says: &str, text: &str) -> Option<f64> {
    let before = says.split(text).next().filter(|before| before.len() < says.len())?;
    before.split_whitespace().next_back()?.parse().ok()
}

/// Reason why an answer is not right; `None` for a right answer.
fn mistake(question: &str, right: &Right) -> Option<String> {
    let answer = first(question);
    let wrong = || Some(format!("{question}\n    {answer:?}"));
    match right {
        At(start) => match &answer.target {
            Target::Link(place) | Target::Book(place) => (!place.starts_with(start)).then(wrong)?,
            Target::None => wrong(),
        },
        Outside => (answer.kind != Kind::Outside).then(wrong)?,
        Run { mkn: [m, k, n], array, dtype, share } => {
            if !matches!(answer.target, Target::Link(_)) {
                return wrong();
            }
            let plan = plan(&answer);
            let (gemm, shape) = (plan.schedule().gemm(), plan.schedule().array());
            let is_same = ([gemm.m(), gemm.k(), gemm.n()], (shape.rows(), shape.cols()), plan.dtype().id())
                == ([*m, *k, *n], *array, *dtype);
            let is_said = share.is_none_or(|(text, value)| {
                number_before(&answer.says, text).is_some_and(|said| (said - value).abs() < 0.11)
            });
            (!is_same || !is_said).then(wrong)?
        }
        Model(entries) => {
            if answer.kind != Kind::Model {
                return wrong();
            }
            let query = query(&answer);
            let text = |name: &str| {
                query.entries.iter().find(|(entry, _)| entry.id() == name).map(|(_, text)| text.to_owned())
            };
            let is_same = entries.iter().all(|(name, value)| text(name).as_deref() == Some(value));
            (!is_same).then(wrong)?
        }
    }
}

#[test]
fn published_questions_have_the_right_first_answer() {
    let wrong: Vec<String> = ASKED
        .iter()
        .filter_map(|(number, source, question, right)| {
            Some(format!("{number} {source}: {}", mistake(question, right)?))
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn topics_outside_of_the_model_say_where_they_are_answered() {
    for question in [
        "pip install error libtpu version",
        "perplexity after GPTQ quantization",
        "TPU quota not available in my zone",
        "loss diverges to NaN, learning rate",
    ] {
        assert_eq!(mistake(question, &Outside), None);
        assert!(first(question).says.split_whitespace().count() > 8, "{question}");
    }
}

#[test]
fn the_mfu_of_parameters_is_six_flop_for_each_parameter_and_token() {
    let answer = first("Qwen2.5-3B, v4-64, 8192, 49345 tok/s, is 10 % true?");
    // 6 · 3 · 10⁹ · 49 345 ÷ (32 · 275 · 10¹²), as on paper.
    let by_hand = 6.0 * 3e9 * 49_345.0 / (32.0 * 275e12) * 100.0;
    let said = number_before(&answer.says, " % MFU").expect("a number");
    assert!((said - by_hand).abs() < 0.06, "{said} {by_hand}");
}

#[test]
fn a_sentence_has_the_counts_of_the_run() {
    let answer = first("128×128 array, K = 100, how much padding");
    let plan = plan(&answer);
    // 28 of 128 rows have no element of B during the whole run of 2 · 128 + 128 + 128 − 2 cycles.
    let padding = 28 * 128 * 510;
    assert_eq!(plan.schedule().tally().get(Slot::Padding).get(), padding);
    assert!(
        answer.says.contains("21.9 %") && answer.says.contains(&display::number::grouped(padding)),
        "{}",
        answer.says
    );
}

#[test]
fn a_format_that_a_chip_lacks_is_named() {
    let says = first("fp8 on v5e").says;
    let peak = Chip::by_id("tpu-v5e").and_then(|chip| chip.peak(perfmodel::PeakDtype::Bf16)?.value).expect("published");
    assert!(says.contains("fp8 widened to bf16") && says.contains(&format!("{peak}")), "{says}");
    assert!(ask("matmul 4096 × 4096 × 4096 on v5e in fp8").found[0].says.contains("widened"));
}
