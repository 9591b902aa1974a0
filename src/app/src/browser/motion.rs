//! Motion between two cycles: which step of time is shown as tokens on their way, and since when.

use std::sync::Arc;

use display::Picture;
use stage::tween::Travel;
use stage::{Detail, Filter};
use studio::{Plan, Spot};
use systolic::{Cycle, PeId, Slot};

use super::measure::Size;
use super::overlay::Overlays;
use super::painter::Painter;

/// How long tokens travel, in milliseconds; then they rest.
pub(crate) const TRAVEL_MS: u32 = 240;
/// PEs up to which they travel.
pub(crate) const PES_MAX: u64 = 256;
/// Cycles per second up to which they travel.
pub(crate) const RATE_MAX: f64 = 4.0;

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
    pub(crate) spot: Option<Spot>,
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

/// One clock edge that is shown as motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The cycle before it.
    pub(crate) before: Cycle,
    /// The cycle after it.
    pub(crate) after: Cycle,
    /// Whether it is undone.
    pub(crate) is_backward: bool,
}

/// Lays a step, of which both pictures are drawn.
pub(crate) type Lay = fn(&mut Motion, (Cycle, Cycle), Look, (&Picture, Picture), &mut Painter);

/// What lies ready: the tokens of one cycle on canvases of their own, over all that stands still.
struct Laid {
    before: Cycle,
    after: Cycle,
    scenery: Scenery,
    look: Look,
    /// The next cycle's picture, which the step after this one begins with.
    next: Picture,
}

/// The last cycle at rest, and the way from one to the next.
#[derive(Default)]
pub(crate) struct Motion {
    last: Option<(Cycle, Scenery)>,
    laid: Option<Laid>,
    end_ms: Option<f64>,
    overlays: Overlays,
}

impl Motion {
    /// Follows time. Answers the clock edge of which tokens begin to travel now.
    pub(crate) fn follow(&mut self, cycle: Cycle, scenery: Scenery, may_travel: bool) -> Option<Step> {
        let (from, was) = self.last.replace((cycle, scenery))?;
        if from == cycle && was == scenery {
            return None;
        }
        self.end_ms = None;
        let is_step = from.get().abs_diff(cycle.get()) == 1 && was == scenery;
        if !is_step || !may_travel || scenery.detail < Detail::Compact {
            return None;
        }
        Some(Step { before: from.min(cycle), after: from.max(cycle), is_backward: cycle < from })
    }

    /// Whether the tokens of this step lie ready.
    pub(crate) fn has_laid(&self, step: Step, look: &Look) -> bool {
        let is_it = |laid: &Laid| laid.after == step.after && self.stands(step.before, look);
        self.laid.as_ref().is_some_and(is_it)
    }

    /// Whether what lies ready shows this cycle.
    pub(crate) fn stands(&self, cycle: Cycle, look: &Look) -> bool {
        let scenery = self.last.map(|(_, scenery)| scenery);
        let is_it = |laid: &Laid| laid.before == cycle && Some(laid.scenery) == scenery && laid.look == *look;
        self.laid.as_ref().is_some_and(is_it)
    }

    /// The picture of a cycle to which tokens have just traveled.
    pub(crate) fn arrived(&mut self, cycle: Cycle, look: &Look) -> Option<Picture> {
        let scenery = self.last.map(|(_, scenery)| scenery);
        let laid = self.laid.take()?;
        (laid.after == cycle && Some(laid.scenery) == scenery && laid.look == *look).then_some(laid.next)
    }

    /// Paints what stands still between two pictures, and lays the tokens of the first over it.
    pub(crate) fn lay(
        &mut self,
        step: (Cycle, Cycle),
        look: Look,
        (one, other): (&Picture, Picture),
        painter: &mut Painter,
    ) {
        let Some((_, scenery)) = self.last else { return };
        let travel = Travel::new(one, &other);
        painter.paint(&travel.still, scenery.size);
        self.overlays.lay(&travel, painter, scenery.size);
        self.laid = Some(Laid { before: step.0, after: step.1, scenery, look, next: other });
    }

    /// Lets the tokens go.
    pub(crate) fn set_out(&mut self, is_backward: bool, now_ms: f64) {
        self.overlays.set_out(is_backward);
        self.end_ms = Some(now_ms + f64::from(TRAVEL_MS));
        if is_backward {
            // What comes back has the values of the cycle after, not of the one it comes to.
            self.laid = None;
        }
    }

    /// How long the tokens are still on their way; none at rest.
    pub(crate) fn rest_ms(&self, now_ms: f64) -> Option<f64> {
        self.end_ms.map(|end| end - now_ms).filter(|rest| *rest > 0.0)
    }

    /// Takes all tokens off.
    pub(crate) fn end(&mut self) {
        self.overlays.hide();
        (self.end_ms, self.laid) = (None, None);
    }
}
