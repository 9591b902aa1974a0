//! Benchmark of reading files: the longest call for each of the hardest files, next to a UTF-8 check of one piece.

use std::hint::black_box;

use workload::Import;

use crate::{Line, Outcome, now_sec, seconds_per_call};

#[path = "../src/models/workload/tests/hostile/mod.rs"]
mod hostile;

/// Number of bytes of the longest piece.
const PIECE: usize = 1 << 19;
/// Number of readings per file. Only the shortest time of each call counts, because other programs may run meanwhile.
const READS: usize = 3;

/// Returns the seconds of each call of reading a file, in order.
fn calls(file: &hostile::File) -> Vec<f64> {
    let mut import = Import::new(file.size());
    let mut calls = Vec::new();
    while let Some(wanted) = import.wants() {
        let piece = file.read(wanted);
        let begun = now_sec();
        // A refused piece has also been read.
        let _ = black_box(import.feed(&piece));
        calls.push(now_sec() - begun);
    }
    calls
}

/// Returns a line for each file.
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
