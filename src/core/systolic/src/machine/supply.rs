//! Rate limit of an edge: elements accumulate every cycle, and a vector crosses when there are enough elements for it.

use crate::Rate;

/// Counter of the elements that have accumulated for the next vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Supply {
    /// Number of elements that accumulate per cycle. `gain`, `store` and `cost` (the elements of a vector) are
    /// multiplied by [`Rate::cycles`], so that all three are whole numbers.
    gain: u64,
    cost: u64,
    store: u64,
}

impl Supply {
    /// Supply at an edge that passes elements at `rate`, for vectors of `elements` elements. Without a rate, a vector
    /// crosses every cycle.
    pub(super) fn new(elements: u32, rate: Option<Rate>) -> Self {
        let (gain, cost) = match rate {
            Some(rate) => (u64::from(rate.elements()), u64::from(elements) * u64::from(rate.cycles())),
            None => (1, 1),
        };
        Self { gain: gain.min(cost), cost, store: 0 }
    }

    /// The slower of two supplies, for a vector that must wait for two edges.
    pub(super) fn slower(self, other: Self) -> Self {
        if other.cost * self.gain > self.cost * other.gain { other } else { self }
    }

    /// Advances by one cycle. Returns true if there are enough elements for a vector.
    pub(super) fn tick(&mut self) -> bool {
        self.store += self.gain;
        let complete = self.store >= self.cost;
        if complete {
            self.store -= self.cost;
        }
        complete
    }

    /// Sets the number of accumulated elements to zero.
    pub(super) fn reset(&mut self) {
        self.store = 0;
    }
}
