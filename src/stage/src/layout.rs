//! The layout of the array view: positions and sizes for the available space, and the PE at a point.

use super::margins::{Margins, WEST_PITCH_MAX};
use super::{PeBlock, Scene};
use display::picture::{Rect, between, px};
use studio::Plan;
use systolic::PeId;

/// Level of detail of a cell.
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

/// Positions and sizes of the array, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// Level of detail of a cell.
    pub detail: Detail,
    /// Rows of the array.
    pub rows: u32,
    /// Columns of the array.
    pub cols: u32,
    /// Left edge of column 0.
    pub left: f32,
    /// Top edge of row 0.
    pub top: f32,
    /// Side of a cell.
    pub cell: f32,
    /// Distance from the start of a cell to the start of the next cell.
    pub pitch: f32,
    /// Skew registers and waiting operands of the west edge.
    pub west: Edge,
    /// Skew registers and waiting operands of the north edge.
    pub north: Edge,
    /// The first visible PE, and the row and column after the last visible PE.
    pub seen: (PeId, PeId),
}

/// Skew registers at an edge of the array, and operands that wait in front of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Largest number of tokens drawn in front of a lane; 0 if registers have no space for a value.
    pub tokens: u32,
    /// Distance from one register of a lane to the next register, in pixels.
    pub pitch: f32,
    /// Distance from the array to the nearest register, in pixels.
    pub lead: f32,
}

/// Magnification of the array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// Size of a cell ÷ size of a cell when the whole array fits in the view; at least 1.
    pub scale: f32,
    /// Point of the array in the middle of the view, as shares of the array's width and height.
    pub middle: (f32, f32),
}

impl Default for Zoom {
    fn default() -> Self {
        Self { scale: 1.0, middle: (0.5, 0.5) }
    }
}

impl Zoom {
    /// True if the array is not magnified, so that the whole array is visible.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.scale <= 1.0
    }

    /// Returns the zoom at which the array fills three fifths of the width or the height of a view. `whole` is the layout
    /// in which the whole array fits.
    #[must_use]
    pub fn filling(whole: &Layout, width: f32, height: f32) -> Self {
        let array = whole.array();
        let scale = 0.6 * (width / array.w.max(1.0)).min(height / array.h.max(1.0));
        // More labels are above the array than below it.
        Self { scale: scale.max(1.0), ..Self::default() }.at((0.5, 0.44))
    }

    /// Zooms by a factor. The part of the array at the given point stays in place. `whole` is the layout in which the
    /// whole array fits.
    #[must_use]
    pub fn by(self, factor: f32, (x, y): (f32, f32), whole: &Layout, width: f32, height: f32) -> Self {
        let most = (CELL_MAX / whole.cell).max(1.0);
        let scale = between(self.scale * factor, 1.0, most);
        let before = whole.zoomed(self, width, height).array();
        let place = ((x - before.x) / before.w, (y - before.y) / before.h);
        let after = whole.zoomed(Self { scale, ..self }, width, height).array();
        let middle = (place.0 + (width / 2.0 - x) / after.w.max(1.0), place.1 + (height / 2.0 - y) / after.h.max(1.0));
        Self { scale, ..self }.at(middle)
    }

    /// Moves a point of the array to the middle of the view.
    #[must_use]
    pub fn at(self, (x, y): (f32, f32)) -> Self {
        if self.is_whole() {
            return Self::default();
        }
        Self { middle: (between(x, 0.0, 1.0), between(y, 0.0, 1.0)), ..self }
    }

    /// Moves the array by this many pixels, so that the dragged point stays under the pointer.
    #[must_use]
    pub fn dragged(self, (dx, dy): (f32, f32), shown: &Layout) -> Self {
        let array = shown.array();
        let (x, y) = self.middle;
        self.at((x - dx / array.w.max(1.0), y - dy / array.h.max(1.0)))
    }
}

/// Smallest cell for each level of detail, from [`Detail::Block`] on.
const SMALLEST: [(f32, Detail); 6] = [
    (96.0, Detail::Tagged),
    (52.0, Detail::Registers),
    (33.0, Detail::Compact),
    (26.0, Detail::Value),
    (14.0, Detail::Glyph),
    (6.0, Detail::Block),
];

/// Largest cell; an even larger cell would only look coarse.
pub(super) const CELL_MAX: f32 = 156.0;

impl Detail {
    /// Returns the level of detail of a cell with this side.
    pub(super) fn of(cell: f32) -> Self {
        SMALLEST.iter().find(|(least, _)| cell >= *least).map_or(Self::Pixel, |(_, detail)| *detail)
    }

    /// Returns the largest cell with at most this level of detail.
    pub(super) fn largest_cell(self) -> f32 {
        SMALLEST.iter().rev().find(|(_, detail)| *detail > self).map_or(CELL_MAX, |(least, _)| least - 1.0)
    }
}

impl Layout {
    /// Lays out the array in a view of this size, next to the matrices that fit.
    #[must_use]
    pub fn new(plan: &Plan, width: f32, height: f32) -> Self {
        Scene::new(plan, width, height).layout
    }

    /// Returns the least height of a view of this width in which every PE shows as many registers as it can at this
    /// width. `None` if the width leaves no room for a value in a PE.
    ///
    /// ```
    /// let plan = studio::Plan::default();
    /// let least = stage::Layout::least_height(&plan, 600.0).unwrap();
    /// assert!(stage::Layout::new(&plan, 600.0, least).detail >= stage::Detail::Registers);
    /// assert_eq!(stage::Layout::least_height(&plan, 60.0), None);
    /// ```
    #[must_use]
    pub fn least_height(plan: &Plan, width: f32) -> Option<f32> {
        const STEP: u16 = 10;
        const MOST: u16 = 1000;
        let detail = |height: u16| Self::new(plan, width, f32::from(height)).detail;
        let wanted = detail(MOST).min(Detail::Registers);
        let heights = (STEP..=MOST).step_by(STEP.into());
        heights.filter(|_| wanted >= Detail::Value).find(|height| detail(*height) >= wanted).map(f32::from)
    }

    /// Places the array with its first PE at a point.
    pub(super) fn at(plan: &Plan, (cell, detail): (f32, Detail), margins: &Margins, (left, top): (f32, f32)) -> Self {
        let array = plan.schedule().array();
        let (rows, cols) = (array.rows(), array.cols());
        Self {
            detail,
            rows,
            cols,
            left: left.round(),
            top: top.round(),
            cell,
            pitch: cell + margins.gap,
            west: margins.west_edge,
            north: margins.north_edge,
            seen: (PeId::new(0, 0), PeId::new(rows, cols)),
        }
    }

    /// Returns the layout of the same array with a zoom.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the array")]
    pub fn zoomed(&self, zoom: Zoom, width: f32, height: f32) -> Self {
        if zoom.is_whole() {
            return *self;
        }
        let cell = (self.cell * zoom.scale).min(self.cell.max(CELL_MAX));
        let detail = Detail::of(cell);
        // A magnified array shows only the registers next to it.
        let edge = |edge: Edge, tokens: u32, pitch: f32| {
            let tokens = if detail >= Detail::Compact { tokens } else { 0 };
            Edge { tokens, pitch: edge.pitch.max(pitch).min(WEST_PITCH_MAX), lead: super::margins::lead(cell, detail) }
        };
        let n_north = if self.north.tokens > 1 { 2 } else { 1 };
        let west = edge(self.west, 3, super::margins::MAGNIFIED_PITCH);
        let north = Edge { pitch: super::margins::north_pitch(cell), ..edge(self.north, n_north, 0.0) };
        let mut zoomed = Self { detail, cell, pitch: cell + super::margins::gap(cell, detail), west, north, ..*self };
        let array = zoomed.array();
        zoomed.left = (width / 2.0 - zoom.middle.0 * array.w).round();
        zoomed.top = (height / 2.0 - zoom.middle.1 * array.h).round();
        let place = |at: f32, all: u32| between(at / zoomed.pitch, 0.0, px(all)) as u32;
        let first = PeId::new(place(-zoomed.top, self.rows), place(-zoomed.left, self.cols));
        let last = |at: f32, all: u32| (place(at, all) + 1).min(all);
        zoomed.seen = (first, PeId::new(last(height - zoomed.top, self.rows), last(width - zoomed.left, self.cols)));
        zoomed
    }

    /// Returns the visible rows.
    #[must_use]
    pub const fn rows_seen(&self) -> core::ops::Range<u32> {
        self.seen.0.row..self.seen.1.row
    }

    /// Returns the visible columns.
    #[must_use]
    pub const fn cols_seen(&self) -> core::ops::Range<u32> {
        self.seen.0.col..self.seen.1.col
    }

    /// Returns the visible rows and columns.
    pub(crate) const fn block(&self) -> PeBlock {
        (self.rows_seen(), self.cols_seen())
    }

    /// Iterates over the visible PEs, row by row.
    pub fn pes(&self) -> impl Iterator<Item = PeId> + use<> {
        let cols = self.cols_seen();
        self.rows_seen().flat_map(move |row| cols.clone().map(move |col| PeId::new(row, col)))
    }

    /// Returns the rectangle of a PE.
    #[must_use]
    pub fn cell_of(&self, pe: PeId) -> Rect {
        let x = self.left + px(pe.col) * self.pitch;
        let y = self.top + px(pe.row) * self.pitch;
        Rect::new(x, y, self.cell, self.cell)
    }

    /// Returns the rectangle around a block of PEs; the ends of both ranges are exclusive.
    #[must_use]
    pub fn block_of(&self, rows: core::ops::Range<u32>, cols: core::ops::Range<u32>) -> Rect {
        let first = self.cell_of(PeId::new(rows.start, cols.start));
        let span = |n: u32| px(n.saturating_sub(1)) * self.pitch + self.cell;
        Rect::new(first.x, first.y, span(cols.end - cols.start), span(rows.end - rows.start))
    }

    /// Returns the rectangle around the whole array.
    #[must_use]
    pub fn array(&self) -> Rect {
        self.block_of(0..self.rows, 0..self.cols)
    }

    /// Returns the PE at a point; a gap belongs to the PE west or north of the gap.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to lie inside the array")]
    pub fn hit(&self, x: f32, y: f32) -> Option<PeId> {
        let (col, row) = ((x - self.left) / self.pitch, (y - self.top) / self.pitch);
        let inside = |place: f32, n: u32| place >= 0.0 && place < px(n);
        (inside(col, self.cols) && inside(row, self.rows)).then(|| PeId::new(row as u32, col as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use studio::Link;
    use systolic::Dataflow;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(rows: u64, cols: u64, dataflow: Dataflow) -> Plan {
        let query = format!("rows={rows}&cols={cols}&m=8&k=8&n=8&df={}&dt=int8", dataflow.id());
        Plan::new(&Link::parse(&query, "").scenario).expect("in range")
    }

    #[test]
    fn the_center_of_a_pe_hits_that_pe_in_every_layout() {
        let config = proptest::test_runner::Config { cases: 500, failure_persistence: None, ..Default::default() };
        let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[5; 32]);
        let shapes = (1u64..1025, 1u64..1025, 40f32..2000.0, 40f32..1200.0, 0usize..3, any::<u32>(), any::<u32>());
        proptest::test_runner::TestRunner::new_with_rng(config, rng)
            .run(&shapes, |(rows, cols, width, height, dataflow, row, col)| {
                let layout = Layout::new(&plan(rows, cols, Dataflow::ALL[dataflow]), width, height);
                prop_assert!(layout.cell > 0.0, "{layout:?}");
                let pe = PeId::new(row % layout.rows, col % layout.cols);
                let (x, y) = layout.cell_of(pe).center();
                prop_assert_eq!(layout.hit(x, y), Some(pe));
                let array = layout.array();
                prop_assert!(array.x >= -1.0 && array.y >= -1.0, "{layout:?}");
                prop_assert!(array.x + array.w <= width + 1.0 && array.y + array.h <= height + 1.0, "{layout:?}");
                Ok(())
            })
            .expect("hit is the inverse of place");
    }

    #[test]
    fn zooming_keeps_the_place_under_the_pointer_and_every_seen_pe_is_hit() {
        let config = proptest::test_runner::Config { cases: 500, failure_persistence: None, ..Default::default() };
        let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[6; 32]);
        let shapes = (
            1u64..1025,
            1u64..1025,
            200f32..2000.0,
            200f32..1200.0,
            0.2f32..0.8,
            0.2f32..0.8,
            1.0f32..40.0,
            any::<u64>(),
        );
        proptest::test_runner::TestRunner::new_with_rng(config, rng)
            .run(&shapes, |(rows, cols, width, height, x, y, factor, pick)| {
                let whole = Layout::new(&plan(rows, cols, Dataflow::WeightStationary), width, height);
                let array = whole.array();
                let point = (array.x + x * array.w, array.y + y * array.h);
                let first = Zoom::default().by(factor, point, &whole, width, height);
                let zoom = first.by(1.3, point, &whole, width, height);
                let (a, b) = (whole.zoomed(first, width, height).array(), whole.zoomed(zoom, width, height).array());
                let place = |array: Rect| ((point.0 - array.x) / array.w, (point.1 - array.y) / array.h);
                let inside = |zoom: Zoom| {
                    zoom.middle.0 > 0.0 && zoom.middle.0 < 1.0 && zoom.middle.1 > 0.0 && zoom.middle.1 < 1.0
                };
                if inside(first) && inside(zoom) {
                    let off = (place(a).0 - place(b).0).abs().max((place(a).1 - place(b).1).abs());
                    // A pixel of rounding on either side.
                    prop_assert!(off <= 2.0 / a.w.min(a.h), "{off} {first:?} {zoom:?}");
                }
                let layout = whole.zoomed(zoom, width, height);
                prop_assert!(layout.cell <= 156.0 + 1e-3 || layout.cell <= whole.cell, "{layout:?}");
                let seen: Vec<PeId> = layout.pes().collect();
                prop_assert!(!seen.is_empty());
                let pe = seen[usize::try_from(pick % seen.len() as u64).expect("small")];
                let (x, y) = layout.cell_of(pe).center();
                prop_assert_eq!(layout.hit(x, y), Some(pe));
                // PEs that are not in the list are outside the view.
                for pe in [PeId::new(0, 0), PeId::new(layout.rows - 1, layout.cols - 1)] {
                    let rect = layout.cell_of(pe);
                    let out = rect.x > width || rect.y > height || rect.x + rect.w < 0.0 || rect.y + rect.h < 0.0;
                    prop_assert!(out || seen.contains(&pe), "{pe:?} {layout:?}");
                }
                Ok(())
            })
            .expect("zooming is sound");
    }

    #[test]
    fn detail_follows_the_size_of_a_cell() {
        let detail =
            |side: u64, room: f32| Layout::new(&plan(side, side, Dataflow::WeightStationary), room, room).detail;
        assert_eq!(detail(4, 800.0), Detail::Tagged);
        assert_eq!(detail(4, 500.0), Detail::Registers);
        assert_eq!(detail(8, 620.0), Detail::Compact);
        assert_eq!(detail(8, 390.0), Detail::Value);
        assert_eq!(detail(16, 480.0), Detail::Glyph);
        assert_eq!(detail(64, 800.0), Detail::Block);
        assert_eq!(detail(256, 800.0), Detail::Pixel);
    }
}
