//! Events of a run in closed form: the moments worth stopping at.

use crate::{Activity, Cycle, Cycles, Fold, Hold, PeId, Schedule};

/// Kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// Start of a fold.
    FoldStart,
    /// First multiply-accumulate of the corner PE in a fold.
    FirstMac,
    /// First cycle of a fold in which every mapped PE multiplies. The event does not occur if a slow edge makes gaps in
    /// the stream.
    ArrayFull,
    /// First complete result of a fold.
    FirstResult,
    /// Last multiply-accumulate of a fold, at the mapped PE farthest from the corner.
    LastMac,
    /// End of the run.
    End,
}

/// An event of a run: a moment worth stopping at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// Cycle of the event.
    pub cycle: Cycle,
    /// Kind of the event.
    pub kind: EventKind,
}

impl Schedule {
    /// The events of one fold in order of time.
    #[must_use]
    pub fn events_of(&self, fold: &Fold) -> Vec<Event> {
        let timing = self.timing();
        let start = self.fold_start(fold.index);
        let (rows, cols) = (u64::from(fold.mapped.rows), u64::from(fold.mapped.cols));
        let first_wave = timing.load + timing.pace.arrival(0);
        let last_wave = timing.load + timing.stream - 1;
        // A WS or IS result leaves through the last row of the whole array. An OS result is complete in place.
        let first_result = match self.dataflow().hold() {
            Hold::Operand => first_wave + timing.row_hop * u64::from(self.array().rows() - 1),
            Hold::Result => last_wave,
        };
        let far = timing.row_hop * (rows - 1) + cols - 1;
        let mut events = vec![(0, EventKind::FoldStart), (first_wave, EventKind::FirstMac)];
        if timing.stream > far && timing.pace.is_full() {
            events.push((first_wave + far, EventKind::ArrayFull));
        }
        events.push((first_result + timing.product_delay, EventKind::FirstResult));
        events.push((last_wave + far, EventKind::LastMac));
        if fold.index + 1 == self.folds() {
            events.push((timing.fold - 1, EventKind::End));
        }
        // The few events are nearly in order: insert each before the first later one.
        let mut ordered: Vec<Event> = Vec::with_capacity(events.len());
        for (at, kind) in events {
            let event = Event { cycle: start.after(Cycles(at)), kind };
            let place = ordered.iter().position(|other| *other > event).unwrap_or(ordered.len());
            ordered.insert(place, event);
        }
        ordered
    }

    /// First cycle in which a PE multiplies elements of the problem. `None` if the PE never does.
    #[must_use]
    pub fn first_useful(&self, pe: PeId) -> Option<Cycle> {
        let timing = self.timing();
        // No later fold uses more PEs than the first fold.
        let delay = timing.row_hop * u64::from(pe.row) + u64::from(pe.col);
        let cycle = Cycle(timing.load + timing.pace.arrival(0) + delay);
        (self.array().contains(pe) && self.activity(cycle, pe) == Activity::Useful).then_some(cycle)
    }

    /// The first event after a cycle.
    #[must_use]
    pub fn event_after(&self, cycle: Cycle) -> Option<Event> {
        let newest = self.locate(cycle).fold.index;
        let last = (newest + 1).min(self.folds() - 1);
        (self.oldest_fold(cycle)..=last)
            .filter_map(|index| self.events_of(&self.fold(index)).into_iter().find(|event| event.cycle > cycle))
            .min()
    }

    /// The last event before a cycle.
    #[must_use]
    pub fn event_before(&self, cycle: Cycle) -> Option<Event> {
        let newest = self.locate(cycle).fold.index;
        let first = self.oldest_fold(cycle).saturating_sub(1);
        (first..=newest)
            .filter_map(|index| self.events_of(&self.fold(index)).into_iter().rev().find(|event| event.cycle < cycle))
            .max()
    }

    /// Index of the first fold that may have events at or after a cycle.
    fn oldest_fold(&self, cycle: Cycle) -> u64 {
        let timing = self.timing();
        cycle.0.saturating_sub(timing.fold).div_ceil(timing.period).min(self.locate(cycle).fold.index)
    }
}
