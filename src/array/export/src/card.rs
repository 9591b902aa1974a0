//! Pictures of a lesson card. Every worksheet, from the page or from the command line, has these pictures.
//!
//! While a card asks, its picture has no number that only the answer may show. A [`Filter`] hides these numbers, also in
//! the array view of the page.

use std::borrow::Cow;

use ::words::drawing;
use lesson::evaluate::plan_with;
use lesson::{Card, Lesson, Lit, words};
use stage::filter::LIT_MAX;
use stage::focus::Part;
use stage::{Filter, Frame, Layer};
use studio::{Link, Plan, PointedValue};
use systolic::Operand;

use crate::View;
use crate::svg::{status, titled};

/// Width and height of a picture, in pixels.
const PICTURE: (f32, f32) = (760.0, 560.0);
/// Width and height of each picture in a pair, in pixels.
const PAIRED: (f32, f32) = (560.0, 480.0);

/// Layers over the array of a card.
const LAYERS: [Layer; 6] = [
    stage::fields::fields,
    stage::broken::draw_queues,
    stage::filter::apply,
    stage::focus::dim,
    stage::marks::marks,
    stage::trace::draw_path,
];

/// A moment at which a card is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The card asks its question or sets its task.
    Asked,
    /// The question is answered, or the task is solved by the best known settings.
    Answered,
}

const fn part(lit: Lit) -> Option<Part> {
    Some(match lit {
        Lit::Array => Part::Array,
        Lit::Wave => Part::Wave,
        Lit::A => Part::Matrix(Operand::A),
        Lit::Element(operand, ..) => Part::Matrix(operand),
        Lit::B => Part::Matrix(Operand::B),
        Lit::C => Part::Matrix(Operand::C),
        Lit::Skew => Part::Skew,
        Lit::Results => Part::Results,
        Lit::Pe(pe) => Part::Pe(pe),
        Lit::Timeline | Lit::Headline => return None,
    })
}

/// Returns the parts of the array view that a card highlights.
#[must_use]
pub fn highlights(lit: &[Lit]) -> [Option<Part>; LIT_MAX] {
    let mut parts = [None; LIT_MAX];
    for (place, lit) in parts.iter_mut().zip(lit.iter().copied().filter_map(part)) {
        *place = Some(lit);
    }
    parts
}

/// Returns the element that a card frames.
#[must_use]
pub fn framed(lit: &[Lit]) -> Option<PointedValue> {
    lit.iter().find_map(|lit| match *lit {
        Lit::Element(operand, row, col) => Some(PointedValue::Element(operand, row, col)),
        _ => None,
    })
}

/// Returns the run and the state that the page shows at a moment.
fn shown(card: &Card, moment: Moment) -> (Cow<'_, Plan>, Cow<'_, Link>) {
    if moment == Moment::Asked {
        return (Cow::Borrowed(&card.plan), Cow::Borrowed(&card.state));
    }
    let mut link = card.state.clone();
    link.cycle = card.run.unwrap_or(link.cycle);
    if let (Some(built), Some(run)) = (&mut link.tools.built, card.run) {
        built.cycle = Some(run.get());
    }
    let Some(change) = &card.change else { return (card.revealed(), Cow::Owned(link)) };
    link.tools = change.solved_tools(&link.tools);
    // A checked card has a solution that can run.
    let solved = plan_with(&card.plan, &change.solution).map_or(Cow::Borrowed(&card.plan), Cow::Owned);
    (solved, Cow::Owned(link))
}

/// A picture of a card on a worksheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Picture as an SVG document.
    pub svg: String,
    /// Caption, if the card has two pictures.
    pub caption: Option<String>,
}

/// Returns the pictures of each card of a lesson. A card has no picture if the previous card has the same picture. A
/// test has no pictures, because a test shows no run.
#[must_use]
pub fn pictures(lesson: &Lesson, moment: Moment) -> Vec<Vec<Drawn>> {
    let mut before = Vec::new();
    let mut one = |card: &Card| {
        let drawn = if lesson.is_test { Vec::new() } else { drawn(card, moment) };
        if drawn == before {
            return Vec::new();
        }
        before.clone_from(&drawn);
        drawn
    };
    lesson.cards.iter().map(&mut one).collect()
}

/// Returns the pictures of a card at a moment. After the answer, a card with a second run has two pictures: the run
/// that the card describes, and the second run.
fn drawn(card: &Card, moment: Moment) -> Vec<Drawn> {
    let filter = Filter::default().with_highlights(highlights(&card.lit));
    let asks = card.hides_run() && moment == Moment::Asked;
    let before = (moment == Moment::Answered && !card.then.is_empty()).then_some(&card.plan);
    if let (Some((beside, second)), Moment::Answered) = (&card.beside, moment) {
        let first = svg((&card.plan, &card.state), None, filter, framed(&card.lit), PAIRED);
        let second = svg((second, beside), None, Filter::default(), None, PAIRED);
        let at = words::beside(beside.cycle);
        return [(first, words::AS_DRAWN.to_owned()), (second, at)]
            .map(|(svg, caption)| Drawn { svg, caption: Some(caption) })
            .into();
    }
    let (plan, link) = shown(card, moment);
    let svg = svg((&plan, &link), before, filter.with_verdicts(!asks), framed(&card.lit), PICTURE);
    vec![Drawn { svg, caption: None }]
}

fn svg(
    (plan, link): (&Plan, &Link),
    before: Option<&Plan>,
    filter: Filter,
    spot: Option<PointedValue>,
    size: (f32, f32),
) -> String {
    let view = View { plan, link, size };
    let cycle = view.cycle();
    let broken = view.broken_at(cycle).map(|broken| if filter.judges() { broken } else { broken.unjudged() });
    let broken = broken.as_ref();
    let frame = Frame { filter, broken, spot, before, layers: &LAYERS, ..Frame::new(plan, cycle) };
    // The caption of a cycle can say what the card asks.
    let title =
        if filter.judges() { status(&view, cycle, broken) } else { drawing::name(link.tools.picture).to_owned() };
    titled(&view, &title, &view.picture_of(frame))
}
