//! Matrices whose elements are computed or listed; a computed one of 2^31 × 2^31 costs nothing.

use std::sync::Arc;

use crate::Dtype;

/// Where the elements come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Fill {
    /// 0, 1, 2 … along the rows up to 127 or to the last number that the format counts without a gap, then again from 0.
    Counting,
    /// 1 on the main diagonal, 0 elsewhere.
    Identity,
    /// Small numbers that are easy to follow: −9 … 9 for integers, their quarters for floats; −7 … 7 for int4 and
    /// −8 … 8 quarters for e5m2, which hold no more without rounding.
    Small {
        /// Same seed, same elements.
        seed: u64,
    },
    /// Uniform in \[−1, 1) with 24 bits for floats, over the whole range for integers.
    Uniform {
        /// Same seed, same elements.
        seed: u64,
    },
    /// Listed one by one, row by row.
    Listed(Arc<[f64]>),
}

/// A matrix of `rows` × `cols` elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    rows: u64,
    cols: u64,
    salt: u64,
    dtype: Dtype,
    fill: Fill,
}

impl Matrix {
    /// A matrix filled by rule with numbers that suit a format. `salt` tells A from B under one seed.
    ///
    /// A listed matrix must have `rows · cols` elements; missing ones read as 0.
    #[must_use]
    pub const fn new(rows: u64, cols: u64, fill: Fill, salt: u64, dtype: Dtype) -> Self {
        Self { rows, cols, salt, dtype, fill }
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
            Fill::Counting => small_f64(row.wrapping_mul(self.cols).wrapping_add(col) % (counts_to(self.dtype) + 1)),
            Fill::Identity => f64::from(u8::from(row == col)),
            Fill::Small { seed } => {
                let most = match self.dtype {
                    Dtype::Int4 => 7,
                    Dtype::E5m2 => 8,
                    _ => 9,
                };
                let step = small_f64(self.hash(*seed, row, col) % (2 * most + 1)) - small_f64(most);
                if self.dtype.is_integer() { step } else { step / 4.0 }
            }
            Fill::Uniform { seed } => {
                let hash = self.hash(*seed, row, col);
                match self.dtype.whole_range() {
                    Some((least, _)) => small_f64(hash >> (64 - self.dtype.bits())) + f64::from(least),
                    None => small_f64(hash >> 40) / f64::from(1 << 23) - 1.0,
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

/// The last number, of at most 127, up to which a format holds every whole number.
const fn counts_to(dtype: Dtype) -> u64 {
    match dtype {
        Dtype::F32 | Dtype::Bf16 | Dtype::F16 | Dtype::Int8 => 127,
        Dtype::E4m3fn | Dtype::E4m3b11fnuz => 16,
        Dtype::E5m2 => 8,
        Dtype::Int4 => 7,
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
