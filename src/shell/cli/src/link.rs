//! `systolic svg`, `systolic export` and `systolic report`: write what the page shows for a link or for options.

use std::io::{self, Write};

use clap::{Arg, Args};
use display::words::ladder;
use estimate::Entry;
use export::{File, Job, Limits, Refused};
use studio::{Field, FieldValue, Link, Notice, Notices, Plan, Scenario, Session, Tool};
use systolic::{ArrayShape, Cycle, Dataflow, Dtype, Gemm};
use words::figures;
use words::{caption, label, memory, message, ways};

use crate::design::array;
use crate::entries::help;
use crate::options::{gemm, one_of, whole};
use crate::problem::{Problem, Problems, Usable};
use crate::progress::Progress;

// A link, or options of a run instead of a link.
#[derive(Args, Debug)]
#[command(mut_args(instead_of_link))]
struct Shown {
    /// The address of the page, or the part of the address from the ? on.
    #[arg(value_parser = link)]
    link: Option<Link>,
    /// The sizes M, K and N of the matmul, each from 1 to 65536, e.g. 128x1024x1024.
    #[arg(long, value_name = "MxKxN", value_parser = gemm)]
    gemm: Option<Gemm>,
    /// The rows R and the columns C of the array, each from 1 to 1024, e.g. 128x128.
    #[arg(long, value_name = "RxC", value_parser = array)]
    array: Option<ArrayShape>,
    /// The dataflow, named by the matrix that stays in the PEs: ws (weights), os (outputs) or is (inputs).
    #[arg(long, value_name = "D")]
    dataflow: Option<Dataflow>,
    /// The number format: f32, bf16, f16, tf32, e4m3fn, e5m2, e4m3b11fnuz, int8 or int4.
    #[arg(long, value_name = "T")]
    dtype: Option<Dtype>,
    /// The cycle to show, just after its clock edge.
    #[arg(long, value_name = "CYCLE", value_parser = whole)]
    at: Option<u64>,
    #[arg(long, value_name = "ID", help = help(Entry::Chip))]
    chip: Option<String>,
}

fn instead_of_link(option: Arg) -> Arg {
    if option.is_positional() { option } else { option.conflicts_with("link") }
}

/// Draws the array at a cycle.
///
/// Draws the array as the web page does, for one run without a fault. The command refuses a link that shows a second
/// run, a fault or the model estimate, because only the page shows these.
#[derive(Args, Debug)]
#[command(override_usage = "systolic svg [LINK] [OPTIONS]")]
pub(crate) struct SvgOptions {
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    picture: Picture,
    // The size can also be the second word.
    #[arg(value_name = "SIZE", hide = true, value_parser = size, conflicts_with = "size")]
    word: Option<(f32, f32)>,
}

/// Writes a run as a drawing, table, trace, waveforms, ZIP or hardware.
///
/// Reads a link, and saves the run of the link to a file. With --as svg, the file is a drawing of the array. With --as
/// tikz, the file is a drawing for LaTeX. With --as csv or json, the file has every register of every PE at every
/// cycle, in the format of the command `state`. With --as perfetto, the file has the folds and phases for a trace
/// viewer, which shows each cycle as a microsecond. With --as vcd, the file has every register as a waveform; this
/// format works only for int8 and int4. With --as zip, the file has a drawing for each cycle, for at most 1000 cycles.
#[derive(Args, Debug)]
#[command(override_usage = "systolic export [LINK] [OPTIONS]")]
pub(crate) struct ExportOptions {
    #[command(flatten)]
    shown: Shown,
    /// The file format: svg, tikz, csv, json, perfetto, vcd, zip or rtl.
    #[arg(long = "as", value_name = "F", default_value = "svg", hide_default_value = true)]
    #[arg(value_parser = |id: &str| one_of(id, File::JOBS.map(|file| (file.id(), file))))]
    file: File,
    #[command(flatten)]
    picture: Picture,
}

/// Writes the PE-cycles and figures of a run.
///
/// Writes the PE-cycles of a run by class, and the figures that the web page shows for the run. Accepts the same links
/// as the command `svg`.
#[derive(Args, Debug)]
#[command(override_usage = "systolic report [LINK] [OPTIONS]")]
pub(crate) struct ReportOptions {
    #[command(flatten)]
    shown: Shown,
}

// Size of a picture.
#[derive(Args, Debug)]
struct Picture {
    /// The width and height of the picture in pixels, each from 40 to 8000. Default: 900x700.
    #[arg(long, value_name = "WxH", default_value = "900x700", hide_default_value = true, value_parser = size)]
    size: (f32, f32),
}

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

/// Parses a link, which is an address of the page or a part of an address.
pub(crate) fn link(text: &str) -> Result<Link, Usable> {
    let (query, fragment) = parts(text).ok_or(Usable::Address)?;
    Ok(Link::parse(query, fragment))
}

/// Refuses a link to something that `command` cannot show.
fn check(link: &Link, command: &'static str) -> Result<(), Problems> {
    let mut problems = Vec::new();
    let is_estimate = link.view.chrome.is_estimate();
    if is_estimate {
        problems.push(Problem::EstimateLink(command));
    }
    // Only picture files show the drawing that a link selects.
    let is_drawn = |tool: &Tool| *tool == Tool::Picture && matches!(command, "svg" | "export");
    let tools = Tool::ALL.into_iter().filter(|tool| !is_drawn(tool)).map(|tool| (tool.id(), link.tools.text(tool)));
    let estimate = link.texts.pairs().map(|(name, text)| (name, text.to_owned()));
    let estimate = estimate.filter(|_| !is_estimate);
    let shown = tools.chain(estimate).filter(|(_, value)| !value.is_empty());
    problems.extend(shown.map(|(name, given)| Problem::ToolLink { command, name, given }));
    Problems::all(problems)
}

impl Shown {
    /// Opens the link, or a link that is built from the options.
    fn session(&self, command: &'static str) -> Result<(Session, Link), Problems> {
        match &self.link {
            Some(link) => session(link, command),
            None => opened(&self.link_of_options(), of_option),
        }
    }

    /// Builds a link from options. Without options, the link is the first screen of the page.
    fn link_of_options(&self) -> Link {
        let mut set: Vec<(Field, Result<FieldValue, studio::Problem>)> = Vec::new();
        if let Some(gemm) = self.gemm {
            let sides = [(Field::M, gemm.m()), (Field::K, gemm.k()), (Field::N, gemm.n())];
            set.extend(sides.map(|(field, side)| (field, Ok(FieldValue::Count(side)))));
        }
        if let Some(array) = self.array {
            let sides = [(Field::Rows, array.rows()), (Field::Cols, array.cols())];
            set.extend(sides.map(|(field, side)| (field, Ok(FieldValue::Count(side.into())))));
        }
        set.extend(self.dataflow.map(|dataflow| (Field::Dataflow, Ok(FieldValue::Dataflow(dataflow)))));
        set.extend(self.dtype.map(|dtype| (Field::Dtype, Ok(FieldValue::Dtype(dtype)))));
        set.extend(self.chip.as_ref().map(|chip| (Field::Chip, Field::Chip.read(chip))));
        let mut link = if set.is_empty() { Link::default() } else { Link::of_run(Scenario::default()) };
        let problems =
            set.into_iter().map(|(field, read)| read.and_then(|value| link.scenario.set(field, value)).err());
        link.notices.extend(problems.flatten().map(Notice::Problem));
        link.cycle = self.at.map_or(link.cycle, Cycle);
        link
    }
}

/// Converts a notice about a link that was built from options to a problem that names the option.
fn of_option(notice: &Notice, plan: &Plan) -> Problem {
    let option = |problem: &studio::Problem| match problem.field {
        Field::M | Field::K | Field::N => "gemm",
        Field::Rows | Field::Cols => "array",
        _ => "chip",
    };
    match notice {
        Notice::Problem(problem) => {
            Problem::LinkOption { option: option(problem), sentence: message::problem(problem) }
        }
        Notice::PastTheEnd { given, last } => {
            Problem::option("at", &given.to_string(), Usable::From { least: 0, most: last.get() })
        }
        other => Problem::Sentence(message::refused(other, plan)),
    }
}

/// Opens a link that a command line contains.
pub(crate) fn session(link: &Link, command: &'static str) -> Result<(Session, Link), Problems> {
    check(link, command)?;
    opened(link, |notice, plan| Problem::Sentence(message::refused(notice, plan)))
}

/// Opens a link. A notice about a repeated parameter is a warning. Every other notice is an error, because the command
/// line never replaces a wrong value with another value.
fn opened(link: &Link, problem: impl Fn(&Notice, &Plan) -> Problem) -> Result<(Session, Link), Problems> {
    let (session, _) = Session::open(link);
    warn_of_repetitions(&session.notices, &session.plan);
    let notices = session.notices.iter().filter(|notice| !is_repetition(notice));
    let mut problems: Vec<Problem> = notices.map(|notice| problem(notice, &session.plan)).collect();
    if session.notices.n_more() > 0 {
        problems.push(Problem::MoreOfLink(session.notices.n_more()));
    }
    Problems::all(problems).map(|()| (session, link.clone()))
}

const fn is_repetition(notice: &Notice) -> bool {
    matches!(notice, Notice::Again(_) | Notice::LastCounts(_))
}

/// Writes a sentence to the error stream for each parameter that a link repeats.
pub(crate) fn warn_of_repetitions(notices: &Notices, plan: &Plan) {
    let repeated = notices.iter().filter(|notice| is_repetition(notice));
    let _ = write!(
        io::stderr(),
        "{}",
        Problems(repeated.map(|one| Problem::Sentence(message::refused(one, plan))).collect())
    );
}

pub(crate) fn svg(options: &SvgOptions, out: &mut impl Write) -> Result<(), Problems> {
    let (session, link) = options.shown.session("svg")?;
    let size = options.word.unwrap_or(options.picture.size);
    out.write_all(drawn(&session.plan, &link, size).as_bytes())?;
    Ok(())
}

/// Parses the width and height of a picture, in CSS pixels.
fn size(text: &str) -> Result<(f32, f32), Usable> {
    let side = |text: &str| text.parse::<u16>().ok().filter(|side| (40..=8000).contains(side)).map(f32::from);
    let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
    sides.ok_or(Usable::Size)
}

pub(crate) fn export(options: &ExportOptions, out: &mut impl Write) -> Result<(), Problems> {
    let (session, link) = options.shown.session("export")?;
    let (plan, file, size) = (session.plan, options.file, options.picture.size);
    let mut progress = Progress::new("cycles", None);
    let mut job = Job::new(file, plan, link, size, Limits::STREAM).map_err(|why| match why {
        Refused::Hardware(refusal) => Problem::Hardware(refusal),
        Refused::Waveforms(pe_cycles) | Refused::Lines(pe_cycles) => Problem::Waveforms(pe_cycles),
        Refused::NeedsCanvas => Problem::option("as", file.id(), Usable::one_of(File::JOBS.map(File::id))),
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

pub(crate) fn report(options: &ReportOptions, out: &mut impl Write) -> Result<(), Problems> {
    let (session, link) = options.shown.session("report")?;
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
