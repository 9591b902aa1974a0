//! Files of a run, for documents, tables and other programs. [`File`] lists them, and a [`Job`] makes a file in pieces.
//! Each is made from the same models that the page draws and reads, so a number in a file is the number on screen.
//!
//! | file | what is in it |
//! |---|---|
//! | [`svg`] | the array at a cycle, text as text |
//! | [`tikz`] | the same as a LaTeX picture |
//! | [`registers`] | every register of every PE at every cycle, as CSV or as a line of JSON each |
//! | [`perfetto`] | folds, their phases and the PEs at work, for a viewer of traces |
//! | [`frames`] | one SVG for each cycle, in a ZIP |
//! | [`film`] | the whole run as a GIF, one cycle a frame |
//! | [`hardware`] | the array as SystemVerilog with its testbench, in a ZIP; its registers as waveforms |
//! | [`qr`] | a link as a QR code |
//! | [`webm`] | frames that a browser has encoded, as a film |
//! | [`embed`] | the code that shows a link in somebody else's page |

pub mod embed;
mod file;
pub mod film;
pub mod frames;
pub mod hardware;
pub mod perfetto;
pub mod qr;
pub mod registers;
pub mod svg;
pub mod tikz;
pub mod webm;

mod colors;
mod exact;
pub mod words;
mod zip_file;

pub use exact::{Notation, exact};
pub use file::{File, Job, Limits, Progress, Refused, Unit};

use display::Picture;
use stage::Frame;
use studio::defect::BrokenMachine;
use studio::{Link, Plan};
use systolic::Cycle;

/// A run and how it is looked at: what the files are made from.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The run.
    pub plan: &'a Plan,
    /// The cycle and the chosen PE.
    pub link: &'a Link,
    /// Width and height, in CSS pixels.
    pub size: (f32, f32),
}

impl View<'_> {
    /// The cycle, within the run.
    fn cycle(&self) -> Cycle {
        self.link.cycle.min(self.plan.last())
    }

    /// The array at the cycle of the link.
    #[must_use]
    pub fn picture(&self) -> Picture {
        self.picture_at(self.cycle(), self.broken_at(self.cycle()).as_ref())
    }

    /// The machine of a link that names a defect: it is shown instead of the sound one, as on the page.
    fn broken_at(&self, cycle: Cycle) -> Option<BrokenMachine> {
        let defect = self.link.tools.defect?.on(self.plan).ok()?;
        Some(BrokenMachine::at(self.plan, defect, cycle))
    }

    /// The array at a cycle, as the machine has it that is broken, where one is.
    fn picture_at(&self, cycle: Cycle, broken: Option<&BrokenMachine>) -> Picture {
        let mut picture = Picture::default();
        // The second layer draws nothing of a sound machine.
        let layers = &[stage::fields::fields as stage::Layer, stage::broken::draw_queues];
        let selected = self.link.view.selected;
        let frame = Frame { selected, layers, broken, ..Frame::new(self.plan, cycle) };
        stage::draw(&frame, self.size.0, self.size.1, &mut picture);
        picture
    }
}

/// The name of a file of a run: its sizes and its dataflow, in letters that every file system takes.
#[must_use]
pub fn file_name(plan: &Plan, rest: &str) -> String {
    let (schedule, scenario) = (plan.schedule(), plan.scenario());
    let (array, dataflow) = (schedule.array(), schedule.dataflow().id());
    let (m, k, n) = (scenario.m, scenario.k, scenario.n);
    format!("systolic-{}x{}-{dataflow}-{m}x{k}x{n}{rest}", array.rows(), array.cols())
}
