//! Theory of a chosen flow: the conditions under which its array multiplies right.
//!
//! A flow multiplies right if three conditions are true:
//!
//! 1. All matrices that move are at each product in the same cycle.
//! 2. No two products share a PE and a cycle.
//! 3. No register and no wire contains two elements in one cycle.
//!
//! Places and cycles are linear in m, k and n. Each condition therefore depends only on the difference of two products
//! or of two elements.

use crate::flow::{Along, Flow, Label, Move};
use crate::{Axis, Gemm, Mkn, Operand};

/// A linear formula: the coefficients of m, k and n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Formula {
    /// Coefficient of m.
    pub m: i64,
    /// Coefficient of k.
    pub k: i64,
    /// Coefficient of n.
    pub n: i64,
}

impl Formula {
    /// Value of the formula at a product.
    #[must_use]
    pub fn at(self, product: Mkn) -> i64 {
        let index = |index: u64| i64::try_from(index).unwrap_or(i64::MAX);
        self.of([index(product.m), index(product.k), index(product.n)])
    }

    /// Coefficient of one axis.
    #[must_use]
    pub const fn along(self, axis: Axis) -> i64 {
        match axis {
            Axis::M => self.m,
            Axis::K => self.k,
            Axis::N => self.n,
        }
    }

    /// This formula plus `times` times another.
    #[must_use]
    pub const fn plus(self, times: i64, other: Self) -> Self {
        Self { m: self.m + times * other.m, k: self.k + times * other.k, n: self.n + times * other.n }
    }

    const fn of(self, [m, k, n]: [i64; 3]) -> i64 {
        self.m * m + self.k * k + self.n * n
    }
}

/// Answer of the theory for a flow and a matmul.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Row of the PE of product (m,k,n), relative to product (0,0,0).
    pub row: Formula,
    /// Column of this PE.
    pub col: Formula,
    /// Cycles in which the elements of A, of B and the sums are at product (m,k,n). `None` for a matrix that stays.
    pub cycles: [Option<Formula>; 3],
    /// Condition 1 fails: two matrices that are at a product in different cycles.
    pub apart: Option<[Operand; 2]>,
    /// Condition 2 fails: two products that share a PE and a cycle.
    pub shared: Option<[Mkn; 2]>,
    /// Condition 3 fails: two elements in one register or on one wire in one cycle.
    pub crowded: Option<[Label; 2]>,
}

impl Verdict {
    /// True if the array multiplies right.
    #[must_use]
    pub const fn is_right(&self) -> bool {
        self.apart.is_none() && self.shared.is_none() && self.crowded.is_none()
    }

    /// Cycle formula of a matrix.
    #[must_use]
    pub const fn cycle(&self, operand: Operand) -> Option<Formula> {
        self.cycles[operand as usize]
    }
}

impl Flow {
    /// Answer of the theory for this flow and a matmul.
    #[must_use]
    pub fn verdict(self, gemm: Gemm) -> Verdict {
        let line = |axis: usize| Formula { m: self.b.step()[axis], k: self.sums.step()[axis], n: self.a.step()[axis] };
        let [row, col] = [line(0), line(1)];
        let cycles = Self::OPERANDS.map(|operand| self.cycle_formula(operand, [row, col]));
        let theory = Theory { flow: self, sides: [gemm.m(), gemm.k(), gemm.n()], row, col, cycles };
        Verdict { row, col, cycles, apart: theory.apart(), shared: theory.shared(), crowded: theory.crowded() }
    }

    fn cycle_formula(self, operand: Operand, [row, col]: [Formula; 2]) -> Option<Formula> {
        let motion = self.of(operand);
        let [of_rows, of_cols] = self.numbering();
        let free = i64::from(motion.is_unit());
        let start = match operand {
            Operand::A => Formula { m: 1, k: 1, n: free },
            Operand::B => Formula { m: free, k: 1, n: 1 },
            Operand::C => Formula { m: 1, k: free, n: 1 },
        };
        let delay = i64::from(self.delay(operand)?);
        let (sign, across) = if motion.along() == Some(Along::Row) { (of_rows, row) } else { (of_cols, col) };
        Some(start.plus(sign * (delay - 1), across))
    }
}

struct Theory {
    flow: Flow,
    /// M, K and N.
    sides: [u64; 3],
    row: Formula,
    col: Formula,
    cycles: [Option<Formula>; 3],
}

impl Theory {
    fn apart(&self) -> Option<[Operand; 2]> {
        let moving = Flow::OPERANDS.into_iter().filter_map(|operand| Some((operand, self.cycles[operand as usize]?)));
        let (first, cycle) = moving.clone().next()?;
        let differs = |other: Formula| {
            let zero = other.plus(-1, cycle);
            [zero.m, zero.k, zero.n].iter().zip(self.sides).any(|(&coefficient, side)| coefficient != 0 && side > 1)
        };
        moving.skip(1).find(|&(_, other)| differs(other)).map(|(other, _)| [first, other])
    }

    fn shared(&self) -> Option<[Mkn; 2]> {
        let cycle = self.cycles.into_iter().flatten().next().unwrap_or_default();
        let meets = |by: [i64; 3]| [self.row, self.col, cycle].iter().all(|formula| formula.of(by) == 0);
        self.differences([true; 3]).filter(|&by| meets(by)).min_by_key(size).map(ends)
    }

    fn crowded(&self) -> Option<[Label; 2]> {
        Flow::OPERANDS.into_iter().find_map(|operand| {
            let two = match operand {
                Operand::A => [true, true, false],
                Operand::B => [false, true, true],
                Operand::C => [true, false, true],
            };
            let meets = |by: [i64; 3]| self.zero_together(operand).iter().all(|formula| formula.of(by) == 0);
            let by = self.differences(two).filter(|&by| meets(by)).min_by_key(size)?;
            Some(ends(by).map(|product| Label::of(operand, product)))
        })
    }

    /// Two formulas of the difference of two elements of a matrix. Both are zero if the elements share a register or
    /// wire in one cycle.
    fn zero_together(&self, operand: Operand) -> [Formula; 2] {
        let Some(cycle) = self.cycles[operand as usize] else { return [self.row, self.col] };
        match self.flow.of(operand) {
            Move::Stays => [self.row, self.col],
            Move::AlongRow => [self.row, cycle],
            Move::AlongCol => [self.col, cycle],
            Move::East => [self.row, self.col.plus(-1, cycle)],
            Move::West => [self.row, self.col.plus(1, cycle)],
            Move::South => [self.col, self.row.plus(-1, cycle)],
            Move::North => [self.col, self.row.plus(1, cycle)],
        }
    }

    /// Every difference of two products that is not zero, along the chosen axes only.
    fn differences(&self, axes: [bool; 3]) -> impl Iterator<Item = [i64; 3]> {
        let range = |axis: usize| {
            let most = if axes[axis] { i64::try_from(self.sides[axis]).unwrap_or(i64::MAX) - 1 } else { 0 };
            -most..=most
        };
        let (of_k, of_n) = (range(1), range(2));
        let all = range(0).flat_map(move |m| {
            let of_n = of_n.clone();
            of_k.clone().flat_map(move |k| of_n.clone().map(move |n| [m, k, n]))
        });
        all.filter(|by| *by != [0; 3])
    }
}

fn size(by: &[i64; 3]) -> u64 {
    by.iter().map(|part| part.unsigned_abs()).sum()
}

/// The two products with this difference that are nearest to product (0,0,0).
fn ends(by: [i64; 3]) -> [Mkn; 2] {
    [-1, 1].map(|sign| {
        let [m, k, n] = by.map(|part| (sign * part).max(0).unsigned_abs());
        Mkn { m, k, n }
    })
}
