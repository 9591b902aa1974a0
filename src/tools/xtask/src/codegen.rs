//! `cargo xtask codegen`: turns the data files of chips and training runs into Rust tables of the crate `perfmodel`.
//!
//! The command also checks the data file. An unknown field, an unlisted source or a listed source without a citation is
//! an error that names the position in the file. On-chip memory and measured rates are checked but not in the tables,
//! because no part of the page reads them yet. Links have their own table, so that a page without links does not
//! download them.

mod data;
mod runs;
mod table;

use std::path::Path;

use crate::{Error, files};

const DATA: &str = "src/chips/perfmodel/data/chips.json";
const CHIPS: &str = "src/chips/perfmodel/src/chips_generated.rs";
const LINKS: &str = "src/chips/perfmodel/src/links_generated.rs";
const PUBLICATIONS: &str = "src/chips/perfmodel/data/publications.csv";
const RUNS_DATA: &str = "src/chips/perfmodel/data/training_runs.csv";
const RUNS: &str = "src/chips/perfmodel/src/runs_generated.rs";

/// Writes the tables. With `check`, compares the committed tables with the data file instead.
///
/// # Errors
/// Fails if the data file has a mistake, a table is stale, or a file cannot be read or written.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), Error> {
    let read = |path: &str| files::text(&root.join(path));
    let wrong = |path: &'static str| move |error| Error::Failed(format!("{path}: {error}"));
    let (chips, links) = table::render(&read(DATA)?).map_err(wrong(DATA))?;
    let runs = runs::render(&read(PUBLICATIONS)?, &read(RUNS_DATA)?).map_err(wrong(RUNS_DATA))?;
    for (table, source) in [(CHIPS, chips), (LINKS, links), (RUNS, runs)] {
        if !check {
            files::write(&root.join(table), source)?;
        // A checkout may have changed the line ends.
        } else if crate::text_if_there(&root.join(table)).replace('\r', "") != source {
            return Err(Error::Verdict(format!("{table} is stale: run `cargo xtask codegen`")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::table::render;

    /// The tables from a data file with one chip, after `from` in the file is replaced with `to`.
    fn rendered(from: &str, to: &str) -> Result<(String, String), String> {
        const FILE: &str = r#"{
            "about": "", "as_of": "2026-01-01", "sources": { "book": "A book" },
            "chips": [{
                "id": "one", "name": "One", "vendor": "Nobody",
                "year": { "value": 2000, "source": "book", "confidence": "high" },
                "compute": {
                    "tensor_cores": { "value": 4, "source": "book", "confidence": "low" },
                    "fma_per_clock": { "value": null, "source": "book", "confidence": "low" }
                },
                "clock_mhz": { "value": null, "source": "book", "confidence": "low", "note": "secret" },
                "peak_tflops": { "bf16": { "value": 1.5, "source": "book", "confidence": "medium" } },
                "memory": {
                    "kind": "HBM", "unit": "GiB",
                    "capacity": { "value": 8, "source": "book", "confidence": "high" },
                    "gb_per_sec": { "value": 34, "source": "book", "confidence": "high" }
                },
                "power_watts": {},
                "pod_chips": { "value": null, "source": "book", "confidence": "high" },
                "prices": []
            }]
        }"#;
        assert!(FILE.contains(from), "the replacement is in the file");
        render(&FILE.replacen(from, to, 1))
    }

    #[test]
    fn values_keep_their_source_and_null_stays_none() {
        let (table, _) = rendered("One", "Two").expect("the file is sound");
        assert!(
            table.contains(r#"clock_mhz: Sourced::noted(None, &BOOK, Low, 0)"#) && table.contains("\"secret\","),
            "{table}"
        );
        assert!(table.contains("(Bf16, Sourced::new(Some(1.5), &BOOK, Medium, None))"), "{table}");
        assert!(table.contains("count: Sourced::new(Some(4), &BOOK, Low, None)"), "{table}");
    }

    #[test]
    fn a_chip_without_a_network_has_no_links_and_rates_keep_their_source() {
        const NETWORK: &str = r#""network": {
            "topology": { "value": "ring", "source": "book", "confidence": "high" },
            "gb_per_sec_one_way": { "value": 5, "source": "book", "confidence": "low", "note": "slow" }
        }, "prices""#;
        let (_, table) = rendered(r#""prices""#, NETWORK).expect("the file is sound");
        assert!(table.contains("static LINKS: [Links; 1]") && table.contains(r#"chip: "one""#), "{table}");
        assert!(table.contains(r#"(ChipOneWay, Sourced::new(Some(5.0), &BOOK, Low, Some("slow")))"#), "{table}");
        assert!(table.contains("count: None"), "{table}");
        let (_, table) = rendered("One", "Two").expect("the file is sound");
        assert!(table.contains("static LINKS: [Links; 0]") && !table.contains("static BOOK"), "{table}");
    }

    #[test]
    fn what_a_chip_multiplies_and_how_its_slices_are_named_keep_their_source() {
        const FORMATS: &str = r#""fp8_format": { "value": "e4m3b11fnuz", "source": "book", "confidence": "low" },
            "fp16_as": { "value": "bf16", "source": "book", "confidence": "high" },
            "power_watts""#;
        let (table, links) = rendered(r#""power_watts""#, FORMATS).expect("the file is sound");
        assert!(table.contains("fp8_format: Some(Sourced::new(Some(E4m3b11fnuz), &BOOK, Low, None))"), "{table}");
        assert!(table.contains("f16_as: Some(Sourced::new(Some(Bf16), &BOOK, High, None))"), "{table}");
        assert!(links.contains("static LINKS: [Links; 0]"), "{links}");
        const NETWORK: &str = r#""network": {
            "ring_axes": { "value": { "multiples_of": 4 }, "source": "book", "confidence": "high" },
            "slice_names": {
                "prefixes": ["one", "two"], "number": { "value": "cores", "source": "book", "confidence": "high" }
            }
        }, "prices""#;
        let (_, links) = rendered(r#""prices""#, NETWORK).expect("the file is sound");
        assert!(links.contains("ring_axes: Some(Sourced::new(Some(MultiplesOf(4)), &BOOK, High, None))"), "{links}");
        let names = r#"SliceNames { prefixes: &["one", "two"], number: Sourced::new(Some(Core), &BOOK, High, None) }"#;
        assert!(links.contains(names), "{links}");
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let error = |from, to| rendered(from, to).expect_err("the file is broken");
        assert_eq!(
            error(r#""book", "confidence": "medium""#, r#""film", "confidence": "medium""#),
            r#"one: "film" is not in the list of sources"#
        );
        for (from, to, words) in [
            ("bf16", "bf61", &["unknown variant `bf61`", "line 11"][..]),
            ("2000", "20.5", &["expected u64", "line 5"]),
            ("medium", "sure", &["unknown variant `sure`", "line 11"]),
            (r#""value": 34, "#, "", &["missing field `value`", "line 15"]),
            (r#""prices""#, r#""price""#, &["unknown field `price`", "line 19"]),
        ] {
            let error = error(from, to);
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        }
        assert_eq!(
            error(r#""A book" }"#, r#""A book", "idle": "Unread" }"#),
            r#"source "idle" is listed but nothing cites it"#
        );
    }
}
