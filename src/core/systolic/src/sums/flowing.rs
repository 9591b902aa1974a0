//! Sums that flow south (WS, IS).
//!
//! p(i,j) = Σ_{k ≤ i} x[k][t − h·i − j] · w[k][j], with h cycles from a row to the next.
//!
//! The streamed elements are ordered by k and by distance from the corner, so that the columns of a row read a
//! contiguous window. Four rows of eight columns are computed together. The sums of these columns stay in CPU
//! registers, and k ascends in each sum.

use core::ops::Range;

use super::Earlier;
use super::packed::{COLS, HeldRow, Packed, ROWS, Stream, VECTORS, Vector, WIDTH};
use super::starts::Starts;
use crate::{Fold, Lane, Schedule};

/// Number of machine vectors of the stream that a block reads for one k.
const WINDOW: usize = ROWS + VECTORS - 1;

type Block<S> = [[Vector<S>; VECTORS]; ROWS];

pub(super) fn add<L: Lane>(
    lane: L,
    s: &Schedule,
    (packed, starts): (&Packed<L::Operand>, Option<&Starts<L::Sum>>),
    (fold, clock): (&Fold, i64),
    earlier: Option<Earlier<'_, L::Sum>>,
    plane: &mut [L::Sum],
) {
    let (rows, cols) = (s.array().rows() as usize, s.array().cols() as usize);
    let (mapped_rows, mapped_cols) = (fold.mapped.rows as usize, fold.mapped.cols as usize);
    let hop = places(s.timing().row_hop);
    let spacing = WIDTH / hop;
    let stream = packed.stream(fold);
    let Some(corner) = stream.corner(clock) else { return };
    // A sum that was n rows farther north n cycles ago continues from there.
    let earlier = earlier.filter(|earlier| hop == 1 && earlier.cycles < rows as u64);
    let leap = earlier.map(|earlier| places(earlier.cycles));
    let terms = |row: usize| {
        let first = leap.map_or(0, |leap| (row + 1).saturating_sub(leap));
        first.min(mapped_rows)..(row + 1).min(mapped_rows)
    };
    // These are the columns that each row computes. Rows that pad the last group compute none.
    let spans: Vec<Range<usize>> = (0..rows + ROWS * spacing)
        .map(|row| if row < rows { span(s, clock, row * hop, mapped_cols) } else { 0..0 })
        .collect();
    let first_rows: Vec<usize> = (0..rows).filter(|row| row % (ROWS * spacing) < spacing).collect();
    for from in (0..mapped_cols).step_by(COLS) {
        let until = (from + COLS).min(mapped_cols);
        let held = packed.panel(fold, from / COLS);
        for &first_row in &first_rows {
            let row_of = |place: usize| first_row + place * spacing;
            let span = |place: usize| {
                let Range { start, end } = spans[row_of(place)];
                start.max(from)..end.min(until)
            };
            if (0..ROWS).all(|place| span(place).is_empty()) {
                continue;
            }
            let mut block: Block<L::Sum> = [[[L::Sum::default(); WIDTH]; VECTORS]; ROWS];
            if let (Some(earlier), Some(leap)) = (earlier, leap) {
                for (place, sums) in block.iter_mut().enumerate() {
                    if let Some(row) = row_of(place).checked_sub(leap).filter(|&row| row < rows) {
                        sums.as_flattened_mut()[..until - from]
                            .copy_from_slice(&earlier.plane[row * cols + from..row * cols + until]);
                    }
                }
            }
            if let Some(starts) = starts {
                for (place, sums) in block.iter_mut().enumerate().filter(|&(place, _)| terms(row_of(place)).start == 0)
                {
                    for col in span(place) {
                        let since = clock - crate::lattice::signed((row_of(place) * hop + col) as u64);
                        let time = s.timing().pace.vector_at(since.unsigned_abs(), s.stream_len());
                        let start = time.map(|time| starts.at(fold, time, col));
                        sums.as_flattened_mut()[col - from] = start.unwrap_or_default();
                    }
                }
            }
            // The first pass adds the terms that all rows have, for all rows at once. Then the later rows add the terms
            // that only they have.
            let all: [Range<usize>; ROWS] = core::array::from_fn(|place| terms(row_of(place)));
            let shared_from = all.iter().map(|terms| terms.start).fold(0, usize::max);
            let shared_to = all.iter().map(|terms| terms.end).fold(usize::MAX, usize::min).max(shared_from);
            let at = corner + first_row * hop + from;
            for (place, terms) in all.iter().enumerate().filter(|_| earlier.is_some()) {
                let head = terms.start..shared_from.min(terms.end);
                one_row(lane, &mut block[place], stream, held, at + place * WIDTH, head);
            }
            last_rows::<4, L>(lane, &mut block, stream, held, at, shared_from..shared_to);
            // Each row of the block has up to `spacing` terms more than the row before.
            let tail = |place: usize| all[place - 1].end.max(shared_to)..all[place].end;
            last_rows::<3, L>(lane, &mut block, stream, held, at, tail(1));
            last_rows::<2, L>(lane, &mut block, stream, held, at, tail(2));
            last_rows::<1, L>(lane, &mut block, stream, held, at, tail(3));
            if L::IN_BLOCKS {
                let complete = block.iter_mut().enumerate().filter(|&(place, _)| row_of(place) + 1 >= mapped_rows);
                complete.flat_map(|(_, sums)| sums.as_flattened_mut()).for_each(|sum| *sum = lane.closed(*sum));
            }
            for (place, sums) in block.iter().enumerate() {
                let span = span(place);
                if span.is_empty() {
                    continue;
                }
                let sums = sums.as_flattened();
                let row = &mut plane[row_of(place) * cols..][span.clone()];
                match (row.first_chunk_mut::<COLS>(), sums.first_chunk::<COLS>()) {
                    (Some(row), Some(sums)) => *row = *sums,
                    _ => row.copy_from_slice(&sums[span.start - from..span.end - from]),
                }
            }
        }
    }
}

#[inline(always)]
fn mac<L: Lane>(lane: L, sums: Vector<L::Sum>, x: Vector<L::Operand>, w: Vector<L::Operand>) -> Vector<L::Sum> {
    core::array::from_fn(|j| lane.mac(sums[j], x[j], w[j]))
}

/// Adds some terms to the sums of the last N rows of a block.
#[inline(always)]
fn last_rows<const N: usize, L: Lane>(
    lane: L,
    block: &mut Block<L::Sum>,
    stream: &Stream<L::Operand>,
    held: &[HeldRow<L::Operand>],
    at: usize,
    terms: Range<usize>,
) {
    let Some(block) = block.last_chunk_mut::<N>().filter(|_| !terms.is_empty()) else { return };
    let mut sums = *block;
    let mut rows = stream.rows(terms.start, at + (ROWS - N) * WIDTH);
    let mut held = held[terms].iter();
    while let (Some(row), Some(w)) = (rows.next(), held.next()) {
        let Some(window) = row.as_chunks::<WIDTH>().0.first_chunk::<WINDOW>() else { break };
        let (x, w) = (*window, *w);
        sums = core::array::from_fn(|row| core::array::from_fn(|col| mac(lane, sums[row][col], x[row + col], w[col])));
    }
    *block = sums;
}

/// Adds some terms to the sums of one row.
fn one_row<L: Lane>(
    lane: L,
    sums: &mut [Vector<L::Sum>; VECTORS],
    stream: &Stream<L::Operand>,
    held: &[HeldRow<L::Operand>],
    at: usize,
    terms: Range<usize>,
) {
    for (row, held) in stream.rows(terms.start, at).zip(&held[terms]) {
        for ((sums, &x), &w) in sums.iter_mut().zip(row.as_chunks::<WIDTH>().0).zip(held) {
            *sums = mac(lane, *sums, x, w);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "callers pass at most the array's rows")]
const fn places(cycles: u64) -> usize {
    cycles as usize
}

/// Columns of one row in which the stream is now. The stream reaches this row `behind` cycles after the first row.
fn span(s: &Schedule, clock: i64, behind: usize, mapped_cols: usize) -> Range<usize> {
    let near = clock - crate::lattice::signed(behind as u64);
    let stream = crate::lattice::signed(s.timing().stream);
    let place = |col: i64| usize::try_from(col.max(0)).unwrap_or(usize::MAX).min(mapped_cols);
    place(near + 1 - stream)..place(near + 1)
}
