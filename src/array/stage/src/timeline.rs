//! The timeline of a run: phases, the number of busy PEs, and the current cycle. The page shows the timeline under the
//! scrubber.

mod class;
mod names;

pub use class::light;

use display::Tone;
use display::picture::{Anchor, Dash, Mark, Outline, Picture, Rect, Stroke};
use studio::Plan;
use systolic::{Cycle, Overlap, Slot};

/// Maximum number of cycles of a run that is drawn with one bar per cycle.
const BARS_MAX: u64 = 96;
/// Maximum number of folds that are drawn.
const FOLDS_MAX: u64 = 64;

/// Draws the timeline into a picture of this size.
pub fn draw(plan: &Plan, cycle: Cycle, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    let schedule = plan.schedule();
    let total = schedule.cycles().as_f64();
    let chart = chart(width, height);
    let x = |cycle: f64| to_f32(cycle / total) * chart.w + chart.x;
    picture.shape(chart, Outline::Box(4), Tone::Ground, Stroke::solid(Tone::Faint, 1.0));
    draw_phases(plan, &chart, &x, picture);
    let current = cycle.as_f64();
    if schedule.cycles().get() <= BARS_MAX {
        draw_bars(plan, cycle, &chart, picture);
        let now = Rect::new(x(current), chart.y, x(current + 1.0) - x(current), chart.h);
        picture.shape(now, Outline::Box(2), Tone::Clear, Stroke::solid(Tone::Ink, 2.0));
    } else {
        let x = cursor(plan, cycle, &chart);
        draw_area(plan, &chart, x, picture);
        picture.line((x, chart.y), (x, chart.y + chart.h), Stroke::solid(Tone::Ink, 2.0));
    }
    let axis = names::Axis { chart: &chart, total };
    if chart.y >= ROOM {
        names::events(plan, cycle, &axis, picture);
    }
    if height >= HEIGHT_OF_ONE {
        names::spans(plan, cycle, &axis, picture);
    }
}

/// Draws a line over the timeline of a run, at the cycle at which a shorter run ends. A card showed this shorter run
/// before.
pub fn mark_end_before(cycles_before: u64, plan: &Plan, width: f32, height: f32, picture: &mut Picture) {
    let (total, chart) = (plan.schedule().cycles(), chart(width, height));
    if cycles_before >= total.get() {
        return;
    }
    let x = chart.x + to_f32(Cycle(cycles_before).as_f64() / total.as_f64()) * chart.w;
    let dashed = Stroke { dash: Dash::Dashed, ..Stroke::solid(Tone::Ink, 1.5) };
    picture.line((x, chart.y), (x, chart.y + chart.h), dashed);
    let wide = crate::cells::text_width(words::drawing::BEFORE, TEXT);
    // The name is left of the line if it has space there.
    let (x, anchor) = if x >= wide + 8.0 { (x - 4.0, Anchor::End) } else { (x + 4.0, Anchor::Start) };
    // The area of busy PEs is too dark for a text, so the name has its own background.
    let left = if anchor == Anchor::End { x - wide } else { x };
    let behind = Rect::new(left - 2.0, chart.y + TEXT / 2.0, wide + 4.0, TEXT);
    picture.shape(behind, Outline::Box(2), Tone::Ground, Stroke::solid(Tone::Clear, 0.0));
    picture.text((x, chart.y + TEXT), words::drawing::BEFORE, TEXT, anchor, Tone::Ink);
}

/// Text size of the name of the shorter run.
const TEXT: f32 = 11.0;

/// Returns the cycle of the event whose name is at a position of a timeline with this size.
#[must_use]
pub fn event_at(plan: &Plan, cycle: Cycle, (width, height): (f32, f32), place: (f32, f32)) -> Option<Cycle> {
    let chart = chart(width, height);
    let axis = names::Axis { chart: &chart, total: plan.schedule().cycles().as_f64() };
    if chart.y >= ROOM { names::event_at(plan, cycle, &axis, place) } else { None }
}

/// Returns the position of the line for a cycle on the timeline of a long run, rounded to a quarter of a pixel.
fn cursor(plan: &Plan, cycle: Cycle, chart: &Rect) -> f32 {
    let x = to_f32((cycle.as_f64() + 0.5) / plan.schedule().cycles().as_f64()) * chart.w + chart.x;
    (x * 4.0).round() / 4.0
}

/// True if the timeline looks the same at two cycles. In a long run, the line of the current cycle stays in place for
/// many cycles.
#[must_use]
pub fn looks_same(plan: &Plan, (one, other): (Cycle, Cycle), width: f32, height: f32) -> bool {
    if one == other {
        return true;
    }
    let (schedule, chart) = (plan.schedule(), chart(width, height));
    let look = |cycle: Cycle| (cursor(plan, cycle, &chart), names::looks(plan, cycle));
    schedule.cycles().get() > BARS_MAX && look(one) == look(other)
}

/// Height of a line of names.
const ROOM: f32 = 14.0;
/// Smallest height with space for a line of names below the bars, and for a second line above the bars.
const HEIGHT_OF_ONE: f32 = 24.0;
const HEIGHT_OF_TWO: f32 = 62.0;

/// Returns the rectangle of the bars. Names of events are above the bars, if there is space, and names of phases are
/// below the bars.
const fn chart(width: f32, height: f32) -> Rect {
    let above = if height >= HEIGHT_OF_TWO { ROOM } else { 0.0 };
    let below = if height >= HEIGHT_OF_ONE { ROOM } else { 0.0 };
    Rect::new(0.5, 0.5 + above, width - 1.0, height - above - below - 1.0)
}

#[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
const fn to_f32(value: f64) -> f32 {
    value as f32
}

/// Draws an area for the cycles in which the stationary operand is loaded, and a line at the start of each fold. Many
/// folds would hide the bars, so they are not drawn.
pub(crate) fn draw_phases(plan: &Plan, chart: &Rect, x: &impl Fn(f64) -> f32, picture: &mut Picture) {
    let schedule = plan.schedule();
    if schedule.folds() > FOLDS_MAX {
        return;
    }
    for index in 0..schedule.folds() {
        let start = schedule.fold_start(index).as_f64();
        let load = schedule.load_cycles().as_f64();
        // With overlap, later folds load while the previous fold runs.
        if load > 0.0 && (index == 0 || schedule.design().overlap == Overlap::None) {
            let rect = Rect::new(x(start), chart.y, x(start + load) - x(start), chart.h);
            picture.shape(rect, Outline::Box(0), Tone::Load, Stroke::solid(Tone::Clear, 0.0));
        }
        if index > 0 {
            let at = x(start);
            picture.line((at, chart.y), (at, chart.y + chart.h), Stroke::solid(Tone::Faint, 1.0));
        }
    }
}

/// Returns the space above the tallest bar.
const fn headroom(chart: &Rect) -> f32 {
    if chart.h < HEIGHT_OF_ONE { 0.5 } else { 4.0 }
}

fn busy_share(plan: &Plan, cycle: u64) -> f32 {
    let schedule = plan.schedule();
    let busy = schedule.census(Cycle(cycle)).useful;
    to_f32(systolic::PeCycles(busy).as_f64() / systolic::PeCycles(schedule.array().pes()).as_f64())
}

fn draw_bars(plan: &Plan, current: Cycle, chart: &Rect, picture: &mut Picture) {
    let schedule = plan.schedule();
    let step = chart.w / to_f32(schedule.cycles().as_f64());
    for cycle in 0..schedule.cycles().get() {
        let share = busy_share(plan, cycle);
        if share > 0.0 {
            let h = share * (chart.h - headroom(chart));
            let x = chart.x + to_f32(Cycle(cycle).as_f64()) * step;
            let rect = Rect::new(x + 0.5, chart.y + chart.h - h, (step - 1.0).max(1.0), h);
            // Future bars are outlines, because every lighter fill means a state of the PEs.
            let edge = headroom(chart).min(1.0);
            let (fill, edge) = if cycle <= current.get() { (Tone::Useful, 0.0) } else { (Tone::Ground, edge) };
            picture.shape(rect, Outline::Box(0), fill, Stroke::solid(Tone::Useful, edge));
        }
    }
}

/// Pixels per sample of the curve; more than one, because the curve is computed and drawn again in every frame.
const SAMPLE: f32 = 3.0;

/// Draws the curve of busy PEs with as many samples as fit, filled up to `now`. Each sample is computed in constant
/// time.
fn draw_area(plan: &Plan, chart: &Rect, now: f32, picture: &mut Picture) {
    let points = profile(plan, Slot::Useful, chart);
    // Stalled PEs are on top of busy PEs: a faster edge could turn them into busy ones.
    if plan.schedule().tally().stall.get() > 0 {
        let bottom = chart.y + chart.h;
        let over = |(&(x, y), (_, stalled)): (&(f32, f32), (f32, f32))| (x, y + stalled - bottom);
        let stalled = points.iter().zip(profile(plan, Slot::Stall, chart)).map(over).collect();
        picture.marks.push(Mark::Area { points: stalled, fill: Tone::Stall });
    }
    // The future is an outline, as the bars of a short run are.
    let (right, bottom) = (chart.x + chart.w, chart.y + chart.h);
    let under = |(x, y): &(f32, f32)| (*x, (y + OUTLINE).min(bottom));
    let ahead = points.iter().filter(|(x, _)| *x > now).map(under);
    let inside = core::iter::once((now, bottom)).chain(ahead).chain([(right, bottom)]).collect();
    picture.marks.push(Mark::Area { points, fill: Tone::Useful });
    picture.marks.push(Mark::Area { points: inside, fill: Tone::Ground });
}

/// Width of the outline of the curve in the future.
const OUTLINE: f32 = 1.5;

/// Returns the curve of the number of PEs in a class during the run, as the corners of the area below the curve.
fn profile(plan: &Plan, slot: Slot, chart: &Rect) -> Vec<(f32, f32)> {
    let schedule = plan.schedule();
    let total = schedule.cycles().get();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a width in pixels")]
    let samples = u64::from((chart.w / SAMPLE).max(2.0) as u32).min(total);
    let bottom = chart.y + chart.h;
    let pes = systolic::PeCycles(schedule.array().pes()).as_f64();
    let mut points = vec![(chart.x, bottom)];
    // A sample is the mean over its pixels, because single cycles would interfere with the period of the folds.
    let (mut from, mut before) = (0, 0);
    for sample in 1..=samples {
        let until = total * sample / samples;
        let counted = schedule.tally_until(Cycle(until - 1)).get(slot).get();
        let length = Cycle(until - from).as_f64();
        let share = to_f32(systolic::PeCycles(counted - before).as_f64() / (pes * length));
        let middle = (Cycle(from).as_f64() + length / 2.0) / schedule.cycles().as_f64();
        points.push((chart.x + to_f32(middle) * chart.w, bottom - share * (chart.h - headroom(chart))));
        (from, before) = (until, counted);
    }
    points.push((chart.x + chart.w, bottom));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_shorter_run_before_ends_at_its_share_of_the_timeline() {
        let plan =
            Plan::new(&studio::Link::parse("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", "").scenario).expect("a run");
        assert_eq!(plan.schedule().cycles().get(), 16);
        let marked = |cycles_before: u64| {
            let mut picture = Picture::default();
            mark_end_before(cycles_before, &plan, 801.0, 60.0, &mut picture);
            picture.marks.iter().find_map(|mark| match mark {
                Mark::Line { from, .. } => Some(from.0),
                _ => None,
            })
        };
        assert_eq!((marked(4), marked(12), marked(16)), (Some(200.5), Some(600.5), None));
    }

    #[test]
    fn pes_that_wait_for_memory_stand_on_those_that_are_busy() {
        let area = |query: &str, tone: Tone| {
            let plan = Plan::new(&studio::Link::parse(query, "").scenario).expect("a run");
            let mut picture = Picture::default();
            draw(&plan, Cycle(0), 800.0, 60.0, &mut picture);
            picture.marks.into_iter().find_map(|mark| match mark {
                Mark::Area { points, fill } if fill == tone => Some(points),
                _ => None,
            })
        };
        let query = "rows=64&cols=64&m=40&k=512&n=64&dt=int8&overlap=double-buffered&chip=tpu-v1";
        assert!(area(query, Tone::Stall).is_none());
        let fed = format!("{query}&feed=memory");
        let (busy, both) = (area(&fed, Tone::Useful).expect("busy"), area(&fed, Tone::Stall).expect("some wait"));
        assert!(busy.iter().zip(&both).all(|(low, high)| high.0 == low.0 && high.1 <= low.1));
        assert!(busy.iter().zip(&both).any(|(low, high)| high.1 < low.1 - 1.0));
    }
}
