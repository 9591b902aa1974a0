//! Content of matrices that are too large to draw element by element: blocks in use, complete or partial blocks, and
//! streamed vectors.

use super::cells::ink_of;
use super::geometry::{Form, Place};
use super::matrices::share;
use super::{Frame, Scene};
use display::Tone;
use display::picture::{Mark, Outline, Picture, Rect, Stroke};
use studio::progress_blocks::axes;
use studio::whereabouts;
use systolic::Operand;

/// Layer under all others: draws the content of matrices in [`Form::Field`].
pub fn fields(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    for place in scene.places.iter().flatten().filter(|place| place.form == Form::Field) {
        draw_field(frame, place, picture);
    }
}

/// Draws a matrix that is too large to draw element by element: blocks that are in use, that are complete, or that have
/// partial sums.
fn draw_field(frame: &Frame<'_>, &Place { operand, rect, extent, .. }: &Place, picture: &mut Picture) {
    let (ink, tint, _) = ink_of(operand);
    let schedule = frame.plan.schedule();
    if operand != Operand::C && schedule.dataflow().stationary() != operand {
        draw_band(frame, &rect, operand, (ink, tint), picture);
        return;
    }
    for block in studio::progress_blocks::progress_blocks(frame.plan, frame.cycle) {
        if block.operand != operand {
            continue;
        }
        let (top, bottom) = (share(block.rows.0, extent.0), share(block.rows.1, extent.0));
        let (left, right) = (share(block.cols.0, extent.1), share(block.cols.1, extent.1));
        let (w, h) = ((right - left) * rect.w, (bottom - top) * rect.h);
        if w <= 0.0 || h <= 0.0 {
            continue;
        }
        let part = Rect::new(rect.x + left * rect.w, rect.y + top * rect.h, w, h);
        let (tint, ink) = if block.is_partial { (Tone::SumTint, Tone::Sum) } else { (tint, ink) };
        let around = if block.is_current { 1.5 } else { 0.0 };
        picture.shape(part, Outline::Box(0), tint, Stroke::solid(ink, around));
    }
    if operand == Operand::C {
        draw_coming(frame, &rect, picture);
    }
}

/// Smallest length of the drawn results of a lane, in pixels. With this length, a few elements among thousands stay
/// visible.
const COMING_MIN: f32 = 2.0;

/// Draws the results that leave the running folds, lane by lane.
fn draw_coming(frame: &Frame<'_>, rect: &Rect, picture: &mut Picture) {
    let run = frame.plan.schedule().run();
    let (down, across) = axes(Operand::C);
    for coming in whereabouts::coming_results(frame.plan, frame.cycle) {
        let is_down = coming.lanes == down;
        let (lanes, places) = if is_down { (down, across) } else { (across, down) };
        let (long, wide) = if is_down { (rect.w, rect.h) } else { (rect.h, rect.w) };
        let last = coming.bands.last().map(|band| band.lane);
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for band in coming.bands.iter().filter(|band| band.to > band.from) {
            let lane = band.lane + u64::from(Some(band.lane) == last);
            let from = share(band.from, run.extent(places)) * long;
            let to = (share(band.to, run.extent(places)) * long).max(from + COMING_MIN).min(long);
            let along = share(lane, run.extent(lanes)) * wide;
            near.push((along, from));
            far.push((along, to));
        }
        // A single lane has only one point per end. A second point gives it a width.
        if let ([first], [end]) = (near.as_slice(), far.as_slice()) {
            let beside = (first.0 + COMING_MIN).min(wide);
            let (first, end) = ((beside, first.1), (beside, end.1));
            near.push(first);
            far.push(end);
        }
        let place = |(along, at): (f32, f32)| {
            if is_down { (rect.x + at, rect.y + along) } else { (rect.x + along, rect.y + at) }
        };
        let points: Vec<_> = near.into_iter().chain(far.into_iter().rev()).map(place).collect();
        if !points.is_empty() {
            picture.marks.push(Mark::Area { points, fill: if coming.is_partial { Tone::Sum } else { Tone::C } });
        }
    }
}

/// Draws the streamed operand: gray elements have passed through the array, and colored elements are in the array.
fn draw_band(frame: &Frame<'_>, rect: &Rect, operand: Operand, (ink, tint): (Tone, Tone), picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let (down, across) = axes(operand);
    let time = schedule.mapping().time;
    let lane_axis = if down == time { across } else { down };
    let (lanes, waves) = (schedule.run().extent(lane_axis), schedule.run().extent(time));
    let band = whereabouts::band(frame.plan, frame.cycle, operand);
    let point = |lane: u64, wave: u64| {
        let (along, gone) = (share(lane, lanes), share(wave, waves));
        let (x, y) = if down == time { (along, gone) } else { (gone, along) };
        (rect.x + x * rect.w, rect.y + y * rect.h)
    };
    let Some((first, last)) = band.first().zip(band.last()) else { return };
    // This is the block of the running fold.
    let (from, to) = (point(first.lane, 0), point(last.lane + 1, waves));
    let block = Rect::new(from.0.min(to.0), from.1.min(to.1), (to.0 - from.0).abs(), (to.1 - from.1).abs());
    picture.shape(block, Outline::Box(0), tint, Stroke::solid(ink, 1.0));
    // The outline follows the near ends of the lanes, and returns along their far ends. At the last lane, it extends
    // one lane farther.
    let wide = |band: &whereabouts::Band| if band.lane == last.lane { band.lane + 1 } else { band.lane };
    let area = |low: fn(&whereabouts::Band) -> u64, high: fn(&whereabouts::Band) -> u64| {
        let there = band.iter().map(|band| point(wide(band), low(band)));
        let back = band.iter().rev().map(|band| point(wide(band), high(band)));
        there.chain(back).collect::<Vec<_>>()
    };
    picture.marks.push(Mark::Area { points: area(|_| 0, |band| band.from), fill: Tone::Ghost });
    picture.marks.push(Mark::Area { points: area(|band| band.from, |band| band.to), fill: ink });
}
