//! Level of detail of a cell, by its size on the screen.

/// Level of detail of a cell. The limits in pixels are sides of the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// A block of color, below 6 px.
    Pixel,
    /// A block of color with outlined fronts, below 14 px.
    Block,
    /// A glyph for the state of the PE, below 26 px.
    Glyph,
    /// One short value, below 33 px.
    Value,
    /// The moving operand, the sum, and a corner for the stationary operand, below 52 px.
    Compact,
    /// The registers, below 96 px.
    Registers,
    /// The registers, the product, and the places of the elements in the matrices.
    Tagged,
}

/// Smallest cell for each level of detail, from [`Detail::Block`] on.
const SMALLEST: [(f32, Detail); 6] = [
    (96.0, Detail::Tagged),
    (52.0, Detail::Registers),
    (33.0, Detail::Compact),
    (26.0, Detail::Value),
    (14.0, Detail::Glyph),
    (BLOCK_MIN, Detail::Block),
];
/// Smallest cell with [`Detail::Block`]. Smaller cells have no space between them.
pub(crate) const BLOCK_MIN: f32 = 6.0;

/// Largest cell; an even larger cell would only look coarse.
pub(crate) const CELL_MAX: f32 = 156.0;

impl Detail {
    /// Returns the level of detail of a cell with this side.
    pub(crate) fn for_cell(cell: f32) -> Self {
        SMALLEST.iter().find(|(least, _)| cell >= *least).map_or(Self::Pixel, |(_, detail)| *detail)
    }
}
