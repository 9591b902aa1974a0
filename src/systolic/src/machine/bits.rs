//! One valid bit per column of a row of registers.

use core::ops::Range;

use crate::ArrayShape;

/// A row of bits that shifts east with the registers it belongs to.
///
/// The words lie in the row itself: a step makes several rows per row of PEs, and each on the heap would cost more than
/// the arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BitRow {
    words: [u64; WORDS_MAX],
    len: usize,
}

/// Words of the longest row.
#[expect(clippy::cast_possible_truncation, reason = "sixteen")]
const WORDS_MAX: usize = ArrayShape::SIDE_MAX.div_ceil(64) as usize;

impl BitRow {
    pub(super) fn new(len: usize) -> Self {
        Self { words: [0; WORDS_MAX], len }
    }

    /// The words that hold bits of the row.
    fn used(&self) -> usize {
        self.len.div_ceil(64)
    }

    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }

    pub(super) fn get(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, index: usize) {
        self.words[index / 64] |= 1 << (index % 64);
    }

    /// Ones in the first `n` places, zeros after.
    pub(super) fn fill_first(&mut self, n: usize) {
        for (index, word) in self.words.iter_mut().enumerate() {
            let ones = n.saturating_sub(index * 64).min(64);
            *word = if ones == 64 { u64::MAX } else { (1 << ones) - 1 };
        }
    }

    /// Moves every bit one place east and puts a new one in the west.
    pub(super) fn shift_in(&mut self, west: bool) {
        let mut carry = u64::from(west);
        let used = self.used();
        for word in &mut self.words[..used] {
            let out = *word >> 63;
            *word = *word << 1 | carry;
            carry = out;
        }
        let spare = used * 64 - self.len;
        if let Some(last) = self.words[..used].last_mut() {
            *last = *last << spare >> spare;
        }
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

    /// Whether every bit of the range is set.
    pub(super) fn covers(&self, range: Range<usize>) -> bool {
        self.next(range.start, false).min(self.len) >= range.end
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

    /// The first place at or after `from` whose bit is `wanted`; `len` or more when there is none.
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
        assert!(row.covers(63..66) && !row.covers(63..67));
    }

    #[test]
    fn bits_leave_in_the_east() {
        let mut row = BitRow::new(3);
        row.shift_in(true);
        assert_eq!(runs(&row), [(0, 1)]);
        row.shift_in(false);
        row.shift_in(true);
        assert_eq!(runs(&row), [(0, 1), (2, 3)]);
        row.shift_in(false);
        assert_eq!(runs(&row), [(1, 2)]);
    }

    #[test]
    fn filling_sets_the_first_bits_only() {
        let mut row = BitRow::new(128);
        row.fill_first(64);
        assert_eq!(runs(&row), [(0, 64)]);
        row.fill_first(65);
        assert_eq!(runs(&row), [(0, 65)]);
        row.fill_first(0);
        assert_eq!(row.runs().count(), 0);
    }
}
