//! Parts of the three matrices that are in the array or complete, as a few rectangles per matrix. A closed form gives
//! the rectangles, however many folds the run has.

use crate::Plan;
use systolic::{Adder, Axis, Cycle, Fold, Gemm, Hold, Operand, PeId, Schedule};

/// Returns the fold at the corner PE, and the number of vectors of its stream that have entered.
#[must_use]
pub fn progress(plan: &Plan, cycle: Cycle) -> (Fold, u64) {
    let schedule = plan.schedule();
    let (index, came) = arrived(plan, cycle, schedule.hops(PeId::new(0, 0)));
    (schedule.fold(index), came)
}

/// Returns the axes of a matrix: the axis of its rows, then the axis of its columns.
#[must_use]
pub const fn axes(operand: Operand) -> (Axis, Axis) {
    match operand {
        Operand::A => (Axis::M, Axis::K),
        Operand::B => (Axis::K, Axis::N),
        Operand::C => (Axis::M, Axis::N),
    }
}

/// Returns the number of rows and columns of a matrix.
#[must_use]
pub const fn extent(run: Gemm, operand: Operand) -> (u64, u64) {
    let (down, across) = axes(operand);
    (run.extent(down), run.extent(across))
}

/// A rectangle of A or B that is in the array, or a rectangle of C that is complete or has partial sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgressBlock {
    /// The matrix.
    pub operand: Operand,
    /// Range of rows: the first row, and the row after the last.
    pub rows: (u64, u64),
    /// Range of columns: the first column, and the column after the last.
    pub cols: (u64, u64),
    /// True if the current fold works on this part.
    pub is_current: bool,
    /// True if later folds still add sums over the rest of K.
    pub is_partial: bool,
}

/// Returns the fold whose stream is at the PEs `delay` cycles behind the corner PE, and the number of vectors that
/// these PEs have received. The streams of earlier folds have arrived completely.
fn arrived(plan: &Plan, cycle: Cycle, delay: u64) -> (u64, u64) {
    let progress = crate::whereabouts::stream_progress(plan, cycle, delay);
    (progress.fold, progress.n_received)
}

/// Number of vectors of a fold's stream that have reached the PEs `delay` cycles behind the corner PE.
fn reached(plan: &Plan, cycle: Cycle, index: u64, delay: u64) -> u64 {
    let (at, came) = arrived(plan, cycle, delay);
    match at.cmp(&index) {
        core::cmp::Ordering::Greater => plan.schedule().stream_len(),
        core::cmp::Ordering::Equal => came,
        core::cmp::Ordering::Less => 0,
    }
}

/// Returns the parts of A and B that are in the array in the current fold, and the parts of C that are complete or
/// partial.
#[must_use]
pub fn progress_blocks(plan: &Plan, cycle: Cycle) -> Vec<ProgressBlock> {
    let schedule = plan.schedule();
    let mapping = schedule.mapping();
    let (now, _) = progress(plan, cycle);
    // Returns a block of a matrix: the rows and columns of a fold, and this much of its stream.
    let block = |operand: Operand, fold: &Fold, rows: Span, stream: u64, is_partial: bool| {
        let side = |axis: Axis| {
            if axis == mapping.rows {
                rows
            } else if axis == mapping.cols {
                (fold.col_origin, fold.col_origin + u64::from(fold.mapped.cols))
            } else {
                (0, stream)
            }
        };
        let (down, across) = axes(operand);
        let is_current = fold.index == now.index;
        ProgressBlock { operand, rows: side(down), cols: side(across), is_current, is_partial }
    };
    let (last_row, last_col) = (now.mapped.rows.saturating_sub(1), now.mapped.cols.saturating_sub(1));
    let dataflow = schedule.dataflow();
    let from_west = reached(plan, cycle, now.index, schedule.hops(PeId::new(last_row, 0)));
    let rows = (now.row_origin, now.row_origin + u64::from(now.mapped.rows));
    let mut all = vec![block(dataflow.from_west(), &now, rows, from_west, false)];
    if dataflow.hold() == Hold::Operand {
        // The last row enters first, after rows of padding.
        let loaded = schedule.rows_loaded(cycle, last_col).filter(|(fold, _)| fold.index == now.index);
        let (all_rows, mapped) = (u64::from(schedule.array().rows()), u64::from(now.mapped.rows));
        let loaded = loaded.map_or(mapped, |(_, rows)| (rows + mapped).saturating_sub(all_rows));
        let spans = loaded_spans(schedule, rows, loaded).into_iter().flatten();
        all.extend(spans.map(|rows| block(dataflow.stationary(), &now, rows, 0, false)));
    } else {
        let from_north = reached(plan, cycle, now.index, schedule.hops(PeId::new(0, last_col)));
        all.push(block(Operand::B, &now, rows, from_north, false));
    }
    all.extend(results(plan, cycle).into_iter().map(|(rows, cols, index, is_partial)| {
        let is_current = index == Some(now.index);
        ProgressBlock { operand: Operand::C, rows, cols, is_current, is_partial }
    }));
    all
}

/// Range of indices: the first index, and the index after the last.
type Span = (u64, u64);

/// Indices of the last `n` rows of PEs of a fold whose rows have the indices `from..to`. With the adder `tpu`, the rows
/// alternate between the lower half and the upper half of these indices. Within a half, the indices ascend with the
/// rows.
fn loaded_spans(schedule: &Schedule, (from, to): Span, n: u64) -> [Option<Span>; 2] {
    if schedule.adder() != Adder::Tpu || n == to - from {
        return [Some((to - n, to)), None];
    }
    let middle = u64::midpoint(from, to);
    [(from, middle), (middle, to)].map(|(from, end)| {
        let first =
            (to - n..to).map(|nth| schedule.row_index(nth)).filter(|index| (from..end).contains(index)).min()?;
        Some((first, end))
    })
}

/// Parts of C that are complete or partial. Each part has its rows, its columns, its fold, and a flag that is true if
/// later folds still add to the sums. The fold is `None` if several folds compute the part.
///
/// Within each column of folds, the folds run row by row. The streams of folds with equal width and height reach their
/// last PE in order. A panel is the area of C that such folds compute. So each panel has at most three parts: complete
/// columns of folds, part of a column of folds, and a fold whose results are leaving.
fn results(plan: &Plan, cycle: Cycle) -> Vec<(Span, Span, Option<u64>, bool)> {
    let schedule = plan.schedule();
    let (row_folds, col_folds) = (schedule.row_folds(), schedule.col_folds());
    let flows = schedule.dataflow().hold() == Hold::Operand;
    let (length, all_rows) = (schedule.stream_len(), schedule.array().rows());
    let mapping = schedule.mapping();
    // Returns the part of C for a range of folds and this much of their streams.
    let place = |rows: Span, cols: Span, stream: u64| {
        let (first, last) =
            (schedule.fold(cols.0 * row_folds + rows.0), schedule.fold((cols.1 - 1) * row_folds + rows.1 - 1));
        let side = |axis: Axis| {
            if axis == mapping.rows {
                (first.row_origin, last.row_origin + u64::from(last.mapped.rows))
            } else if axis == mapping.cols {
                (first.col_origin, last.col_origin + u64::from(last.mapped.cols))
            } else {
                (0, stream)
            }
        };
        let (down, across) = axes(Operand::C);
        (side(down), side(across))
    };
    let mut found = Vec::new();
    // Moving sums are complete in the last row of the array, whatever the height of the fold. Sums that stay are
    // complete in their PE, which is earlier in a fold with fewer rows.
    let panels = |folds: u64| [(0, folds - 1), (folds - 1, folds)].into_iter().filter(|(from, to)| from < to);
    let bands: Vec<Span> = if flows { vec![(0, row_folds)] } else { panels(row_folds).collect() };
    for (band, cols) in bands.into_iter().flat_map(|band| panels(col_folds).map(move |cols| (band, cols))) {
        let sample = schedule.fold(cols.0 * row_folds + band.0);
        let height = if flows { all_rows } else { sample.mapped.rows };
        let corner = PeId::new(height.saturating_sub(1), sample.mapped.cols.saturating_sub(1));
        let (at, came) = arrived(plan, cycle, schedule.hops(corner));
        let (col, row) = (at / row_folds, at % row_folds);
        let whole = col.min(cols.1);
        if whole > cols.0 {
            let (rows, cols) = place(band, (cols.0, whole), length);
            found.push((rows, cols, None, false));
        }
        if !(cols.0..cols.1).contains(&col) {
            continue;
        }
        let done = row.min(band.1);
        if done > band.0 {
            let (rows, cols) = place((band.0, done), (col, col + 1), length);
            // If K is folded, the sums over its first folds cover equal elements.
            found.push((rows, cols, None, flows));
        }
        let is_there = if flows { came > 0 } else { came == length };
        if is_there && (band.0..band.1).contains(&row) {
            let (rows, cols) = place((row, row + 1), (col, col + 1), came);
            found.push((rows, cols, Some(at), flows && row + 1 < row_folds));
        }
    }
    found
}

#[cfg(test)]
mod tests;
