//! The map of a run's folds: the stationary matrix, cut into blocks of the array's size. The number in a block is the
//! position of the fold in the run.
//!
//! Row folds run innermost, so the map fills column by column. A block at the south or east edge can be smaller than
//! the array. Hatching shows the PEs that such a block leaves unused.

use display::Tone;
use display::picture::{Anchor, Mark, Outline, Picture, Rect, Stroke, px};
use studio::Plan;
use systolic::{Cycle, PeId};

/// Maximum number of folds per axis for which each fold is drawn.
const FOLDS_MAX: u64 = 24;
/// Smallest side of a block with a number.
const NUMBER_MIN: f32 = 15.0;
/// Smallest width of a block, unless the map is too narrow for this width.
const BLOCK_MIN: f32 = 16.0;
/// Margin around the map.
const AIR: f32 = 2.0;

/// Returns the width and height of a block.
fn side(plan: &Plan, width: f32, height: f32) -> (f32, f32) {
    let schedule = plan.schedule();
    let (rows, cols) = (px(schedule.row_folds()), px(schedule.col_folds()));
    let (w, h) = ((width - 2.0 * AIR) / cols, (height - 2.0 * AIR) / rows);
    // Blocks have the aspect ratio of the array, if there is space.
    let shape = px(schedule.array().cols()) / px(schedule.array().rows());
    let h = h.min(w / shape.max(0.25));
    // A single column of many folds stays wide enough for a finger.
    (w.min((h * shape.min(4.0)).max(BLOCK_MIN)), h)
}

/// Returns the fold at a point of the map.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to lie inside the map")]
pub fn hit(plan: &Plan, (x, y): (f32, f32), width: f32, height: f32) -> Option<u64> {
    let schedule = plan.schedule();
    let (w, h) = side(plan, width, height);
    let (col, row) = ((x - AIR) / w, (y - AIR) / h);
    let is_inside = col >= 0.0 && row >= 0.0 && col < px(schedule.col_folds()) && row < px(schedule.row_folds());
    is_inside.then(|| col as u64 * schedule.row_folds() + row as u64)
}

/// Draws the map into a picture of this size.
pub fn draw(plan: &Plan, cycle: Cycle, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    let schedule = plan.schedule();
    let (rows, cols) = (schedule.row_folds(), schedule.col_folds());
    let (w, h) = side(plan, width, height);
    let now = schedule.fold_at(cycle, PeId::new(0, 0)).index;
    let block = |row: u64, col: u64, n_rows: u64, n_cols: u64| {
        Rect::new(AIR + px(col) * w, AIR + px(row) * h, px(n_cols) * w, px(n_rows) * h)
    };
    if rows > FOLDS_MAX || cols > FOLDS_MAX {
        let quiet = Stroke::solid(Tone::Clear, 0.0);
        picture.shape(block(0, 0, rows, cols), Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Quiet, 1.0));
        picture.shape(block(0, 0, rows, now / rows), Outline::Box(0), Tone::BTint, quiet);
        picture.shape(block(0, now / rows, now % rows, 1), Outline::Box(0), Tone::BTint, quiet);
        // The block always stays visible.
        let here = block(now % rows, now / rows, 1, 1);
        let here = Rect { w: here.w.max(3.0), h: here.h.max(3.0), ..here };
        picture.shape(here, Outline::Box(0), Tone::B, quiet);
        return;
    }
    let array = schedule.array();
    for index in 0..schedule.folds() {
        let (row, col) = (index % rows, index / rows);
        let rect = block(row, col, 1, 1);
        let fold = schedule.fold(index);
        let used = Rect {
            w: rect.w * px(fold.mapped.cols) / px(array.cols()),
            h: rect.h * px(fold.mapped.rows) / px(array.rows()),
            ..rect
        };
        if used != rect {
            picture.marks.push(Mark::Hatch { rect, tone: Tone::Faint, rising: true });
        }
        let fill = match index.cmp(&now) {
            core::cmp::Ordering::Less => Tone::BTint,
            core::cmp::Ordering::Equal => Tone::B,
            core::cmp::Ordering::Greater => Tone::Ground,
        };
        picture.shape(used, Outline::Box(0), fill, Stroke::solid(Tone::Clear, 0.0));
        picture.shape(rect, Outline::Box(0), Tone::Clear, Stroke::solid(Tone::Quiet, 1.0));
        if used.w >= NUMBER_MIN && used.h >= NUMBER_MIN {
            let tone = if index == now { Tone::Ground } else { Tone::Ink };
            picture.bold(used.center(), (index + 1).to_string(), 11.0, Anchor::Middle, tone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;

    fn plan(query: &str) -> Plan {
        Plan::new(&Link::parse(query, "").scenario).expect("a run")
    }

    #[test]
    fn the_middle_of_a_block_is_its_fold() {
        for query in ["rows=8&cols=8&m=10&k=13&n=11", "rows=4&cols=4&m=9&k=30&n=5&df=os", "rows=1&cols=7&m=3&k=40&n=40"]
        {
            let plan = plan(query);
            let schedule = plan.schedule();
            let (w, h) = side(&plan, 90.0, 60.0);
            for index in 0..schedule.folds() {
                let (row, col) = (index % schedule.row_folds(), index / schedule.row_folds());
                let middle = (AIR + (px(col) + 0.5) * w, AIR + (px(row) + 0.5) * h);
                assert_eq!(hit(&plan, middle, 90.0, 60.0), Some(index), "{query}");
            }
            assert!(hit(&plan, (89.9, 59.9), 90.0, 60.0).is_none_or(|index| index < schedule.folds()), "{query}");
        }
    }

    #[test]
    fn the_current_fold_alone_is_marked_and_the_map_stays_in_its_picture() {
        for query in ["rows=8&cols=8&m=10&k=13&n=11", "rows=2&cols=2&m=4&k=4&n=40", "rows=1&cols=1&m=2&k=100&n=3"] {
            let plan = plan(query);
            for index in 0..plan.schedule().folds() {
                let mut picture = Picture::default();
                draw(&plan, plan.schedule().fold_start(index), 78.0, 56.0, &mut picture);
                let current = picture.marks.iter().filter(|mark| matches!(mark, Mark::Shape { fill: Tone::B, .. }));
                assert_eq!(current.count(), 1, "{query} fold {index}");
                for mark in &picture.marks {
                    let Mark::Shape { rect, .. } = mark else { continue };
                    assert!(rect.x + rect.w <= 79.0 && rect.y + rect.h <= 57.0, "{query}: {rect:?}");
                }
            }
        }
    }
}
