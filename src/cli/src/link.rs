//! `systolic svg`, `systolic export` and `systolic report`: write what the page shows for a link or for options.

use std::io::{self, Write};

use display::words::ladder;
use export::{File, Job, Limits, Refused};
use studio::{Field, Link, Notice, Notices, Parameter, Plan, Scenario, Session, Tool};
use systolic::Cycle;
use words::figures;
use words::{caption, label, memory, message, ways};

use crate::arguments::Arguments;
use crate::command::Command;
use crate::command::LINK;
use crate::problem::{Name, Problem, Problems, Usable};
use crate::progress::Progress;

/// Splits a link into its query and its fragment. `None` if the text is not a link.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
    match before.split_once('?') {
        Some((_, query)) => Some((query, fragment)),
        // The text is an address without a query, only a fragment, or a query without `?`.
        None if before.contains("://") || before.is_empty() && text.starts_with('#') => Some(("", fragment)),
        None => before.contains('=').then_some((before, fragment)),
    }
}

/// Returns the link from the first bare word, or from the options if the command line has no bare word.
fn link(arguments: &Arguments) -> Result<Link, Problems> {
    let Some(text) = arguments.word(0) else { return options(arguments) };
    if let Some(name) = arguments.first_of(&LINK) {
        return Err(Problem::LinkBesideOption(name).into());
    }
    let (query, fragment) = parts(text).ok_or_else(|| Problem::Value {
        name: Name::Link,
        given: text.to_owned(),
        usable: Usable::Address,
    })?;
    let link = Link::parse(query, fragment);
    let command = arguments.command;
    let mut problems = Vec::new();
    let is_estimate = link.view.chrome.is_estimate();
    if is_estimate {
        problems.push(Problem::EstimateLink(command));
    }
    // Files of pictures show the drawing of the link.
    let is_drawn = |tool: &Tool| *tool == Tool::Picture && matches!(command, Command::Svg | Command::Export);
    let tools = Tool::ALL.into_iter().filter(|tool| !is_drawn(tool)).map(|tool| (tool.id(), link.tools.text(tool)));
    let estimate = link.texts.pairs().map(|(name, text)| (name, text.to_owned()));
    let estimate = estimate.filter(|_| !is_estimate);
    let shown = tools.chain(estimate).filter(|(_, value)| !value.is_empty());
    problems.extend(shown.map(|(name, given)| Problem::ToolLink { command, name, given }));
    Problems::all(problems).map(|()| link)
}

/// Builds a link from options. Without options, the link is the first screen of the page.
fn options(arguments: &Arguments) -> Result<Link, Problems> {
    let mut set: Vec<(Field, String)> = Vec::new();
    if arguments.value("gemm").is_some() {
        let gemm = arguments.gemm()?;
        let sides = [(Field::M, gemm.m()), (Field::K, gemm.k()), (Field::N, gemm.n())];
        set.extend(sides.map(|(field, side)| (field, side.to_string())));
    }
    if arguments.value("array").is_some() {
        let array = arguments.array()?;
        set.extend([(Field::Rows, array.rows().to_string()), (Field::Cols, array.cols().to_string())]);
    }
    let named = [("dataflow", Field::Dataflow), ("dtype", Field::Dtype), ("chip", Field::Chip)];
    set.extend(named.into_iter().filter_map(|(option, field)| Some((field, arguments.value(option)?.to_owned()))));
    let mut link = if set.is_empty() { Link::default() } else { Link::of_run(Scenario::default()) };
    let refused = set.iter().filter_map(|(field, text)| link.scenario.set(*field, text).err());
    let refused: Vec<studio::Problem> = refused.collect();
    refused.into_iter().for_each(|problem| link.notices.push(Notice::Problem(problem)));
    if let Some(at) = arguments.value("at") {
        match at.trim().parse() {
            Ok(cycle) => link.cycle = Cycle(cycle),
            Err(_) => {
                link.notices.push(Notice::Parameter { parameter: Parameter::Cycle, given: plain::cut(at) });
            }
        }
    }
    Ok(link)
}

/// Converts a notice to a problem that names the option. The notice is about a link that was built from options.
fn of_option(notice: &Notice, plan: &Plan) -> Problem {
    let option = |problem: &studio::Problem| match problem.field {
        Field::M | Field::K | Field::N => "gemm",
        Field::Rows | Field::Cols => "array",
        Field::Dataflow => "dataflow",
        Field::Dtype => "dtype",
        _ => "chip",
    };
    match notice {
        Notice::Problem(problem) => {
            Problem::LinkOption { option: option(problem), sentence: message::problem(problem) }
        }
        Notice::Parameter { given, .. } => Problem::option("at", given, Usable::Whole),
        Notice::PastTheEnd { given, last } => {
            Problem::option("at", &given.to_string(), Usable::From { least: 0, most: last.get() })
        }
        other => Problem::Link(message::refused(other, plan)),
    }
}

/// Opens a link. Every notice is an error, because the command line uses no other value in place of a wrong one. Only a
/// repetition is a warning.
pub(crate) fn session(arguments: &Arguments) -> Result<(Session, Link), Problems> {
    let link = link(arguments)?;
    let (session, _) = Session::open(&link);
    warn_of_repetitions(&session.notices, &session.plan);
    let notices = session.notices.iter().filter(|notice| !is_repetition(notice));
    let mut problems: Vec<Problem> = match arguments.word(0) {
        Some(_) => notices.map(|notice| Problem::Link(message::refused(notice, &session.plan))).collect(),
        None => notices.map(|notice| of_option(notice, &session.plan)).collect(),
    };
    if session.notices.n_more() > 0 {
        problems.push(Problem::MoreOfLink(session.notices.n_more()));
    }
    Problems::all(problems).map(|()| (session, link))
}

const fn is_repetition(notice: &Notice) -> bool {
    matches!(notice, Notice::Again(_) | Notice::LastCounts(_))
}

/// Writes a sentence to the error stream for each parameter that a link repeats.
pub(crate) fn warn_of_repetitions(notices: &Notices, plan: &Plan) {
    let repeated = notices.iter().filter(|notice| is_repetition(notice));
    let _ =
        write!(io::stderr(), "{}", Problems(repeated.map(|one| Problem::Link(message::refused(one, plan))).collect()));
}

pub(crate) fn svg(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    if let (Some(option), Some(word)) = (arguments.value("size"), arguments.word(1)) {
        return Err(Problem::TwoSizes { option: option.to_owned(), word: word.to_owned() }.into());
    }
    let size = size(arguments.value("size").or_else(|| arguments.word(1)))?;
    let (session, link) = session(arguments)?;
    out.write_all(drawn(&session.plan, &link, size).as_bytes())?;
    Ok(())
}

/// Reads the width and height of a picture, in CSS pixels. The default is 900 × 700.
fn size(text: Option<&str>) -> Result<(f32, f32), Problems> {
    let text = text.unwrap_or("900x700");
    let side = |text: &str| text.parse::<u16>().ok().filter(|side| (40..=8000).contains(side)).map(f32::from);
    let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
    Ok(sides.ok_or_else(|| Problem::option("size", text, Usable::Size))?)
}

/// Ids of the files that `systolic export` writes.
const FILES: [&str; 8] = {
    let (mut ids, mut at) = ([""; 8], 0);
    while at < ids.len() {
        ids[at] = File::JOBS[at].id();
        at += 1;
    }
    ids
};

pub(crate) fn export(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let (name, size) = (arguments.choice("as", &FILES)?, size(arguments.value("size"))?);
    let (session, link) = session(arguments)?;
    let plan = session.plan;
    let file = File::from_id(name).unwrap_or(File::Svg);
    let mut progress = Progress::new("cycles", None);
    let mut job = Job::new(file, plan, link, size, Limits::STREAM).map_err(|why| match why {
        Refused::Hardware(refusal) => Problem::Hardware(refusal),
        Refused::Waveforms(pe_cycles) | Refused::Lines(pe_cycles) => Problem::Waveforms(pe_cycles),
        Refused::NeedsCanvas => Problem::option("as", name, Usable::OneOf(FILES.to_vec())),
    })?;
    loop {
        let made = job.step(out)?;
        if made.is_done() {
            return Ok(());
        }
        progress.of(made.all);
        progress.at(made.done);
    }
}

/// Draws the array at the cycle of a link as an SVG document.
pub(crate) fn drawn(plan: &Plan, link: &Link, size: (f32, f32)) -> String {
    export::svg::document(&export::View { plan, link, size })
}

pub(crate) fn report(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let (session, link) = session(arguments)?;
    let plan = &session.plan;
    writeln!(out, "{}", label::headline(plan))?;
    writeln!(out, "{}", caption::status(plan, link.cycle, link.view.selected))?;
    for line in message::consequence(plan).into_iter().chain(memory::memory_feed_sentence(plan)) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    for part in figures::parts(&plan.schedule().tally()) {
        writeln!(out, "{:<16}{:>24}{:>8} %", words::busy::class(part.slot), part.pe_cycles, part.percent)?;
    }
    writeln!(out, "{:<16}{:>24}   100 %", label::ALL_PE_CYCLES, plan.schedule().pe_cycles().get())?;
    writeln!(out)?;
    for figure in figures::run_figures(plan) {
        writeln!(out, "{:<29} {:<20}{}", figure.name, figure.value, figure.note)?;
        writeln!(out, "{:<29} {} = {}", "", figure.formula, figure.worked)?;
    }
    writeln!(out, "\n{}. {}", ladder::HEADING, figures::on_chip_sentence(plan))?;
    for figure in figures::ladder_figures(plan) {
        writeln!(out, "{:<29} {:<20}{}", figure.name, figure.value, figure.note)?;
        writeln!(out, "{:<29} {} = {}", "", figure.formula, figure.worked)?;
    }
    let padded = ways::table(plan);
    if !padded.rows.is_empty() {
        writeln!(out, "\n{}. {}", ways::OPEN, ways::NOTE)?;
        for cells in core::iter::once(&padded.heads).chain(&padded.rows) {
            writeln!(out, "    {}", cells.join(", "))?;
        }
    }
    let (symbols, numbers) = figures::cycles_formula(plan);
    writeln!(out, "\n{:<29} {symbols} {numbers}", label::CYCLES)?;
    Ok(())
}
