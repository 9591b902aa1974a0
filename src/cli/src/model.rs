//! `systolic model`: what a model takes on so many chips, with every assumption.

use std::fs;
use std::io::Write;

use studio::estimate::{self, Answered, Case, Estimate, Terms, VERSUS};
use studio::number::significant;
use studio::panel::Figure;
use studio::words::{bill, estimate as words};

use crate::arguments::Arguments;
use crate::problem::Problems;

/// Bytes of a file that are read: more than any configuration or list has, and than any header.
const FILE_MAX: u64 = 256 << 20;

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let given = Case::names().filter_map(|name| Some((name.to_owned(), arguments.value(name)?.to_owned())));
    let (case, wrong) = Case::from_pairs(given);
    Problems::all(
        wrong.iter().map(|wrong| format!("--{}", words::wrong(wrong).replacen("own-", "own ", 1))).collect(),
    )?;
    let answered = match arguments.value("config") {
        Some(path) => {
            if arguments.value("model").is_some() {
                return Err(Problems::one("--model and --config are two models: allowed is one of them."));
            }
            let broken =
                |error: std::io::Error| Problems::one(format!("--config = {path}: it cannot be read: {error}."));
            let size = fs::metadata(path).map_err(broken)?.len();
            if size > FILE_MAX {
                return Err(Problems::one(format!("--config = {path}: it has {size} bytes; allowed are {FILE_MAX}.")));
            }
            let bytes = fs::read(path).map_err(broken)?;
            case.answer(Some(&bytes))
                .map_err(|refused| told(refused.iter().map(|sentence| format!("{path}: {sentence}"))))?
        }
        None => case.answer(None).map_err(|refused| told(refused.into_iter()))?,
    };
    if !answered.no_other.is_empty() {
        return Err(told(answered.no_other.iter().map(|sentence| format!("--{VERSUS}: {sentence}"))));
    }
    if arguments.flag("json") {
        writeln!(out, "{}", estimate::report(&answered, &case.terms).to_text())?;
    } else {
        print(&answered.estimate, out)?;
        print_bill(&answered, &case.terms, out)?;
        print_lists(&answered.estimate, out)?;
    }
    Ok(())
}

fn told(sentences: impl Iterator<Item = String>) -> Problems {
    Problems::all(sentences.collect()).err().unwrap_or_else(|| Problems::one("Nothing could be read."))
}

fn print(estimate: &Estimate, out: &mut impl Write) -> Result<(), Problems> {
    writeln!(out, "{}", estimate.work.name)?;
    for figure in estimate::figures(estimate) {
        print_figure(&figure, out)?;
    }
    Ok(())
}

fn print_figure(figure: &Figure, out: &mut impl Write) -> Result<(), Problems> {
    let note = if figure.note.is_empty() { String::new() } else { format!(" ({})", figure.note) };
    writeln!(out, "\n{}: {}{note}", figure.name, figure.value)?;
    writeln!(out, "    {}", figure.formula)?;
    writeln!(out, "    {}", figure.worked)?;
    writeln!(out, "    Leaves out: {}", figure.leaves_out)?;
    for citation in &figure.citations {
        writeln!(out, "    Source: {}: {} {}", citation.what, citation.source, citation.confidence)?;
    }
    Ok(())
}

fn print_bill(answered: &Answered, terms: &Terms, out: &mut impl Write) -> Result<(), Problems> {
    let Some(bill) = estimate::bill(answered, terms) else {
        writeln!(out, "\n{}", bill::TOO_LARGE)?;
        return Ok(());
    };
    writeln!(out, "\n{}", bill.title)?;
    for cells in core::iter::once(bill.heads.iter().map(|head| (*head).to_owned()).collect()).chain(bill.rows) {
        writeln!(out, "    {}", cells.join(", "))?;
    }
    for figure in &bill.lines {
        print_figure(figure, out)?;
    }
    if !bill.beside.is_empty() {
        writeln!(out, "\n{}", bill::BESIDE)?;
        for cells in
            core::iter::once(bill.beside_heads.iter().map(|head| (*head).to_owned()).collect()).chain(bill.beside)
        {
            writeln!(out, "    {}", cells.join(", "))?;
        }
    }
    Ok(())
}

fn print_lists(estimate: &Estimate, out: &mut impl Write) -> Result<(), Problems> {
    writeln!(out, "\n{}", words::PRODUCTS)?;
    for row in estimate::rows(estimate) {
        let [m, k, n] = row.sizes;
        let eta = row.eta_tile.map_or_else(|| "unknown".to_owned(), |eta| format!("{} %", significant(eta * 100.0, 3)));
        writeln!(
            out,
            "    {}: {m}×{k}×{n}, {} times, {} % of the time, bound by {}, fills {eta}",
            row.name,
            row.count,
            significant(row.share * 100.0, 3),
            row.bound,
        )?;
    }
    writeln!(out, "\n{}", words::ASSUMPTIONS)?;
    for (what, value) in estimate::assumptions(estimate) {
        writeln!(out, "    {what}: {value}")?;
    }
    Ok(())
}
