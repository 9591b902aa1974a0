//! What a PE does at a cycle, by closed form, and how many PEs do it.

use crate::{Block, Cycle, Cycles, Fold, Moment, PeId, Schedule, lattice};

/// What a PE does in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Outside the problem in this fold; nothing to do.
    Unmapped,
    /// Shifting the stationary operand in.
    Loading,
    /// Ready, the wave has not come yet.
    Waiting,
    /// Multiplying elements of the problem.
    Useful,
    /// Multiplying zeros that padding put there.
    OnPadding,
    /// The wave has passed.
    Done,
}

impl Activity {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Unmapped, Self::Loading, Self::Waiting, Self::Useful, Self::OnPadding, Self::Done];
}

/// Where a PE-cycle goes in the accounts; every PE-cycle is exactly one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// A multiply-accumulate of the problem.
    Useful,
    /// A PE outside the problem, or a multiply-accumulate on padding.
    Padding,
    /// Shifting the stationary operand in.
    Load,
    /// Waiting for the wave.
    Fill,
    /// The wave has passed, the fold has not ended.
    Drain,
    /// Clock gated for want of data.
    Stall,
}

impl Slot {
    /// All of them, in the order of the accounts.
    pub const ALL: [Self; 6] = [Self::Useful, Self::Padding, Self::Load, Self::Fill, Self::Drain, Self::Stall];
}

/// Number of PEs in each activity at one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// PEs outside the problem and idle.
    pub unmapped: u64,
    /// PEs shifting the stationary operand in.
    pub loading: u64,
    /// PEs waiting for the wave.
    pub waiting: u64,
    /// PEs multiplying elements of the problem.
    pub useful: u64,
    /// PEs multiplying padding.
    pub on_padding: u64,
    /// PEs that the wave has passed.
    pub done: u64,
}

impl Schedule {
    /// What a PE does at a moment.
    #[must_use]
    pub fn activity(&self, moment: &Moment, pe: PeId) -> Activity {
        if !moment.fold.mapped.contains(pe) {
            return Activity::Unmapped;
        }
        if moment.since < self.load_cycles() {
            return Activity::Loading;
        }
        let Some(wave) = self.wave(moment.since, pe) else {
            return Activity::Waiting;
        };
        match self.mkn(&moment.fold, pe, wave) {
            None => Activity::Done,
            Some(mkn) if self.is_real(mkn) => Activity::Useful,
            Some(_) => Activity::OnPadding,
        }
    }

    /// Where the PE-cycle goes in the accounts.
    #[must_use]
    pub fn slot(&self, moment: &Moment, pe: PeId) -> Slot {
        if !moment.fold.real.contains(pe) {
            return Slot::Padding;
        }
        match self.activity(moment, pe) {
            Activity::Unmapped | Activity::OnPadding => Slot::Padding,
            Activity::Loading => Slot::Load,
            Activity::Waiting => Slot::Fill,
            Activity::Useful => Slot::Useful,
            Activity::Done => Slot::Drain,
        }
    }

    /// PEs of a block that the wave is in, when the stream has `stream_len` elements.
    fn busy(&self, block: Block, since: Cycles, stream_len: u64) -> u64 {
        let waves = lattice::signed(since.0) - lattice::signed(self.load_cycles().0) + 1;
        lattice::reached(block, waves) - lattice::reached(block, waves - lattice::signed(stream_len))
    }

    /// PEs multiplying elements of the problem at a moment.
    #[must_use]
    pub fn useful_pes(&self, fold: &Fold, since: Cycles) -> u64 {
        self.busy(fold.real, since, self.real_stream_len())
    }

    /// Number of PEs in each activity, in constant time.
    #[must_use]
    pub fn census(&self, cycle: Cycle) -> Census {
        let Moment { fold, since } = self.locate(cycle);
        let mapped = fold.mapped.pes();
        let unmapped = self.array().pes() - mapped;
        if since < self.load_cycles() {
            return Census { unmapped, loading: mapped, ..Census::default() };
        }
        let waves = lattice::signed(since.0 - self.load_cycles().0) + 1;
        let reached = lattice::reached(fold.mapped, waves);
        let useful = self.useful_pes(&fold, since);
        let busy = self.busy(fold.mapped, since, self.stream_len());
        Census {
            unmapped,
            loading: 0,
            waiting: mapped - reached,
            useful,
            on_padding: busy - useful,
            done: reached - busy,
        }
    }
}
