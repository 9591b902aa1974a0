//! Progress lines: "[2/5] building the page" and how long it took.

use std::time::{Duration, Instant};

use crate::Error;

/// Counts the steps of one command and says which one runs.
#[derive(Debug)]
pub struct Steps {
    total: usize,
    started: usize,
}

impl Steps {
    /// A command of `total` steps, none of them begun.
    #[must_use]
    pub const fn new(total: usize) -> Self {
        Self { total, started: 0 }
    }

    /// Announces `name`, does `work`, says how long it took.
    ///
    /// # Errors
    /// What `work` returns.
    pub fn run<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.started += 1;
        println!("[{}/{}] {name}", self.started, self.total);
        let begun = Instant::now();
        let outcome = work();
        let verb = if outcome.is_ok() { "done in" } else { "failed after" };
        println!("      {verb} {}", elapsed(begun.elapsed()));
        outcome
    }
}

/// A duration as a reader says it: "0.4 s", "2 min 5 s".
#[must_use]
pub fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_reads_like_speech() {
        assert_eq!(elapsed(Duration::from_millis(420)), "0.4 s");
        assert_eq!(elapsed(Duration::from_secs(125)), "2 min 5 s");
    }
}
