//! Tests of the reader of config.json: accepted files, and errors for unusable files.

use perfmodel::{Attention, Remat};
use proptest::prelude::{any, prop};
use proptest::proptest;
use workload::models::Model;
use workload::{Feed, Logits, Pass, PassSpec, Product, ResidualStream, Transformer, huggingface};

const PREFILL: PassSpec =
    PassSpec { pass: Pass::Prefill { sequence: 512, logits: Logits::Every }, batch: 2, attention: Attention::Full };

fn read(text: &str) -> Transformer {
    huggingface::transformer(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> String {
    huggingface::transformer(text).expect_err(text).to_string()
}

#[test]
fn an_unknown_family_is_refused_with_the_command_of_the_tracer() {
    let said = refused(r#"{"model_type": "zebra", "stripes": 4096}"#);
    let command = "run python systolic_matmuls.py config.json > model.csv, and open model.csv.";
    assert_eq!(said, format!("model_type = zebra is not one of the 32 families that are read here: {command}"));
    // The keys of a known family do not make another family known.
    let keys = r#""architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "num_hidden_layers": 2"#;
    assert!(refused(&format!(r#"{{"model_type": "zebra", {keys}}}"#)).ends_with(command));
    let text = r#"{"model_type": "glm4v_moe", "text_config": {"model_type": "glm4v_moe_text"}}"#;
    assert!(refused(text).starts_with("model_type = glm4v_moe_text is not one"));
    let said = refused(&format!("{{{keys}}}"));
    assert_eq!(said, "model_type is missing: use the whole config.json of the model.");
    assert!(refused(r#"{"_class_name": "UNet2DConditionModel"}"#).contains("sd15-unet"));
    assert!(refused("{}").starts_with("This JSON has no sizes of a model"));
    assert!(refused("[1]").starts_with("This JSON has no sizes of a model"));
    assert!(refused("model_type: llama").contains("Invalid JSON at byte 0: expected a value"));
}

#[test]
fn the_book_lists_every_family() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/files.md");
    let book = std::fs::read_to_string(book).expect("docs/files.md");
    let list = book.split("```").find_map(|block| block.strip_prefix("families")).expect("a list");
    let listed: Vec<&str> = list.split_whitespace().collect();
    assert_eq!(listed, huggingface::families());
}

#[test]
fn no_family_says_twice_which_default_it_took() {
    for family in huggingface::families() {
        let Ok(model) = huggingface::transformer(&format!(r#"{{"model_type": "{family}"}}"#)) else { continue };
        for (at, note) in model.notes.iter().enumerate() {
            assert!(!model.notes[..at].contains(note), "{family}: {note}");
        }
    }
    let notes = read(r#"{"model_type": "gpt2"}"#).notes;
    let default = "n_embd is not set: the transformers library uses 768 for gpt2.";
    assert!(notes.iter().any(|note| note.to_string() == default), "{notes:?}");
}

#[test]
fn a_value_that_means_nothing_is_named_with_what_is_allowed() {
    let cases = [
        (r#""hidden_size": "4096""#, "hidden_size = “4096”: use a whole number from 1 to 16\u{202f}777\u{202f}216."),
        (r#""hidden_size": 4096.5"#, "hidden_size = 4096.5: use a whole number from 1 to 16\u{202f}777\u{202f}216."),
        (r#""hidden_size": -1"#, "hidden_size = -1: use a whole number from 1 to 16\u{202f}777\u{202f}216."),
        (r#""vocab_size": 0"#, "vocab_size = 0: use a whole number from 1 to 16\u{202f}777\u{202f}216."),
        (r#""num_hidden_layers": 10001"#, "num_hidden_layers = 10001: use a whole number from 1 to 10\u{202f}000."),
        (
            r#""num_hidden_layers": 1000000000"#,
            "num_hidden_layers = 1000000000: use a whole number from 1 to 10\u{202f}000.",
        ),
        (r#""num_key_value_heads": 5"#, "num_key_value_heads = 5 for 32 heads: use a divisor of the number of heads."),
        (r#""num_attention_heads": 33"#, "hidden_size = 4096 for 33 heads: use a multiple of the number of heads."),
        (
            r#""intermediate_size": [1, 2]"#,
            "intermediate_size = a list of 2: use a number, or the same number for each layer.",
        ),
    ];
    for (entry, said) in cases {
        assert_eq!(refused(&format!(r#"{{"model_type": "llama", {entry}}}"#)), said);
    }
    let list = r#"{"model_type": "gemma2", "num_hidden_layers": 2, "layer_types": ["full_attention", "linear"]}"#;
    assert_eq!(refused(list), "layer_types = “linear”: use full_attention or sliding_attention.");
    let missing = refused(r#"{"model_type": "deepseek_v2"}"#);
    assert_eq!(
        missing,
        "num_experts_per_tok is missing: add a value, because this model family has no default for num_experts_per_tok."
    );
}

#[test]
fn a_default_that_was_taken_is_noted() {
    let model = read(r#"{"model_type": "qwen3", "hidden_size": 1024}"#);
    let noted = "head_dim is not set: the transformers library uses 128 for qwen3.";
    assert!(model.notes.iter().any(|note| note.to_string() == noted), "{:?}", model.notes);
    assert!(!model.notes.iter().any(|note| note.to_string().starts_with("hidden_size")));
    for family in huggingface::families() {
        let text = format!(
            r#"{{"model_type": "{family}", "num_experts_per_tok": 1, "head_dim": 8, "num_key_value_heads": 1,
                "n_routed_experts": 4, "n_shared_experts": 1, "vocab_size": 99}}"#
        );
        assert!(read(&text).notes.iter().all(|note| !note.to_string().starts_with(' ')), "{family}");
    }
}

#[test]
fn the_text_part_of_a_larger_model_is_taken_and_the_rest_named() {
    let model = read(
        r#"{"model_type": "llava", "vision_config": {"hidden_size": 1024}, "quantization_config": {},
            "text_config": {"model_type": "llama", "num_hidden_layers": 2}}"#,
    );
    assert_eq!(model.layers[0].count, 2);
    let left_out: Vec<_> = model.left_out.iter().map(|left| (left.what.to_string(), left.share_of_flops)).collect();
    assert!(left_out.contains(&("the part that “vision_config” describes".to_owned(), None)), "{left_out:?}");
    assert!(model.notes.iter().any(|note| note.to_string().starts_with("quantization_config")));
}

#[test]
fn the_language_model_of_a_larger_model_keeps_its_head() {
    // For InternVL3, the class of the whole model ends in “Model”, and its language model has a head.
    let model = read(
        r#"{"model_type": "internvl_chat", "architectures": ["InternVLChatModel"],
            "llm_config": {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"]}}"#,
    );
    assert_eq!(model.head, workload::Head::Linear);
    let bare = read(r#"{"model_type": "llama", "architectures": ["LlamaModel"]}"#);
    assert_eq!(bare.head, workload::Head::None);
}

#[test]
fn the_parameters_of_llama_and_mistral_are_read() {
    // This is params.json of LLaMA 3 8B. The inner width follows from the multiplier and the multiple.
    let model = read(
        r#"{"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256,
            "multiple_of": 1024, "ffn_dim_multiplier": 1.3, "norm_eps": 1e-05, "rope_theta": 500000.0}"#,
    );
    let work = model.workload(&PREFILL).expect("it has a prefill");
    assert_eq!(
        work.products,
        Model::by_id("llama3-8b").expect("listed").workload(&PREFILL).expect("a prefill").products
    );
    let model = read(
        r#"{"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8,
            "vocab_size": 32000, "moe": {"num_experts_per_tok": 2, "num_experts": 8}}"#,
    );
    assert!(matches!(model.layers[0].feed, Feed::Experts { experts: 8, per_token: 2, inner: 14_336, .. }));
}

#[test]
fn the_configuration_of_a_model_gives_the_products_that_the_table_has_for_it() {
    let read = |text: &str| read(text).workload(&PREFILL).expect("it has a prefill").products;
    let table = |id: &str| Model::by_id(id).expect(id).workload(&PREFILL).expect(id).products;
    let llama = r#"{"architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336,
        "model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
        "rope_theta": 500000.0, "tie_word_embeddings": false, "vocab_size": 128256}"#;
    assert_eq!(read(llama), table("llama3-8b"));
    let gemma = r#"{"head_dim": 256, "hidden_size": 2048, "intermediate_size": 16384, "model_type": "gemma",
        "num_attention_heads": 8, "num_hidden_layers": 18, "num_key_value_heads": 1, "vocab_size": 256128}"#;
    assert_eq!(read(gemma), table("gemma-2b"));
    // GPT-2 has queries, keys and values in one matrix. The shapes differ, and the FLOPs are equal.
    let gpt2 = r#"{"model_type": "gpt2", "n_embd": 1600, "n_head": 25, "n_layer": 48, "vocab_size": 50257}"#;
    let macs = |products: Vec<Product>| products.iter().map(Product::executed_macs).sum::<u128>();
    assert_eq!(macs(read(gpt2)), macs(table("gpt2-xl")));
}

#[test]
fn a_class_without_a_vocabulary_head_has_none() {
    let with = read(r#"{"model_type": "bert", "architectures": ["BertForMaskedLM"]}"#);
    let without = read(r#"{"model_type": "bert", "architectures": ["BertForSequenceClassification"]}"#);
    let flops = |model: &Transformer| model.workload(&PREFILL).expect("it has a prefill").flops();
    // The head of BERT multiplies 768×768 and 768×30522 at each of 1024 positions.
    assert_eq!(flops(&with) - flops(&without), 2.0 * 1024.0 * (768.0 * 768.0 + 768.0 * 30522.0));
    assert!(without.left_out[0].what.to_string().contains("BertForSequenceClassification"));
}

#[test]
fn weights_and_layers_are_the_models_whatever_a_pass_visits() {
    let model = read(r#"{"model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}"#);
    let decode = |batch| {
        let spec = PassSpec { pass: Pass::Decode { context: 100 }, batch, ..PREFILL };
        model.workload(&spec).expect("it decodes")
    };
    // The configuration has the defaults of Mixtral 8×7B: 46.7 G parameters (Jiang et al. 2024). The embedding, 32,000
    // × 4096, is in no matmul.
    for batch in [1, 2, 3, 512] {
        let weights = decode(batch).weights().expect("known");
        assert!((weights / (46.7e9 - 32_000.0 * 4096.0) - 1.0).abs() < 0.002, "{batch}: {weights}");
    }
    assert_eq!(decode(1).stream, Some(ResidualStream { layers: 32, width: 4096 }));
}

#[test]
fn training_is_three_forward_passes_and_four_with_full_rematerialization() {
    let model = read(r#"{"model_type": "mixtral", "num_local_experts": 7}"#);
    assert!(matches!(model.layers[0].feed, Feed::Experts { experts: 7, .. }));
    let forward = model.workload(&PREFILL).expect("it has a prefill");
    let train = |remat| {
        let spec = PassSpec { pass: Pass::Training { sequence: 512, remat }, ..PREFILL };
        model.workload(&spec).expect("it can be trained")
    };
    let (stored, again) = (train(Remat::None), train(Remat::Full));
    assert_eq!(stored.executed_macs(), 3 * forward.executed_macs());
    assert_eq!(again.executed_macs(), 4 * forward.executed_macs());
    assert_eq!(again.flops(), stored.flops(), "what is computed again is not the model's work");
}

#[test]
fn a_causal_mask_halves_attention_where_that_is_the_convention() {
    let model = read(r#"{"model_type": "llama"}"#);
    let work = |attention| model.workload(&PassSpec { attention, ..PREFILL }).expect("it has a prefill").flops();
    // A token has 4 · layers · heads · head_dim · T FLOP of attention, and half of that with a causal mask. LLaMA 7B
    // has 32 · 32 · 128 with T = 512, for 1024 tokens.
    let attention = 1024.0 * 4.0 * 32.0 * 32.0 * 128.0 * 512.0;
    assert_eq!(work(Attention::Full) - work(Attention::Causal), attention / 2.0);
    let bert = read(r#"{"model_type": "bert"}"#);
    let half = bert.workload(&PassSpec { attention: Attention::Causal, ..PREFILL }).expect("it has a prefill");
    assert!(half.products.iter().all(|product| product.counted == 1.0), "an encoder has no causal mask");
    let modern = r#"{"model_type": "modernbert"}"#;
    let half = read(modern).workload(&PassSpec { attention: Attention::Causal, ..PREFILL }).expect("a prefill");
    assert!(half.products.iter().all(|product| product.counted == 1.0), "its windows have no causal mask");
}

#[test]
fn a_pass_that_makes_no_sense_is_refused() {
    let bert = read(r#"{"model_type": "bert"}"#);
    let spec = |pass| PassSpec { pass, batch: 1, attention: Attention::Full };
    let said = bert.workload(&spec(Pass::Decode { context: 5 })).expect_err("an encoder").to_string();
    assert_eq!(said, "An encoder has no decode pass; use train or prefill.");
    let llama = read(r#"{"model_type": "llama"}"#);
    let said = llama.workload(&PassSpec { batch: 0, ..PREFILL }).expect_err("nothing").to_string();
    assert_eq!(said, "batch = 0: use 1 or more.");
    for context in [u64::MAX, u64::MAX - 1] {
        assert!(llama.workload(&PassSpec { batch: u64::MAX, ..spec(Pass::Decode { context }) }).is_err());
    }
}

#[test]
fn the_head_has_the_weights_of_the_embedding_where_the_library_says_so() {
    // tests/oracle/tied_embeddings.py wrote this table.
    let table = include_str!("../../../../../tests/golden/tied_embeddings.csv");
    let rows: Vec<(&str, &str)> = table.lines().skip(2).filter_map(|row| row.split_once(',')).collect();
    assert_eq!(rows.iter().map(|(family, _)| *family).collect::<Vec<_>>(), huggingface::families());
    for (family, tied) in rows {
        let is_tied = |more: &str| {
            read(&format!(r#"{{"model_type": "{family}", "num_experts_per_tok": 1, "head_dim": 8{more}}}"#)).is_tied
        };
        assert_eq!(is_tied("").to_string(), tied, "{family}");
        assert_eq!(
            [is_tied(r#", "tie_word_embeddings": true"#), is_tied(r#", "tie_word_embeddings": false"#)],
            [true, false]
        );
    }
    // The key of the whole model counts, unless the language model has this key.
    let whole = r#"{"model_type": "qwen2_5_vl", "tie_word_embeddings": true, "text_config": {"model_type": "qwen2_5_vl_text"}}"#;
    assert!(read(whole).is_tied);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = huggingface::transformer(&text);
        let _ = huggingface::transformer(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_value_makes_it_panic(
        family in 0usize..32,
        values in prop::collection::vec((0usize..16, 0usize..12), 0..12),
        context in any::<u64>(),
        batch in any::<u64>(),
    ) {
        const KEYS: [&str; 16] = [
            "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "vocab_size",
            "intermediate_size", "sliding_window", "num_experts_per_tok", "num_local_experts", "layer_types",
            "mlp_only_layers", "decoder_sparse_step", "q_lora_rank", "use_sliding_window", "first_k_dense_replace",
        ];
        const VALUES: [&str; 12] = [
            "0", "1", "2", "16777216", "16777217", "18446744073709551616", "null", "true", "[]", "[0, 1]", "\"x\"", "-3",
        ];
        let families = huggingface::families();
        let entries: String = values.iter().map(|(key, value)| format!(", \"{}\": {}", KEYS[*key], VALUES[*value])).collect();
        let text = format!("{{\"model_type\": \"{}\"{entries}}}", families[family % families.len()]);
        if let Ok(model) = huggingface::transformer(&text) {
            for pass in [Pass::Decode { context }, Pass::Training { sequence: context, remat: Remat::Full }] {
                if let Ok(work) = model.workload(&PassSpec { pass, batch, attention: Attention::Causal }) {
                    assert!(work.flops().is_finite() && work.products.len() < 1000);
                }
            }
        }
    }
}

#[test]
fn packed_sequences_have_the_attention_of_each_sequence() {
    let llama = read(r#"{"model_type": "llama"}"#);
    let mixtral = read(r#"{"model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}"#);
    for model in [llama, mixtral] {
        for attention in [Attention::Full, Attention::Causal] {
            for remat in [Remat::None, Remat::Full] {
                let flops = |model: &Transformer, sequence: u64| {
                    let spec = PassSpec { pass: Pass::Training { sequence, remat }, batch: 1, attention };
                    model.workload(&spec).expect("it is small").flops()
                };
                // Tokens of 512, 512 and 1024 have a mean of 768.
                let mean = workload::transformer::packed_mean(&[512, 512, 1024]).expect("lengths");
                assert_eq!(mean, 768);
                let packed = flops(&model.clone().packed(mean), 2048);
                let apart = 2.0 * flops(&model, 512) + flops(&model, 1024);
                assert!((packed / apart - 1.0).abs() < 1e-12, "{packed} {apart}");
                assert!(packed < flops(&model, 2048));
            }
        }
    }
    assert_eq!(workload::transformer::packed_mean(&[]), None);
}

#[test]
fn expanded_latent_attention_multiplies_all_keys_and_values_again() {
    let model = read(r#"{"model_type": "deepseek_v3", "num_nextn_predict_layers": 0}"#);
    let flops = |model: &Transformer, context: u64| {
        let spec = PassSpec { pass: Pass::Decode { context }, batch: 1, attention: Attention::Full };
        model.workload(&spec).expect("it is small").flops()
    };
    // The absorbed form has 2 · (512 + 64 + 512) FLOP for each head, token of context and layer. The expanded form has
    // 2 · 512 · 256 for the expansion and 2 · (192 + 128) for attention.
    let of_context = |model: &Transformer| (flops(model, 2001) - flops(model, 1001)) / 1000.0 / 61.0 / 128.0;
    assert_eq!(of_context(&model), 2.0 * 1088.0);
    assert_eq!(of_context(&model.expanded()), 2.0 * (512.0 * 256.0 + 320.0));
}

#[test]
fn a_file_that_is_no_configuration_gets_its_own_remedy() {
    let said = |text: &str| workload::Content::of(text.as_bytes()).expect_err(text).to_string();
    for (text, sentence) in [
        (
            r#"{"tokenizer_class": "LlamaTokenizer"}"#,
            "This file describes a tokenizer: use the config.json of the model.",
        ),
        (
            r#"{"scheduler": "cosine", "lr": 0.1}"#,
            "This JSON has no sizes of a model, such as hidden_size: use the config.json of the model.",
        ),
        (
            "{\n  // a comment\n  \"model_type\": \"llama\"\n}",
            "Byte 4 begins a comment, which JSON does not allow: remove all comments.",
        ),
        (
            r#"{"model_type": "llama", /* a comment */ "vocab_size": 1}"#,
            "Byte 24 begins a comment, which JSON does not allow: remove all comments.",
        ),
        (
            r#"{"model_type": "llama", "vocab_size": 1,}"#,
            "JSON allows no comma before the bracket at byte 40: remove the comma.",
        ),
    ] {
        assert_eq!(said(text), sentence);
    }
    let said_of_llama_2 = said(r#"{"dim": 4096, "n_layers": 32, "n_heads": 32, "vocab_size": -1}"#);
    assert_eq!(
        said_of_llama_2,
        "vocab_size = -1: use the number of tokens of the tokenizer, which is 32000 for LLaMA 2."
    );
    // Only for a file with sizes does the sentence say that just the name of the family is missing.
    assert!(said(r#"{"hidden_size": 64}"#).starts_with("model_type is missing"));
}

#[test]
fn a_configuration_that_python_printed_is_read() {
    let json = include_str!("../../../../../tests/golden/configs/llama.json");
    let printed = format!("LlamaConfig {json}\n");
    let of = |text: &str| workload::Content::of(text.as_bytes()).expect("a configuration");
    assert_eq!(of(&printed), of(json));
}
