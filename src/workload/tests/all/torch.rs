//! PyTorch counts the same FLOPs: `tests/golden/torch_flops.csv`, which `tests/oracle/torch_flops.py` writes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::golden::golden;
use perfmodel::Attention;
use workload::{Kind, Logits, Pass, PassSpec, Workload, huggingface};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The configuration a row was counted with; an empty one has the library's defaults.
fn config(family: &str, which: &str) -> String {
    match which {
        "small" => read(&golden().join("configs").join(format!("{family}.json"))),
        _ => format!(r#"{{"model_type": "{family}"}}"#),
    }
}

fn flops(work: &Workload, wanted: impl Fn(Kind) -> bool) -> u128 {
    work.products.iter().filter(|product| wanted(product.kind)).map(|product| 2 * product.executed_macs()).sum()
}

#[test]
fn every_family_has_the_flops_that_pytorch_counts() {
    let mut seen = BTreeSet::new();
    let mut rows = 0;
    for row in read(&golden().join("torch_flops.csv")).lines().skip(2) {
        let cells: Vec<&str> = row.split(',').collect();
        let [family, which, pass, batch, seq, context, total, plain, batched] = cells[..] else {
            panic!("{row}");
        };
        let number = |text: &str| text.parse::<u64>().expect("the golden file holds numbers");
        let sequence = number(seq);
        let pass = match pass {
            "prefill" => Pass::Prefill { sequence, logits: Logits::Every },
            "prefill-last" => Pass::Prefill { sequence, logits: Logits::Last },
            "decode" => Pass::Decode { context: number(context) },
            other => panic!("{other}"),
        };
        let model =
            huggingface::transformer(&config(family, which)).unwrap_or_else(|error| panic!("{family}: {error}"));
        let spec = PassSpec { pass, batch: number(batch), attention: Attention::Full };
        let work = model.workload(&spec).unwrap_or_else(|error| panic!("{family}: {error}"));
        assert_eq!(flops(&work, |_| true), u128::from(number(total)), "{row}");
        let experts = flops(&work, |kind| kind == Kind::Expert);
        let attention = flops(&work, |kind| matches!(kind, Kind::Scores | Kind::Values));
        assert_eq!(attention + experts, u128::from(number(batched)), "attention and experts: {row}");
        assert_eq!(flops(&work, |_| true) - attention - experts, u128::from(number(plain)), "shared weights: {row}");
        seen.insert(family.to_owned());
        rows += 1;
    }
    let known: BTreeSet<String> = huggingface::families().into_iter().map(String::from).collect();
    assert_eq!(seen, known, "every family that is known is held against PyTorch");
    assert!(rows >= 190, "{rows}");
}

#[test]
fn a_cache_of_no_tokens_is_a_prefill_of_one() {
    for family in huggingface::families() {
        let model =
            huggingface::transformer(&config(family, "small")).unwrap_or_else(|error| panic!("{family}: {error}"));
        let work = |pass| model.workload(&PassSpec { pass, batch: 3, attention: Attention::Full });
        let prefill = work(Pass::Prefill { sequence: 1, logits: Logits::Every }).expect("it has one");
        match work(Pass::Decode { context: 0 }) {
            Ok(decode) if model.stacks.len() == 1 => assert_eq!(decode.products, prefill.products, "{family}"),
            Ok(decode) => assert!(decode.flops() < prefill.flops(), "{family}: its encoder has run"),
            Err(error) => assert!(error.to_string().contains("encoder"), "{family}: {error}"),
        }
    }
}
