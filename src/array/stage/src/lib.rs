//! Pictures of a run at one cycle, as data: the array with A, B and C, the timeline, and the map of the folds.
//!
//! The page, files and tests use the same pictures. The level of detail depends on the size of a cell on the screen,
//! never on the size of the array.
//!
//! ```
//! use display::Picture;
//! use stage::Frame;
//! use studio::{Link, Plan};
//! use systolic::Cycle;
//!
//! let plan = Plan::new(&Link::parse("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", "").scenario).expect("it can run");
//! let mut picture = Picture::default();
//! stage::draw(&Frame::new(&plan, Cycle(7)), 640.0, 480.0, &mut picture);
//! assert!(!picture.marks.is_empty());
//! ```
//!
//! # Rules
//!
//! - No text leaves the picture, touches other text, is partly covered, or is wider than the shape behind it. A test
//!   checks this rule in views of every size. A value has as many digits as fit, and the caption has all of them.
//! - [`Scene`] is the geometry of a frame: it divides the view into the array and the matrices, and the array has
//!   priority. It is computed once. Painters only paint.
//! - The content of a large matrix is a layer ([`fields`]), because the first screen has no large matrix. A layer is a
//!   function that the page names, or that a part of the page names once this part is loaded ([`layers`]).
//! - A token is a part of a picture with an identity. [`tween`] moves tokens between two cycles.
//! - Other drawings can take the place of the array ([`drawings`]). A dataflow that a person builds has its own picture
//!   ([`flow`]).
//! - A lesson highlights parts of the view ([`focus`]). A mark belongs to the part in which it is drawn.
//! - A frame adds a bounded number of terms ([`Work`]), whatever a link asks for.

pub mod broken;
mod cells;
pub mod channel;
pub mod class;
mod detail;
pub mod drawings;
mod edges;
pub mod fields;
pub mod filter;
pub mod flow;
pub mod focus;
pub mod fold_map;
pub mod geometry;
pub mod inside;
pub mod layers;
pub mod marks;
mod matrices;
pub mod pointing;
pub mod states;
pub mod timeline;
pub mod trace;
pub mod tween;
pub mod ways;
mod work;
pub mod zoom;

pub(crate) use cells::{GLYPH, TEXT_MIN};
pub use detail::Detail;
pub use filter::Filter;
pub use geometry::{Layout, Scene};
pub use work::{Progress, Work};
pub(crate) use work::{SumSet, all_sums};
pub use zoom::Zoom;

use core::cell::RefCell;
use core::ops::Range;
use display::Picture;
use std::rc::Rc;
use studio::defect::BrokenMachine;
use studio::{Built, Plan, PointedValue};
use systolic::{CarriedSums, Cycle, PeId};

/// The content of a picture: the run, the clock edge, and display options.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The run.
    pub plan: &'a Plan,
    /// The clock edge.
    pub cycle: Cycle,
    /// The PE that the caption describes.
    pub selected: Option<PeId>,
    /// The value that the user points at.
    pub spot: Option<PointedValue>,
    /// Shapes that are switched off, and parts that are highlighted.
    pub filter: Filter,
    /// The array with a fault, which is drawn instead of the fault-free array.
    pub broken: Option<&'a BrokenMachine>,
    /// Magnification of the array.
    pub zoom: Zoom,
    /// The class of PE-cycles that is highlighted.
    pub class: Option<systolic::Slot>,
    /// The run in a second picture of the same size, next to this picture. Both pictures have an equal level of detail:
    /// the lower level of the two runs.
    pub beside: Option<&'a Plan>,
    /// The run before some settings changed. PE-cycles, traffic and roofline show both runs on one scale.
    pub before: Option<&'a Plan>,
    /// Function that draws the states of PEs if the picture is on a wall. Such a picture has only the array, as large
    /// as the view and without names.
    pub wall: Option<Layer>,
    /// Layer that shows a number for each PE instead of its activity.
    pub channel: Option<Layer>,
    /// Function that draws the run in place of the array. A page contains only the code of the functions that it names.
    pub instead: Option<drawings::Instead>,
    /// The dataflow that a person builds. The function in `instead` draws it.
    pub built: Option<Built>,
    /// Layers over the array. A page contains only the code of the layers that it names.
    pub layers: &'a [Layer],
    /// Sums from previous frames, to which this frame adds more terms. With `None`, this frame adds all terms, without
    /// a limit.
    pub work: Option<&'a RefCell<Work>>,
}

/// Rows and columns of a block of PEs.
pub(crate) type PeBlock = (Range<u32>, Range<u32>);

/// A function that draws something over the array.
pub type Layer = fn(&Frame<'_>, &Scene, &mut Picture);

impl<'a> Frame<'a> {
    /// Makes a frame of a run at a clock edge, with default options.
    #[must_use]
    pub fn new(plan: &'a Plan, cycle: Cycle) -> Self {
        Self {
            plan,
            cycle,
            selected: None,
            spot: None,
            filter: Filter::default(),
            broken: None,
            zoom: Zoom::default(),
            class: None,
            beside: None,
            before: None,
            wall: None,
            channel: None,
            instead: None,
            built: None,
            layers: &[],
            work: None,
        }
    }
}

/// Draws the array view into a picture of this size.
pub fn draw(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    if let Some(draw) = frame.instead {
        draw(frame, width, height, picture);
        return;
    }
    if let Some(work) = frame.work {
        work.borrow_mut().begin(frame.plan, frame.cycle, (width, height));
    }
    let scene = frame.scene(width, height).zoomed(frame.zoom, width, height);
    let layout = &scene.layout;
    edges::draw_wires(frame, &scene, picture);
    matrices::draw(frame, &scene, picture);
    let wall = frame.wall.filter(|_| frame.broken.is_none() && layout.detail >= Detail::Block);
    match (layout.detail, wall) {
        (Detail::Block | Detail::Glyph | Detail::Value, Some(draw)) => draw(frame, &scene, picture),
        (Detail::Pixel | Detail::Block, _) => cells::draw_blocks(frame, layout, picture),
        (Detail::Glyph, _) => cells::draw_glyphs(frame, layout, picture),
        (Detail::Value, _) => cells::draw_values(frame, layout, SumSet::Stage, picture),
        (Detail::Compact | Detail::Registers | Detail::Tagged, _) => {
            // Around an array with a fault, the operands of the fault-free array would be wrong.
            if frame.broken.is_none() {
                edges::draw_links(frame, layout, picture);
            }
            cells::draw_registers(frame, layout, picture);
            edges::draw_feeders(frame, layout, picture);
        }
    }
    if wall.is_none() {
        edges::draw_skew(frame, layout, picture);
    }
    if let Some(channel) = frame.channel {
        channel(frame, &scene, picture);
    }
    if !frame.is_wall() || !frame.zoom.is_whole() {
        edges::draw_names(frame, layout, picture);
        edges::draw_padding(frame, layout, picture);
    }
    if let Some(pe) = frame.event_pe() {
        cells::ring(layout, pe, &[EVENT_RING], picture);
    }
    if let Some(pe) = frame.selected {
        cells::ring(layout, pe, &PRESSED_RING, picture);
        if frame.broken.is_none() {
            matrices::ring_elements(frame, &scene, pe, picture);
        }
    }
    for layer in frame.layers {
        layer(frame, &scene, picture);
    }
}

/// Distance and width of the line around the PE of an event.
const EVENT_RING: (f32, f32) = (4.0, 2.5);
/// Distances and widths of the two lines around a PE that a person chose.
const PRESSED_RING: [(f32, f32); 2] = [(3.0, 1.3), (6.5, 1.3)];

impl<'a> Frame<'a> {
    /// Returns the PE of the cycle's event, if no PE or value is chosen and the array has no fault.
    fn event_pe(&self) -> Option<PeId> {
        let is_free = self.selected.is_none() && self.spot.is_none();
        (is_free && self.broken.is_none() && self.channel.is_none())
            .then(|| words::caption::event_pe(self.plan, self.cycle))
            .flatten()
    }

    /// True if the picture is on a wall.
    fn is_wall(&self) -> bool {
        self.wall.is_some()
    }

    /// Returns the division of a picture of this size into the array and the matrices.
    #[must_use]
    pub fn scene(&self, width: f32, height: f32) -> Scene {
        Scene::view(self.plan, self.beside, (width, height), self.is_wall())
    }

    /// Returns the sums of a block of PEs.
    pub(crate) fn sums(&self, set: SumSet, block: PeBlock) -> Rc<CarriedSums> {
        let of_frame = self.work.and_then(|work| work.borrow_mut().sums(self.plan, set, block.clone(), false));
        of_frame.unwrap_or_else(|| all_sums(self.plan, self.cycle, set, block))
    }

    /// Returns the sums of a block of PEs for a channel; `None` if the sums are not ready or need too many terms.
    pub(crate) fn sums_within(&self, set: SumSet, block: PeBlock) -> Option<Rc<CarriedSums>> {
        match self.work {
            Some(work) => work.borrow_mut().sums(self.plan, set, block, true),
            None => Some(all_sums(self.plan, self.cycle, set, block)),
        }
    }
}
