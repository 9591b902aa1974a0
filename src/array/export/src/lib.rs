//! Export of a run to files, for documents, tables and other programs. [`File`] lists the files, and a [`Job`] writes a
//! file in pieces. Files and the page use the same models, so a number in a file equals the number on screen.
//!
//! | module | content |
//! |---|---|
//! | [`card`] | the pictures of a lesson card |
//! | [`svg`] | the array at a cycle, as an SVG drawing with selectable text |
//! | [`tikz`] | the array at a cycle, as a LaTeX picture |
//! | [`registers`] | every register of every PE at every cycle, as CSV or as lines of JSON |
//! | [`perfetto`] | folds, their phases and the number of active PEs, for trace viewers |
//! | [`frames`] | one SVG for each cycle, in a ZIP |
//! | [`film`] | the whole run as a GIF, one frame for each cycle or several with motion |
//! | [`hardware`] | the array as SystemVerilog with a testbench, in a ZIP; its registers as waveforms |
//! | [`slide`] | a whole slide: the array, its numbers, its timeline and its sentence |
//! | [`qr`] | a link as a QR code |
//! | [`webm`] | frames that a browser has encoded, as a WebM file |
//! | [`embed`] | code that embeds the page of a link in another document |

pub mod card;
pub mod embed;
pub mod explained;
mod file;
pub mod film;
pub mod frames;
pub mod hardware;
pub mod perfetto;
pub mod png;
pub mod qr;
pub mod registers;
pub mod slide;
pub mod svg;
pub mod tikz;
pub mod webm;

mod colors;
mod exact;
pub mod words;
mod zip_file;

pub use exact::{Notation, exact, json};
pub use file::{File, Job, Limits, Progress, Refused, Unit};

use ::words::caption::{self, Caption};
use display::Picture;
use stage::Frame;
use studio::defect::BrokenMachine;
use studio::{Link, Plan};
use systolic::Cycle;

/// Width and height of a saved drawing, in CSS pixels.
pub const SIZE: (f32, f32) = (1200.0, 800.0);

/// Input of an exported drawing: the run, the link and the size.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Run that the drawing shows.
    pub plan: &'a Plan,
    /// Link with the cycle, the selected PE and the fault.
    pub link: &'a Link,
    /// Width and height of the drawing, in CSS pixels.
    pub size: (f32, f32),
}

impl View<'_> {
    /// Returns the cycle of the link, limited to the last cycle of the run.
    fn cycle(&self) -> Cycle {
        self.link.cycle.min(self.plan.last())
    }

    /// Draws the array at the cycle of the link, or the whole slide.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let (cycle, broken) = (self.cycle(), self.broken_at(self.cycle()));
        let picture = self.picture_at(cycle, broken.as_ref());
        if self.is_slide() { slide::around(self, cycle, broken.as_ref(), picture) } else { picture }
    }

    /// True if the link shows a presentation: drawings and films of this link are whole slides.
    #[must_use]
    pub fn is_slide(&self) -> bool {
        self.link.view.chrome == studio::Chrome::Present
    }

    /// Returns the faulty array at a cycle, if the link names a fault. The page and the drawings then show this array.
    fn broken_at(&self, cycle: Cycle) -> Option<BrokenMachine> {
        let defect = self.link.tools.defect?.on(self.plan).ok()?;
        Some(BrokenMachine::at(self.plan, defect, cycle))
    }

    /// Returns the caption of a cycle. If `broken` is given, the caption describes this faulty array.
    fn caption_at(&self, cycle: Cycle, broken: Option<&BrokenMachine>) -> Caption {
        let selected = self.link.view.selected;
        match broken {
            Some(broken) => caption::broken(self.plan, broken, selected),
            None => caption::caption(self.plan, cycle, selected),
        }
    }

    /// Draws the array at a cycle. If `broken` is given, the drawing shows this faulty array instead.
    fn picture_at(&self, cycle: Cycle, broken: Option<&BrokenMachine>) -> Picture {
        // The second layer draws nothing for a fault-free array.
        let layers = &[stage::fields::fields as stage::Layer, stage::broken::draw_queues];
        self.picture_of(Frame { layers, broken, ..Frame::new(self.plan, cycle) })
    }

    /// Draws a frame with the selected PE and the drawing that the link names.
    fn picture_of(&self, frame: Frame<'_>) -> Picture {
        let mut picture = Picture::default();
        let selected = self.link.view.selected;
        let (instead, built) = (stage::drawings::of_tools(&self.link.tools), self.link.tools.built);
        let (wall, (width, height)) = match self.is_slide() {
            true => (Some(stage::states::draw as stage::Layer), slide::ARRAY),
            false => (None, self.size),
        };
        stage::draw(&Frame { selected, instead, built, wall, ..frame }, width, height, &mut picture);
        picture
    }
}

/// Returns the file name for a run: its sizes and its dataflow, in characters that every file system accepts.
#[must_use]
pub fn file_name(plan: &Plan, rest: &str) -> String {
    let (schedule, scenario) = (plan.schedule(), plan.scenario());
    let (array, dataflow) = (schedule.array(), schedule.dataflow().id());
    let (m, k, n) = (scenario.m, scenario.k, scenario.n);
    format!("systolic-{}x{}-{dataflow}-{m}x{k}x{n}{rest}", array.rows(), array.cols())
}
