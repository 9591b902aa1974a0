//! One drawing for each cycle of a run, in a ZIP: for slides, films and figures.

use std::io::{Cursor, Write};
use std::sync::Arc;

use studio::{Link, Plan};
use systolic::Cycle;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::{View, svg};

/// Cycles of a run that are put in a ZIP at most.
pub const CYCLES_MAX: u64 = 1_000;

/// A ZIP that is being filled, so that whoever fills it can show how far it is, and stop.
pub struct Frames {
    plan: Arc<Plan>,
    link: Link,
    size: (f32, f32),
    zip: ZipWriter<Cursor<Vec<u8>>>,
    next: u64,
}

impl Frames {
    /// An empty one, for drawings of this width and height.
    #[must_use]
    pub fn new(plan: Arc<Plan>, link: Link, size: (f32, f32)) -> Self {
        Self { plan, link, size, zip: ZipWriter::new(Cursor::new(Vec::new())), next: 0 }
    }

    /// Cycles that it will have.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.plan.schedule().cycles().get().min(CYCLES_MAX)
    }

    /// Whether it has none, which no run has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Draws the next cycle; says whether there is another one.
    ///
    /// # Errors
    /// The ZIP cannot hold it.
    pub fn step(&mut self) -> zip::result::ZipResult<bool> {
        if self.next < self.len() {
            let digits = self.len().saturating_sub(1).to_string().len();
            let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
            let view = View { plan: &self.plan, link: &self.link, size: self.size };
            let drawing = svg::document_at(&view, Cycle(self.next));
            self.zip.start_file(format!("cycle-{:0digits$}.svg", self.next), options)?;
            self.zip.write_all(drawing.as_bytes())?;
            self.next += 1;
        }
        Ok(self.next < self.len())
    }

    /// The file.
    ///
    /// # Errors
    /// The ZIP cannot be closed.
    pub fn finish(self) -> zip::result::ZipResult<Vec<u8>> {
        Ok(self.zip.finish()?.into_inner())
    }
}
