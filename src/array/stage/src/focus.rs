//! Highlighted parts of the array view: all other parts are dimmed.

use super::class::fade;
use super::geometry::Place;
use super::{Detail, Frame, Scene};
use display::Tone;
use display::picture::{Mark, Outline, Picture, Rect, Stroke};
use systolic::{Operand, PeId, Slot};

/// A part of the array view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All PEs.
    Array,
    /// The PEs that do a useful multiplication.
    Wave,
    /// One matrix.
    Matrix(Operand),
    /// The operands that enter the array, and their skew registers.
    Skew,
    /// The results that leave the array.
    Results,
    /// One PE, marked with a ring.
    Pe(PeId),
}

/// Margins around the elements of a matrix: left and right for the brackets, and above for the name. `BELOW` is the
/// margin below, for the number of complete elements.
const AROUND: (f32, f32) = (14.0, 26.0);
const BELOW: f32 = 18.0;
/// Largest horizontal and vertical distance between a mark and the start or center of a matrix's name. Closer marks
/// belong to the name.
const NAME: (f32, f32) = (74.0, 12.0);

/// Regions of a picture. The region around a mark determines the part of the view to which the mark belongs.
struct Regions<'a> {
    frame: &'a Frame<'a>,
    scene: &'a Scene,
    array: Rect,
}

fn contains(rect: &Rect, (x, y): (f32, f32), by: f32) -> bool {
    x >= rect.x - by && x <= rect.x + rect.w + by && y >= rect.y - by && y <= rect.y + rect.h + by
}

impl Regions<'_> {
    /// True if a mark at a point belongs to a highlighted part.
    fn is_lit(&self, at: (f32, f32)) -> bool {
        let has = |part: Part| self.frame.filter.lights(part);
        if contains(&self.array, at, 1.0) {
            let pe = self.scene.layout.hit(at.0, at.1);
            return has(Part::Array) || pe.is_some_and(|pe| has(Part::Pe(pe)) || (has(Part::Wave) && self.is_busy(pe)));
        }
        let is_of = |operand: &Operand| {
            self.scene.place(*operand).is_some_and(|Place { rect, name, .. }| {
                let is_name = (at.0 - name.0).abs() <= NAME.0 && (at.1 - name.1).abs() <= NAME.1;
                let (x, y) = (rect.x - AROUND.0, rect.y - AROUND.1);
                let around = Rect::new(x, y, rect.w + 2.0 * AROUND.0, rect.h + AROUND.1 + BELOW);
                is_name || contains(&around, at, 0.0)
            })
        };
        match [Operand::A, Operand::B, Operand::C].iter().find(|operand| is_of(operand)) {
            Some(operand) => has(Part::Matrix(*operand)),
            None if at.1 > self.array.y + self.array.h => has(Part::Results),
            None if at.0 < self.array.x => has(Part::Skew),
            None => has(Part::Array),
        }
    }

    fn is_busy(&self, pe: PeId) -> bool {
        self.frame.plan.schedule().slot(self.frame.cycle, pe) == Slot::Useful
    }
}

/// Layer that dims everything outside the highlighted parts.
pub fn dim(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    if !frame.filter.lights_some() {
        return;
    }
    let layout = &scene.layout;
    let regions = Regions { frame, scene, array: layout.array() };
    for mark in &mut picture.marks {
        let at = match mark {
            Mark::Shape { rect, .. } | Mark::Hatch { rect, .. } => rect.center(),
            Mark::Text { at, .. } => *at,
            Mark::Line { from, to, .. } => (f32::midpoint(from.0, to.0), f32::midpoint(from.1, to.1)),
            Mark::Area { points, .. } => match (points.first(), points.last()) {
                (Some(a), Some(b)) => (f32::midpoint(a.0, b.0), f32::midpoint(a.1, b.1)),
                _ => continue,
            },
            Mark::Bitmap { .. } => continue,
        };
        if !regions.is_lit(at) {
            step_back(mark);
        }
    }
    if layout.detail <= Detail::Block {
        return;
    }
    let (off, width) = if layout.detail >= Detail::Registers { (4.0, 3.0) } else { (1.0, 2.0) };
    for pe in layout.pes().filter(|pe| frame.filter.lights(Part::Pe(*pe))) {
        let rect = layout.cell_of(pe);
        let around = Rect::new(rect.x - off, rect.y - off, rect.w + 2.0 * off, rect.h + 2.0 * off);
        picture.shape(around, Outline::Box(10), Tone::Clear, Stroke::solid(Tone::Chosen, width));
    }
}

fn step_back(mark: &mut Mark) {
    match mark {
        Mark::Shape { fill, stroke, .. } => fade(fill, stroke),
        Mark::Text { tone, bold, .. } => (*tone, *bold) = (Tone::Faint, false),
        Mark::Line { stroke, .. } => stroke.tone = Tone::Ghost,
        Mark::Hatch { tone, .. } => *tone = Tone::Ghost,
        // The ground behind registers is already paler than other dimmed marks.
        Mark::Area { fill: Tone::Sunken, .. } | Mark::Bitmap { .. } => {}
        Mark::Area { fill, .. } => *fill = Tone::Ghost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as stage;
    use studio::Plan;
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn drawn(lit: &[Part], (width, height): (f32, f32)) -> Picture {
        let plan = Plan::default();
        let mut picture = Picture::default();
        let mut parts = [None; 3];
        for (part, lit) in parts.iter_mut().zip(lit) {
            *part = Some(*lit);
        }
        let filter = crate::Filter::default().with_highlights(parts);
        let frame = Frame { filter, layers: &[dim], ..Frame::new(&plan, Cycle(7)) };
        stage::draw(&frame, width, height, &mut picture);
        picture
    }

    fn n_faint(picture: &Picture) -> usize {
        picture.marks.iter().filter(|mark| matches!(mark, Mark::Text { tone: Tone::Faint, .. })).count()
    }

    #[test]
    fn with_nothing_lit_nothing_changes() {
        let plan = Plan::default();
        let mut whole = Picture::default();
        stage::draw(&Frame::new(&plan, Cycle(7)), 984.0, 640.0, &mut whole);
        assert_eq!(drawn(&[], (984.0, 640.0)), whole);
    }

    #[test]
    fn what_is_lit_keeps_its_look_and_the_rest_steps_back() {
        for size in [(984.0, 640.0), (560.0, 400.0), (340.0, 330.0)] {
            let whole = drawn(&[], size);
            let array = drawn(&[Part::Array], size);
            let a = drawn(&[Part::Matrix(Operand::A)], size);
            // The highlight does not move or remove a mark. The numbers of the PEs stay.
            assert_eq!(array.marks.len(), whole.marks.len(), "{size:?}");
            let sums = |picture: &Picture| {
                let bold = |mark: &&Mark| matches!(mark, Mark::Text { bold: true, text, .. } if text == "\u{2212}122");
                picture.marks.iter().filter(bold).count()
            };
            assert_eq!((sums(&whole), sums(&array)), (1, 1), "{size:?}");
            assert_eq!(sums(&a), 0, "{size:?}");
            assert!(n_faint(&a) > n_faint(&array), "{size:?}");
        }
    }

    #[test]
    fn the_wave_is_the_pes_that_multiply_and_a_single_pe_has_a_ring() {
        let n_bold = |lit: &[Part]| {
            let picture = drawn(lit, (984.0, 640.0));
            picture.marks.iter().filter(|mark| matches!(mark, Mark::Text { bold: true, .. })).count()
        };
        // Each of the nine PEs that multiply at cycle 7 has one sum.
        assert_eq!(n_bold(&[Part::Wave]), 9);
        let n = |lit: &[Part]| drawn(lit, (984.0, 640.0)).marks.len();
        assert_eq!(n(&[Part::Pe(PeId::new(1, 0))]) - n(&[Part::Array]), 1);
    }
}
