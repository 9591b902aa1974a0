//! WS and IS: p(i,j) = Σ_{k ≤ i} x[k][t − h·i − j] · w[k][j], h being the cycles from a row to the next.
//!
//! The streamed elements are laid out by k and distance from the corner, so that the columns of a row read a contiguous
//! window. Four rows of eight columns are done together, their sums in registers and k ascending in each.

use core::ops::Range;

use super::Earlier;
use crate::{Fold, Hold, Lane, Schedule, Vectors};

/// Elements of four bytes in a machine vector.
const WIDTH: usize = 4;
/// Rows done together. Their windows lie one vector apart, so that they share what they read.
const ROWS: usize = 4;
/// Vectors of columns done together: with these rows as many sums as there are registers for.
const VECTORS: usize = 2;
/// Columns done together.
const COLS: usize = WIDTH * VECTORS;
/// Vectors that those rows and columns read for one k.
const WINDOW: usize = ROWS + VECTORS - 1;

type Vector<T> = [T; WIDTH];
type Block<S> = [[Vector<S>; VECTORS]; ROWS];

/// The streamed elements in rows, one per k, by distance from the corner.
struct Stream<T> {
    values: Vec<T>,
    stride: usize,
}

impl<T> Stream<T> {
    #[inline(always)]
    fn part(&self, k: usize, from: usize, len: usize) -> &[T] {
        &self.values[k * self.stride + from..][..len]
    }
}

pub(super) fn add<L: Lane>(
    s: &Schedule,
    vectors: &Vectors<L>,
    fold: &Fold,
    clock: i64,
    earlier: Option<Earlier<'_, L::Sum>>,
    plane: &mut [L::Sum],
) {
    let lane = vectors.lane();
    let (rows, cols) = (s.array().rows() as usize, s.array().cols() as usize);
    let (mapped_rows, mapped_cols) = (fold.mapped.rows as usize, fold.mapped.cols as usize);
    let hop = usize::try_from(s.timing().row_hop).unwrap_or(1);
    let spacing = WIDTH / hop;
    let stream = stream(s, vectors, fold, clock, hop * (rows + ROWS * spacing) + cols + COLS * ROWS);
    // A sum that was n rows farther north n cycles ago goes on from there.
    let earlier = earlier.filter(|earlier| hop == 1 && earlier.cycles < rows as u64);
    let leap = earlier.map(|earlier| places(earlier.cycles));
    let terms = |row: usize| {
        let first = leap.map_or(0, |leap| (row + 1).saturating_sub(leap));
        first.min(mapped_rows)..(row + 1).min(mapped_rows)
    };
    // By row, and empty for the rows that fill up the last group.
    let spans: Vec<Range<usize>> = (0..rows + ROWS * spacing)
        .map(|row| if row < rows { span(s, clock, row * hop, mapped_cols) } else { 0..0 })
        .collect();
    let first_rows: Vec<usize> = (0..rows).filter(|row| row % (ROWS * spacing) < spacing).collect();
    for from in (0..mapped_cols).step_by(COLS) {
        let until = (from + COLS).min(mapped_cols);
        let held = panel(vectors, fold, from);
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
            // The terms that all rows have, all rows at once; then those that only the later rows have.
            let all: [Range<usize>; ROWS] = core::array::from_fn(|place| terms(row_of(place)));
            let shared_from = all.iter().map(|terms| terms.start).fold(0, usize::max);
            let shared_to = all.iter().map(|terms| terms.end).fold(usize::MAX, usize::min).max(shared_from);
            let at = first_row * hop + from;
            for (place, terms) in all.iter().enumerate().filter(|_| earlier.is_some()) {
                let head = terms.start..shared_from.min(terms.end);
                one_row(lane, &mut block[place], &stream, &held, at + place * WIDTH, head);
            }
            last_rows::<4, L>(lane, &mut block, &stream, &held, at, shared_from..shared_to);
            // A row has as many terms more than the one before as lie between them.
            let tail = |place: usize| all[place - 1].end.max(shared_to)..all[place].end;
            last_rows::<3, L>(lane, &mut block, &stream, &held, at, tail(1));
            last_rows::<2, L>(lane, &mut block, &stream, &held, at, tail(2));
            last_rows::<1, L>(lane, &mut block, &stream, &held, at, tail(3));
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

/// The held operands of a few columns, one array per k; zeros where the fold has no such column.
fn panel<L: Lane>(vectors: &Vectors<L>, fold: &Fold, from: usize) -> Vec<[Vector<L::Operand>; VECTORS]> {
    let line = |k: u32| {
        let held = &vectors.north_vector(fold, Hold::Operand, k.into())[from..];
        let mut line = [[L::Operand::default(); WIDTH]; VECTORS];
        match held.first_chunk::<COLS>() {
            // A copy of a known length is a few moves, one of any length is a call.
            Some(held) => {
                for (some, held) in line.iter_mut().zip(held.as_chunks::<WIDTH>().0) {
                    *some = *held;
                }
            }
            None => line.as_flattened_mut()[..held.len()].copy_from_slice(held),
        }
        line
    };
    (0..fold.mapped.rows).map(line).collect()
}

#[inline(always)]
fn mac<L: Lane>(lane: L, sums: Vector<L::Sum>, x: Vector<L::Operand>, w: Vector<L::Operand>) -> Vector<L::Sum> {
    core::array::from_fn(|j| lane.mac(sums[j], x[j], w[j]))
}

/// Some terms of the last N rows of a block.
#[inline(always)]
fn last_rows<const N: usize, L: Lane>(
    lane: L,
    block: &mut Block<L::Sum>,
    stream: &Stream<L::Operand>,
    held: &[[Vector<L::Operand>; VECTORS]],
    at: usize,
    terms: Range<usize>,
) {
    let Some(block) = block.last_chunk_mut::<N>().filter(|_| !terms.is_empty()) else { return };
    let mut sums = *block;
    let from = terms.start * stream.stride + at + (ROWS - N) * WIDTH;
    let mut rows = stream.values[from..].chunks(stream.stride);
    let mut held = held[terms].iter();
    while let (Some(row), Some(w)) = (rows.next(), held.next()) {
        let Some(window) = row.as_chunks::<WIDTH>().0.first_chunk::<WINDOW>() else { break };
        let (x, w) = (*window, *w);
        sums = core::array::from_fn(|row| core::array::from_fn(|col| mac(lane, sums[row][col], x[row + col], w[col])));
    }
    *block = sums;
}

/// Some terms of one row.
fn one_row<L: Lane>(
    lane: L,
    sums: &mut [Vector<L::Sum>; VECTORS],
    stream: &Stream<L::Operand>,
    held: &[[Vector<L::Operand>; VECTORS]],
    at: usize,
    terms: Range<usize>,
) {
    for k in terms {
        let window = stream.part(k, at, COLS).as_chunks::<WIDTH>().0;
        for ((sums, &x), &w) in sums.iter_mut().zip(window).zip(&held[k]) {
            *sums = mac(lane, *sums, x, w);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "callers pass at most the array's rows")]
const fn places(cycles: u64) -> usize {
    cycles as usize
}

/// The columns of a row that the stream is at, `behind` cycles after the first row.
fn span(s: &Schedule, clock: i64, behind: usize, mapped_cols: usize) -> Range<usize> {
    let near = clock - i64::try_from(behind).unwrap_or(i64::MAX);
    let stream = crate::lattice::signed(s.timing().stream);
    let place = |col: i64| usize::try_from(col.max(0)).unwrap_or(usize::MAX).min(mapped_cols);
    place(near + 1 - stream)..place(near + 1)
}

/// The streamed elements by k and distance from the corner.
fn stream<L: Lane>(s: &Schedule, vectors: &Vectors<L>, fold: &Fold, clock: i64, len: usize) -> Stream<L::Operand> {
    const TOGETHER: usize = 16;
    let timing = s.timing();
    let distances = usize::try_from(s.hops(s.farthest()) + 1).unwrap_or(usize::MAX);
    // A stride that is a power of two would put all rows on the same cache lines.
    let stride = len.next_multiple_of(TOGETHER) | TOGETHER;
    let mut values = vec![L::Operand::default(); stride * fold.mapped.rows as usize];
    for block in (0..distances).step_by(TOGETHER) {
        let vector = |place: usize| {
            let since = clock - i64::try_from(block + place).unwrap_or(i64::MAX);
            let time = timing.pace.vector_at(u64::try_from(since).ok()?, s.stream_len())?;
            (block + place < distances).then(|| vectors.west_vector(fold, time))
        };
        let several: [Option<&[L::Operand]>; TOGETHER] = core::array::from_fn(vector);
        if let Some(several) = all(several) {
            let n = fold.mapped.rows as usize;
            let several = several.map(|vector| &vector[..n]);
            for k in 0..n {
                let Some(places) = values[k * stride + block..].first_chunk_mut::<TOGETHER>() else { break };
                for (place, vector) in places.iter_mut().zip(&several) {
                    *place = vector[k];
                }
            }
            continue;
        }
        for (place, vector) in several.iter().enumerate() {
            for (row, &value) in values.chunks_exact_mut(stride).zip(vector.unwrap_or_default()) {
                row[block + place] = value;
            }
        }
    }
    Stream { values, stride }
}

/// All of several, if none is missing.
fn all<T: Copy, const N: usize>(several: [Option<&[T]>; N]) -> Option<[&[T]; N]> {
    several.iter().all(Option::is_some).then(|| several.map(Option::unwrap_or_default))
}
