//! `systolic ask`: answers the questions about models, sequences and failures that a link contains, as the page does.

use std::io::Write;

use clap::Args;
use estimate::{Answered, Topic};
use report::{Answer, Drawing, Row, Table, answer, drawings, tables};
use serde_json::{Map, Value as Json, json};
use studio::{Link, Plan};

use crate::link;
use crate::model::{print_figure, print_table};
use crate::problem::{Problem, Problems};
use crate::schema;

/// Answers the questions of a link about models on chips.
///
/// Answers the questions that a link of the web page contains, as the page does. A link can ask about a model on chips,
/// about the cost of padding and compilation for sequences of many lengths, and about the cost of failures. Describes
/// plots in words. With --json, writes one JSON object, with the plots as numbers.
#[derive(Args, Debug)]
#[command(override_usage = "systolic ask LINK [OPTIONS]")]
pub(crate) struct Options {
    /// The address of the web page with the questions, or the part of the address from the ? on.
    link: String,
    /// Writes the answers as one JSON object.
    #[arg(long)]
    json: bool,
}

/// The answer to a question, with its tables and plots.
struct Shown {
    topic: Topic,
    answer: Answer,
    tables: Vec<Table>,
    plots: Vec<Drawing>,
}

impl Shown {
    /// The tables of the answer and of its cost.
    fn all_tables(&self) -> impl Iterator<Item = &Table> {
        let bill = self.answer.bill.iter().flat_map(|bill| core::iter::once(&bill.table).chain(&bill.beside));
        self.tables.iter().chain(bill)
    }
}

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    let text = options.link.as_str();
    let query = plain::first_part(text.split_once('?').map_or(text, |(_, query)| query), &['#']);
    let parsed = Link::parse(query, "");
    link::warn_of_repetitions(&parsed.notices, &Plan::default());
    let estimate = parsed.texts;
    let is_set = |topic: &Topic| !estimate.text(topic.parameter()).is_empty();
    let topics: Vec<Topic> = Topic::ALL.into_iter().filter(is_set).collect();
    if topics.is_empty() {
        return Err(Problem::NoQuestion.into());
    }
    let outside = outside(query, &topics);
    let answers = topics.into_iter().map(|topic| {
        let answered = Answered::of_link(topic, |parameter| estimate.text(parameter));
        Shown { topic, answer: answer(&answered), tables: tables(&answered), plots: drawings(&answered) }
    });
    let answers: Vec<Shown> = answers.collect();
    if options.json {
        let all: Map<String, Json> =
            answers.iter().map(|one| (one.topic.parameter().to_owned(), as_json(one))).collect();
        let report = schema::stamped("ask", all);
        writeln!(out, "{report:#}")?;
    } else {
        answers.iter().try_for_each(|one| print(one, out))?;
    }
    let refused = answers.iter().flat_map(|Shown { topic, answer, .. }| {
        let beside = answer.beside_entries.iter().map(|(entry, sentence)| (entry.id(), sentence));
        let remedy = answer.columns.remedy.iter().filter(|one| !one.is_estimated).map(|one| &one.says);
        let rest = remedy.chain(&answer.refused).map(|sentence| (topic.parameter(), sentence));
        beside.chain(rest).map(|(name, sentence)| Problem::Sentence(format!("{name}: {sentence}")))
    });
    Problems::all(outside.into_iter().chain(refused).collect())
}

/// Returns a problem for each entry that belongs inside a question, if the link has it as a separate parameter. The
/// cause can be a mail program that decodes `%3D` and `%26`, so that `ask=model%3Dgpt2%26chips%3D8` becomes
/// `ask=model=gpt2&chips=8`.
fn outside(query: &str, topics: &[Topic]) -> Vec<Problem> {
    let (mut decoded, mut found) = (None, Vec::new());
    for pair in query.split('&') {
        let (name, given) = pair.split_once('=').unwrap_or((pair, ""));
        let name = name.strip_prefix("amp;").unwrap_or(name);
        if let Some(topic) = topics.iter().find(|topic| topic.parameter() == name) {
            decoded = given.contains('=').then_some(topic);
        } else if let Some(topic) = decoded.filter(|topic| topic.entries().iter().any(|entry| entry.id() == name)) {
            let (question, name, given) = (topic.parameter(), name.to_owned(), given.to_owned());
            found.push(Problem::OutsideQuestion { question, name, given });
        }
    }
    found
}

fn print(shown: &Shown, out: &mut impl Write) -> Result<(), Problems> {
    let answer = &shown.answer;
    writeln!(out, "{}", answer.title)?;
    if answer.columns.columns.len() > 1 && !answer.columns.sentence.is_empty() {
        writeln!(out, "{}", answer.columns.sentence)?;
    }
    if !answer.why.is_empty() {
        writeln!(out, "{}", answer.why)?;
    }
    answer.figures.iter().try_for_each(|figure| print_figure(figure, out))?;
    for table in shown.all_tables() {
        writeln!(out, "\n{}", table.id.title())?;
        print_table(table, out)?;
    }
    for one in &shown.plots {
        writeln!(out, "\n{}", one.plot.words)?;
        one.plot.dots.iter().try_for_each(|dot| writeln!(out, "    {}", dot.words))?;
        one.notes.iter().try_for_each(|note| writeln!(out, "    {note}"))?;
    }
    Ok(writeln!(out)?)
}

/// Converts a plot to JSON: its dots in the units of its axes, and its lines.
fn plot(drawing: &Drawing) -> Json {
    let plot = &drawing.plot;
    let dot = |dot: &display::plot::Dot| json!({ "x": dot.at.0, "y": dot.at.1, "says": dot.words });
    let lines: Vec<&Vec<(f64, f64)>> = plot.lines.iter().map(|line| &line.points).collect();
    json!({
        "id": plot.id,
        "says": plot.words,
        "x": plot.x.name,
        "y": plot.y.name,
        "rows": plot.y.rows,
        "dots": plot.dots.iter().map(dot).collect::<Vec<_>>(),
        "lines": lines,
        "notes": drawing.notes,
    })
}

fn as_json(shown: &Shown) -> Json {
    let answer = &shown.answer;
    let table = |table: &Table| {
        let rows: Vec<Vec<String>> = table.rows.iter().map(Row::texts).collect();
        json!({ "title": table.id.title(), "heads": table.heads, "rows": rows })
    };
    json!({
        "title": answer.title,
        "figures": answer.figures,
        "plots": shown.plots.iter().map(plot).collect::<Vec<_>>(),
        "tables": shown.all_tables().map(table).collect::<Vec<_>>(),
        "refused": answer.beside_entries.iter().map(|(_, sentence)| sentence).chain(&answer.refused).collect::<Vec<_>>(),
    })
}
