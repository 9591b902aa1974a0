//! The sums on the stage: worked out a bounded amount a frame, and carried from frame to frame.
//!
//! No link may freeze the page. A frame adds at most [`Work::FRAME_MAX`] terms; what is missing comes with the next
//! frames, and until then its place says so. An edge later most sums are one term longer, so that playing keeps up.

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
    /// Of the PEs on the stage.
    Stage,
    /// Of the same PEs, those on their way out.
    Drained,
    /// Under the lens.
    Lens,
    /// On the stage, with what rounding took from them.
    Exact,
}

impl SumSet {
    const N: usize = 4;

    const fn of(self) -> SumOf {
        match self {
            Self::Drained => SumOf::Drained,
            Self::Stage | Self::Lens | Self::Exact => SumOf::Register,
        }
    }
}

/// How far the sums of a picture have come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Progress {
    /// All there.
    #[default]
    Done,
    /// The next frame will have more of them.
    Underway,
    /// A number per PE takes more terms than are added: it is left out.
    TooMany,
}

/// Sums that go on from frame to frame, and what the last frame has to say of them.
#[derive(Clone, Debug, Default)]
pub struct Work {
    run: Option<(Schedule, Arc<Operands>)>,
    sets: [Option<Rc<CarriedSums>>; SumSet::N],
    cycle: Cycle,
    /// Work that the frame may still do.
    left: u64,
    n_done: u64,
    progress: Progress,
    scale: Option<Scale>,
}

impl Work {
    /// The most work of a frame: terms that are added, elements that are encoded; a term without rounding counts as several.
    pub const FRAME_MAX: u64 = 1 << 21;

    /// The most work that a number per PE may take in all: some two thousand frames.
    pub const ALL_MAX: u64 = 1 << 32;

    /// A new frame.
    pub(crate) fn begin(&mut self, plan: &Plan, cycle: Cycle) {
        let is_same = |(schedule, operands): &(Schedule, Arc<Operands>)| {
            schedule == plan.schedule() && Arc::ptr_eq(operands, plan.shared_operands())
        };
        if !self.run.as_ref().is_some_and(is_same) {
            self.run = Some((*plan.schedule(), Arc::clone(plan.shared_operands())));
            self.sets = Default::default();
        }
        (self.cycle, self.left, self.n_done) = (cycle, Self::FRAME_MAX, 0);
        (self.progress, self.scale) = (Progress::Done, None);
    }

    /// The sums of a block of PEs, as far as they come in this frame; none where a number per PE takes too many terms.
    pub(crate) fn sums(
        &mut self,
        plan: &Plan,
        set: SumSet,
        (rows, cols): PeBlock,
        is_bounded: bool,
    ) -> Option<Rc<CarriedSums>> {
        let place = &mut self.sets[set as usize];
        if place.as_ref().is_none_or(|sums| sums.block() != (rows.clone(), cols.clone())) {
            *place = Some(Rc::new(empty(set, rows, cols)));
        }
        let shared = place.as_mut()?;
        let sums = Rc::make_mut(shared);
        sums.go_to(plan.schedule(), self.cycle);
        if is_bounded && sums.missing() > Self::ALL_MAX {
            self.progress = Progress::TooMany;
            return None;
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

    /// How far the last frame's sums have come.
    #[must_use]
    pub const fn progress(&self) -> Progress {
        self.progress
    }

    /// The work of the last frame.
    #[must_use]
    pub const fn n_done(&self) -> u64 {
        self.n_done
    }

    /// What the shades of the last frame mean, where it had some.
    #[must_use]
    pub const fn scale(&self) -> Option<Scale> {
        self.scale
    }
}

fn empty(set: SumSet, rows: Range<u32>, cols: Range<u32>) -> CarriedSums {
    let sums = CarriedSums::new(set.of(), rows, cols);
    if set == SumSet::Exact { sums.with_exact() } else { sums }
}

/// All sums of a block at once, however long that takes: for a picture that stands alone.
pub(crate) fn all_sums(plan: &Plan, cycle: Cycle, set: SumSet, (rows, cols): PeBlock) -> Rc<CarriedSums> {
    let mut sums = empty(set, rows, cols);
    sums.go_to(plan.schedule(), cycle);
    sums.work(plan.operands(), plan.unit(), u64::MAX);
    Rc::new(sums)
}
