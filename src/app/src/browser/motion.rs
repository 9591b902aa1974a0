//! Motion between two cycles: which step of time is shown as tokens on their way, and since when.
//!
//! Tokens that go the same way are painted once, on a canvas over the array view (`overlay.rs`), and the browser moves
//! this canvas. So a frame in which tokens travel runs no script. While a run plays, the next step is laid out as soon
//! as the tokens come to rest. Content that is not on the page yet is painted first and put there afterwards.

use std::sync::Arc;

use display::Picture;
use stage::tween::{self, TRAVEL_MS, Travel};
use stage::{Detail, Filter};
use studio::{Plan, PointedValue};
use systolic::{Cycle, PeId, Slot};

use super::measure::Size;
use super::overlay::Overlays;
use super::painter::Painter;

/// How long the stage rests before the next step is laid out, in milliseconds.
pub(crate) const REST_MS: f64 = 300.0;

/// What must be equal for one picture to lead to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scenery {
    /// The size of the stage.
    pub(crate) size: Size,
    /// How closely it is looked at.
    pub(crate) zoom: stage::Zoom,
    /// Which run it is.
    pub(crate) run: usize,
    /// How much a cell shows.
    pub(crate) detail: Detail,
}

/// What else must be equal for what is laid out to be what would be painted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    /// The colors.
    pub(crate) palette: u32,
    /// The PE of the caption.
    pub(crate) selected: Option<PeId>,
    /// The value that somebody points at.
    pub(crate) spot: Option<PointedValue>,
    /// The shapes that are switched off.
    pub(crate) filter: Filter,
    /// The class that is lit up.
    pub(crate) class: Option<Slot>,
    /// How much is drawn over the array.
    pub(crate) n_layers: usize,
    /// The run beside this one.
    pub(crate) second: Option<Arc<Plan>>,
}

impl PartialEq for Look {
    fn eq(&self, other: &Self) -> bool {
        let plain = |look: &Self| (look.palette, look.selected, look.spot, look.filter, look.class, look.n_layers);
        let run = |look: &Self| look.second.as_ref().map(Arc::as_ptr);
        plain(self) == plain(other) && run(self) == run(other)
    }
}

/// What the stage shows, and how it draws another cycle.
pub(crate) struct Now<'a> {
    /// The cycle.
    pub(crate) cycle: Cycle,
    /// Where it is drawn.
    pub(crate) scenery: Scenery,
    /// How.
    pub(crate) look: Look,
    /// Whether the PEs show what they do, in a machine without a defect.
    pub(crate) is_plain: bool,
    /// Whether tokens may travel.
    pub(crate) may_travel: bool,
    /// Whether there is a next cycle to which tokens may travel.
    pub(crate) has_next: bool,
    /// Whether the next step follows by itself.
    pub(crate) goes_on: bool,
    /// Draws a cycle.
    pub(crate) draw: &'a dyn Fn(Cycle, &mut Picture),
    /// Whether all of the last drawing was there.
    pub(crate) is_whole: &'a dyn Fn() -> bool,
}

impl Now<'_> {
    fn drawn(&self, cycle: Cycle) -> Picture {
        let mut picture = Picture::default();
        (self.draw)(cycle, &mut picture);
        picture
    }
}

/// What there is to see once time has passed.
pub(crate) enum Passed {
    /// Tokens on their way, for so many milliseconds.
    Underway(f64),
    /// What was there before.
    Stands,
    /// A picture that was painted.
    Painted,
    /// Nothing yet: it is to be painted whole.
    Nothing,
    /// As nothing, and if it rests until then, the next step can be laid out.
    Rests,
}

/// One clock edge that is shown as motion.
#[derive(Clone, Copy)]
struct Step {
    before: Cycle,
    after: Cycle,
    is_backward: bool,
}

/// What lies ready: the tokens of one cycle on canvases of their own, over all that stands still.
struct Laid {
    before: Cycle,
    after: Cycle,
    scenery: Scenery,
    look: Look,
    /// The next cycle's picture, which the step after this one begins with.
    next: Picture,
}

impl Laid {
    fn shows(&self, cycle: Cycle, now: &Now<'_>) -> bool {
        self.before == cycle && self.scenery == now.scenery && self.look == now.look
    }
}

/// The last cycle at rest, and the way from one to the next.
#[derive(Default)]
pub(crate) struct Motion {
    last: Option<(Cycle, Scenery)>,
    laid: Option<Laid>,
    /// What was painted whole, and could be laid out.
    rested: Option<(Cycle, Scenery, Look)>,
    end_ms: Option<f64>,
    overlays: Overlays,
}

impl Motion {
    /// Follows time, and shows tokens on their way between two cycles.
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
                // What comes back has the values of the cycle after, not of the one it comes to.
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
        // The way of a value covers what PEs hold, and nothing that is laid over the stage is behind it.
        let is_covered = now.look.spot.is_some();
        // Where time goes on, what comes to rest is laid out for the next step at once, which then need not be painted.
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
        // The first step after a rest answers a hand, which does not wait for canvases.
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

    /// The clock edge of which tokens begin to travel now.
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

    /// Paints what stands still between two cycles, and lays the tokens of the first over it.
    fn lay(&mut self, one: (Cycle, &Picture), other: (Cycle, Picture), now: &Now<'_>, painter: &mut Painter) {
        let travel = Travel::new(one.1, &other.1);
        let (scenery, look) = (now.scenery, now.look.clone());
        painter.paint(&travel.still, scenery.size);
        self.overlays.lay(&travel, painter, scenery.size);
        self.end_ms = None;
        self.laid = Some(Laid { before: one.0, after: other.0, scenery, look, next: other.1 });
    }

    /// Takes all tokens off.
    fn end(&mut self) {
        self.overlays.hide();
        (self.end_ms, self.laid) = (None, None);
    }
}
