//! Kinds of questions that people ask, with examples written for this project. The expected numbers are computed by
//! hand.

use ask::{Kind, Target};

use crate::{ask, first, plan, query};

/// Texts of layers and flags, each with M, K, N, rows and columns.
#[test]
fn layers_and_flags_are_runs() {
    for (text, mkn, array) in [
        // 14 · 14 pixels, 3 · 3 · 32 products.
        ("conv 14x14x32x48 with a 3x3 kernel on a 16x16 array, utilization", [196, 288, 48], [16, 16]),
        // (10 − 3 + 1)² pixels, because SCALE-Sim adds no padding.
        ("IFMAP 10x10 filter 3x3 channels 8 num filter 24 on an 8x8 array", [64, 72, 24], [8, 8]),
        // 56 ÷ 2 pixels on each side.
        ("56x56x3, 64 filters 7x7 stride 2, 32x32 PEs", [784, 147, 64], [32, 32]),
        ("./sim -DenseGEMM -M=9 -N=3 -K=6 -ms_rows=8 -ms_cols=8", [9, 6, 3], [8, 8]),
    ] {
        let answer = first(text);
        assert_eq!(answer.kind, Kind::Run, "{text} {answer:?}");
        let plan = plan(&answer);
        let (gemm, shape) = (plan.schedule().gemm(), plan.schedule().array());
        assert_eq!([gemm.m(), gemm.k(), gemm.n()], mkn, "{text}");
        assert_eq!([shape.rows(), shape.cols()], array, "{text}");
    }
}

#[test]
fn two_matmuls_are_two_runs() {
    let answers = ask("GEMM M=64 K=96 N=32 and GEMV M=1 K=96 N=32 on a 32x32 array weight stationary");
    let sizes = |nth: usize| {
        let plan = plan(&answers.found[nth]);
        let gemm = plan.schedule().gemm();
        [gemm.m(), gemm.k(), gemm.n()]
    };
    let sizes = [sizes(0), sizes(1)];
    assert_eq!(sizes, [[64, 96, 32], [1, 96, 32]]);
    // 3 folds of 2 · 32 + 32 + 64 − 2 cycles.
    assert!(answers.found[0].says.contains("474 cycles in 3 folds"), "{:?}", answers.found[0]);
}

#[test]
fn numbers_that_are_no_matmul_are_no_run() {
    for text in [
        "from a 32x32 to a 128x128 array, why only 4x faster",
        "buffer sizes 32, 64, 128, 256 give equal cycles, why?",
        "all-gather on a torus 8x8x16, where is the 2",
        "loss got worse with batch 32 -> 64 in bf16",
    ] {
        assert_ne!(first(text).kind, Kind::Run, "{text} {:?}", first(text));
    }
}

/// Models and logs, each with words of the first answer. All numbers are computed by hand.
#[test]
fn rates_of_models_are_computed() {
    for (text, model, said) in [
        // 6 · 7 · 10⁹ · 2000 ÷ 312 · 10¹² = 26.9 %
        ("7B model, 2000 tokens/s/gpu on 16 A100", "llama2-7b", "26.9 % MFU"),
        // 6 · 13 · 10⁹ · 10¹² ÷ (30 · 86 400 s) ÷ 312 · 10¹² = 96.5 chips
        ("How many A100 to train a 13B model on 1T tokens in 30 days?", "llama3-8b", "97 chips"),
        // 1024 · 8 · 1000 tokens ÷ 10 h = 227.6 tokens/s, 6 · 70 · 10⁹ · 227.6 ÷ (8 · 312 · 10¹²) = 3.8 %
        ("Llama 70B on 8 A100, 1024 * 8 * 1000 tokens, 10 hours, MFU 30 %?", "llama3-70b", "3.8 % of the bf16 peak"),
        // 30 % of 1979 are 60 % of 989.5.
        ("8B model on H100: 12000 tok/s, 594 TFLOPs / 1979 = 30 % MFU?", "llama3-8b", "60 % of the dense peak"),
        // 35 GB ÷ 3350 GB/s = 10.4 ms
        ("Llama 3 70B W4A16 on one H100, batch 1, tokens/s?", "llama3-70b", "10.4 ms"),
        // 2 · 8 · 10⁹ · 2000 ÷ 989.5 · 10¹² = 32.3 ms
        ("Llama 3 8B on H100, 2000 input tokens, 100 output tokens, TTFT", "llama3-8b", "32.3 ms"),
        // 10 % of 312 are 31.2 TFLOP/s.
        ("iter 7: loss 3.1, time 900.00ms, mfu 10.00% gpt2", "gpt2-xl", "31.2 TFLOP/s"),
    ] {
        let answer = first(text);
        assert_eq!(answer.kind, Kind::Model, "{text} {answer:?}");
        assert_eq!(query(&answer).question.model.map(|model| model.id), Some(model), "{text}");
        assert!(answer.says.contains(said), "{text}: {}", answer.says);
    }
    let note = ask("100b model on 64 H100, MFU").note.expect("a note");
    assert!(note.contains("100b is not listed") && note.contains("config.json"), "{note}");
}

#[test]
fn messages_without_a_tile_name_the_cause() {
    // 4 is padded to 128.
    let padded = first("Ran out of memory in hbm. Shape: f32[64,512,4]{2,1,0} padding (32.0x expansion)");
    assert!(padded.says.contains("32 times") && padded.says.contains("dimension, 4, is padded to 128"), "{padded:?}");
    let core = first("TPU v3-8: Used 18.00G of 16.00G hbm");
    assert!(core.says.contains("two cores with 16 GB each") && core.says.contains("2 GiB are missing"), "{core:?}");
    let cuda =
        first("CUDA out of memory. Tried to allocate 3.00 GiB (8.00 GiB total capacity; 7.00 GiB already allocated)");
    assert!(cuda.says.contains("2 GiB are missing"), "{cuda:?}");
    // 2 · 512³ ÷ 10 µs = 26.8 TFLOP/s
    let line = first("%dot.1 = bf16[512,512]{1,0} dot(bf16[512,512]{1,0} %a, bf16[512,512]{1,0} %b) 10 us");
    assert!(line.says.contains("26.8 TFLOP/s"), "{line:?}");
    // 100 · 100 + 100 · 100 = 20 000 = 78 · 256 + 32
    let wrapped = first("int8 [[100, 100]] @ [[100], [100]]");
    assert!(wrapped.says.contains("wrap to 32."), "{wrapped:?}");
}

#[test]
fn concepts_have_their_question() {
    for (text, title) in [
        ("preload weights into a shadow register while computing", "second weight register"),
        ("mapping efficiency 100 but overall utilization 40", "mapping efficiency of 100"),
        ("off by one cycle in scalesim", "one cycle less"),
        ("GEMV takes as long as GEMM on the systolic array", "matrix-vector"),
        ("bigger array with 4 times the PEs gives little speedup", "16 times as many PEs"),
        ("unconventional head dim slows attention down", "unusual head dimension"),
        ("choose hidden size as power of two or any multiple?", "powers of two"),
        ("bits of an accumulator for exact fp8 products", "exact sum of fp8"),
        ("fp16 accumulate overflow to inf", "f16 accumulator"),
        ("int8 output overflow wraps negative", "int8 matmul"),
        ("why is a bfloat16 matmul slower than float32 on a T4 of Colab", "T4 or V100"),
        ("pure bf16 weights, small updates lost, loss plateau", "weights in bf16"),
        ("v4-8 jax.device_count() is 4", "chips or cores"),
        ("ring all-reduce formula, why 2V / W", "all-gather and an all-reduce"),
        ("larger ifmap SRAM does not change compute cycles", "size of the SRAM"),
        ("when is the first output valid, forwarding latency", "first result leave"),
        ("does an array need row i+1 one cycle after row i, do sums mix", "two rows mix"),
        ("biggest number in fp16, 65535 or 65504", "largest number in f16"),
        ("deepspeed zero 3 vs zero 2 memory for 13B on 8 A100", "ZeRO save"),
    ] {
        let answer = first(text);
        assert!(answer.title.contains(title) && !matches!(answer.target, Target::None), "{text}: {answer:?}");
        assert_eq!(ask(text).note, None, "{text}");
    }
}

/// Texts with numbers, each with a part of the first sentence. All numbers are computed by hand.
#[test]
fn numbers_of_a_text_are_computed() {
    for (text, said) in [
        // 500 ÷ 2000, 30 % · 2000 ÷ 1500, and 1 − 40 ÷ 80.
        ("Compute cycles: 2000 Stall cycles: 500 Overall utilization: 30.00% Mapping efficiency: 80.00%", "(25.0 %)"),
        ("Compute cycles: 2000 Stall cycles: 500 Overall utilization: 30.00% Mapping efficiency: 80.00%", "is 40.0 %"),
        (
            "Compute cycles: 2000 Stall cycles: 500 Overall utilization: 30.00% Mapping efficiency: 80.00%",
            "take 50.0 %",
        ),
        // 1000 ÷ 1024
        ("vocab size 1000 or 1024, which is faster", "1000 is padded to 1024 (97.7 % useful)"),
        // bf16 has 8 significant bits, so neighbors between 512 and 1024 are 512 ÷ 128 apart.
        ("bfloat16(1000) + bfloat16(1) does not change", "4 apart"),
        // 2 · 64 · 250 MHz
        ("8x8 array at 250 MHz, how many GOPS", "0.032 TOPS"),
        // 6 · 10¹¹ · 10¹² ÷ (3.6 · 10⁹ s · 989.4 · 10¹²)
        ("DeepSeek-V3: 1M H100 hours, 1T tokens, 100B active parameters, MFU?", "16.8 %"),
        // 128 KiB · 8192 · 2
        ("kv cache of Llama 3 8B, 8192 tokens, batch 2", "2 GiB"),
        // 16 bytes · 7 · 10⁹
        ("memory to finetune Llama 2 7B on one A100", "112 GB"),
        // 500 ÷ 10
        ("7B decode, 10 GB weights, 500 GB/s", "50 tokens/s"),
        // 40 % of 312 TFLOPS ÷ (6 · 10¹⁰)
        ("how many tokens per second should a 10B model reach in training on A100", "2080 tokens/s"),
        // 6 · 10⁹ · 10¹¹ ÷ (0.4 · 312 · 10¹² · 3600)
        ("how long to train a 1B model on 100B tokens with A100", "1340 hours"),
        ("clock of TPU v5e", "1500 MHz"),
        ("ridge point of TPU v5e", "241 FLOP per byte"),
    ] {
        let says = first(text).says.replace(['\u{202f}', '\u{a0}'], " ");
        assert!(says.contains(said), "{text}: {said} is not in {says:?}");
    }
}

#[test]
fn rates_have_the_limit_of_their_chip() {
    for (text, said) in [
        // 7.31 ÷ 197
        ("flash attention on v5e gets 7.31 TFLOP/s, is this expected?", "3.7 % of the dense peak"),
        // 160 · 15 · 24
        ("160 A100 for 15 days, how many GPU hours and what does it cost?", "57\u{202f}600 chip-hours"),
        // 936 GB/s ÷ 14 GB
        ("llama 7B on RTX 3090 30 tok/s is this slow?", "66.9 (44.9 %)"),
        // 8 % of 312 ÷ 130.5
        ("nanoGPT shows MFU 8% on a Quadro RTX 8000", "19.1 % of the dense peak"),
        // Turing has no 2:4 sparsity. An H100 PCIe has 1513 TFLOPS with it.
        ("peak TFLOPS of a Quadro RTX 8000", "130.5 TFLOPS, dense in 16 bits, and 672 GB/s"),
        ("peak TFLOPS of H100 PCIe", "(1513 with sparsity), and 2000 GB/s"),
        // 1.59 % of 123 ÷ 2, and 128 ÷ 0.342 s
        (
            "TPU type: TPU v3 Per-core batch size: 128 Step time: 342ms \
             Utilization of TPU Matrix Units (higher is better): 1.59%",
            "374 examples/s",
        ),
        ("Jetson Orin 275 TOPS, matmul 4096 x 4096 x 4096", "does not model a Jetson"),
    ] {
        assert!(first(text).says.contains(said), "{text}: {:?}", first(text));
    }
}
