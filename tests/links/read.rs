//! Lines that record what a link shows. Only this module of the corpus depends on the crates under test.
//!
//! The lines contain numbers and names but no sentences, because wording may change and the numbers of a link may not.
//! C is computed by the register machine or by the definition of a matmul, which pictures and figures do not use.

mod array;
mod estimates;
mod said;
mod tools;

use estimate::{Answered, Topic};
use report::answer;
use studio::{Chrome, Link, Notice, Notices, Parameter, Playhead, Session, defect};
use words::figures;

pub use self::said::{presets, said, sayable};

use self::array::array_lines;
use self::estimates::estimate_lines;
use self::tools::tool_lines;

/// Largest size, in bytes, of a text that is recorded in full. A longer text is recorded as its hash and size.
const TEXT_MAX: usize = 400;

/// Name and value of an observation.
pub type Line = (String, String);

/// Observations of one link, in order.
#[derive(Debug, Default)]
struct Lines(Vec<Line>);

impl Lines {
    fn say(&mut self, name: impl Into<String>, value: impl Into<String>) {
        // A value must fit on one line of the file.
        let value: String = value.into().chars().flat_map(shown_sign).collect();
        let is_short = value.len() <= TEXT_MAX;
        let value = if is_short { value } else { format!("{} of {} bytes", fnv(value.bytes()), value.len()) };
        self.0.push((name.into(), value));
    }
}

/// Returns a character, or its escape if the character would break a line.
fn shown_sign(sign: char) -> impl Iterator<Item = char> {
    let escape = sign.is_control().then(|| sign.escape_default());
    let plain = (!sign.is_control()).then_some(sign);
    escape.into_iter().flatten().chain(plain)
}

/// Query and fragment of a link in the form of an address.
fn parts(link: &str) -> (&str, &str) {
    let (query, fragment) = link.split_once('#').unwrap_or((link, ""));
    (query.strip_prefix('?').unwrap_or(query), fragment)
}

fn address((query, fragment): (String, String)) -> String {
    if fragment.is_empty() { format!("?{query}") } else { format!("?{query}#{fragment}") }
}

/// Opens a link as the page does.
fn opened(link: &str) -> (Link, Session, Playhead) {
    let (query, fragment) = parts(link);
    let link = Link::parse(query, fragment);
    let (session, playhead) = Session::open(&link);
    (link, session, playhead)
}

/// Hash of the bytes: 64-bit FNV-1a in hex digits.
fn fnv(bytes: impl IntoIterator<Item = u8>) -> String {
    let hash = bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// Returns all lines that the corpus records for a link.
#[must_use]
pub fn shown(text: &str) -> Vec<Line> {
    let (link, session, playhead) = opened(text);
    let mut lines = Lines::default();
    lines.say("room", format!("{} {}", room(session.view.chrome), session.view.theme.id()));
    lines.say("notices", notices(&session.notices));
    let back = address(link.to_parts());
    let now = address(session.link(&playhead).to_parts());
    if now != back {
        lines.say("address", now);
    }
    lines.say("written", back);
    if session.view.chrome == Chrome::Estimate {
        estimate_lines(&session, &mut lines);
    } else {
        array_lines(&session, playhead, &mut lines);
        tool_lines(&session, playhead, &mut lines);
    }
    lines.0
}

/// Returns the link as the page writes it back, or `None` if a part of the link could not be used.
#[must_use]
pub fn written(text: &str) -> Option<String> {
    let (link, session, _) = opened(text);
    session.notices.is_empty().then(|| address(link.to_parts()))
}

const fn room(chrome: Chrome) -> &'static str {
    match chrome {
        Chrome::Full => "full",
        Chrome::Embed => "embed",
        Chrome::Poster => "poster",
        Chrome::Bare => "bare",
        Chrome::Answer => "answer",
        Chrome::Workbench => "workbench",
        Chrome::Estimate => "desk",
        Chrome::Present => "present",
    }
}

/// Number of notices, and the parts of the link that they are about.
fn notices(all: &Notices) -> String {
    let name = |notice: &Notice| match notice {
        Notice::Problem(problem) => problem.field.id(),
        Notice::Second(_) => "cmp",
        Notice::Tool(problem) => problem.tool.id(),
        Notice::Defect(..) => "break",
        Notice::BesideDefect(tool) => tool.id(),
        Notice::Parameter { parameter, .. } => parameter.id(),
        Notice::Meant { meant, .. } => meant.name(),
        Notice::NoSuchPe(_) => Parameter::Pe.id(),
        Notice::Locked(field) => field.id(),
        Notice::Again(name) | Notice::LastCounts(name) => name,
        Notice::PastTheEnd { .. } => "t",
        Notice::LaterVersion { .. } => "v",
        Notice::TooLong | Notice::TooManyParameters | Notice::TooManyUnknown | Notice::Unreadable => "link",
        Notice::ListNotShown => "fill",
        Notice::MatricesMissing => "matrices",
    };
    counted(all.iter().map(name))
}

fn counted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "none".to_owned() } else { format!("{}: {}", names.len(), names.join(", ")) }
}

/// Texts that the page shows for a link: an element's selector and its text.
#[must_use]
pub fn on_the_page(text: &str) -> Vec<Line> {
    let (_, session, playhead) = opened(text);
    let (plan, cycle) = (&*session.plan, playhead.cycle);
    let value = |figure: display::figure::Figure| (format!("#figure-{} .value", figure.id), figure.value);
    let mut all = Vec::new();
    let of_notices = words::message::notices(&session.notices, plan).into_iter().enumerate();
    all.extend(of_notices.map(|(at, text)| (format!("#notices li:nth-child({})", at + 1), text)));
    if session.view.chrome == Chrome::Estimate {
        // The page computes the answers of folded topics only if the link asks for them.
        let is_shown = |topic: &Topic| *topic == Topic::Model || !session.texts.text(topic.parameter()).is_empty();
        for topic in Topic::ALL.into_iter().filter(is_shown) {
            let of = topic.parameter();
            let answer = answer(&Answered::of_link(topic, |parameter| session.texts.text(parameter)));
            all.push((format!("#{of}-title"), answer.title));
            let bill = answer.bill.into_iter().flat_map(|bill| bill.lines);
            let figures = answer.figures.into_iter().chain(bill).map(value);
            all.extend(figures.map(|(css, text)| (format!("#estimate-{of} {css}"), text)));
        }
        return all;
    }
    let status = match session.tools.defect.map(|named| named.on(plan)) {
        Some(Ok(defect)) => {
            let broken = defect::BrokenMachine::at(plan, defect, cycle);
            words::caption::broken(plan, &broken, session.view.selected).at(plan, cycle)
        }
        _ => words::caption::status(plan, cycle, session.view.selected),
    };
    all.push(("#status".to_owned(), status));
    if session.view.chrome != Chrome::Embed {
        let listed = figures::listed(plan);
        let is_shown =
            |figure: &display::figure::Figure| figure.id != "usd-per-useful-pflop-hour" || listed.contains(&figure.id);
        let shown = figures::run_figures(plan).into_iter().filter(is_shown);
        all.extend(shown.chain([figures::so_far_figure(plan, cycle)]).map(value));
    }
    all
}
