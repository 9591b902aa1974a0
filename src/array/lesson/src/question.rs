//! Reads the question of a card.

use crate::blocks::Item;
use crate::keys::Keys;
use crate::lesson::Reason;
use crate::mistake::{What, wrong};
use crate::reader::Parts;
use crate::{Ask, Choice, Expression, Mistake, Named, Paragraph, Piece, Position, Question, RightChoice, Value, words};

/// Verdicts on a claim as lesson files write them, in the order of [`words::CLAIMED`].
const CLAIMED: [&str; 3] = ["true", "wrong", "depends"];

systolic::named! {
    #[derive(Clone, Copy)]
    exact enum Form {
        Choose => "choose",
        Number => "number",
        Register => "register",
        Cycle => "cycle",
        Pe => "pe",
        Pes => "pes",
        Order => "order",
        Formula => "formula",
        Claim => "claim",
    }
}

pub(crate) fn read(text: &str, keys: &Keys<'_>, parts: &Parts<'_>, at: usize) -> Result<Question, Mistake> {
    use Form::{Choose, Claim, Cycle, Formula, Number, Order, Pe, Pes, Register};
    let form = keys.one_of(keys.need("ask")?, &Form::ALL, &Form::NAMES)?;
    let asked = match (parts.asked.clone(), form) {
        (None, Claim) => said(words::CLAIM, at),
        (Some((_, asked)), _) => asked,
        (None, _) => return wrong(text, at, What::Kind("predict")),
    };
    let answer = || keys.expression(keys.need("answer")?);
    let ask = match form {
        Choose => Ask::Choose { choices: choices(text, parts.items)?, right: right(keys)? },
        Order => Ask::Order(choices(text, parts.items)?),
        Number => Ask::Number { answer: answer()?, range: range(keys)? },
        Register => Ask::Register(answer()?),
        Cycle => Ask::Cycle(answer()?),
        Pe => Ask::Pe(answer()?),
        Pes => Ask::Pes(answer()?),
        Formula => Ask::Formula(answer()?),
        Claim => claim(keys, at)?,
    };
    let named = match ask {
        Ask::Choose { .. } | Ask::Order(_) => Vec::new(),
        _ => parts.items.iter().map(|item| named(text, item)).collect::<Result<_, _>>()?,
    };
    Ok(Question { text: asked, ask, named })
}

/// Returns a paragraph with a text from [`words`] instead of a text from the lesson.
fn said(text: &str, at: usize) -> Paragraph {
    Paragraph { pieces: vec![Piece::Text { text: text.to_owned(), is_strong: false, at }] }
}

/// Returns the form of the answer to a claim: a choice among the three verdicts.
fn claim(keys: &Keys<'_>, at: usize) -> Result<Ask, Mistake> {
    let right = keys.one_of(keys.need("answer")?, &[0, 1, 2], &CLAIMED)?;
    keys.need("shows")?;
    let choice = |(label, nth): (&str, u64)| Choice {
        value: Expression::Number(Value::count(nth)),
        is_shown: false,
        label: said(label, at),
        reason: None,
        at,
    };
    let choices = words::CLAIMED.into_iter().zip(0..).map(choice).collect();
    Ok(Ask::Choose { choices, right: RightChoice::Claimed(right) })
}

fn right(keys: &Keys<'_>) -> Result<RightChoice, Mistake> {
    let entry = keys.need("answer")?;
    Ok(match entry.text {
        "largest" => RightChoice::Largest,
        "smallest" => RightChoice::Smallest,
        "true" => RightChoice::Holds,
        _ => RightChoice::Equal(keys.expression(entry)?),
    })
}

fn range(keys: &Keys<'_>) -> Result<Option<(Expression, Expression)>, Mistake> {
    let Some(entry) = keys.get("range") else { return Ok(None) };
    let Some((least, most)) = entry.text.split_once(" to ") else {
        return Err(keys.wrong(entry.at, What::Sign(plain::cut(entry.text))));
    };
    let wrong = |(byte, what): (usize, What)| keys.wrong(entry.at + byte, what);
    Ok(Some((Expression::parse(least).map_err(wrong)?, Expression::parse(most).map_err(wrong)?)))
}

/// Splits the first paragraph of an item into its value and its text. The flag is true if the page shows the value.
fn first_paragraph(text: &str, item: &Item) -> Result<(Expression, bool, Paragraph), Mistake> {
    let mut label = item.paragraphs.first().cloned().unwrap_or_default();
    let (value, is_shown) = match label.pieces.first() {
        Some(Piece::Value { value, .. }) => (value.clone(), true),
        Some(Piece::Code { text: code, at }) => {
            let value = Expression::parse(code);
            let wrong = |(byte, what): (usize, What)| Mistake { at: Position::of(text, at + 1 + byte), what };
            (value.map_err(wrong)?, false)
        }
        _ => return wrong(text, item.at, What::Choices("value")),
    };
    label.pieces.remove(0);
    if let Some(Piece::Text { text, .. }) = label.pieces.first_mut() {
        *text = text.trim_start().to_owned();
    }
    Ok((value, is_shown, label))
}

fn reason(item: &Item) -> Option<Reason> {
    let text = item.paragraphs.get(1)?.clone();
    let is_named = text.pieces.first().is_some_and(Piece::is_strong);
    is_named.then_some(Reason { text })
}

fn choices(text: &str, items: &[Item]) -> Result<Vec<Choice>, Mistake> {
    let choice = |item: &Item| {
        let (value, is_shown, label) = first_paragraph(text, item)?;
        let reason = reason(item);
        if item.paragraphs.len() > 1 && reason.is_none() {
            return wrong(text, item.at, What::NoReason);
        }
        Ok(Choice { value, is_shown, label, reason, at: item.at })
    };
    items.iter().map(choice).collect()
}

fn named(text: &str, item: &Item) -> Result<Named, Mistake> {
    let (value, ..) = first_paragraph(text, item)?;
    match reason(item) {
        Some(reason) => Ok(Named { value, reason, at: item.at }),
        None => wrong(text, item.at, What::NoReason),
    }
}
