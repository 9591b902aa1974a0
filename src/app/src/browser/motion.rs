//! Motion between two cycles: which step of time is shown as tokens on their way, and how far they are.

use display::Picture;
use stage::Detail;
use stage::tween::Travel;
use systolic::Cycle;

use super::measure::Size;
use super::painter::Painter;

/// How long tokens travel, in milliseconds; then they rest.
const TRAVEL_MS: f64 = 240.0;
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

/// The last picture at rest, and the way from one to the next.
#[derive(Default)]
pub(crate) struct Motion {
    last: Option<(Cycle, Scenery)>,
    travel: Option<Travel>,
    is_backward: bool,
    started_ms: f64,
}

impl Motion {
    /// Follows time. Tells which cycles lie at the ends where tokens begin to travel now.
    pub(crate) fn follow(
        &mut self,
        cycle: Cycle,
        scenery: Scenery,
        may_travel: bool,
        now_ms: f64,
    ) -> Option<(Cycle, Cycle)> {
        let (from, was) = self.last.replace((cycle, scenery))?;
        if from == cycle && was == scenery {
            return None;
        }
        self.travel = None;
        let is_step = from.get().abs_diff(cycle.get()) == 1 && was == scenery;
        if !is_step || !may_travel || scenery.detail < Detail::Compact {
            return None;
        }
        self.is_backward = cycle < from;
        self.started_ms = now_ms;
        Some(if self.is_backward { (cycle, from) } else { (from, cycle) })
    }

    /// Begins to travel between two pictures, in the order of time.
    pub(crate) fn begin(&mut self, before: &Picture, after: &Picture, painter: &mut Painter, size: Size) {
        let travel = Travel::new(before, after);
        painter.prepare(&travel, size);
        self.travel = Some(travel);
    }

    /// Paints the tokens on their way; nothing once they have come.
    pub(crate) fn paint(&mut self, now_ms: f64, painter: &mut Painter, size: Size) -> bool {
        let Some(travel) = &self.travel else { return false };
        #[expect(clippy::cast_possible_truncation, reason = "a share")]
        let share = ((now_ms - self.started_ms) / TRAVEL_MS) as f32;
        if share >= 1.0 {
            self.travel = None;
            return false;
        }
        painter.paint_travel(travel, if self.is_backward { 1.0 - share } else { share }, size);
        true
    }
}
