//! What a PE does at a cycle, by closed form.

use crate::schedule::WavePosition;
use crate::{Cycle, Fold, Hold, Overlap, PeId, Schedule};

/// What a PE does in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Outside the problem in this fold; nothing to do.
    Unmapped,
    /// Shifting the stationary operand in, or waiting for that of the next fold.
    Loading,
    /// Ready; the wave has not come yet.
    Waiting,
    /// Multiplying elements of the problem.
    Useful,
    /// Multiplying zeros that padding put there.
    OnPadding,
    /// The wave has passed.
    Done,
    /// Waiting for data that an edge is too slow to deliver.
    Stalled,
}

impl Activity {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Unmapped, Self::Loading, Self::Waiting, Self::Useful, Self::OnPadding, Self::Done, Self::Stalled];
}

/// Where a PE-cycle goes in the accounts; every PE-cycle is exactly one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// A multiply-accumulate of the problem.
    Useful,
    /// A PE outside the problem, or a multiply-accumulate on padding.
    Padding,
    /// Shifting the stationary operand in, or waiting for that.
    Load,
    /// Waiting for the wave.
    Fill,
    /// The wave has passed, the fold has not ended.
    Drain,
    /// Waiting for data that an edge is too slow to deliver.
    Stall,
}

crate::named! {
    exact Slot {
        Useful => "useful",
        Padding => "padding",
        Load => "load",
        Fill => "fill",
        Drain => "drain",
        Stall => "stall",
    }
}

/// Where the stream is, seen from a place in the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamPosition {
    /// It has not come yet.
    Before,
    /// This element of it is here.
    At(u64),
    /// A gap in it is here: an edge is too slow.
    Gap,
    /// It has passed.
    Past,
}

impl Schedule {
    /// The fold at the places `delay` cycles behind the corner PE, and where its stream is, seen from there.
    #[must_use]
    pub fn stream_position(&self, cycle: Cycle, delay: u64) -> (Fold, StreamPosition) {
        let Some(at) = self.wave_at(cycle, delay) else {
            return match self.design().overlap {
                Overlap::None => (self.locate(cycle).fold, StreamPosition::Before),
                Overlap::DoubleBuffered => (self.fold(0), StreamPosition::Before),
            };
        };
        let position = match self.timing().pace.vector_at(at.since, self.stream_len()) {
            Some(wave) => StreamPosition::At(wave),
            None if at.since < self.timing().stream => StreamPosition::Gap,
            None => StreamPosition::Past,
        };
        (self.fold(at.fold), position)
    }

    /// Whether the places `delay` cycles behind the corner PE have nothing to do because the stationary operand of the next
    /// fold comes too slowly.
    #[must_use]
    pub fn is_starved(&self, cycle: Cycle, delay: u64) -> bool {
        let timing = self.timing();
        let is_late =
            |at: WavePosition| at.fold + 1 < self.folds() && at.since >= timing.stream.max(timing.period_unlimited);
        self.design().overlap == Overlap::DoubleBuffered && self.wave_at(cycle, delay).is_some_and(is_late)
    }

    /// What a PE does at a clock edge.
    #[must_use]
    pub fn activity(&self, cycle: Cycle, pe: PeId) -> Activity {
        let cycle = cycle.min(self.last_cycle());
        let timing = self.timing();
        let fold = self.fold_at(cycle, pe);
        if !fold.mapped.contains(pe) {
            return Activity::Unmapped;
        }
        let Some(at) = self.wave_at(cycle, self.hops(pe)) else {
            return self.before_the_wave(cycle, &fold, pe);
        };
        if let Some(wave) = timing.pace.vector_at(at.since, self.stream_len()) {
            let real = self.mkn(&fold, pe, wave).is_some_and(|mkn| self.is_real(mkn));
            return if real { Activity::Useful } else { Activity::OnPadding };
        }
        if at.since < timing.stream {
            return Activity::Stalled;
        }
        if self.design().overlap == Overlap::None || at.fold + 1 == self.folds() {
            return Activity::Done;
        }
        // A gap between two waves: the next fold waits for its stationary operand, or for the sums before it to be gone.
        match self.dataflow().hold() {
            _ if self.is_starved(cycle, self.hops(pe)) => Activity::Stalled,
            Hold::Operand => Activity::Loading,
            Hold::Result => Activity::Done,
        }
    }

    fn before_the_wave(&self, cycle: Cycle, fold: &Fold, pe: PeId) -> Activity {
        let since = cycle.0 - self.fold_start(fold.index).0;
        match since.checked_sub(self.load_delay(pe.col.into())).filter(|&since| since < self.timing().load) {
            None => Activity::Waiting,
            Some(since) if self.timing().load_pace.vector_at(since, self.array().rows().into()).is_some() => {
                Activity::Loading
            }
            Some(_) => Activity::Stalled,
        }
    }

    /// Where the PE-cycle goes in the accounts.
    #[must_use]
    pub fn slot(&self, cycle: Cycle, pe: PeId) -> Slot {
        if !self.fold_at(cycle, pe).real.contains(pe) {
            return Slot::Padding;
        }
        match self.activity(cycle, pe) {
            Activity::Unmapped | Activity::OnPadding => Slot::Padding,
            Activity::Loading => Slot::Load,
            Activity::Waiting => Slot::Fill,
            Activity::Useful => Slot::Useful,
            Activity::Done => Slot::Drain,
            Activity::Stalled => Slot::Stall,
        }
    }
}
