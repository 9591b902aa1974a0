//! Numbers of a card that may vary: the key `vary`.

use studio::{Field, FieldValue, Link, Plan};
use systolic::Cycle;

use crate::draw::Draw;
use crate::evaluate::whole;
use crate::keys::{Entry, Keys};
use crate::mistake::What;
use crate::{Card, Expression, Mistake, Scene};

/// A number of a card's state that differs between versions of the card, with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// Field of the state, or `None` for the cycle of the state (`t`).
    pub field: Option<Field>,
    /// Values that a version may have.
    pub values: Values,
}

/// Values that a number may have in a version of a card.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers: `3 to 9`.
    Range {
        /// Smallest number.
        least: u64,
        /// Largest number.
        most: u64,
    },
    /// At least two values: `int8 bf16`.
    List(Vec<FieldValue>),
    /// Whole number that the core computes from the numbers that come before: `as rows`, `as cols - 1`.
    As(Expression),
}

/// Name of the cycle in the key `vary`, as in a link. All other names in this key are fields.
const CYCLE: &str = "t";
/// Names of the values that may vary. A card with a built dataflow can vary only the seed.
const NAMES: &[&str] = &[
    "seed", CYCLE, "rows", "cols", "m", "k", "n", "df", "dt", "pad", "padm", "overlap", "load", "drain", "ktiles",
    "chip",
];
/// Seeds of a card that names no range.
const SEEDS: Values = Values::Range { least: 1, most: 999 };

/// Reads the key `vary`: `seed, m 3 to 9, k as rows, dt int8 bf16`.
pub(crate) fn read(keys: &Keys<'_>, card: &Card) -> Result<Vec<Vary>, Mistake> {
    if let Some(entry) = keys.get("vary").filter(|_| card.change.as_ref().is_some_and(|change| change.best.is_some())) {
        return Err(keys.wrong(entry.at, What::Vary("best", plain::cut(entry.text))));
    }
    let mut all: Vec<Vary> = Vec::new();
    for entry in keys.list("vary") {
        let one = one(keys, entry, card)?;
        if all.iter().any(|other| other.field == one.field) {
            return Err(keys.wrong(entry.at, What::Vary("twice", plain::cut(entry.text))));
        }
        all.push(one);
    }
    Ok(all)
}

fn one(keys: &Keys<'_>, entry: Entry<'_>, card: &Card) -> Result<Vary, Mistake> {
    let wrong = |why| keys.wrong(entry.at, What::Vary(why, plain::cut(entry.text)));
    let words: Vec<&str> = entry.text.split_whitespace().collect();
    let [name, values @ ..] = words.as_slice() else { return Err(wrong("values")) };
    if !NAMES.contains(name) {
        return Err(keys.wrong(entry.at, What::NotOneOf(plain::cut(name), NAMES)));
    }
    let field = Field::from_id(name);
    let is_there = match field {
        // The page runs a built dataflow on matrices of four rows and columns.
        Some(field) if card.state.tools.built.is_some() => field == Field::Seed,
        Some(Field::M | Field::K | Field::N) => card.plan.scenario().a.is_none(),
        Some(field) => card.plan.scenario().uses(field),
        None => card.state.tools.built.is_none(),
    };
    if !is_there {
        return Err(wrong("state"));
    }
    let read = |text: &str| match field {
        Some(field) => field.read(text).map_err(|problem| keys.wrong(entry.at, What::Problem(Box::new(problem)))),
        None => text.parse().map(FieldValue::Count).map_err(|_| wrong("values")),
    };
    let whole = |text: &str| read(text)?.number().ok_or_else(|| wrong("values"));
    let values = match *values {
        [] if field == Some(Field::Seed) => SEEDS,
        [least, "to", most] => match (whole(least)?, whole(most)?) {
            (least, most) if least < most => Values::Range { least, most },
            _ => return Err(wrong("empty")),
        },
        ["as", ..] => {
            // The expression begins after the word `as`, which begins after the name.
            let begin = entry.text.find(" as ").map_or(0, |at| at + " as ".len());
            let of = Entry { at: entry.at + begin, text: entry.text.get(begin..).unwrap_or("") };
            Values::As(keys.expression(of)?)
        }
        [_, _, ..] => Values::List(values.iter().map(|text| read(text)).collect::<Result<_, _>>()?),
        _ => return Err(wrong("values")),
    };
    Ok(Vary { field, values })
}

impl Vary {
    /// Draws a value. `link` has the values that were drawn before.
    fn draw(&self, draw: &mut Draw, link: &Link) -> Option<FieldValue> {
        Some(match &self.values {
            Values::Range { least, most } => FieldValue::Count(least + draw.below((most - least).saturating_add(1))),
            Values::List(all) => {
                let index = usize::try_from(draw.below(u64::try_from(all.len()).ok()?)).ok()?;
                all.get(index)?.clone()
            }
            Values::As(expression) => {
                let plan = Plan::new(&link.scenario).ok()?;
                FieldValue::Count(expression.value(&Scene::new(&plan, link.cycle)).and_then(whole).ok()?)
            }
        })
    }
}

/// A state of a card, and its run.
type State = (Link, Plan);

/// Draws the states of a version of a card, each with its run: the state of the card, and the state next to it. The
/// second state has the new value of a number only if both states had equal values before. `None` if a state has no
/// run, or if its run does not have the cycle of the state.
pub(crate) fn states(card: &Card, draw: &mut Draw) -> Option<(State, Option<State>)> {
    let (mut link, mut beside) = (card.state.clone(), card.beside.as_ref().map(|(link, _)| link.clone()));
    for one in &card.vary {
        let value = one.draw(draw, &link)?;
        for state in [Some(&mut link), beside.as_mut()].into_iter().flatten() {
            match one.field {
                Some(field) if state.scenario.get(field) == card.state.scenario.get(field) => {
                    state.scenario.set(field, value.clone()).ok()?;
                }
                None if state.cycle == card.state.cycle => state.cycle = Cycle(value.number()?),
                _ => {}
            }
        }
    }
    let beside = match beside {
        Some(link) => Some(opened(&link)?),
        None => None,
    };
    Some((opened(&link)?, beside))
}

/// Opens a state as a link opens it. `None` if the link has a mistake.
fn opened(link: &Link) -> Option<State> {
    let (query, fragment) = link.to_parts();
    let link = Link::parse(&query, &fragment);
    let plan = Plan::new(&link.scenario).ok()?;
    let has_pe = link.view.selected.is_none_or(|pe| plan.schedule().array().contains(pe));
    (link.notices.iter().next().is_none() && link.cycle <= plan.last() && has_pe).then_some((link, plan))
}
