//! Reads a lesson from its text and checks the whole lesson against the core.

use core::slice::Iter;

use pulldown_cmark::HeadingLevel;
use studio::defect::DefectName;
use studio::{Field, Link, Plan, Settings};
use systolic::Cycle;
use systolic::flow::Flow;

use crate::blocks::{Block, BlockKind, Item, blocks};
use crate::keys::{Entry, Keys};
use crate::mistake::{What, wrong};
use crate::{
    Best, Card, Change, Expression, Kind, Lesson, Lit, Mistake, Paragraph, Refusal, Scene, Source, check, question,
    vary,
};

const LESSON_KEYS: &[&str] = &["id", "minutes", "about", "aims", "needs", "next", "test"];
const CARD_KEYS: &[&str] = &[
    "kind", "state", "beside", "lit", "words", "run", "ask", "answer", "range", "change", "goal", "best", "shows",
    "solution", "then", "names", "source", "guess", "vary",
];
const FIELDS: &[&str] =
    &["rows", "cols", "m", "k", "n", "df", "dt", "pad", "padm", "overlap", "load", "drain", "ktiles", "chip"];
/// Name in the key `change` for the cycles in which the rows of A enter the array. Except for [`FLOW`], all other names
/// in this key are fields.
const SKEW: &str = "skew";
/// Name in the key `change` for the built dataflow.
const FLOW: &str = "flow";

impl Lesson {
    /// Parses a whole lesson and checks it.
    ///
    /// # Errors
    /// Fails at the first mistake, and returns its line, column and kind.
    pub fn read(text: &str) -> Result<Self, Mistake> {
        lesson(text)
    }
}

fn lesson(text: &str) -> Result<Lesson, Mistake> {
    let blocks = blocks(text)?;
    let mut rest = blocks.iter();
    let Some(Block { what: BlockKind::Heading(HeadingLevel::H1, title), .. }) = rest.next() else {
        return wrong(text, 0, What::OutOfPlace);
    };
    let keys = keys(text, rest.next(), "lesson", LESSON_KEYS)?;
    let minutes = keys.need("minutes")?;
    let lines = |key: &str| keys.list(key).iter().map(|entry| entry.text.to_owned()).collect();
    let mut lesson = Lesson {
        id: keys.need("id")?.text.to_owned(),
        title: title
            .pieces
            .iter()
            .filter_map(|piece| piece.shown(&Scene::new(&Plan::default(), Cycle(0))).ok())
            .collect(),
        minutes: minutes
            .text
            .parse()
            .ok()
            .filter(|&n| n > 0)
            .ok_or_else(|| keys.wrong(minutes.at, What::NoCount(plain::cut(minutes.text))))?,
        aims: keys.need("aims")?.text.split(';').map(|aim| aim.trim().to_owned()).collect(),
        about: keys.get("about").map(|entry| entry.text.to_owned()),
        needs: lines("needs"),
        next: keys.get("next").map(|entry| entry.text.to_owned()),
        is_test: keys.get("test").map(|entry| keys.one_of(entry, &[true], &["yes"])).transpose()?.is_some(),
        cards: Vec::new(),
    };
    while let Some(block) = rest.next() {
        let BlockKind::Heading(HeadingLevel::H2, title) = &block.what else {
            return wrong(text, block.at, What::OutOfPlace);
        };
        let n_parts = rest
            .as_slice()
            .iter()
            .position(|part| matches!(part.what, BlockKind::Heading(HeadingLevel::H1 | HeadingLevel::H2, _)));
        let (parts, after) = rest.as_slice().split_at(n_parts.unwrap_or(rest.as_slice().len()));
        rest = after.iter();
        lesson.cards.push(card(text, (block.at, title), parts.iter(), lesson.cards.last())?);
    }
    let n = lesson.cards.len();
    if n < Lesson::CARDS.0 || n > Lesson::CARDS.1 {
        return wrong(text, text.len(), What::Cards(n));
    }
    Ok(lesson)
}

fn keys<'a>(
    text: &'a str,
    block: Option<&Block>,
    wanted: &str,
    known: &'static [&'static str],
) -> Result<Keys<'a>, Mistake> {
    match block {
        Some(Block { what: BlockKind::Keys(name, body, at), .. }) if name == wanted => {
            Keys::read(text, (*at, body.len()), known)
        }
        other => wrong(text, other.map_or(text.len(), |block| block.at), What::OutOfPlace),
    }
}

/// Contents of a card after its key block.
#[derive(Default)]
pub(crate) struct Parts<'a> {
    text: Vec<Paragraph>,
    /// Byte offset and text of the question or task.
    pub(crate) asked: Option<(usize, Paragraph)>,
    pub(crate) items: &'a [Item],
    why: Vec<Paragraph>,
}

fn parts<'a>(text: &str, blocks: Iter<'a, Block>) -> Result<Parts<'a>, Mistake> {
    let mut parts = Parts::default();
    for block in blocks {
        match &block.what {
            BlockKind::Paragraph(one) if parts.asked.is_none() && parts.why.is_empty() => parts.text.push(one.clone()),
            BlockKind::Heading(HeadingLevel::H3, asked) if parts.asked.is_none() => {
                parts.asked = Some((block.at, asked.clone()));
            }
            BlockKind::List(items) if parts.asked.is_some() && parts.items.is_empty() => parts.items = items,
            BlockKind::Quote(why) if parts.why.is_empty() => parts.why.clone_from(why),
            _ => return wrong(text, block.at, What::OutOfPlace),
        }
    }
    Ok(parts)
}

fn card(
    text: &str,
    (at, title): (usize, &Paragraph),
    mut blocks: Iter<'_, Block>,
    before: Option<&Card>,
) -> Result<Card, Mistake> {
    let block = blocks.next();
    let keys = keys(text, block.or(Some(&Block { at, what: BlockKind::Quote(Vec::new()) })), "card", CARD_KEYS)?;
    let kind = keys.one_of(keys.need("kind")?, &Kind::ALL, &Kind::NAMES)?;
    let (state, plan) = match (keys.get("state"), before) {
        (Some(entry), _) => state(&keys, entry)?,
        (None, Some(before)) => (before.state.clone(), before.plan.clone()),
        (None, None) => return Err(keys.missing("state")),
    };
    let parts = parts(text, blocks)?;
    let mut card = Card {
        title: title.clone(),
        kind,
        beside: keys.get("beside").map(|entry| self::state(&keys, entry)).transpose()?,
        run: None,
        reveal: keys.get("run").map(|entry| keys.expression(entry)).transpose()?,
        then: settings(&keys, "then")?,
        lit: lit(&keys)?,
        words: keys.list("words").iter().map(|entry| entry.text.to_owned()).collect(),
        text: parts.text.clone(),
        question: None,
        change: None,
        why: parts.why.clone(),
        shows: shows(&keys)?,
        source: source(&keys)?,
        vary: Vec::new(),
        state,
        plan,
    };
    if let Some(reveal) = &card.reveal {
        let entry = keys.written("run");
        let run =
            card.reveal_at(reveal).map_err(|why| keys.wrong(entry.at, What::NoValue(plain::cut(entry.text), why)));
        card.run = Some(run?);
    }
    match kind {
        Kind::Explain if parts.asked.is_some() => return wrong(text, at, What::Kind("explain")),
        Kind::Explain => {}
        Kind::Predict => card.question = Some(question::read(text, &keys, &parts, at)?),
        Kind::Change => card.change = Some(change(text, &keys, &parts, at)?),
    }
    check::card(text, &keys, &card)?;
    card.vary = vary::read(&keys, &card)?;
    Ok(card)
}

/// Reads a link, and returns its state of the page and its run.
fn state(keys: &Keys<'_>, entry: Entry<'_>) -> Result<(Link, Plan), Mistake> {
    let (query, fragment) = entry.text.split_once('#').unwrap_or((entry.text, ""));
    let link = Link::parse(query, fragment);
    if let Some(notice) = link.notices.iter().next() {
        let plan = Plan::new(&link.scenario).unwrap_or_default();
        return Err(keys.wrong(entry.at, What::State(::words::message::notice(notice, &plan))));
    }
    if link.unknown != studio::Unknown::default() {
        return Err(keys.wrong(entry.at, What::State(plain::cut(entry.text))));
    }
    match Plan::new(&link.scenario) {
        Ok(plan) if link.cycle <= plan.last() => Ok((link, plan)),
        Ok(_) => Err(keys.wrong(entry.at, What::NoValue("t".to_owned(), Refusal::NotThere))),
        Err(problems) => {
            let what = problems.into_iter().next();
            Err(keys.wrong(entry.at, what.map_or(What::OutOfPlace, |problem| What::Problem(Box::new(problem)))))
        }
    }
}

/// Value of the key `shows` for a claim that no run can decide, but a document can. The card must then have the key
/// `source`.
const SOURCE: &str = "source";

/// Reads the condition that decides a claim. `None` if a document decides the claim.
fn shows(keys: &Keys<'_>) -> Result<Option<Expression>, Mistake> {
    match keys.get("shows") {
        Some(entry) if entry.text == SOURCE && keys.get(SOURCE).is_some() => Ok(None),
        Some(entry) if entry.text == SOURCE => Err(keys.wrong(entry.at, What::Goal(SOURCE))),
        shows => shows.map(|entry| keys.expression(entry)).transpose(),
    }
}

fn source(keys: &Keys<'_>) -> Result<Option<Source>, Mistake> {
    let read = |entry: Entry<'_>| Source::parse(entry.text).ok_or_else(|| keys.wrong(entry.at, What::Goal(SOURCE)));
    keys.get(SOURCE).map(read).transpose()
}

fn lit(keys: &Keys<'_>) -> Result<Vec<Lit>, Mistake> {
    let parts = keys.list("lit");
    if let Some(entry) = parts.get(Lit::MOST) {
        return Err(keys.wrong(entry.at, What::TooManyLit(parts.len())));
    }
    let one = |entry: &Entry<'_>| {
        let wrong = || keys.wrong(entry.at, What::NotOneOf(plain::cut(entry.text), &Lit::NAMES));
        Lit::parse(entry.text).ok_or_else(wrong)
    };
    parts.iter().map(one).collect()
}

fn change(text: &str, keys: &Keys<'_>, parts: &Parts<'_>, at: usize) -> Result<Change, Mistake> {
    let Some((_, asked)) = parts.asked.clone() else { return wrong(text, at, What::Kind("change")) };
    keys.need("change")?;
    let field = |entry: &Entry<'_>| {
        let wrong = || keys.wrong(entry.at, What::NotOneOf(plain::cut(entry.text), FIELDS));
        Field::from_id(entry.text).filter(|field| FIELDS.contains(&field.id())).ok_or_else(wrong)
    };
    let all = keys.list("change");
    let has = |name: &str| all.iter().any(|entry| entry.text == name);
    let of_fields = all.iter().filter(|entry| ![SKEW, FLOW].contains(&entry.text));
    let fields: Vec<Field> = of_fields.map(field).collect::<Result<_, _>>()?;
    let entry = keys.need("solution")?;
    let (mut skew, mut flow, mut solution) = (None, None, Vec::new());
    if has(SKEW) {
        let wrong = || keys.wrong(entry.at, What::NotOneOf(plain::cut(entry.text), &["skew=0.1.2"]));
        let edges = entry.text.strip_prefix("skew=").ok_or_else(wrong)?;
        skew = Some(DefectName::parse(&format!("{SKEW}-{edges}")).ok_or_else(wrong)?);
    } else if has(FLOW) {
        let wrong = || keys.wrong(entry.at, What::NotOneOf(plain::cut(entry.text), &["flow=east,stays,south,1,1"]));
        flow = Some(entry.text.strip_prefix("flow=").and_then(|flow| flow.parse::<Flow>().ok()).ok_or_else(wrong)?);
    } else {
        solution = settings(keys, "solution")?;
    }
    let offered = |entry: &Entry<'_>| {
        let wrong = || keys.wrong(entry.at, What::NotOneOf(plain::cut(entry.text), FIELDS));
        field(entry).and_then(|field| if fields.contains(&field) { Ok(field) } else { Err(wrong()) })
    };
    let guess = keys.get("guess").map(|entry| offered(&entry)).transpose()?;
    let goal = keys.expression(keys.need("goal")?)?;
    let names = keys.need("names")?;
    let named: Vec<String> = keys.list("names").iter().map(|entry| entry.text.to_owned()).collect();
    if named.len() != goal.comparisons().len() {
        return Err(keys.wrong(names.at, What::Goal("names")));
    }
    let hints = parts.items.iter().filter_map(|item| item.paragraphs.first().cloned()).collect();
    Ok(Change { text: asked, fields, guess, goal, named, solution, best: best(keys)?, skew, flow, hints })
}

/// Reads the key `best`, which names the measure for comparing solutions: `smallest m`, `largest utilization`.
fn best(keys: &Keys<'_>) -> Result<Option<Best>, Mistake> {
    let Some(entry) = keys.get("best") else { return Ok(None) };
    let (way, of) = entry.text.split_once(' ').unwrap_or((entry.text, ""));
    let is_largest = keys.one_of(Entry { text: way, ..entry }, &[false, true], &["smallest", "largest"])?;
    let measure = of.to_owned();
    let of = keys.expression(Entry { at: entry.at + way.len() + 1, text: of })?;
    Ok(Some(Best { of, measure, is_largest }))
}

/// Reads settings of the form `m=64, df=os`.
fn settings(keys: &Keys<'_>, key: &str) -> Result<Settings, Mistake> {
    let set = |entry: &Entry<'_>| {
        let wrong = || keys.wrong(entry.at, What::NotOneOf(plain::cut(entry.text), FIELDS));
        let (name, value) = entry.text.split_once('=').ok_or_else(wrong)?;
        let field = Field::from_id(name).ok_or_else(wrong)?;
        let cannot_run = |_| keys.wrong(entry.at, What::NoValue(plain::cut(entry.text), Refusal::CannotRun));
        Ok((field, field.read(value).map_err(cannot_run)?))
    };
    keys.list(key).iter().map(set).collect()
}
