//! Sums that stay in place (OS).
//!
//! p(i,j) = Σ_{k ≤ t − h·i − j} a[i][k] · b[k][j], with h cycles from a row to the next.

use core::ops::Range;

use super::Earlier;
use crate::fold_residency::FoldResidency;
use crate::lattice::signed;
use crate::{Hold, Lane, Schedule, Vectors};

/// Number of terms that are added to each sum in one pass.
const FEW: usize = 4;

pub(super) fn add<L: Lane>(
    s: &Schedule,
    vectors: &Vectors<L>,
    residency: &FoldResidency,
    clock: i64,
    earlier: Option<Earlier<'_, L::Sum>>,
    plane: &mut [L::Sum],
) {
    let lane = vectors.lane();
    let fold = &residency.fold;
    let (timing, n_terms) = (s.timing(), s.stream_len());
    let cols = s.array().cols() as usize;
    let mapped_cols = i64::from(fold.mapped.cols);
    let place = |col: i64| usize::try_from(col.max(0)).unwrap_or(usize::MAX);
    for row in 0..fold.mapped.rows as usize {
        // The first `gone` PEs of this row belong to the next fold by now.
        let near = clock - signed(timing.row_hop) * signed(row as u64);
        let gone = residency.period.map_or(0, |period| (near - signed(period) + 1).max(0).min(mapped_cols));
        let sums = &mut plane[row * cols..][..cols];
        if vectors.has_c() {
            let reached = (near - signed(timing.pace.arrival(0)) + 1).min(mapped_cols);
            let reached = place(gone)..place(reached).max(place(gone));
            for (sum, col) in sums[reached.clone()].iter_mut().zip(reached) {
                let (row, col) = (fold.row_origin + row as u64, fold.col_origin + col as u64);
                *sum = vectors.start(s.mapping().mkn(row, col, 0));
            }
        }
        if let Some(earlier) = earlier {
            // Only PEs that this fold had reached at the earlier edge continue a sum; the other PEs begin a sum.
            let reached = (near - signed(earlier.cycles) - signed(timing.pace.arrival(0)) + 1).min(mapped_cols);
            let going_on = place(gone)..place(reached).max(place(gone));
            sums[going_on.clone()].copy_from_slice(&earlier.plane[row * cols..][going_on]);
        }
        // These columns received element k after the earlier edge.
        let taking = |k: u64| -> Range<usize> {
            let until = |near: i64| (near - signed(timing.pace.arrival(k)) + 1).min(mapped_cols);
            let before = earlier.map_or(0, |earlier| until(near - signed(earlier.cycles)));
            place(before.max(gone))..place(until(near))
        };
        let vectors_at = |k: u64| (vectors.west_vector(fold, k)[row], vectors.north_vector(fold, Hold::Result, k));
        let first = earlier.map_or(0, |earlier| {
            let nearest = near - signed(earlier.cycles) - (mapped_cols - 1);
            u64::try_from(nearest).map_or(0, |since| timing.pace.delivered(since + 1, n_terms))
        });
        let last = u64::try_from(near - gone).map_or(0, |since| timing.pace.delivered(since + 1, n_terms));
        let mut k = first;
        while k < last {
            let few = FEW.min(usize::try_from(last - k).unwrap_or(FEW));
            let ranges: [Range<usize>; FEW] =
                core::array::from_fn(|step| if step < few { taking(k + step as u64) } else { 0..0 });
            let shared = ranges.iter().map(|range| range.start).fold(0, usize::max)
                ..ranges.iter().map(|range| range.end).fold(usize::MAX, usize::min);
            let shared = if shared.start < shared.end { shared } else { 0..0 };
            if !shared.is_empty() {
                let terms: [(L::Operand, &[L::Operand]); FEW] = core::array::from_fn(|step| {
                    let (a, b) = vectors_at(k + step as u64);
                    (a, &b[shared.clone()])
                });
                four(lane, &mut sums[shared.clone()], terms);
            }
            for (k, range) in (k..).zip(ranges).filter(|(_, range)| range.start < range.end) {
                let (a, b) = vectors_at(k);
                // The shared columns, if any, are between the left columns and the right columns.
                let (left, right) =
                    if shared.is_empty() { (range, 0..0) } else { (range.start..shared.start, shared.end..range.end) };
                for part in [left, right] {
                    for (sum, &b) in sums[part.clone()].iter_mut().zip(&b[part]) {
                        *sum = lane.mac(*sum, a, b);
                    }
                }
            }
            k += few as u64;
        }
        if L::IN_BLOCKS {
            let complete = (near - signed(timing.pace.arrival(n_terms - 1)) + 1).min(mapped_cols);
            let complete = place(gone)..place(complete).max(place(gone));
            sums[complete].iter_mut().for_each(|sum| *sum = lane.closed(*sum));
        }
    }
}

/// Adds four terms to the sums of some columns.
fn four<L: Lane>(lane: L, sums: &mut [L::Sum], terms: [(L::Operand, &[L::Operand]); FEW]) {
    let n = sums.len();
    let [(a0, b0), (a1, b1), (a2, b2), (a3, b3)] = terms.map(|(a, b)| (a, &b[..n]));
    for j in 0..n {
        let sum = lane.mac(sums[j], a0, b0[j]);
        let sum = lane.mac(sum, a1, b1[j]);
        let sum = lane.mac(sum, a2, b2[j]);
        sums[j] = lane.mac(sum, a3, b3[j]);
    }
}
