//! Random numbers from a seed, and choices made with them.

/// Random numbers from a seed, each computed from the previous number (Marsaglia's xorshift).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Creates the dice of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        // Similar seeds give unrelated walks. The state is never zero, because zero would stay zero.
        Self((seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed).max(1))
    }

    /// Returns any number.
    pub(crate) fn any(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.any() % end.max(1) as u64).unwrap_or(0)
    }

    /// True in one of `times` calls on average.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns a random element of a list.
    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
