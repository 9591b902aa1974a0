//! Operands of a WS or IS run in the order in which a snapshot reads them. A snapshot then reads the operands without
//! copying them.
//!
//! Fast matrix multiplications pack their operands into panels for the same reason (Goto and van de Geijn, "Anatomy of
//! High-Performance Matrix Multiplication", §5). Here the operands are packed once for all cycles of a run.

use crate::{Fold, Hold, Lane, Schedule, Vectors};

/// Number of 4-byte elements in a machine vector.
pub(super) const WIDTH: usize = 4;
/// Number of rows computed together. The stream windows of neighboring rows are one vector apart, so that the rows
/// share most of their vectors.
pub(super) const ROWS: usize = 4;
/// Number of machine vectors computed together in each row. With [`ROWS`] rows, the sums fill the registers of the
/// processor.
pub(super) const VECTORS: usize = 2;
/// Number of columns computed together.
pub(super) const COLS: usize = WIDTH * VECTORS;

pub(super) type Vector<T> = [T; WIDTH];
/// Stationary operands of one row and [`COLS`] columns.
pub(super) type HeldRow<T> = [Vector<T>; VECTORS];

/// Packed operands of a run; empty for an output-stationary run, whose operands are read unpacked.
#[derive(Clone, Debug, Default)]
pub(super) struct Packed<T> {
    /// Streams, one for each fold along the axis that is mapped to the rows.
    streams: Vec<Stream<T>>,
    /// Panels of each fold.
    panels: Vec<Panels<T>>,
}

/// Streamed elements, with one row per k. A row is ordered by distance from the corner: the last element to arrive is
/// first.
#[derive(Clone, Debug)]
pub(super) struct Stream<T> {
    values: Vec<T>,
    stride: usize,
    /// Index, within a row, of the element that arrives first.
    first: usize,
}

/// Stationary operands of a fold: panels of [`COLS`] columns, each ordered by k. Columns beyond the fold are zeros.
#[derive(Clone, Debug)]
struct Panels<T> {
    values: Vec<HeldRow<T>>,
    rows: usize,
}

impl<T: Copy + Default> Packed<T> {
    pub(super) fn new<L: Lane<Operand = T>>(s: &Schedule, vectors: &Vectors<L>) -> Self {
        let mut packed = Self { streams: Vec::new(), panels: Vec::new() };
        if s.dataflow().hold() == Hold::Operand {
            for fold in (0..s.folds()).map(|index| s.fold(index)) {
                if fold.row_fold == packed.streams.len() as u64 {
                    packed.streams.push(Stream::new(s, vectors, &fold));
                }
                packed.panels.push(Panels::new(vectors, &fold));
            }
        }
        packed
    }

    pub(super) fn stream(&self, fold: &Fold) -> &Stream<T> {
        &self.streams[place(fold.row_fold)]
    }

    pub(super) fn panel(&self, fold: &Fold, panel: usize) -> &[HeldRow<T>] {
        let Panels { values, rows } = &self.panels[place(fold.index)];
        &values[panel * rows..][..*rows]
    }
}

#[expect(clippy::cast_possible_truncation, reason = "what is packed is in memory")]
const fn place(index: u64) -> usize {
    index as usize
}

impl<T: Copy + Default> Stream<T> {
    fn new<L: Lane<Operand = T>>(s: &Schedule, vectors: &Vectors<L>, fold: &Fold) -> Self {
        const TOGETHER: usize = 16;
        let timing = s.timing();
        let (rows, cols) = (s.array().rows() as usize, s.array().cols() as usize);
        // Empty places follow the last element, up to the distance of the farthest PE. The buffer also has empty places
        // before the first element, so that blocks can read there.
        let after = place(s.hops(s.farthest()) + 1);
        let before = place(timing.row_hop) * (rows + ROWS * WIDTH) + cols + COLS * ROWS;
        let len = place(timing.stream);
        // A stride that is a power of two would put all rows on the same cache lines.
        let stride = (after + len + before).next_multiple_of(TOGETHER) | TOGETHER;
        let n = fold.mapped.rows as usize;
        let mut values = vec![T::default(); stride * n];
        let vector = |cycle: usize| {
            let time = timing.pace.vector_at(cycle as u64, s.stream_len())?;
            Some(&vectors.west_vector(fold, time)[..n])
        };
        let mut until = len;
        while until > 0 {
            let from = until.saturating_sub(TOGETHER);
            let several: [Option<&[T]>; TOGETHER] =
                core::array::from_fn(|place| (until - from > place).then(|| vector(until - 1 - place)).flatten());
            let at = after + len - until;
            if several.iter().all(Option::is_some) {
                let several = several.map(Option::unwrap_or_default);
                for k in 0..n {
                    let Some(places) = values[k * stride + at..].first_chunk_mut::<TOGETHER>() else { break };
                    for (place, vector) in places.iter_mut().zip(&several) {
                        *place = vector[k];
                    }
                }
            } else {
                for (place, vector) in several.iter().enumerate() {
                    for (row, &value) in values.chunks_exact_mut(stride).zip(vector.unwrap_or(&[])) {
                        row[at + place] = value;
                    }
                }
            }
            until = from;
        }
        Self { values, stride, first: (after + len).saturating_sub(1) }
    }

    /// Index, within each row, of the element that is at the corner PE `clock` cycles after the first element. `None`
    /// before the first element and after all elements have left.
    pub(super) fn corner(&self, clock: i64) -> Option<usize> {
        self.first.checked_sub(usize::try_from(clock).ok()?)
    }

    /// Rows of the stream from row `k` on, each from index `place` on; empty if the stream has no row `k`.
    #[inline(always)]
    pub(super) fn rows(&self, k: usize, place: usize) -> impl Iterator<Item = &[T]> {
        self.values.get(k * self.stride + place..).unwrap_or(&[]).chunks(self.stride)
    }
}

impl<T: Copy + Default> Panels<T> {
    fn new<L: Lane<Operand = T>>(vectors: &Vectors<L>, fold: &Fold) -> Self {
        let rows = fold.mapped.rows as usize;
        let mut values = Vec::with_capacity(rows * (fold.mapped.cols as usize).div_ceil(COLS));
        for from in (0..fold.mapped.cols as usize).step_by(COLS) {
            values.extend((0..fold.mapped.rows).map(|k| {
                let held = &vectors.north_vector(fold, Hold::Operand, k.into())[from..];
                let mut some = HeldRow::default();
                for (to, &value) in some.as_flattened_mut().iter_mut().zip(held) {
                    *to = value;
                }
                some
            }));
        }
        Self { values, rows }
    }
}
