//! `systolic` on the command line: the same link as the page, without a screen.

use std::io::{self, Write as _};
use std::process::ExitCode;

use studio::stage::{self, Frame};
use studio::words::{caption, label, message};
use studio::{Link, Picture, Session, panel, svg};

const HELP: &str = "systolic: the playground without a screen

  systolic report LINK            the accounts and figures of a run
  systolic svg LINK [WxH]         the array at the link's cycle as SVG (default 900x700)
  systolic help                   this text

LINK is what the page has in its address bar, or only the part from the question mark on:
  systolic report '?rows=128&cols=128&m=128&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4'

Anything in the link that cannot be used is told on the error stream, one sentence each, and the exit code is 2.
";

/// The colors of a light page; a picture of its own carries them with it.
const TOKENS: &str = include_str!("../../../style/tokens.css");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["report", link] => with_link(link, report),
        ["svg", link] => with_link(link, |session, link| picture(session, link, (900.0, 700.0))),
        ["svg", link, size] => match size_of(size) {
            Some(size) => with_link(link, |session, link| picture(session, link, size)),
            None => Err(vec![format!("size = {size}: allowed is WIDTHxHEIGHT in pixels, each from 40 to 8000.")]),
        },
        ["help" | "--help" | "-h"] => Ok(HELP.to_owned()),
        [] => Err(vec!["A command is missing: report, svg or help.".to_owned()]),
        [command, ..] => Err(vec![format!("command = {command}: allowed is report LINK, svg LINK [WxH] or help.")]),
    };
    match done {
        // A closed pipe is the reader's choice.
        Ok(text) => {
            let _ = io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(sentences) => {
            let _ = writeln!(io::stderr(), "{}", sentences.join("\n"));
            ExitCode::from(2)
        }
    }
}

fn size_of(text: &str) -> Option<(f32, f32)> {
    let (width, height) = text.split_once('x')?;
    let side = |text: &str| text.parse::<u16>().ok().filter(|side| (40..=8000).contains(side)).map(f32::from);
    Some((side(width)?, side(height)?))
}

/// Opens a link; whatever it says that cannot be used is an error here, where nobody can look at a notice.
fn with_link(text: &str, work: impl Fn(&Session, &Link) -> String) -> Result<String, Vec<String>> {
    let (_, rest) = text.split_once('?').unwrap_or(("", text));
    let (query, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let link = Link::parse(query, fragment);
    let (session, _) = Session::open(&link);
    if session.notices.is_empty() {
        return Ok(work(&session, &link));
    }
    Err(session.notices.iter().map(|notice| message::notice(notice, &session.plan)).collect())
}

fn report(session: &Session, link: &Link) -> String {
    let plan = &session.plan;
    let mut lines = vec![label::headline(plan)];
    lines.push(caption::status(plan, link.cycle, link.view.selected));
    lines.extend(message::consequence(plan));
    lines.push(String::new());
    for part in panel::parts(&plan.schedule().tally()) {
        lines.push(format!("{:<16}{:>24}{:>8} %", label::slot(part.slot), part.pe_cycles, part.percent));
    }
    lines.push(format!("{:<16}{:>24}   100 %", label::ALL_PE_CYCLES, plan.schedule().pe_cycles()));
    lines.push(String::new());
    for figure in panel::run_figures(plan) {
        lines.push(format!("{:<26}{:<20}{}", figure.name, figure.value, figure.note));
        lines.push(format!("{:<26}{} = {}", "", figure.formula, figure.worked));
    }
    let (symbols, numbers) = panel::cycles_formula(plan);
    lines.push(format!("{:<26}{symbols} {numbers}", label::CYCLES));
    lines.join("\n") + "\n"
}

fn picture(session: &Session, link: &Link, (width, height): (f32, f32)) -> String {
    let plan = &session.plan;
    let mut picture = Picture::default();
    let frame = Frame { plan, cycle: link.cycle, selected: link.view.selected };
    stage::draw(&frame, width, height, &mut picture);
    let tones = studio::Tone::ALL.iter().map(|tone| format!(".f-{0}{{fill:var(--tone-{0})}}", tone.id()));
    let style = format!("{TOKENS}{}", tones.collect::<String>());
    svg::document(&picture, &caption::status(plan, link.cycle, link.view.selected), &style)
}
