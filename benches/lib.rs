//! Timing in interleaved rounds: each figure is next to a bound that is measured in the same round.

pub mod array;
pub mod estimates;
pub mod import;

use std::fmt;

/// Shortest time over which a figure is measured, in seconds.
const WINDOW_SEC: f64 = 0.025;

/// Number of rounds. The median of their ratios counts.
const ROUNDS: usize = 9;

#[cfg(not(target_arch = "wasm32"))]
fn now_sec() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

#[cfg(target_arch = "wasm32")]
fn now_sec() -> f64 {
    use wasm_bindgen::prelude::wasm_bindgen;
    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance)]
        fn now() -> f64;
    }
    now() / 1000.0
}

/// Returns the mean seconds of one call of `work`.
pub fn seconds_per_call(mut work: impl FnMut()) -> f64 {
    let mut calls = 1u32;
    loop {
        let begun = now_sec();
        for _ in 0..calls {
            work();
        }
        let elapsed = now_sec() - begun;
        if elapsed >= WINDOW_SEC {
            return elapsed / f64::from(calls);
        }
        calls = calls.saturating_mul(2);
    }
}

/// A measured time and its bound.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Seconds of one call of the work.
    pub work_sec: f64,
    /// Seconds of one call of the bound.
    pub bound_sec: f64,
}

impl Outcome {
    /// Returns the time of the work divided by the time of the bound.
    #[must_use]
    pub fn times_bound(&self) -> f64 {
        self.work_sec / self.bound_sec
    }
}

/// A figure of the report, printed as one line.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Name of the timed work.
    pub name: &'static str,
    /// Times of the work and of the bound.
    pub outcome: Outcome,
    /// Ratio of the two times: the figure that counts.
    pub ratio: f64,
    /// Unit of the ratio, for example "evaluations of the cycle formula".
    pub unit: &'static str,
}

impl Line {
    /// Column headings of the report.
    pub const HEADER: &'static str = "                                                    work       bound     ratio";
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = |sec: f64| format!("{:.3} µs", sec * 1e6);
        let Self { name, outcome, ratio, unit } = self;
        write!(f, "{name:<44}{:>12}{:>12}{ratio:>8.2} {unit}", us(outcome.work_sec), us(outcome.bound_sec))
    }
}

/// Times the work and its bound in turns, and returns the round with the median ratio.
pub fn against(mut work: impl FnMut(), bound: impl FnMut()) -> Outcome {
    in_turns(|| seconds_per_call(&mut work), bound)
}

/// Times a bound in turns with work that measures its own seconds, and returns the round with the median ratio.
pub fn in_turns(mut work_sec: impl FnMut() -> f64, mut bound: impl FnMut()) -> Outcome {
    let mut rounds: Vec<Outcome> =
        (0..ROUNDS).map(|_| Outcome { work_sec: work_sec(), bound_sec: seconds_per_call(&mut bound) }).collect();
    rounds.sort_by(|a, b| a.times_bound().total_cmp(&b.times_bound()));
    rounds[ROUNDS / 2]
}

/// Returns the mean seconds of `n` calls, one after the other, on one copy of `fresh`. The copying is not timed.
pub fn seconds_per_call_on<T: Clone>(fresh: &T, n: u32, mut work: impl FnMut(&mut T)) -> f64 {
    let mut copy = fresh.clone();
    let begun = now_sec();
    for _ in 0..n {
        work(&mut copy);
    }
    (now_sec() - begun) / f64::from(n)
}
