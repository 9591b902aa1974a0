//! The ways of the values that meet in a chosen PE: the operands that move to the PE, the operand that stays in it, and
//! its sum. The way of a moving operand has the clock edge of each step.

use super::cells::{TEXT_MIN, ink_of, text_width};
use super::geometry::{Edge, Side};
use super::{Detail, Frame, Layout, Scene};
use display::Tone;
use display::picture::{Anchor, Mark, Outline, Picture, Rect, Stroke, px};
use systolic::{Activity, Cycle, Cycles, Hold, PeId, Probe};

/// A place where a value was, is or will be, and the clock edge at which it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// Skew register of the lane. Number 1 is next to the array.
    Register(u32, Cycle),
    /// PE.
    Pe(PeId, Cycle),
}

/// Layer that draws the ways of the chosen PE's values.
pub fn draw_ways(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let layout = &scene.layout;
    let is_plain = frame.spot.is_none() && frame.broken.is_none() && frame.channel.is_none();
    let Some(pe) = frame.selected.filter(|_| is_plain && frame.zoom.is_whole()) else { return };
    if layout.detail < Detail::Compact {
        return;
    }
    let probe = frame.plan.prober().without_sum(frame.cycle, pe);
    if let Some(held) = probe.held.filter(|_| stays(frame, &probe)) {
        draw_load(frame, layout, pe, ink_of(held.operand).0, picture);
    }
    if probe.mac.is_some() && frame.plan.schedule().dataflow().hold() == Hold::Operand {
        draw_sum(frame, layout, pe, picture);
    }
    for (element, side) in [(probe.south, Side::North), (probe.east, Side::West)] {
        if let Some(element) = element {
            let stops = stops(frame, layout, pe, side);
            let has_last = side == Side::West || probe.east.is_none();
            draw_stops(layout, pe, (&stops, has_last), side, ink_of(element.operand).0, picture);
        }
    }
}

/// True if the operand in a PE stays in this PE. While a fold loads, the operand may still move on to a later row.
fn stays(frame: &Frame<'_>, probe: &Probe) -> bool {
    let fold = frame.plan.schedule().fold_at(frame.cycle, probe.pe);
    probe.activity != Activity::Loading && fold.mapped.contains(probe.pe)
}

/// Returns the places of the operand that is in a PE now, from the outermost drawn register to this PE.
fn stops(frame: &Frame<'_>, layout: &Layout, pe: PeId, side: Side) -> Vec<Stop> {
    let schedule = frame.plan.schedule();
    let (lane, n_pes) = match side {
        Side::West => (pe.row, pe.col),
        Side::North => (pe.col, pe.row),
    };
    let at = |nth: u32| match side {
        Side::West => PeId { col: nth, ..pe },
        Side::North => PeId { row: nth, ..pe },
    };
    let ago = |n: u64| frame.cycle.get().checked_sub(n).map(Cycle);
    let to_first = schedule.hops(pe) - schedule.hops(at(0));
    let registers = (1..=lane.min(layout.edge(side).tokens)).rev();
    let outside = registers.filter_map(|ahead| Some(Stop::Register(ahead, ago(to_first + u64::from(ahead))?)));
    let inside = (0..=n_pes).map(at);
    let inside = inside.filter_map(|stop| Some(Stop::Pe(stop, ago(schedule.hops(pe) - schedule.hops(stop))?)));
    outside.chain(inside).collect()
}

/// Distance from the middle of a column to the links of the operand that was loaded, and to the labels of values that
/// move south. The links of the sums are in the middle.
const LOADED: f32 = 11.0;
const SOUTH_LABEL: f32 = 20.0;
/// Distance from the left side of a cell to the middle of a label below the cell.
const EAST_LABEL: f32 = 26.0;

/// Returns the vertical position of a label at the lower edge of a row.
fn below(layout: &Layout, row: u32) -> f32 {
    let rect = layout.cell_of(PeId::new(row, 0));
    rect.y + rect.h - 1.0
}

/// Draws the link that enters a PE from the west or from the north.
fn draw_link(layout: &Layout, pe: PeId, side: Side, off: f32, tone: Tone, picture: &mut Picture) {
    let (rect, gap) = (layout.cell_of(pe), layout.pitch - layout.cell);
    let (x, y) = rect.center();
    // Outside of the array, a link is as long as the distance to the registers.
    let (from, to) = match side {
        Side::West => {
            let long = if pe.col == 0 { layout.west.lead.max(gap) - 1.0 } else { gap };
            ((rect.x - long, y + off), (rect.x, y + off))
        }
        Side::North => {
            let long = if pe.row == 0 { layout.north.lead.max(gap) - 1.0 } else { gap };
            ((x + off, rect.y - long), (x + off, rect.y))
        }
    };
    picture.marks.push(Mark::Line { from, to, stroke: Stroke::solid(tone, WIDTH), arrow: true });
}

/// Width of a link that carried a value.
const WIDTH: f32 = 3.5;

/// Draws the links over which an operand came, a line along its registers, and the clock edge at each stop. `has_last`
/// is false if another way to this PE draws the label of the last stop, the PE itself.
fn draw_stops(
    layout: &Layout,
    pe: PeId,
    (stops, has_last): (&[Stop], bool),
    side: Side,
    tone: Tone,
    picture: &mut Picture,
) {
    let (rect, array, gap) = (layout.cell_of(pe), layout.array(), layout.pitch - layout.cell);
    let Edge { pitch: step, lead, .. } = layout.edge(side);
    let (x, y) = rect.center();
    let away = |ahead: u32| lead + px(ahead) * step - step / 2.0;
    // These are the height of a token in the west, and the width of a token in the north.
    let (tall, wide) = (layout.token_size(Side::West).1, layout.token_size(Side::North).0);
    let ahead = |stop: &Stop| if let Stop::Register(ahead, _) = stop { Some(*ahead) } else { None };
    if let Some(farthest) = stops.iter().filter_map(ahead).max() {
        let (near, far) = (away(1) - step / 2.0 + 3.0, away(farthest) + step / 2.0 - 3.0);
        let [from, to] = match side {
            Side::West => [far, near].map(|off| (array.x - off, y + tall / 2.0 + 3.0)),
            Side::North => [far, near].map(|off| (x + wide / 2.0 + 3.0, array.y - off)),
        };
        picture.line(from, to, Stroke::solid(tone, 2.0));
    }
    for stop in stops {
        let (at, cycle, is_last) = match (*stop, side) {
            // The label is below the name of the register's element.
            (Stop::Register(ahead, cycle), Side::West) => {
                ((array.x - away(ahead) + 2.5, y + tall / 2.0 + 23.0), cycle, false)
            }
            (Stop::Register(ahead, cycle), Side::North) => {
                ((x + wide / 2.0 + SOUTH_LABEL, array.y - away(ahead)), cycle, false)
            }
            (Stop::Pe(at, cycle), _) => {
                draw_link(layout, at, side, 0.0, tone, picture);
                let cell = layout.cell_of(at);
                let place = match side {
                    Side::West => (cell.x + EAST_LABEL, below(layout, pe.row)),
                    Side::North => (x + SOUTH_LABEL, cell.y - gap / 2.0),
                };
                (place, cycle, at == pe)
            }
        };
        if has_last || !is_last {
            label(layout, at, cycle, if is_last { Tone::Chosen } else { tone }, picture);
        }
    }
}

/// Draws the way of the operand that stays in a PE: down the column, from the edge where it was loaded.
fn draw_load(frame: &Frame<'_>, layout: &Layout, pe: PeId, tone: Tone, picture: &mut Picture) {
    for row in 0..=pe.row {
        draw_link(layout, PeId { row, ..pe }, Side::North, -LOADED, tone, picture);
    }
    // Without other labels on the ways, nothing would say what this label means, so it is left out.
    let is_alone = frame.plan.prober().without_sum(frame.cycle, pe).mac.is_none();
    if let Some(cycle) = loaded_at(frame, pe).filter(|_| !is_alone) {
        let (x, _) = layout.cell_of(pe).center();
        // The gap below the first row has other labels of that row, so the label of a PE in that row is above the
        // array.
        let y = if pe.row == 0 { layout.array().y - 9.0 } else { below(layout, 0) };
        label(layout, (x - SOUTH_LABEL - 4.0, y), cycle, tone, picture);
    }
}

/// Returns the clock edge at which the operand that a PE holds entered its column. `None` if the operand entered before
/// the first cycle of its fold, as with overlap.
fn loaded_at(frame: &Frame<'_>, pe: PeId) -> Option<Cycle> {
    let schedule = frame.plan.schedule();
    let fold = schedule.fold_at(frame.cycle, pe).index;
    let start = schedule.fold_start(fold);
    let rows = u64::from(schedule.array().rows() - pe.row);
    let cycles = (0..4 * u64::from(schedule.array().rows())).map(|since| start.after(Cycles(since)));
    cycles
        .take_while(|cycle| *cycle <= frame.cycle)
        .find(|cycle| schedule.rows_loaded(*cycle, pe.col).is_some_and(|(loaded, n)| loaded.index == fold && n >= rows))
}

/// Draws the way of the sum: from the first PE that added to it, down the column and out of the array.
fn draw_sum(frame: &Frame<'_>, layout: &Layout, pe: PeId, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let (first, last) = (PeId { row: 0, ..pe }, PeId { row: layout.rows - 1, ..pe });
    for row in 1..layout.rows {
        draw_link(layout, PeId { row, ..pe }, Side::North, 0.0, Tone::Sum, picture);
    }
    if layout.rows == 1 {
        return;
    }
    let x = layout.cell_of(pe).center().0 + SOUTH_LABEL;
    let to_here = schedule.hops(pe) - schedule.hops(first);
    if let Some(started) = frame.cycle.get().checked_sub(to_here) {
        label(layout, (x, below(layout, 0)), Cycle(started), Tone::Sum, picture);
    }
    let leaves = frame.cycle.after(Cycles(schedule.hops(last) - schedule.hops(pe)));
    label(layout, (x, below(layout, last.row)), leaves, Tone::Sum, picture);
}

/// Side of the smallest cell with labels. Around smaller cells, labels would cover numbers.
const LABEL_MIN: f32 = 76.0;

/// Draws a clock edge as a label.
fn label(layout: &Layout, (x, y): (f32, f32), cycle: Cycle, tone: Tone, picture: &mut Picture) {
    if layout.cell < LABEL_MIN {
        return;
    }
    let text = words::picture::at_cycle(cycle);
    let width = text_width(&text, TEXT_MIN) + 6.0;
    let rect = Rect::new(x - width / 2.0, y - 7.0, width, 14.0);
    let is_now = tone == Tone::Chosen;
    picture.shape(rect, Outline::Box(4), Tone::Ground, Stroke::solid(tone, if is_now { 2.0 } else { 1.2 }));
    picture.write((x, y), text, TEXT_MIN, Anchor::Middle, (Tone::Ink, is_now));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as stage;
    use studio::{Link, Plan};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&Link::parse(query, "").scenario).expect("a run")
    }

    fn drawn(plan: &Plan, cycle: u64, pe: PeId, layers: &[stage::Layer]) -> Picture {
        let mut picture = Picture::default();
        let frame = Frame { selected: Some(pe), layers, ..Frame::new(plan, Cycle(cycle)) };
        stage::draw(&frame, 984.0, 640.0, &mut picture);
        picture
    }

    fn labels(query: &str, cycle: u64, pe: PeId) -> Vec<String> {
        let plan = plan(query);
        let bare = drawn(&plan, cycle, pe, &[]).texts().count();
        drawn(&plan, cycle, pe, &[draw_ways]).texts().skip(bare).map(str::to_owned).collect()
    }

    #[test]
    fn the_ways_of_a_pe_have_the_cycles_of_the_mock() {
        // Weights enter from cycle 0 on, the last row first, so row 2 enters at cycle 1. The sum moves down one PE per
        // cycle, so it began two cycles ago. It leaves row 3 one cycle later. The element of A was in two registers,
        // then in two PEs.
        let labels = labels("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", 9, PeId::new(2, 1));
        assert_eq!(labels, ["t=1", "t=7", "t=10", "t=6", "t=7", "t=8", "t=9"]);
    }

    #[test]
    fn at_every_stop_the_operand_is_in_the_pe_at_that_clock_edge() {
        for query in [
            "rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8",
            "rows=4&cols=3&m=6&k=9&n=7&df=os&dt=int8",
            "rows=3&cols=4&m=9&k=5&n=4&df=is&dt=int8",
            "rows=4&cols=4&m=6&k=9&n=4&df=ws&overlap=double-buffered",
        ] {
            let plan = plan(query);
            let (prober, mut n) = (plan.prober(), 0);
            for cycle in 0..=plan.last().get() {
                for pe in plan.schedule().array().iter() {
                    let frame = Frame { selected: Some(pe), ..Frame::new(&plan, Cycle(cycle)) };
                    let layout = frame.scene(984.0, 640.0).layout;
                    let now = prober.without_sum(Cycle(cycle), pe);
                    for (element, side) in [(now.east, Side::West), (now.south, Side::North)] {
                        let Some(element) = element else { continue };
                        for stop in stops(&frame, &layout, pe, side) {
                            let Stop::Pe(at, then) = stop else { continue };
                            let was = prober.without_sum(then, at);
                            let was = if side == Side::West { was.east } else { was.south };
                            assert_eq!(was, Some(element), "{query} {cycle} {pe:?} {stop:?}");
                            n += 1;
                        }
                    }
                    let held = now.held.filter(|_| stays(&frame, &now));
                    if let (Some(held), Some(cycle)) = (held, loaded_at(&frame, pe)) {
                        let first = prober.without_sum(cycle, PeId { row: 0, ..pe });
                        assert!([first.held, first.shadow].contains(&Some(held)), "{query} {cycle:?} {pe:?}");
                        n += 1;
                    }
                }
            }
            assert!(n > 100, "{query}: {n}");
        }
    }

    #[test]
    fn small_cells_have_lines_without_labels_and_smaller_cells_nothing() {
        let pe = PeId::new(2, 1);
        assert!(labels("rows=12&cols=12&m=16&k=12&n=12&df=ws&dt=int8", 20, pe).is_empty());
        let n = |query: &str, layers: &[stage::Layer]| drawn(&plan(query), 20, pe, layers).marks.len();
        let twelve = "rows=12&cols=12&m=16&k=12&n=12&df=ws&dt=int8";
        assert!(n(twelve, &[draw_ways]) > n(twelve, &[]));
        let many = "rows=64&cols=64&m=64&k=64&n=64&df=ws&dt=int8";
        assert_eq!(n(many, &[draw_ways]), n(many, &[]));
    }
}
