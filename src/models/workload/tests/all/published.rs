//! Tests that published configurations have the weights that the library counts: `tests/golden/published_models.csv`.

use std::collections::BTreeSet;
use std::fs;

use crate::golden::golden;
use perfmodel::Attention;
use workload::{Kind, Logits, Pass, PassSpec, huggingface};

#[test]
fn a_published_configuration_has_the_weights_of_the_model() {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    let rows = fs::read_to_string(golden().join("published_models.csv")).expect("it is there");
    for row in rows.lines().skip(2) {
        let cells: Vec<&str> = row.split(',').collect();
        let [model_type, _, _, products, convolutions, _, file] = cells[..] else { panic!("{row}") };
        let path = golden().join("published").join(format!("{file}.json"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let model = huggingface::transformer(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        let pass = Pass::Prefill { sequence: 1, logits: Logits::Every };
        let work = model.workload(&PassSpec { pass, batch: 1, attention: Attention::Full });
        let work = work.unwrap_or_else(|error| panic!("{file}: {error}"));
        let of = |is_convolution: bool| {
            let products = work.products.iter().filter(|product| (product.kind == Kind::Convolution) == is_convolution);
            products.map(|product| product.weights().expect("known")).sum::<f64>()
        };
        let expected: f64 = products.parse().expect("a number");
        let found = of(false) + work.unvisited_weights;
        if (found / expected - 1.0).abs() > 1e-3 {
            wrong.push(format!("{file}: {found}, not {expected}: {:+.3} %", (found / expected - 1.0) * 100.0));
        }
        let expected: f64 = convolutions.parse().expect("a number");
        if of(true) != 0.0 && (of(true) / expected - 1.0).abs() > 1e-3 {
            wrong.push(format!("{file}: convolutions {}, not {expected}", of(true)));
        }
        seen.insert(model_type.to_owned());
    }
    assert!(wrong.is_empty(), "{} models:\n{}", wrong.len(), wrong.join("\n"));
    assert!(seen.len() >= 35, "{}", seen.len());
}
