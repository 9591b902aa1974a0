//! Progress of long work, shown only on a terminal.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Delay before the first line of progress, and between lines.
const EVERY: Duration = Duration::from_millis(500);

/// A progress counter on the error stream.
pub(crate) struct Progress {
    noun: &'static str,
    total: Option<u64>,
    last: Instant,
    is_shown: bool,
    has_written: bool,
}

impl Progress {
    /// Starts a counter for work items, with the total number of items if this number is known. Messages call the items
    /// `noun`.
    pub(crate) fn new(noun: &'static str, total: Option<u64>) -> Self {
        Self { noun, total, last: Instant::now(), is_shown: io::stderr().is_terminal(), has_written: false }
    }

    /// Sets the total number of work items.
    pub(crate) const fn of(&mut self, total: u64) {
        self.total = Some(total);
    }

    /// Reports the number of finished work items.
    pub(crate) fn at(&mut self, done: u64) {
        if !self.is_shown || self.last.elapsed() < EVERY {
            return;
        }
        self.last = Instant::now();
        self.has_written = true;
        let total = self.total.map_or_else(String::new, |total| format!(" of {total}"));
        let _ = write!(io::stderr(), "\r{done}{total} {}", self.noun);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.has_written {
            // The progress line is cleared, so that messages start on an empty line.
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
