//! Static shapes: the padding of sequences with many lengths to a few compiled shapes, and the waste of this padding.

use crate::SEQUENCES_MAX;
use crate::lengths::{ShapeRefusal, allowed};

/// Lengths to which a batch may be padded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buckets<'a> {
    /// One length. Longer sequences do not fit.
    One(u32),
    /// Powers of two.
    PowersOfTwo,
    /// Multiples of one length.
    Multiples(u32),
    /// Lengths of a list, in any order.
    List(&'a [u32]),
    /// Any length: each batch is as long as its longest sequence, and every length that occurs is a compiled shape.
    Exact,
}

/// Method that turns sequences into batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batching<'a> {
    /// A fixed number of sequences per batch, each padded to the bucket of the longest sequence in the batch.
    Padded {
        /// Number of sequences per batch. If the last batch is not full, empty rows fill the batch, so that the batch
        /// needs no extra shape.
        batch: u32,
        /// True if all sequences are sorted by length before they are divided into batches.
        sorted: bool,
        /// Lengths to which batches are padded.
        buckets: Buckets<'a>,
    },
    /// Several sequences in each row of fixed length, packed by first-fit decreasing. A mask separates the sequences of
    /// a row.
    Packed {
        /// Rows of a batch.
        batch: u32,
        /// Tokens of a row.
        row: u32,
    },
}

/// Sequences laid out in batches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchLayout {
    /// Length of a row in tokens, for each batch in order.
    pub steps: Vec<u32>,
    /// Rows of every batch.
    pub batch: u32,
    /// `Σ len`: tokens of the sequences.
    pub tokens: u64,
    /// `Σ len²`: pairs of tokens in the same sequence, counted without a causal mask.
    pub pairs: u128,
}

impl BatchLayout {
    /// Lays out sequences of these lengths.
    ///
    /// # Errors
    /// - [`ShapeRefusal::Empty`] if `lengths` is empty or the batch size is 0.
    /// - [`ShapeRefusal::TooMany`] if the number of sequences or the batch size is above [`SEQUENCES_MAX`].
    /// - [`ShapeRefusal::Length`] if a length, row or bucket is not allowed.
    /// - [`ShapeRefusal::TooLong`] if a sequence fits in no bucket or row.
    pub fn new(lengths: &[u32], batching: Batching) -> Result<Self, ShapeRefusal> {
        let (Batching::Padded { batch, .. } | Batching::Packed { batch, .. }) = batching;
        if lengths.is_empty() || batch == 0 {
            return Err(ShapeRefusal::Empty);
        }
        for count in [lengths.len() as u64, u64::from(batch)] {
            if count > u64::from(SEQUENCES_MAX) {
                return Err(ShapeRefusal::TooMany { count });
            }
        }
        if let Some(given) = lengths.iter().find(|length| !allowed(**length)) {
            return Err(ShapeRefusal::Length { given: *given });
        }
        let steps = match batching {
            Batching::Padded { sorted: false, buckets, .. } => buckets.steps(lengths, batch)?,
            Batching::Padded { sorted: true, buckets, .. } => buckets.steps(&ascending(lengths), batch)?,
            Batching::Packed { row, .. } => {
                let rows = first_fit_decreasing(lengths, row)?;
                (0..rows.div_ceil(batch)).map(|_| row).collect()
            }
        };
        let tokens = lengths.iter().map(|length| u64::from(*length)).sum();
        let pairs = lengths.iter().map(|length| u128::from(*length).pow(2)).sum();
        Ok(Self { steps, batch, tokens, pairs })
    }

    /// `Σ padded`: computed tokens, including padding and empty rows.
    pub fn padded_tokens(&self) -> u64 {
        self.steps.iter().map(|row| u64::from(*row) * u64::from(self.batch)).sum()
    }

    /// `Σ padded²`: pairs of tokens for which attention computes scores, if attention covers whole padded rows.
    pub fn padded_pairs(&self) -> u128 {
        self.steps.iter().map(|row| u128::from(*row).pow(2) * u128::from(self.batch)).sum()
    }

    /// Token efficiency `Σ len ÷ Σ padded`, from above 0 to 1.
    pub fn token_efficiency(&self) -> f64 {
        self.tokens as f64 / self.padded_tokens() as f64
    }

    /// Attention efficiency `Σ len² ÷ Σ padded²`: the useful share of the attention scores. Packing does not improve
    /// this efficiency unless attention skips masked scores.
    pub fn attention_efficiency(&self) -> f64 {
        self.pairs as f64 / self.padded_pairs() as f64
    }

    /// The distinct row lengths, ascending. Each length is a shape that is compiled once.
    pub fn shapes(&self) -> Vec<u32> {
        let mut shapes = ascending(&self.steps);
        shapes.dedup();
        shapes
    }
}

impl Buckets<'_> {
    /// The row length of each batch.
    fn steps(&self, lengths: &[u32], batch: u32) -> Result<Vec<u32>, ShapeRefusal> {
        let of = |batch: &[u32]| self.holding(batch.iter().copied().max().unwrap_or(1));
        lengths.chunks(batch as usize).map(of).collect()
    }

    /// The shortest bucket that fits a sequence of this length.
    ///
    /// # Errors
    /// [`ShapeRefusal::TooLong`] if no bucket fits. [`ShapeRefusal::Length`] if the bucket is not an allowed length.
    pub fn holding(&self, length: u32) -> Result<u32, ShapeRefusal> {
        let sound =
            |bucket: u32| if allowed(bucket) { Ok(bucket) } else { Err(ShapeRefusal::Length { given: bucket }) };
        match *self {
            Self::One(longest) if length > longest => Err(ShapeRefusal::TooLong { length, longest }),
            Self::One(longest) => sound(longest),
            Self::PowersOfTwo => sound(length.checked_next_power_of_two().unwrap_or(u32::MAX)),
            Self::Multiples(0) => Err(ShapeRefusal::Length { given: 0 }),
            Self::Multiples(step) => sound(length.checked_next_multiple_of(step).unwrap_or(u32::MAX)),
            Self::List(list) => {
                let holding = list.iter().copied().filter(|bucket| *bucket >= length).min();
                let longest = list.iter().copied().fold(0, u32::max);
                sound(holding.ok_or(ShapeRefusal::TooLong { length, longest })?)
            }
            Self::Exact => sound(length),
        }
    }
}

fn ascending(lengths: &[u32]) -> Vec<u32> {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    sorted
}

/// Number of rows that all sequences need. The function places sequences from longest to shortest. Each sequence goes
/// into the first row with enough space, else into a new row.
fn first_fit_decreasing(lengths: &[u32], row: u32) -> Result<u32, ShapeRefusal> {
    if !allowed(row) {
        return Err(ShapeRefusal::Length { given: row });
    }
    // The rows form a tree. Each node has the largest free space below it, so a descent finds the first row with enough
    // space.
    let leaves = lengths.len().next_power_of_two();
    let mut room = vec![row; 2 * leaves];
    let mut used = 0;
    for length in ascending(lengths).into_iter().rev() {
        if length > row {
            return Err(ShapeRefusal::TooLong { length, longest: row });
        }
        let mut node = 1;
        while node < leaves {
            node = if room[2 * node] >= length { 2 * node } else { 2 * node + 1 };
        }
        room[node] -= length;
        used = used.max(node - leaves + 1);
        while node > 1 {
            node /= 2;
            room[node] = room[2 * node].max(room[2 * node + 1]);
        }
    }
    // There is at most one row per sequence, and there are at most 2¹⁸ sequences.
    Ok(u32::try_from(used).unwrap_or(u32::MAX))
}
