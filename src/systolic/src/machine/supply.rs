//! Rate limit of an edge: elements add up every cycle, and a vector crosses when enough of them are there.

use crate::Rate;

/// Counter of elements until they make a vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Supply {
    /// Elements gained per cycle. `gain`, `store` and `cost` (the elements of a vector) are multiplied by the cycles of
    /// the rate, to be whole numbers.
    gain: u64,
    cost: u64,
    store: u64,
}

impl Supply {
    /// Supply of vectors of `elements` elements through an edge with this rate. Without a rate, a vector crosses every
    /// cycle.
    pub(super) fn new(elements: u32, rate: Option<Rate>) -> Self {
        let (gain, cost) = match rate {
            Some(rate) => (u64::from(rate.elements()), u64::from(elements) * u64::from(rate.cycles())),
            None => (1, 1),
        };
        Self { gain: gain.min(cost), cost, store: 0 }
    }

    /// The slower of two supplies, because a vector needs both edges.
    pub(super) fn slower(self, other: Self) -> Self {
        if other.cost * self.gain > self.cost * other.gain { other } else { self }
    }

    /// Advances by one cycle. Returns true if a vector is complete.
    pub(super) fn tick(&mut self) -> bool {
        self.store += self.gain;
        let complete = self.store >= self.cost;
        if complete {
            self.store -= self.cost;
        }
        complete
    }

    /// Empties the store.
    pub(super) fn reset(&mut self) {
        self.store = 0;
    }
}
