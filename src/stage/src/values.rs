//! Drawing of PEs whose cells are too small for all registers: each cell shows one value, or a glyph for the state of
//! the PE.

use super::cells::{GLYPH, UNDERWAY, body, ink_of, known};
use super::{Frame, Layout, SumSet};
use display::Tone;
use display::picture::{Anchor, Outline, Picture, Rect, Stroke, between, px};
use studio::value_text;
use systolic::{Activity, PeId, SumStatus};

/// Draws one value per PE: its sum, or the operand that is being loaded.
pub(super) fn draw_values(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    draw_values_of(frame, layout, SumSet::Stage, picture);
}

/// Draws one value for each PE that the layout shows, with the sums of `set`.
pub(super) fn draw_values_of(frame: &Frame<'_>, layout: &Layout, set: SumSet, picture: &mut Picture) {
    if let Some(broken) = frame.broken {
        for pe in layout.pes() {
            draw_value(frame, layout, pe, known(broken.cell(pe).and_then(|cell| cell.sum)), picture);
        }
        return;
    }
    let (sums, unit) = (frame.sums(set, layout.block()), frame.plan.unit());
    for pe in layout.pes() {
        draw_value(frame, layout, pe, sums.sum(pe, unit), picture);
    }
}

/// Draws the value of one PE.
fn draw_value(frame: &Frame<'_>, layout: &Layout, pe: PeId, sum: SumStatus, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let size = between(layout.cell * 0.34, 11.0, 18.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of glyphs")]
    let fitting = |value, size: f32| value_text::fitting(value, (layout.cell / (size * GLYPH)) as usize);
    let rect = layout.cell_of(pe);
    let activity = schedule.activity(frame.cycle, pe);
    body(picture, rect, activity, 2.0, 4);
    let held = frame.prober().held_at(frame.cycle, pe);
    let (x, y) = rect.center();
    match (activity, sum, held) {
        // PEs outside the problem pass on the sums from the north.
        (_, SumStatus::Underway, _) => picture.text((x, y), UNDERWAY, size, Anchor::Middle, Tone::Quiet),
        (_, SumStatus::Sum(sum), _) => {
            // The shape of a sum, as in larger cells.
            let place = Rect::new(rect.x, rect.y + rect.h * 0.2, rect.w, rect.h * 0.68);
            picture.shape(place, Outline::Chevron, Tone::SumTint, Stroke::solid(Tone::Sum, 1.0));
            let text = fitting(sum, 11.0);
            let widest = (rect.w - 4.0) / (GLYPH * px(text.chars().count().max(1) as u64));
            picture.bold((x, y), text, between(widest, 11.0, size), Anchor::Middle, Tone::Ink);
        }
        (Activity::Unmapped, ..) => {}
        (Activity::Loading, SumStatus::Nothing, Some(held)) => {
            let (tone, ..) = ink_of(schedule.dataflow().stationary());
            picture.text((x, y), fitting(held.value, size), size, Anchor::Middle, tone);
        }
        (Activity::Done, SumStatus::Nothing, _) => picture.text((x, y), "✓", size, Anchor::Middle, Tone::Quiet),
        _ => picture.text((x, y), "·", size, Anchor::Middle, Tone::Quiet),
    }
    if held.is_some() {
        let (tone, ..) = ink_of(schedule.dataflow().stationary());
        let notch = Rect::new(rect.x + 1.0, rect.y + 1.0, 5.0, 4.0);
        picture.shape(notch, Outline::Box(0), tone, Stroke::solid(Tone::Clear, 0.0));
    }
}

/// Draws a glyph for the state of each PE, without numbers.
pub(super) fn draw_glyphs(frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let size = layout.cell * 0.6;
    for pe in layout.pes() {
        let rect = layout.cell_of(pe);
        let activity = schedule.activity(frame.cycle, pe);
        body(picture, rect, activity, 1.5, 2);
        let glyph = match activity {
            Activity::Unmapped => continue,
            Activity::Loading => "↓",
            Activity::Waiting => "·",
            Activity::Useful => "×",
            Activity::OnPadding => "0",
            Activity::Done => "✓",
            Activity::Stalled => "‖",
        };
        let tone = if activity == Activity::Useful { Tone::Ink } else { Tone::Quiet };
        let (x, y) = rect.center();
        picture.text((x, y), glyph, size, Anchor::Middle, tone);
    }
}
