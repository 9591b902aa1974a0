//! The cells of the cube at a clock edge, and their faces that a viewer sees.
//!
//! A cell is one multiply-accumulate. The cells of one PE in one fold are a line along the axis that collapses. Cells
//! that are done are taken away, so the cells of this cycle are the surface of what is left.

use display::picture::{between, px};
use systolic::{Axis, Cycle, Fold, FoldOrder, KTiles, Mapping, PeId, Schedule};

/// Maximum number of cells that are drawn one by one.
const CELLS_MAX: u64 = 600;
/// Longest side of a cube that is drawn as lines along the axis that collapses. A larger cube is drawn as blocks.
const SIDE_MAX: u64 = 40;
/// Maximum number of folds that are drawn apart in a cube of blocks.
const FOLDS_MAX: u64 = 256;
/// Maximum number of folds along k that are put into the order of the cube.
const LISTED_MAX: u64 = 4096;
/// Largest distance between two folds, in cells, and largest share of a side that all these distances take together.
const GAP: (f32, f32) = (0.7, 0.25);

/// A point of the cube: its place along the rows of PEs, along their columns, and along time, in cells.
type Corner = [f32; 3];
pub(super) type Point = (f32, f32);

/// Direction from which the cube is seen, in degrees of turning to the left and upward. Without turning, the cells of a
/// wave are next to each other, and no cell hides another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    /// Turning to the left.
    pub left: f32,
    /// Turning upward.
    pub up: f32,
}

impl Turn {
    /// Largest angle of turning in each direction, in degrees. Beyond this angle, one of the three visible sides would
    /// be too narrow to see.
    pub const MAX: f32 = 15.0;

    /// Turns further by these degrees, as far as allowed.
    #[must_use]
    pub fn by(self, left: f32, up: f32) -> Self {
        let within = |degrees: f32| between(degrees, -Self::MAX, Self::MAX);
        Self { left: within(self.left + left), up: within(self.up + up) }
    }
}

/// State of a cell or of a block of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Multiplied in this cycle.
    Now,
    /// Multiplied later.
    ToCome,
}

/// Side of a cell that faces the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Toward index 0 of this axis.
    Of(Axis),
    /// A cut through many cells along the wave.
    Cut,
}

/// A polygon that the viewer sees.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) points: Vec<Point>,
    pub(super) side: Side,
    pub(super) state: State,
    /// False if the cells are padding.
    pub(super) is_real: bool,
    /// The line to which the face belongs, and the number of its first cell in the line. `None` for a block.
    pub(super) cell: Option<(Fold, PeId, u64)>,
}

/// Number of cells of a line that are done, and the cell of this cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) done: u64,
    pub(super) now: Option<u64>,
}

/// Returns the progress of the line of a PE in a fold.
pub(super) fn line_progress(schedule: &Schedule, fold: &Fold, pe: PeId, cycle: Cycle) -> Progress {
    let at = |nth: u64| schedule.mkn(fold, pe, nth).map_or(0, |mkn| schedule.term(mkn).cycle.get());
    let (long, cycle) = (schedule.stream_len(), cycle.get());
    let (first, last) = (at(0), at(long - 1));
    if cycle < first {
        return Progress { done: 0, now: None };
    }
    if cycle > last {
        return Progress { done: long, now: None };
    }
    if last - first == long - 1 {
        return Progress { done: cycle - first, now: Some(cycle - first) };
    }
    // With a slow edge, the cycles of the cells of a line have gaps, so the line is searched.
    let (mut done, mut to_come) = (0, long);
    while done < to_come {
        let middle = u64::midpoint(done, to_come);
        if at(middle) < cycle { done = middle + 1 } else { to_come = middle }
    }
    Progress { done, now: (at(done) == cycle).then_some(done) }
}

/// The smallest parts of a cube that are drawn separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grain {
    /// Each cell.
    Cells,
    /// The cells of a PE in a fold as one line.
    Lines,
    /// Blocks, cut along the wave.
    Blocks,
}

/// The cube of a run, and the place of its corners on the screen.
#[derive(Clone, Debug)]
pub(super) struct Cube<'a> {
    pub(super) schedule: &'a Schedule,
    pub(super) cycle: Cycle,
    pub(super) grain: Grain,
    /// Distance between two folds, in cells.
    gap: f32,
    /// Direction of one cell along the rows, the columns and time, on the screen.
    steps: [Point; 3],
    /// Place of the corner with index 0 on all axes.
    origin: Point,
    /// Length of the side of a cell, in pixels.
    pub(super) unit: f32,
}

impl<'a> Cube<'a> {
    /// Returns a cube whose cells have sides of one pixel.
    pub(super) fn new(schedule: &'a Schedule, cycle: Cycle, turn: Turn) -> Self {
        let run = schedule.run();
        let sides = [run.m(), run.k(), run.n()];
        let cells = sides.into_iter().fold(1, u64::saturating_mul);
        let grain = match sides.into_iter().max() {
            _ if cells <= CELLS_MAX => Grain::Cells,
            Some(side) if side <= SIDE_MAX => Grain::Lines,
            _ => Grain::Blocks,
        };
        let (rows, cols) = (schedule.row_folds(), schedule.col_folds());
        let gaps = rows.max(cols) - 1;
        let side = px(run.extent(schedule.mapping().rows).max(run.extent(schedule.mapping().cols)));
        let is_apart = grain != Grain::Blocks || rows.saturating_mul(cols) <= FOLDS_MAX;
        let gap = match is_apart {
            // Between large blocks, a gap of cells is too narrow to see.
            true if grain == Grain::Blocks => side * GAP.1 * 0.3 / px(gaps.max(4)),
            true => GAP.0.min(side * GAP.1 / px(gaps.max(1))),
            false => 0.0,
        };
        // The view starts at 45° and at the angle at which a cube looks like a hexagon.
        let (around, down) = ((45.0 + turn.left).to_radians(), (35.264_39 + turn.up).to_radians());
        let flat = 0.816_496_6;
        let along = |axis: Axis| {
            let (x, y) = match axis {
                Axis::M => (-around.sin(), -around.cos() * down.sin()),
                Axis::K => (0.0, down.cos()),
                Axis::N => (around.cos(), -around.sin() * down.sin()),
            };
            (x / flat, y / flat)
        };
        let Mapping { rows, cols, time } = schedule.mapping();
        Self { schedule, cycle, grain, gap, steps: [rows, cols, time].map(along), origin: (0.0, 0.0), unit: 1.0 }
    }

    /// Returns the cube with cells of this side, moved to this place.
    pub(super) fn placed(self, unit: f32, origin: Point) -> Self {
        Self { unit, origin, ..self }
    }

    /// Returns the place of a corner on the screen.
    pub(super) fn at(&self, corner: Corner) -> Point {
        let mut point = self.origin;
        for (along, step) in corner.into_iter().zip(self.steps) {
            point.0 += along * step.0 * self.unit;
            point.1 += along * step.1 * self.unit;
        }
        point
    }

    /// Returns the axes along the rows, the columns and time.
    pub(super) fn axes(&self) -> [Axis; 3] {
        let Mapping { rows, cols, time } = self.schedule.mapping();
        [rows, cols, time]
    }

    /// Returns the lengths of the three edges in cells, with the gaps between folds.
    pub(super) fn size(&self) -> Corner {
        let (run, [rows, cols, time]) = (self.schedule.run(), self.axes());
        let with_gaps = |axis: Axis, folds: u64| px(run.extent(axis)) + self.gap * px(folds - 1);
        [with_gaps(rows, self.schedule.row_folds()), with_gaps(cols, self.schedule.col_folds()), px(run.extent(time))]
    }

    /// Returns the corner of a fold at which all indices are smallest.
    pub(super) fn corner_of(&self, fold: &Fold) -> Corner {
        let array = self.schedule.array();
        let place = |origin: u64, side: u32| px(origin) + self.gap * px(origin / u64::from(side));
        [place(fold.row_origin, array.rows()), place(fold.col_origin, array.cols()), 0.0]
    }

    /// Returns the middle of a cell.
    pub(super) fn middle_of(&self, fold: &Fold, pe: PeId, nth: u64) -> Point {
        let [row, col, _] = self.corner_of(fold);
        self.at([row + px(pe.row) + 0.5, col + px(pe.col) + 0.5, px(nth) + 0.5])
    }

    /// Returns the folds of the cube that are drawn apart, from the farthest to the nearest. `None` if the cube has too
    /// many folds to draw apart.
    pub(super) fn folds(&self) -> Option<Vec<Fold>> {
        let n = self.schedule.folds();
        if self.grain == Grain::Blocks && n > FOLDS_MAX {
            return None;
        }
        let mut folds: Vec<Fold> = (0..n).map(|index| self.schedule.fold(index)).collect();
        folds.sort_by_key(|fold| core::cmp::Reverse((fold.row_origin, fold.col_origin)));
        Some(folds)
    }

    /// Returns the visible faces, from the farthest to the nearest. If `each_cell` is false, a fold that has not begun
    /// is one block.
    pub(super) fn faces(&self, each_cell: bool) -> Vec<Face> {
        let mut faces = Vec::new();
        match (self.grain, self.folds()) {
            (Grain::Blocks, Some(folds)) => folds.iter().for_each(|fold| self.fold_as_block(fold, &mut faces)),
            (_, Some(folds)) => {
                for fold in &folds {
                    if !each_cell && self.is_untouched(fold) {
                        self.fold_as_block(fold, &mut faces);
                    } else {
                        self.lines(fold, &mut faces);
                    }
                }
            }
            (_, None) => self.regions(&mut faces),
        }
        faces
    }

    /// True if no cell of a fold is done or in this cycle, and no cell is padding.
    fn is_untouched(&self, fold: &Fold) -> bool {
        let (schedule, corner) = (self.schedule, PeId::new(0, 0));
        let last = PeId::new(fold.mapped.rows - 1, fold.mapped.cols - 1);
        let is_later = schedule.mkn(fold, corner, 0).is_some_and(|mkn| self.cycle < schedule.term(mkn).cycle);
        is_later && schedule.mkn(fold, last, schedule.stream_len() - 1).is_some_and(|mkn| schedule.is_real(mkn))
    }

    /// Adds the faces of the lines of a fold.
    fn lines(&self, fold: &Fold, faces: &mut Vec<Face>) {
        let (schedule, long) = (self.schedule, self.schedule.stream_len());
        let [row0, col0, _] = self.corner_of(fold);
        let mapped = fold.mapped;
        let pes = (0..mapped.rows).flat_map(|row| (0..mapped.cols).map(move |col| PeId::new(row, col)));
        let all: Vec<Progress> = pes.map(|pe| line_progress(schedule, fold, pe, self.cycle)).collect();
        let of = |row: u32, col: u32| all.get((row * mapped.cols + col) as usize).copied();
        let [rows, cols, time] = self.axes();
        for row in (0..mapped.rows).rev() {
            for col in (0..mapped.cols).rev() {
                let pe = PeId::new(row, col);
                let Some(own) = of(row, col) else { continue };
                if own.done >= long {
                    continue;
                }
                let (y, x) = (row0 + px(row), col0 + px(col));
                let mut add = |side: Axis, nth: u64, to: u64| {
                    let state = if own.now == Some(nth) { State::Now } else { State::ToCome };
                    let is_real = schedule.mkn(fold, pe, nth).is_some_and(|mkn| schedule.is_real(mkn));
                    let (from, to) = (px(nth), px(to));
                    let corners = if side == time {
                        [[y, x, from], [y + 1.0, x, from], [y + 1.0, x + 1.0, from], [y, x + 1.0, from]]
                    } else if side == rows {
                        [[y, x, from], [y, x + 1.0, from], [y, x + 1.0, to], [y, x, to]]
                    } else {
                        [[y, x, from], [y + 1.0, x, from], [y + 1.0, x, to], [y, x, to]]
                    };
                    let points = corners.map(|corner| self.at(corner)).to_vec();
                    faces.push(Face { points, side: Side::Of(side), state, is_real, cell: Some((*fold, pe, nth)) });
                };
                // A neighbor with a smaller index hides the cells next to its own.
                let seen = |neighbor: Option<Progress>| neighbor.map_or(long, |next| next.done.min(long));
                let north = row.checked_sub(1).and_then(|row| of(row, col));
                let west = col.checked_sub(1).and_then(|col| of(row, col));
                for (side, end) in [(rows, seen(north)), (cols, seen(west))] {
                    for (from, to) in self.pieces(own, end) {
                        add(side, from, to);
                    }
                }
                add(time, own.done, own.done + 1);
            }
        }
    }

    /// Divides the cells of a line into pieces, each with cells of one state. The cells are from the first that is not
    /// done up to `end`.
    fn pieces(&self, own: Progress, end: u64) -> Vec<(u64, u64)> {
        let (real, now) = (self.schedule.real_stream_len(), own.now.map_or(own.done, |now| now + 1));
        if self.grain == Grain::Cells {
            return (own.done..end).rev().map(|nth| (nth, nth + 1)).collect();
        }
        let mut ends =
            [own.done, now, real.max(now), end.max(now)].map(|place| place.clamp(own.done, end.max(own.done)));
        ends.sort_unstable();
        let pairs = ends.into_iter().zip(ends.into_iter().skip(1));
        pairs.filter(|(from, to)| from < to).rev().collect()
    }

    /// Returns the cycles since a fold's corner PE began, the cycles per cell of a line, and the cycles from one row to
    /// the next.
    fn wave_of(&self, fold: &Fold) -> (f32, f32, f32) {
        let schedule = self.schedule;
        let corner = PeId::new(0, 0);
        let at = |nth: u64| schedule.mkn(fold, corner, nth).map_or(0, |mkn| schedule.term(mkn).cycle.get());
        let long = schedule.stream_len();
        let (first, last) = (at(0), at(long - 1));
        let pace = if long > 1 { px(last - first) / px(long - 1) } else { 1.0 };
        #[expect(clippy::cast_precision_loss, reason = "a place on the screen")]
        let since = self.cycle.get() as f32 - first as f32;
        (since, pace, px(schedule.hops(PeId::new(1, 0))))
    }

    /// Adds the faces of a fold as one block, cut along the wave.
    fn fold_as_block(&self, fold: &Fold, faces: &mut Vec<Face>) {
        let size = [px(fold.mapped.rows), px(fold.mapped.cols), px(self.schedule.stream_len())];
        let (since, pace, hop) = self.wave_of(fold);
        let corner = self.corner_of(fold);
        // Cells with hop · row + col + pace · nth < since are done.
        if since > hop * size[0] + size[1] + pace * size[2] {
            return;
        }
        let wave = (since > 0.0).then_some(([hop, 1.0, pace], since));
        self.cuboid(corner, size, wave, faces);
    }

    /// Adds the faces of a cuboid, without the part below the plane `weights · place = level`.
    fn cuboid(&self, corner: Corner, size: Corner, wave: Option<(Corner, f32)>, faces: &mut Vec<Face>) {
        let place = |at: Corner| [corner[0] + at[0], corner[1] + at[1], corner[2] + at[2]];
        let above = |at: &Corner| wave.map_or(1.0, |(by, level)| by[0] * at[0] + by[1] * at[1] + by[2] * at[2] - level);
        let mut cut: Vec<Corner> = Vec::new();
        let mut drawn = Vec::new();
        for (axis, side) in self.axes().into_iter().enumerate() {
            let (one, other) = ((axis + 1) % 3, (axis + 2) % 3);
            for end in [0.0, 1.0] {
                let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(a, b)| {
                    let mut at = [0.0; 3];
                    at[axis] = end * size[axis];
                    at[one] = a * size[one];
                    at[other] = b * size[other];
                    at
                });
                let mut kept: Vec<Corner> = Vec::new();
                for (nth, from) in corners.iter().enumerate() {
                    let to = &corners[(nth + 1) % 4];
                    let (here, next) = (above(from), above(to));
                    if here >= 0.0 {
                        kept.push(*from);
                    }
                    if (here < 0.0) != (next < 0.0) {
                        let share = here / (here - next);
                        let on = [0, 1, 2].map(|i| from[i] + share * (to[i] - from[i]));
                        kept.push(on);
                        cut.push(on);
                    }
                }
                // The viewer sees only the faces toward index 0.
                if end == 0.0 && kept.len() > 2 {
                    let points = kept.into_iter().map(|at| self.at(place(at))).collect();
                    drawn.push(Face { points, side: Side::Of(side), state: State::ToCome, is_real: true, cell: None });
                }
            }
        }
        faces.append(&mut drawn);
        if cut.len() > 2 {
            let mut points: Vec<Point> = cut.into_iter().map(|at| self.at(place(at))).collect();
            around(&mut points);
            faces.push(Face { points, side: Side::Cut, state: State::Now, is_real: true, cell: None });
        }
    }

    /// Returns the rows of all row folds after `row_fold`, as ranges in cells, from the farthest to the nearest.
    fn later_rows(&self, row_fold: u64) -> Vec<(f32, f32)> {
        let (schedule, [rows, ..]) = (self.schedule, self.axes());
        let (high, all) = (u64::from(schedule.array().rows()), schedule.run().extent(rows));
        let range = |first: u64, end: u64| (px(first * high), px((end * high).min(all)));
        if matches!(schedule.design().k_tiles, KTiles::Up) || schedule.row_folds() > LISTED_MAX {
            return vec![range(row_fold + 1, schedule.row_folds())];
        }
        let mut tiles: Vec<u64> = (row_fold + 1..schedule.row_folds()).map(|fold| schedule.row_tile(fold)).collect();
        tiles.sort_unstable();
        let runs = tiles.chunk_by(|one, next| one + 1 == *next);
        runs.rev().filter_map(|run| Some(range(*run.first()?, run.last()? + 1))).collect()
    }

    /// Adds the faces of a cube that has too many folds to draw apart. The folds that have not begun are cuboids, and
    /// the folds at work are cut along the wave.
    fn regions(&self, faces: &mut Vec<Face>) {
        let schedule = self.schedule;
        let (run, [rows, cols, _]) = (schedule.run(), self.axes());
        let (all_rows, all_cols) = (px(run.extent(rows)), px(run.extent(cols)));
        let long = px(schedule.stream_len());
        let current = schedule.locate(self.cycle).fold;
        let [row, col, _] = self.corner_of(&current);
        let (high, wide) = (px(current.mapped.rows), px(current.mapped.cols));
        let mut add = |corner: Corner, size: Corner| {
            if size[0] > 0.0 && size[1] > 0.0 {
                self.cuboid(corner, size, None, faces);
            }
        };
        let later = self.later_rows(current.row_fold);
        match schedule.design().order {
            FoldOrder::Rows => {
                add([0.0, col + wide, 0.0], [all_rows, all_cols - col - wide, long]);
                later.into_iter().for_each(|(from, to)| add([from, col, 0.0], [to - from, wide, long]));
            }
            FoldOrder::Cols => {
                later.into_iter().for_each(|(from, to)| add([from, 0.0, 0.0], [to - from, all_cols, long]));
                add([row, col + wide, 0.0], [high, all_cols - col - wide, long]);
            }
        }
        if let Some(before) = current.index.checked_sub(1) {
            self.fold_as_block(&schedule.fold(before), faces);
        }
        self.fold_as_block(&current, faces);
    }
}

/// Orders points of a convex polygon around their middle.
fn around(points: &mut [Point]) {
    let n = px(points.len() as u64);
    let middle = points.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0 / n, sum.1 + at.1 / n));
    let angle = |at: &Point| (at.1 - middle.1).atan2(at.0 - middle.0);
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
}

/// True if a point is in a convex polygon.
pub(super) fn is_inside(points: &[Point], (x, y): Point) -> bool {
    let next = points.iter().cycle().skip(1);
    let sides = points.iter().zip(next).map(|(a, b)| (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0));
    let (mut left, mut right) = (false, false);
    for side in sides {
        left |= side > 0.0;
        right |= side < 0.0;
    }
    !(left && right)
}
