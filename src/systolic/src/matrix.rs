//! Matrices whose elements are computed or listed; a computed one of 2^31 × 2^31 costs nothing.

use std::sync::Arc;

/// Where the elements come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Fill {
    /// 0, 1, 2 … 127 along the rows, then again from 0: exact in every format.
    Counting,
    /// 1 on the main diagonal, 0 elsewhere.
    Identity,
    /// Small numbers that are easy to follow: −9 … 9 for integers, their quarters for floats.
    Small {
        /// Same seed, same elements.
        seed: u64,
    },
    /// Uniform in \[−1, 1) with 24 bits for floats, uniform in −128 … 127 for integers.
    Uniform {
        /// Same seed, same elements.
        seed: u64,
    },
    /// Given one by one, row by row.
    Listed(Arc<[f64]>),
}

/// A matrix of `rows` × `cols` elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    rows: u64,
    cols: u64,
    salt: u64,
    whole: bool,
    fill: Fill,
}

impl Matrix {
    /// A matrix filled by rule. `salt` tells A from B under one seed; `whole` asks for whole numbers.
    ///
    /// A listed matrix must have `rows · cols` elements; missing ones read as 0.
    #[must_use]
    pub const fn new(rows: u64, cols: u64, fill: Fill, salt: u64, whole: bool) -> Self {
        Self { rows, cols, salt, whole, fill }
    }

    /// Rows.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Columns.
    #[must_use]
    pub const fn cols(&self) -> u64 {
        self.cols
    }

    /// The element at a row and a column; 0 outside, which is what padding means.
    #[must_use]
    pub fn at(&self, row: u64, col: u64) -> f64 {
        if row >= self.rows || col >= self.cols {
            return 0.0;
        }
        match &self.fill {
            Fill::Counting => small_f64(row.wrapping_mul(self.cols).wrapping_add(col) % 128),
            Fill::Identity => f64::from(u8::from(row == col)),
            Fill::Small { seed } => {
                let step = small_f64(self.hash(*seed, row, col) % 19) - 9.0;
                if self.whole { step } else { step / 4.0 }
            }
            Fill::Uniform { seed } => {
                let hash = self.hash(*seed, row, col);
                if self.whole {
                    small_f64(hash >> 56) - 128.0
                } else {
                    small_f64(hash >> 40) / f64::from(1 << 23) - 1.0
                }
            }
            Fill::Listed(values) => {
                usize::try_from(row * self.cols + col).ok().and_then(|index| values.get(index)).copied().unwrap_or(0.0)
            }
        }
    }

    // SplitMix64 finalizer (Steele, Lea, Flood 2014) over seed, matrix and position.
    fn hash(&self, seed: u64, row: u64, col: u64) -> u64 {
        let mut z = seed.wrapping_add(self.salt.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for word in [row, col] {
            z = z.wrapping_add(word).wrapping_add(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^= z >> 31;
        }
        z
    }
}

#[expect(clippy::cast_precision_loss, reason = "callers pass at most 24 bits")]
const fn small_f64(value: u64) -> f64 {
    value as f64
}

/// The two inputs of a product.
#[derive(Clone, Debug, PartialEq)]
pub struct Operands {
    /// M×K.
    pub a: Matrix,
    /// K×N.
    pub b: Matrix,
}

impl Operands {
    /// An element of A or B by its position; C is not an input and reads as 0.
    #[must_use]
    pub fn at(&self, operand: crate::Operand, (row, col): (u64, u64)) -> f64 {
        match operand {
            crate::Operand::A => self.a.at(row, col),
            crate::Operand::B => self.b.at(row, col),
            crate::Operand::C => 0.0,
        }
    }
}
