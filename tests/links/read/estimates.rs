//! Lines about the estimate that a link shows: entries, figures, cost breakdown, tables as hashes, measures with ten
//! digits.

use std::collections::BTreeSet;

use estimate::{Answered, Query, Topic};
use report::{self as shown, Answer, Table, form};
use serde_json::Value as Json;
use studio::Session;

use super::{Lines, counted, fnv};

/// Records the topics that a link sets, or all topics if it sets none.
pub(super) fn estimate_lines(session: &Session, lines: &mut Lines) {
    let is_set = |topic: &Topic| !session.texts.text(topic.parameter()).is_empty();
    let none = !Topic::ALL.iter().any(is_set);
    for topic in Topic::ALL.into_iter().filter(|topic| none || is_set(topic)) {
        let text = |parameter: &str| session.texts.text(parameter);
        let answered = Answered::of_link(topic, text);
        // A link whose question has no run keeps its own defaults.
        let unset = if answered.query().entries().has_run() {
            Answered::of_link(topic, |name| if name == topic.parameter() { "" } else { text(name) })
        } else {
            Answered::parse(topic, "")
        };
        topic_lines(topic, &answered, unset.query(), lines);
    }
}

fn topic_lines(topic: Topic, answered: &Answered, unset: &Query, lines: &mut Lines) {
    let of = topic.parameter();
    for (entry, usual) in form(answered.query()).into_iter().zip(form(unset)) {
        if entry.text != usual.text {
            lines.say(format!("{of} entry {}", entry.entry.id()), entry.text);
        }
    }
    let answer = shown::answer(answered);
    lines.say(format!("{of} wrong"), counted(answer.beside_entries.iter().map(|(entry, _)| entry.id())));
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
    for (digest, size) in tables(answered, &answer).into_iter().chain(plots(answered)) {
        lines.say(format!("{of} table {digest}"), size);
    }
    if topic == Topic::Model {
        numbers(answered, lines);
    }
}

/// Hash of the cells of a table that are numbers, and the size of the table. The text in other cells may change.
fn digest(table: &Table) -> (String, String) {
    let rows = table.texts();
    let is_number = |cell: &&String| cell.starts_with(|c: char| c.is_ascii_digit() || c == '$' || c == '−');
    let cells: Vec<&str> =
        rows.iter().flat_map(|(_, cells)| cells.iter().filter(is_number)).map(String::as_str).collect();
    let hash = fnv(cells.iter().flat_map(|cell| cell.bytes().chain([0])));
    (hash, format!("{} rows, {} numbers", rows.len(), cells.len()))
}

fn tables(answered: &Answered, answer: &Answer) -> BTreeSet<(String, String)> {
    let bill = answer.bill.iter().flat_map(|bill| core::iter::once(&bill.table).chain(&bill.beside));
    shown::tables(answered).iter().chain(bill).map(digest).collect()
}

fn plots(answered: &Answered) -> BTreeSet<(String, String)> {
    let drawings = shown::drawings(answered);
    drawings.iter().filter_map(|drawing| Some(digest(drawing.table.as_ref()?))).collect()
}

/// Records the measures of the answer with ten digits, from the JSON report for programs.
fn numbers(answered: &Answered, lines: &mut Lines) {
    let Ok(report) = answered.model().map(shown::json) else { return };
    let report: Json = serde_json::from_str(&report).unwrap_or_else(|error| panic!("no JSON: {error}: {report}"));
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
