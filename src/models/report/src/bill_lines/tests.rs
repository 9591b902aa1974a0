//! Tests of the cost breakdown.

use super::*;
use estimate::ModelQuery;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn billed(text: &str) -> Option<Bill> {
    let case = ModelQuery::parse(text);
    assert_eq!(case.invalid, [], "{text}");
    bill(&case.answer(None).expect("an answer"))
}

#[test]
fn the_bill_of_a_measured_run_is_the_bill_of_that_run() {
    // The costs are chips · hours · dollars: 64 · 6 · 3.21, 64 · 6 · 1 and 64 · 96 · 3.
    for (chip, measured, usd, total) in [
        ("a100-80", "6 h/run", "3.21", 1232.64),
        ("a100-80", "6 h/run", "1", 384.0),
        ("v100", "96 h/run", "3", 18_432.0),
    ] {
        let text = format!(
            "model=bert-large&dtype=f16&chip={chip}&chips=64&seq=246&batch=64&tokens=8.52e10&measured={measured}&usd={usd}"
        );
        let answer = ModelQuery::parse(&text).answer(None).expect("an answer");
        let cost = answer.billed();
        let found = cost.bill.total().expect("known").0;
        assert!((found / total - 1.0).abs() < 1e-12, "{text}: {found}");
        let bill = bill(&answer).expect("small enough");
        assert_eq!(bill.title, "Cost of 8.52 × 10¹⁰ tokens at the measured speed");
        assert!(bill.lines.iter().all(|line| line.range.is_none()), "a measured run has no interval");
    }
    // The time of a step does not contain failures, so the bill adds them.
    let step = ModelQuery::parse("tokens=1e12&measured=5 s").answer(None).expect("an answer");
    let (billed, predicted) = (step.billed(), &step.cost);
    assert!((billed.time.0 / predicted.time.0 - 5.0 / step.estimate.step.0).abs() < 1e-9);
    assert!(billed.failures > Some(0.0) && billed.bill.total() > billed.bill.line(CostLine::Compute));
    let impossible = ModelQuery::parse("measured=1 ms").answer(None).expect("an answer");
    assert!(impossible.own_cost.is_none());
}

/// Returns an amount as shown, in units of its last place.
fn units(text: &str) -> u128 {
    text.chars().filter(char::is_ascii_digit).collect::<String>().parse().expect("digits")
}

const QUESTIONS: [&str; 6] = [
    "",
    "tokens=15e12&chips=4096&egress=10000&weeks=3&week-usd=8000",
    "chip=tpu-v4&chips=1&tokens=1000&kwh-usd=0.17&pue=1.1",
    "chip=h100-sxm&versus=tpu-v6e&tokens=1e9&weeks=1&week-usd=9999.99&interval=7",
    "pass=decode&chip=a100-80&shapes=37&compile=61.7",
    "tokens=3&weeks=2&egress=77777",
];

#[test]
fn every_column_adds_up_to_its_last_row_as_it_is_shown() {
    for text in QUESTIONS {
        let bill = billed(text).expect("small enough");
        let rows: Vec<Vec<String>> = bill.table.rows.iter().map(Row::texts).collect();
        let (total, lines) = rows.split_last().expect("rows");
        assert_eq!(lines.len(), CostLine::ALL.len());
        for column in 1..bill.table.heads.len() {
            let known = lines.iter().map(|row| row[column].as_str()).filter(|cell| *cell != UNKNOWN);
            let known: Vec<&str> = known.filter(|cell| !cell.is_empty()).collect();
            if total[column].is_empty() {
                assert!(known.is_empty(), "{text}: shares of an unknown whole");
                continue;
            }
            let sum: u128 = known.iter().map(|cell| units(cell)).sum();
            assert_eq!(sum, units(&total[column]), "{text}: {known:?} and {}", total[column]);
        }
        let unknown = lines.iter().any(|row| row[1] == UNKNOWN);
        assert_eq!(total[0] == words::AT_LEAST, unknown, "{text}");
        assert_eq!(unknown, text.contains("weeks=2"), "{text}");
    }
}

#[test]
fn every_line_opens_with_what_it_takes_and_leaves_out() {
    for text in QUESTIONS {
        let bill = billed(text).expect("small enough");
        for (figure, row) in bill.lines.iter().zip(&bill.table.rows) {
            assert_eq!(figure.value, row.cells[1].to_string(), "{text}: a line and its row show one amount");
        }
        for figure in &bill.lines {
            let texts = [figure.formula, figure.says, figure.leaves_out];
            assert!(texts.iter().all(|text| !text.is_empty()) && !figure.worked.is_empty(), "{text} {figure:?}");
            assert!(figure.says.ends_with('.') && figure.leaves_out.ends_with('.'), "{}", figure.id);
        }
        let cited = |id: &str| bill.lines.iter().find(|one| one.id == id).map_or(0, |one| one.citations.len());
        assert!(cited("bill-failures") >= 3, "its defaults are cited: {text}");
    }
}

#[test]
fn lines_that_say_nothing_are_named_and_the_sum_stays() {
    let bill = billed("weeks=2&chip=tpu-v5e").expect("small");
    let (shown, nothing, unknown) = words::counted(&bill.table);
    let names: Vec<String> = shown.rows.iter().map(|row| row.cells[0].to_string()).collect();
    assert_eq!(names, ["Compute", "Failures", "Recompilation", words::AT_LEAST]);
    let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let named = (texts(&["Egress", "Energy"]), texts(&["Porting"]));
    assert_eq!((nothing, unknown), named, "nobody said what a week costs");
    // Lines that the bill omits do not change the total.
    let tiny = billed("chip=tpu-v4&chips=1&tokens=1000").expect("small");
    let (shown, ..) = words::counted(&tiny.table);
    assert!(shown.rows.iter().any(|row| row.cells[0] == "Compute".into()), "a cent in all, but dollars for a million");
}

#[test]
fn what_is_beside_itself_has_one_bill_and_what_is_not_ported_pays_nothing_back() {
    let ids = |text: &str| {
        let bill = billed(text).expect("small");
        (bill.beside.is_some(), bill.lines.iter().any(|one| one.id == "bill-break-even"))
    };
    assert_eq!(ids("chip=tpu-v5e&versus=tpu-v5e&weeks=3&week-usd=8000"), (false, false));
    let own = ids("chip=tpu-v5e&own=hbm.1200&versus=tpu-v5e");
    assert!(own.0, "a chip with custom values is compared with the listed chip");
    assert_eq!(ids("chip=tpu-v5e&versus=h100-sxm"), (true, false));
    assert_eq!(ids("chip=tpu-v5e&versus=h100-sxm&weeks=3&week-usd=8000"), (true, true));
}

#[test]
fn porting_to_the_first_chip_pays_back_against_staying_on_the_other() {
    let runs = |text: &str| {
        let bill = billed(text).expect("small");
        let figure = bill.lines.into_iter().find(|one| one.id == "bill-break-even").expect("two chips");
        let rows = bill.beside.expect("another chip").rows;
        let porting = rows.iter().map(Row::texts).find(|row| row[0] == "Porting").expect("a row");
        assert_eq!(porting[2], "$0", "who stays ports nothing");
        (figure.value, figure.note)
    };
    let rest = "tokens=1e12&chips=256&weeks=3&week-usd=8000";
    let one = runs(&format!("{rest}&chip=tpu-v6e&versus=h100-sxm"));
    assert!(one.0.ends_with("tokens") && one.1.ends_with("chip-hours on TPU v6e Trillium"), "{one:?}");
    let other = runs(&format!("{rest}&chip=h100-sxm&versus=tpu-v6e"));
    assert_eq!(other.0, "never", "a run on an H100 costs more: {other:?}");
    let unsaid = runs("tokens=1e12&weeks=3&chip=tpu-v6e&versus=h100-sxm");
    assert_eq!(unsaid, ("unknown".to_owned(), words::NO_WEEK.to_owned()));
}

#[test]
fn a_bill_beyond_all_measure_is_none() {
    assert_eq!(billed("tokens=1e30"), None);
    assert_eq!(billed("tokens=1e30&chips=1000000&usd=1e9"), None);
}
