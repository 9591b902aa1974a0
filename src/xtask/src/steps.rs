//! Progress lines of a command: "[2/5] building the page (about 1 min; 3 min left in all)" and the duration of each
//! step.

use std::time::{Duration, Instant};

use crate::Error;

/// Counter of the steps of one command, which prints a line for each step.
#[derive(Debug)]
pub struct Steps {
    /// Approximate duration of each step on two cores. Zero for a quick step.
    estimates: Vec<Duration>,
    started: usize,
    /// Total duration of the finished steps.
    spent: Duration,
    /// Total estimate for the finished steps.
    estimated: Duration,
}

impl Steps {
    /// Returns the counter for a command with `total` steps that are quick or have no estimate.
    #[must_use]
    pub fn new(total: usize) -> Self {
        Self::estimated(vec![Duration::ZERO; total])
    }

    /// Returns the counter for a command with an estimated duration for each step. The command can then print the time
    /// left.
    #[must_use]
    pub fn estimated(estimates: Vec<Duration>) -> Self {
        Self { estimates, started: 0, spent: Duration::ZERO, estimated: Duration::ZERO }
    }

    /// Prints `name`, does `work`, and prints the duration.
    ///
    /// # Errors
    /// Returns the error of `work`.
    pub fn run<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.started += 1;
        println!("[{}/{}] {name}{}", self.started, self.estimates.len(), self.outlook());
        let begun = Instant::now();
        let outcome = work();
        let took = begun.elapsed();
        self.spent += took;
        self.estimated += self.estimates.get(self.started - 1).copied().unwrap_or(Duration::ZERO);
        println!("      {} {}", if outcome.is_ok() { "done in" } else { "failed after" }, elapsed(took));
        outcome
    }

    /// Returns the expected time of the current step and of all steps left, in words. Empty for a step under 10 s.
    fn outlook(&self) -> String {
        let now = self.estimates.get(self.started - 1).copied().unwrap_or(Duration::ZERO);
        let left: Duration = self.estimates.iter().skip(self.started - 1).sum();
        if now < Duration::from_secs(10) {
            return String::new();
        }
        let (now, left) = (rough(now.mul_f64(self.pace())), rough(left.mul_f64(self.pace())));
        if now == left { format!(" (about {now})") } else { format!(" (about {now}; {left} left in all)") }
    }

    /// Returns the ratio of actual to estimated time for the finished steps, limited to the range from 0.2 to 5.
    fn pace(&self) -> f64 {
        // Before half a minute, the ratio is mostly noise.
        if self.estimated < Duration::from_secs(30) {
            return 1.0;
        }
        (self.spent.as_secs_f64() / self.estimated.as_secs_f64()).clamp(0.2, 5.0)
    }
}

/// Formats a duration for a reader: "0.4 s", "2 min 5 s".
#[must_use]
pub fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}

/// Formats an estimate, rounded to tens of seconds or to minutes: "20 s", "3 min".
fn rough(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds <= 50 { format!("{} s", seconds.div_ceil(10) * 10) } else { format!("{} min", (seconds + 30) / 60) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: &[u64]) -> Vec<Duration> {
        seconds.iter().copied().map(Duration::from_secs).collect()
    }

    #[test]
    fn a_duration_reads_like_speech() {
        assert_eq!(elapsed(Duration::from_millis(420)), "0.4 s");
        assert_eq!(elapsed(Duration::from_secs(125)), "2 min 5 s");
        assert_eq!(
            seconds(&[1, 12, 50, 51, 89, 90]).into_iter().map(rough).collect::<Vec<_>>(),
            ["10 s", "20 s", "50 s", "1 min", "1 min", "2 min"]
        );
    }

    #[test]
    fn a_long_step_says_how_much_time_is_left_and_a_quick_one_does_not() {
        let mut steps = Steps::estimated(seconds(&[0, 60, 90]));
        let mut said = Vec::new();
        for _ in 0..3 {
            steps.started += 1;
            said.push(steps.outlook());
        }
        assert_eq!(said, ["", " (about 1 min; 3 min left in all)", " (about 2 min)"]);
    }

    #[test]
    fn the_time_left_follows_the_pace_of_the_machine() {
        let mut steps = Steps::estimated(seconds(&[60, 120]));
        (steps.started, steps.spent, steps.estimated) = (2, Duration::from_secs(120), Duration::from_secs(60));
        assert_eq!(steps.outlook(), " (about 4 min)");
    }
}
