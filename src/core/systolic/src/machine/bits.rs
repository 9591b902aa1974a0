//! Valid bits of a row of registers: one bit per column.

use core::ops::Range;

use crate::ArrayShape;

/// Bits of one row of registers, one per column.
///
/// The words are stored inline. A step creates several bit rows per row of PEs, and heap allocations would cost more
/// than the arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BitRow {
    words: [u64; WORDS_MAX],
    len: usize,
}

/// Number of words in the longest row of bits.
#[expect(clippy::cast_possible_truncation, reason = "sixteen")]
const WORDS_MAX: usize = ArrayShape::SIDE_MAX.div_ceil(64) as usize;

impl BitRow {
    pub(super) fn new(len: usize) -> Self {
        Self { words: [0; WORDS_MAX], len }
    }

    /// Number of words that have bits of the row.
    fn used(&self) -> usize {
        self.len.div_ceil(64)
    }

    /// A row of `len` bits: ones in the first `n` places, zeros after.
    pub(super) fn first(len: usize, n: usize) -> Self {
        let mut row = Self::new(len);
        for (index, word) in row.words.iter_mut().enumerate() {
            let ones = n.saturating_sub(index * 64).min(64);
            *word = if ones == 64 { u64::MAX } else { (1 << ones) - 1 };
        }
        row
    }

    pub(super) fn get(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, index: usize) {
        self.words[index / 64] |= 1 << (index % 64);
    }

    /// True if no bit is set.
    pub(super) fn is_empty(&self) -> bool {
        self.words[..self.used()].iter().all(|&word| word == 0)
    }

    /// True if every bit is set.
    pub(super) fn is_full(&self) -> bool {
        let (whole, rest) = (self.len / 64, self.len % 64);
        self.words[..whole].iter().all(|&word| word == u64::MAX) && (rest == 0 || self.words[whole] == (1 << rest) - 1)
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    pub(super) fn and_not(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut result = Self::new(self.len);
        for index in 0..self.used() {
            result.words[index] = f(self.words[index], other.words[index]);
        }
        result
    }

    /// The ranges of set bits, from west to east.
    pub(super) fn runs(&self) -> impl Iterator<Item = Range<usize>> {
        let mut at = 0;
        core::iter::from_fn(move || {
            let start = self.next(at, true);
            if start >= self.len {
                return None;
            }
            at = self.next(start, false).min(self.len);
            Some(start..at)
        })
    }

    /// Index of the first bit at or after `from` that equals `wanted`; `len` or more if there is no such bit.
    fn next(&self, from: usize, wanted: bool) -> usize {
        let mut index = from / 64;
        let mut mask = u64::MAX << (from % 64);
        while let Some(&word) = self.words[..self.used()].get(index) {
            let found = (if wanted { word } else { !word }) & mask;
            if found != 0 {
                return index * 64 + found.trailing_zeros() as usize;
            }
            index += 1;
            mask = u64::MAX;
        }
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(row: &BitRow) -> Vec<(usize, usize)> {
        row.runs().map(|run| (run.start, run.end)).collect()
    }

    #[test]
    fn runs_are_the_ranges_of_set_bits() {
        let mut row = BitRow::new(130);
        [0, 1, 63, 64, 65, 129].into_iter().for_each(|index| row.set(index));
        assert_eq!(runs(&row), [(0, 2), (63, 66), (129, 130)]);
    }

    #[test]
    fn the_first_bits_are_the_first_only() {
        assert_eq!(runs(&BitRow::first(128, 64)), [(0, 64)]);
        assert_eq!(runs(&BitRow::first(128, 65)), [(0, 65)]);
        assert_eq!(BitRow::first(128, 0).runs().count(), 0);
        assert!(BitRow::first(70, 70).is_full() && !BitRow::first(70, 69).is_full() && BitRow::first(70, 0).is_empty());
    }
}
