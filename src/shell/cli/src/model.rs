//! `systolic model`: estimates the cost of a model on a number of chips, and lists every assumption.

use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::sync::Arc;

use clap::Args;
use display::figure::Figure;
use display::number::readable;
use estimate::{
    Answered, Estimate, ImportProgress, Imported, ModelAnswer, ModelQuery, Query, Refusal, Topic, named_after,
};
use plain::Decimal;
use report::{self as shown, Row, Table, TableId, bill, runs};

use crate::entries::Entries;
use crate::options::Decimals;
use crate::problem::{About, FileProblem, Problem, Problems};
use crate::words::{LARGE_PIPE, LEAVES_OUT, SOURCE, product};

/// Estimates time, MFU and cost of a model on chips.
///
/// Estimates the time, MFU and cost of a model on a number of chips. Writes MFU, time of a step, tokens per second and
/// dollars. Each figure has its formula, its numbers, its sources and its exclusions. Also writes each line of the
/// cost, and the total. Then lists the matmuls sorted by time, the expected error of the predicted matmul times, and
/// every assumption. Figures that depend on the time of a step have an 80 % interval. The command `check` compares
/// these intervals with published runs. With --json, writes the same answer as the page, as one JSON object. A figure
/// with an interval also has the fields `low`, `high` and `range`. The fields `low` and `high` have the unit of `value`
/// (percent for MFU); `range` gives the interval in words. If the interval of the MFU is wider than 30 points, `value`
/// is the interval, and `range` says so. The field `intervals` contains `value`, `low` and `high` of each measure. The
/// name of each measure ends in its unit, such as `step_time_s`. The field `intervals` also names the evidence of the
/// prediction. With --config, reads the model from a file: a config.json of Hugging Face, a SCALE-Sim table, lines of
/// `M,K,N[,count][,name]`, StableHLO text, or a table that systolic_matmuls.py writes. The command refuses
/// an estimate with an MFU above 100 %. With --measured, also writes the MFU and HFU of your run, and the ratio of its
/// step time to the predicted step time. Also writes the factors that reduce the peak of the chips to the MFU of your
/// run. If the MFU of your run is above 100 %, the command refuses the run and lists the inputs that cannot all be
/// true. With --runs, your own runs determine how fast your software is. With --claim, writes the MFU, price or number
/// of chips that would make the claim true, and the published values. With --versus or --than, which describe a second
/// run, lists the changes between the runs and the factor of each change. The product of the factors is the ratio of
/// the two results.
#[derive(Args, Debug)]
#[command(override_usage = "systolic model [--model ID | --config FILE] [OPTIONS]")]
pub(crate) struct Options {
    #[command(flatten)]
    entries: Entries,
    /// Reads your own model from a file, such as a config.json of Hugging Face.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    config: Option<String>,
    #[command(flatten)]
    decimals: Decimals,
    /// Writes the whole report as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Maximum number of bytes that the command reads from a pipe.
const PIPE_MAX: u64 = 64 << 20;

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    let query = ModelQuery::new(estimate::entries::Entries::new(Topic::Model, options.entries.0.iter().cloned()));
    Problems::of_options(query.invalid.clone())?;
    let path = options.config.as_deref();
    let file = match path {
        Some(path) => {
            let broken =
                |error| Problem::File { option: "config", path: path.to_owned(), why: FileProblem::Unreadable(error) };
            Some(read(path, options.decimals.decimal).map_err(broken)?)
        }
        None => None,
    };
    let query = query.begun(file.as_ref());
    let answered = Answered::new(Query::Model(Box::new(query)), file.map(Arc::new));
    let about = || path.map_or(About::Model, |path| About::File(path.to_owned()));
    let refused = |refusal: &Refusal| Problem::Model { about: about(), refusal: refusal.clone() };
    let answer = answered.model().map_err(refused)?;
    if let Some(Err(refusal)) = &answer.other {
        return Err(Problem::Model { about: About::Versus, refusal: refusal.clone() }.into());
    }
    if options.json {
        writeln!(out, "{}", shown::json(answer))?;
    } else {
        let sentence = shown::answer(&answered).columns.sentence;
        print(answer, &sentence, out)?;
        print_bill(answer, out)?;
        print_lists(&answer.estimate, out)?;
    }
    // An impossible measurement or claim is reported, but the answer is printed too.
    let impossible: Vec<Problem> = runs::beside_entries(answer)
        .into_iter()
        .map(|(entry, sentence)| Problem::LinkOption { option: entry.id(), sentence })
        .collect();
    Problems::all(impossible)
}

/// Reads a model file. In a regular file, only the parts that describe matmuls are read.
fn read(path: &str, decimal: Option<Decimal>) -> io::Result<Imported> {
    let file = File::open(path)?;
    let known = file.metadata()?;
    if !known.is_file() {
        // A pipe cannot seek.
        let mut bytes = Vec::new();
        Read::take(file, PIPE_MAX).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|bytes| bytes == PIPE_MAX) {
            return Err(io::Error::other(LARGE_PIPE));
        }
        return ImportProgress::new(bytes.len() as u64).with_decimal(decimal).read(Cursor::new(bytes));
    }
    let imported = ImportProgress::new(known.len()).with_decimal(decimal).read(file)?;
    Ok(named_after(path, imported))
}

fn print(answer: &ModelAnswer, sentence: &str, out: &mut impl Write) -> Result<(), Problems> {
    let estimate = &answer.estimate;
    writeln!(out, "{}", estimate.work.name)?;
    if !sentence.is_empty() {
        writeln!(out, "{sentence}")?;
    }
    let own = answer.own_run.iter().flatten().flat_map(|run| runs::own_figures(run, estimate));
    for figure in own.chain(shown::figures(estimate)) {
        print_figure(&figure, out)?;
    }
    for table in shown::step_parts(&answer.runs()).into_iter().chain(runs::tables(answer)) {
        writeln!(out, "\n{}", table.id.title())?;
        print_table(&table, out)?;
    }
    if let Some((_, sentence)) = runs::claim_note(answer) {
        writeln!(out, "\n{sentence}")?;
    }
    Ok(())
}

pub(crate) fn print_figure(figure: &Figure, out: &mut impl Write) -> Result<(), Problems> {
    let note = if figure.note.is_empty() { String::new() } else { format!(" ({})", figure.note) };
    writeln!(out, "\n{}: {}{note}", figure.name, figure.shown())?;
    writeln!(out, "    {}", figure.formula)?;
    writeln!(out, "    {}", figure.worked)?;
    writeln!(out, "    {LEAVES_OUT}{}", figure.leaves_out)?;
    for citation in &figure.citations {
        writeln!(out, "    {SOURCE}{}: {} {}", citation.what, citation.source, citation.confidence)?;
    }
    Ok(())
}

fn print_bill(answer: &ModelAnswer, out: &mut impl Write) -> Result<(), Problems> {
    let Some(bill) = bill(answer) else {
        writeln!(out, "\n{}", bill::TOO_LARGE)?;
        return Ok(());
    };
    writeln!(out, "\n{}", bill.title)?;
    print_table(&bill.table, out)?;
    for figure in &bill.lines {
        print_figure(figure, out)?;
    }
    if let Some(beside) = &bill.beside {
        writeln!(out, "\n{}", beside.id.title())?;
        print_table(beside, out)?;
    }
    Ok(())
}

pub(crate) fn print_table(table: &Table, out: &mut impl Write) -> Result<(), Problems> {
    writeln!(out, "    {}", table.heads.join(", "))?;
    for cells in table.rows.iter().map(Row::texts) {
        writeln!(out, "    {}", cells.join(", "))?;
    }
    Ok(())
}

fn print_lists(estimate: &Estimate, out: &mut impl Write) -> Result<(), Problems> {
    writeln!(out, "\n{}", TableId::Products.title())?;
    for row in estimate::rows(estimate) {
        let eta = row.eta_tile.map_or_else(|| "unknown".to_owned(), |eta| format!("{} %", readable(eta * 100.0, 3)));
        writeln!(out, "    {}", product(&row, &readable(row.share * 100.0, 3), &eta))?;
    }
    if let Some(found) = estimate::accuracy(estimate) {
        writeln!(out, "\n{}", TableId::Errors.title())?;
        print_table(&shown::errors(&found), out)?;
    }
    writeln!(out, "\n{}", TableId::Assumptions.title())?;
    for (what, value) in shown::assumptions(estimate) {
        writeln!(out, "    {what}: {value}")?;
    }
    Ok(())
}
