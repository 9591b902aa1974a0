//! What the desk answers to a link: entries, figures, the bill, tables as hashes, measures with their digits.

use std::collections::BTreeSet;

use estimate::desk::{self, Answer, Question};
use serde_json::Value as Json;
use studio::Session;

use super::{Lines, counted, fnv};

/// The questions that a link asks, or all of them where it asks none.
pub(super) fn desk_lines(session: &Session, lines: &mut Lines) {
    let asks = |question: &Question| !session.estimate.text(question.parameter()).is_empty();
    let none = !Question::ALL.iter().any(asks);
    for question in Question::ALL.into_iter().filter(|question| none || asks(question)) {
        question_lines(question, session.estimate.text(question.parameter()), lines);
    }
}

fn question_lines(question: Question, text: &str, lines: &mut Lines) {
    let of = question.parameter();
    let usual = question.entries("");
    for (entry, usual) in question.entries(text).into_iter().zip(usual) {
        if entry.text != usual.text {
            lines.say(format!("{of} entry {}", entry.name), entry.text);
        }
    }
    let answer = question.answer(text, None);
    lines.say(format!("{of} wrong"), counted(answer.wrong.iter().map(|(name, _)| name.as_str())));
    lines.say(format!("{of} refusals"), answer.refused.len().to_string());
    for figure in &answer.figures {
        lines.say(format!("{of} figure {}", figure.id), &figure.value);
    }
    if let Some(bill) = &answer.bill {
        for figure in &bill.lines {
            lines.say(format!("{of} bill {}", figure.id), &figure.value);
        }
    }
    if let Some(bars) = &answer.bars {
        let heights =
            fnv(bars.bars.iter().flat_map(|(height, is_marked)| format!("{height:.6} {is_marked} ").into_bytes()));
        lines.say(format!("{of} bars"), format!("{heights} of {}", bars.bars.len()));
    }
    for (digest, size) in tables(&answer).into_iter().chain(plots(question, text)) {
        lines.say(format!("{of} table {digest}"), size);
    }
    if question == Question::Model {
        numbers(text, lines);
    }
}

/// The cells of a table that are numbers, as one number; prose beside them may change.
fn digest(rows: &[(bool, Vec<String>)]) -> (String, String) {
    let is_number = |cell: &&String| cell.starts_with(|c: char| c.is_ascii_digit() || c == '$' || c == '−');
    let cells: Vec<&str> =
        rows.iter().flat_map(|(_, cells)| cells.iter().filter(is_number)).map(String::as_str).collect();
    let hash = fnv(cells.iter().flat_map(|cell| cell.bytes().chain([0])));
    (hash, format!("{} rows, {} numbers", rows.len(), cells.len()))
}

fn tables(answer: &Answer) -> BTreeSet<(String, String)> {
    let bill = answer.bill.iter().flat_map(|bill| core::iter::once(&bill.table).chain(&bill.beside));
    answer.tables.iter().chain(bill).map(|table| digest(&table.rows)).collect()
}

fn plots(question: Question, text: &str) -> BTreeSet<(String, String)> {
    let drawings = question.drawings(text, None);
    drawings.iter().filter_map(|drawing| Some(digest(&drawing.table.as_ref()?.rows))).collect()
}

/// The answer's measures with ten digits, from the report that programs read.
fn numbers(text: &str, lines: &mut Lines) {
    let Ok(report) = desk::json(text, None) else { return };
    let report: Json = serde_json::from_str(&report).unwrap_or_else(|error| panic!("{text}: no JSON: {error}"));
    let mut tell = |of: &str, object: &Json| {
        for (name, value) in object.as_object().into_iter().flatten() {
            if let Some(number) = value.as_f64() {
                lines.say(format!("ask number {of}{name}"), format!("{number:.9e}"));
            }
        }
    };
    tell("", &report);
    tell("bill ", &report["bill"]);
    tell("bill ", &report["bill"]["lines_usd"]);
    tell("versus ", &report["versus"]);
    tell("versus bill ", &report["versus"]["bill"]);
    let products = report["products"].as_array().map(Vec::as_slice).unwrap_or_default();
    let hash = fnv(products.iter().flat_map(|product| {
        let names = ["m", "k", "n", "count", "seconds", "share"];
        names.map(|name| format!("{:.8e} ", product[name].as_f64().unwrap_or(f64::NAN))).concat().into_bytes()
    }));
    lines.say("ask products", format!("{hash} of {}", products.len()));
}
