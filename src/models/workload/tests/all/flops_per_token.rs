//! Compares training FLOPs per token with published logs, and with publishers' formulas for published configurations:
//! `tests/golden/flops_per_token.txt`.

use std::collections::BTreeSet;
use std::fs;

use crate::golden::golden;
use perfmodel::{Attention, Remat};
use workload::{Pass, PassSpec, huggingface};

/// One row of the table.
struct Published<'a> {
    is_log: bool,
    model: &'a str,
    attention: Attention,
    sequence: u64,
    digits: i32,
    flops: f64,
    lookup_flops: f64,
    config: &'a str,
}

fn row(line: &str) -> Published<'_> {
    let cells: Vec<&str> = line.splitn(9, '|').collect();
    let [kind, model, attention, sequence, digits, flops, lookup, _, config] = cells[..] else { panic!("{line}") };
    Published {
        is_log: kind == "log",
        model,
        attention: if attention == "causal" { Attention::Causal } else { Attention::Full },
        sequence: sequence.parse().expect("a length"),
        digits: digits.parse().expect("a number"),
        flops: flops.parse().expect("a number"),
        lookup_flops: lookup.parse().expect("a number"),
        config,
    }
}

fn counted(of: &Published<'_>) -> f64 {
    let model = huggingface::transformer(of.config).unwrap_or_else(|error| panic!("{}: {error}", of.model));
    let pass = Pass::Training { sequence: of.sequence, remat: Remat::None };
    let work = model.workload(&PassSpec { pass, batch: 1, attention: of.attention });
    let work = work.unwrap_or_else(|error| panic!("{}: {error}", of.model));
    work.flops() / of.sequence as f64
}

#[test]
fn a_published_log_or_formula_has_the_flops_that_the_library_counts() {
    let text = fs::read_to_string(golden().join("flops_per_token.txt")).expect("it is there");
    let rows: Vec<Published<'_>> = text.lines().filter(|line| !line.starts_with('#')).map(row).collect();
    let mut wrong = Vec::new();
    for of in &rows {
        let (found, published) = (counted(of), of.flops - of.lookup_flops);
        // The tolerance is half a unit of the fourth digit, or of the last printed digit.
        let tolerance = if of.is_log { (0.5 * 10_f64.powi(1 - of.digits)).max(5e-5) } else { 5e-5 };
        let is_equal = (found / published - 1.0).abs() <= tolerance;
        if !is_equal {
            wrong.push(format!("{}: {found}, not {published}", of.model));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    let models = |is_log: bool| {
        let of = rows.iter().filter(|row| row.is_log == is_log && (is_log == (row.digits >= 4)));
        of.map(|row| row.model).collect::<BTreeSet<_>>().len()
    };
    assert!(models(true) >= 8 && models(false) >= 12, "{} {}", models(true), models(false));
}
