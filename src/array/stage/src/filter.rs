//! A filter of the array view: shapes that a user switched off in the legend become outlines everywhere.

use super::cells::{PARTIAL, RESULT, SUM};
use super::focus::Part;
use super::{Detail, Frame, Scene};
use display::Tone;
use display::picture::{Mark, Picture, Rect, Stroke};
use systolic::{Operand, PeId};
use words::legend::Shape;

/// Bit of `Filter::off` that does not belong to a shape. If this bit is set, errors of the array stay hidden from the
/// user.
const UNJUDGED: u8 = 1 << 7;

/// Maximum number of highlighted parts.
pub const LIT_MAX: usize = 3;

/// Shapes that are shown (all by default), and parts of the array view that are highlighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// One bit for each shape that is off, and [`UNJUDGED`].
    off: u8,
    /// Highlighted parts; if no part is highlighted, no part is dimmed.
    lit: [Option<Part>; LIT_MAX],
}

impl Filter {
    /// True if a shape is shown.
    #[must_use]
    pub const fn shows(self, shape: Shape) -> bool {
        self.off & (1 << shape as u8) == 0
    }

    /// Returns a copy with one shape switched on or off.
    #[must_use]
    pub const fn switched(self, shape: Shape) -> Self {
        Self { off: self.off ^ (1 << shape as u8), ..self }
    }

    /// Returns a copy with these parts highlighted.
    #[must_use]
    pub const fn with_highlights(self, lit: [Option<Part>; LIT_MAX]) -> Self {
        Self { lit, ..self }
    }

    /// Returns the last PE among the highlighted parts.
    #[must_use]
    pub fn highlighted_pe(&self) -> Option<PeId> {
        self.lit.iter().rev().flatten().find_map(|part| if let Part::Pe(pe) = part { Some(*pe) } else { None })
    }

    /// Returns a copy that marks errors of the array only if `judges` is true. Otherwise, the user has to find the
    /// errors.
    #[must_use]
    pub const fn with_verdicts(self, judges: bool) -> Self {
        Self { off: if judges { self.off & !UNJUDGED } else { self.off | UNJUDGED }, ..self }
    }

    /// True if errors of the array are marked.
    #[must_use]
    pub const fn judges(&self) -> bool {
        self.off & UNJUDGED == 0
    }

    /// True if a part is highlighted.
    pub(crate) fn lights(self, part: Part) -> bool {
        self.lit.contains(&Some(part))
    }

    /// True if any part is highlighted.
    pub(crate) fn lights_some(self) -> bool {
        self.lit.iter().any(Option::is_some)
    }
}

/// Returns the shape of a kind of token.
const fn shape_of(kind: u8) -> Shape {
    match kind {
        SUM | PARTIAL => Shape::Chevron,
        RESULT => Shape::Hexagon,
        kind if kind == Operand::A as u8 => Shape::Pill,
        _ => Shape::Notch,
    }
}

/// Layer under all others: draws shapes that are switched off as outlines.
pub fn apply(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let filter = frame.filter;
    if filter.off & !UNJUDGED == 0 {
        return;
    }
    let off: Vec<_> = picture.tokens.iter().filter(|token| !filter.shows(shape_of(token.id.kind))).collect();
    for marks in off.into_iter().map(|token| token.marks.clone()) {
        picture.marks[marks].iter_mut().for_each(hide);
    }
    let matrices = [(Operand::A, Shape::Pill), (Operand::B, Shape::Notch), (Operand::C, Shape::Hexagon)];
    let places = matrices.into_iter().filter(|(_, shape)| !filter.shows(*shape));
    let hidden: Vec<Rect> = places.filter_map(|(operand, _)| scene.place(operand)).map(|place| place.rect).collect();
    // A cell with one value shows its sum.
    let has_sums = scene.layout.detail != Detail::Value || filter.shows(Shape::Chevron);
    for mark in &mut picture.marks {
        let is_in = |(x, y): (f32, f32)| {
            hidden.iter().any(|rect| x > rect.x && x < rect.x + rect.w && y > rect.y && y < rect.y + rect.h)
        };
        match mark {
            Mark::Shape { rect, .. } | Mark::Hatch { rect, .. } if is_in(rect.center()) => hide(mark),
            Mark::Area { points, .. } if points.first().is_some_and(|point| is_within(&hidden, *point)) => hide(mark),
            Mark::Text { at, .. } if is_in(*at) => hide(mark),
            Mark::Text { at, bold: true, .. } if !has_sums && scene.layout.hit(at.0, at.1).is_some() => hide(mark),
            _ => {}
        }
    }
}

/// True if a point is in one of the rectangles or on an edge.
fn is_within(rects: &[Rect], (x, y): (f32, f32)) -> bool {
    rects.iter().any(|rect| x >= rect.x && x <= rect.x + rect.w && y >= rect.y && y <= rect.y + rect.h)
}

fn hide(mark: &mut Mark) {
    match mark {
        Mark::Shape { fill, stroke, .. } => {
            let tone = if stroke.tone == Tone::Clear { Tone::Clear } else { Tone::Ghost };
            (*fill, *stroke) = (Tone::Clear, Stroke { tone, width: stroke.width.min(1.0), ..*stroke });
        }
        Mark::Text { text, .. } => text.clear(),
        Mark::Line { stroke, .. } => stroke.tone = Tone::Ghost,
        Mark::Hatch { tone, .. } => *tone = Tone::Ghost,
        Mark::Area { fill, .. } => *fill = Tone::Clear,
        Mark::Bitmap { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as stage;
    use studio::{Link, Plan};
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const ALL: [Shape; 4] = [Shape::Pill, Shape::Notch, Shape::Chevron, Shape::Hexagon];

    fn drawn(plan: &Plan, cycle: u64, filter: Filter, (width, height): (f32, f32)) -> Picture {
        let mut picture = Picture::default();
        stage::draw(
            &Frame { filter, layers: &[crate::fields::fields, apply], ..Frame::new(plan, Cycle(cycle)) },
            width,
            height,
            &mut picture,
        );
        picture
    }

    #[test]
    fn a_shape_that_is_off_has_no_number_and_every_other_keeps_its_own() {
        for query in ["df=ws", "df=os&drain=south", "df=is", "df=ws&rows=3&cols=3&overlap=double-buffered"] {
            let query = format!("rows=4&cols=4&m=6&k=4&n=4&dt=int8&{query}");
            let plan = Plan::new(&Link::parse(&query, "").scenario).expect("a run");
            for (cycle, off) in (0..=plan.last().get()).flat_map(|cycle| ALL.map(|shape| (cycle, shape))) {
                let filter = Filter::default().switched(off);
                let (whole, part) = (
                    drawn(&plan, cycle, Filter::default(), (1100.0, 760.0)),
                    drawn(&plan, cycle, filter, (1100.0, 760.0)),
                );
                // The filter does not move or remove a mark or a token.
                assert_eq!((whole.marks.len(), &whole.tokens), (part.marks.len(), &part.tokens), "{query} {cycle}");
                for token in &part.tokens {
                    let texts = |picture: &Picture| {
                        let texts = picture.marks[token.marks.clone()].iter();
                        texts.filter(|mark| matches!(mark, Mark::Text { text, .. } if !text.is_empty())).count()
                    };
                    let left = if shape_of(token.id.kind) == off { 0 } else { texts(&whole) };
                    assert_eq!(texts(&part), left, "{query} {cycle} {off:?}");
                }
            }
            assert_eq!(Filter::default().switched(Shape::Pill).switched(Shape::Pill), Filter::default());
            // The bit for verdicts does not belong to a shape.
            let open = Filter::default().with_verdicts(false);
            assert!(!open.judges() && ALL.iter().all(|shape| open.shows(*shape)), "{query}");
            assert_eq!(open.with_verdicts(true), Filter::default());
        }
    }

    #[test]
    fn small_cells_hide_their_sums_and_fields_their_matrices() {
        let plan = Plan::new(&Link::parse("rows=4&cols=4&m=9&k=4&n=4&df=ws", "").scenario).expect("a run");
        let n = |filter| drawn(&plan, 11, filter, (210.0, 210.0)).texts().filter(|text| !text.is_empty()).count();
        let n_hidden = n(Filter::default()) - n(Filter::default().switched(Shape::Chevron));
        assert!(n_hidden >= 10, "{n_hidden}");
        let large = Plan::new(&Link::parse("rows=256&cols=256&m=512&k=256&n=256", "").scenario).expect("a run");
        let fills = |filter| {
            let picture = drawn(&large, 700, filter, (1100.0, 760.0));
            picture.marks.iter().filter(|mark| matches!(mark, Mark::Area { fill, .. } if *fill != Tone::Clear)).count()
        };
        assert!(fills(Filter::default().switched(Shape::Pill)) < fills(Filter::default()));
    }
}
