//! `systolic model`: what a model takes on so many chips, with every assumption.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use serde_json::{Value as Json, json};
use studio::estimate::{self, Asked, Estimate, Given, NAMES, Reading};
use studio::number::significant;
use studio::words::estimate as words;

use crate::arguments::Arguments;
use crate::problem::Problems;

/// Bytes that are read of a pipe.
const PIPE_MAX: u64 = 64 << 20;

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let given = NAMES.iter().filter_map(|name| Some(((*name).to_owned(), arguments.value(name)?.to_owned())));
    let (asked, wrong) = Asked::from_pairs(given);
    Problems::all(wrong.iter().map(|wrong| format!("--{}", words::wrong(wrong))).collect())?;
    let estimate = match arguments.value("config") {
        Some(path) => {
            if arguments.value("model").is_some() {
                return Err(Problems::one("--model and --config are two models: allowed is one of them."));
            }
            let broken = |error: io::Error| Problems::one(format!("--config = {path}: it cannot be read: {error}."));
            let refused =
                |refused: estimate::Refused| told(refused.iter().map(|sentence| format!("{path}: {sentence}")));
            let content = read(path).map_err(broken)?.map_err(refused)?;
            Estimate::of_content(&asked, &content).map_err(refused)?
        }
        None => Estimate::new(&asked).map_err(|why| Problems::one(words::why(&why)))?,
    };
    if arguments.flag("json") {
        writeln!(out, "{:#}", report(&estimate))?;
    } else {
        print(&estimate, out)?;
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
        let note = if figure.note.is_empty() { String::new() } else { format!(" ({})", figure.note) };
        writeln!(out, "\n{}: {}{note}", figure.name, figure.value)?;
        writeln!(out, "    {}", figure.formula)?;
        writeln!(out, "    {}", figure.worked)?;
        writeln!(out, "    Leaves out: {}", figure.leaves_out)?;
        for citation in &figure.citations {
            writeln!(out, "    Source: {}: {} {}", citation.what, citation.source, citation.confidence)?;
        }
    }
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

fn report(estimate: &Estimate) -> Json {
    let figures = estimate::figures(estimate).into_iter().map(|figure| {
        let citations: Vec<Json> = figure
            .citations
            .iter()
            .map(
                |one| json!({ "what": one.what, "source": one.source, "confidence": one.confidence, "note": one.note }),
            )
            .collect();
        json!({ "id": figure.id, "name": figure.name, "value": figure.value, "note": figure.note,
                "formula": figure.formula, "worked": figure.worked, "leaves_out": figure.leaves_out,
                "citations": citations })
    });
    let rows = estimate::rows(estimate).into_iter().map(|row| {
        json!({ "product": row.name, "m": row.sizes[0], "k": row.sizes[1], "n": row.sizes[2], "count": row.count,
                "seconds": row.seconds, "share": row.share, "bound": row.bound, "eta_tile": row.eta_tile })
    });
    let assumptions =
        estimate::assumptions(estimate).into_iter().map(|(what, value)| json!({ "what": what, "value": value }));
    let ratio = |mfu: Result<perfmodel::Mfu, perfmodel::MfuRefusal>| mfu.ok().map(|mfu| mfu.ratio * 100.0);
    let asked = &estimate.asked;
    let per_chip = estimate.tokens_per_sec() / asked.chips as f64;
    let usd = asked.usd_per_chip_hour();
    json!({
        "model": estimate.work.name,
        "mfu_pct": ratio(estimate.mfu),
        "hfu_pct": ratio(estimate.hfu),
        "step_time_s": estimate.step.0,
        "tokens_per_s": estimate.tokens_per_sec(),
        "tokens_per_step": estimate.tokens,
        "model_flops_per_chip_and_step": estimate.model_flops,
        "executed_flops_per_chip_and_step": estimate.work.executed_flops(),
        "weights": estimate.parameters,
        "usd_per_chip_hour": usd,
        "usd_per_step": usd.map(|usd| usd * asked.chips as f64 * estimate.step.hours()),
        "usd_per_million_tokens": usd.and_then(|usd| perfmodel::usd_per_million_tokens(usd, per_chip)),
        "figures": figures.collect::<Vec<_>>(),
        "products": rows.collect::<Vec<_>>(),
        "assumptions": assumptions.collect::<Vec<_>>(),
    })
}
