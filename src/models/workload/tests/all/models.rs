//! Tests that the listed models have the matmuls and the totals of their papers and configurations.

use crate::golden::golden;
use perfmodel::{Attention, Remat};
use workload::models::{MODELS, Model, Refusal};
use workload::{Kind, Logits, Pass, PassSpec, Workload};

fn prefill(id: &str, batch: u64, sequence: u64) -> Workload {
    let spec = PassSpec { pass: Pass::Prefill { sequence, logits: Logits::Every }, batch, attention: Attention::Full };
    Model::by_id(id).expect(id).workload(&spec).unwrap_or_else(|error| panic!("{id}: {error}"))
}

/// Returns the number of weights that every token uses. In a pass over one token, this number equals the number of
/// MACs.
fn weights(id: &str) -> u128 {
    let shared = |kind| matches!(kind, Kind::Weights | Kind::Head | Kind::Convolution);
    prefill(id, 1, 1)
        .products
        .iter()
        .filter(|product| shared(product.kind))
        .map(|product| product.executed_macs())
        .sum()
}

#[test]
fn a_token_meets_every_weight_that_is_in_a_product() {
    // These weights are in matmuls. The output head is a matmul, and the lookup of the input embedding is none.
    let known = [
        ("gpt2-xl", 1_554_971_200),
        ("gpt3-175b", 174_564_311_040),
        ("llama2-7b", 6_607_077_376),
        ("llama2-70b", 68_713_185_280),
        ("llama3-8b", 7_504_658_432),
        ("llama3-70b", 69_501_714_432),
        ("gemma-2b", 2_506_358_784),
        ("gemma-7b", 8_537_899_008),
        // The sum is 24 · (4 · 1024² + 2 · 1024 · 4096), then the pooler, the transform, the decoder at the one masked
        // position, and NSP.
        ("bert-large", 301_989_888 + 2 * 1024 * 1024 + 1024 * 30_522 + 2 * 1024),
    ];
    for (id, expected) in known {
        assert_eq!(weights(id), expected, "{id}");
    }
}

#[test]
fn the_layers_of_llama_3_8b_are_those_of_its_configuration() {
    let work = prefill("llama3-8b", 2, 8192);
    let found: Vec<_> =
        work.products.iter().map(|product| (product.name.as_str(), product.sizes.mkn(), product.count)).collect();
    let expected = [
        ("q_proj", [16_384, 4096, 4096], 32),
        ("k_proj", [16_384, 4096, 1024], 32),
        ("v_proj", [16_384, 4096, 1024], 32),
        ("scores", [8192, 128, 8192], 2 * 32 * 32),
        ("values", [8192, 8192, 128], 2 * 32 * 32),
        ("o_proj", [16_384, 4096, 4096], 32),
        ("gate_proj", [16_384, 4096, 14_336], 32),
        ("up_proj", [16_384, 4096, 14_336], 32),
        ("down_proj", [16_384, 14_336, 4096], 32),
        ("lm_head", [16_384, 4096, 128_256], 1),
    ];
    assert_eq!(found, expected);
}

#[test]
fn bert_large_pretraining_is_the_sum_of_its_parts() {
    // A sequence of 512 has 24 layers of weights and attention, and heads at ⌈15%⌉ = 77 positions.
    let layers = 512 * 301_989_888 + 24 * 2 * 512 * 512 * 1024;
    let heads = 1024 * 1024 + 77 * (1024 * 1024 + 1024 * 30_522) + 1024 * 2;
    assert_eq!(prefill("bert-large", 8, 512).executed_macs(), 8 * (layers + heads));
}

#[test]
fn palm_counts_attention_of_a_training_token_as_twelve_l_h_q_t() {
    // A token has 6 · N + 12 · L · H · Q · T FLOP (Chowdhery et al. 2022, appendix B).
    let spec =
        PassSpec { pass: Pass::Training { sequence: 2048, remat: Remat::None }, batch: 4, attention: Attention::Full };
    let work = Model::by_id("gpt3-175b").expect("it is there").workload(&spec).expect("it can be trained");
    let token = 6.0 * 174_564_311_040.0 + 12.0 * 96.0 * 96.0 * 128.0 * 2048.0;
    assert_eq!(work.flops(), token * 4.0 * 2048.0);
}

#[test]
fn models_of_images_have_their_published_macs() {
    // ResNet-50 has the standard 4.09 GMAC, and DiT-XL/2 the paper's 118.6. For SDXL, 6 · MACs · 8 is 162.27 TFLOP, as
    // AI-Hypercomputer/tpu-recipes prints for a step with 8 images.
    for (id, macs) in [
        ("resnet50", 4_089_184_256),
        ("dit-xl-2", 118_621_421_568),
        ("sd15-unet", 401_636_720_640),
        ("sdxl-unet", 3_380_618_199_040),
    ] {
        assert_eq!(prefill(id, 1, 1).executed_macs(), macs, "{id}");
        assert_eq!(prefill(id, 8, 1).executed_macs(), 8 * macs, "{id}");
    }
    let spec =
        PassSpec { pass: Pass::Training { sequence: 1, remat: Remat::None }, batch: 8, attention: Attention::Full };
    let step = Model::by_id("sdxl-unet").expect("it is there").workload(&spec).expect("it can be trained").flops();
    assert!((step / 162.27e12 - 1.0).abs() < 1e-4, "{step}");
}

#[test]
fn the_first_tpus_models_have_the_weights_of_their_paper_or_no_list() {
    // Jouppi et al. 2017, table 1, has 20 M and 5 M weights.
    assert_eq!(prefill("tpuv1-mlp0", 200, 1).executed_macs(), 200 * 20_000_000);
    let mlp1 = prefill("tpuv1-mlp1", 168, 1).executed_macs() as f64 / 168.0;
    assert!((mlp1 / 5e6 - 1.0).abs() < 1e-3, "{mlp1}");
    let spec =
        PassSpec { pass: Pass::Prefill { sequence: 1, logits: Logits::Every }, batch: 64, attention: Attention::Full };
    for id in ["tpuv1-lstm0", "tpuv1-lstm1", "tpuv1-cnn0", "tpuv1-cnn1"] {
        assert_eq!(Model::by_id(id).expect(id).workload(&spec), Err(Refusal::Unpublished), "{id}");
    }
    let said = Model::by_id("tpuv1-mlp0").expect("it is there").workload(&spec).expect_err("another batch").to_string();
    assert_eq!(said, "This model is published for a single batch size: use batch 200.");
}

#[test]
fn every_model_has_a_source_and_an_id_of_its_own() {
    for model in &MODELS {
        assert!(!model.source.is_empty() && !model.published.is_empty(), "{}", model.id);
        assert_eq!(Model::by_id(model.id).map(|found| found.title), Some(model.title));
    }
}

#[test]
fn query_heads_that_share_keys_and_values_read_them_once() {
    let decode = |id: &str| {
        let spec = PassSpec { pass: Pass::Decode { context: 2048 }, batch: 32, attention: Attention::Full };
        Model::by_id(id).expect(id).workload(&spec).expect("it decodes")
    };
    // LLaMA 3 8B has 32 query heads and 8 heads of keys and values, and LLaMA 2 7B has 32 of both. So LLaMA 3 8B has a
    // quarter of the bytes and equal FLOPs.
    let (grouped, plain) = (decode("llama3-8b"), decode("llama2-7b"));
    assert_eq!((grouped.cached_elements() * 4.0).to_bits(), plain.cached_elements().to_bits());
    let scores = |work: &Workload| {
        let one = work.products.iter().find(|product| product.kind == Kind::Scores).expect("attention");
        let [m, k, n] = one.sizes.mkn();
        (m, k * n * one.count, one.executed_macs())
    };
    let ((rows, read, macs), (alone, all, as_many)) = (scores(&grouped), scores(&plain));
    assert_eq!((rows, alone, read * 4, macs), (4, 1, all, as_many));
    // The elements are 2 · 32 layers · 32 sequences · 2049 tokens · 8 heads · 128.
    let all = 2.0 * 32.0 * 32.0 * 2049.0 * 8.0 * 128.0;
    assert_eq!(grouped.cached_elements().to_bits(), f64::to_bits(all));
    // Each of eight chips has one head. Of 16 chips, two have the same head.
    assert_eq!([1, 8, 16].map(|chips| grouped.cached_on(chips) / all), [1.0, 1.0, 2.0]);
}

#[test]
fn models_of_today_have_the_weights_that_their_authors_publish() {
    // The headers of the published safetensors files have these numbers of parameters. The number of DeepSeek-V3
    // excludes the layer that predicts a second token. Norms and biases are not in matmuls, and are less than 1 of
    // 10,000 parameters.
    for (id, published, vocab, hidden) in [
        ("qwen3-8b", 8_190_735_360.0, 151_936.0, 4096.0),
        ("qwen3-32b", 32_762_123_264.0, 151_936.0, 5120.0),
        ("llama3-405b", 405_853_388_800.0, 128_256.0, 16_384.0),
        ("qwen3-235b", 235_093_634_560.0, 151_936.0, 4096.0),
        ("deepseek-v3", 671_026_419_200.0, 129_280.0, 7168.0),
    ] {
        let work = prefill(id, 1, 1);
        let multiplied = work.weights().expect("known");
        let missing = 1.0 - (multiplied + vocab * hidden) / published;
        assert!((0.0..1e-4).contains(&missing), "{id}: {missing}");
    }
    // These are the weights that a token uses. 22B and 37B are published.
    for (id, billions) in [("qwen3-235b", 22.0), ("deepseek-v3", 37.0)] {
        let active = prefill(id, 1, 1).executed_macs() as f64 / 1e9;
        assert!((active / billions - 1.0).abs() < 0.04, "{id}: {active}");
    }
}

#[test]
fn models_with_a_published_configuration_have_its_layers() {
    for (id, file) in [("qwen3-8b", "qwen3"), ("deepseek-v3", "deepseek_v3")] {
        let text = std::fs::read_to_string(golden().join("published").join(format!("{file}.json"))).expect(file);
        let read = workload::huggingface::transformer(&text).expect(file);
        let own = Model::by_id(id).and_then(Model::transformer).expect(id);
        assert_eq!(
            (own.layers, own.hidden, own.vocab, own.head),
            (read.layers, read.hidden, read.vocab, read.head),
            "{id}"
        );
    }
}
