//! Labels next to the array for the rows and columns that an edge fold leaves unused.

use super::cells::{GLYPH, TEXT_MIN};
use super::{Detail, Frame, Layout};
use display::Tone;
use display::picture::{Anchor, Picture, Stroke, px};
use systolic::{Hold, PeId};

/// Draws a label and a bracket for the PEs that an edge fold leaves unused. The label shows the share of these PEs.
pub(super) fn draw(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    // A lesson card that asks a question may ask for this share.
    if !frame.filter.judges() {
        return;
    }
    let schedule = frame.plan.schedule();
    // While one fold follows another, only PEs that both leave unused count.
    let (south, east) = (layout.rows - 1, layout.cols - 1);
    let corners = [(0, 0), (south, 0), (0, east), (south, east)];
    let folds = corners.map(|(row, col)| schedule.fold_at(frame.cycle, PeId::new(row, col)).mapped);
    let most = |side: fn(&systolic::Block) -> u32| folds.iter().map(side).fold(0, u32::max);
    let mapped = systolic::Block { rows: most(|fold| fold.rows), cols: most(|fold| fold.cols) };
    let roomy = layout.detail >= Detail::Compact;
    let stroke = Stroke::solid(Tone::Quiet, 1.0);
    let idle_cols = layout.cols - mapped.cols;
    if idle_cols > 0 {
        let block = layout.block_of(0..layout.rows, mapped.cols..layout.cols);
        let share = words::picture::padding_share(idle_cols, layout.cols);
        if roomy {
            let y = block.y - 9.0;
            picture.line((block.x, y + 4.0), (block.x, y), stroke);
            picture.line((block.x, y), (block.x + block.w, y), stroke);
            picture.line((block.x + block.w, y), (block.x + block.w, y + 4.0), stroke);
            let room = block.w + 8.0;
            let fits = |text: &String| px(text.chars().count() as u64) * GLYPH * TEXT_MIN <= room;
            if let Some(label) = words::picture::padding_cols_labels(&share).into_iter().find(fits) {
                let at = (block.x + block.w / 2.0, y - 8.0);
                picture.text(at, label, TEXT_MIN, Anchor::Middle, Tone::Quiet);
            }
        } else {
            // The label ends with the array, so that it never leaves the view in the east.
            let text = words::picture::padding_cols(idle_cols, &share);
            let y = if schedule.dataflow().hold() == Hold::Result {
                // Registers are above the array. The label of the rows is on the first line below it.
                (block.y + block.h + 27.0).min(picture.height - 6.0)
            } else {
                block.y - if mapped.cols == 0 { 12.0 } else { 24.0 }
            };
            let [short, ..] = words::picture::padding_cols_labels(&share);
            beside(picture, block.x + block.w, y, [text, short]);
        }
    }
    let idle_rows = layout.rows - mapped.rows;
    if idle_rows > 0 {
        let block = layout.block_of(mapped.rows..layout.rows, 0..layout.cols);
        let share = words::picture::padding_share(idle_rows, layout.rows);
        if roomy {
            // No operand enters these rows, so the space west of them is free.
            let x = block.x - 8.0;
            picture.line((x + 4.0, block.y), (x, block.y), stroke);
            picture.line((x, block.y), (x, block.y + block.h), stroke);
            picture.line((x, block.y + block.h), (x + 4.0, block.y + block.h), stroke);
            let lines = words::picture::padding_rows_lines(idle_rows, &share);
            let n_lines: u32 = if block.h < 3.2 * LINE { 2 } else { 3 };
            let bottom = block.center().1 + LINE * px(n_lines - 1) / 2.0;
            stacked(picture, x - 6.0, bottom, Anchor::End, &lines[..n_lines as usize]);
        } else {
            let y = (block.y + block.h + 13.0).min(picture.height - 6.0);
            let [_, short, _] = words::picture::padding_rows_lines(idle_rows, &share);
            let texts = [words::picture::padding_rows(idle_rows, &share), short];
            beside(picture, block.x + block.w, y, texts);
        }
    }
}

/// Distance between two lines of a label.
const LINE: f32 = 13.0;

/// Draws lines of text above each other, with the last line at the height `bottom`.
fn stacked(picture: &mut Picture, x: f32, bottom: f32, anchor: Anchor, lines: &[String]) {
    for (above, line) in lines.iter().rev().enumerate() {
        let y = bottom - px(above as u64) * LINE;
        picture.text((x, y), line.as_str(), TEXT_MIN, anchor, Tone::Quiet);
    }
}

/// Draws the first text that fits in the width of the view. The text ends at `end`, or farther east if the text would
/// leave the view in the west.
fn beside(picture: &mut Picture, end: f32, y: f32, texts: [String; 2]) {
    const SIZE: f32 = 12.0;
    let width = |text: &str| px(text.chars().count() as u64) * GLYPH * SIZE + 4.0;
    if let Some(text) = texts.into_iter().find(|text| width(text) <= picture.width) {
        picture.text((end.max(width(&text)), y), text, SIZE, Anchor::End, Tone::Quiet);
    }
}
