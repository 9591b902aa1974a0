//! The sums in the array view: each frame does a bounded amount of work and continues the sums of the previous frame.
//!
//! No link may freeze the page. A frame does at most [`Work::FRAME_MAX`] units of work: about two million terms, or
//! fewer if the frame visits many PEs. The next frames add the missing terms (`systolic::CarriedSums`). Until then, the
//! picture marks each missing sum. From one clock edge to the next, most sums grow by only one term, so the frames keep
//! up with the playback.
//!
//! Moving a million sums to another clock edge takes about three frames. During these frames, no picture can show that
//! edge. [`Work::going_to`] returns the edge, and the previous picture stays until a picture of that edge is ready.
//! Drawing a million sums takes about as long as adding a million terms, so a frame either draws sums or adds terms.
//! While a few frames add terms, the previous picture stays on the screen.
//!
//! A channel that needs more than [`Work::ALL_MAX`] terms is not drawn. The control of the channel reports this limit.
//! The command line has no frames and therefore no such limits.

use std::rc::Rc;
use std::sync::Arc;

use super::PeBlock;
use crate::channel::Scale;
use core::ops::Range;
use studio::Plan;
use systolic::{CarriedSums, Cycle, Operands, Schedule, SumOf};

/// A set of sums that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SumSet {
    /// Sums of the PEs in the array view.
    Stage,
    /// Draining sums of the PEs in the array view.
    Drained,
    /// Sums of the PEs under the lens.
    Lens,
    /// Sums of the PEs in the array view, with their rounding errors.
    Exact,
}

impl SumSet {
    const N: usize = 4;

    const fn register(self) -> SumOf {
        match self {
            Self::Drained => SumOf::Drained,
            Self::Stage | Self::Lens | Self::Exact => SumOf::Register,
        }
    }
}

/// Progress of the sums in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Progress {
    /// All sums are complete.
    #[default]
    Done,
    /// The next frame will add more terms.
    Underway,
    /// The channel needs too many terms and is not drawn.
    TooMany,
}

/// Sums that are carried from frame to frame, and the results of the last frame.
#[derive(Clone, Debug, Default)]
pub struct Work {
    run: Option<(Schedule, Arc<Operands>)>,
    sets: [Option<Rc<CarriedSums>>; SumSet::N],
    cycle: Cycle,
    /// Clock edge that the sums of a channel have not reached yet.
    going_to: Option<Cycle>,
    /// Clock edge of a large block of sums, and the number of frames that have added terms since the block was last
    /// drawn.
    seen: Option<(Cycle, u32)>,
    /// Width and height of the picture.
    size: (f32, f32),
    /// Work that this frame may still do.
    left: u64,
    n_done: u64,
    progress: Progress,
    scale: Option<Scale>,
}

impl Work {
    /// Largest amount of work in a frame: terms added, elements encoded and PEs visited. A term of an exact sum counts
    /// several times. Each PE whose sum moves to another clock edge also counts several times.
    pub const FRAME_MAX: u64 = 1 << 21;

    /// Size, in PEs, of the largest block whose sums move to another clock edge within one frame. Moving so few sums
    /// takes almost no time.
    const AT_ONCE_PES_MAX: u64 = 1 << 16;

    /// Part of a frame's work that is reserved for adding terms, even if the block has many PEs.
    const ADDING_MIN: u64 = Self::FRAME_MAX / 8;

    /// Number of frames that add terms of a large block before a frame draws the block again. At a new clock edge, only
    /// one frame adds terms before the block is drawn.
    const ADDING_FRAMES: u32 = 3;

    /// Maximum number of missing terms: the work of about two thousand frames. A channel with more missing terms is not
    /// drawn.
    pub const ALL_MAX: u64 = 1 << 32;

    /// Starts a frame of this size. If the size has changed, the previous picture cannot stay on the screen.
    pub(crate) fn begin(&mut self, plan: &Plan, cycle: Cycle, size: (f32, f32)) {
        let is_same_run = self.is_of(plan);
        if !is_same_run {
            self.run = Some((*plan.schedule(), Arc::clone(plan.shared_operands())));
            self.sets = Default::default();
        }
        if self.size != size {
            self.seen = Some((cycle, Self::ADDING_FRAMES));
        } else if !is_same_run {
            self.seen = None;
        }
        self.size = size;
        (self.cycle, self.left, self.n_done) = (cycle, Self::FRAME_MAX, 0);
        (self.progress, self.scale, self.going_to) = (Progress::Done, None, None);
    }

    fn is_of(&self, plan: &Plan) -> bool {
        self.run.as_ref().is_some_and(|(schedule, operands)| {
            schedule == plan.schedule() && Arc::ptr_eq(operands, plan.shared_operands())
        })
    }

    /// Returns the sums of a block of PEs, as far as this frame computes them. With `is_bounded`, returns `None` if the
    /// sums are not ready or need too many terms.
    pub(crate) fn sums(
        &mut self,
        plan: &Plan,
        set: SumSet,
        (rows, cols): PeBlock,
        is_bounded: bool,
    ) -> Option<Rc<CarriedSums>> {
        let n_pes = rows.len() as u64 * cols.len() as u64;
        let place = &mut self.sets[set as usize];
        if place.as_ref().is_none_or(|sums| sums.block() != (rows.clone(), cols.clone())) {
            *place = Some(Rc::new(empty(set, rows, cols)));
        }
        let shared = place.as_mut()?;
        let sums = Rc::make_mut(shared);
        if n_pes <= Self::AT_ONCE_PES_MAX || !is_bounded {
            sums.go_to(plan.schedule(), self.cycle, u64::MAX);
        } else {
            let n_gone = sums.go_to(plan.schedule(), self.cycle, self.left.saturating_sub(Self::ADDING_MIN));
            (self.left, self.n_done) = (self.left.saturating_sub(n_gone), self.n_done + n_gone);
        }
        if is_bounded {
            if sums.is_going() {
                (self.progress, self.going_to) = (Progress::Underway, Some(self.cycle));
                return None;
            }
            if sums.missing() > Self::ALL_MAX {
                self.progress = Progress::TooMany;
                return None;
            }
            if n_pes > Self::AT_ONCE_PES_MAX {
                let n_frames = match self.seen {
                    Some((seen, n_frames)) if seen == self.cycle => n_frames,
                    _ => Self::ADDING_FRAMES - 1,
                };
                let is_missing = sums.missing() > 0;
                if is_missing {
                    self.progress = Progress::Underway;
                }
                if is_missing && n_frames < Self::ADDING_FRAMES {
                    self.seen = Some((self.cycle, n_frames + 1));
                    self.n_done += sums.work(plan.operands(), plan.unit(), self.left);
                    self.going_to = Some(self.cycle);
                    return None;
                }
                self.seen = Some((self.cycle, 0));
                return Some(Rc::clone(shared));
            }
        }
        let n_done = sums.work(plan.operands(), plan.unit(), self.left);
        (self.left, self.n_done) = (self.left.saturating_sub(n_done), self.n_done + n_done);
        if sums.missing() > 0 {
            self.progress = self.progress.max(Progress::Underway);
        }
        Some(Rc::clone(shared))
    }

    pub(crate) fn set_scale(&mut self, scale: Scale) {
        self.scale = Some(scale);
    }

    /// Returns the progress of the last frame's sums.
    #[must_use]
    pub const fn progress(&self) -> Progress {
        self.progress
    }

    /// Returns the clock edge that the sums of a channel did not reach in the last frame. That frame shows no numbers.
    #[must_use]
    pub fn going_to(&self, plan: &Plan) -> Option<Cycle> {
        self.going_to.filter(|_| self.is_of(plan))
    }

    /// Returns the amount of work of the last frame.
    #[must_use]
    pub const fn n_done(&self) -> u64 {
        self.n_done
    }

    /// Returns the scale of the shades in the last frame, if any.
    #[must_use]
    pub const fn scale(&self) -> Option<Scale> {
        self.scale
    }
}

fn empty(set: SumSet, rows: Range<u32>, cols: Range<u32>) -> CarriedSums {
    let sums = CarriedSums::new(set.register(), rows, cols);
    if set == SumSet::Exact { sums.with_exact() } else { sums }
}

/// Computes all sums of a block at once, without a limit, for a picture that is not part of a sequence.
pub(crate) fn all_sums(plan: &Plan, cycle: Cycle, set: SumSet, (rows, cols): PeBlock) -> Rc<CarriedSums> {
    let mut sums = empty(set, rows, cols);
    sums.go_to(plan.schedule(), cycle, u64::MAX);
    sums.work(plan.operands(), plan.unit(), u64::MAX);
    Rc::new(sums)
}
