//! The moments worth stopping at, by closed form.

use crate::{Cycle, Cycles, Fold, Hold, Schedule};

/// What happens at a moment worth stopping at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A fold begins.
    FoldStart,
    /// The corner PE multiplies for the first time in a fold.
    FirstMac,
    /// Every mapped PE multiplies at once, for the first time in a fold.
    ArrayFull,
    /// The first result of a fold is complete.
    FirstResult,
    /// The corner PE farthest from the input multiplies for the last time in a fold.
    LastMac,
    /// The run ends.
    End,
}

/// A moment worth stopping at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// When.
    pub cycle: Cycle,
    /// What.
    pub kind: EventKind,
}

impl Schedule {
    /// The events of one fold in order of time.
    #[must_use]
    pub fn events_of(&self, fold: &Fold) -> Vec<Event> {
        let start = self.fold_start(fold.index);
        let load = self.load_cycles().0;
        let (rows, cols) = (u64::from(fold.mapped.rows), u64::from(fold.mapped.cols));
        let stream = self.stream_len();
        // A WS or IS result leaves through the bottom row of the whole array, an OS result is complete in place.
        let first_result = match self.dataflow().hold() {
            Hold::Operand => load + u64::from(self.array().rows()) - 1,
            Hold::Result => stream - 1,
        };
        let far = rows + cols - 2;
        let mut events = vec![(0, EventKind::FoldStart), (load, EventKind::FirstMac)];
        if stream > far {
            events.push((load + far, EventKind::ArrayFull));
        }
        events.push((first_result, EventKind::FirstResult));
        events.push((load + far + stream - 1, EventKind::LastMac));
        if fold.index + 1 == self.folds() {
            events.push((self.cycles_per_fold().0 - 1, EventKind::End));
        }
        // A handful in nearly the right order: put each before the first later one.
        let mut ordered: Vec<Event> = Vec::with_capacity(events.len());
        for (at, kind) in events {
            let event = Event { cycle: start.after(Cycles(at)), kind };
            let place = ordered.iter().position(|other| *other > event).unwrap_or(ordered.len());
            ordered.insert(place, event);
        }
        ordered
    }

    /// The first event after a cycle.
    #[must_use]
    pub fn event_after(&self, cycle: Cycle) -> Option<Event> {
        let fold = self.locate(cycle).fold;
        self.events_of(&fold).into_iter().find(|event| event.cycle > cycle).or_else(|| {
            let next = fold.index + 1;
            (next < self.folds()).then(|| Event { cycle: self.fold_start(next), kind: EventKind::FoldStart })
        })
    }

    /// The last event before a cycle.
    #[must_use]
    pub fn event_before(&self, cycle: Cycle) -> Option<Event> {
        let fold = self.locate(cycle).fold;
        let before = |fold: &Fold| self.events_of(fold).into_iter().rev().find(|event| event.cycle < cycle);
        before(&fold).or_else(|| fold.index.checked_sub(1).and_then(|previous| before(&self.fold(previous))))
    }
}
