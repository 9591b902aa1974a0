//! The parts of the stage that a card lights; the rest is dimmed.

use systolic::{Operand, PeId};

/// A part of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lit {
    /// All PEs.
    Array,
    /// The PEs that multiply.
    Wave,
    /// Matrix A.
    A,
    /// Matrix B.
    B,
    /// Matrix C.
    C,
    /// The elements before the array and the registers that hold them back.
    Skew,
    /// The sums that leave the array.
    Results,
    /// The bars of the cycles.
    Timeline,
    /// One PE.
    Pe(PeId),
    /// A matrix, with one of its elements framed, by its row and column, and what that is made of or goes into.
    Element(Operand, u64, u64),
    /// The share of slots in which PEs are busy.
    Headline,
}

impl Lit {
    /// As many as a card may light.
    pub const MOST: usize = 3;
    /// The names, as a card writes them.
    pub const NAMES: [&'static str; 13] =
        ["array", "wave", "A", "B", "C", "skew", "results", "timeline", "headline", "pe", "a", "b", "c"];

    /// The part of that name: `array`, `pe 1 2`, `c 0 0`.
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
}
