//! The header of a GGUF file gives the model's matrices.

use perfmodel::Attention;
use proptest::prelude::{any, prop};
use proptest::proptest;
use workload::{Content, Kind, Logits, Pass, PassSpec, Workload, huggingface};

/// The header of a small Mixtral, written by the package of the format: `tests/oracle/gguf_header.py`.
const MIXTRAL: &[u8] = include_bytes!("../../../../tests/golden/mixtral.gguf.head");

fn work(bytes: &[u8], batch: u64, pass: Pass) -> Workload {
    let content = Content::of(bytes).unwrap_or_else(|refusal| panic!("{refusal}"));
    let Content::Weights(weights) = content else { panic!("weights") };
    weights.workload(&PassSpec { pass, batch, attention: Attention::Full }, None).expect("it is small")
}

#[test]
fn a_small_mixtral_has_the_products_of_its_configuration() {
    let config = r#"{"model_type": "mixtral", "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 3,
        "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 211, "num_local_experts": 5,
        "num_experts_per_tok": 2}"#;
    let model = huggingface::transformer(config).expect("a configuration");
    for (batch, pass) in [
        (2, Pass::Prefill { sequence: 13, logits: Logits::Every }),
        (2, Pass::Prefill { sequence: 13, logits: Logits::Last }),
        (1, Pass::Decode { context: 7 }),
        (3, Pass::Decode { context: 7 }),
    ] {
        let found = work(MIXTRAL, batch, pass);
        let of_config = model.workload(&PassSpec { pass, batch, attention: Attention::Full }).expect("it is small");
        // The file does not say which heads attend, so attention is left out.
        let mut expected: Vec<_> =
            of_config.products.iter().map(|product| (product.kind, product.sizes, product.count)).collect();
        expected.retain(|(kind, ..)| !matches!(kind, Kind::Scores | Kind::Values));
        let total = |kind| {
            let of = |products: &[(Kind, perfmodel::GemmSizes, u64)]| {
                let macs = products.iter().filter(|(own, ..)| *own == kind);
                macs.map(|(_, sizes, count)| sizes.m * sizes.k * sizes.n * count).sum::<u64>()
            };
            let own: Vec<_> =
                found.products.iter().map(|product| (product.kind, product.sizes, product.count)).collect();
            (of(&own), of(&expected))
        };
        for kind in [Kind::Weights, Kind::Expert, Kind::Head] {
            let (own, other) = total(kind);
            assert_eq!(own, other, "{kind:?} of {pass:?}");
        }
        assert_eq!(found.weights(), of_config.weights(), "{pass:?}");
    }
}

#[test]
fn a_header_of_no_use_is_refused() {
    let said = |bytes: &[u8]| Content::of(bytes).expect_err("no use").to_string();
    assert_eq!(said(b"GGUF\x03\0"), "The header of this GGUF file is not complete: use the complete file.");
    let cut = &MIXTRAL[..MIXTRAL.len() - 1];
    assert_eq!(said(cut), "The header of this GGUF file is not complete: use the complete file.");
    let mut other = MIXTRAL.to_vec();
    other[4] = 1;
    assert_eq!(said(&other), "GGUF version 1 is not supported: use version 2 or 3.");
    // Without its key, the file does not say how many experts a token visits.
    let at = MIXTRAL.windows(17).position(|bytes| bytes == b"expert_used_count").expect("it is there");
    let mut other = MIXTRAL.to_vec();
    other[at] = b'x';
    let Ok(Content::Weights(weights)) = Content::of(&other) else { panic!("weights") };
    let spec = PassSpec { pass: Pass::Decode { context: 7 }, batch: 3, attention: Attention::Full };
    assert_eq!(
        weights.workload(&spec, None).expect_err("it is unknown").to_string(),
        "The file does not say how many of its 5 experts a token visits: give the number, such as \
         num_experts_per_tok=2."
    );
    let given = weights.workload(&spec, Some(2)).expect("it is small");
    assert_eq!(given.products, work(MIXTRAL, 3, Pass::Decode { context: 7 }).products);
}

proptest! {
    #[test]
    fn no_changed_file_makes_it_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = MIXTRAL.to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(Content::Weights(found)) = Content::of(&bytes) {
            let pass = Pass::Decode { context: u64::MAX };
            let _ = found.workload(&PassSpec { pass, batch: u64::MAX, attention: Attention::Full }, None);
        }
    }
}
