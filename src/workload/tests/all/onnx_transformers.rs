//! Transformers as exporters write them have the products that a run of theirs multiplies:
//! `tests/golden/onnx_transformers.csv`.

use std::collections::BTreeMap;
use std::fs;

use crate::golden::{counted, golden, models};
use workload::onnx::workload;

/// The sizes with which the golden run was made.
const SYMBOLS: [(&str, u64); 4] = [("batch", 2), ("sequence", 5), ("past", 3), ("target", 4)];

/// Models of which some products are not found yet, and why. One that is found after all has to leave the list.
const KNOWN_FAILURES: [(&str, &str); 1] = [("einsum_ellipsis", "an ellipsis stands for indices without names")];

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
    for (name, why) in KNOWN_FAILURES {
        assert!(models.contains_key(name), "{name} is in the list, and is no model: {why}");
    }
    let mut wrong = Vec::new();
    for (name, bytes) in models {
        let work = workload(&bytes, &SYMBOLS).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found: Vec<[u64; 4]> = work.products.iter().map(counted).collect();
        let left: Vec<String> = work.left_out.iter().map(|left| left.what.to_string()).collect();
        let is_right = found == expected[&name] && left.is_empty();
        match KNOWN_FAILURES.iter().find(|(failing, _)| *failing == name) {
            Some((_, why)) if is_right => wrong.push(format!("{name} is read now: take it off the list ({why})")),
            // What is not found has to be named.
            Some((_, why)) if left.is_empty() => wrong.push(format!("{name} says nothing of what it lacks ({why})")),
            Some(_) => {}
            None if is_right => {}
            None => wrong.push(format!("{name}: {left:#?}\n{found:?} is not\n{:?}", expected[&name])),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
