//! Zoom of the array view: the part of the array that fills the view, and the scene with this part.

use crate::detail::{CELL_MAX, Detail};
use crate::drawings::cube::Turn;
use crate::geometry::{self, Edge, Layout, Scene, WEST_PITCH_MAX};
use display::picture::{between, px};
use systolic::PeId;

/// Magnification of the array, and the direction from which the cube is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// Size of a cell ÷ size of a cell when the whole array fits in the view; at least 1.
    pub scale: f32,
    /// Point of the array in the middle of the view, as shares of the array's width and height.
    pub middle: (f32, f32),
    /// Rotation of the cube.
    pub turn: Turn,
}

impl Default for Zoom {
    fn default() -> Self {
        Self { scale: 1.0, middle: (0.5, 0.5), turn: Turn::default() }
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

impl Layout {
    /// Returns the layout of the same array with a zoom.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the array")]
    pub fn zoomed(&self, zoom: Zoom, width: f32, height: f32) -> Self {
        if zoom.is_whole() {
            return *self;
        }
        let cell = (self.cell * zoom.scale).min(self.cell.max(CELL_MAX));
        let detail = Detail::for_cell(cell);
        let gap = geometry::gap(cell, detail);
        // A magnified array shows only the registers next to it.
        let edge = |edge: Edge, tokens: u32, pitch: f32| {
            let tokens = if detail >= Detail::Compact { tokens } else { 0 };
            Edge { tokens, pitch: edge.pitch.max(pitch).min(WEST_PITCH_MAX), lead: gap + 4.0 }
        };
        let n_north = if self.north.tokens > 1 { 2 } else { 1 };
        let west = edge(self.west, 3, geometry::MAGNIFIED_PITCH);
        let north = Edge { pitch: geometry::north_pitch(cell), ..edge(self.north, n_north, 0.0) };
        let mut zoomed =
            Self { detail, cell, pitch: cell + gap, west, north, sizes: self.sizes.magnified(cell, detail), ..*self };
        let array = zoomed.array();
        zoomed.left = (width / 2.0 - zoom.middle.0 * array.w).round();
        zoomed.top = (height / 2.0 - zoom.middle.1 * array.h).round();
        let place = |at: f32, all: u32| between(at / zoomed.pitch, 0.0, px(all)) as u32;
        let first = PeId::new(place(-zoomed.top, self.rows), place(-zoomed.left, self.cols));
        let last = |at: f32, all: u32| (place(at, all) + 1).min(all);
        zoomed.seen = (first, PeId::new(last(height - zoomed.top, self.rows), last(width - zoomed.left, self.cols)));
        zoomed
    }
}

impl Scene {
    /// Returns the scene with a zoom. A magnified array has the whole view.
    #[must_use]
    pub fn zoomed(mut self, zoom: Zoom, width: f32, height: f32) -> Self {
        if !zoom.is_whole() {
            self.layout = self.layout.zoomed(zoom, width, height);
            self.places = [None; 3];
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use display::picture::Rect;
    use proptest::prelude::*;
    use studio::{Link, Plan};
    use systolic::Dataflow;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(rows: u64, cols: u64, dataflow: Dataflow) -> Plan {
        let query = format!("rows={rows}&cols={cols}&m=8&k=8&n=8&df={}&dt=int8", dataflow.id());
        Plan::new(&Link::parse(&query, "").scenario).expect("in range")
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
                    // Rounding may change the place by a pixel on either side.
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
}
