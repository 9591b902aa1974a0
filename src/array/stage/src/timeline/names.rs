//! The names on the timeline: events above the bars, and phases or folds below the bars.

use super::to_f32;
use display::Tone;
use display::picture::{Anchor, Picture, Rect};
use studio::Plan;
use systolic::{Cycle, EventKind, PeId};

/// Height of the text.
const SIZE: f32 = 11.0;
/// Distance between two names.
const GAP: f32 = 9.0;
/// Largest number of folds that are named one by one.
const FOLDS_MAX: u64 = 32;

fn width(text: &str) -> f32 {
    crate::cells::text_width(text, SIZE)
}

/// Conversion from cycles to positions on the timeline.
pub(super) struct Axis<'a> {
    pub(super) chart: &'a Rect,
    pub(super) total: f64,
}

impl Axis<'_> {
    fn x(&self, cycle: f64) -> f32 {
        to_f32(cycle / self.total) * self.chart.w + self.chart.x
    }
}

/// Returns the tone of a name, and true if the name is bold.
const fn look(is_current: bool) -> (Tone, bool) {
    (if is_current { Tone::Ink } else { Tone::Quiet }, is_current)
}

/// Draws the names of the events. The name of the current event is bold.
pub(super) fn events(plan: &Plan, cycle: Cycle, axis: &Axis<'_>, picture: &mut Picture) {
    for (place, at, text) in placed(plan, cycle, axis) {
        let middle = (place.x + place.w / 2.0, place.y);
        picture.write(middle, text, SIZE, Anchor::Middle, look(at == cycle));
    }
}

/// Returns the event whose name is at a position.
pub(super) fn event_at(plan: &Plan, cycle: Cycle, axis: &Axis<'_>, (x, y): (f32, f32)) -> Option<Cycle> {
    let hits = |place: &Rect| (place.x..place.x + place.w).contains(&x) && (place.y - y).abs() <= SIZE;
    placed(plan, cycle, axis).into_iter().find(|(place, ..)| hits(place)).map(|(_, at, _)| at)
}

/// Returns the names of the events in the latest fold, and the name of the end of the run, with their places and cycles.
/// The most informative names are placed first. The event of the current cycle comes before all other events.
fn placed(plan: &Plan, cycle: Cycle, axis: &Axis<'_>) -> Vec<(Rect, Cycle, String)> {
    let schedule = plan.schedule();
    let fold = schedule.fold_at(cycle, PeId::new(0, 0));
    let mut named: Vec<(Cycle, EventKind)> =
        schedule.events_of(&fold).iter().map(|event| (event.cycle, event.kind)).collect();
    if fold.index + 1 < schedule.folds() {
        named.push((schedule.last_cycle(), EventKind::End));
    }
    let rank = |kind: EventKind| match kind {
        EventKind::End => 0,
        EventKind::FirstResult => 1,
        EventKind::FirstMac => 2,
        EventKind::ArrayFull => 3,
        EventKind::LastMac => 4,
        EventKind::FoldStart => 5,
    };
    named.retain(|(_, kind)| *kind != EventKind::FoldStart);
    let order = |(at, kind): &(Cycle, EventKind)| (*at != cycle, rank(*kind));
    // If several events are in one cycle, the first name is enough.
    let mut placed: Vec<(Rect, Cycle, String)> = Vec::new();
    let y = axis.chart.y - 8.0;
    let limits = (axis.chart.x, axis.chart.x + axis.chart.w);
    // With so few events, a search for the next one is faster than sorting.
    while let Some(first) = (0..named.len()).min_by_key(|&index| order(&named[index])) {
        let (at, kind) = named.remove(first);
        let text = words::picture::event(kind, plan, &fold);
        let (middle, w) = (axis.x(at.as_f64() + 0.5), width(&text));
        if w > limits.1 - limits.0 || placed.iter().any(|(_, other, _)| *other == at) {
            continue;
        }
        // The name is above its cycle, or else to the right or to the left of it.
        let inside = |left: f32| left.min(limits.1 - w).max(limits.0);
        let free = [middle - w / 2.0, middle - SIZE, middle + SIZE - w].into_iter().map(inside).find(|&left| {
            placed.iter().all(|(other, ..)| left + w + GAP <= other.x || other.x + other.w + GAP <= left)
        });
        let Some(left) = free else { continue };
        placed.push((Rect::new(left, y, w, SIZE), at, text));
    }
    placed
}

/// Draws the names of all phases that fit, if the run has one fold. If the run has several folds, draws the names of
/// the folds, or a summary if not all names fit.
pub(super) fn spans(plan: &Plan, cycle: Cycle, axis: &Axis<'_>, picture: &mut Picture) {
    let y = axis.chart.y + axis.chart.h + 8.0;
    if plan.schedule().folds() > 1 {
        folds(plan, cycle, axis, y, picture);
        return;
    }
    let now = cycle.as_f64();
    for (text, from, until) in phases(plan) {
        let (left, right) = (axis.x(from), axis.x(until));
        if until > from && width(text) + 2.0 <= right - left {
            let tone = if now >= from && now < until { Tone::Ink } else { Tone::Quiet };
            picture.text((f32::midpoint(left, right), y), text, SIZE, Anchor::Middle, tone);
        }
    }
}

/// Returns the fold, the event and the phases of a cycle, which determine the names on the timeline.
pub(super) fn looks(plan: &Plan, cycle: Cycle) -> (u64, Option<Cycle>, [bool; 4]) {
    let schedule = plan.schedule();
    let fold = schedule.fold_at(cycle, PeId::new(0, 0));
    let event = schedule.events_of(&fold).iter().map(|event| event.cycle).find(|at| *at == cycle);
    let event = event.or_else(|| (cycle == schedule.last_cycle()).then_some(cycle));
    let now = cycle.as_f64();
    (fold.index, event, phases(plan).map(|(_, from, until)| now >= from && now < until))
}

/// Returns the phases of a run with one fold, with the cycles at which they begin and end.
fn phases(plan: &Plan) -> [(&'static str, f64, f64); 4] {
    let schedule = plan.schedule();
    let load = schedule.load_cycles().as_f64();
    let fold = schedule.fold(0);
    let far = f64::from(fold.mapped.rows + fold.mapped.cols) - 2.0;
    let stream = systolic::Elements(schedule.stream_len()).as_f64();
    let (full, drain) = (load + far, load + far.max(stream));
    let is_full = stream > far;
    [
        (words::picture::loading(schedule.dataflow().stationary()), 0.0, load),
        (words::picture::FILL, load, if is_full { full } else { drain }),
        (words::picture::STEADY, full, if is_full { drain } else { full }),
        (words::picture::DRAIN, drain, schedule.cycles().as_f64()),
    ]
}

fn folds(plan: &Plan, cycle: Cycle, axis: &Axis<'_>, y: f32, picture: &mut Picture) {
    let schedule = plan.schedule();
    let now = schedule.fold_at(cycle, PeId::new(0, 0)).index;
    let room = axis.x(schedule.period().as_f64()) - axis.x(0.0) - GAP;
    let all = || (0..schedule.folds().min(FOLDS_MAX)).map(|index| schedule.fold(index));
    let forms = [words::picture::fold_with_place, words::picture::fold];
    let form = forms
        .into_iter()
        .filter(|_| schedule.folds() <= FOLDS_MAX)
        .find(|form| all().all(|fold| width(&form(plan, &fold)) <= room));
    let Some(form) = form else {
        let text = words::picture::folds(schedule.folds(), schedule.cycles_per_fold(), schedule.period());
        if width(&text) + 2.0 <= axis.chart.w {
            picture.text((axis.chart.x + 2.0, y), text, SIZE, Anchor::Start, Tone::Quiet);
        }
        return;
    };
    for fold in all() {
        let at = (axis.x(schedule.fold_start(fold.index).as_f64()) + 2.0, y);
        let text = form(plan, &fold);
        picture.write(at, text, SIZE, Anchor::Start, look(fold.index == now));
    }
}
