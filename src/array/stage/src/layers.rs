//! The lens, a layer over the array. If cells are too small to read, the lens shows their values.

use super::cells::{GLYPH, draw_values};
use super::{Detail, Frame, Layout, Scene, SumSet};
use display::Tone;
use display::picture::{Anchor, Outline, Picture, Rect, Stroke, px};
use systolic::PeId;

/// Side of a cell under the lens, large enough for a value; `PITCH` is the distance to the next cell.
const CELL: f32 = 44.0;
const PITCH: f32 = 47.0;
/// Space for the numbers of rows and columns.
const RULER: (f32, f32) = (58.0, 24.0);

/// Returns the rows or columns under a lens that is centered at `center` and stays inside the array.
fn under(center: u32, wide: u32, all: u32) -> core::ops::Range<u32> {
    let n = wide.min(all);
    let from = center.saturating_sub(n / 2).min(all - n);
    from..from + n
}

/// Returns the layout of the PEs under the lens; `None` if cells are large enough without a lens. Also `None` on a
/// wall, where the inside of a PE is drawn next to the array instead.
pub(crate) fn glass(frame: &Frame<'_>, layout: &Layout, width: f32, height: f32) -> Option<Layout> {
    let pe = frame.selected.filter(|_| layout.detail <= Detail::Glyph && !frame.is_wall())?;
    let wide = if width.min(height) < 420.0 { 3 } else { 7 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few columns")]
    let n_fitting = ((width - RULER.0 - 16.0) / PITCH).max(1.0) as u32;
    let (rows, cols) = (under(pe.row, wide, layout.rows), under(pe.col, wide.min(n_fitting), layout.cols));
    let (w, h) = extent(rows.len(), cols.len());
    // The lens is in the corner farthest from the PEs that it shows.
    let (x, y) = layout.block_of(rows.clone(), cols.clone()).center();
    // In the south-east corner, the page has buttons.
    let left = if x > width / 2.0 { 8.0 } else { (width - w - 54.0).max(8.0) };
    let top = if y > height / 2.0 { 8.0 } else { (height - h - 8.0).max(8.0) };
    Some(Layout {
        detail: Detail::Value,
        left: left + RULER.0 - px(cols.start) * PITCH,
        top: top + RULER.1 - px(rows.start) * PITCH,
        cell: CELL,
        pitch: PITCH,
        seen: (PeId::new(rows.start, cols.start), PeId::new(rows.end, cols.end)),
        ..*layout
    })
}

/// Returns the width and height of a lens over this number of rows and columns.
fn extent(rows: usize, cols: usize) -> (f32, f32) {
    let span = |n: usize| px(n as u64) * PITCH + 8.0;
    (span(cols) + RULER.0, span(rows) + RULER.1)
}

/// Layer that shows the values around the PE that the caption describes, if cells are too small for values.
pub fn lens(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let layout = &scene.layout;
    let Some(glass) = glass(frame, layout, picture.width, picture.height) else { return };
    let (rows, cols) = (glass.rows_seen(), glass.cols_seen());
    let block = layout.block_of(rows.clone(), cols.clone());
    let gap = Rect::new(block.x - 2.0, block.y - 2.0, block.w + 4.0, block.h + 4.0);
    // A border in two colors is visible on any background.
    for (tone, width) in [(Tone::Ground, 6.0), (Tone::Chosen, 2.5)] {
        picture.shape(gap, Outline::Box(0), Tone::Clear, Stroke::solid(tone, width));
    }
    let first = glass.cell_of(glass.seen.0);
    let ((left, top), (w, h)) = ((first.x - RULER.0, first.y - RULER.1), extent(rows.len(), cols.len()));
    picture.shape(Rect::new(left, top, w, h), Outline::Box(8), Tone::Ground, Stroke::solid(Tone::Chosen, 2.0));
    for row in rows.clone() {
        let (_, y) = glass.cell_of(PeId::new(row, cols.start)).center();
        let text = words::picture::row(row);
        picture.text((left + RULER.0 - 6.0, y), text, 11.0, Anchor::End, Tone::Quiet);
    }
    // Long names would run together: only the first has the full text.
    let longest = words::picture::col(cols.end.saturating_sub(1)).len() as f32 * GLYPH * 11.0;
    let (are_long, named) = (longest > CELL - 8.0, cols.start);
    for col in cols {
        let (x, _) = glass.cell_of(PeId::new(rows.start, col)).center();
        let text = if are_long && col > named { col.to_string() } else { words::picture::col(col) };
        picture.text((x, top + RULER.1 - 10.0), text, 11.0, Anchor::Middle, Tone::Quiet);
    }
    draw_values(frame, &glass, SumSet::Lens, picture);
    let Some(pe) = frame.selected else { return };
    let rect = glass.cell_of(pe);
    let around = Rect::new(rect.x - 1.5, rect.y - 1.5, CELL + 3.0, CELL + 3.0);
    picture.shape(around, Outline::Box(5), Tone::Clear, Stroke::solid(Tone::Chosen, 2.5));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as stage;
    use display::picture::Mark;
    use studio::Plan;
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&studio::Link::parse(query, "").scenario).expect("a run")
    }

    fn drawn(plan: &Plan, cycle: u64, pe: PeId, layers: &[crate::Layer]) -> Picture {
        let mut picture = Picture::default();
        let frame = Frame { selected: Some(pe), layers, ..Frame::new(plan, Cycle(cycle)) };
        stage::draw(&frame, 900.0, 700.0, &mut picture);
        picture
    }

    #[test]
    fn the_lens_shows_the_sums_of_the_pes_around() {
        let plan = plan("rows=256&cols=256&m=256&k=256&n=256&df=ws&dt=int8&t=600");
        for (row, col) in [(0, 0), (128, 77), (255, 255), (3, 250)] {
            let picture = drawn(&plan, 600, PeId::new(row, col), &[lens]);
            let texts: Vec<&str> = picture.texts().collect();
            let (rows, cols) = (under(row, 7, 256), under(col, 7, 256));
            assert!(rows.contains(&row) && cols.contains(&col) && rows.len() == 7 && cols.len() == 7);
            for pe in rows.flat_map(|row| cols.clone().map(move |col| PeId::new(row, col))) {
                let Some(sum) = plan.prober().at(Cycle(600), pe).sum else { continue };
                let text = studio::value_text::fitting(sum.value, 4);
                assert!(texts.contains(&text.as_str()), "{pe:?}: no {text} among {texts:?}");
            }
        }
    }

    #[test]
    fn the_lens_stays_inside_the_stage_and_off_what_it_shows() {
        let plan = plan("rows=256&cols=256&m=256&k=256&n=256&df=ws&dt=int8");
        for (row, col) in [(0, 0), (0, 255), (255, 0), (255, 255), (100, 100)] {
            let bare = drawn(&plan, 300, PeId::new(row, col), &[]).marks.len();
            let picture = drawn(&plan, 300, PeId::new(row, col), &[lens]);
            let Mark::Shape { rect, .. } = picture.marks[bare + 2] else { panic!("the lens") };
            assert!(rect.x >= 0.0 && rect.y >= 0.0 && rect.x + rect.w <= 900.0 && rect.y + rect.h <= 700.0, "{rect:?}");
        }
    }

    #[test]
    fn readable_cells_need_no_lens() {
        let plan = plan("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8");
        let pe = PeId::new(1, 1);
        assert_eq!(drawn(&plan, 7, pe, &[lens]), drawn(&plan, 7, pe, &[]));
    }
}
