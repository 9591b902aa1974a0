//! The layout of the array view: positions and sizes for the available space, and the PE at a point.

use super::cells::THREE_MIN;
use super::{PeBlock, Scene};
use display::picture::{Rect, between, px};
use systolic::{Hold, PeId, Schedule};

/// Level of detail of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// A block of color, below 6 px.
    Pixel,
    /// A block of color with outlined fronts, below 14 px.
    Block,
    /// A state glyph, below 26 px.
    Glyph,
    /// One short value, below 33 px.
    Value,
    /// The moving operand, the sum, and a corner for the stationary operand, below 52 px.
    Compact,
    /// The registers, below 96 px.
    Registers,
    /// The registers with the product and their places in the matrices.
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
    /// Space west of the array, in cells.
    pub west: f32,
    /// Number of operands drawn in front of each lane of the west edge.
    pub queue: u32,
    /// Number of operands drawn above each lane of the north edge.
    pub stack: u32,
    /// The first visible PE, and the row and column after the last visible PE.
    pub seen: (PeId, PeId),
}

/// Magnification of the array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// Size of a cell, divided by its size when the whole array fits; at least 1.
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
    /// True if the array is not magnified, so that all of it is visible.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.scale <= 1.0
    }

    /// Zooms by a factor while the part of the array under a point stays there. `whole` is the layout in which the
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

/// Space around the array and the gap between cells, both in cells.
struct Furniture {
    west: f32,
    north: f32,
    south: f32,
    east: f32,
    gap: f32,
    queue: u32,
    stack: u32,
}

/// Smallest cell for [`Detail::Compact`]; the next two constants are for [`Detail::Registers`] and [`Detail::Tagged`].
const COMPACT_MIN: f32 = 33.0;
const REGISTERS_MIN: f32 = 52.0;
const TAGGED_MIN: f32 = 96.0;

/// Largest cell, because a single larger PE would only look coarse.
const CELL_MAX: f32 = 156.0;

impl Layout {
    /// Lays out the array in a view of this size, next to the matrices that fit.
    #[must_use]
    pub fn new(schedule: &Schedule, width: f32, height: f32) -> Self {
        Scene::new(schedule, width, height).layout
    }

    /// Lays out the array in a part of the view, with at most the detail `most`.
    pub(super) fn within(schedule: &Schedule, room: Rect, most: Detail) -> Self {
        let layout = Self::of_size(schedule, room.w, room.h, most);
        Self { left: layout.left + room.x.round(), top: layout.top + room.y.round(), ..layout }
    }

    fn of_size(schedule: &Schedule, width: f32, height: f32, most: Detail) -> Self {
        let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
        let (width, height) = (width.max(40.0), height.max(40.0));
        let fits = |furniture: &Furniture, (beside, above): (f32, f32)| {
            let across = furniture.west + furniture.east + px(cols) + px(cols - 1) * furniture.gap;
            let down = furniture.north + furniture.south + px(rows) + px(rows - 1) * furniture.gap;
            let room = |side: f32, margin: f32| (side - margin).max(8.0);
            (room(width, beside) / across).min(room(height, above) / down).min(CELL_MAX)
        };
        // B's registers in the north need as much space as the registers in the west. Rows to be loaded wait in B.
        let (tall, stack) = if schedule.dataflow().hold() == Hold::Result { (1.15, 2) } else { (0.72, 1) };
        let wide = Furniture { west: 1.7, north: tall, south: 0.62, east: 0.22, gap: 0.17, queue: 3, stack };
        let narrow = Furniture { west: 0.86, north: tall, south: 0.62, east: 0.1, gap: 0.1, queue: 1, stack };
        for furniture in [wide, narrow] {
            // The numbers of the columns are above everything else.
            let cell = fits(&furniture, (8.0, 20.0));
            if cell >= REGISTERS_MIN && most >= Detail::Registers {
                let detail = if cell >= TAGGED_MIN { Detail::Tagged } else { Detail::Registers };
                return Self::place(detail.min(most), schedule, (width, height), cell, &furniture);
            }
        }
        let compact = Furniture { west: 1.95, north: 0.75, south: 0.66, east: 0.1, gap: 0.14, queue: 2, stack: 1 };
        let close = Furniture { gap: 0.1, ..compact };
        let [cell, closer] = [&compact, &close].map(|furniture| fits(furniture, (8.0, 20.0)).min(REGISTERS_MIN));
        // A smaller gap between PEs may give the cells one more line.
        let is_closer = cell < THREE_MIN && closer >= THREE_MIN;
        let (cell, furniture) = if is_closer { (closer, &close) } else { (cell, &compact) };
        if cell >= COMPACT_MIN && most >= Detail::Compact {
            return Self::place(Detail::Compact, schedule, (width, height), cell, furniture);
        }
        let bare = |gap: f32| Furniture { west: 0.0, north: 0.0, south: 0.0, east: 0.0, gap, queue: 0, stack: 0 };
        // The rims keep a margin for the numbers of rows and columns.
        let margin = (super::edges::names(schedule) + 8.0, 64.0);
        let cell = fits(&bare(0.08), margin);
        if cell >= 26.0 && most >= Detail::Value {
            return Self::place(Detail::Value, schedule, (width, height), cell.min(REGISTERS_MIN), &bare(0.08));
        }
        if cell >= 14.0 && most >= Detail::Glyph {
            return Self::place(Detail::Glyph, schedule, (width, height), cell.min(REGISTERS_MIN), &bare(0.08));
        }
        let exact = fits(&bare(0.0), margin).min(REGISTERS_MIN);
        // The picture ends at a whole pixel.
        let longest = px(rows.max(cols));
        let cell = ((exact * longest).floor() / longest).max(exact * 0.9);
        let detail = if cell >= 6.0 { Detail::Block.min(most) } else { Detail::Pixel };
        Self::place(detail, schedule, (width, height), cell, &bare(0.0))
    }

    fn place(
        detail: Detail,
        schedule: &Schedule,
        (width, height): (f32, f32),
        cell: f32,
        furniture: &Furniture,
    ) -> Self {
        let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
        let pitch = cell * (1.0 + furniture.gap);
        let across = cell * (furniture.west + furniture.east) + px(cols - 1) * pitch + cell;
        let down = cell * (furniture.north + furniture.south) + px(rows - 1) * pitch + cell;
        let west = if furniture.queue > 0 { 0.0 } else { super::edges::names(schedule) };
        Self {
            detail,
            rows,
            cols,
            left: ((width - across) / 2.0 + cell * furniture.west).max(west.min(width - across)).round(),
            top: ((height - down) / 2.0 + cell * furniture.north).round(),
            cell,
            pitch,
            west: furniture.west,
            queue: furniture.queue,
            stack: furniture.stack,
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
        let (detail, gap) = match cell {
            cell if cell >= TAGGED_MIN => (Detail::Tagged, 0.17),
            cell if cell >= REGISTERS_MIN => (Detail::Registers, 0.17),
            cell if cell >= COMPACT_MIN => (Detail::Compact, 0.14),
            cell if cell >= 26.0 => (Detail::Value, 0.08),
            cell if cell >= 14.0 => (Detail::Glyph, 0.08),
            cell if cell >= 6.0 => (Detail::Block, 0.0),
            _ => (Detail::Pixel, 0.0),
        };
        let (west, queue, stack) = match detail {
            Detail::Tagged | Detail::Registers => (1.7, 3, if self.stack > 1 { 2 } else { 1 }),
            Detail::Compact => (1.95, 2, 1),
            _ => (0.0, 0, 0),
        };
        let mut zoomed = Self { detail, cell, pitch: cell * (1.0 + gap), west, queue, stack, ..*self };
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

    /// Returns the PE at a point; a gap belongs to the PE in its west or north.
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
    use systolic::{ArrayShape, Dataflow, Gemm, Padding};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn schedule(rows: u64, cols: u64, dataflow: Dataflow) -> Schedule {
        let gemm = Gemm::new(8, 8, 8).expect("in range");
        let array = ArrayShape::new(rows, cols).expect("in range");
        Schedule::new(gemm, array, dataflow, Padding::Ragged).expect("in range")
    }

    #[test]
    fn the_center_of_a_pe_hits_that_pe_in_every_layout() {
        let config = proptest::test_runner::Config { cases: 500, failure_persistence: None, ..Default::default() };
        let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[5; 32]);
        let shapes = (1u64..1025, 1u64..1025, 40f32..2000.0, 40f32..1200.0, 0usize..3, any::<u32>(), any::<u32>());
        proptest::test_runner::TestRunner::new_with_rng(config, rng)
            .run(&shapes, |(rows, cols, width, height, dataflow, row, col)| {
                let layout = Layout::new(&schedule(rows, cols, Dataflow::ALL[dataflow]), width, height);
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
                let whole = Layout::new(&schedule(rows, cols, Dataflow::WeightStationary), width, height);
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
            |side: u64, room: f32| Layout::new(&schedule(side, side, Dataflow::WeightStationary), room, room).detail;
        assert_eq!(detail(4, 800.0), Detail::Tagged);
        assert_eq!(detail(4, 500.0), Detail::Registers);
        assert_eq!(detail(8, 620.0), Detail::Compact);
        assert_eq!(detail(8, 390.0), Detail::Value);
        assert_eq!(detail(16, 480.0), Detail::Glyph);
        assert_eq!(detail(64, 800.0), Detail::Block);
        assert_eq!(detail(256, 800.0), Detail::Pixel);
    }
}
