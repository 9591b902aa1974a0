//! The parts of the page besides its first module: their interfaces, and which of them are there.
//!
//! The first module reaches a part only through these interfaces, so it contains none of the code of the part.

use core::future::Future;
use core::pin::Pin;
use std::sync::Arc;

use display::Picture;
use leptos::prelude::*;
use stage::Layer;
use stage::pointing::Shown;
use studio::defect::BrokenMachine;
use studio::{Chrome, Field, LazyPart, Panel, Plan, PointedValue, Session};
use systolic::{Cycle, PeId, Slot};
use words::caption::Caption;

use crate::browser::Place;
use crate::browser::motion::{Motion, Now, Passed};
use crate::browser::painter::Painter;
use crate::browser::port::Greeting;
use crate::ctx::Ctx;

/// Draws a part's own view into a place of the page; that is done once.
pub(crate) type Fill = fn(Place);

/// Where the first lesson begins.
pub(crate) const FIRST_CARD: &str = "wave.1";

/// The view of a part that a person or a link opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The questions about models on chips.
    Estimate,
    /// A tool beside the array.
    Panel(Panel),
    /// The marks of the tools on the array.
    Array,
    /// The lesson that was open last, or the first one.
    Learn,
    /// Links, code and files for others.
    Share,
}

impl Goal {
    /// The part that has it.
    pub(crate) const fn part(self) -> LazyPart {
        match self {
            Self::Estimate => LazyPart::Estimate,
            Self::Panel(_) | Self::Array => LazyPart::Workbench,
            Self::Learn => LazyPart::Learn,
            Self::Share => LazyPart::Share,
        }
    }
}

/// A part that is not there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// It is being fetched.
    Loading(Goal),
    /// It did not arrive.
    NotLoaded(Goal),
}

/// The parts as the page has them.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    /// The side panels, once they are there.
    pub(crate) sides: RwSignal<Option<&'static dyn Sides>>,
    /// True if they did not arrive.
    pub(crate) are_sides_missing: RwSignal<bool>,
    /// The tools of the stage, once they are there.
    pub(crate) workbench: RwSignal<Option<&'static dyn Workbench>>,
    /// The function that draws the estimate, once it is there.
    pub(crate) estimate: RwSignal<Option<Fill>>,
    /// The function that draws the lessons, once it is there.
    pub(crate) learn: RwSignal<Option<Fill>>,
    /// The function that draws the dialog of links and files, once it is there.
    pub(crate) share: RwSignal<Option<Fill>>,
    /// True if that dialog is open.
    pub(crate) shares: RwSignal<bool>,
    /// The card that was open last.
    pub(crate) card: StoredValue<String>,
    /// The part that somebody opened last, until it is there.
    pub(crate) opening: RwSignal<Option<Opening>>,
    /// The room of the array before the estimate.
    pub(crate) array: RwSignal<Chrome>,
    /// The loaders of the parts.
    pub(crate) loaders: StoredValue<Option<Loaders>>,
}

impl Parts {
    /// All parts unloaded.
    pub(crate) fn new() -> Self {
        Self {
            sides: RwSignal::new(None),
            are_sides_missing: RwSignal::new(false),
            workbench: RwSignal::new(None),
            estimate: RwSignal::new(None),
            learn: RwSignal::new(None),
            share: RwSignal::new(None),
            shares: RwSignal::new(false),
            card: StoredValue::new(FIRST_CARD.to_owned()),
            opening: RwSignal::new(None),
            array: RwSignal::new(Chrome::Full),
            loaders: StoredValue::new(None),
        }
    }

    pub(crate) fn has(self, part: LazyPart) -> bool {
        match part {
            LazyPart::Workbench => self.workbench.with_untracked(Option::is_some),
            LazyPart::Estimate => self.estimate.with_untracked(Option::is_some),
            LazyPart::Learn => self.learn.with_untracked(Option::is_some),
            LazyPart::Share => self.share.with_untracked(Option::is_some),
        }
    }
}

/// Places of the page that the side panels fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SidePlace {
    /// Parameters of a link that could not be used.
    Notices,
    /// The line of shapes, and the headline on one line.
    Legend,
    /// The settings.
    Setup,
    /// The tabs of a small page.
    Tabs,
    /// The buttons of the tools.
    ToolRow,
    /// The tool that is open.
    ToolPanel,
    /// The counts of the run.
    Live,
    /// Suggestions for the next step.
    NextSteps,
    /// The map of the folds.
    FoldMap,
    /// The cards of the examples.
    Examples,
    /// The text of an example, over the array.
    Banner,
    /// The words of the field.
    Glossary,
}

/// The side panels, and what they add to the array.
pub(crate) trait Sides: Sync {
    /// Their style sheet.
    fn style(&self) -> &'static str;
    /// Starts the effects that come with them.
    fn start(&self, ctx: Ctx);
    /// The function that fills a place.
    fn fill(&self, place: SidePlace) -> Fill;
    /// The value at a point of the array view.
    fn spot_at(&self, shown: &Shown<'_>, at: (f32, f32)) -> Option<PointedValue>;
    /// The values of a PE that can be pointed at.
    fn spots_of(&self, plan: &Plan, cycle: Cycle, pe: PeId) -> Vec<PointedValue>;
    /// The caption of a value with its terms, in at most this number of letters.
    fn why(&self, plan: &Plan, cycle: Cycle, spot: PointedValue, letters: usize) -> Option<Caption>;
    /// Opens the field of an element of A or B, by its row and column.
    fn edit(&self, ctx: Ctx, field: Field, at: (u64, u64));
    /// The layers over the PEs.
    fn layers(&self) -> &'static [Layer];
    /// Shows tokens on their way.
    fn pass(&self, motion: &mut Motion, now: Now<'_>, picture: &mut Picture, painter: &mut Painter) -> Passed;
    /// True if the timeline looks the same at two cycles.
    fn looks_same(&self, plan: &Plan, cycles: (Cycle, Cycle), width: f32, height: f32) -> bool;
    /// Lights a class up on the timeline.
    fn light(&self, plan: &Plan, slot: Slot, width: f32, height: f32, picture: &mut Picture);
}

/// Places of the page that the tools of the array fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolPlace {
    /// The array of a second run.
    Other,
    /// Its timeline.
    OtherLine,
    /// The tool that is open.
    Panel,
    /// When the elements of each row enter, set by hand.
    Schedule,
}

/// The tools of the array.
pub(crate) trait Workbench: Sync {
    /// Their style sheet.
    fn style(&self) -> &'static str;
    /// The function that fills a place.
    fn fill(&self, place: ToolPlace) -> Fill;
    /// The focused PE at a cycle.
    fn chosen(&self, session: &Session, cycle: Cycle) -> Option<PeId>;
    /// The machine with the fault that is set, if this run can have the fault.
    fn broken(&self, session: &Session, cycle: Cycle) -> Option<Arc<BrokenMachine>>;
    /// The run next to the first one.
    fn second(&self, session: &Session) -> Option<Arc<Plan>>;
    /// The layer that replaces the activity of the PEs.
    fn channel(&self, session: &Session) -> Option<Layer>;
    /// The layers over the PEs.
    fn layers(&self) -> &'static [Layer];
    /// The caption of a machine with a fault.
    fn caption(&self, plan: &Plan, machine: &BrokenMachine, pe: Option<PeId>) -> Caption;
    /// The PE of which the caption speaks if none is chosen.
    fn telling(&self, machine: &BrokenMachine) -> Option<PeId>;
}

/// Links, code and files for a person, and answers for the page around this one.
#[derive(Clone, Copy)]
pub(crate) struct Sharing {
    /// Draws the dialog.
    pub(crate) dialog: Fill,
    /// Answers a page around this one that greets.
    pub(crate) answer: fn(Ctx, Greeting),
}

/// A part on its way; none if it does not arrive.
pub(crate) type Loading<T> = Pin<Box<dyn Future<Output = Option<T>>>>;

/// One loader for each part.
#[derive(Clone, Copy)]
pub(crate) struct Loaders {
    pub(crate) sides: fn() -> Loading<&'static dyn Sides>,
    pub(crate) workbench: fn() -> Loading<&'static dyn Workbench>,
    pub(crate) estimate: fn() -> Loading<Fill>,
    pub(crate) learn: fn() -> Loading<Fill>,
    pub(crate) share: fn() -> Loading<Sharing>,
}
