//! Pasted and typed texts, each with the run or the estimate that it means.

use ask::{Kind, Target};
use perfmodel::Seconds;

use crate::{ask, first, link, plan, query};

/// Texts and the settings of their runs: sizes, array, format, chip.
#[test]
fn a_run_in_words_has_the_asked_numbers() {
    for (text, mkn, array, dtype, chip) in [
        ("matmul 4096 × 4096 × 4096 on v5e in int8", [4096; 3], [128; 2], "int8", "tpu-v5e"),
        ("128×128 array, K = 100, how much padding", [128, 100, 128], [128; 2], "bf16", "tpu-v4"),
        ("M=1 on a 256x256 MXU", [1, 256, 256], [256; 2], "bf16", "tpu-v4"),
        ("1024^3 matmul bf16 v6e MXU utilization", [1024; 3], [256; 2], "bf16", "tpu-v6e"),
        ("1024³ in fp8 on Trillium", [1024; 3], [256; 2], "e4m3fn", "tpu-v6e"),
        ("gemm M=512 N=256 K=1024 TPU v5 lite", [512, 1024, 256], [128; 2], "bf16", "tpu-v5e"),
        ("[512, 1024] @ [1024, 256] int8 Ironwood", [512, 1024, 256], [256; 2], "int8", "tpu-7x"),
        ("(64x32) x (32x16) on 16x16 PEs output-stationary", [64, 32, 16], [16; 2], "bf16", "tpu-v4"),
        ("8192 x 8192 matrix multiplication on an H100", [8192; 3], [128; 2], "bf16", "h100-sxm"),
        ("M=K=N=2048 fp16 on 4090", [2048; 3], [128; 2], "f16", "rtx-4090"),
        ("6x4x3 matmul", [6, 4, 3], [4; 2], "int8", "tpu-v4"),
        ("mnk 12544x64x147 on 128x128 array", [12_544, 147, 64], [128; 2], "bf16", "tpu-v4"),
        ("gemv 4096x4096 on T4 in int8", [1, 4096, 4096], [128; 2], "int8", "t4"),
    ] {
        let answer = first(text);
        assert_eq!(answer.kind, Kind::Run, "{text} {answer:?}");
        let plan = plan(&answer);
        let (gemm, shape) = (plan.schedule().gemm(), plan.schedule().array());
        assert_eq!([gemm.m(), gemm.k(), gemm.n()], mkn, "{text} {answer:?}");
        assert_eq!([shape.rows(), shape.cols()], array, "{text}");
        assert_eq!((plan.dtype().id(), plan.chip().id), (dtype, chip), "{text}");
        assert!(answer.says.contains(&display::number::grouped(plan.schedule().cycles().get())), "{}", answer.says);
    }
}

#[test]
fn designs_and_unknown_words_are_told() {
    let answers = ask("4096^3 on 128x128 array, weight stationary, double buffering, with zebra stripes");
    let plan = plan(&answers.found[0]);
    assert_eq!(plan.schedule().design().overlap, systolic::Overlap::DoubleBuffered);
    assert!(answers.note.is_some_and(|note| note.contains("zebra")), "{:?}", answers.found);
    let six = first("matmul 2048^3 f32 in 6 passes on v4");
    assert_eq!(link(&six).scenario.passes, perfmodel::F32Passes::Six);
    let huge = first("matmul 100000 x 100000 x 100000 on v5p");
    assert_eq!(query(&huge).question.sizes, [100_000; 3]);
}

#[test]
fn a_question_about_a_model_has_the_asked_entries() {
    for (text, model, chip, chips, seq, pass) in [
        (
            "MFU of Llama 3 70B on 64 H100 with 2048 tokens",
            "llama3-70b",
            "h100-sxm",
            64,
            2048,
            workload::PassKind::Training,
        ),
        ("llama-3.1-8b training on v5p-128, seq 8192", "llama3-8b", "tpu-v5p", 64, 8192, workload::PassKind::Training),
        ("decode llama 2 70B on 8x A100, 4k context", "llama2-70b", "a100-80", 8, 4096, workload::PassKind::Decode),
        ("DeepSeek V3 inference on 16 B200", "deepseek-v3", "b200-sxm", 16, 2048, workload::PassKind::Decode),
    ] {
        let answer = first(text);
        let question = query(&answer).question;
        assert_eq!(question.model.map(|model| model.id), Some(model), "{text} {answer:?}");
        assert_eq!(
            (question.chip.id, question.chips, question.seq, question.pass),
            (chip, chips, seq, pass),
            "{text} {answer:?}"
        );
    }
    let cost = query(&first("cost of training Llama 3 8B on 512 v5p with 15T tokens")).question;
    assert_eq!((cost.tokens, cost.chips), (Some(15e12), 512));
    let two = query(&first("Llama 3 70B decode: v6e vs H100"));
    assert_eq!((two.question.chip.id, two.versus.map(|chip| chip.id)), ("tpu-v6e", Some("h100-sxm")));
    let batch = query(&first("Llama 3 8B on 64 v5e, global batch 512, 41 % MFU")).question;
    assert_eq!(batch.batch, 8);
}

#[test]
fn a_log_line_is_a_measurement() {
    let line = "completed step: 100, seconds: 3.10, TFLOP/s/device: 243.1, Tokens/s/device: 5287.2, loss: 2.1";
    let answer = first(line);
    let query = query(&answer);
    assert_eq!(query.measured.map(|(first, _)| first), Some(estimate::Measured::Step(Seconds(3.10))));
    // 243.1 ÷ 459 and 243.1 TFLOP/s ÷ 5287.2 tokens/s ÷ 6, as on paper.
    assert!(answer.says.contains("53.0 % of TPU v5p") && answer.says.contains("7.7 billion"), "{}", answer.says);
    let several = format!("step 99\n{}\n{line}", line.replace("3.10", "9.99"));
    assert_eq!(ask(&several).note.as_deref(), Some("Only the last line of the log counts."));
    let nanogpt = first("step 00004/21400 (0.02%) | loss: 8.893647 | dt: 989.44ms | tok/sec: 529,882 | mfu: 74.13");
    let Some((estimate::Measured::Step(step), _)) = self::query(&nanogpt).measured else { panic!("{nanogpt:?}") };
    assert!((step.0 - 0.98944).abs() < 1e-9, "{step:?}");
}

#[test]
fn an_out_of_memory_message_names_the_expansion() {
    let text = "RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 17.18G of 15.75G hbm.\n\
                Size: 512.0M Shape: bf16[8192,32768]{1,0:T(8,128)} Extra memory due to padding: 0\n\
                Size: 4.00G Shape: f32[8388608,1]{1,0:T(8,128)} Unpadded size: 32.0M";
    let answer = first(text);
    assert!(
        answer.says.contains("f32[8388608,1] has 32 MiB")
            && answer.says.contains("4 GiB")
            && answer.says.contains("128 times"),
        "{answer:?}"
    );
    assert!(
        matches!(&answer.target, Target::Book(page) if page.starts_with("docs/facts.html#why-does-a-tensor")),
        "{answer:?}"
    );
    // A layout with the axes swapped: 1 is the outer axis.
    assert!(first("f32[1,8388608]{0,1:T(8,128)} why so much memory").says.contains("128 times"));
    assert!(first("bf16[8192,32768]{1,0:T(8,128)}").says.contains("padding adds nothing"));
    assert!(first("XLA: out of memory, allocate 17.18G of 15.75G hbm").says.contains("1.43 GiB"));
}

#[test]
fn a_line_of_a_profiler_becomes_its_matmul() {
    let answer =
        first("%fusion.3 = bf16[4096,1024]{1,0:T(8,128)(2,1)} dot(bf16[4096,2048]{1,0} %a, bf16[2048,1024]{1,0} %b)");
    let plan = plan(&answer);
    let gemm = plan.schedule().gemm();
    assert_eq!([gemm.m(), gemm.k(), gemm.n()], [4096, 2048, 1024]);
    let line = first("XProf: MXU utilization 26.7 % for one matmul 1024x1024x1024 bf16 on v6e");
    let mfu = self::plan(&line).on_chip().expect("published").mfu.ratio;
    assert!(line.says.contains(&format!("{} % MFU", display::number::percent(mfu))), "{line:?}");
    let alone = first("XProf MXU utilization 26.7 %");
    assert!(matches!(&alone.target, Target::Book(page) if page.starts_with("docs/accuracy.html")), "{alone:?}");
}

#[test]
fn a_configuration_opens_its_model() {
    let known = r#"{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
        "intermediate_size": 14336, "vocab_size": 128256, "num_key_value_heads": 8}"#;
    assert_eq!(query(&first(known)).question.model.map(|model| model.id), Some("llama3-8b"));
    let other = first(&known.replace("4096", "2048").replace("llama", "qwen2"));
    assert!(other.title.contains("qwen2") && other.says.contains("hidden 2048"), "{other:?}");
    assert_eq!(other.target, Target::Link("?ui=desk".to_owned()));
}

#[test]
fn matrices_run_with_their_numbers() {
    for text in [
        "[[1,2],[3,4]] @ [[5,6],[7,8]]",
        "A = np.array([[1, 2], [3, 4]])\nB = np.array([[5, 6], [7, 8]])\nwhat is A @ B?",
        "1 2\n3 4\n\n5 6\n7 8",
        "1,2;3,4 × 5,6;7,8",
    ] {
        let answer = first(text);
        let values: Vec<f64> = plan(&answer).result().iter().map(|value| value.as_f64()).collect();
        assert_eq!(values, [19.0, 22.0, 43.0, 50.0], "{text} {answer:?}");
        assert!(answer.says.contains("19, 22; 43, 50"), "{answer:?}");
    }
    let tpu = first("JAX on TPU: [[0.3744,0.1656],[0.4707,0.1663]] @ [[0.3946,0.1186],[0.1569,0.3145]]");
    let printed = plan(&tpu).result()[0].as_f64();
    assert!((printed - 0.174_051_28).abs() < 1e-8, "{printed}");
    assert!(first("[[1,2,3]] @ [[1,2],[3,4]]").says.contains("3 columns and B has 2 rows"));
}

#[test]
fn a_link_opens_itself() {
    let answer = first("https://example.org/playground/?rows=8&cols=8&m=12&df=os");
    assert_eq!(answer.target, Target::Link("?rows=8&cols=8&m=12&df=os".to_owned()));
    assert_eq!(first("?ui=desk&ask=model%3Dllama3-70b").kind, Kind::Model);
    assert!(ask("?rows=8&cols=zebra").note.is_some());
}

#[test]
fn the_examples_of_the_book_have_their_answers() {
    let page = crate::read("docs/first-steps.md");
    let section = page.split("## Ask anything").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
    let typed: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let kinds: Vec<Kind> = typed.iter().map(|text| first(text).kind).collect();
    let Some((last, others)) = kinds.split_last() else { panic!("no examples") };
    assert_eq!(others, [Kind::Run, Kind::Run, Kind::Model, Kind::Model, Kind::Question, Kind::Run]);
    assert!(matches!(last, Kind::Term | Kind::Lesson | Kind::Claim | Kind::Question | Kind::Page), "{typed:?}");
    assert!(typed.iter().all(|text| ask(text).note.is_none()), "{typed:?}");
}
