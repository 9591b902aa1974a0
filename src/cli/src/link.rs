//! `systolic svg` and `systolic report`: what the page shows for a link or for options.

use std::io::Write;

use display::number::grouped;
use display::{Picture, Tone, svg as painter};
use studio::stage::{self, Frame};
use studio::words::figures;
use studio::words::{caption, label, message};
use studio::{Chrome, Field, Link, Notice, Plan, Problem, Session, Tool};

use crate::arguments::Arguments;
use crate::problem::Problems;

/// The colors of a light page; a picture of its own carries them with it.
const TOKENS: &str = include_str!("../../../style/tokens.css");

/// Options that say what a link would say.
const OPTIONS: [&str; 6] = ["gemm", "array", "dataflow", "dtype", "at", "chip"];

/// What is in front of the fragment, as a query; and the fragment.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
    match before.split_once('?') {
        Some((_, query)) => Some((query, fragment)),
        // An address that has none, or a query without its mark.
        None if before.contains("://") || before.is_empty() && text.starts_with('#') => Some(("", fragment)),
        None => before.contains('=').then_some((before, fragment)),
    }
}

/// The link of the first word, if there is one, or else the one that the options make.
fn link(arguments: &Arguments) -> Result<Link, Problems> {
    let Some(text) = arguments.word(0) else { return options(arguments) };
    if let Some(name) = arguments.first_of(&OPTIONS) {
        return Err(Problems::one(format!("--{name} and a LINK both say what is shown: allowed is one of them.")));
    }
    let (query, fragment) = parts(text).ok_or_else(|| {
        let (given, allowed) = (plain::cut(text), "what the page has in its address bar, or its part from the ? on");
        Problems::one(format!("LINK = {given}: allowed is {allowed}."))
    })?;
    let link = Link::parse(query, fragment);
    let command = &arguments.command;
    let mut sentences = Vec::new();
    let is_desk = link.view.chrome == Chrome::Desk;
    if is_desk {
        let instead = "it shows the array; systolic model answers what the desk asks";
        sentences.push(format!("In the link, ui = desk: systolic {command} does not show the desk: {instead}."));
    }
    let tools = Tool::ALL.into_iter().map(|tool| (tool.id(), link.tools.text(tool)));
    let estimate = link.estimate.pairs().map(|(name, text)| (name, text.to_owned()));
    let estimate = estimate.filter(|_| !is_desk);
    let shown = tools.chain(estimate).filter(|(_, value)| !value.is_empty());
    sentences.extend(shown.map(|(name, value)| {
        let value = plain::cut(&value);
        format!("In the link, {name} = {value}: systolic {command} shows one sound run as it is; the page shows this.")
    }));
    Problems::all(sentences).map(|()| link)
}

fn options(arguments: &Arguments) -> Result<Link, Problems> {
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    if arguments.value("gemm").is_some() {
        let gemm = arguments.gemm()?;
        let sides = [("m", gemm.m()), ("k", gemm.k()), ("n", gemm.n())];
        pairs.extend_pairs(sides.map(|(name, side)| (name, side.to_string())));
    }
    if arguments.value("array").is_some() {
        let array = arguments.array()?;
        let sides = [("rows", array.rows()), ("cols", array.cols())];
        pairs.extend_pairs(sides.map(|(name, side)| (name, side.to_string())));
    }
    for (option, name) in [("dataflow", "df"), ("dtype", "dt"), ("at", "t"), ("chip", "chip")] {
        if let Some(value) = arguments.value(option) {
            pairs.append_pair(name, value);
        }
    }
    Ok(Link::parse(&pairs.finish(), ""))
}

/// What an option says that cannot be used: the sentence names the option, as there is no link.
fn of_option(notice: &Notice, plan: &Plan) -> String {
    let option = |problem: &Problem| match problem.field {
        Field::M | Field::K | Field::N => "gemm",
        Field::Rows | Field::Cols => "array",
        Field::Dataflow => "dataflow",
        Field::Dtype => "dtype",
        _ => "chip",
    };
    match notice {
        Notice::Problem(problem) => format!("--{}: {}", option(problem), message::problem(problem)),
        Notice::Parameter { given, allowed, .. } => format!("--at = {given}: allowed is {allowed}."),
        Notice::PastTheEnd { given, last } => {
            format!("--at = {}: allowed is 0 to {}.", grouped(given.get()), grouped(last.get()))
        }
        other => message::notice(other, plan),
    }
}

/// Opens a link; whatever it says that cannot be used is an error here, where nobody can look at a notice.
fn session(arguments: &Arguments) -> Result<(Session, Link), Problems> {
    let link = link(arguments)?;
    let (session, _) = Session::open(&link);
    let sentences = match arguments.word(0) {
        Some(_) => message::notices(&session.notices, &session.plan),
        None => session.notices.iter().map(|notice| of_option(notice, &session.plan)).collect(),
    };
    Problems::all(sentences).map(|()| (session, link))
}

pub(crate) fn svg(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    if let (Some(option), Some(word)) = (arguments.value("size"), arguments.word(1)) {
        let (option, word) = (plain::cut(option), plain::cut(word));
        return Err(Problems::one(format!("--size = {option} and {word} are two sizes: allowed is one of them.")));
    }
    let size = arguments.value("size").or_else(|| arguments.word(1)).unwrap_or("900x700");
    let side = |text: &str| text.parse::<u16>().ok().filter(|side| (40..=8000).contains(side)).map(f32::from);
    let size =
        size.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?))).ok_or_else(|| {
            let size = plain::cut(size);
            Problems::one(format!("size = {size}: allowed is WIDTHxHEIGHT in pixels, each from 40 to 8000."))
        })?;
    let (session, link) = session(arguments)?;
    let plan = &session.plan;
    let mut picture = Picture::default();
    let frame = Frame { selected: link.view.selected, ..Frame::new(plan, link.cycle) };
    stage::draw(&frame, size.0, size.1, &mut picture);
    let tones = Tone::ALL.iter().map(|tone| format!(".f-{0}{{fill:var(--tone-{0})}}", tone.id()));
    let style = format!("{TOKENS}{}", tones.collect::<String>());
    let title = caption::status(plan, link.cycle, link.view.selected);
    out.write_all(painter::document(&picture, &title, &style).as_bytes())?;
    Ok(())
}

pub(crate) fn report(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let (session, link) = session(arguments)?;
    let plan = &session.plan;
    writeln!(out, "{}", label::headline(plan))?;
    writeln!(out, "{}", caption::status(plan, link.cycle, link.view.selected))?;
    for line in message::consequence(plan) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    for part in figures::parts(&plan.schedule().tally()) {
        writeln!(out, "{:<16}{:>24}{:>8} %", label::slot(part.slot), part.pe_cycles, part.percent)?;
    }
    writeln!(out, "{:<16}{:>24}   100 %", label::ALL_PE_CYCLES, plan.schedule().pe_cycles().get())?;
    writeln!(out)?;
    for figure in figures::run_figures(plan) {
        writeln!(out, "{:<26}{:<20}{}", figure.name, figure.value, figure.note)?;
        writeln!(out, "{:<26}{} = {}", "", figure.formula, figure.worked)?;
    }
    let (symbols, numbers) = figures::cycles_formula(plan);
    writeln!(out, "{:<26}{symbols} {numbers}", label::CYCLES)?;
    Ok(())
}
