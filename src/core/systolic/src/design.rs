//! Design of an array beyond its dataflow: the options in which published arrays differ.
//!
//! The default is SCALE-Sim's convention:
//!
//! - Folds run one after another.
//! - Weights are loaded row by row.
//! - Output-stationary sums are read in place.
//! - Each hop has one register. A PE multiplies and adds in one cycle.
//! - Each edge passes a whole vector in every cycle.

use crate::{Edge, KTiles};

/// Overlap of consecutive folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// No overlap: a fold begins when the previous fold has left the array.
    #[default]
    None,
    /// Double buffering: a fold overlaps with the next one.
    ///
    /// For WS and IS, the stationary operand of the next fold enters shadow registers while this fold runs. For OS, the
    /// sums of this fold leave while the next fold runs. If the stream is long enough, folds follow each other without
    /// a gap.
    DoubleBuffered,
}

/// Order in which the stationary operand of a weight- or input-stationary fold is shifted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Load {
    /// Row by row: all columns at once, a row per cycle.
    Rows,
    /// Diagonally: column j begins j cycles after column 0, in step with the wave.
    Diagonal,
}

/// Method by which the sums of an output-stationary fold leave the PEs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Drain {
    /// In-place read: each PE is read in the cycle of its last multiply-accumulate. Reading adds no cycles.
    #[default]
    InPlace,
    /// Shift to the south: sums leave through the south edge, a row per cycle.
    South,
}

/// Order in which folds run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FoldOrder {
    /// Folds along the row axis first: partial sums of one element of C follow each other (WS, IS).
    #[default]
    Rows,
    /// Folds along the column axis first.
    Cols,
}

/// Optional registers inside a PE and between PEs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pipeline {
    /// True if the product is latched before it is added. A sum is then complete one cycle later.
    pub product_register: bool,
    /// True if data that flows south (sums of WS and IS, B of OS) passes two registers per row instead of one. The skew
    /// is then two cycles per row.
    pub two_registers_south: bool,
}

/// Bandwidth of an edge: `elements` in every `cycles` cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rate {
    elements: u32,
    cycles: u32,
}

/// Bandwidths of the edges. An edge without a rate never slows the array down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ports {
    /// Rate of the west edge, for streamed operands.
    pub west: Option<Rate>,
    /// Rate of the north edge, for the stationary operand (WS, IS) or for B (OS).
    pub north: Option<Rate>,
    /// Rate of the south edge, for sums.
    pub south: Option<Rate>,
}

/// Design of an array beyond its dataflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Design {
    /// Overlap of consecutive folds.
    pub overlap: Overlap,
    /// Order in which the stationary operand is shifted in. `None` means row by row, or diagonally for a
    /// double-buffered array.
    pub load: Option<Load>,
    /// Method by which the sums of an output-stationary fold leave the PEs.
    pub drain: Drain,
    /// Order in which folds run.
    pub order: FoldOrder,
    /// Order in which the tiles of k run (WS, IS). An output-stationary run has all of k in each fold.
    pub k_tiles: KTiles,
    /// Optional registers.
    pub pipeline: Pipeline,
    /// Bandwidths of the edges.
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
    /// Maximum number of elements, and maximum number of cycles, in a rate.
    pub const MAX: u32 = 65_536;

    /// A rate of `elements` in every `cycles` cycles; `None` if either number is 0 or above [`Rate::MAX`].
    #[must_use]
    pub const fn new(elements: u32, cycles: u32) -> Option<Self> {
        if elements == 0 || cycles == 0 || elements > Self::MAX || cycles > Self::MAX {
            return None;
        }
        Some(Self { elements, cycles })
    }

    /// Elements that cross the edge in [`Rate::cycles`] cycles.
    #[must_use]
    pub const fn elements(self) -> u32 {
        self.elements
    }

    /// Cycles in which [`Rate::elements`] elements cross the edge.
    #[must_use]
    pub const fn cycles(self) -> u32 {
        self.cycles
    }
}

impl Ports {
    /// Rate of an edge; `None` if the edge never slows the array down.
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
    /// Load order in effect: the `load` field, or the default for this overlap.
    #[must_use]
    pub fn load(self) -> Load {
        self.load.unwrap_or(match self.overlap {
            Overlap::None => Load::Rows,
            Overlap::DoubleBuffered => Load::Diagonal,
        })
    }
}
