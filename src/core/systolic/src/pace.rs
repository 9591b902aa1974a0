//! Pace at which vectors cross an edge: at most one vector per cycle, and no faster than the edge allows.

use crate::Rate;

/// Number of cycles per vector, as a fraction that is at least 1. With p cycles per vector, vector n has crossed at the
/// end of cycle ⌈(n + 1) · p⌉ − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    num: u64,
    den: u64,
}

impl Pace {
    /// Full pace: one vector per cycle.
    pub(crate) const FULL: Self = Self { num: 1, den: 1 };

    /// Pace at an edge that passes elements at `rate`, for vectors of `elements` elements.
    pub(crate) fn of(elements: u32, rate: Option<Rate>) -> Self {
        let Some(rate) = rate else { return Self::FULL };
        let (num, den) = (u64::from(elements) * u64::from(rate.cycles()), u64::from(rate.elements()));
        if num <= den { Self::FULL } else { Self { num, den } }
    }

    pub(crate) const fn is_full(self) -> bool {
        self.num == self.den
    }

    pub(crate) const fn is_slower_than(self, other: Self) -> bool {
        self.num * other.den > other.num * self.den
    }

    /// Number of cycles until `n` vectors have crossed.
    pub(crate) const fn span(self, n: u64) -> u64 {
        if self.is_full() { n } else { (n * self.num).div_ceil(self.den) }
    }

    /// The cycle, from 0, in which vector `n` crosses.
    pub(crate) const fn arrival(self, n: u64) -> u64 {
        self.span(n + 1) - 1
    }

    /// Number of vectors, out of `n`, that have crossed after `cycles` cycles.
    pub(crate) const fn delivered(self, cycles: u64, n: u64) -> u64 {
        let cycles = if cycles < self.span(n) { cycles } else { return n };
        if self.is_full() { cycles } else { cycles * self.den / self.num }
    }

    /// Index of the vector, out of `n`, that crosses in a cycle; `None` if no vector crosses.
    pub(crate) const fn vector_at(self, cycle: u64, n: u64) -> Option<u64> {
        let before = self.delivered(cycle, n);
        if self.delivered(cycle + 1, n) > before { Some(before) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn of_two_paces_one_is_slower() {
        let pace = |elements, rate| Pace::of(elements, Rate::new(rate, 1));
        assert!(pace(9, 4).is_slower_than(pace(8, 4)) && !pace(8, 4).is_slower_than(pace(9, 4)));
        assert!(pace(9, 8).is_slower_than(Pace::FULL) && !pace(8, 8).is_slower_than(Pace::FULL));
        assert!(pace(8, 3).is_slower_than(pace(5, 2)), "8/3 against 5/2");
        assert!(pace(3, 9).is_full() && !pace(10, 9).is_full());
    }

    #[test]
    fn an_edge_delivers_as_soon_as_its_elements_have_come() {
        for (elements, rate_elements, cycles) in [(4, 4, 1), (4, 3, 1), (4, 1, 1), (7, 2, 3), (256, 340, 7)] {
            let pace = Pace::of(elements, Rate::new(rate_elements, cycles));
            // The loop counts cycle by cycle. Elements arrive at their rate, and a vector crosses as soon as enough of
            // them have arrived.
            let (mut come, mut n_crossed) = (0u64, 0);
            for cycle in 0..200u64 {
                come += u64::from(rate_elements);
                let needed = u64::from(elements) * u64::from(cycles) * (n_crossed + 1);
                let crosses = come >= needed && n_crossed < 20;
                assert_eq!(pace.vector_at(cycle, 20), crosses.then_some(n_crossed), "{pace:?} cycle {cycle}");
                if crosses {
                    assert_eq!(pace.arrival(n_crossed), cycle);
                    n_crossed += 1;
                    assert_eq!(pace.span(n_crossed), cycle + 1);
                }
                assert_eq!(pace.delivered(cycle + 1, 20), n_crossed);
                if pace.is_full() {
                    come = u64::from(elements) * u64::from(cycles) * n_crossed;
                }
            }
        }
    }
}
