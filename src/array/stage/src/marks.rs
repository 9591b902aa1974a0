//! Marks over an array with a fault: wrong sums, and operands that meet although they do not belong together.

use crate::cells::text_width;
use crate::layers::glass;
use crate::{Detail, Frame, GLYPH, Layout, Scene, TEXT_MIN};
use display::Tone;
use display::picture::{Anchor, Dash, Outline, Picture, Rect, Stroke, between};
use studio::defect::Cell;

/// Layer that marks every PE with an error.
pub fn marks(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let Some(broken) = frame.broken else { return };
    mark_all(scene.layout.pes().filter_map(|pe| broken.cell(pe)), &scene.layout, picture);
}

/// Layer over the lens: marks every PE with an error that the lens shows.
pub fn marks_under_lens(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let (Some(broken), Some(glass)) = (frame.broken, glass(frame, &scene.layout, picture.width, picture.height)) else {
        return;
    };
    mark_all(glass.pes().filter_map(|pe| broken.cell(pe)), &glass, picture);
}

/// Draws the outlines of all marks, then the backgrounds of all labels, then all texts. In this order, the pen changes
/// only three times in all. Otherwise, the pen would change three times for each of a thousand PEs.
fn mark_all<'a>(cells: impl Iterator<Item = &'a Cell>, layout: &Layout, picture: &mut Picture) {
    let cells: Vec<&Cell> = cells.filter(|cell| cell.is_wrong || cell.clash.is_some()).collect();
    for cell in &cells {
        edge(layout.cell_of(cell.probe.pe), layout, picture);
    }
    if layout.detail < Detail::Glyph {
        return;
    }
    let size = between(layout.cell * 0.12, TEXT_MIN, 14.0);
    let plates: Vec<(Rect, String)> = cells.into_iter().filter_map(|cell| plate(cell, layout, size)).collect();
    for (plate, _) in &plates {
        picture.shape(*plate, Outline::Box(3), Tone::Ground, Stroke::solid(Tone::Clear, 0.0));
    }
    for (plate, text) in plates {
        picture.bold(plate.center(), text, size, Anchor::Middle, Tone::Wrong);
    }
}

/// Draws the outline of a mark around a cell, or a filled mark inside a cell of a few pixels.
fn edge(rect: Rect, layout: &Layout, picture: &mut Picture) {
    if layout.detail < Detail::Glyph {
        // The mark is smaller than the block, so that the color of the PE stays visible around it.
        let off = if rect.w < 4.0 { 0.0 } else { rect.w * 0.25 };
        let inside = Rect::new(rect.x + off, rect.y + off, rect.w - 2.0 * off, rect.h - 2.0 * off);
        picture.shape(inside, Outline::Box(0), Tone::Wrong, Stroke::solid(Tone::Clear, 0.0));
        return;
    }
    let around = Rect::new(rect.x - 2.0, rect.y - 2.0, rect.w + 4.0, rect.h + 4.0);
    let width = if layout.detail == Detail::Glyph { 2.0 } else { 3.0 };
    picture.shape(around, Outline::Box(9), Tone::Clear, Stroke { tone: Tone::Wrong, width, dash: Dash::Dashed });
}

/// Returns the rectangle and text of a cell's label in this text size; `None` if there is no text.
fn plate(cell: &Cell, layout: &Layout, size: f32) -> Option<(Rect, String)> {
    // Number of letters that fit in the width of the cell.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few letters")]
    let letters = ((layout.pitch - 5.0) / (GLYPH * size)) as usize;
    let text = match (cell.clash, cell.stray) {
        (Some((x, w)), _) => words::picture::clash(&x, &w, letters),
        (None, Some((own, sum))) => words::picture::stray(own, sum, letters),
        (None, None) if layout.detail >= Detail::Compact => "!".to_owned(),
        (None, None) => return None,
    };
    let (wide, tall) = (text_width(&text, size) + 4.0, size);
    let rect = layout.cell_of(cell.probe.pe);
    // The mark is on the upper edge, so that it covers no number of this cell or of the cell above. In the smallest
    // cells, it replaces the glyph.
    let middle = if layout.detail == Detail::Glyph { rect.center().1 } else { rect.y + 2.0 - tall / 2.0 };
    Some((Rect::new(rect.center().0 - wide / 2.0, middle - tall / 2.0, wide, tall), text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as stage;
    use display::picture::Mark;
    use studio::defect::{BrokenMachine, Defect, outcomes};
    use studio::{Link, Plan};
    use systolic::{Cycle, PeId};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_wrong_pe_is_marked_at_every_size_and_no_other() {
        let plan = Plan::new(&Link::parse("rows=32&cols=32&m=40&k=32&n=32&df=os&dt=int8", "").scenario).expect("a run");
        let broken = BrokenMachine::at(&plan, Defect::NoSkew, Cycle(30));
        let wrong = broken.cells().iter().filter(|cell| cell.is_wrong || cell.clash.is_some()).count();
        assert!(wrong > 100 && wrong < 1024, "{wrong}");
        let layers: &[stage::Layer] = &[marks];
        for (side, detail) in [(150.0, Detail::Pixel), (400.0, Detail::Block), (900.0, Detail::Glyph)] {
            let frame = Frame { broken: Some(&broken), layers, ..Frame::new(&plan, Cycle(30)) };
            let mut picture = Picture::default();
            stage::draw(&frame, side, side, &mut picture);
            assert_eq!(Layout::new(&plan, side, side).detail, detail);
            let is_mark = |mark: &&Mark| match mark {
                Mark::Shape { fill, stroke, .. } => *fill == Tone::Wrong || stroke.tone == Tone::Wrong,
                _ => false,
            };
            assert_eq!(picture.marks.iter().filter(is_mark).count(), wrong, "{detail:?}");
        }
    }

    #[test]
    fn operands_that_do_not_belong_together_say_so_in_every_cell_with_room_for_a_letter() {
        let plan = Plan::new(&Link::parse("rows=8&cols=8&m=8&k=14&n=8&df=os&dt=int8", "").scenario).expect("a run");
        let mut details = Vec::new();
        for (side, cycle) in [200.0, 220.0, 240.0, 330.0, 390.0, 620.0, 900.0, 1400.0].map(|side| (side, 12)) {
            let detail = Layout::new(&plan, side, side).detail;
            if detail < Detail::Glyph {
                continue;
            }
            let broken = BrokenMachine::at(&plan, Defect::NoSkew, Cycle(cycle));
            let clashes = broken.cells().iter().filter(|cell| cell.clash.is_some()).count();
            let frame = Frame { broken: Some(&broken), layers: &[marks], ..Frame::new(&plan, Cycle(cycle)) };
            let mut picture = Picture::default();
            stage::draw(&frame, side, side, &mut picture);
            let said = picture.texts().filter(|text| text.contains('≠') || text.contains("meets")).count();
            assert_eq!(said, clashes, "{side}");
            details.push(detail);
        }
        details.dedup();
        assert!(details.len() >= 4 && details[0] == Detail::Glyph, "{details:?}");
    }

    #[test]
    fn a_product_in_the_sum_of_another_element_says_so_in_its_cell() {
        let plan = Plan::new(&Link::parse("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", "").scenario).expect("a run");
        let broken = BrokenMachine::at(&plan, Defect::NoSkew, Cycle(9));
        let frame = Frame { broken: Some(&broken), layers: &[marks], ..Frame::new(&plan, Cycle(9)) };
        let mut seen = std::collections::BTreeSet::new();
        for side in (200..900_u16).step_by(20) {
            let mut picture = Picture::default();
            stage::draw(&frame, side.into(), side.into(), &mut picture);
            seen.extend(picture.texts().map(ToOwned::to_owned));
        }
        // The larger the cell, the longer the text.
        for text in ["5≠4", "m=5 ≠ m=4", "m=5 meets m=4"] {
            assert!(seen.contains(text), "{text}: {seen:?}");
        }
    }

    #[test]
    fn nothing_on_the_stage_calls_a_machine_wrong_before_it_is_judged() {
        let plan = Plan::new(&Link::parse("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", "").scenario).expect("a run");
        let outcomes = outcomes(&plan, Defect::NoSkew);
        let judged = BrokenMachine::at(&plan, Defect::NoSkew, Cycle(9)).with_outcomes(outcomes);
        for (broken, is_said) in [(judged.clone().unjudged(), false), (judged, true)] {
            let frame = Frame { broken: Some(&broken), layers: &[marks], ..Frame::new(&plan, Cycle(9)) };
            let mut picture = Picture::default();
            stage::draw(&frame, 900.0, 600.0, &mut picture);
            assert_eq!(picture.texts().any(|text| text.contains("wrong") || text.contains('≠')), is_said);
        }
    }

    #[test]
    fn the_lens_marks_them_too() {
        let plan = Plan::new(&Link::parse("rows=32&cols=32&m=40&k=32&n=32&df=os&dt=int8", "").scenario).expect("a run");
        let broken = BrokenMachine::at(&plan, Defect::NoSkew, Cycle(30));
        let pe = PeId::new(9, 9);
        let drawn = |layers: &[stage::Layer]| {
            let frame = Frame { broken: Some(&broken), selected: Some(pe), layers, ..Frame::new(&plan, Cycle(30)) };
            let mut picture = Picture::default();
            stage::draw(&frame, 600.0, 600.0, &mut picture);
            let is_mark = |mark: &&Mark| matches!(mark, Mark::Shape { stroke, .. } if stroke.tone == Tone::Wrong && stroke.dash == Dash::Dashed);
            picture.marks.iter().filter(is_mark).count()
        };
        let near = |cell: &&Cell| {
            let PeId { row, col } = cell.probe.pe;
            row.abs_diff(pe.row) <= 3 && col.abs_diff(pe.col) <= 3 && (cell.is_wrong || cell.clash.is_some())
        };
        let wrong = broken.cells().iter().filter(near).count();
        assert!(wrong > 0 && drawn(&[marks_under_lens]) - drawn(&[]) == wrong);
    }
}
