//! The header of a safetensors file gives the model's matrices.

use perfmodel::{Attention, Remat};
use proptest::prelude::{any, prop};
use proptest::proptest;
use workload::safetensors::{Matrix, header_bytes, weights};
use workload::{Kind, Logits, Note, Pass, PassSpec, Workload, huggingface};

/// The first bytes of a small LLaMA, written by the format's own library: `tests/oracle/safetensors_header.py`.
const LLAMA: &[u8] = include_bytes!("../../../../tests/golden/llama.safetensors.head");

fn file(header: &str) -> Vec<u8> {
    let length = u64::try_from(header.len()).expect("it is short");
    [&length.to_le_bytes(), header.as_bytes(), b"weights"].concat()
}

fn refused(bytes: &[u8]) -> String {
    weights(bytes).expect_err("it is of no use").to_string()
}

#[test]
fn a_small_llama_has_the_flops_that_pytorch_counts_for_its_weights() {
    let found = weights(LLAMA).expect("its library wrote it");
    let spec = |pass| PassSpec { pass, batch: 2, attention: Attention::Full };
    let prefill = Pass::Prefill { sequence: 13, logits: Logits::Every };
    let work = found.workload(&spec(prefill), None).expect("it is small");
    // tests/golden/torch_flops.csv, llama, small, prefill of 2 × 13 tokens: products of plain matrices.
    assert_eq!(2 * work.executed_macs(), 4_240_704);
    // Two gradients for each product.
    let training = Pass::Training { sequence: 13, remat: Remat::None };
    let trained = found.workload(&spec(training), None).expect("it is small");
    assert_eq!(trained.executed_macs(), 3 * work.executed_macs());
    assert_eq!(trained.weights(), work.weights());
    // Seven matrices in each of three layers and the head; the embedding is looked up in.
    assert_eq!(found.matrices.iter().map(|matrix| matrix.count).sum::<u64>(), 3 * 7 + 1);
    assert!(found.left_out[0].what.to_string().starts_with("“model.embed_tokens.weight”"), "{:?}", found.left_out);
    let down = "model.layers.*.mlp.down_proj.weight";
    let down = found.matrices.iter().find(|matrix| matrix.name == down).expect("it has one");
    assert_eq!(*down, Matrix { name: down.name.clone(), k: 112, n: 48, count: 3, visits: None });
}

#[test]
fn shards_are_joined() {
    let mut whole = weights(LLAMA).expect("its library wrote it");
    let elements = whole.elements;
    whole.join(weights(LLAMA).expect("its library wrote it"));
    assert_eq!(whole.matrices.iter().map(|matrix| matrix.count).sum::<u64>(), 2 * 22);
    assert_eq!(whole.elements, 2 * elements);
}

#[test]
fn what_is_no_matrix_is_named() {
    let header = r#"{"a.positions": {"dtype": "I64", "shape": [512, 64], "data_offsets": [0, 1]},
        "a.weight_scale_inv": {"dtype": "F32", "shape": [4, 8], "data_offsets": [0, 1]},
        "conv.0.weight": {"dtype": "F16", "shape": [64, 3, 7, 7], "data_offsets": [0, 1]},
        "conv.1.weight": {"dtype": "F16", "shape": [64, 3, 7, 7], "data_offsets": [0, 1]},
        "stack.gate_up_proj": {"dtype": "BF16", "shape": [8, 64, 32], "data_offsets": [0, 1]},
        "norm.weight": {"dtype": "F32", "shape": [64], "data_offsets": [0, 1]}}"#;
    let found = weights(&file(header)).expect("it is a header");
    let said: Vec<String> = found.left_out.iter().map(|left| left.what.to_string()).collect();
    assert_eq!(
        said,
        [
            "“a.positions”, whose weights are packed or quantized",
            "“a.weight_scale_inv”, scales of quantized weights, which multiply no activations",
            "“conv.*.weight” (2 tensors), a convolution whose output size is not known",
            "“stack.gate_up_proj”, a stack of matrices",
        ]
    );
}

#[test]
fn weights_that_do_not_tell_their_work_are_refused() {
    let one = |name: &str, dtype: &str| {
        refused(&file(&format!(r#"{{"{name}": {{"dtype": "{dtype}", "shape": [32, 256], "data_offsets": [0, 1]}}}}"#)))
    };
    assert_eq!(
        one("layers.0.mlp.experts.up.weight", "BF16"),
        "The file has experts (“layers.*.mlp.experts.up.weight”), but does not say how many experts a layer has: use \
         config.json."
    );
    for name in ["q_proj.qweight", "q_proj.weight_packed"] {
        assert_eq!(
            one(name, "I32"),
            format!(
                "The file packs several weights into one number (“{name}”), but does not say how many: use config.json."
            )
        );
    }
    let shared =
        r#"{"mlp.shared_experts.up_proj.weight": {"dtype": "BF16", "shape": [32, 256], "data_offsets": [0, 1]}}"#;
    assert_eq!(weights(&file(shared)).expect("every token visits it").matrices.len(), 1);
}

#[test]
fn experts_in_a_file_have_the_products_of_the_configuration() {
    let config = |experts: u64, visited: u64| {
        let config = format!(
            r#"{{"model_type": "mixtral", "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 3,
            "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 211, "num_local_experts": {experts},
            "num_experts_per_tok": {visited}}}"#
        );
        huggingface::transformer(&config).expect("a configuration")
    };
    // The tensors that the transformers library stores for this configuration, without attention.
    let stored = |experts: u64| {
        let mut all = Vec::new();
        for layer in 0..3 {
            for expert in 0..experts {
                for (name, shape) in [("w1", [96, 64]), ("w2", [64, 96]), ("w3", [96, 64])] {
                    let name = format!("model.layers.{layer}.block_sparse_moe.experts.{expert}.{name}.weight");
                    all.push(format!(r#""{name}": {{"dtype": "BF16", "shape": {shape:?}, "data_offsets": [0, 1]}}"#));
                }
            }
        }
        weights(&file(&format!("{{{}}}", all.join(",")))).expect("weights")
    };
    let spec = |pass| PassSpec { pass, batch: 2, attention: Attention::Full };
    let total = |work: &Workload| {
        let experts = work.products.iter().filter(|product| product.kind == Kind::Expert);
        experts.map(|product| product.executed_macs()).sum::<u128>()
    };
    for (experts, visited) in [(8, 2), (8, 3), (5, 5), (64, 6)] {
        for pass in [Pass::Prefill { sequence: 13, logits: Logits::Every }, Pass::Decode { context: 7 }] {
            let found = stored(experts).workload(&spec(pass), Some(visited)).expect("it is small");
            let expected = config(experts, visited).workload(&spec(pass)).expect("it is small");
            assert_eq!(total(&found), total(&expected), "{visited} of {experts}, {pass:?}");
            assert_eq!(found.unvisited_weights, expected.unvisited_weights, "{visited} of {experts}, {pass:?}");
        }
    }
    let decode = spec(Pass::Decode { context: 7 });
    // All published models with 8 experts visit 2. The note says that this number is assumed.
    let assumed = stored(8).workload(&decode, None).expect("2 of 8");
    assert_eq!(assumed.products, stored(8).workload(&decode, Some(2)).expect("2 of 8").products);
    assert!(assumed.notes.contains(&Note::AssumedVisits { experts: 8, per_token: 2 }));
    let said = |experts, visited| stored(experts).workload(&decode, visited).expect_err("refused").to_string();
    assert_eq!(
        said(64, None),
        "The file does not say how many of its 64 experts a token visits: give the number, such as \
         num_experts_per_tok=2."
    );
    assert_eq!(said(8, Some(9)), "A token cannot visit 9 of 8 experts: use num_experts_per_tok from 1 to 8.");
    assert_eq!(said(8, Some(0)), "A token cannot visit 0 of 8 experts: use num_experts_per_tok from 1 to 8.");
    // All experts in one tensor.
    let stack = r#"{"mlp.experts.up_proj": {"dtype": "BF16", "shape": [8, 96, 64], "data_offsets": [0, 1]},
        "mlp.experts.up_proj_bias": {"dtype": "BF16", "shape": [8, 96], "data_offsets": [0, 1]}}"#;
    let stack = weights(&file(stack)).expect("weights").workload(&decode, Some(2)).expect("it is small");
    assert_eq!(total(&stack), 2 * 2 * 96 * 64);
}

#[test]
fn packed_weights_have_the_shape_that_their_scales_give() {
    let header = |tensors: &[(&str, &str, &[u64])]| {
        let each: Vec<String> = tensors
            .iter()
            .map(|(name, dtype, shape)| {
                format!(r#""{name}": {{"dtype": "{dtype}", "shape": {shape:?}, "data_offsets": [0, 1]}}"#)
            })
            .collect();
        file(&format!("{{{}}}", each.join(",")))
    };
    let shapes = |tensors: &[(&str, &str, &[u64])]| {
        let found = weights(&header(tensors)).unwrap_or_else(|refusal| panic!("{refusal}"));
        found.matrices.iter().map(|matrix| [matrix.k, matrix.n]).collect::<Vec<_>>()
    };
    // GPTQ of 4096 × 1024 in 4 bits and in 8 bits, in groups of 128.
    let gptq = |rows, zeros| {
        shapes(&[
            ("q.qweight", "I32", &[rows, 1024]),
            ("q.qzeros", "I32", &[32, zeros]),
            ("q.scales", "F16", &[32, 1024]),
        ])
    };
    assert_eq!([gptq(512, 128), gptq(1024, 256)], [vec![[4096, 1024]], vec![[4096, 1024]]]);
    // Three bits do not fill a number; the order of the groups has one entry for each input.
    let ordered: [(&str, &str, &[u64]); 3] =
        [("q.qweight", "I32", &[384, 1024]), ("q.g_idx", "I32", &[4096]), ("q.scales", "F16", &[32, 1024])];
    assert_eq!(shapes(&ordered), [[4096, 1024]]);
    let awq: [(&str, &str, &[u64]); 2] = [("q.qweight", "I32", &[4096, 128]), ("q.scales", "F16", &[32, 1024])];
    assert_eq!(shapes(&awq), [[4096, 1024]]);
    let nvfp4: [(&str, &str, &[u64]); 3] = [
        ("q.weight_packed", "U8", &[1024, 2048]),
        ("q.weight_scale", "F8_E4M3", &[1024, 256]),
        ("q.weight_global_scale", "F32", &[1]),
    ];
    assert_eq!(shapes(&nvfp4), [[4096, 1024]]);
    let int8: [(&str, &str, &[u64]); 2] = [("q.weight", "I8", &[1024, 4096]), ("q.SCB", "F32", &[1024])];
    assert_eq!(shapes(&int8), [[4096, 1024]]);
    let fp8: [(&str, &str, &[u64]); 2] =
        [("q.weight", "F8_E4M3", &[1024, 4096]), ("q.weight_scale_inv", "F32", &[8, 32])];
    assert_eq!(shapes(&fp8), [[4096, 1024]]);
    // bitsandbytes keeps the shape of 4-bit weights among the data.
    let nf4: [(&str, &str, &[u64]); 2] = [("q.weight", "U8", &[2_097_152, 1]), ("q.weight.absmax", "U8", &[65_536])];
    let refused = weights(&header(&nf4)).expect_err("the shape is not in the header").to_string();
    assert!(refused.starts_with("The file packs several weights into one number"), "{refused}");
}

#[test]
fn a_file_of_no_use_is_refused() {
    assert!(refused(b"1234567").starts_with("The file is too short"));
    assert!(refused(&u64::MAX.to_le_bytes()).contains("18\u{202f}446\u{202f}744\u{202f}073\u{202f}709\u{202f}551\u{202f}615 bytes, but at most 100\u{202f}000\u{202f}000"));
    assert_eq!(
        refused(&[&99u64.to_le_bytes()[..], b"{}"].concat()),
        "The header needs 107 bytes, but the file has only 10: use the complete file."
    );
    assert!(refused(&[&2u64.to_le_bytes()[..], &[0xff, 0xfe]].concat()).contains("not UTF-8"));
    assert!(refused(&file("[]")).contains("byte 0: expected an object"));
    assert!(refused(&file(r#"{"a": {"dtype": "F32"}}"#)).starts_with("The tensor “a” has no valid shape"));
    assert!(refused(&file(r#"{"a": {"shape": [-1]}}"#)).starts_with("The tensor “a” has no valid shape"));
    assert_eq!(header_bytes(LLAMA), Ok(LLAMA.len() as u64));
    // Its last tensor is whole, and the header ends without a brace.
    let open = refused(&file(r#"{"a": {"dtype": "F32", "shape": [4, 8], "data_offsets": [0, 128]}"#));
    assert_eq!(open, "Invalid JSON at byte 65: expected the rest of the header.");
}

#[test]
fn a_header_of_many_unlike_tensors_is_refused_before_it_fills_the_memory() {
    let many: Vec<String> = (0..20_000).map(|at| format!("\"t{at}\":{{\"shape\":[2,2]}}")).collect();
    assert!(refused(&file(&format!("{{{}}}", many.join(",")))).contains("use at most 10\u{202f}000"));
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = weights(&bytes);
    }

    #[test]
    fn no_changed_file_makes_it_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = LLAMA.to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(found) = weights(&bytes) {
            let pass = Pass::Decode { context: u64::MAX };
            let _ = found.workload(&PassSpec { pass, batch: u64::MAX, attention: Attention::Full }, None);
        }
    }
}
