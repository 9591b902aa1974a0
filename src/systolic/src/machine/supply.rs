//! What comes in through an edge: as many elements per cycle as the edge is rated for, a vector when they are there.

use crate::Rate;

/// Counts elements until they make a vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Supply {
    /// What a cycle brings and what a vector takes, both in elements times the cycles of the rate, to be whole.
    gain: u64,
    cost: u64,
    store: u64,
}

impl Supply {
    /// Vectors of `elements` elements through an edge of this rate; without a rate a vector comes every cycle.
    pub(super) fn new(elements: u32, rate: Option<Rate>) -> Self {
        let (gain, cost) = match rate {
            Some(rate) => (u64::from(rate.elements()), u64::from(elements) * u64::from(rate.cycles())),
            None => (1, 1),
        };
        Self { gain: gain.min(cost), cost, store: 0 }
    }

    /// Of two edges the one that takes longer; a vector needs both.
    pub(super) fn slower(self, other: Self) -> Self {
        if other.cost * self.gain > self.cost * other.gain { other } else { self }
    }

    /// One cycle: whether a vector is complete.
    pub(super) fn tick(&mut self) -> bool {
        self.store += self.gain;
        let complete = self.store >= self.cost;
        if complete {
            self.store -= self.cost;
        }
        complete
    }

    /// Begins anew with nothing in store.
    pub(super) fn reset(&mut self) {
        self.store = 0;
    }
}
