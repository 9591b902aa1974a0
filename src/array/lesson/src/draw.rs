//! Pseudorandom numbers that are equal on every machine, because links and printed sheets name a drawn version.

/// The generator xorshift64 (Marsaglia, 2003).
#[derive(Clone, Debug)]
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) const fn new(seed: u64) -> Self {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x2545_f491_4f6c_dd1d);
        // The generator never leaves 0.
        Self(if state == 0 { 1 } else { state })
    }

    /// Draws a whole number that is at least 0 and less than `n`. `n` must be at least 1.
    pub(crate) const fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Returns a hash of a text (FNV-1a).
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
