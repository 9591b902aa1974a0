//! Progress lines: "[2/5] building the page (about 1 min; 3 min left)" and how long it took.

use std::time::{Duration, Instant};

use crate::Error;

/// Counts the steps of one command and says which one runs.
#[derive(Debug)]
pub struct Steps {
    /// How long each step takes on two cores, roughly.
    estimates: Vec<Duration>,
    started: usize,
    /// What the finished steps took, and what they had been estimated at.
    spent: Duration,
    estimated: Duration,
}

impl Steps {
    /// A command of `total` steps that are quick or whose time nobody can say; none of them begun.
    #[must_use]
    pub fn new(total: usize) -> Self {
        Self::estimated(vec![Duration::ZERO; total])
    }

    /// A command whose steps take about this long each, so that the reader hears how much time is left.
    #[must_use]
    pub fn estimated(estimates: Vec<Duration>) -> Self {
        Self { estimates, started: 0, spent: Duration::ZERO, estimated: Duration::ZERO }
    }

    /// Announces `name`, does `work`, says how long it took.
    ///
    /// # Errors
    /// What `work` returns.
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

    /// The time of the step that begins and of all that are left, in words; nothing for a quick one.
    fn outlook(&self) -> String {
        let now = self.estimates.get(self.started - 1).copied().unwrap_or(Duration::ZERO);
        let left: Duration = self.estimates.iter().skip(self.started - 1).sum();
        if now < Duration::from_secs(10) {
            return String::new();
        }
        let (now, left) = (rough(now.mul_f64(self.pace())), rough(left.mul_f64(self.pace())));
        if now == left { format!(" (about {now})") } else { format!(" (about {now}; {left} left in all)") }
    }

    /// How slow this machine is against the estimates, as far as the finished steps tell.
    fn pace(&self) -> f64 {
        // Before half a minute chance says more than the machine.
        if self.estimated < Duration::from_secs(30) {
            return 1.0;
        }
        (self.spent.as_secs_f64() / self.estimated.as_secs_f64()).clamp(0.2, 5.0)
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

/// An estimate, no more exact than it is: "20 s", "3 min".
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
