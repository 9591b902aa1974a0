//! `systolic model`: what a model takes on so many chips, with every assumption.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use display::figure::Figure;
use display::number::readable;
use estimate::words::{answer as words, bill};
use estimate::{self, Answered, Case, Estimate, Given, Reading, Terms, VERSUS};

use crate::arguments::Arguments;
use crate::problem::Problems;

/// Bytes that are read of a pipe.
const PIPE_MAX: u64 = 64 << 20;

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let given = Case::names().filter_map(|name| Some((name.to_owned(), arguments.value(name)?.to_owned())));
    let (case, wrong) = Case::from_pairs(given);
    Problems::of_options(&wrong)?;
    let answered = match arguments.value("config") {
        Some(path) => {
            if arguments.value("model").is_some() {
                return Err(Problems::one("--model and --config are two models: allowed is one of them."));
            }
            let broken = |error: io::Error| Problems::one(format!("--config = {path}: it cannot be read: {error}."));
            let given = read(path).map_err(broken)?;
            case.answer(Some(&given))
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

/// What a file holds; of its bytes, those that say something of products are read.
fn read(path: &str) -> io::Result<Given> {
    let mut file = File::open(path)?;
    let known = file.metadata()?;
    if !known.is_file() {
        // A pipe cannot be read from where one likes.
        let mut bytes = Vec::new();
        Read::take(file, PIPE_MAX).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|bytes| bytes == PIPE_MAX) {
            return Err(io::Error::other("a pipe of 64 MiB or more; allowed is a file"));
        }
        return Ok(estimate::given(&bytes));
    }
    let mut reading = Reading::new(known.len());
    loop {
        let wanted = reading.wants();
        file.seek(SeekFrom::Start(wanted.start))?;
        let mut piece = Vec::new();
        Read::take(&mut file, wanted.end - wanted.start).read_to_end(&mut piece)?;
        match reading.feed(&piece) {
            ControlFlow::Continue(more) => reading = more,
            ControlFlow::Break(given) => return Ok(given),
        }
    }
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
        let eta = row.eta_tile.map_or_else(|| "unknown".to_owned(), |eta| format!("{} %", readable(eta * 100.0, 3)));
        writeln!(
            out,
            "    {}: {m}×{k}×{n}, {} times, {} % of the time, bound by {}, fills {eta}",
            row.name,
            row.count,
            readable(row.share * 100.0, 3),
            row.bound,
        )?;
    }
    if let Some(found) = estimate::accuracy(estimate) {
        writeln!(out, "\n{}", words::ERRORS)?;
        writeln!(out, "    {}", found.heads().join(", "))?;
        for cells in found.rows() {
            writeln!(out, "    {}", cells.join(", "))?;
        }
    }
    writeln!(out, "\n{}", words::ASSUMPTIONS)?;
    for (what, value) in estimate::assumptions(estimate) {
        writeln!(out, "    {what}: {value}")?;
    }
    Ok(())
}
