//! Numbers from a seed, and choices made with them.

/// Numbers from a seed, each from the one before (Marsaglia's xorshift).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The dice of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        // Near seeds give walks that have nothing in common; none begins at zero, where the dice stop.
        Self((seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed).max(1))
    }

    /// Any number.
    pub(crate) fn any(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below another.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.any() % end.max(1) as u64).unwrap_or(0)
    }

    /// Once in so many.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of a list.
    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
