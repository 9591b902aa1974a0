//! View of one class of PE-cycles: PEs that are in this class at the current cycle are highlighted, and all other PEs
//! are dimmed.

use super::{Detail, Frame, Scene};
use display::Tone;
use display::picture::{Mark, Outline, Picture, Rect, Stroke};
use systolic::{Cycle, Fold, PeId, Schedule, Slot, StreamPosition};

/// The class of every PE at one cycle. The position of the stream depends only on row + column, so the class is
/// computed once per diagonal or column, not for every PE.
struct Classes<'a> {
    schedule: &'a Schedule,
    cycle: Cycle,
    /// Fold and stream position of the PEs at each number of hops from the corner PE. The class of these PEs is `None`
    /// until the class is computed.
    by_hops: Vec<(Fold, StreamPosition, Option<Slot>)>,
    /// Class of the PEs that the stream has not reached yet, for each column.
    by_col: Vec<Option<Slot>>,
}

impl<'a> Classes<'a> {
    fn at(schedule: &'a Schedule, cycle: Cycle) -> Self {
        let array = schedule.array();
        let farthest = schedule.hops(PeId::new(array.rows() - 1, array.cols() - 1));
        let position = |hops| {
            let (fold, position) = schedule.stream_position(cycle, hops);
            (fold, position, None)
        };
        let by_col = (0..array.cols()).map(|_| None).collect();
        Self { schedule, cycle, by_hops: (0..=farthest).map(position).collect(), by_col }
    }

    fn slot(&mut self, pe: PeId) -> Slot {
        let (schedule, cycle) = (self.schedule, self.cycle);
        let hops = usize::try_from(schedule.hops(pe)).unwrap_or(usize::MAX);
        let ask = || schedule.slot(cycle, pe);
        let Some((fold, position, known)) = self.by_hops.get_mut(hops) else { return ask() };
        if !fold.real.contains(pe) {
            return Slot::Padding;
        }
        let known = match position {
            StreamPosition::Before => match self.by_col.get_mut(pe.col as usize) {
                Some(known) => known,
                None => return ask(),
            },
            _ => known,
        };
        *known.get_or_insert_with(ask)
    }
}

/// Returns the color of a class of PE-cycles.
pub(crate) const fn tone_of(slot: Slot) -> Tone {
    match slot {
        Slot::Useful => Tone::Useful,
        Slot::Padding => Tone::Padding,
        Slot::Load => Tone::Load,
        Slot::Fill => Tone::Fill,
        Slot::Drain => Tone::Drain,
        Slot::Stall => Tone::Stall,
    }
}

/// Layer that highlights the PEs in the class that the frame selects.
pub fn class(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let Some(lit) = frame.class else { return };
    let layout = &scene.layout;
    let mut classes = Classes::at(frame.plan.schedule(), frame.cycle);
    if layout.detail <= Detail::Block {
        let cols = layout.cols.max(1) as usize;
        for (row, line) in (0..layout.rows).zip(picture.pixels.chunks_exact_mut(cols)) {
            for (col, pixel) in (0..layout.cols).zip(line) {
                let is_lit = classes.slot(PeId::new(row, col)) == lit;
                let stays = is_lit && lit == Slot::Useful;
                *pixel = if stays { *pixel } else { (if is_lit { tone_of(lit) } else { Tone::Ground }) as u8 };
            }
        }
        return;
    }
    let mut is_dim = |at: (f32, f32)| layout.hit(at.0, at.1).is_some_and(|pe| classes.slot(pe) != lit);
    let side = layout.cell + 1.0;
    for mark in &mut picture.marks {
        dim(mark, side, &mut is_dim);
    }
    let (off, width) = if layout.detail >= Detail::Registers { (3.0, 3.0) } else { (1.0, 2.0) };
    for pe in layout.pes().filter(|&pe| classes.slot(pe) == lit) {
        let rect = layout.cell_of(pe);
        let around = Rect::new(rect.x - off, rect.y - off, rect.w + 2.0 * off, rect.h + 2.0 * off);
        picture.shape(
            around,
            Outline::Box(if off > 1.0 { 10 } else { 3 }),
            Tone::Clear,
            Stroke::solid(Tone::Chosen, width),
        );
    }
}

/// Dims a shape: its fill becomes the color of the ground, and its outline becomes thin and pale.
pub(crate) fn fade(fill: &mut Tone, stroke: &mut Stroke) {
    if *fill != Tone::Clear {
        *fill = Tone::Ground;
    }
    if stroke.tone != Tone::Clear {
        *stroke = Stroke { tone: Tone::Ghost, width: stroke.width.min(1.0), ..*stroke };
    }
}

/// Dims a mark if its PE is in another class. Marks that are larger than a PE or connect PEs do not change.
fn dim(mark: &mut Mark, side: f32, is_dim: &mut impl FnMut((f32, f32)) -> bool) {
    let is_within = |rect: &Rect| rect.w <= side && rect.h <= side;
    match mark {
        Mark::Shape { rect, fill, stroke, .. } if is_within(rect) && is_dim(rect.center()) => fade(fill, stroke),
        Mark::Hatch { rect, tone, .. } if is_within(rect) && is_dim(rect.center()) => *tone = Tone::Ghost,
        Mark::Text { at, tone, bold, .. } if is_dim(*at) => (*tone, *bold) = (Tone::Faint, false),
        Mark::Shape { .. }
        | Mark::Hatch { .. }
        | Mark::Text { .. }
        | Mark::Line { .. }
        | Mark::Area { .. }
        | Mark::Bitmap { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as stage;
    use studio::Plan;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&studio::Link::parse(query, "").scenario).expect("a run")
    }

    const RUNS: [&str; 8] = [
        "rows=4&cols=4&m=6&k=4&n=3&df=ws",
        "rows=4&cols=4&m=6&k=9&n=7&df=ws&pad=zero",
        "rows=3&cols=7&m=5&k=9&n=7&df=os&drain=south",
        "rows=3&cols=7&m=5&k=9&n=7&df=os&overlap=double-buffered&drain=south",
        "rows=5&cols=2&m=5&k=9&n=7&df=is&overlap=double-buffered",
        "rows=4&cols=4&m=3&k=9&n=7&df=ws&overlap=double-buffered&load=diagonal",
        "rows=4&cols=4&m=6&k=8&n=8&df=ws&load=diagonal&pad=m&padm=4",
        "rows=6&cols=6&m=2&k=20&n=20&df=ws&overlap=double-buffered",
    ];

    #[test]
    fn every_pe_is_in_the_class_that_the_accounts_put_it_in() {
        for query in RUNS {
            let plan = plan(query);
            let schedule = plan.schedule();
            for cycle in (0..schedule.cycles().get()).map(Cycle) {
                let mut classes = Classes::at(schedule, cycle);
                for pe in schedule.array().iter() {
                    assert_eq!(classes.slot(pe), schedule.slot(cycle, pe), "{query} {pe:?} {cycle:?}");
                }
            }
        }
    }

    fn drawn(plan: &Plan, cycle: u64, side: f32, lit: Option<Slot>) -> Picture {
        let mut picture = Picture::default();
        let frame = Frame { class: lit, layers: &[class], ..Frame::new(plan, Cycle(cycle)) };
        stage::draw(&frame, side, side, &mut picture);
        picture
    }

    #[test]
    fn as_many_pes_are_outlined_as_are_in_the_class() {
        for (query, side) in [(RUNS[0], 700.0), (RUNS[0], 300.0), ("rows=20&cols=20&m=9&k=13&n=30&df=ws", 480.0)] {
            let plan = plan(query);
            let schedule = plan.schedule();
            for slot in Slot::ALL {
                for cycle in 0..schedule.cycles().get() {
                    let of_slot = schedule.array().iter().filter(|&pe| schedule.slot(Cycle(cycle), pe) == slot).count();
                    let n = |lit| drawn(&plan, cycle, side, lit).marks.len();
                    assert_eq!(n(Some(slot)) - n(None), of_slot, "{query} {slot:?} {cycle}");
                }
            }
        }
    }

    #[test]
    fn in_a_field_of_pes_every_other_class_is_left_blank() {
        let plan = plan("rows=128&cols=128&m=100&k=128&n=90&df=ws");
        let schedule = plan.schedule();
        for slot in Slot::ALL {
            for cycle in [5, 130, 200, 300, 450] {
                let picture = drawn(&plan, cycle, 600.0, Some(slot));
                let colored = picture.pixels.iter().filter(|&&pixel| pixel != Tone::Ground as u8).count();
                let of_slot = schedule.array().iter().filter(|&pe| schedule.slot(Cycle(cycle), pe) == slot).count();
                assert_eq!(colored, of_slot, "{slot:?} {cycle}");
            }
        }
    }

    #[test]
    fn without_a_class_nothing_changes() {
        let plan = Plan::default();
        let mut picture = Picture::default();
        stage::draw(&Frame::new(&plan, Cycle(7)), 600.0, 600.0, &mut picture);
        assert_eq!(drawn(&plan, 7, 600.0, None), picture);
    }
}
