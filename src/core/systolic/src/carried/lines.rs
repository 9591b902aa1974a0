//! Cache of encoded rows of A and columns of B, one block of k at a time.
//!
//! A block stays in its slot of the cache until another block needs the slot.

/// Number of elements of a line that are encoded at once.
pub(super) const BLOCK: u64 = 256;

/// Cache of encoded lines of one operand. A line is a row of A or a column of B.
#[derive(Clone, Debug)]
pub(super) struct Lines<T> {
    slots: Vec<Slot<T>>,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    /// Numbers of the line and the block in this slot; `None` if the slot is empty.
    of: Option<(u64, u64)>,
    values: Vec<T>,
}

impl<T: Copy> Lines<T> {
    /// A cache for `n_lines` lines with consecutive numbers.
    pub(super) fn new(n_lines: usize) -> Self {
        Self { slots: (0..n_lines.max(1)).map(|_| Slot { of: None, values: Vec::new() }).collect() }
    }

    /// Returns a block of a line. If the block is not cached, encodes the block and adds the number of encoded elements
    /// to `work`.
    pub(super) fn get(&mut self, line: u64, block: u64, at: impl FnMut(u64) -> T, work: &mut u64) -> &[T] {
        let n_slots = self.slots.len() as u64;
        #[expect(clippy::cast_possible_truncation, reason = "below the number of slots")]
        let slot = &mut self.slots[(line % n_slots) as usize];
        if slot.of != Some((line, block)) {
            slot.of = Some((line, block));
            slot.values.clear();
            slot.values.extend((block * BLOCK..(block + 1) * BLOCK).map(at));
            *work += BLOCK;
        }
        &slot.values
    }
}
