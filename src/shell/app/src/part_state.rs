//! Parts of the page outside the first module: their interfaces, and the state of their loading.
//!
//! The first module reaches a part only through these interfaces, so it contains none of the code of the part.

use core::future::Future;
use core::pin::Pin;
use std::sync::Arc;

use display::Picture;
use export::card::{Drawn, Moment};
use leptos::prelude::*;
use lesson::Lesson;
use stage::Layer;
use stage::drawings::Instead;
use stage::pointing::Shown;
use studio::defect::BrokenMachine;
use studio::{Built, Chrome, Field, LazyPart, Panel, Plan, PointedValue, Session, Transport};
use systolic::{Cycle, PeId, Slot};
use words::caption::Caption;

use crate::browser::Place;
use crate::browser::measure::Size;
use crate::browser::motion::{Motion, Now, Passed};
use crate::browser::painter::Painter;
use crate::browser::port::Greeting;
use crate::ctx::Ctx;

/// Function that draws the view of a part into a place of the page. Each place is filled once.
pub(crate) type Fill = fn(Place);

/// First card of the first lesson.
pub(crate) const FIRST_CARD: &str = "multiply.1";

/// The view of a part that a person or a link opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Model estimates.
    Estimate,
    /// Tool next to the array.
    Panel(Panel),
    /// Marks of the tools on the array.
    Array,
    /// List of all lessons.
    Learn,
    /// First card of the first lesson.
    FirstLesson,
    /// List or card that the link names.
    LessonOfLink,
    /// Share dialog, with links, code and files for other people.
    Share,
    /// Search, with answers to questions and pasted texts.
    Ask,
}

impl Goal {
    /// Returns the part that contains this view.
    pub(crate) const fn part(self) -> LazyPart {
        match self {
            Self::Estimate => LazyPart::Estimate,
            Self::Panel(_) | Self::Array => LazyPart::Workbench,
            Self::Learn | Self::FirstLesson | Self::LessonOfLink => LazyPart::Learn,
            Self::Share => LazyPart::Share,
            Self::Ask => LazyPart::Ask,
        }
    }
}

/// State of opening a view whose part is not loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// View whose part is being fetched.
    Loading(Goal),
    /// View whose part did not arrive.
    NotLoaded(Goal),
}

/// The parts of the page and the state of their loading.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    /// Side panels, once they are loaded.
    pub(crate) sides: RwSignal<Option<&'static dyn Sides>>,
    /// True if the side panels did not arrive.
    pub(crate) are_sides_missing: RwSignal<bool>,
    /// Tools of the array view, once they are loaded.
    pub(crate) workbench: RwSignal<Option<&'static dyn Workbench>>,
    /// Function that draws the model estimates, once they are loaded.
    pub(crate) estimate: RwSignal<Option<Fill>>,
    /// Function that draws the lessons, once they are loaded.
    pub(crate) learn: RwSignal<Option<Fill>>,
    /// Function that draws the share dialog, once the part is loaded.
    pub(crate) share: RwSignal<Option<Fill>>,
    /// Function that draws the elements of presentation mode, once the part is loaded.
    pub(crate) wall: RwSignal<Option<Fill>>,
    /// True if the share dialog is open.
    pub(crate) shares: RwSignal<bool>,
    /// Function that draws the search, once the part is loaded.
    pub(crate) ask: RwSignal<Option<Fill>>,
    /// True if the search is open.
    pub(crate) asks: RwSignal<bool>,
    /// View that a person opened last, until its part is loaded.
    pub(crate) opening: RwSignal<Option<Opening>>,
    /// View of the array that was open before the model estimates.
    pub(crate) array: RwSignal<Chrome>,
    /// Loaders of the parts, once they are registered.
    pub(crate) loaders: StoredValue<Option<Loaders>>,
}

impl Parts {
    /// Creates the state with no part loaded.
    pub(crate) fn new() -> Self {
        Self {
            sides: RwSignal::new(None),
            are_sides_missing: RwSignal::new(false),
            workbench: RwSignal::new(None),
            estimate: RwSignal::new(None),
            learn: RwSignal::new(None),
            share: RwSignal::new(None),
            wall: RwSignal::new(None),
            shares: RwSignal::new(false),
            ask: RwSignal::new(None),
            asks: RwSignal::new(false),
            opening: RwSignal::new(None),
            array: RwSignal::new(Chrome::Full),
            loaders: StoredValue::new(None),
        }
    }

    /// Returns the signal of a part's drawing function. The tools have no such function.
    pub(crate) fn fill(self, part: LazyPart) -> Option<RwSignal<Option<Fill>>> {
        match part {
            LazyPart::Workbench => None,
            LazyPart::Estimate => Some(self.estimate),
            LazyPart::Learn => Some(self.learn),
            LazyPart::Share => Some(self.share),
            LazyPart::Ask => Some(self.ask),
        }
    }

    pub(crate) fn has(self, part: LazyPart) -> bool {
        match self.fill(part) {
            Some(fill) => fill.with_untracked(Option::is_some),
            None => self.workbench.with_untracked(Option::is_some),
        }
    }
}

/// Places of the page that the side panels fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SidePlace {
    /// Parameters of a link that could not be used.
    Notices,
    /// Legend of the shapes, and the headline on one line.
    Legend,
    /// The settings.
    Setup,
    /// The tabs of a small page.
    Tabs,
    /// The buttons of the tools.
    ToolRow,
    /// Panel of the open tool.
    ToolPanel,
    /// The counts of the run.
    Live,
    /// Suggestions for the next step.
    NextSteps,
    /// The fields of A and B next to the array.
    Cells,
    /// The map of the folds.
    FoldMap,
    /// The cards of the examples.
    Examples,
    /// Text of an example, above the array.
    Banner,
    /// Glossary.
    Glossary,
}

/// The side panels, and the functions that they add to the array.
pub(crate) trait Sides: Sync {
    /// Returns the style sheet of the side panels.
    fn style(&self) -> &'static str;
    /// Starts the effects of the side panels.
    fn start(&self, ctx: Ctx);
    /// Returns the function that fills a place.
    fn fill(&self, place: SidePlace) -> Fill;
    /// Returns the value at a point of the array view.
    fn spot_at(&self, shown: &Shown<'_>, at: (f32, f32)) -> Option<PointedValue>;
    /// Returns the values in a PE that a person can point at.
    fn spots_of(&self, plan: &Plan, cycle: Cycle, pe: PeId) -> Vec<PointedValue>;
    /// Returns a caption that explains a value by its terms, in at most this number of letters.
    fn why(&self, plan: &Plan, cycle: Cycle, spot: PointedValue, letters: usize) -> Option<Caption>;
    /// Returns the cycle in which a PE multiplies, as a sum of load, skew and hops.
    fn when(&self, plan: &Plan, cycle: Cycle, pe: PeId) -> Option<String>;
    /// Opens the input field of an element of A or B. `at` is the row and the column of the element.
    fn edit(&self, ctx: Ctx, field: Field, at: (u64, u64));
    /// Returns the layers that are drawn over the PEs.
    fn layers(&self) -> &'static [Layer];
    /// Returns the function that draws the states of PEs on a wall.
    fn wall(&self) -> Layer;
    /// Updates the motion for this frame, and shows tokens that move between two cycles.
    fn pass(&self, motion: &mut Motion, now: Now<'_>, picture: &mut Picture, painter: &mut Painter) -> Passed;
    /// True if the timeline looks the same at two cycles.
    fn looks_same(&self, plan: &Plan, cycles: (Cycle, Cycle), width: f32, height: f32) -> bool;
    /// Highlights a class of PE-cycles on the timeline.
    fn light(&self, plan: &Plan, slot: Slot, width: f32, height: f32, picture: &mut Picture);
}

/// Places of the page that the tools of the array fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolPlace {
    /// Array view of the second run.
    Other,
    /// Timeline of the second run.
    OtherLine,
    /// Panel of the open tool.
    Panel,
    /// Sliders of a custom input schedule, one for each row.
    Schedule,
    /// Choices of the moves and delays of a dataflow that a person builds.
    Flow,
    /// Buttons that move through the cycles of a built dataflow on a lesson card.
    FlowSteps,
}

/// The tools of the array.
pub(crate) trait Workbench: Sync {
    /// Returns the style sheet of the tools.
    fn style(&self) -> &'static str;
    /// Returns the function that fills a place.
    fn fill(&self, place: ToolPlace) -> Fill;
    /// Returns the chosen PE, or the PE that contains the followed value at a cycle.
    fn chosen(&self, session: &Session, cycle: Cycle) -> Option<PeId>;
    /// Returns the state of the array at a cycle, with the chosen fault, if this run can have the fault.
    fn broken(&self, session: &Session, cycle: Cycle) -> Option<Arc<BrokenMachine>>;
    /// Returns the second run, if a comparison is set.
    fn second(&self, session: &Session) -> Option<Arc<Plan>>;
    /// Returns the layer that shows another number in place of the PEs' activity.
    fn channel(&self, session: &Session) -> Option<Layer>;
    /// Returns the function whose drawing replaces the array, and the dataflow that a person builds.
    fn instead(&self, session: &Session) -> (Option<Instead>, Option<Built>);
    /// Handles a press on the cube or on the array next to it.
    fn press_cube(&self, ctx: Ctx, size: Size, at: (f32, f32));
    /// Moves through the cycles of a dataflow that a person builds. Returns false if its tool is not open.
    fn move_built(&self, request: Transport) -> bool;
    /// Returns the layers that are drawn over the PEs.
    fn layers(&self) -> &'static [Layer];
    /// Returns the caption of an array with a fault.
    fn caption(&self, plan: &Plan, machine: &BrokenMachine, pe: Option<PeId>) -> Caption;
    /// Returns the PE that the caption describes if no PE is chosen.
    fn telling(&self, machine: &BrokenMachine) -> Option<PeId>;
}

/// Function that returns the pictures of each card of a lesson.
pub(crate) type Worksheets = fn(&Lesson, Moment) -> Vec<Vec<Drawn>>;

/// The share dialog for a person, the answers to the host page, and the pictures of worksheets.
#[derive(Clone, Copy)]
pub(crate) struct Sharing {
    /// Draws the share dialog.
    pub(crate) dialog: Fill,
    /// Draws the elements of presentation mode.
    pub(crate) wall: Fill,
    /// Answers a greeting of the host page.
    pub(crate) answer: fn(Ctx, Greeting),
    /// Draws the pictures of a lesson for paper.
    pub(crate) worksheet: Worksheets,
}

/// Future that loads a part. The result is `None` if the part does not arrive.
pub(crate) type Loading<T> = Pin<Box<dyn Future<Output = Option<T>>>>;

/// The loaders of the parts.
#[derive(Clone, Copy)]
pub(crate) struct Loaders {
    pub(crate) sides: fn() -> Loading<&'static dyn Sides>,
    pub(crate) workbench: fn() -> Loading<&'static dyn Workbench>,
    pub(crate) share: fn() -> Loading<Sharing>,
    /// Loads the drawing function of a part. The tools have no such function.
    pub(crate) fill: fn(LazyPart) -> Option<Loading<Fill>>,
}
