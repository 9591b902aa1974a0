//! Parts of the page that a card highlights. The page dims all other parts.

use systolic::{Operand, PeId, Schedule};

/// A part of the page that a card can highlight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lit {
    /// All PEs of the array.
    Array,
    /// PEs that multiply.
    Wave,
    /// Matrix A.
    A,
    /// Matrix B.
    B,
    /// Matrix C.
    C,
    /// Elements that wait in front of the array, and the registers that delay them.
    Skew,
    /// Sums that leave the array.
    Results,
    /// Timeline of the cycles.
    Timeline,
    /// One PE.
    Pe(PeId),
    /// A matrix and one of its elements, by row and column. For an element of C, the page also marks the operands of
    /// the element. For an element of A or B, the page also marks the results that use the element.
    Element(Operand, u64, u64),
    /// Utilization in the header of the page.
    Headline,
}

impl Lit {
    /// Maximum number of parts that a card may highlight.
    pub const MOST: usize = 3;
    /// Names of the parts, as a card writes them.
    pub const NAMES: [&'static str; 13] =
        ["array", "wave", "A", "B", "C", "skew", "results", "timeline", "headline", "pe", "a", "b", "c"];

    /// Returns the part with this name: `array`, `pe 1 2`, `c 0 0`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "array" => Self::Array,
            "wave" => Self::Wave,
            "A" => Self::A,
            "B" => Self::B,
            "C" => Self::C,
            "skew" => Self::Skew,
            "results" => Self::Results,
            "timeline" => Self::Timeline,
            "headline" => Self::Headline,
            _ => {
                let (name, place) = text.split_once(' ')?;
                let (row, col) = place.trim().split_once(' ')?;
                let (row, col): (u32, u32) = (row.parse().ok()?, col.trim().parse().ok()?);
                let element = |operand| Self::Element(operand, row.into(), col.into());
                match name {
                    "pe" => Self::Pe(PeId::new(row, col)),
                    "a" => element(Operand::A),
                    "b" => element(Operand::B),
                    "c" => element(Operand::C),
                    _ => return None,
                }
            }
        })
    }

    /// True if a run has this part: its PE is in the array, or its element is in the matrix.
    #[must_use]
    pub fn is_in(self, schedule: &Schedule) -> bool {
        match self {
            Self::Pe(pe) => schedule.array().contains(pe),
            Self::Element(operand, row, col) => {
                let gemm = schedule.gemm();
                let (rows, cols) = match operand {
                    Operand::A => (gemm.m(), gemm.k()),
                    Operand::B => (gemm.k(), gemm.n()),
                    Operand::C => (gemm.m(), gemm.n()),
                };
                row < rows && col < cols
            }
            _ => true,
        }
    }
}
