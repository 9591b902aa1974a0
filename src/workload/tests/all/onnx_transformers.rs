//! Transformers as exporters write them have the products that a run of theirs multiplies:
//! `tests/golden/onnx_transformers.csv`.

use std::collections::BTreeMap;
use std::fs;

use crate::golden::{counted, golden, models};
use workload::onnx::workload;

/// The sizes with which the golden run was made.
const SYMBOLS: [(&str, u64); 4] = [("batch", 2), ("sequence", 5), ("past", 3), ("target", 4)];

#[test]
fn every_transformer_has_the_products_of_a_run() {
    let mut expected: BTreeMap<String, Vec<[u64; 4]>> = BTreeMap::new();
    for row in fs::read_to_string(golden().join("onnx_transformers.csv")).expect("it is there").lines().skip(2) {
        let cells: Vec<&str> = row.split(',').collect();
        let sizes = [3, 4, 5, 6].map(|at| cells[at].parse().expect("a run knows every size"));
        expected.entry(cells[0].into()).or_default().push(sizes);
    }
    let models = models("onnx_transformers.gz");
    assert_eq!(models.len(), 10);
    assert_eq!(models.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    let mut wrong = Vec::new();
    for (name, bytes) in models {
        let work = workload(&bytes, &SYMBOLS).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found: Vec<[u64; 4]> = work.products.iter().map(counted).collect();
        let left: Vec<String> = work.left_out.iter().map(|left| left.what.to_string()).collect();
        let is_right = found == expected[&name] && left.is_empty();
        if !is_right {
            wrong.push(format!("{name}: {left:#?}\n{found:?} is not\n{:?}", expected[&name]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
