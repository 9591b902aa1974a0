//! What is drawn over a machine with a defect: sums that are wrong, and operands that meet though they do not belong
//! together.

use crate::layers::glass;
use crate::{Detail, Frame, Layout};
use display::Tone;
use display::picture::{Anchor, Dash, Outline, Picture, Rect, Stroke, between};
use studio::defect::Cell;
use studio::words;

/// Marks every PE with something wrong. A layer of the stage.
pub fn marks(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let Some(broken) = frame.broken else { return };
    for pe in layout.pes() {
        if let Some(cell) = broken.cell(pe).filter(|cell| cell.is_wrong || cell.clash.is_some()) {
            mark(cell, layout, picture);
        }
    }
}

/// The same for the PEs under the lens. A layer of the stage, over the lens.
pub fn marks_under_lens(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let (Some(broken), Some(glass)) = (frame.broken, glass(frame, layout, picture.width, picture.height)) else {
        return;
    };
    for cell in glass.pes().filter_map(|pe| broken.cell(pe)).filter(|cell| cell.is_wrong || cell.clash.is_some()) {
        mark(cell, &glass, picture);
    }
}

fn mark(cell: &Cell, layout: &Layout, picture: &mut Picture) {
    let rect = layout.cell_of(cell.probe.pe);
    if layout.detail < Detail::Glyph {
        // Smaller than the block, so that what the PE does is seen around it where there is room.
        let off = if rect.w < 4.0 { 0.0 } else { rect.w * 0.25 };
        let inside = Rect::new(rect.x + off, rect.y + off, rect.w - 2.0 * off, rect.h - 2.0 * off);
        picture.shape(inside, Outline::Box(0), Tone::Wrong, Stroke::solid(Tone::Clear, 0.0));
        return;
    }
    let around = Rect::new(rect.x - 2.0, rect.y - 2.0, rect.w + 4.0, rect.h + 4.0);
    let width = if layout.detail == Detail::Glyph { 2.0 } else { 3.0 };
    let stroke = Stroke { tone: Tone::Wrong, width, dash: Dash::Dashed };
    picture.shape(around, Outline::Box(9), Tone::Clear, stroke);
    let gap = layout.pitch - layout.cell;
    let (at, text) = match cell.clash {
        // Between two rows of roomy cells; others have the mark alone, and where one value or two operands fill the row
        // not even that.
        Some((x, w)) if gap >= 11.0 => {
            ((rect.x + rect.w / 2.0, rect.y + rect.h + gap / 2.0 + 1.0), words::picture::clash(&x, &w))
        }
        _ if layout.detail < Detail::Registers || cell.probe.shadow.is_some() => return,
        _ => ((rect.x + rect.w - 4.0, rect.y + 8.0), "!".to_owned()),
    };
    picture.bold(at, text, between(layout.cell * 0.12, 11.0, 14.0), Anchor::Middle, Tone::Wrong);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as stage;
    use display::picture::Mark;
    use studio::defect::{BrokenMachine, Defect};
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
            assert_eq!(Layout::new(plan.schedule(), side, side).detail, detail);
            let is_mark = |mark: &&Mark| match mark {
                Mark::Shape { fill, stroke, .. } => *fill == Tone::Wrong || stroke.tone == Tone::Wrong,
                _ => false,
            };
            assert_eq!(picture.marks.iter().filter(is_mark).count(), wrong, "{detail:?}");
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
            picture.marks.len()
        };
        let near = |cell: &&Cell| {
            let PeId { row, col } = cell.probe.pe;
            row.abs_diff(pe.row) <= 3 && col.abs_diff(pe.col) <= 3 && (cell.is_wrong || cell.clash.is_some())
        };
        let wrong = broken.cells().iter().filter(near).count();
        assert!(wrong > 0 && drawn(&[marks_under_lens]) - drawn(&[]) == wrong);
    }
}
