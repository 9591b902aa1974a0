//! The longest call of reading a file, for the hardest files there are, beside a look at as many bytes.

use std::hint::black_box;

use workload::Import;

use crate::{Line, Outcome, now_sec, seconds_per_call};

#[path = "../src/workload/tests/hostile/mod.rs"]
mod hostile;

/// Bytes of the longest piece.
const PIECE: usize = 1 << 19;
/// Times that a file is read: of each call the shortest counts, since something else may run meanwhile.
const READS: usize = 3;

/// Seconds of each call of reading a file, one after the other.
fn calls(file: &hostile::File) -> Vec<f64> {
    let mut import = Import::new(file.size());
    let mut calls = Vec::new();
    while let Some(wanted) = import.wants() {
        let piece = file.read(wanted);
        let begun = now_sec();
        // What is refused has been read, too.
        let _ = black_box(import.feed(&piece));
        calls.push(now_sec() - begun);
    }
    calls
}

/// A line for each file.
pub fn lines() -> Vec<Line> {
    let text = vec![b'a'; PIECE];
    let bound_sec = seconds_per_call(|| {
        black_box(std::str::from_utf8(black_box(&text)).is_ok());
    });
    let line = |file: hostile::File| {
        let mut shortest = calls(&file);
        for _ in 1..READS {
            for (kept, new) in shortest.iter_mut().zip(calls(&file)) {
                *kept = kept.min(new);
            }
        }
        let outcome = Outcome { work_sec: shortest.into_iter().fold(0.0, f64::max), bound_sec };
        Line { name: file.name, outcome, ratio: outcome.times_bound(), unit: "checks of a piece" }
    };
    hostile::all(u64::MAX).into_iter().map(line).collect()
}
