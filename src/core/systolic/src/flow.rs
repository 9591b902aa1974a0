//! Dataflows that a person chooses: the move of each matrix, and the delays of rows and columns.
//!
//! [`FlowRun`] runs a chosen flow, register by register, and judges it by the sums. [`Verdict`] is the theory: it says,
//! without a run, why a flow multiplies right or wrong. A test compares both for every flow.
//!
//! # Places and cycles
//!
//! Each matrix has a free index: n for A, m for B, k for the sums. A matrix moves by one PE per step of its free index,
//! so the product (m,k,n) is in the PE m·dir(B) + k·dir(sums) + n·dir(A). A broadcast counts as a move east or south.
//!
//! Element (i,j) of a matrix that moves starts in cycle i + j + (d − 1)·lane. The lane is the number of the row or
//! column along which the element moves, counted from product (0,0,0). The delay of each row or column is d. If the
//! element moves by one PE per cycle, it reaches the product with free index f after f more cycles. If it is broadcast,
//! it reaches all its products at once.

mod goal;
mod run;
mod verdict;

use core::fmt;
use core::str::FromStr;

use crate::{Dataflow, Mkn, Operand};
pub use goal::Goal;
pub use run::{Fault, FaultKind, FlowRun, Label, Meeting, PeState, Token, Waiting};
pub use verdict::{Formula, Verdict};

/// Move of a matrix through the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The elements stay in their PEs.
    Stays,
    /// One PE to the east per cycle.
    East,
    /// One PE to the south per cycle.
    South,
    /// One PE to the west per cycle.
    West,
    /// One PE to the north per cycle.
    North,
    /// Broadcast: a wire brings an element to all PEs of a row in one cycle, or adds the products of a row in one cycle.
    AlongRow,
    /// Broadcast along a column.
    AlongCol,
}

crate::named! {
    Move {
        Stays => "stays",
        East => "east",
        South => "south",
        West => "west",
        North => "north",
        AlongRow => "along-row",
        AlongCol => "along-col",
    }
}

/// Line along which a matrix moves. Rows are numbered to the south, columns to the east.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Along {
    /// Along a row, through the columns.
    Row,
    /// Along a column, through the rows.
    Col,
}

impl Move {
    /// Change of a product's row and column per step of the free index.
    #[must_use]
    pub const fn step(self) -> [i64; 2] {
        match self {
            Self::Stays => [0, 0],
            Self::East | Self::AlongRow => [0, 1],
            Self::South | Self::AlongCol => [1, 0],
            Self::West => [0, -1],
            Self::North => [-1, 0],
        }
    }

    /// Line of the move; `None` if the matrix stays.
    #[must_use]
    pub const fn along(self) -> Option<Along> {
        match self {
            Self::Stays => None,
            Self::East | Self::West | Self::AlongRow => Some(Along::Row),
            Self::South | Self::North | Self::AlongCol => Some(Along::Col),
        }
    }

    /// True if a wire brings an element to a whole row or column in one cycle.
    #[must_use]
    pub const fn is_broadcast(self) -> bool {
        matches!(self, Self::AlongRow | Self::AlongCol)
    }

    /// True if the elements move by one PE per cycle.
    #[must_use]
    pub const fn is_unit(self) -> bool {
        !self.is_broadcast() && !matches!(self, Self::Stays)
    }

    const fn mirrored(self, mirror: Mirror) -> Self {
        let swapped = match self {
            _ if !mirror.swaps => self,
            Self::Stays => self,
            Self::East => Self::South,
            Self::South => Self::East,
            Self::West => Self::North,
            Self::North => Self::West,
            Self::AlongRow => Self::AlongCol,
            Self::AlongCol => Self::AlongRow,
        };
        match swapped {
            Self::East if mirror.flips_cols => Self::West,
            Self::West if mirror.flips_cols => Self::East,
            Self::South if mirror.flips_rows => Self::North,
            Self::North if mirror.flips_rows => Self::South,
            other => other,
        }
    }
}

/// One of the eight mirrored or rotated images of a rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mirror {
    /// True if rows become columns. The swap comes before the flips.
    pub swaps: bool,
    /// True if south becomes north.
    pub flips_rows: bool,
    /// True if east becomes west.
    pub flips_cols: bool,
}

impl Mirror {
    /// All images; the first is the rectangle itself.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self { swaps: bits & 4 != 0, flips_rows: bits & 2 != 0, flips_cols: bits & 1 != 0 })
    }
}

/// A dataflow that a person chooses.
///
/// ```
/// use systolic::Dataflow;
/// use systolic::flow::Flow;
///
/// let flow: Flow = "east,stays,south,1,1".parse()?;
/// assert_eq!(flow.dataflow(), Some(Dataflow::WeightStationary));
/// assert_eq!(flow.to_string(), "east,stays,south,1,1");
/// let error = "east,up,south,1,1".parse::<Flow>().unwrap_err();
/// assert_eq!(error.to_string(), "b = up: use stays, east, south, west, north, along-row, along-col");
/// # Ok::<(), systolic::flow::FlowError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flow {
    /// Move of A.
    pub a: Move,
    /// Move of B.
    pub b: Move,
    /// Move of the sums.
    pub sums: Move,
    /// Cycles that each row waits longer than the row before it, 0 to 2.
    pub row_delay: u8,
    /// Cycles that each column waits longer than the column before it, 0 to 2.
    pub col_delay: u8,
}

impl Flow {
    /// Largest delay of a row or a column.
    pub const DELAY_MAX: u8 = 2;

    /// The three matrices, in the order of the text form.
    pub const OPERANDS: [Operand; 3] = [Operand::A, Operand::B, Operand::C];

    /// Flow of a dataflow of [`Schedule`](crate::Schedule).
    #[must_use]
    pub const fn named(dataflow: Dataflow) -> Self {
        let [a, b, sums] = match dataflow {
            Dataflow::WeightStationary => [Move::East, Move::Stays, Move::South],
            Dataflow::OutputStationary => [Move::East, Move::South, Move::Stays],
            Dataflow::InputStationary => [Move::Stays, Move::East, Move::South],
        };
        Self { a, b, sums, row_delay: 1, col_delay: 1 }
    }

    /// Dataflow that this flow equals; `None` for a mirror image or for another flow.
    #[must_use]
    pub fn dataflow(self) -> Option<Dataflow> {
        Dataflow::ALL.into_iter().find(|&dataflow| Self::named(dataflow) == self)
    }

    /// Dataflow that this flow equals or mirrors, with the mirror that makes this flow from the dataflow.
    #[must_use]
    pub fn image(self) -> Option<(Dataflow, Mirror)> {
        let images = Dataflow::ALL.into_iter().flat_map(|dataflow| Mirror::all().map(move |mirror| (dataflow, mirror)));
        images.into_iter().find(|&(dataflow, mirror)| Self::named(dataflow).mirrored(mirror) == self)
    }

    /// Mirror image of the flow.
    #[must_use]
    pub const fn mirrored(self, mirror: Mirror) -> Self {
        let [row_delay, col_delay] =
            if mirror.swaps { [self.col_delay, self.row_delay] } else { [self.row_delay, self.col_delay] };
        let [a, b, sums] = [self.a.mirrored(mirror), self.b.mirrored(mirror), self.sums.mirrored(mirror)];
        Self { a, b, sums, row_delay, col_delay }
    }

    /// Move of a matrix.
    #[must_use]
    pub const fn of(self, operand: Operand) -> Move {
        match operand {
            Operand::A => self.a,
            Operand::B => self.b,
            Operand::C => self.sums,
        }
    }

    /// First two matrices with equal steps ([`Move::step`]). Their elements never separate, or both matrices stay.
    #[must_use]
    pub fn equal_steps(self) -> Option<[Operand; 2]> {
        let [a, b, c] = Self::OPERANDS;
        [[a, b], [a, c], [b, c]].into_iter().find(|pair| self.of(pair[0]).step() == self.of(pair[1]).step())
    }

    /// Row and column of the PE of a product, relative to the PE of the product (0,0,0).
    #[must_use]
    pub fn place(self, at: Mkn) -> [i64; 2] {
        [0, 1].map(|axis| {
            let part = |step: [i64; 2], index: u64| step[axis] * i64::try_from(index).unwrap_or(i64::MAX);
            part(self.b.step(), at.m) + part(self.sums.step(), at.k) + part(self.a.step(), at.n)
        })
    }

    /// Delay of the lanes of a matrix; `None` if the matrix stays.
    #[must_use]
    pub const fn delay(self, operand: Operand) -> Option<u8> {
        match self.of(operand).along() {
            None => None,
            Some(Along::Row) => Some(self.row_delay),
            Some(Along::Col) => Some(self.col_delay),
        }
    }

    /// Directions in which rows and columns are numbered: 1 to the south or east, −1 to the north or west. The
    /// direction along a line comes from the first of A, B and the sums that moves along it. A mirror image therefore
    /// has equal lanes.
    pub(crate) fn numbering(self) -> [i64; 2] {
        [0, 1].map(|axis| {
            let steps = Self::OPERANDS.map(|operand| self.of(operand).step()[axis]);
            steps.into_iter().find(|&step| step != 0).unwrap_or(1)
        })
    }
}

impl fmt::Display for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { a, b, sums, row_delay, col_delay } = self;
        write!(f, "{},{},{},{row_delay},{col_delay}", a.id(), b.id(), sums.id())
    }
}

/// Error for a text that is not a flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowError {
    /// Part of the text: `flow` for the whole text, or the name of a field of [`Flow`].
    pub field: &'static str,
    /// The rejected text.
    pub given: String,
    /// Texts that are allowed.
    pub allowed: String,
}

impl fmt::Display for FlowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, given, allowed } = self;
        write!(f, "{field} = {given}: use {allowed}")
    }
}

impl core::error::Error for FlowError {}

impl FromStr for Flow {
    type Err = FlowError;

    fn from_str(text: &str) -> Result<Self, FlowError> {
        let error = |field, given: &str, allowed: String| FlowError { field, given: given.to_owned(), allowed };
        let parts: Vec<&str> = text.split(',').collect();
        let &[a, b, sums, row_delay, col_delay] = parts.as_slice() else {
            return Err(error("flow", text, "a,b,sums,row_delay,col_delay".to_owned()));
        };
        let motion =
            |field, given: &str| Move::from_id(given).ok_or_else(|| error(field, given, Move::NAMES.join(", ")));
        let delay = |field, given: &str| {
            let parsed = given.parse().ok().filter(|delay| *delay <= Self::DELAY_MAX && given.len() == 1);
            parsed.ok_or_else(|| error(field, given, format!("0 to {}", Self::DELAY_MAX)))
        };
        Ok(Self {
            a: motion("a", a)?,
            b: motion("b", b)?,
            sums: motion("sums", sums)?,
            row_delay: delay("row_delay", row_delay)?,
            col_delay: delay("col_delay", col_delay)?,
        })
    }
}
