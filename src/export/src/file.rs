//! The files that can be made of a run: one list for the page, for other pages and for the command line.

use std::io::{self, Write};
use std::sync::Arc;

use studio::{Link, Plan};
use systolic::Cycle;

use crate::registers::Table;
use crate::{View, hardware, perfetto, svg, tikz};

/// A file that can be made of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// The drawing.
    Svg,
    /// The drawing in pixels.
    Png,
    /// The drawing for LaTeX.
    Tikz,
    /// A drawing for each cycle.
    Frames,
    /// The run as a film.
    Film,
    /// The run as a film for players.
    Video,
    /// Every register.
    Csv,
    /// Every register, as objects.
    Json,
    /// Folds and phases.
    Trace,
    /// Every register, as waveforms.
    Waveforms,
    /// The array as hardware.
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
    /// The files that are texts, which a [`Job`] makes.
    pub const TEXTS: [Self; 6] = [Self::Svg, Self::Tikz, Self::Csv, Self::Json, Self::Trace, Self::Waveforms];

    /// The end of its name.
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

    /// Its media type.
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

/// Limits of a run whose registers are listed, in PE-cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Lines of a table.
    pub lines: u64,
    /// PE-cycles of waveforms.
    pub waveforms: u64,
}

impl Limits {
    /// In a tab, whose memory takes the file.
    pub const TAB: Self = Self { lines: 1_000_000, waveforms: hardware::REGISTERS_MAX };
    /// In a message to another page.
    pub const MESSAGE: Self = Self { lines: 200_000, waveforms: hardware::REGISTERS_MAX };
    /// On a stream.
    pub const STREAM: Self = Self { lines: u64::MAX, waveforms: rtl::Rtl::REGISTERS_MAX };
}

/// Why a file is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRefusal {
    /// It is not a text.
    NoText,
    /// The table would have more lines than the limit.
    Lines(u64),
    /// The waveforms would have more PE-cycles than the limit.
    Waveforms(u64),
    /// The array cannot be hardware.
    Hardware(hardware::Refusal),
}

/// Progress of a file, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Those that are written.
    pub done: u64,
    /// All of them.
    pub all: u64,
}

impl Progress {
    /// True if the file is complete.
    #[must_use]
    pub const fn is_done(self) -> bool {
        self.done == self.all
    }
}

/// PEs of one piece of a table, so that the page stays responsive between two pieces.
const PES_PER_PIECE: u64 = 4_096;

/// A text that is made in pieces.
#[derive(Debug)]
pub struct Job {
    file: File,
    plan: Arc<Plan>,
    link: Link,
    size: (f32, f32),
    waveforms: Option<String>,
    next: u64,
}

impl Job {
    /// A file of [`File::TEXTS`], of which nothing is written yet; a drawing has this width and height.
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
    /// [`TextRefusal`]: why it is not made.
    pub fn new(file: File, plan: Arc<Plan>, link: Link, size: (f32, f32), limits: Limits) -> Result<Self, TextRefusal> {
        let pe_cycles = plan.schedule().pe_cycles().get();
        let mut waveforms = None;
        match file {
            File::Csv | File::Json if pe_cycles > limits.lines => return Err(TextRefusal::Lines(pe_cycles)),
            File::Svg | File::Tikz | File::Csv | File::Json | File::Trace => {}
            File::Waveforms => {
                let waves = hardware::waveforms_up_to(&plan, limits.waveforms).map_err(TextRefusal::Hardware)?;
                waveforms = Some(waves.ok_or(TextRefusal::Waveforms(pe_cycles))?);
            }
            File::Png | File::Frames | File::Film | File::Video | File::Hardware => return Err(TextRefusal::NoText),
        }
        Ok(Self { file, plan, link, size, waveforms, next: 0 })
    }

    /// Writes the next piece.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn step(&mut self, out: &mut impl Write) -> io::Result<Progress> {
        let view = View { plan: &self.plan, link: &self.link, size: self.size };
        let whole = match self.file {
            File::Svg => svg::document(&view),
            File::Tikz => tikz::picture(&view),
            File::Trace => perfetto::trace(&self.plan),
            File::Waveforms => self.waveforms.take().unwrap_or_default(),
            _ => return self.lines(out),
        };
        out.write_all(whole.as_bytes())?;
        Ok(Progress { done: 1, all: 1 })
    }

    /// The lines of some cycles.
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
        Ok(Progress { done: end, all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Session;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn job(file: File, query: &str, limits: Limits) -> Result<Job, TextRefusal> {
        let link = Link::parse(query, "");
        Job::new(file, Session::open(&link).0.plan, link, (1200.0, 800.0), limits)
    }

    #[test]
    fn every_text_is_made_and_nothing_else() {
        for file in File::ALL {
            let made = job(file, "", Limits::MESSAGE).map(|mut job| {
                let mut out = Vec::new();
                while !job.step(&mut out).expect("memory takes it").is_done() {}
                out
            });
            match made {
                Ok(text) => assert!(File::TEXTS.contains(&file) && !text.is_empty(), "{file:?}"),
                Err(why) => assert_eq!((File::TEXTS.contains(&file), why), (false, TextRefusal::NoText), "{file:?}"),
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
        assert!(matches!(job(File::Csv, large, Limits::TAB), Err(TextRefusal::Lines(lines)) if lines > 1_000_000));
        assert!(matches!(job(File::Waveforms, large, Limits::TAB), Err(TextRefusal::Waveforms(_))));
        assert!(matches!(job(File::Waveforms, "dt=bf16", Limits::STREAM), Err(TextRefusal::Hardware(_))));
        assert!(job(File::Csv, large, Limits::STREAM).is_ok());
    }
}
