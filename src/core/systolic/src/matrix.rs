//! Matrices with computed or listed elements. A computed matrix of 2^31 × 2^31 elements needs no memory for its
//! elements.

use std::sync::Arc;

use crate::{Dtype, Gemm, RangeError};

/// Rule that computes each element of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Counting along the rows: 0, 1, 2 …, then again from 0. The last number is 127, or a smaller number if the format
    /// does not represent all whole numbers up to 127.
    Counting,
    /// Identity matrix: 1 on the main diagonal, 0 elsewhere.
    Identity,
    /// Ramp 1 + 0.001 · (512 · row + column), with f32 rounding at each step: the inputs of a test of JAX. The folder
    /// `tests/golden/printed` has outputs of TPUs for this test.
    Ramp,
    /// Small numbers that are easy to follow: −9 to 9 for integers, and −9/4 to 9/4 in steps of 1/4 for floats. The
    /// range is −7 to 7 for int4 and −8/4 to 8/4 for e5m2, because larger numbers are not exact in these formats.
    Small {
        /// Seed of the random numbers; equal seeds give equal elements.
        seed: u64,
    },
    /// Uniform random numbers: in \[−1, 1) with 24 bits for floats, and over the whole range for integers.
    Uniform {
        /// Seed of the random numbers; equal seeds give equal elements.
        seed: u64,
    },
}

/// Elements of a matrix.
#[derive(Clone, Debug, PartialEq)]
enum Elements {
    /// Rule, and the format for which the rule chooses numbers. The salt makes A differ from B for equal seeds.
    Rule { fill: Fill, salt: u64, dtype: Dtype },
    /// List of the elements, row by row.
    Listed(Arc<[f64]>),
    /// List of elements that `f32` represents, row by row, in half the memory.
    ListedF32(Arc<Vec<f32>>),
}

/// A matrix of `rows` × `cols` elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    rows: u64,
    cols: u64,
    elements: Elements,
}

impl Matrix {
    /// A matrix filled by a rule. The rule chooses numbers for the format `dtype`. `salt` makes A differ from B for
    /// equal seeds.
    #[must_use]
    pub const fn new(rows: u64, cols: u64, fill: Fill, salt: u64, dtype: Dtype) -> Self {
        Self { rows, cols, elements: Elements::Rule { fill, salt, dtype } }
    }

    /// A matrix of listed elements, row by row.
    ///
    /// ```
    /// use systolic::Matrix;
    ///
    /// assert_eq!(Matrix::listed(2, 2, [1.0, 2.0, 3.0, 4.0])?.at(1, 0), 3.0);
    /// let error = Matrix::listed(2, 2, [1.0, 2.0]).unwrap_err();
    /// assert_eq!(error.to_string(), "elements = 2: use 4");
    /// # Ok::<(), systolic::RangeError>(())
    /// ```
    ///
    /// # Errors
    /// [`RangeError`] if the list does not have `rows · cols` elements.
    pub fn listed(rows: u64, cols: u64, elements: impl Into<Arc<[f64]>>) -> Result<Self, RangeError> {
        let elements = elements.into();
        let needed = rows.saturating_mul(cols);
        RangeError::check("elements", elements.len() as u64, needed, needed)?;
        Ok(Self { rows, cols, elements: Elements::Listed(elements) })
    }

    /// A matrix of listed elements, row by row, in half the memory of [`Matrix::listed`]. Every number format of an array
    /// has only values that `f32` represents.
    ///
    /// # Errors
    /// [`RangeError`] if the number of elements is not `rows` × `cols`.
    pub fn listed_f32(rows: u64, cols: u64, elements: Vec<f32>) -> Result<Self, RangeError> {
        let needed = rows.saturating_mul(cols);
        RangeError::check("elements", elements.len() as u64, needed, needed)?;
        Ok(Self { rows, cols, elements: Elements::ListedF32(Arc::new(elements)) })
    }

    /// A matrix whose elements are computed once: `element` returns the element at a row and a column.
    #[must_use]
    pub fn from_fn(rows: u64, cols: u64, element: impl Fn(u64, u64) -> f64) -> Self {
        let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let elements = places.map(|(row, col)| element(row, col)).collect();
        Self { rows, cols, elements: Elements::Listed(elements) }
    }

    /// Number of rows.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub const fn cols(&self) -> u64 {
        self.cols
    }

    /// Element at a row and a column; 0 outside the matrix, for padding.
    #[must_use]
    pub fn at(&self, row: u64, col: u64) -> f64 {
        if row >= self.rows || col >= self.cols {
            return 0.0;
        }
        let (fill, salt, dtype) = match &self.elements {
            Elements::Rule { fill, salt, dtype } => (*fill, *salt, *dtype),
            Elements::Listed(elements) => {
                let index = usize::try_from(row * self.cols + col).ok();
                return index.and_then(|index| elements.get(index)).map_or(0.0, |element| *element);
            }
            Elements::ListedF32(elements) => {
                let index = usize::try_from(row * self.cols + col).ok();
                return index.and_then(|index| elements.get(index)).map_or(0.0, |element| f64::from(*element));
            }
        };
        match fill {
            Fill::Counting => small_f64(row.wrapping_mul(self.cols).wrapping_add(col) % (counts_to(dtype) + 1)),
            Fill::Identity => f64::from(u8::from(row == col)),
            Fill::Ramp => f64::from(1.0 + 1e-3 * small_f32(row.wrapping_mul(RAMP_ROW).wrapping_add(col))),
            Fill::Small { seed } => {
                let most = match dtype {
                    Dtype::Int4 => 7,
                    Dtype::E5m2 | Dtype::E5m2fnuz => 8,
                    _ => 9,
                };
                let step = small_f64(hash(seed, salt, row, col) % (2 * most + 1)) - small_f64(most);
                if dtype.is_integer() { step } else { step / 4.0 }
            }
            Fill::Uniform { seed } => {
                let hash = hash(seed, salt, row, col);
                match dtype.whole_range() {
                    Some((least, _)) => small_f64(hash >> (64 - dtype.bits())) + f64::from(least),
                    None => small_f64(hash >> 40) / f64::from(1 << 23) - 1.0,
                }
            }
        }
    }
}

// SplitMix64 finalizer (Steele, Lea, Flood 2014) over seed, matrix and position.
fn hash(seed: u64, salt: u64, row: u64, col: u64) -> u64 {
    let mut z = seed.wrapping_add(salt.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for word in [row, col] {
        z = z.wrapping_add(word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
    }
    z
}

/// Largest whole number, but at most 127, up to which a format represents every whole number.
const fn counts_to(dtype: Dtype) -> u64 {
    match dtype {
        Dtype::F32 | Dtype::Bf16 | Dtype::F16 | Dtype::Tf32 | Dtype::Int8 => 127,
        Dtype::E4m3fn | Dtype::E4m3b11fnuz | Dtype::E4m3fnuz => 16,
        Dtype::E5m2 | Dtype::E5m2fnuz => 8,
        Dtype::Int4 => 7,
    }
}

/// Number of ramp steps from one row to the next.
const RAMP_ROW: u64 = 512;

#[expect(clippy::cast_precision_loss, reason = "rounded to f32, as in the test of JAX")]
const fn small_f32(value: u64) -> f32 {
    value as f32
}

#[expect(clippy::cast_precision_loss, reason = "callers pass at most 24 bits")]
const fn small_f64(value: u64) -> f64 {
    value as f64
}

/// Input matrices of a GEMM.
#[derive(Clone, Debug, PartialEq)]
pub struct Operands {
    /// Matrix A, M×K elements.
    pub a: Matrix,
    /// Matrix B, K×N elements.
    pub b: Matrix,
    /// Matrix c, M×N elements, from which the sums of C = c + A·B start; `None` for zeros.
    ///
    /// With k along the rows (WS, IS), c enters the array at the top, with the sums of the first tile of k. An
    /// output-stationary sum starts from c in place. Cycles and traffic do not depend on c.
    pub c: Option<Matrix>,
}

impl Operands {
    /// Matrices A and B, without c.
    #[must_use]
    pub const fn new(a: Matrix, b: Matrix) -> Self {
        Self { a, b, c: None }
    }

    /// These matrices with a matrix c, from which the sums start.
    #[must_use]
    pub fn with_c(self, c: Matrix) -> Self {
        Self { c: Some(c), ..self }
    }

    /// Matrices A and B of a GEMM, filled by a rule. The rule chooses numbers for the format `dtype`.
    #[must_use]
    pub const fn filled(gemm: Gemm, fill: Fill, dtype: Dtype) -> Self {
        let a = Matrix::new(gemm.m(), gemm.k(), fill, 0, dtype);
        Self::new(a, Matrix::new(gemm.k(), gemm.n(), fill, 1, dtype))
    }

    /// Element of A, B or c at a position. Without a matrix c, the elements of c are 0.
    #[must_use]
    pub fn at(&self, operand: crate::Operand, (row, col): (u64, u64)) -> f64 {
        match operand {
            crate::Operand::A => self.a.at(row, col),
            crate::Operand::B => self.b.at(row, col),
            crate::Operand::C => self.of_c(row, col),
        }
    }

    /// Element of c, 0 without a matrix c. The function is kept apart, so that the compiler can inline the code for
    /// elements of A and B.
    #[cold]
    #[inline(never)]
    pub(crate) fn of_c(&self, row: u64, col: u64) -> f64 {
        self.c.as_ref().map_or(0.0, |c| c.at(row, col))
    }
}
