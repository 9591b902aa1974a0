//! Registers side by side in memory, beginning at a cache line: a vector that straddles two lines costs twice.

use core::ops::{Deref, DerefMut};

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;

/// So many values, the first one at the start of a cache line.
#[derive(Debug)]
pub(super) struct Plane<T> {
    values: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Copy + Default> Plane<T> {
    pub(super) fn new(len: usize) -> Self {
        let values = vec![T::default(); len + LINE_BYTES / size_of::<T>().max(1)];
        let start = values.as_ptr().align_offset(LINE_BYTES);
        // Where no offset aligns the values, any will do.
        let start = if start + len <= values.len() { start } else { 0 };
        Self { values, start, len }
    }
}

impl<T: Copy + Default> Clone for Plane<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T> Deref for Plane<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.values[self.start..self.start + self.len]
    }
}

impl<T> DerefMut for Plane<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values[self.start..self.start + self.len]
    }
}
