//! How an array is built and fed, beyond its dataflow: what published designs differ in.
//!
//! The default is SCALE-Sim's convention: folds run one after another, weights go in row by row, output-stationary sums
//! are read in place, one register per hop with the multiply and the add in one cycle, ports as wide as the array.

use crate::Edge;

/// Whether a fold waits for the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// A fold begins when the one before it has left the array.
    #[default]
    None,
    /// The next fold's stationary operand goes into shadow registers while this fold runs (WS, IS), or this fold's sums
    /// leave while the next fold runs (OS): folds follow each other without a gap where the stream is long enough.
    DoubleBuffered,
}

/// How the stationary operand of a weight- or input-stationary fold is shifted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Load {
    /// All columns at once, a row per cycle.
    Rows,
    /// Column j begins j cycles after column 0, as the wave does.
    Diagonal,
}

/// How the sums of an output-stationary fold leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Drain {
    /// Each PE is read where it is, in the cycle of its last multiply-accumulate; no cycle is counted for it.
    #[default]
    InPlace,
    /// The sums shift south, a row per cycle, and leave through the south edge.
    South,
}

/// Which folds follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FoldOrder {
    /// Along the axis on the rows first: partial sums of one element of C follow each other (WS, IS).
    #[default]
    Rows,
    /// Along the axis on the columns first.
    Cols,
}

/// The registers inside a PE and between PEs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pipeline {
    /// Whether the product is latched before it is added: a sum is complete one cycle later.
    pub product_register: bool,
    /// Whether what flows south (sums of WS and IS, B of OS) passes two registers per row instead of one: the skew is
    /// two cycles per row.
    pub two_registers_south: bool,
}

/// How many elements an edge can take in or give out: `elements` in every `cycles` cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rate {
    elements: u32,
    cycles: u32,
}

/// The rates of the edges; an edge without one keeps up with the array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ports {
    /// Streamed operands.
    pub west: Option<Rate>,
    /// The stationary operand, or B of an output-stationary run.
    pub north: Option<Rate>,
    /// Sums.
    pub south: Option<Rate>,
}

/// How an array is built and fed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Design {
    /// Whether a fold waits for the one before it.
    pub overlap: Overlap,
    /// How the stationary operand is shifted in; `None` means by rows, or diagonally when it is double-buffered.
    pub load: Option<Load>,
    /// How the sums of an output-stationary fold leave.
    pub drain: Drain,
    /// Which folds follow each other.
    pub order: FoldOrder,
    /// The registers.
    pub pipeline: Pipeline,
    /// How fast the edges are.
    pub ports: Ports,
}

crate::named! {
    Overlap {
        None => "none",
        DoubleBuffered => "double-buffered",
    }
}

crate::named! {
    Load {
        Rows => "rows",
        Diagonal => "diagonal",
    }
}

crate::named! {
    Drain {
        InPlace => "in-place",
        South => "south",
    }
}

impl Rate {
    /// Largest number of elements and of cycles.
    pub const MAX: u32 = 65_536;

    /// `elements` in every `cycles` cycles; `None` when one is 0 or above [`Rate::MAX`].
    #[must_use]
    pub const fn new(elements: u32, cycles: u32) -> Option<Self> {
        if elements == 0 || cycles == 0 || elements > Self::MAX || cycles > Self::MAX {
            return None;
        }
        Some(Self { elements, cycles })
    }

    /// Elements in [`Rate::cycles`] cycles.
    #[must_use]
    pub const fn elements(self) -> u32 {
        self.elements
    }

    /// The cycles that [`Rate::elements`] take.
    #[must_use]
    pub const fn cycles(self) -> u32 {
        self.cycles
    }
}

impl Ports {
    /// The rate of an edge.
    #[must_use]
    pub const fn rate(self, edge: Edge) -> Option<Rate> {
        match edge {
            Edge::West => self.west,
            Edge::North => self.north,
            Edge::South => self.south,
        }
    }
}

impl Design {
    /// How the stationary operand is shifted in.
    #[must_use]
    pub fn load(self) -> Load {
        self.load.unwrap_or(match self.overlap {
            Overlap::None => Load::Rows,
            Overlap::DoubleBuffered => Load::Diagonal,
        })
    }
}
