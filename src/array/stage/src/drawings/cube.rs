//! The multiplications of a matmul as one cube. The array is the shadow of the cube along the axis that collapses, and
//! time is a plane that sweeps through the cube. The drawing has one cube next to the array, or one cube for each
//! dataflow.
//!
//! While a lesson card asks a question, the drawing has no counts.

mod body;

pub use body::Turn;

use ::words::cube as words;
use ::words::figures::array_at_a_glance;
use body::{Cube, Face, Grain, Point, Side, State, is_inside, line_progress};
use display::Tone;
use display::picture::{Anchor, Dash, Mark, Outline, Picture, Rect, Stroke, between, px};
use studio::compare::in_each_dataflow;
use studio::{Field, FieldValue, Plan};
use systolic::{Axis, Cycle, Dataflow, Fold, PeId, Schedule, Slot};

use crate::cells::{ink_of, text_width};
use crate::timeline::draw_phases;
use crate::{Frame, Zoom};

/// Sizes of the texts.
const TEXT: f32 = 13.0;
const SMALL: f32 = 11.5;
/// Height of a line of text.
const LINE: f32 = 18.0;
const MARGIN: f32 = 16.0;
/// Smallest width of a view with the array next to the cube, or with three cubes next to each other.
const BESIDE: f32 = 560.0;
/// Smallest height of a view with the array below the cube.
const BELOW: f32 = 420.0;
/// Smallest height of a room with texts above and below a cube.
const WITH_TEXT: f32 = 200.0;
/// Largest side of a cell, and smallest side of a cell with a border.
const UNIT: (f32, f32) = (40.0, 7.0);
/// Distance from the cube to its shadow, as a share of the longest side, and smallest distance in cells.
const AWAY: (f32, f32) = (0.45, 1.6);
/// Maximum number of PEs of an array whose shadow has one cell per PE.
const SHADOW_MAX: u64 = 1600;
/// Maximum number of folds that each have an outline. If there are more folds, the whole cube has one outline.
const HULLS_MAX: usize = 64;
/// Room for the label below a shadow.
const BELOW_SHADOW: f32 = 18.0;
/// Distance of an arrow from its edge.
const OFF: f32 = 12.0;

/// The place of a cube and its shadow.
struct Placed<'a> {
    cube: Cube<'a>,
    /// Position of the shadow along time. The position is negative, because the shadow is in front of the cube.
    shadow: f32,
    /// True if there is room for the labels of the arrows, next to their letters.
    has_labels: bool,
    /// Right edge of the place.
    right: f32,
}

impl<'a> Placed<'a> {
    /// Fits a cube and its shadow into a place, with room for the labels of the arrows.
    fn new(schedule: &'a Schedule, cycle: Cycle, turn: Turn, room: &Rect, labels: f32) -> Self {
        let cube = Cube::new(schedule, cycle, turn);
        let size = cube.size();
        let longest = size.into_iter().fold(0.0, f32::max);
        let shadow = -(AWAY.0 * longest).max(AWAY.1).min(size[2].max(AWAY.1) * 1.2);
        let (rows, cols) = (px(schedule.array().rows()), px(schedule.array().cols()));
        let (mut least, mut most) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
        let mut reach = |corner: [f32; 3]| {
            let (x, y) = cube.at(corner);
            least = (least.0.min(x), least.1.min(y));
            most = (most.0.max(x), most.1.max(y));
        };
        for row in [0.0, 1.0] {
            for col in [0.0, 1.0] {
                reach([row * size[0], col * size[1], 0.0]);
                reach([row * size[0], col * size[1], size[2]]);
                reach([row * rows, col * cols, shadow]);
            }
        }
        let (wide, high) = (most.0 - least.0, most.1 - least.1);
        // If space is short, the cube has priority over the labels.
        let (left, right) = (labels.min(room.w * 0.3), OFF.min(room.w * 0.1));
        let top = (OFF + LINE).min(room.h * 0.3);
        let below = if cube.axes()[2] == Axis::N { BELOW_SHADOW.min(room.h * 0.1) } else { 2.0 };
        let inner = Rect::new(room.x + left, room.y + top, room.w - left - right, room.h - top - below);
        let unit = (inner.w.max(8.0) / wide).min(inner.h.max(8.0) / high).min(UNIT.0);
        let x = inner.x + (inner.w - unit * wide) / 2.0 - unit * least.0;
        let y = inner.y + (inner.h - unit * high) / 2.0 - unit * least.1;
        Self { cube: cube.placed(unit, (x, y)), shadow, has_labels: labels > LETTER, right: room.x + room.w }
    }

    /// Returns a cell of the shadow.
    fn cell(&self, pe: PeId) -> [Point; 4] {
        let (row, col) = (px(pe.row), px(pe.col));
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(down, right)| self.cube.at([row + down, col + right, self.shadow]))
    }

    /// True if the shadow has a cell for each PE.
    fn has_cells(&self) -> bool {
        self.cube.schedule.array().pes() <= SHADOW_MAX && self.cube.grain != Grain::Blocks
    }

    /// Returns the PE at a point and, if the point is in the cube, the cycle of the cell.
    fn hit(&self, at: Point) -> Option<(PeId, Option<Cycle>)> {
        let schedule = self.cube.schedule;
        if self.has_cells()
            && let Some(pe) = schedule.array().iter().find(|pe| is_inside(&self.cell(*pe), at))
        {
            return Some((pe, None));
        }
        let faces = self.cube.faces(true);
        let (fold, pe, nth) = faces.iter().rev().find(|face| is_inside(&face.points, at))?.cell?;
        Some((pe, Some(schedule.term(schedule.mkn(&fold, pe, nth)?).cycle)))
    }

    fn draw(&self, frame: &Frame<'_>, picture: &mut Picture) {
        self.hulls(picture);
        let is_large = self.cube.unit >= UNIT.1;
        let has_edges = is_large || self.cube.grain == Grain::Blocks;
        let faces = self.cube.faces(is_large);
        for face in &faces {
            paint(face, has_edges, picture);
        }
        self.beams(picture);
        self.draw_shadow(picture);
        if let Some(pe) = frame.selected {
            self.ring(pe, picture);
        }
        self.arrows(frame, picture);
    }

    /// Draws a dashed outline of each fold. The cells that are not done cover the outlines.
    fn hulls(&self, picture: &mut Picture) {
        let cube = &self.cube;
        let long = px(cube.schedule.stream_len());
        let mut hull = |[y, x, _]: [f32; 3], high: f32, wide: f32| {
            let at = |row: f32, col: f32, time: f32| cube.at([y + row * high, x + col * wide, time * long]);
            // These are the six edges of the outline, and the three edges of the farthest corner.
            let edges = [
                [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0)],
                [(1.0, 1.0, 0.0), (0.0, 1.0, 0.0)],
                [(0.0, 1.0, 0.0), (0.0, 1.0, 1.0)],
                [(0.0, 1.0, 1.0), (0.0, 0.0, 1.0)],
                [(0.0, 0.0, 1.0), (1.0, 0.0, 1.0)],
                [(1.0, 0.0, 1.0), (1.0, 0.0, 0.0)],
                [(1.0, 1.0, 1.0), (1.0, 1.0, 0.0)],
                [(1.0, 1.0, 1.0), (0.0, 1.0, 1.0)],
                [(1.0, 1.0, 1.0), (1.0, 0.0, 1.0)],
            ];
            for [from, to] in edges {
                let stroke = Stroke { tone: Tone::Faint, width: 1.0, dash: Dash::Dashed };
                picture.line(at(from.0, from.1, from.2), at(to.0, to.1, to.2), stroke);
            }
        };
        match cube.folds().filter(|folds| folds.len() <= HULLS_MAX) {
            Some(folds) => {
                for fold in folds {
                    hull(cube.corner_of(&fold), px(fold.mapped.rows), px(fold.mapped.cols));
                }
            }
            None => hull([0.0; 3], cube.size()[0], cube.size()[1]),
        }
    }

    /// Draws dotted lines from the corners of the first fold to its shadow.
    fn beams(&self, picture: &mut Picture) {
        let mapped = self.cube.schedule.fold(0).mapped;
        for (row, col) in [(0, 0), (mapped.rows, 0), (0, mapped.cols), (mapped.rows, mapped.cols)] {
            let at = |time: f32| self.cube.at([px(row), px(col), time]);
            let stroke = Stroke { tone: Tone::A, width: 1.0, dash: Dash::Dotted };
            picture.line(at(0.0), at(self.shadow), stroke);
        }
    }

    fn draw_shadow(&self, picture: &mut Picture) {
        let cube = &self.cube;
        let (schedule, cycle) = (cube.schedule, cube.cycle);
        let array = schedule.array();
        let corners = [(0, 0), (array.rows(), 0), (array.rows(), array.cols()), (0, array.cols())];
        let around = corners.map(|(row, col)| cube.at([px(row), px(col), self.shadow]));
        picture.marks.push(Mark::Area { points: around.to_vec(), fill: Tone::Ground });
        if self.has_cells() {
            for pe in array.iter() {
                let points = self.cell(pe);
                match shade(schedule, cycle, pe) {
                    Shade::Tone(tone) => picture.marks.push(Mark::Area { points: points.to_vec(), fill: tone }),
                    Shade::Idle => picture.line(points[1], points[3], Stroke::solid(Tone::Faint, 0.8)),
                }
                if cube.unit >= UNIT.1 {
                    outline(&points, Stroke::solid(Tone::Faint, 0.8), picture);
                }
            }
        } else {
            self.draw_band(picture);
        }
        outline(&around, Stroke::solid(Tone::Ink, 1.5), picture);
        if cube.unit >= 6.0 || !self.has_cells() {
            let x = around.iter().map(|point| point.0 / 4.0).sum();
            let ends = around.iter().fold((f32::MAX, f32::MIN), |ends, at| (ends.0.min(at.1), ends.1.max(at.1)));
            // A shadow to the left covers the top of the cube.
            let y = if cube.axes()[2] == Axis::N { ends.1 + 9.0 } else { ends.0 - 9.0 };
            picture.bold((x, y), words::SHADOW, SMALL, Anchor::Middle, Tone::Ink);
        }
    }

    /// Draws a band of the PEs that multiply, for an array with too many PEs for one cell each.
    fn draw_band(&self, picture: &mut Picture) {
        /// Maximum number of bands along a side, and smallest width of a band in pixels.
        const BANDS: (f32, f32) = (64.0, 3.0);
        let schedule = self.cube.schedule;
        let array = schedule.array();
        let (rows, cols) = (array.rows(), array.cols());
        let steps = |side: u32| {
            let most = between(px(side) * self.cube.unit / BANDS.1, 1.0, BANDS.0);
            u64::from(side).min(px_to_u64(most))
        };
        let (n_rows, n_cols) = (steps(rows), steps(cols));
        let place = |nth: u64, n: u64, side: u32| nth * u64::from(side) / n;
        let middle =
            |from: u64, to: u64, side: u32| u32::try_from(u64::midpoint(from, to)).map_or(side, |at| at.min(side - 1));
        for row in 0..n_rows {
            let (top, bottom) = (place(row, n_rows, rows), place(row + 1, n_rows, rows));
            let tone_at = |col: u64| {
                let (left, right) = (place(col, n_cols, cols), place(col + 1, n_cols, cols));
                match shade(schedule, self.cube.cycle, PeId::new(middle(top, bottom, rows), middle(left, right, cols)))
                {
                    Shade::Tone(tone) if tone != Tone::Ground => Some(tone),
                    _ => None,
                }
            };
            let tones: Vec<Option<Tone>> = (0..n_cols).map(tone_at).collect();
            let mut col = 0;
            for alike in tones.chunk_by(|one, next| one == next) {
                let end = col + alike.len() as u64;
                let (left, right) = (place(col, n_cols, cols), place(end, n_cols, cols));
                col = end;
                if let Some(&Some(fill)) = alike.first() {
                    let corners = [(top, left), (bottom, left), (bottom, right), (top, right)];
                    let points = corners.map(|(row, col)| self.cube.at([px(row), px(col), self.shadow])).to_vec();
                    picture.marks.push(Mark::Area { points, fill });
                }
            }
        }
    }

    /// Outlines the PE in the shadow and its cells in the cube, and connects the cell of this cycle with the PE.
    fn ring(&self, pe: PeId, picture: &mut Picture) {
        let cube = &self.cube;
        let schedule = cube.schedule;
        if !self.has_cells() {
            return;
        }
        let ink = Stroke::solid(Tone::Ink, 2.0);
        outline(&self.cell(pe), ink, picture);
        let fold = schedule.fold_at(cube.cycle, pe);
        if !fold.mapped.contains(pe) {
            return;
        }
        let long = schedule.stream_len();
        let [row, col, _] = cube.corner_of(&fold);
        let (row, col) = (row + px(pe.row), col + px(pe.col));
        let dashed = Stroke { dash: Dash::Dashed, ..Stroke::solid(Tone::Ink, 1.3) };
        for (down, right) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            picture.line(cube.at([row + down, col + right, 0.0]), cube.at([row + down, col + right, px(long)]), dashed);
        }
        let Some(now) = line_progress(schedule, &fold, pe, cube.cycle).now else { return };
        let time = px(now);
        let at = |down: f32, right: f32, later: f32| cube.at([row + down, col + right, time + later]);
        // This is the outline of a cell with three visible faces.
        let around = [
            at(1.0, 0.0, 0.0),
            at(1.0, 1.0, 0.0),
            at(0.0, 1.0, 0.0),
            at(0.0, 1.0, 1.0),
            at(0.0, 0.0, 1.0),
            at(1.0, 0.0, 1.0),
        ];
        outline(&around, Stroke::solid(Tone::Ink, 2.5), picture);
        let [a, _, c, _] = self.cell(pe);
        picture.line(
            cube.middle_of(&fold, pe, now),
            ((a.0 + c.0) / 2.0, (a.1 + c.1) / 2.0),
            Stroke::solid(Tone::Ink, 1.5),
        );
    }

    /// Draws an arrow along each axis, in the color of the matrix whose elements have no index along this axis.
    fn arrows(&self, frame: &Frame<'_>, picture: &mut Picture) {
        let cube = &self.cube;
        let [rows, cols, time] = cube.axes();
        let size = cube.size();
        let extent = |of: Axis| match of {
            _ if of == rows => size[0],
            _ if of == cols => size[1],
            _ => size[2],
        };
        let corner = |m: f32, k: f32, n: f32| {
            let along = |of: Axis| match of {
                Axis::M => m * extent(of),
                Axis::K => k * extent(of),
                Axis::N => n * extent(of),
            };
            cube.at([along(rows), along(cols), along(time)])
        };
        let shows = frame.filter.judges() && cube.unit >= 6.0 || cube.grain == Grain::Blocks && frame.filter.judges();
        let sides = [
            (Axis::N, corner(1.0, 0.0, 0.0), corner(1.0, 0.0, 1.0), (-0.5, -0.87)),
            (Axis::M, corner(0.0, 0.0, 1.0), corner(1.0, 0.0, 1.0), (0.5, -0.87)),
            (Axis::K, corner(1.0, 0.0, 0.0), corner(1.0, 1.0, 0.0), (-1.0, 0.0)),
        ];
        for (axis, from, to, (right, down)) in sides {
            let off = |(x, y): Point| (x + right * OFF, y + down * OFF);
            let (from, to) = (off(from), off(to));
            let (tone, ..) = ink_of(words::without(axis));
            let tone = if axis == Axis::K { Tone::Sum } else { tone };
            picture.marks.push(Mark::Line { from, to, stroke: Stroke::solid(tone, 2.0), arrow: true });
            // The shadow of outputs covers the middle of the arrow along m, so the label is near the start of the
            // arrow.
            let share = if axis == Axis::M && time == Axis::K { 0.1 } else { 0.5 };
            let middle = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            let (whole, short) = (words::along(axis, cube.schedule), words::axis(axis));
            let (anchor, x) =
                if axis == Axis::M { (Anchor::Start, middle.0 + 8.0) } else { (Anchor::End, middle.0 - 8.0) };
            let wide = text_width(&whole, SMALL);
            let fits = self.has_labels && if axis == Axis::M { x + wide <= self.right } else { x - wide >= 0.0 };
            let (text, y) = (
                if shows && fits { whole } else { short.to_owned() },
                middle.1 - 8.0 * f32::from(u8::from(axis != Axis::K)),
            );
            picture.bold((x, y), text, SMALL, anchor, tone);
        }
    }
}

/// Look of a PE in the shadow.
enum Shade {
    Tone(Tone),
    /// The fold has no cell for the PE.
    Idle,
}

fn shade(schedule: &Schedule, cycle: Cycle, pe: PeId) -> Shade {
    if let Some(mkn) = schedule.mac(cycle, pe) {
        return Shade::Tone(if schedule.is_real(mkn) { Tone::Useful } else { Tone::Padding });
    }
    let fold: Fold = schedule.fold_at(cycle, pe);
    if !fold.mapped.contains(pe) {
        return Shade::Idle;
    }
    let is_done = line_progress(schedule, &fold, pe, cycle).done == schedule.stream_len();
    Shade::Tone(if is_done { Tone::Drain } else { Tone::Ground })
}

/// Draws a closed line.
fn outline(points: &[Point], stroke: Stroke, picture: &mut Picture) {
    for (from, to) in points.iter().zip(points.iter().cycle().skip(1)) {
        picture.line(*from, *to, stroke);
    }
}

/// Paints a face. Each of the three sides has its own shade.
fn paint(face: &Face, has_edges: bool, picture: &mut Picture) {
    let fill = match (face.state, face.side, face.is_real) {
        (State::Now, _, false) => Tone::Padding,
        (State::Now, Side::Of(Axis::K) | Side::Cut, _) => Tone::UsefulLight,
        (State::Now, Side::Of(Axis::M), _) => Tone::Useful,
        (State::Now, Side::Of(Axis::N), _) => Tone::UsefulDark,
        (State::ToCome, Side::Of(Axis::K) | Side::Cut, _) => Tone::Ground,
        (State::ToCome, Side::Of(Axis::M), _) => Tone::Sunken,
        (State::ToCome, Side::Of(Axis::N), _) => Tone::Drain,
    };
    picture.marks.push(Mark::Area { points: face.points.clone(), fill });
    if !face.is_real
        && let [from, _, to, ..] = face.points[..]
    {
        picture.line(from, to, Stroke::solid(Tone::Faint, 1.0));
    }
    if has_edges {
        let tone = if face.state == State::Now { Tone::Ground } else { Tone::Ghost };
        outline(&face.points, Stroke::solid(tone, 1.0), picture);
    }
}

/// Returns the dataflow with the longest run, as a setting. With this setting, the playhead reaches the end of all
/// three runs. `None` if the run of `plan` is already the longest.
pub(super) fn longest(plan: &Plan) -> Option<(Field, FieldValue)> {
    let plans = in_each_dataflow(plan);
    let longest = plans.iter().flatten().max_by_key(|plan| plan.last())?;
    let is_longer = longest.last() > plan.last();
    is_longer.then(|| (Field::Dataflow, FieldValue::Dataflow(longest.schedule().dataflow())))
}

/// Divides a text into lines of this width.
fn wrapped(text: &str, width: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if text_width(line, TEXT) + text_width(word, TEXT) + TEXT <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Writes a text from the left, and returns the middle of the line below it.
fn write(text: &str, (x, y): Point, width: f32, is_bold: bool, picture: &mut Picture) -> f32 {
    let mut y = y;
    for line in wrapped(text, width) {
        let tone = if is_bold { Tone::Ink } else { Tone::Quiet };
        picture.write((x, y), line, TEXT, Anchor::Start, (tone, is_bold));
        y += LINE;
    }
    y
}

/// The rooms of a view with one cube.
struct Rooms {
    cube: Rect,
    array: Option<Rect>,
    /// Width of the texts, and the middle of the lowest line.
    text: (f32, f32),
    has_text: bool,
}

impl Rooms {
    fn new(width: f32, height: f32, is_wall: bool) -> Self {
        let has_text = height >= WITH_TEXT;
        let (head, foot) = match has_text {
            // On a wall, only the first sentence is shown.
            true if is_wall => (2.6 * LINE, 2.4 * LINE),
            true if width < BESIDE => (5.6 * LINE, 2.4 * LINE),
            true => (3.6 * LINE, 2.4 * LINE),
            false => (0.0, 0.0),
        };
        let inner = height - head - foot;
        let (cube, array) = if width >= BESIDE {
            let wide = (width * 0.6).floor();
            (Rect::new(0.0, head, wide, inner), Some(Rect::new(wide, 0.0, width - wide, height - foot)))
        } else if height >= BELOW {
            let high = inner * 0.56;
            (Rect::new(0.0, head, width, high), Some(Rect::new(0.0, head + high, width, inner - high)))
        } else {
            (Rect::new(0.0, head, width, inner), None)
        };
        let wide = if width >= BESIDE { cube.w } else { width };
        Self { cube, array, text: (wide - 2.0 * MARGIN, height - LINE), has_text }
    }
}

/// Width of the letter of an arrow.
const LETTER: f32 = 28.0;

/// Width of the labels of the arrows next to a cube of this width.
fn labels(width: f32) -> f32 {
    if width >= 360.0 { 140.0 } else { LETTER }
}

/// Draws the cube with its shadow, and the array.
pub(super) fn draw(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    let schedule = frame.plan.schedule();
    let rooms = Rooms::new(width, height, frame.is_wall());
    let placed = Placed::new(schedule, frame.cycle, frame.zoom.turn, &rooms.cube, labels(rooms.cube.w));
    placed.draw(frame, picture);
    if rooms.has_text {
        let y = write(words::stays(schedule.dataflow()), (MARGIN, LINE), rooms.text.0, true, picture);
        if frame.filter.judges() {
            if !frame.is_wall() {
                write(&words::line(schedule), (MARGIN, y), rooms.text.0, false, picture);
            }
            let foot = rooms.text.1;
            if let Some(wave) = words::wave(schedule, frame.cycle) {
                picture.bold((MARGIN, foot - LINE), wave, TEXT, Anchor::Start, Tone::Ink);
            }
            counts(schedule, frame.cycle, (MARGIN, foot), rooms.text.0, picture);
        }
    }
    if let Some(room) = rooms.array {
        let mut array = Picture::default();
        crate::draw(
            &Frame { instead: None, zoom: Zoom::default(), beside: None, wall: None, ..*frame },
            room.w,
            room.h,
            &mut array,
        );
        picture.place(array, (room.x, room.y), 1.0);
    }
}

/// Draws the numbers of cells that are done, that are in this cycle, and that are to come. Each number has its sign.
fn counts(schedule: &Schedule, cycle: Cycle, (x, y): Point, width: f32, picture: &mut Picture) {
    let labels = words::count_labels(words::counts(schedule, cycle));
    let signs = [(Tone::Clear, Dash::Dashed), (Tone::Useful, Dash::Solid), (Tone::Drain, Dash::Solid)];
    let all: f32 = labels.iter().map(|label| 26.0 + text_width(label, SMALL)).sum();
    let size = if all > width { SMALL * (width / all).max(0.8) } else { SMALL };
    let mut x = x;
    for (label, (fill, dash)) in labels.into_iter().zip(signs) {
        let tone = if fill == Tone::Useful { Tone::Useful } else { Tone::Faint };
        let stroke = Stroke { tone, width: 1.0, dash };
        picture.shape(Rect::new(x, y - 5.0, 10.0, 10.0), Outline::Box(1), fill, stroke);
        let wide = text_width(&label, size);
        picture.text((x + 15.0, y), label, size, Anchor::Start, Tone::Ink);
        x += wide + 26.0;
    }
}

/// Returns the PE at a point, if the drawing has one cube. For a cell of the cube, also returns the cycle of the cell.
#[must_use]
pub fn hit(frame: &Frame<'_>, (width, height): (f32, f32), at: (f32, f32)) -> Option<(PeId, Option<Cycle>)> {
    let rooms = Rooms::new(width, height, frame.is_wall());
    let inside = |room: &Rect| at.0 >= room.x && at.0 < room.x + room.w && at.1 >= room.y && at.1 < room.y + room.h;
    if let Some(room) = rooms.array.filter(inside) {
        let layout = frame.scene(room.w, room.h).layout;
        return layout.hit(at.0 - room.x, at.1 - room.y).map(|pe| (pe, None));
    }
    let schedule = frame.plan.schedule();
    Placed::new(schedule, frame.cycle, frame.zoom.turn, &rooms.cube, labels(rooms.cube.w)).hit(at)
}

/// Height of the three timelines with their scale.
const TIMELINES: f32 = 92.0;

/// Height of the numbers below each of three cubes.
const FOOT: f32 = 3.6 * LINE;

/// The rooms of a view with three cubes.
struct Three {
    rooms: [Rect; 3],
    timelines: Option<Rect>,
    is_beside: bool,
    /// True if the view shows counts.
    shows: bool,
}

impl Three {
    fn new(width: f32, height: f32, shows: bool) -> Self {
        let (is_beside, has_lines) = (width >= BESIDE, shows && height >= 300.0);
        let high = if has_lines { height - TIMELINES } else { height };
        let rooms = [0.0, 1.0, 2.0].map(|nth| {
            if is_beside {
                Rect::new(nth * width / 3.0, 0.0, width / 3.0, high)
            } else {
                Rect::new(0.0, nth * high / 3.0, width, high / 3.0)
            }
        });
        let timelines = has_lines.then(|| Rect::new(MARGIN, high, width - 2.0 * MARGIN, TIMELINES));
        Self { rooms, timelines, is_beside, shows }
    }

    /// Returns the place of the cube in its room.
    fn cube_in(&self, room: &Rect) -> Rect {
        if self.is_beside {
            let (head, foot) = (LINE * 1.6, if self.shows { FOOT } else { 0.0 });
            Rect::new(room.x, room.y + head, room.w, room.h - head - foot)
        } else {
            Rect::new(room.x, room.y + LINE, room.w * 0.5, room.h - LINE)
        }
    }
}

/// Returns the cycle at a point of the drawing of three cubes: the cycle of a cell, or of a place on the timelines.
#[must_use]
pub fn hit_three(frame: &Frame<'_>, (width, height): (f32, f32), at: (f32, f32)) -> Option<Cycle> {
    let plans = in_each_dataflow(frame.plan);
    let three = Three::new(width, height, frame.filter.judges());
    if let Some(place) = three.timelines.filter(|place| at.1 >= place.y) {
        let track = track_in(&place);
        let share = between((at.0 - track.x) / track.w, 0.0, 1.0);
        return Some(Cycle(px_to_u64(share * px(longest_of(&plans)))));
    }
    let cube = |(plan, room): (&Option<Plan>, &Rect)| {
        let (plan, cycle) = (plan.as_ref()?, frame.cycle);
        let cycle = cycle.min(plan.last());
        Placed::new(plan.schedule(), cycle, frame.zoom.turn, &three.cube_in(room), LETTER).hit(at)?.1
    };
    plans.iter().zip(&three.rooms).find_map(cube)
}

/// Returns the number of cycles of the longest run.
fn longest_of(plans: &[Option<Plan>; 3]) -> u64 {
    plans.iter().flatten().map(|plan| plan.schedule().cycles().get()).max().unwrap_or(1)
}

/// Returns the place of the bars, next to their names.
const fn track_in(place: &Rect) -> Rect {
    const NAME: f32 = 74.0;
    Rect::new(place.x + NAME, place.y + 6.0, place.w - NAME, place.h - 12.0)
}

/// Draws the cube of the run in each dataflow at one cycle, and their timelines on one axis.
pub(super) fn draw_three(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    let plans = in_each_dataflow(frame.plan);
    let three = Three::new(width, height, frame.filter.judges());
    for ((plan, dataflow), room) in plans.iter().zip(Dataflow::ALL).zip(&three.rooms) {
        match plan {
            Some(plan) => one_of_three(frame, plan, room, &three, picture),
            None => {
                let at = (room.x + MARGIN, room.y + LINE);
                let y = write(words::title(dataflow), at, room.w - 2.0 * MARGIN, true, picture);
                write(words::CANNOT_RUN, (at.0, y), room.w - 2.0 * MARGIN, false, picture);
            }
        }
    }
    if let Some(place) = &three.timelines {
        timelines(&plans, frame.cycle, place, picture);
    }
}

/// Draws one of three cubes with its numbers.
fn one_of_three(frame: &Frame<'_>, plan: &Plan, room: &Rect, three: &Three, picture: &mut Picture) {
    let (schedule, cycle) = (plan.schedule(), frame.cycle.min(plan.last()));
    let glance = array_at_a_glance(plan, &schedule.tally());
    let numbers =
        [(display::number::grouped(schedule.cycles().get()), "cycles"), (glance.mfu, "MFU"), (glance.cost, "per 10¹⁸")];
    let left = room.x + MARGIN;
    let title = words::title(schedule.dataflow());
    let is_beside = three.is_beside;
    let (x, mut y) = if is_beside {
        (left, room.y + room.h - FOOT + LINE * 0.6)
    } else {
        (room.x + room.w * 0.5 + 8.0, room.y + LINE * 2.2)
    };
    picture.bold((left, room.y + LINE * 0.8), title, TEXT, Anchor::Start, Tone::Ink);
    let frame = Frame { plan, cycle, selected: None, ..*frame };
    Placed::new(schedule, cycle, frame.zoom.turn, &three.cube_in(room), LETTER).draw(&frame, picture);
    if !three.shows {
        return;
    }
    let wide = room.x + room.w - x - 8.0;
    if is_beside {
        counts(schedule, cycle, (x, y), wide, picture);
        y += LINE * 1.3;
    }
    let step = wide / 3.0;
    // If two runs make the same multiplications on one chip, their MFU and cost follow from the cycles. Then only the
    // cycles are shown.
    let work = |plan: &Plan| (plan.chip().id, plan.dtype(), plan.schedule().gemm().macs());
    let n: u8 = if frame.before.is_some_and(|before| work(before) == work(plan)) { 1 } else { 3 };
    for ((value, label), nth) in numbers.into_iter().zip(0..n) {
        let (x, y) = if is_beside { (x + f32::from(nth) * step, y) } else { (x, y + f32::from(nth) * 1.3 * LINE) };
        let size = between(16.0 * step / text_width(&value, 16.0).max(1.0), 12.0, 16.0);
        picture.bold((x, y), value.as_str(), size, Anchor::Start, Tone::Ink);
        let (x, y) = if is_beside { (x, y + LINE) } else { (x + text_width(&value, size) + 8.0, y) };
        picture.text((x, y), label, SMALL, Anchor::Start, Tone::Quiet);
    }
}

/// Draws a timeline for each run, on the axis of the longest run. A timeline shows the number of PEs that multiply
/// usefully, and the cycles that load.
fn timelines(plans: &[Option<Plan>; 3], cycle: Cycle, place: &Rect, picture: &mut Picture) {
    let (longest, track) = (longest_of(plans), track_in(place));
    let step = track.h / 3.0;
    let n = longest.min(px_to_u64(track.w / 2.0).max(1));
    let bar = track.w / px(n);
    let at = |nth: u64| nth * longest / n;
    for ((plan, dataflow), nth) in plans.iter().zip(Dataflow::ALL).zip(0..3_u8) {
        let top = track.y + f32::from(nth) * step;
        let name = ::words::label::stays(dataflow);
        picture.text((place.x, top + step / 2.0), name, SMALL, Anchor::Start, Tone::Quiet);
        let Some(plan) = plan else { continue };
        let (schedule, high) = (plan.schedule(), step - 6.0);
        let end = px(schedule.cycles().get()) / px(longest) * track.w;
        let ground = Rect::new(track.x, top + 2.0, end, high);
        picture.shape(ground, Outline::Box(0), Tone::Sunken, Stroke::solid(Tone::Clear, 0.0));
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = |cycle: f64| track.x + (cycle as f32) / px(longest) * track.w;
        draw_phases(plan, &ground, &x, picture);
        let until = |cycles: u64| match cycles.checked_sub(1) {
            Some(last) => schedule.tally_until(Cycle(last).min(schedule.last_cycle())).get(Slot::Useful).as_f64(),
            None => 0.0,
        };
        let mut before = 0.0;
        for nth in 0..n {
            let (from, to) = (at(nth), at(nth + 1).max(at(nth) + 1));
            if from >= schedule.cycles().get() {
                break;
            }
            let most = schedule.array().pes() * (to - from);
            let useful = until(to);
            #[expect(clippy::cast_possible_truncation, reason = "a share of the height")]
            let share = ((useful - before) / f64::from(u32::try_from(most).unwrap_or(u32::MAX))) as f32;
            before = useful;
            if share > 0.0 {
                let tall = (share * high).max(1.0);
                let rect = Rect::new(track.x + px(nth) * bar, top + 2.0 + high - tall, (bar - 0.6).max(0.6), tall);
                let is_past = from <= cycle.get();
                let tone = if is_past { Tone::Useful } else { Tone::Fill };
                picture.shape(rect, Outline::Box(0), tone, Stroke::solid(Tone::Clear, 0.0));
            }
        }
    }
    let x = track.x + px(cycle.get()) / px(longest) * track.w;
    let now = Rect::new(x - 0.5, track.y - 2.0, (track.w / px(longest)).max(2.0) + 1.0, track.h + 2.0);
    picture.shape(now, Outline::Box(2), Tone::Clear, Stroke::solid(Tone::Ink, 1.8));
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bars")]
const fn px_to_u64(length: f32) -> u64 {
    length as u64
}

#[cfg(test)]
mod tests;
