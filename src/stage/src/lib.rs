//! Pictures of a run at one cycle, as data: the array with A, B and C, the timeline, the map of the folds.
//!
//! The page, files and tests use the same pictures. The level of detail follows the size of a cell on the screen, never
//! the size of the array.
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
//! - [`Scene`] divides the view, and the array comes first.
//! - The content of a large matrix is a layer ([`fields`]), because the first screen has no large matrix. A layer is a
//!   function that the page names, or a part of the page once it is loaded ([`layers`]).
//! - A token is a part of a picture with an identity. [`tween`] moves tokens between two cycles.
//! - A lesson highlights parts of the view ([`focus`]). A mark belongs to the part in which it is drawn.
//! - A frame adds a bounded number of terms ([`Work`]), whatever a link asks for.

pub mod broken;
mod cells;
pub mod channel;
pub mod class;
mod edges;
pub mod fields;
pub mod filter;
pub mod focus;
pub mod fold_map;
mod heat;
pub mod layers;
pub mod layout;
pub mod marks;
mod matrices;
mod padding_labels;
pub mod pointing;
pub mod scene;
pub mod timeline;
pub mod trace;
pub mod tween;
mod values;
mod work;

pub(crate) use cells::{GLYPH, TEXT_MIN};
pub use filter::Filter;
pub use layout::{Detail, Layout, Zoom};
pub use scene::Scene;
pub use work::{Progress, Work};
pub(crate) use work::{SumSet, all_sums};

use core::cell::RefCell;
use core::ops::Range;
use display::Picture;
use std::rc::Rc;
use studio::defect::BrokenMachine;
use studio::{Plan, PointedValue};
use systolic::{CarriedSums, Cycle, PeId, Prober};

/// What is to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The run.
    pub plan: &'a Plan,
    /// The clock edge.
    pub cycle: Cycle,
    /// The PE of the caption.
    pub selected: Option<PeId>,
    /// The value that somebody points at.
    pub spot: Option<PointedValue>,
    /// The shapes that are switched off, and the parts that are lit up.
    pub filter: Filter,
    /// The machine with a defect, to be drawn instead of the sound one.
    pub broken: Option<&'a BrokenMachine>,
    /// How closely it is looked at.
    pub zoom: Zoom,
    /// The class of the accounts that is lit up.
    pub class: Option<systolic::Slot>,
    /// The run that is shown beside this one, in a picture of the same size: both show as much as the one that can show
    /// less.
    pub beside: Option<&'a Plan>,
    /// What the PEs show instead of what they do.
    pub channel: Option<Layer>,
    /// What is drawn over the array; a page carries the code of those layers alone that it names.
    pub layers: &'a [Layer],
    /// The sums of the frames before, to go on from; without them a frame adds all terms, however many.
    pub work: Option<&'a RefCell<Work>>,
}

/// Rows and columns of PEs.
pub(crate) type PeBlock = (Range<u32>, Range<u32>);

/// Something drawn over the array.
pub type Layer = fn(&Frame<'_>, &Layout, &mut Picture);

impl<'a> Frame<'a> {
    /// A run at a clock edge, and nothing more.
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
            channel: None,
            layers: &[],
            work: None,
        }
    }
}

/// Draws the array into a picture of this size.
pub fn draw(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    if let Some(work) = frame.work {
        work.borrow_mut().begin(frame.plan, frame.cycle, (width, height));
    }
    let scene = frame.scene(width, height);
    let layout = scene.layout.zoomed(frame.zoom, width, height);
    // Closer up, the array takes the whole stage.
    if frame.zoom.is_whole() {
        matrices::draw(frame, &scene, picture);
    }
    match layout.detail {
        Detail::Pixel | Detail::Block => heat::draw(frame, &layout, picture),
        Detail::Glyph => values::draw_glyphs(frame, &layout, picture),
        Detail::Value => {
            values::draw_values(frame, &layout, picture);
        }
        Detail::Compact | Detail::Registers | Detail::Tagged => {
            // Around a machine with a defect the sound one's operands would be a lie.
            if frame.broken.is_none() {
                edges::draw_links(frame, &layout, picture);
            }
            cells::draw_registers(frame, &layout, picture);
            edges::draw_feeders(frame, &layout, picture);
        }
    }
    if let Some(channel) = frame.channel {
        channel(frame, &layout, picture);
    }
    edges::draw_rims(frame, &layout, picture);
    padding_labels::draw(frame, &layout, picture);
    if let Some(pe) = frame.selected {
        cells::outline_selected(&layout, pe, picture);
    }
    for layer in frame.layers {
        layer(frame, &layout, picture);
    }
}

impl<'a> Frame<'a> {
    /// How a picture of this size is divided.
    #[must_use]
    pub fn scene(&self, width: f32, height: f32) -> Scene {
        Scene::beside(self.plan.schedule(), self.beside.map(Plan::schedule), width, height)
    }

    fn prober(&self) -> Prober<'a> {
        self.plan.prober()
    }

    /// The sums of a block of PEs.
    pub(crate) fn sums(&self, set: SumSet, block: PeBlock) -> Rc<CarriedSums> {
        let of_frame = self.work.and_then(|work| work.borrow_mut().sums(self.plan, set, block.clone(), false));
        of_frame.unwrap_or_else(|| all_sums(self.plan, self.cycle, set, block))
    }

    /// The sums of a block of PEs for a number per PE; none where they take too many terms.
    pub(crate) fn sums_within(&self, set: SumSet, block: PeBlock) -> Option<Rc<CarriedSums>> {
        match self.work {
            Some(work) => work.borrow_mut().sums(self.plan, set, block, true),
            None => Some(all_sums(self.plan, self.cycle, set, block)),
        }
    }
}
