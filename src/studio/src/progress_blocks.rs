//! What of the three matrices is in the array or complete, as a few rectangles of each: by closed form, however many
//! folds there are.

use crate::Plan;
use systolic::{Axis, Cycle, Fold, Gemm, Hold, Operand, PeId};

/// The fold that the corner PE is at, and how many vectors of its stream have come in.
#[must_use]
pub fn progress(plan: &Plan, cycle: Cycle) -> (Fold, u64) {
    let schedule = plan.schedule();
    let (index, came) = arrived(plan, cycle, schedule.hops(PeId::new(0, 0)));
    (schedule.fold(index), came)
}

/// The axes of a matrix, down and across.
#[must_use]
pub const fn axes(operand: Operand) -> (Axis, Axis) {
    match operand {
        Operand::A => (Axis::M, Axis::K),
        Operand::B => (Axis::K, Axis::N),
        Operand::C => (Axis::M, Axis::N),
    }
}

/// Rows and columns of a matrix.
#[must_use]
pub const fn extent(run: Gemm, operand: Operand) -> (u64, u64) {
    let (down, across) = axes(operand);
    (run.extent(down), run.extent(across))
}

/// A part of a matrix that is in the array, or of C that is complete or has partial sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgressBlock {
    /// The matrix.
    pub operand: Operand,
    /// From this row to before that.
    pub rows: (u64, u64),
    /// From this column to before that.
    pub cols: (u64, u64),
    /// Whether the fold that runs works on it.
    pub is_current: bool,
    /// Whether sums over the rest of K are still to be added.
    pub is_partial: bool,
}

/// Number of the fold whose stream has come to the places `delay` cycles behind the corner, and how many of its vectors
/// have; the streams of the folds before it have come whole.
fn arrived(plan: &Plan, cycle: Cycle, delay: u64) -> (u64, u64) {
    let progress = crate::whereabouts::stream_progress(plan, cycle, delay);
    (progress.fold, progress.n_received)
}

/// Vectors of a fold's stream that have reached the places `delay` cycles behind the corner.
fn reached(plan: &Plan, cycle: Cycle, index: u64, delay: u64) -> u64 {
    let (at, came) = arrived(plan, cycle, delay);
    match at.cmp(&index) {
        core::cmp::Ordering::Greater => plan.schedule().stream_len(),
        core::cmp::Ordering::Equal => came,
        core::cmp::Ordering::Less => 0,
    }
}

/// The parts of A and B that are wholly in the array in the fold that runs, and the parts of C that are complete or partial.
#[must_use]
pub fn progress_blocks(plan: &Plan, cycle: Cycle) -> Vec<ProgressBlock> {
    let schedule = plan.schedule();
    let mapping = schedule.mapping();
    let (now, _) = progress(plan, cycle);
    // The rows and columns of a fold as places on their axes, and this much of its stream.
    let block = |operand: Operand, fold: &Fold, from_row: u64, stream: u64, is_partial: bool| {
        let side = |axis: Axis| {
            if axis == mapping.rows {
                (fold.row_origin + from_row, fold.row_origin + u64::from(fold.mapped.rows))
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
    let mut all = vec![block(dataflow.from_west(), &now, 0, from_west, false)];
    if dataflow.hold() == Hold::Operand {
        // The last row comes in first, and rows that are padding before it.
        let loaded = schedule.rows_loaded(cycle, last_col).filter(|(fold, _)| fold.index == now.index);
        let (all_rows, mapped) = (u64::from(schedule.array().rows()), u64::from(now.mapped.rows));
        let loaded = loaded.map_or(mapped, |(_, rows)| (rows + mapped).saturating_sub(all_rows));
        all.push(block(dataflow.stationary(), &now, mapped - loaded, 0, false));
    } else {
        let from_north = reached(plan, cycle, now.index, schedule.hops(PeId::new(0, last_col)));
        all.push(block(Operand::B, &now, 0, from_north, false));
    }
    all.extend(results(plan, cycle).into_iter().map(|(rows, cols, index, is_partial)| {
        let is_current = index == Some(now.index);
        ProgressBlock { operand: Operand::C, rows, cols, is_current, is_partial }
    }));
    all
}

/// From a place to before another.
type Span = (u64, u64);

/// What of C is complete or partial: rows, columns, the fold where it is of one alone, and whether sums are to be added.
///
/// Row folds run innermost, and the folds of one width and height reach their last PE in order. So of each such panel of
/// C there are at most whole columns of folds, a part of one, and the fold whose results are coming.
fn results(plan: &Plan, cycle: Cycle) -> Vec<(Span, Span, Option<u64>, bool)> {
    let schedule = plan.schedule();
    let (row_folds, col_folds) = (schedule.row_folds(), schedule.col_folds());
    let flows = schedule.dataflow().hold() == Hold::Operand;
    let (length, all_rows) = (schedule.stream_len(), schedule.array().rows());
    let mapping = schedule.mapping();
    // Folds from one to another, and this much of their streams, as places in C.
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
    // Sums run down to the last row of the array, whatever the height of the fold; those that stay are complete where
    // they are, earlier in a lower one.
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
            // Where K is folded, the sums over its first folds cover the same elements.
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
