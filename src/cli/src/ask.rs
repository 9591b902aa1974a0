//! `systolic ask`: the questions of a link about models, sequences and failures, answered as on the page.

use std::io::Write;

use estimate::answer::Table;
use estimate::{Answer, Depth, Query, Topic};
use serde_json::{Map, Value as Json, json};
use studio::Link;

use crate::arguments::Arguments;
use crate::model::{print_figure, print_table};
use crate::problem::{Problem, Problems};
use crate::schema;

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let link = arguments.word(0).unwrap_or_default();
    let query = link.split_once('?').map_or(link, |(_, query)| query).split('#').next().unwrap_or_default();
    let estimate = Link::parse(query, "").estimate;
    let is_set = |topic: &Topic| !estimate.text(topic.parameter()).is_empty();
    let topics: Vec<Topic> = Topic::ALL.into_iter().filter(is_set).collect();
    if topics.is_empty() {
        return Err(Problem::NoQuestion.into());
    }
    let answers = topics.into_iter().map(|topic| {
        let query = Query::parse(topic, estimate.text(topic.parameter()));
        (topic, query.shown(None, Depth::Tables))
    });
    let answers: Vec<(Topic, Answer)> = answers.collect();
    if arguments.flag("json") {
        let all: Map<String, Json> =
            answers.iter().map(|(topic, answer)| (topic.parameter().to_owned(), as_json(answer))).collect();
        let report = schema::stamped("ask", all);
        writeln!(out, "{}", serde_json::to_string_pretty(&report).unwrap_or_default())?;
    } else {
        answers.iter().try_for_each(|(_, answer)| print(answer, out))?;
    }
    let refused = answers.iter().flat_map(|(topic, answer)| {
        let beside = answer.beside_entries.iter().map(|(entry, sentence)| (entry.id(), sentence));
        let rest = answer.warnings.iter().chain(&answer.refused).map(|sentence| (topic.parameter(), sentence));
        beside.chain(rest).map(|(name, sentence)| Problem::Link(format!("{name}: {sentence}")))
    });
    Problems::all(refused.collect())
}

fn print(answer: &Answer, out: &mut impl Write) -> Result<(), Problems> {
    writeln!(out, "{}", answer.title)?;
    answer.figures.iter().try_for_each(|figure| print_figure(figure, out))?;
    let bill = answer.bill.iter().flat_map(|bill| core::iter::once(&bill.table).chain(&bill.beside));
    for table in answer.tables.iter().chain(bill) {
        writeln!(out, "\n{}", table.title)?;
        print_table(table, out)?;
    }
    Ok(writeln!(out)?)
}

fn as_json(answer: &Answer) -> Json {
    let table = |table: &Table| {
        let rows: Vec<&Vec<String>> = table.rows.iter().map(|(_, cells)| cells).collect();
        json!({ "title": table.title, "heads": table.heads, "rows": rows })
    };
    let bill = answer.bill.iter().flat_map(|bill| core::iter::once(&bill.table).chain(&bill.beside));
    json!({
        "title": answer.title,
        "figures": answer.figures,
        "tables": answer.tables.iter().chain(bill).map(table).collect::<Vec<_>>(),
        "refused": answer.beside_entries.iter().map(|(_, sentence)| sentence).chain(&answer.refused).collect::<Vec<_>>(),
    })
}
