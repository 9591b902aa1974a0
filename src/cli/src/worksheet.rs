//! `systolic worksheet`: writes lessons, claims and challenges for printing, with or without the answers.

use std::io::Write;

use lesson::course::{self, Set};
use lesson::{Ask, Card, Change, Choice, Lesson, Paragraph, Question, Scene};
use studio::{Link, Plan};

use crate::arguments::Arguments;
use crate::link;
use crate::problem::{Name, Problem, Problems, Usable};
use crate::words::worksheet as said;

const STYLE: &str = include_str!("worksheet.css");

/// Width and height of a picture, in pixels.
const PICTURE: (f32, f32) = (760.0, 560.0);
/// Width and height of each picture in a pair, in pixels.
const PAIRED: (f32, f32) = (560.0, 480.0);

fn ids() -> impl Iterator<Item = &'static str> {
    Set::ALL.into_iter().flat_map(course::ids_of_set)
}

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let Some(id) = arguments.word(0) else {
        return Ok(ids().try_for_each(|id| writeln!(out, "{id:<20}{}", course::title(id)))?);
    };
    let text = course::text(id).ok_or_else(|| {
        let usable = Usable::OneOf(ids().collect());
        Problem::Value { name: Name::Worksheet, given: id.to_owned(), usable }
    })?;
    let lesson = Lesson::read(text).map_err(|mistake| Problem::Link(lesson::words::mistake(&mistake)))?;
    out.write_all(page(&lesson, arguments.flag("answers")).as_bytes())?;
    Ok(())
}

fn page(lesson: &Lesson, has_answers: bool) -> String {
    let title = escaped(&lesson.title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style>\n<h1>{title}</h1>\n"
    );
    page += &paragraph(&said::about(lesson));
    let mut before = None;
    for (card, nth) in lesson.cards.iter().zip(1..) {
        page += &format!("<section>\n<h2>{nth}. {}</h2>\n", rich(&card.title, &card.scene()));
        // Consecutive cards often have the same state, which is drawn only once.
        page += &match &card.beside {
            Some((beside, plan)) if has_answers => pair((&card.plan, &card.state), (plan, beside)),
            _ if before == Some(&card.state) => String::new(),
            _ => link::drawn(&card.plan, &card.state, PICTURE),
        };
        before = Some(&card.state);
        page += &self::card(card, has_answers);
        page += "</section>\n";
    }
    page + &format!("<footer>{}</footer>\n</html>\n", paragraph(&said::checked(&lesson.id)))
}

/// Draws the run that a claim describes next to the run that disproves the claim, each at its cycle.
fn pair(said: (&Plan, &Link), beside: (&Plan, &Link)) -> String {
    let figure = |(plan, link): (&Plan, &Link), caption: &str| {
        let picture = link::drawn(plan, link, PAIRED);
        format!("<figure>{picture}<figcaption>{}</figcaption></figure>\n", escaped(caption))
    };
    let at = said::at_cycle(beside.1.cycle);
    format!("<div class=\"pair\">\n{}{}</div>\n", figure(said, said::AS_DRAWN), figure(beside, &at))
}

fn card(card: &Card, has_answers: bool) -> String {
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
    if answer.is_empty() { text } else { format!("{text}<aside>\n{answer}</aside>\n") }
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
