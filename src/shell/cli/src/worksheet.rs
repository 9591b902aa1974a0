//! `systolic worksheet`: writes lessons, claims and challenges for printing, with or without the answers.

use core::ops::RangeInclusive;
use std::io::Write;

use clap::Args;
use export::card::{self, Drawn, Moment};
use lesson::course::{self, Set};
use lesson::{Ask, Card, Change, Choice, Lesson, Paragraph, Question, Scene};

use crate::problem::{Problem, Problems, Usable};
use crate::words::worksheet as said;

const STYLE: &str = include_str!("worksheet.css");

/// Writes a lesson, claims or challenges as a page to print.
///
/// Writes an HTML page to print, with vector pictures. The page contains a lesson, a set of claims or a set of
/// challenges. With --answers, adds the right answers, the misconceptions behind wrong answers, and hints. With
/// --version or --versions, cards that can vary have other numbers. Without an ID, lists all worksheets.
#[derive(Args, Debug)]
#[command(override_usage = "systolic worksheet [ID] [OPTIONS]")]
pub(crate) struct Options {
    /// The worksheet, e.g. multiply.
    #[arg(value_name = "ID", value_parser = text)]
    text: Option<&'static str>,
    /// Adds the right answers, the reasons why other answers are wrong, and hints.
    #[arg(long)]
    answers: bool,
    /// Number of a version, from 1 to 9999, whose cards have other numbers. With --answers, writes the answer key of
    /// this version.
    #[arg(long, value_name = "N", value_parser = version, conflicts_with = "versions", requires = "text")]
    version: Option<u32>,
    /// Count of versions, from 1 to 100, which the page has one after the other.
    #[arg(long, value_name = "COUNT", value_parser = versions, requires = "text")]
    versions: Option<u32>,
}

/// Largest number of a version, and largest count of versions in one page.
const VERSION_MAX: u32 = 9999;
const VERSIONS_MAX: u32 = 100;

fn version(given: &str) -> Result<u32, Usable> {
    whole(given, VERSION_MAX)
}

fn versions(given: &str) -> Result<u32, Usable> {
    whole(given, VERSIONS_MAX)
}

fn whole(given: &str, most: u32) -> Result<u32, Usable> {
    given.parse().ok().filter(|number| (1..=most).contains(number)).ok_or(Usable::UpTo(most.into()))
}

fn ids() -> impl Iterator<Item = &'static str> {
    Set::ALL.into_iter().flat_map(course::ids_of_set)
}

fn text(id: &str) -> Result<&'static str, Usable> {
    course::text(id).ok_or_else(|| Usable::one_of(ids()))
}

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    let Some(text) = options.text else {
        return Ok(ids().try_for_each(|id| writeln!(out, "{id:<20}{}", course::title(id)))?);
    };
    let lesson = Lesson::read(text).map_err(|mistake| Problem::Sentence(lesson::words::mistake(&mistake)))?;
    let versions = match (options.version, options.versions) {
        (Some(version), _) => version..=version,
        (None, Some(count)) => 1..=count,
        (None, None) => 0..=0,
    };
    if *versions.end() > 0 && !lesson.cards.iter().any(Card::can_vary) {
        return Err(Problem::Sentence(said::no_version(&lesson.id)).into());
    }
    out.write_all(page(&lesson, versions, options.answers).as_bytes())?;
    Ok(())
}

fn page(lesson: &Lesson, versions: RangeInclusive<u32>, has_answers: bool) -> String {
    let title = escaped(&lesson::words::titled(&lesson.title, versions.clone()));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style>\n<main>\n"
    );
    for version in versions {
        page += &sheet(&lesson.version(version), version, has_answers);
    }
    page + &format!("</main>\n<footer>{}</footer>\n</html>\n", paragraph(&said::checked(&lesson.id)))
}

/// Returns a version of a lesson, with its number in the title and before each answer.
fn sheet(lesson: &Lesson, version: u32, has_answers: bool) -> String {
    let title = lesson::words::titled(&lesson.title, version..=version);
    let mut page = format!("<h1>{}</h1>\n", escaped(&title)) + &paragraph(&said::about(lesson));
    let moment = if has_answers { Moment::Answered } else { Moment::Asked };
    for ((card, drawn), nth) in lesson.cards.iter().zip(card::pictures(lesson, moment)).zip(1..) {
        page += &format!("<section>\n<h2>{nth}. {}</h2>\n", rich(&card.title, &card.scene()));
        page += &pictures(&drawn);
        page += &self::card(card, (nth, version), has_answers);
        page += "</section>\n";
    }
    page
}

fn pictures(drawn: &[Drawn]) -> String {
    let figure = |one: &Drawn| match &one.caption {
        Some(caption) => format!("<figure>{}<figcaption>{}</figcaption></figure>\n", one.svg, escaped(caption)),
        None => one.svg.clone(),
    };
    let all = drawn.iter().map(figure).collect::<String>();
    if drawn.len() > 1 { format!("<div class=\"pair\">\n{all}</div>\n") } else { all }
}

fn card(card: &Card, (nth, version): (u32, u32), has_answers: bool) -> String {
    let scene = card.scene();
    let mut text = paragraphs(&card.text, &scene);
    if let Some(question) = &card.question {
        text += &format!("<h3>{}</h3>\n", rich(&question.text, &scene));
        text += &asked(question, &scene);
    }
    if let Some(change) = &card.change {
        text += &format!("<h3>{}</h3>\n{}<hr>\n", rich(&change.text, &scene), paragraph(&said::fields(change)));
    }
    if !has_answers {
        return text;
    }
    let mut answer = String::new();
    if let Some(question) = &card.question {
        answer += &answered(question, &scene);
    }
    if let Some(change) = &card.change {
        answer += &solved(change, &scene);
    }
    answer += &paragraphs(&card.why, &scene);
    if let Some(source) = &card.source {
        let (address, quote) = (escaped(&source.address), escaped(&source.quote));
        answer += &format!("<p>{} <a href=\"{address}\">{address}</a>, <q>{quote}</q></p>\n", lesson::words::SOURCE);
    }
    if answer.is_empty() {
        return text;
    }
    let label = said::answer_of(nth, version);
    [text.as_str(), "<aside aria-label=\"", &label, "\">\n", &answer, "</aside>\n"].concat()
}

/// Returns the choices of a question, or a line to write the answer on.
fn asked(question: &Question, scene: &Scene<'_>) -> String {
    match &question.ask {
        Ask::Choose { choices, .. } | Ask::Order(choices) => {
            let listed = question.listed(scene).into_iter().filter_map(|nth| choices.get(nth));
            let items = listed.map(|choice| format!("<li>{}</li>\n", choice_text(choice, scene)));
            format!("<ul>\n{}</ul>\n", items.collect::<String>())
        }
        _ => "<hr>\n".to_owned(),
    }
}

fn choice_text(choice: &Choice, scene: &Scene<'_>) -> String {
    let value = choice.value.value(scene).ok().filter(|_| choice.is_shown).map(lesson::Value::shown);
    let label = rich(&choice.label, scene);
    match value {
        Some(value) => format!("{} {label}", escaped(&value)),
        None => label,
    }
}

fn answered(question: &Question, scene: &Scene<'_>) -> String {
    let right = question.right(scene).map_or_else(|_| String::new(), |right| question.shown(scene, &right));
    let right = if right.is_empty() { String::new() } else { paragraph(&said::right(&right)) };
    let reasons = question.reasons().map(|reason| format!("<p>{}</p>\n", rich(&reason.text, scene)));
    right + &reasons.collect::<String>()
}

fn solved(change: &Change, scene: &Scene<'_>) -> String {
    paragraph(&said::solution(change)) + &paragraphs(&change.hints, scene)
}

fn paragraphs(all: &[Paragraph], scene: &Scene<'_>) -> String {
    all.iter().map(|one| format!("<p>{}</p>\n", rich(one, scene))).collect()
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(text))
}

/// Formats a paragraph with its bold words as HTML.
fn rich(of: &Paragraph, scene: &Scene<'_>) -> String {
    let piece = |piece: &lesson::Piece| {
        let text = escaped(&piece.text(scene));
        if piece.is_strong() { format!("<b>{text}</b>") } else { text }
    };
    of.pieces.iter().map(piece).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
