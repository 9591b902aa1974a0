//! Rows of A and columns of B, encoded a block of k at a time and for as long as their place is not needed for another.

/// Elements of a line that are encoded at once.
pub(super) const BLOCK: u64 = 256;

/// Lines of one operand.
#[derive(Clone, Debug)]
pub(super) struct Lines<T> {
    slots: Vec<Slot<T>>,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    /// The line and the block that are in it.
    of: Option<(u64, u64)>,
    values: Vec<T>,
}

impl<T: Copy> Lines<T> {
    /// Room for `n_lines` lines whose numbers follow one another.
    pub(super) fn new(n_lines: usize) -> Self {
        Self { slots: (0..n_lines.max(1)).map(|_| Slot { of: None, values: Vec::new() }).collect() }
    }

    /// A block of a line; adds to `work` what it encodes.
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
