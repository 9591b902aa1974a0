//! Files that can be exported from a run. The page, the pages that embed it, and the command line use the same list.

use plain::OrEmpty;
use std::io::{self, Write};
use std::sync::Arc;

use studio::{Link, Plan};
use systolic::Cycle;

use rtl::Pieces;

use crate::registers::Table;
use crate::zip_file::ZipFile;
use crate::{View, frames, hardware, perfetto, svg, tikz};

/// A file that can be exported from a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// Drawing of one cycle, as SVG.
    Svg,
    /// Drawing of one cycle, as PNG.
    Png,
    /// Drawing of one cycle, as TikZ for LaTeX.
    Tikz,
    /// Drawings of all cycles, in a ZIP.
    Frames,
    /// Film of the run, as GIF.
    Film,
    /// Film of the run, as WebM for video players.
    Video,
    /// Every register at every cycle, as a CSV table.
    Csv,
    /// Every register at every cycle, as lines of JSON.
    Json,
    /// Folds and their phases over time, for trace viewers such as Perfetto.
    Trace,
    /// Every register at every cycle, as waveforms.
    Waveforms,
    /// The array in SystemVerilog, in a ZIP.
    Hardware,
}

systolic::named! {
    exact File {
        Svg => "svg",
        Png => "png",
        Tikz => "tikz",
        Frames => "zip",
        Film => "gif",
        Video => "webm",
        Csv => "csv",
        Json => "json",
        Trace => "perfetto",
        Waveforms => "vcd",
        Hardware => "rtl",
    }
}

impl File {
    /// Files that a [`Job`] can write. The other files need a canvas of a browser.
    pub const JOBS: [Self; 8] =
        [Self::Svg, Self::Tikz, Self::Csv, Self::Json, Self::Trace, Self::Waveforms, Self::Frames, Self::Hardware];
    /// Files of plain text, which a message can carry to another page.
    pub const TEXTS: [Self; 6] = {
        let [svg, tikz, csv, json, trace, waveforms, ..] = Self::JOBS;
        [svg, tikz, csv, json, trace, waveforms]
    };

    /// Files in pixels, which a message can carry to another page as a `data:` address.
    pub const PIXELS: [Self; 2] = [Self::Png, Self::Film];

    /// Extension of the file name.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Tikz => "tex",
            Self::Json => "jsonl",
            Self::Trace => "trace.json",
            Self::Hardware => "rtl.zip",
            other => other.id(),
        }
    }

    /// Media type of the file.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
            Self::Tikz => "text/x-tex",
            Self::Frames | Self::Hardware => "application/zip",
            Self::Film => "image/gif",
            Self::Video => "video/webm",
            Self::Csv => "text/csv",
            Self::Json => "application/x-ndjson",
            Self::Trace => "application/json",
            Self::Waveforms => "application/octet-stream",
        }
    }
}

/// Size limits of the files that list registers. The size of such a file grows with the number of PE-cycles of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of lines in a table, which has one line per PE-cycle.
    pub lines: u64,
    /// Maximum number of PE-cycles in waveforms.
    pub waveforms: u64,
}

impl Limits {
    /// Limits in a browser tab, which keeps the whole file in memory.
    pub const TAB: Self = Self { lines: 1_000_000, waveforms: hardware::REGISTERS_MAX };
    /// Limits for a message to another page.
    pub const MESSAGE: Self = Self { lines: 200_000, waveforms: hardware::REGISTERS_MAX };
    /// Limits for a stream, such as standard output.
    pub const STREAM: Self = Self { lines: u64::MAX, waveforms: rtl::Rtl::REGISTERS_MAX };
}

/// Reason why a file cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The file needs a canvas of a browser.
    NeedsCanvas,
    /// The table would have more lines than the limit. The value is the number of lines that the table would have.
    Lines(u64),
    /// The waveforms would have more PE-cycles than the limit. The value is the number of PE-cycles that the waveforms
    /// would have.
    Waveforms(u64),
    /// The array cannot be written as SystemVerilog.
    Hardware(hardware::Refusal),
}

/// Unit in which the progress of a file is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Cycles of the run.
    Cycles,
    /// Rows of the matrix files in the hardware ZIP.
    Rows,
}

/// Progress of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of cycles or rows that have been written.
    pub done: u64,
    /// Total number of cycles or rows.
    pub all: u64,
    /// Unit of `done` and `all`.
    pub unit: Unit,
    is_done: bool,
}

impl Progress {
    const WHOLE: Self = Self { done: 1, all: 1, unit: Unit::Cycles, is_done: true };

    const fn cycles(done: u64, all: u64) -> Self {
        Self { done, all, unit: Unit::Cycles, is_done: done == all }
    }

    /// True if the file is complete.
    #[must_use]
    pub const fn is_done(self) -> bool {
        self.is_done
    }
}

/// Number of table rows that one step writes. A table has one row for each PE at each cycle. Small steps keep the page
/// responsive.
const PES_PER_PIECE: u64 = 4_096;

/// A ZIP file that a job is filling with drawings or hardware files.
#[derive(Debug)]
enum Archive {
    Frames(ZipFile),
    Hardware(ZipFile, Pieces),
}

/// Export of one file in pieces: each call of [`Job::step`] writes one piece.
#[derive(Debug)]
pub struct Job {
    file: File,
    plan: Arc<Plan>,
    link: Link,
    size: (f32, f32),
    waveforms: Option<String>,
    archive: Option<Archive>,
    next: u64,
    /// Address that an SVG shows below its legend and its caption.
    address: Option<String>,
}

impl Job {
    /// Creates a job for a file of [`File::JOBS`]. For a drawing, `size` is the width and height in CSS pixels.
    ///
    /// ```
    /// use export::{File, Job, Limits};
    /// use std::sync::Arc;
    /// use studio::{Link, Plan};
    ///
    /// let mut csv = Vec::new();
    /// let mut job = Job::new(File::Csv, Arc::new(Plan::default()), Link::default(), (1200.0, 800.0), Limits::TAB).unwrap();
    /// while !job.step(&mut csv).unwrap().is_done() {}
    /// // A head, and a line for each of 16 PEs in each of 16 cycles.
    /// assert_eq!(csv.split(|&byte| byte == b'\n').count(), 1 + 16 * 16 + 1);
    /// ```
    ///
    /// # Errors
    /// [`Refused`] if the file cannot be made.
    pub fn new(file: File, plan: Arc<Plan>, link: Link, size: (f32, f32), limits: Limits) -> Result<Self, Refused> {
        let pe_cycles = plan.schedule().pe_cycles().get();
        let (mut waveforms, mut archive) = (None, None);
        match file {
            File::Csv | File::Json if pe_cycles > limits.lines => return Err(Refused::Lines(pe_cycles)),
            File::Svg | File::Tikz | File::Csv | File::Json | File::Trace => {}
            File::Waveforms => {
                let waves = hardware::waveforms_up_to(&plan, limits.waveforms).map_err(Refused::Hardware)?;
                waveforms = Some(waves.ok_or(Refused::Waveforms(pe_cycles))?);
            }
            File::Frames => archive = Some(Archive::Frames(ZipFile::new())),
            File::Hardware => {
                let pieces = hardware::pieces(&plan).map_err(Refused::Hardware)?;
                archive = Some(Archive::Hardware(ZipFile::new(), pieces));
            }
            File::Png | File::Film | File::Video => return Err(Refused::NeedsCanvas),
        }
        Ok(Self { file, plan, link, size, waveforms, archive, next: 0, address: None })
    }

    /// Adds a legend, the caption and this address below a drawing in SVG. Other files stay as they are.
    #[must_use]
    pub fn explained(self, address: String) -> Self {
        Self { address: Some(address), ..self }
    }

    /// Creates the next piece and writes the piece to `out`. The pieces of a ZIP stay in memory, and the last step
    /// writes the whole ZIP.
    ///
    /// # Errors
    /// Fails if `out` cannot be written, or if the ZIP cannot store the piece.
    pub fn step(&mut self, out: &mut impl Write) -> io::Result<Progress> {
        if let Some(archive) = self.archive.take() {
            return self.fill(archive, out);
        }
        let view = View { plan: &self.plan, link: &self.link, size: self.size };
        let whole = match self.file {
            File::Svg => match &self.address {
                Some(address) => svg::explained(&view, address),
                None => svg::document(&view),
            },
            File::Tikz => tikz::picture(&view),
            File::Trace => return self.trace(out),
            File::Waveforms => self.waveforms.take().or_empty(),
            _ => return self.lines(out),
        };
        out.write_all(whole.as_bytes())?;
        Ok(Progress::WHOLE)
    }

    /// Adds the next drawing, or the next piece of a hardware file, to the ZIP.
    fn fill(&mut self, archive: Archive, out: &mut impl Write) -> io::Result<Progress> {
        match archive {
            Archive::Frames(mut zip) => {
                let view = View { plan: &self.plan, link: &self.link, size: self.size };
                frames::add(&view, self.next, &mut zip)?;
                self.next += 1;
                let progress = Progress::cycles(self.next, frames::count(&self.plan));
                if progress.is_done() {
                    out.write_all(&zip.finish()?)?;
                } else {
                    self.archive = Some(Archive::Frames(zip));
                }
                Ok(progress)
            }
            Archive::Hardware(mut zip, mut pieces) => {
                let Some((done, all)) = hardware::add(&self.plan, &mut pieces, &mut zip)? else {
                    out.write_all(&zip.finish()?)?;
                    return Ok(Progress::WHOLE);
                };
                self.archive = Some(Archive::Hardware(zip, pieces));
                Ok(Progress { done, all, unit: Unit::Rows, is_done: false })
            }
        }
    }

    /// Writes the trace events of the next cycles.
    fn trace(&mut self, out: &mut impl Write) -> io::Result<Progress> {
        let mut text = String::new();
        self.next = perfetto::piece(&self.plan, self.next, &mut text);
        out.write_all(text.as_bytes())?;
        Ok(Progress::cycles(self.next, perfetto::counted(&self.plan)))
    }

    /// Writes the table lines of the next cycles.
    fn lines(&mut self, out: &mut impl Write) -> io::Result<Progress> {
        let schedule = self.plan.schedule();
        let (all, pes) = (schedule.cycles().get(), schedule.array().pes());
        let table = Table::new(schedule, self.plan.prober());
        let is_csv = self.file == File::Csv;
        if self.next == 0 && is_csv {
            table.write_head(out)?;
        }
        let end = all.min(self.next + (PES_PER_PIECE / pes).max(1));
        for cycle in (self.next..end).map(Cycle) {
            if is_csv { table.write_csv(cycle, out)? } else { table.write_json(cycle, out)? }
        }
        self.next = end;
        Ok(Progress::cycles(end, all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Session;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn job(file: File, query: &str, limits: Limits) -> Result<Job, Refused> {
        let link = Link::parse(query, "");
        Job::new(file, Session::open(&link).0.plan, link, (1200.0, 800.0), limits)
    }

    #[test]
    fn every_file_is_made_but_those_that_need_a_canvas() {
        for file in File::ALL {
            let made = job(file, "", Limits::MESSAGE).map(|mut job| {
                let mut out = Vec::new();
                while !job.step(&mut out).expect("memory takes it").is_done() {}
                out
            });
            match made {
                Ok(bytes) => assert!(File::JOBS.contains(&file) && !bytes.is_empty(), "{file:?}"),
                Err(why) => assert_eq!((File::JOBS.contains(&file), why), (false, Refused::NeedsCanvas), "{file:?}"),
            }
        }
    }

    #[test]
    fn a_table_is_the_same_in_pieces_and_at_once() {
        let link = Link::parse("rows=64&cols=64&m=9", "");
        let plan = Session::open(&link).0.plan;
        let table = Table::new(plan.schedule(), plan.prober());
        let mut whole = Vec::new();
        table.write_head(&mut whole).expect("memory takes it");
        for cycle in (0..plan.schedule().cycles().get()).map(Cycle) {
            table.write_csv(cycle, &mut whole).expect("memory takes it");
        }
        let (mut pieces, mut n_steps) = (Vec::new(), 0);
        let mut job = job(File::Csv, "rows=64&cols=64&m=9", Limits::TAB).expect("small");
        loop {
            n_steps += 1;
            if job.step(&mut pieces).expect("memory takes it").is_done() {
                break;
            }
        }
        assert!(pieces == whole && n_steps > 10, "{n_steps}");
    }

    #[test]
    fn a_run_beyond_the_limit_is_refused() {
        let large = "rows=256&cols=256&m=256";
        assert!(matches!(job(File::Csv, large, Limits::TAB), Err(Refused::Lines(lines)) if lines > 1_000_000));
        assert!(matches!(job(File::Waveforms, large, Limits::TAB), Err(Refused::Waveforms(_))));
        assert!(matches!(job(File::Waveforms, "dt=bf16", Limits::STREAM), Err(Refused::Hardware(_))));
        assert!(job(File::Csv, large, Limits::STREAM).is_ok());
    }
}
