//! Positions of the elements of A, B and C at a cycle, for matrices whose elements are drawn one by one.

pub mod one;

use crate::Plan;
use crate::progress_blocks::extent;
use core::cmp::Ordering;
use systolic::{Adder, Axis, Cycle, Cycles, Hold, Mkn, Operand, PeId, StreamPosition};

/// Position of an element of A or B.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whereabouts {
    /// Element in memory that this fold or a later fold will read.
    #[default]
    Waiting,
    /// Element in memory that enters a register at the next clock edge.
    Next,
    /// Element in a skew register at an edge of the array.
    Queued,
    /// Element in a PE.
    Inside,
    /// Element that has left the array: no fold reads it again.
    Passed,
}

/// Progress of an element of C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultProgress {
    /// Number of products that have been added to the element's sum.
    pub terms: u64,
    /// True if the element is complete and, if sums flow, has left the array.
    pub is_complete: bool,
    /// True if the element became complete in this cycle.
    pub is_new: bool,
}

/// Progress of a fold's stream, seen from the PEs at one delay behind the corner PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamProgress {
    /// Index of the fold.
    pub(crate) fold: u64,
    /// Number of vectors that the PEs have received.
    pub(crate) n_received: u64,
    /// True if the last received vector is at the PEs now.
    pub(crate) is_present: bool,
}

/// Returns the progress of the stream at PEs that are `delay` cycles behind the corner.
pub(crate) fn stream_progress(plan: &Plan, cycle: Cycle, delay: u64) -> StreamProgress {
    let schedule = plan.schedule();
    let (fold, position) = schedule.stream_position(cycle, delay);
    match position {
        StreamPosition::Before => StreamProgress { fold: fold.index, n_received: 0, is_present: false },
        StreamPosition::At(wave) => StreamProgress { fold: fold.index, n_received: wave + 1, is_present: true },
        StreamPosition::Past => {
            StreamProgress { fold: fold.index, n_received: schedule.stream_len(), is_present: false }
        }
        // Between two vectors of a slow edge, as many vectors have entered as one cycle before.
        StreamPosition::Gap => match cycle.get().checked_sub(1) {
            Some(before) => StreamProgress { is_present: false, ..stream_progress(plan, Cycle(before), delay) },
            None => StreamProgress { fold: fold.index, n_received: 0, is_present: false },
        },
    }
}

/// Compares the position of vector `wave` of a fold's stream with the PEs `delay` cycles behind the corner PE. `Less`
/// if the vector has not arrived at these PEs, `Equal` if it is at these PEs, `Greater` if it has left.
fn progress(plan: &Plan, cycle: Cycle, fold: u64, wave: u64, delay: u64) -> Ordering {
    let StreamProgress { fold: at, n_received: n, is_present: is_there } = stream_progress(plan, cycle, delay);
    at.cmp(&fold).then_with(|| match (n.cmp(&(wave + 1)), is_there) {
        (Ordering::Equal, false) => Ordering::Greater,
        (order, _) => order,
    })
}

/// Returns the position of every element of A or B, row by row.
#[must_use]
pub fn operands(plan: &Plan, cycle: Cycle, operand: Operand) -> Vec<Whereabouts> {
    let schedule = plan.schedule();
    let (rows, cols) = extent(schedule.run(), operand);
    let place = |row: u64, col: u64| match operand {
        Operand::A => Mkn { m: row, k: col, n: 0 },
        Operand::B | Operand::C => Mkn { m: 0, k: row, n: col },
    };
    let elements = (0..rows).flat_map(|row| (0..cols).map(move |col| place(row, col)));
    if schedule.dataflow().stationary() == operand {
        let held = elements_in_pes(plan, cycle, operand);
        let mut all: Vec<Whereabouts> = elements.map(|mkn| of_stationary(plan, cycle, mkn)).collect();
        for (row, col) in held {
            if let Some(place) = usize::try_from(row * cols + col).ok().and_then(|index| all.get_mut(index)) {
                *place = Whereabouts::Inside;
            }
        }
        return all;
    }
    elements.map(|mkn| of_stream(plan, cycle, operand, mkn)).collect()
}

/// Returns the elements of the stationary operand that are in the active register or the shadow register of a PE.
fn elements_in_pes(plan: &Plan, cycle: Cycle, operand: Operand) -> Vec<(u64, u64)> {
    let schedule = plan.schedule();
    let prober = plan.prober();
    let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
    let pes = (0..rows).flat_map(|row| (0..cols).map(move |col| PeId::new(row, col)));
    pes.flat_map(|pe| {
        let probe = prober.without_sum(cycle, pe);
        [probe.held, probe.shadow].into_iter().flatten()
    })
    .filter(|element| element.operand == operand)
    .map(|element| (element.row, element.col))
    .collect()
}

/// Returns the position of an element of the stationary operand that is not in a PE.
fn of_stationary(plan: &Plan, cycle: Cycle, mkn: Mkn) -> Whereabouts {
    let (fold, pe, _) = plan.schedule().place_of(mkn);
    let schedule = plan.schedule();
    let now = schedule.rows_loaded(cycle, pe.col).map(|(fold, _)| fold.index);
    if now > Some(fold.index) {
        return Whereabouts::Passed;
    }
    let entered = |cycle: Cycle| {
        let (loading, rows) = schedule.rows_loaded(cycle, pe.col)?;
        Some(loading.index == fold.index && rows >= u64::from(schedule.array().rows() - pe.row))
    };
    if entered(cycle.after(Cycles(1))) == Some(true) { Whereabouts::Next } else { Whereabouts::Waiting }
}

/// Returns the position of an element of a streaming operand. An element that is neither in the array nor in a skew
/// register is waiting until the last fold has read the element. Afterwards the element has passed.
fn of_stream(plan: &Plan, cycle: Cycle, operand: Operand, mkn: Mkn) -> Whereabouts {
    let schedule = plan.schedule();
    let (fold, pe, wave) = plan.schedule().place_of(mkn);
    let from_west = schedule.dataflow().from_west() == operand;
    let (row_folds, col_folds) = (schedule.row_folds(), schedule.col_folds());
    let array = schedule.array();
    // Lane of the element: a row that it crosses to the last column, or a column that it crosses to the last row.
    let (first, last, registers) = if from_west {
        (PeId::new(pe.row, 0), PeId::new(pe.row, array.cols() - 1), pe.row)
    } else {
        (PeId::new(0, pe.col), PeId::new(array.rows() - 1, pe.col), pe.col)
    };
    let (step, n, from) = if from_west {
        (row_folds, col_folds, fold.index % row_folds)
    } else {
        (1, row_folds, fold.index / row_folds * row_folds)
    };
    // Folds whose streams are in the lane or come next. There are several if streams are shorter than the lane.
    let leaving = schedule.stream_position(cycle, schedule.hops(last)).0.index;
    let is_reader = |index: u64| index >= from && (index - from).is_multiple_of(step) && (index - from) / step < n;
    let at = |cycle: Cycle, fold: u64, pe: PeId| progress(plan, cycle, fold, wave, schedule.hops(pe));
    let later = |ahead: u64| cycle.after(Cycles(ahead)).min(schedule.last_cycle());
    let comes_by = |fold: u64, ahead: u64| at(later(ahead), fold, first) != Ordering::Less;
    let ahead = schedule.stream_position(later(u64::from(registers) + 1), schedule.hops(first)).0.index;
    let readers = || (leaving..=ahead).filter(|&fold| is_reader(fold));
    for fold in readers() {
        let has_come = at(cycle, fold, first) != Ordering::Less;
        if has_come && at(cycle, fold, last) != Ordering::Greater {
            return Whereabouts::Inside;
        }
    }
    for fold in readers() {
        let has_come = at(cycle, fold, first) != Ordering::Less;
        if !has_come && comes_by(fold, registers.into()) {
            return Whereabouts::Queued;
        }
        if !has_come && comes_by(fold, u64::from(registers) + 1) {
            return Whereabouts::Next;
        }
    }
    let final_fold = from + (n - 1) * step;
    if at(cycle, final_fold, first) == Ordering::Less { Whereabouts::Waiting } else { Whereabouts::Passed }
}

/// Returns the progress of every element of C, row by row.
#[must_use]
pub fn results(plan: &Plan, cycle: Cycle) -> Vec<ResultProgress> {
    let run = plan.schedule().run();
    let before = cycle.get().checked_sub(1).map(Cycle);
    let cells = (0..run.m()).flat_map(|m| (0..run.n()).map(move |n| (m, n)));
    cells
        .map(|(m, n)| {
            let is_complete = is_complete(plan, cycle, m, n);
            let is_new = is_complete && !before.is_some_and(|before| self::is_complete(plan, before, m, n));
            let terms = (0..run.k()).filter(|&k| is_added(plan, cycle, Mkn { m, k, n })).count();
            ResultProgress { terms: terms as u64, is_complete, is_new }
        })
        .collect()
}

/// Cycles from the arrival of both operands at a PE until their product is in the sum.
pub(crate) fn product_delay(plan: &Plan) -> u64 {
    u64::from(plan.schedule().design().pipeline.product_register)
}

/// True if a product of the run has been added to its sum.
fn is_added(plan: &Plan, cycle: Cycle, mkn: Mkn) -> bool {
    let (fold, pe, wave) = plan.schedule().place_of(mkn);
    let delay = plan.schedule().hops(pe) + product_delay(plan);
    progress(plan, cycle, fold.index, wave, delay) != Ordering::Less
}

/// True if an element of C has all its products and, if sums flow, is at the south edge.
#[must_use]
pub fn is_complete(plan: &Plan, cycle: Cycle, m: u64, n: u64) -> bool {
    let schedule = plan.schedule();
    let last = Mkn { m, k: schedule.last_k(), n };
    match schedule.dataflow().hold() {
        Hold::Result => is_added(plan, cycle, last),
        Hold::Operand => {
            // The sum crosses rows that are padding, too.
            let (fold, pe, wave) = schedule.place_of(last);
            let south = PeId::new(schedule.array().rows() - 1, pe.col);
            progress(plan, cycle, fold.index, wave, schedule.hops(south) + product_delay(plan)) != Ordering::Less
        }
    }
}

/// Number of complete elements of C, and number of all elements. Uses a closed form, however large C is.
#[must_use]
pub fn n_complete(plan: &Plan, cycle: Cycle) -> (u64, u64) {
    let schedule = plan.schedule();
    let gemm = schedule.gemm();
    let n = match schedule.dataflow().hold() {
        Hold::Operand => n_flown(plan, cycle),
        Hold::Result => n_in_place(plan, cycle),
    };
    (n, gemm.m() * gemm.n())
}

/// Maximum number of folds whose results are underway at the same time.
const FOLDS_UNDERWAY: u64 = 3;

/// Number of rows or columns of a fold that are not padding.
fn n_real(origin: u64, mapped: u32, real: u64) -> u64 {
    (origin + u64::from(mapped)).min(real).saturating_sub(origin)
}

fn axis_len(plan: &Plan, axis: Axis) -> u64 {
    plan.schedule().gemm().extent(axis)
}

/// Number of complete elements of C, if sums flow. Several folds may add to the same sums. The last of these folds
/// releases the complete sums at the south edge, one vector after another.
fn n_flown(plan: &Plan, cycle: Cycle) -> u64 {
    let schedule = plan.schedule();
    let mapping = schedule.mapping();
    let (waves, cols) = (axis_len(plan, mapping.time), axis_len(plan, mapping.cols));
    let (row_folds, last_row) = (schedule.row_folds(), schedule.array().rows() - 1);
    let south = |col: u32| schedule.hops(PeId::new(last_row, col)) + product_delay(plan);
    // The fold at the last column is the oldest one underway.
    let oldest = schedule.stream_position(cycle, south(schedule.array().cols() - 1)).0.index / row_folds;
    let before = (oldest * u64::from(schedule.array().cols())).min(cols) * waves;
    let newest = (oldest + FOLDS_UNDERWAY).min(schedule.col_folds());
    let underway = (oldest..newest).map(|nth| {
        let fold = schedule.fold((nth + 1) * row_folds - 1);
        let real = n_real(fold.col_origin, fold.mapped.cols, cols);
        let columns = (0..fold.mapped.cols).take_while(|&col| u64::from(col) < real);
        columns.map(|col| n_arrived(plan, cycle, fold.index, south(col)).min(waves)).sum::<u64>()
    });
    before + underway.sum::<u64>()
}

/// Number of complete elements of C, if sums stay: the sums of the PEs that the whole stream has reached.
fn n_in_place(plan: &Plan, cycle: Cycle) -> u64 {
    let schedule = plan.schedule();
    let mapping = schedule.mapping();
    let (rows, cols) = (axis_len(plan, mapping.rows), axis_len(plan, mapping.cols));
    let array = schedule.array();
    let delay = |row: u32, col: u32| schedule.hops(PeId::new(row, col)) + product_delay(plan);
    let oldest = schedule.stream_position(cycle, delay(array.rows() - 1, array.cols() - 1)).0.index;
    let (row_folds, height, width) = (schedule.row_folds(), u64::from(array.rows()), u64::from(array.cols()));
    let (down, across) = (oldest % row_folds, oldest / row_folds);
    let whole_columns = (across * width).min(cols) * rows;
    let of_column = (down * height).min(rows) * n_real(across * width, array.cols(), cols);
    let newest = (oldest + FOLDS_UNDERWAY).min(schedule.folds());
    let underway = (oldest..newest).map(|index| {
        let fold = schedule.fold(index);
        let real = (n_real(fold.row_origin, fold.mapped.rows, rows), n_real(fold.col_origin, fold.mapped.cols, cols));
        let of_row = |row: u32| {
            // Farther columns are reached later.
            let (mut least, mut most) = (0, u32::try_from(real.1).unwrap_or(u32::MAX));
            while least < most {
                let middle = u32::midpoint(least, most);
                if n_arrived(plan, cycle, index, delay(row, middle)) == schedule.stream_len() {
                    least = middle + 1;
                } else {
                    most = middle;
                }
            }
            u64::from(least)
        };
        (0..u32::try_from(real.0).unwrap_or(u32::MAX)).map(of_row).sum::<u64>()
    });
    whole_columns + of_column + underway.sum::<u64>()
}

/// Number of vectors of a fold's stream that have arrived at the PEs `delay` cycles behind the corner PE.
fn n_arrived(plan: &Plan, cycle: Cycle, fold: u64, delay: u64) -> u64 {
    let StreamProgress { fold: at, n_received: n, .. } = stream_progress(plan, cycle, delay);
    match at.cmp(&fold) {
        Ordering::Greater => plan.schedule().stream_len(),
        Ordering::Equal => n,
        Ordering::Less => 0,
    }
}

/// Part of a matrix in one lane: the indices from `from` up to, but not including, `to`. A lane is a row or a column of
/// PEs. For a stream, this part is in the array. For C, this part has left the array or, if sums stay, is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// Index of the lane on its axis of the GEMM.
    pub lane: u64,
    /// Start of the part. For a stream: number of vectors that have passed through the lane.
    pub from: u64,
    /// End of the part. For a stream: number of vectors that have entered the lane.
    pub to: u64,
}

/// Maximum number of intervals between sampled lanes. Between two sampled lanes, the edges of a band are straight.
const BAND_LANES: u32 = 32;

/// Returns evenly spaced indices of PEs along an edge of `n` PEs, including the first and the last PE.
fn sample(n: u32) -> impl Iterator<Item = u32> {
    let steps = n.saturating_sub(1).min(BAND_LANES);
    (0..=steps).map(move |step| (step * n.saturating_sub(1)).checked_div(steps).unwrap_or(0))
}

/// Returns the first and the last lane of each sequence of lanes with consecutive indices.
fn ends_of_runs(n: u32, index: impl Fn(u32) -> u64) -> impl Iterator<Item = u32> {
    let goes_on = move |lane: u32| lane > 0 && lane < n && index(lane) == index(lane - 1) + 1;
    (0..n).filter(move |&lane| !goes_on(lane) || !goes_on(lane + 1))
}

/// Returns the part of a streaming operand that is in the array, lane by lane. The part belongs to the fold at the
/// corner PE.
#[must_use]
pub fn band(plan: &Plan, cycle: Cycle, operand: Operand) -> Vec<Band> {
    let schedule = plan.schedule();
    let fold = schedule.fold(stream_progress(plan, cycle, schedule.hops(PeId::new(0, 0))).fold);
    let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
    let from_west = schedule.dataflow().from_west() == operand;
    let index = |lane: u32| {
        if from_west {
            schedule.row_index(fold.row_origin + u64::from(lane))
        } else {
            fold.col_origin + u64::from(lane)
        }
    };
    let ends = |lane: u32| {
        if from_west {
            (PeId::new(lane, 0), PeId::new(lane, cols - 1))
        } else {
            (PeId::new(0, lane), PeId::new(rows - 1, lane))
        }
    };
    let of_lane = |lane: u32| {
        let (first, last) = ends(lane);
        let to = n_arrived(plan, cycle, fold.index, schedule.hops(first));
        let StreamProgress { fold: at, n_received: n, is_present: is_there } =
            stream_progress(plan, cycle, schedule.hops(last));
        let from = match at.cmp(&fold.index) {
            Ordering::Less => 0,
            Ordering::Equal => n - u64::from(is_there && n > 0),
            Ordering::Greater => schedule.stream_len(),
        };
        Band { lane: index(lane), from, to }
    };
    if from_west && schedule.adder() == Adder::Tpu {
        let mut bands: Vec<Band> = ends_of_runs(fold.mapped.rows, index).map(of_lane).collect();
        bands.sort_unstable_by_key(|band| band.lane);
        return bands;
    }
    sample(if from_west { fold.mapped.rows } else { fold.mapped.cols }).map(of_lane).collect()
}

/// Results of one fold, lane by lane: the results that have left the array or, if sums stay, are complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coming {
    /// Axis of the lanes. The results of one lane lie along the other axis of C.
    pub lanes: Axis,
    /// True if later folds still add sums over the rest of K.
    pub is_partial: bool,
    /// Bands of the fold, from its first lane to its last lane. No lane of another fold is between these lanes.
    pub bands: Vec<Band>,
}

/// Returns the results of the folds that are underway. Every other fold has all of its results, or none of them.
#[must_use]
pub fn coming_results(plan: &Plan, cycle: Cycle) -> Vec<Coming> {
    let schedule = plan.schedule();
    let (mapping, array) = (schedule.mapping(), schedule.array());
    let flows = schedule.dataflow().hold() == Hold::Operand;
    let delay = |row: u32, col: u32| schedule.hops(PeId::new(row, col)) + product_delay(plan);
    let (last_row, last_col) = (array.rows() - 1, array.cols() - 1);
    let first = if flows { delay(last_row, 0) } else { delay(0, 0) };
    let at = |delay: u64| schedule.stream_position(cycle, delay).0.index;
    let of_fold = |index: u64| {
        let fold = schedule.fold(index);
        let (lanes, origin, is_partial) = if flows {
            (fold.mapped.cols, fold.col_origin, fold.row_fold + 1 < schedule.row_folds())
        } else {
            (fold.mapped.rows, fold.row_origin, false)
        };
        let band = |lane: u32| {
            let lane_at = origin + u64::from(lane);
            if flows {
                return Band { lane: lane_at, from: 0, to: n_arrived(plan, cycle, index, delay(last_row, lane)) };
            }
            // Farther columns get their last term later.
            let is_there = |col: &u64| {
                let col = u32::try_from(*col).unwrap_or(u32::MAX);
                n_arrived(plan, cycle, index, delay(lane, col)) == schedule.stream_len()
            };
            let n = partition(u64::from(fold.mapped.cols), is_there);
            Band { lane: lane_at, from: fold.col_origin, to: fold.col_origin + n }
        };
        let bands = sample(lanes).map(band).collect();
        Coming { lanes: if flows { mapping.cols } else { mapping.rows }, is_partial, bands }
    };
    (at(delay(last_row, last_col))..=at(first)).map(of_fold).collect()
}

/// Returns the number of integers below `all` that have a property. These integers must come before all integers
/// without the property.
pub(crate) fn partition(all: u64, has: impl Fn(&u64) -> bool) -> u64 {
    let (mut least, mut most) = (0, all);
    while least < most {
        let middle = least + (most - least) / 2;
        if has(&middle) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    least
}

#[cfg(test)]
mod tests;
