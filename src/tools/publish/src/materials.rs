//! Check of the crates of the published page: crates that are linked into the page, and crates that generate its code.

use std::collections::BTreeSet;

use crate::module::WASM;
use crate::process::{answer, cargo};

/// Licenses under which code may be part of the page.
const ALLOWED: [&str; 10] =
    ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT", "Unicode-3.0", "Zlib"];

/// True if each operand of AND has an allowed license among its alternatives.
fn is_allowed(license: &str) -> bool {
    let is_known = |one: &str| ALLOWED.contains(&one.trim_matches([' ', '(', ')']));
    license.split(" AND ").all(|all| all.replace('/', " OR ").split(" OR ").any(is_known))
}

#[test]
fn a_license_is_allowed_if_one_of_each_choice_is() {
    for license in ["MIT", "MIT/Apache-2.0", "Unlicense OR MIT", "(MIT OR GPL-3.0) AND Unicode-3.0"] {
        assert!(is_allowed(license), "{license}");
    }
    for license in ["", "GPL-3.0", "MIT AND GPL-3.0", "AGPL-3.0 OR GPL-3.0"] {
        assert!(!is_allowed(license), "{license}");
    }
}

#[test]
fn everything_in_the_page_may_be_and_few_crates_are_in_it_twice() {
    let mut tree = cargo(&crate::root(), &["tree", "--locked", "--package", "page", "--features", "split"]);
    tree.args(["--target", WASM, "--edges", "normal", "--prefix", "none", "--format", "{p}|{l}"]);
    let tree = answer(&mut tree).expect("cargo tells");
    let all: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    assert!(all.len() > 100, "{}", all.len());
    let refused: Vec<_> = all.iter().filter(|one| !one.split_once('|').is_some_and(|(_, l)| is_allowed(l))).collect();
    assert!(refused.is_empty(), "{refused:?}");
    // Only packages of this project have a folder.
    let own: Vec<_> = all.iter().filter(|one| one.contains(" (/")).collect();
    assert!(own.iter().any(|one| one.starts_with("systolic ")) && own.len() < 20, "{own:?}");
    // Crates of the framework need different versions of these two packages. The two only generate code, and are not
    // linked.
    let names: Vec<&str> = all.iter().filter_map(|one| one.split(' ').next()).collect();
    let twice: Vec<&str> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    assert_eq!(twice, ["convert_case", "syn"]);
}
