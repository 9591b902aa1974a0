//! The form of the matrices next to an array: numbers, squares or fields, and the lengths of their axes.

use display::picture::px;
use systolic::{Gemm, Operand};

/// Form of a drawn matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A cell with a number for each element. Cells of A and B have this width and height; cells of C are wider.
    Numbers(f32, f32),
    /// A square for each element, with this side.
    Squares(f32),
    /// A single rectangle, called a field, that shows the blocks in use.
    Field,
}

/// Width of an element of C ÷ width of an element of A or B. Elements of C are wider, because sums have more digits.
const RESULT_WIDTH: f32 = 1.2;
/// Smallest and largest side of an element without a number.
const SQUARE: (f32, f32) = (4.0, 6.0);
/// Smallest side of a field.
pub(super) const FIELD_MIN: f32 = 10.0;
/// Space for the signs between the matrices of a strip.
pub(super) const SIGN: f32 = 30.0;

/// Lengths of the axes on the screen. K is horizontal in A and vertical in B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lengths {
    pub m: f32,
    pub k_across: f32,
    pub k_down: f32,
    pub n: f32,
    /// Length of N in C.
    pub n_result: f32,
}

impl Lengths {
    /// Returns the width and the height of a matrix.
    pub(super) const fn of(&self, operand: Operand) -> (f32, f32) {
        match operand {
            Operand::A => (self.k_across, self.m),
            Operand::B => (self.n, self.k_down),
            Operand::C => (self.n_result, self.m),
        }
    }

    /// Returns the width of all three matrices with the signs between them.
    pub(super) const fn in_a_row(&self) -> f32 {
        self.k_across + self.n + self.n_result + 2.0 * SIGN
    }
}

impl Form {
    /// True if each element is drawn with its number.
    #[must_use]
    pub const fn has_numbers(self) -> bool {
        matches!(self, Self::Numbers(..))
    }

    /// Returns the form of matrices without numbers, whose sides are at most `side` long.
    pub(super) fn picture(run: Gemm, side: f32) -> Self {
        let each = side / px(run.m().max(run.k()).max(run.n()));
        if each >= SQUARE.0 { Self::Squares(each.min(SQUARE.1)) } else { Self::Field }
    }

    /// Returns the lengths of M, K and N on the screen. Sides of fields grow with the square roots of M, K and N, up to
    /// `side`. Otherwise a long side would leave no space for a short side.
    pub(super) fn lengths(self, run: Gemm, side: f32) -> Lengths {
        let [m, k, n] = [run.m(), run.k(), run.n()].map(px);
        let by = |w: f32, h: f32| Lengths { m: m * h, k_across: k * w, k_down: k * h, n: n * w, n_result: n * w };
        match self {
            Self::Numbers(w, h) => Lengths { n_result: n * w * RESULT_WIDTH, ..by(w, h) },
            Self::Squares(each) => by(each, each),
            Self::Field => {
                let [m, k, n] = [m, k, n].map(f32::sqrt);
                let scale = side / m.max(k).max(n);
                let [m, k, n] = [m, k, n].map(|root| (root * scale).max(FIELD_MIN));
                Lengths { m, k_across: k, k_down: k, n, n_result: n }
            }
        }
    }
}
