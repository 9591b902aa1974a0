//! Registers that are adjacent in memory and begin at a cache line, because a load across two cache lines costs twice
//! as much.

use core::ops::{Deref, DerefMut};

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;

/// Values that are adjacent in memory. The first value is at the start of a cache line.
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
        // If no offset aligns the values, `align_offset` returns `usize::MAX`. Then any start will do.
        let start = if start.checked_add(len).is_some_and(|end| end <= values.len()) { start } else { 0 };
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

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn values_of_any_size_have_their_places() {
        fn filled<T: Copy + Default + PartialEq + core::fmt::Debug>(value: T) {
            for len in [1, 20, 333] {
                let mut plane = Plane::new(len);
                plane.fill(value);
                assert_eq!(&plane.clone()[..], &vec![value; len][..]);
            }
        }
        filled(1u8);
        filled([1u8; 3]);
        filled([1u32; 3]);
        filled((1u64, true));
        filled([1u64; 9]);
    }
}
