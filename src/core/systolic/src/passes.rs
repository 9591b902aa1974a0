//! f32 matrix multiplications on a bf16 array. Each operand is split into bf16 numbers, and some of the products of
//! these numbers are added.
//!
//! x = x₁ + x₂ + x₃ with x₁ = bf16(x), x₂ = bf16(x − x₁), x₃ = bf16(x − x₁ − x₂). Each pass is a whole bf16 GEMM on the
//! array. Three passes compute the terms of JAX's precision `HIGH`, and six passes compute the terms of `HIGHEST`. The
//! order in which hardware adds the passes is not published; this module adds the passes with the smallest terms first.

use crate::lane::Float;
use crate::{Dtype, Lane, MacUnit, Matrix, Operands, Schedule, Value, product};

/// Number of bf16 GEMMs for one f32 GEMM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passes {
    /// One pass, a₁b₁: bf16 accuracy at full speed, the default of JAX on TPUs.
    One,
    /// Three passes: a₁b₁, a₁b₂ and a₂b₁.
    Three,
    /// Six passes: a₁b₁, a₁b₂, a₂b₁, a₂b₂, a₁b₃ and a₃b₁.
    Six,
}

crate::named! {
    Passes {
        One => "1",
        Three => "3",
        Six => "6",
    }
}

impl Passes {
    /// Number of bf16 GEMMs on the array for one f32 GEMM. The f32 GEMM takes this many times as long as one bf16
    /// GEMM.
    #[must_use]
    pub const fn count(self) -> u64 {
        match self {
            Self::One => 1,
            Self::Three => 3,
            Self::Six => 6,
        }
    }

    /// Passes as pairs (part of A, part of B), in the order in which the passes are added. Parts are numbered from 0.
    #[must_use]
    pub fn pairs(self) -> &'static [(usize, usize)] {
        const SIX: [(usize, usize); 6] = [(2, 0), (0, 2), (1, 1), (1, 0), (0, 1), (0, 0)];
        match self {
            Self::One => &SIX[5..],
            Self::Three => &SIX[3..],
            Self::Six => &SIX,
        }
    }

    /// Elements of C for f32 matrices, row by row. Each pass adds in the array's order of accumulation.
    ///
    /// ```
    /// use systolic::prelude::*;
    ///
    /// // 1.00390625 is halfway between two numbers of bf16. Its square needs more than one pass.
    /// let schedule = Schedule::builder([1, 1, 1], [4, 4]).build()?;
    /// let one = Matrix::listed(1, 1, [1.003_906_25])?;
    /// let square = |passes: Passes| passes.product(&schedule, &Operands::new(one.clone(), one.clone()))[0].as_f64();
    /// assert_eq!((square(Passes::One), square(Passes::Six)), (1.0, 1.007_827_758_789_062_5));
    /// # Ok::<(), RangeError>(())
    /// ```
    #[must_use]
    pub fn product(self, schedule: &Schedule, operands: &Operands) -> Vec<Value> {
        add_passes(Float(MacUnit::new(Dtype::Bf16)), self, schedule, operands)
    }
}

/// Three bf16 numbers whose sum agrees with an f32 number to 24 bits.
#[must_use]
pub fn split(value: f64) -> [f64; 3] {
    let bf16 = MacUnit::new(Dtype::Bf16);
    let whole = MacUnit::new(Dtype::F32).operand(value).as_f64();
    let first = bf16.operand(whole).as_f64();
    if !first.is_finite() {
        return [first, 0.0, 0.0];
    }
    let second = bf16.operand(whole - first).as_f64();
    let third = bf16.operand(whole - first - second).as_f64();
    [first, second, third]
}

fn add_passes<L: Lane>(lane: L, passes: Passes, schedule: &Schedule, operands: &Operands) -> Vec<Value> {
    let part = |matrix: &Matrix, part: usize| {
        Matrix::from_fn(matrix.rows(), matrix.cols(), |row, col| split(matrix.at(row, col))[part])
    };
    let mut sums: Option<Vec<L::Sum>> = None;
    for &(a, b) in passes.pairs() {
        // The sums of the first pass start from c.
        let c = operands.c.clone().filter(|_| sums.is_none());
        let parts = Operands { a: part(&operands.a, a), b: part(&operands.b, b), c };
        let of_pass = product(lane, schedule, &parts, |_| ());
        sums = Some(match sums {
            None => of_pass,
            Some(before) => before.into_iter().zip(of_pass).map(|(sum, more)| lane.add(sum, more)).collect(),
        });
    }
    sums.unwrap_or_default().into_iter().map(|sum| lane.sum(sum)).collect()
}
