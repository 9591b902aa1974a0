//! The picture of the array at one cycle.
//!
//! The level of detail follows the size of a cell on the screen, never the size of the array.

mod cells;
mod edges;
mod heat;
pub mod layers;
pub mod layout;

pub(crate) use cells::{GLYPH, TEXT_LEAST};
pub use layout::{Detail, Layout, Zoom};

use crate::Plan;
use crate::defect::Broken;
use display::Picture;
use systolic::{Cycle, PeId, Prober, Snapshot, Value};

/// What is to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The run.
    pub plan: &'a Plan,
    /// The clock edge.
    pub cycle: Cycle,
    /// The PE that the caption tells about.
    pub selected: Option<PeId>,
    /// The machine with a defect, to be drawn instead of the sound one.
    pub broken: Option<&'a Broken>,
    /// How closely it is looked at.
    pub zoom: Zoom,
    /// What the PEs show instead of what they do.
    pub channel: Option<Layer>,
    /// What is drawn over the array; a page carries the code of those layers alone that it names.
    pub layers: &'a [Layer],
}

/// Something drawn over the array.
pub type Layer = fn(&Frame<'_>, &Layout, &mut Picture);

impl<'a> Frame<'a> {
    /// A run at a clock edge, and nothing more.
    #[must_use]
    pub fn new(plan: &'a Plan, cycle: Cycle) -> Self {
        Self { plan, cycle, selected: None, broken: None, zoom: Zoom::default(), channel: None, layers: &[] }
    }
}

/// Draws the array into a picture of this size.
pub fn draw(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    let layout = Layout::new(frame.plan.schedule(), width, height).zoomed(frame.zoom, width, height);
    match layout.detail {
        Detail::Pixel | Detail::Block => heat::draw(frame, &layout, picture),
        Detail::Glyph => cells::draw_glyphs(frame, &layout, picture),
        Detail::Value => {
            cells::draw_values(frame, &layout, picture);
        }
        Detail::Registers | Detail::Tagged => {
            // Around a machine with a defect the sound one's operands would be a lie.
            if frame.broken.is_none() {
                edges::draw_links(frame, &layout, picture);
            }
            cells::draw_registers(frame, &layout, picture);
            if frame.broken.is_none() {
                edges::draw_feeders(frame, &layout, picture);
            }
        }
    }
    if let Some(channel) = frame.channel {
        channel(frame, &layout, picture);
    }
    edges::draw_rims(frame, &layout, picture);
    edges::draw_padding_labels(frame, &layout, picture);
    if let Some(pe) = frame.selected {
        cells::outline_selected(&layout, pe, picture);
    }
    for layer in frame.layers {
        layer(frame, &layout, picture);
    }
}

impl<'a> Frame<'a> {
    fn prober(&self) -> Prober<'a> {
        self.plan.prober()
    }

    /// The sums of the PEs that are seen: all of the array's at once, or each for itself where few are.
    fn sums(&self, layout: &Layout) -> impl Fn(PeId) -> Option<Value> {
        let plan = self.plan;
        let all = layout.pes().count() as u64 == plan.schedule().array().pes();
        let snapshot = all.then(|| Snapshot::at(plan.schedule(), plan.operands(), plan.unit(), self.cycle));
        let (prober, cycle) = (self.prober(), self.cycle);
        move |pe| match &snapshot {
            Some(snapshot) => snapshot.sum(pe),
            None => prober.at(cycle, pe).sum.map(|sum| sum.value),
        }
    }
}
