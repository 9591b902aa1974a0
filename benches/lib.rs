//! How things are timed: in interleaved rounds, each figure beside a bound measured in the same round.

use std::time::{Duration, Instant};

/// Shortest time a figure is taken over.
const WINDOW: Duration = Duration::from_millis(25);

/// Rounds; the median of their ratios counts.
const ROUNDS: usize = 9;

/// Seconds that one call takes.
pub fn seconds_per_call(mut work: impl FnMut()) -> f64 {
    let mut calls = 1u32;
    loop {
        let begun = Instant::now();
        for _ in 0..calls {
            work();
        }
        let elapsed = begun.elapsed();
        if elapsed >= WINDOW {
            return elapsed.as_secs_f64() / f64::from(calls);
        }
        calls = calls.saturating_mul(2);
    }
}

/// A figure and its bound.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Seconds of one call of the work.
    pub work_sec: f64,
    /// Seconds of one call of the bound.
    pub bound_sec: f64,
}

impl Outcome {
    /// How many times as long as the bound the work takes.
    #[must_use]
    pub fn times_bound(&self) -> f64 {
        self.work_sec / self.bound_sec
    }
}

/// Times the work and its bound in turns; gives the round whose ratio is the median.
pub fn against(mut work: impl FnMut(), mut bound: impl FnMut()) -> Outcome {
    let mut rounds: Vec<Outcome> = (0..ROUNDS)
        .map(|_| Outcome { work_sec: seconds_per_call(&mut work), bound_sec: seconds_per_call(&mut bound) })
        .collect();
    rounds.sort_by(|a, b| a.times_bound().total_cmp(&b.times_bound()));
    rounds[ROUNDS / 2]
}
