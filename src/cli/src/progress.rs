//! Progress of long work, on a terminal only.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// The delay before the first line of progress, and between lines.
const EVERY: Duration = Duration::from_millis(500);

/// A counter on the error stream.
pub(crate) struct Progress {
    noun: &'static str,
    total: Option<u64>,
    last: Instant,
    is_shown: bool,
    has_written: bool,
}

impl Progress {
    /// Counts things of a kind, up to a total if that is known.
    pub(crate) fn new(noun: &'static str, total: Option<u64>) -> Self {
        Self { noun, total, last: Instant::now(), is_shown: io::stderr().is_terminal(), has_written: false }
    }

    /// This many are done.
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
            // The line is cleared, so that problems begin on a clean one.
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
