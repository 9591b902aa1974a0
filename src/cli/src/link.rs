//! `systolic svg` and `systolic report`: what the page shows for a link or for options.

use std::io::Write;

use display::{Picture, Tone, svg as painter};
use studio::stage::{self, Frame};
use studio::words::{caption, label, message};
use studio::{Link, Session, panel};

use crate::arguments::Arguments;
use crate::problem::Problems;

/// The colors of a light page; a picture of its own carries them with it.
const TOKENS: &str = include_str!("../../../style/tokens.css");

/// The link given, or the one that the options make.
fn link(arguments: &Arguments) -> Result<Link, Problems> {
    if let Some(text) = arguments.word(0) {
        let (_, rest) = text.split_once('?').unwrap_or(("", text));
        let (query, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        return Ok(Link::parse(query, fragment));
    }
    let mut pairs = Vec::new();
    if arguments.value("gemm").is_some() {
        let gemm = arguments.gemm()?;
        pairs.push(format!("m={}&k={}&n={}", gemm.m(), gemm.k(), gemm.n()));
    }
    if arguments.value("array").is_some() {
        let array = arguments.array()?;
        pairs.push(format!("rows={}&cols={}", array.rows(), array.cols()));
    }
    for (option, name) in [("dataflow", "df"), ("dtype", "dt"), ("at", "t"), ("chip", "chip")] {
        pairs.extend(arguments.value(option).map(|value| format!("{name}={value}")));
    }
    Ok(Link::parse(&pairs.join("&"), ""))
}

/// Opens a link; whatever it says that cannot be used is an error here, where nobody can look at a notice.
fn session(arguments: &Arguments) -> Result<(Session, Link), Problems> {
    let link = link(arguments)?;
    let (session, _) = Session::open(&link);
    Problems::all(message::notices(&session.notices, &session.plan)).map(|()| (session, link))
}

pub(crate) fn svg(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let size = arguments.value("size").or_else(|| arguments.word(1)).unwrap_or("900x700");
    let side = |text: &str| text.parse::<u16>().ok().filter(|side| (40..=8000).contains(side)).map(f32::from);
    let size =
        size.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?))).ok_or_else(|| {
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
    for part in panel::parts(&plan.schedule().tally()) {
        writeln!(out, "{:<16}{:>24}{:>8} %", label::slot(part.slot), part.pe_cycles, part.percent)?;
    }
    writeln!(out, "{:<16}{:>24}   100 %", label::ALL_PE_CYCLES, plan.schedule().pe_cycles().get())?;
    writeln!(out)?;
    for figure in panel::run_figures(plan) {
        writeln!(out, "{:<26}{:<20}{}", figure.name, figure.value, figure.note)?;
        writeln!(out, "{:<26}{} = {}", "", figure.formula, figure.worked)?;
    }
    let (symbols, numbers) = panel::cycles_formula(plan);
    writeln!(out, "{:<26}{symbols} {numbers}", label::CYCLES)?;
    Ok(())
}
