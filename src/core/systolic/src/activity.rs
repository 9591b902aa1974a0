//! Activity of a PE at a cycle, in closed form.

use crate::schedule::WavePosition;
use crate::{Cycle, Fold, Hold, Overlap, PeId, Schedule};

/// Activity of a PE in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Idle, because the PE is outside the problem in this fold.
    Unmapped,
    /// Shifting the stationary operand in, or waiting for the stationary operand of the next fold.
    Loading,
    /// Ready and waiting for the wave.
    Waiting,
    /// Multiplying elements of the problem.
    Useful,
    /// Multiplying zeros of padding.
    OnPadding,
    /// Idle after the wave has passed.
    Done,
    /// Stalled, because the bandwidth of an edge is too low.
    Stalled,
}

impl Activity {
    /// All activities.
    pub const ALL: [Self; 7] =
        [Self::Unmapped, Self::Loading, Self::Waiting, Self::Useful, Self::OnPadding, Self::Done, Self::Stalled];
}

/// Class of a PE-cycle. Every PE-cycle belongs to exactly one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// PE-cycle with a multiply-accumulate that the problem needs.
    Useful,
    /// PE-cycle of a PE outside the problem, or PE-cycle with a multiply-accumulate on padding.
    Padding,
    /// PE-cycle in which the PE shifts the stationary operand in, or waits for the stationary operand.
    Load,
    /// PE-cycle in which the PE waits for the wave.
    Fill,
    /// PE-cycle after the wave has passed, before the fold ends.
    Drain,
    /// PE-cycle of a stall, because the bandwidth of an edge is too low.
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

/// Position of the operand stream, seen from the PEs at one distance from the corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamPosition {
    /// Stream that has not arrived yet.
    Before,
    /// Stream whose element with this number is at these PEs.
    At(u64),
    /// Stream with a gap at these PEs, because the bandwidth of an edge is too low.
    Gap,
    /// Stream that has passed.
    Past,
}

impl Schedule {
    /// Fold of the PEs that are `delay` cycles behind the corner PE, and the position of the stream, seen from these
    /// PEs.
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

    /// True if the PEs `delay` cycles behind the corner PE are idle because the stationary operand of the next fold
    /// loads too slowly.
    #[must_use]
    pub fn is_starved(&self, cycle: Cycle, delay: u64) -> bool {
        let timing = self.timing();
        let is_late =
            |at: WavePosition| at.fold + 1 < self.folds() && at.since >= timing.stream.max(timing.period_unlimited);
        self.design().overlap == Overlap::DoubleBuffered && self.wave_at(cycle, delay).is_some_and(is_late)
    }

    /// Activity of a PE at a clock edge.
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
        // A gap between two waves: the next fold waits for its stationary operand, or for the previous sums to leave.
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

    /// Class of a PE-cycle.
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
