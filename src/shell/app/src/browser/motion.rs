//! Motion between two cycles. [`Motion`] shows a step of time as moving tokens, and records when the tokens arrive.
//!
//! All tokens that move by the same distance in the same direction share a canvas over the array view (`overlay.rs`),
//! which is painted once. The browser moves this canvas, so the frames of the movement need no script. While a run
//! plays, the next step is prepared on canvases as soon as the tokens come to rest. A new canvas is painted before it
//! is added to the page.

use std::sync::Arc;

use display::Picture;
use stage::tween::{self, TRAVEL_MS, Travel};
use stage::{Detail, Filter};
use studio::{Plan, PointedValue};
use systolic::{Cycle, PeId, Slot};

use super::measure::Size;
use super::overlay::Overlays;
use super::painter::Painter;

/// Time in milliseconds without a change, after which the next step is prepared.
pub(crate) const REST_MS: f64 = 300.0;

/// View and run of a frame. Two frames can be joined by motion only if their views and runs are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scenery {
    /// Size of the array view.
    pub(crate) size: Size,
    /// Zoom of the array view.
    pub(crate) zoom: stage::Zoom,
    /// Address of the run's plan in memory, which identifies the run.
    pub(crate) run: usize,
    /// Level of detail of a cell.
    pub(crate) detail: Detail,
}

/// Colors and choices of a frame. A prepared step can be shown only if its colors and choices have not changed since
/// the step was painted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    /// Number of the color palette.
    pub(crate) palette: u32,
    /// PE that the caption describes.
    pub(crate) selected: Option<PeId>,
    /// Value whose path is drawn.
    pub(crate) spot: Option<PointedValue>,
    /// Shapes that are switched off, and parts that are highlighted.
    pub(crate) filter: Filter,
    /// Class of PE-cycles that is highlighted.
    pub(crate) class: Option<Slot>,
    /// Number of layers over the array.
    pub(crate) n_layers: usize,
    /// Second run of a comparison.
    pub(crate) second: Option<Arc<Plan>>,
}

impl PartialEq for Look {
    fn eq(&self, other: &Self) -> bool {
        let plain = |look: &Self| (look.palette, look.selected, look.spot, look.filter, look.class, look.n_layers);
        let run = |look: &Self| look.second.as_ref().map(Arc::as_ptr);
        plain(self) == plain(other) && run(self) == run(other)
    }
}

/// State of the array view in this frame, with a function that draws other cycles.
pub(crate) struct Now<'a> {
    /// Cycle that is shown.
    pub(crate) cycle: Cycle,
    /// View and run.
    pub(crate) scenery: Scenery,
    /// Colors and choices.
    pub(crate) look: Look,
    /// True if the array is fault-free and its PEs show their activity.
    pub(crate) is_plain: bool,
    /// True if tokens can travel now.
    pub(crate) may_travel: bool,
    /// True if the run has a next cycle to which tokens can travel.
    pub(crate) has_next: bool,
    /// True if the run plays, so that the next step follows without an action of a person.
    pub(crate) goes_on: bool,
    /// Function that draws a cycle into a picture.
    pub(crate) draw: &'a dyn Fn(Cycle, &mut Picture),
    /// Function that returns true if the last drawing was complete.
    pub(crate) is_whole: &'a dyn Fn() -> bool,
}

impl Now<'_> {
    fn drawn(&self, cycle: Cycle) -> Picture {
        let mut picture = Picture::default();
        (self.draw)(cycle, &mut picture);
        picture
    }
}

/// Result of [`Motion::pass`] for one frame.
pub(crate) enum Passed {
    /// Moving tokens, which arrive after this number of milliseconds.
    Underway(f64),
    /// Unchanged view; the caller paints nothing.
    Stands,
    /// New picture, already painted.
    Painted,
    /// No picture yet; the caller paints the whole view.
    Nothing,
    /// No picture yet, like `Nothing`. After [`REST_MS`] without a change, the next step can be prepared.
    Rests,
}

/// One clock edge that is shown as motion.
#[derive(Clone, Copy)]
struct Step {
    before: Cycle,
    after: Cycle,
    is_backward: bool,
}

/// A prepared step: the tokens of one cycle on their own canvases, over everything that does not move.
struct Laid {
    before: Cycle,
    after: Cycle,
    scenery: Scenery,
    look: Look,
    /// Picture of the next cycle, with which the following step begins.
    next: Picture,
}

impl Laid {
    fn shows(&self, cycle: Cycle, now: &Now<'_>) -> bool {
        self.before == cycle && self.scenery == now.scenery && self.look == now.look
    }
}

/// Motion of the array view: its last cycle, its prepared step, and the time at which tokens arrive.
#[derive(Default)]
pub(crate) struct Motion {
    last: Option<(Cycle, Scenery)>,
    laid: Option<Laid>,
    /// Cycle and view of the last completely painted frame. The next step can be prepared from them.
    rested: Option<(Cycle, Scenery, Look)>,
    end_ms: Option<f64>,
    overlays: Overlays,
}

impl Motion {
    /// Brings the motion up to date with this frame, and shows tokens that move between two cycles.
    pub(crate) fn pass(&mut self, now: Now<'_>, picture: &mut Picture, painter: &mut Painter) -> Passed {
        let now_ms = super::now_ms();
        if let Some(step) = self.follow(&now) {
            if super::wants_no_motion() {
                self.end();
                (now.draw)(now.cycle, picture);
                tween::draw_ghosts(&now.drawn(if step.is_backward { step.after } else { step.before }), picture);
                painter.paint(picture, now.scenery.size);
                return Passed::Painted;
            }
            let is_ready = |laid: &Laid| laid.after == step.after && laid.shows(step.before, &now);
            if !self.laid.as_ref().is_some_and(is_ready) {
                self.lay((step.before, &now.drawn(step.before)), (step.after, now.drawn(step.after)), &now, painter);
            }
            self.overlays.set_out(step.is_backward);
            self.end_ms = Some(now_ms + f64::from(TRAVEL_MS));
            if step.is_backward {
                // Tokens that move backward have the values of the later cycle, so this step cannot be used again.
                self.laid = None;
            }
            return Passed::Underway(f64::from(TRAVEL_MS));
        }
        if let Some(rest_ms) = self.end_ms.map(|end| end - now_ms).filter(|rest| *rest > 0.0) {
            return Passed::Underway(rest_ms);
        }
        if now.is_plain && self.laid.as_ref().is_some_and(|laid| laid.shows(now.cycle, &now)) {
            return Passed::Stands;
        }
        // The path of a value is drawn over the PEs. A canvas over the array view would cover the path, so none is
        // prepared.
        let is_covered = now.look.spot.is_some();
        // While the run plays, the next step is prepared as soon as tokens rest, so that it need not be painted later.
        let arrived = self.laid.take().filter(|laid| laid.after == now.cycle && laid.shows(laid.before, &now));
        if let (true, Some(arrived)) = (now.goes_on && !is_covered, arrived) {
            let next = Cycle(now.cycle.get() + 1);
            let other = now.drawn(next);
            if (now.is_whole)() {
                *picture = arrived.next;
                self.lay((now.cycle, picture), (next, other), &now, painter);
                return Passed::Painted;
            }
        }
        // A person may request the next step, and should not wait for canvases. So the step is prepared in advance.
        let may_lay = now.has_next && !is_covered && now.scenery.detail >= Detail::Compact;
        let rested = (may_lay && !super::wants_no_motion()).then(|| (now.cycle, now.scenery, now.look.clone()));
        if rested.is_some() && rested == self.rested && (now.is_whole)() {
            self.rested = None;
            let next = Cycle(now.cycle.get() + 1);
            *picture = now.drawn(now.cycle);
            self.lay((now.cycle, picture), (next, now.drawn(next)), &now, painter);
            return Passed::Painted;
        }
        self.end();
        self.rested = rested;
        if self.rested.is_some() { Passed::Rests } else { Passed::Nothing }
    }

    /// Returns the clock edge whose tokens begin to travel now.
    fn follow(&mut self, now: &Now<'_>) -> Option<Step> {
        let (cycle, scenery) = (now.cycle, now.scenery);
        let (from, was) = self.last.replace((cycle, scenery))?;
        if from == cycle && was == scenery {
            return None;
        }
        self.end_ms = None;
        let is_step = from.get().abs_diff(cycle.get()) == 1 && was == scenery;
        if !is_step || !now.may_travel || scenery.detail < Detail::Compact {
            return None;
        }
        Some(Step { before: from.min(cycle), after: from.max(cycle), is_backward: cycle < from })
    }

    /// Prepares a step: paints everything that does not move between two cycles. Then places canvases with
    /// the tokens of the first cycle over this painting.
    fn lay(&mut self, one: (Cycle, &Picture), other: (Cycle, Picture), now: &Now<'_>, painter: &mut Painter) {
        let travel = Travel::new(one.1, &other.1);
        let (scenery, look) = (now.scenery, now.look.clone());
        painter.paint(&travel.still, scenery.size);
        self.overlays.lay(&travel, painter, scenery.size);
        self.end_ms = None;
        self.laid = Some(Laid { before: one.0, after: other.0, scenery, look, next: other.1 });
    }

    /// Hides all tokens, and discards the prepared step.
    pub(crate) fn end(&mut self) {
        self.overlays.hide();
        (self.end_ms, self.laid) = (None, None);
    }
}
