//! The division of the array view: the array, and A, B and C around it.
//!
//! A is in the west, where it enters. B is above the columns that keep or pass it. C is in the south-east, where
//! results arrive. A narrow view has the matrices in a strip below the array. The array always comes first: matrices
//! that would need more than their share of it are left out.
//!
//! Matrices appear as numbers, squares or fields. Of several arrangements, the scene uses one in which the cells of the
//! array show as much as without matrices.
//!
//! `Scene::beside` lays out two runs as one. The run that can show less decides for both.

use super::cells::THREE_MIN;
use super::{Detail, Layout};
use display::picture::{Rect, between, px};
use studio::progress_blocks::extent;
use systolic::{Axis, Gemm, Operand, Schedule};

/// Form of a drawn matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A cell with a number for each element, with this width and height; cells of C are wider.
    Numbers(f32, f32),
    /// A square for each element, with this side.
    Squares(f32),
    /// One field that shows the parts in use.
    Field,
}

/// Position of a matrix and of its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Rectangle around the elements.
    pub rect: Rect,
    /// Point at which the name ends (name next to the matrix), begins (name above), or is centered (name below, in a
    /// strip).
    pub name: (f32, f32),
    /// True if the name is next to the matrix, so that it ends at the point.
    pub is_beside: bool,
}

/// Arrangement of the matrices that fit. Arrangements with fewer or smaller matrices come later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Arrangement {
    /// A in the west, B in the north, C in the south-east.
    Around(Size),
    /// A in the west, B and C in the east.
    Beside(Size),
    /// All three matrices in a strip below the array.
    Strip(Size),
    /// Only C, in the east.
    Result,
    /// No matrices.
    Bare,
}

/// Share of the view for the matrices: the best-looking share, or less so that the array keeps its details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Full,
    Small,
    Smallest,
}

/// Position of A and B around the array. A is always in the west.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operands {
    /// B is above the array, with at most this share of the view's height.
    North(f32),
    /// B is above C. A and the column of B and C have at most this share of the view's width together.
    East(f32),
    /// A and B do not fit and are left out.
    Nowhere,
}

/// Division of an array view into the array and the matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// Layout of the array.
    pub layout: Layout,
    /// Form of the matrices.
    pub form: Form,
    /// True if the matrices are in a row, as an equation.
    pub is_strip: bool,
    a: Option<Place>,
    b: Option<Place>,
    c: Option<Place>,
}

/// Smallest size of an element with a number; the next constant is the largest size.
const NUMBER_MIN: (f32, f32) = (25.0, 15.0);
const NUMBER_MAX: (f32, f32) = (34.0, 21.0);
/// Width of an element of C, divided by the width of an element of A or B, because sums have more digits.
const RESULT_WIDTH: f32 = 1.2;
/// Smallest side of an element without a number; the next constant is the largest side.
const SQUARE_MIN: f32 = 4.0;
const SQUARE_MAX: f32 = 12.0;
/// Largest number of elements that are drawn one by one, in all three matrices together.
const ELEMENTS_MAX: u64 = 4096;
/// Largest number of products of elements (M · K · N) that are counted one by one.
const TERMS_MAX: u64 = 1 << 16;
/// Smallest side of a field; the next constant is the largest side.
const FIELD_MIN: f32 = 10.0;
const FIELD_MAX: f32 = 110.0;
/// Share of the space above the array that matrices without numbers may use.
const THUMBNAIL: f32 = 0.68;
/// Distance between a matrix and its neighbors, for brackets and a margin.
const AIR: f32 = 14.0;
/// Height of a line of text.
const LINE: f32 = 16.0;
/// Space for the signs between the matrices of a strip.
pub(super) const SIGN: f32 = 30.0;
/// Space west of the array for the labels of its rows.
const BESIDE_MIN: f32 = 104.0;
/// Smallest view with space for matrices next to the array.
const STAGE_MIN: (f32, f32) = (240.0, 220.0);
/// Smallest size of a cell next to matrices, as a share of its size without matrices.
const SHARE_MIN: f32 = 0.6;

/// Largest size of the matrices on the screen: widths of A and C, width and height of B, and height of A and C.
struct Room {
    a: f32,
    b: (f32, f32),
    c: f32,
    down: f32,
}

impl Form {
    /// True if each element has its number.
    pub(super) const fn has_numbers(self) -> bool {
        matches!(self, Self::Numbers(..))
    }

    /// Returns the largest form in which the matrices fit.
    fn fitting(run: Gemm, room: &Room) -> Self {
        let [m, k, n] = [run.m(), run.k(), run.n()];
        let [rows, depth, cols] = [m, k, n].map(px);
        let w = (room.a / depth).min(room.c / cols).min(room.b.0 / cols);
        let w_number = w.min(room.c / cols / RESULT_WIDTH);
        let h = (room.down / rows).min(room.b.1 / depth);
        let elements = m.saturating_mul(k).saturating_add(k.saturating_mul(n)).saturating_add(m.saturating_mul(n));
        let is_small = elements <= ELEMENTS_MAX && m.saturating_mul(k).saturating_mul(n) <= TERMS_MAX;
        if is_small && w_number >= NUMBER_MIN.0 && h >= NUMBER_MIN.1 {
            return Self::Numbers(w_number.min(NUMBER_MAX.0), h.min(NUMBER_MAX.1));
        }
        let side = w.min(h).min(room.b.1 * THUMBNAIL / depth);
        if is_small && side >= SQUARE_MIN { Self::Squares(side.min(SQUARE_MAX)) } else { Self::Field }
    }

    /// Returns the lengths of M, K and N on the screen. Sides of fields grow with the square root of their lengths.
    /// Otherwise a long side would leave no space for a short side.
    fn lengths(self, run: Gemm, room: &Room) -> Lengths {
        let [m, k, n] = [run.m(), run.k(), run.n()].map(px);
        let by = |w: f32, h: f32| Lengths { m: m * h, k_across: k * w, k_down: k * h, n: n * w, n_result: n * w };
        match self {
            Self::Numbers(w, h) => Lengths { n_result: n * w * RESULT_WIDTH, ..by(w, h) },
            Self::Squares(side) => by(side, side),
            Self::Field => {
                let [m, k, n] = [m, k, n].map(f32::sqrt);
                let above = room.b.1 * THUMBNAIL;
                let scale = (room.a / k).min(room.c / n).min(room.b.0 / n).min(room.down / m).min(above / k);
                let side = |root: f32, room: f32| between(root * scale, FIELD_MIN.min(room), room.min(FIELD_MAX));
                Lengths {
                    m: side(m, room.down),
                    k_across: side(k, room.a),
                    k_down: side(k, above),
                    n: side(n, room.c.min(room.b.0)),
                    n_result: side(n, room.c.min(room.b.0)),
                }
            }
        }
    }
}

/// Lengths of the axes on the screen. K is across in A and down in B.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lengths {
    m: f32,
    k_across: f32,
    k_down: f32,
    n: f32,
    /// Length of N in C.
    n_result: f32,
}

impl Scene {
    /// Divides a view of this size.
    #[must_use]
    pub fn new(schedule: &Schedule, width: f32, height: f32) -> Self {
        Self::beside(schedule, None, width, height)
    }

    /// Divides a view that is next to a view of another run, if any, of the same size. Both have the same arrangement,
    /// and the level of detail of the run that can show less.
    #[must_use]
    pub fn beside(schedule: &Schedule, other: Option<&Schedule>, width: f32, height: f32) -> Self {
        let (best, scene) = Self::best(schedule, width, height);
        let Some(other) = other else { return scene };
        // The later arrangement fits both runs.
        let arrangement = best.max(Self::best(other, width, height).0);
        let detail = |one| Self::arranged(arrangement, one, (width, height), Detail::Tagged).layout.detail;
        Self::arranged(arrangement, schedule, (width, height), detail(schedule).min(detail(other)))
    }

    /// Returns the best arrangement and division of a view for a single run.
    fn best(schedule: &Schedule, width: f32, height: f32) -> (Arrangement, Self) {
        let arranged =
            |arrangement| (arrangement, Self::arranged(arrangement, schedule, (width, height), Detail::Tagged));
        let bare = arranged(Arrangement::Bare);
        if width < STAGE_MIN.0 || height < STAGE_MIN.1 {
            return bare;
        }
        let bare_layout = bare.1.layout;
        let is_enough = |(_, scene): &(Arrangement, Self)| scene.layout.cell >= SHARE_MIN * bare_layout.cell;
        let has_operands =
            |(_, scene): &(Arrangement, Self)| scene.layout.detail >= bare_layout.detail.min(Detail::Compact);
        // First, the array must show its operands. Then more matrices, numbers instead of thumbnails, and larger cells
        // are better.
        let score = |one: &(Arrangement, Self)| {
            let is_whole = one.1.a.is_some();
            (has_operands(one), is_whole, one.1.form.has_numbers(), one.1.layout.cell)
        };
        // Of one kind, the first arrangement with all of these wins: cells show as much as without matrices, matrices
        // have numbers, and cells have a line for the stationary operand.
        let first_of = |candidates: &[Arrangement]| {
            let worth = |one: &(Arrangement, Self)| {
                let Layout { detail, cell, .. } = one.1.layout;
                let has_registers = detail >= bare_layout.detail.min(Detail::Registers);
                let is_roomy = (is_enough(one), has_operands(one), has_registers);
                (is_roomy, one.1.form.has_numbers(), cell >= THREE_MIN)
            };
            let all = candidates.iter().map(|&one| arranged(one));
            all.reduce(|one, other| if worth(&other) > worth(&one) { other } else { one })
        };
        let (around, beside) = (Arrangement::Around, Arrangement::Beside);
        let around =
            [around(Size::Full), around(Size::Small), beside(Size::Full), beside(Size::Small), around(Size::Smallest)];
        let strip = [Size::Full, Size::Small, Size::Smallest].map(Arrangement::Strip);
        [first_of(&around), first_of(&strip), Some(arranged(Arrangement::Result))]
            .into_iter()
            .flatten()
            .filter(is_enough)
            .reduce(|one, other| if score(&other) > score(&one) { other } else { one })
            .unwrap_or(bare)
    }

    fn arranged(arrangement: Arrangement, schedule: &Schedule, (width, height): (f32, f32), most: Detail) -> Self {
        let around = |operands| Self::around(schedule, (width, height), most, operands);
        match arrangement {
            Arrangement::Around(size) => around(Operands::North(match size {
                Size::Full => 0.24,
                Size::Small => 0.19,
                Size::Smallest => 0.14,
            })),
            Arrangement::Beside(Size::Full) => {
                // The width that the array at its full height leaves free.
                let alone = Layout::within(schedule, Rect::new(0.0, 0.0, width, height), most);
                let array = alone.array().w + (alone.west + 0.1) * alone.cell + 8.0;
                let share = (width - array - 4.0 * AIR) / width;
                around(Operands::East(between(share, 0.4, 0.48)))
            }
            Arrangement::Beside(_) => around(Operands::East(0.24)),
            Arrangement::Result => around(Operands::Nowhere),
            Arrangement::Strip(size) => {
                let share = match size {
                    Size::Full => 0.28,
                    Size::Small => 0.2,
                    Size::Smallest => 0.14,
                };
                Self::strip(schedule, (width, height), most, share)
            }
            Arrangement::Bare => Self {
                layout: Layout::within(schedule, Rect::new(0.0, 0.0, width, height), most),
                form: Form::Field,
                is_strip: false,
                a: None,
                b: None,
                c: None,
            },
        }
    }

    /// Divides a view with A in the west, B in the north or the east, and C in the south-east, or with only C.
    fn around(schedule: &Schedule, (width, height): (f32, f32), most: Detail, operands: Operands) -> Self {
        let run = schedule.run();
        let down = height - 2.0 * LINE - AIR;
        let half = (down - 2.0 * LINE) / 2.0;
        let room = match operands {
            // Results have more digits.
            Operands::North(share) => {
                Room { a: width * 0.2, b: (width * 0.4, height * share), c: width * 0.2 * RESULT_WIDTH, down }
            }
            Operands::East(share) => {
                // Matrices with numbers share the width and the height by their rows and columns. Fields have half of
                // them each.
                let (wide, n_result) = (width * share, px(run.n()) * RESULT_WIDTH);
                let across = wide / (px(run.k()) + n_result);
                let unit = 2.0 * half / (px(run.m()) + px(run.k()));
                let (a, c) = (across * px(run.k()), across * n_result);
                let by_number = Room { a, b: (c, unit * px(run.k())), c, down: unit * px(run.m()) };
                let a = wide / 2.0;
                let halved = Room { a, b: (a, half), c: a * RESULT_WIDTH, down: half };
                if Form::fitting(run, &by_number).has_numbers() { by_number } else { halved }
            }
            Operands::Nowhere => Room { a: width * 0.2, b: (width * 0.4, height * 0.24), c: width * 0.2, down },
        };
        let form = Form::fitting(run, &room);
        let lengths = form.lengths(run, &room);
        // Width of a matrix, or of the text above and below it.
        let named = |across: f32| across.max(72.0) + AIR;
        let west = if operands == Operands::Nowhere { 0.0 } else { named(lengths.k_across) + AIR };
        let north = if matches!(operands, Operands::North(_)) { lengths.k_down + 1.5 * AIR } else { 0.0 };
        let east = named(lengths.n_result) + AIR;
        let array = Rect::new(west, north, width - west - east, height - north);
        let layout = Layout::within(schedule, array, most);
        let block = layout.array();
        let (middle_x, middle_y) = block.center();
        let down = |y: f32| between(y, LINE + 6.0, height - lengths.m - LINE - 6.0);
        let above = |rect: Rect| Place { rect, name: (rect.x - 2.0, rect.y - 11.0), is_beside: false };
        // A ends where the space of the queues begins, and C begins where results have left, so that all are close
        // together.
        let queues = (layout.cell * layout.west).max(BESIDE_MIN);
        let a_end = block.x - queues - 2.0 * AIR;
        let c_start = (block.x + block.w + layout.cell * 0.8).max(block.x + block.w + 3.0 * AIR);
        let in_east = |across: f32| {
            let edge = width - AIR / 2.0 - (named(lengths.n_result) + across) / 2.0;
            edge.min(c_start + (named(lengths.n_result) - across) / 2.0)
        };
        let is_in_east = matches!(operands, Operands::East(_));
        let b = if is_in_east {
            above(Rect::new(in_east(lengths.n), LINE + 6.0, lengths.n, lengths.k_down))
        } else {
            let rect = Rect::new(middle_x - lengths.n / 2.0, 6.0, lengths.n, lengths.k_down);
            Place { rect, name: (rect.x - AIR, rect.y + lengths.k_down / 2.0), is_beside: true }
        };
        let c_bottom = block.y + block.h + layout.cell * 0.3;
        let c_top = down(c_bottom - lengths.m);
        let c_top = if is_in_east { c_top.max(b.rect.y + b.rect.h + 2.0 * LINE) } else { c_top };
        let c = above(Rect::new(in_east(lengths.n_result), c_top, lengths.n_result, lengths.m));
        let a_left = (AIR / 2.0 + (named(lengths.k_across) - lengths.k_across) / 2.0).max(a_end - lengths.k_across);
        let a = above(Rect::new(a_left, down(middle_y - lengths.m / 2.0), lengths.k_across, lengths.m));
        let has_operands = operands != Operands::Nowhere;
        Self { layout, form, is_strip: false, a: has_operands.then_some(a), b: has_operands.then_some(b), c: Some(c) }
    }

    /// Divides a view with A × B = C in a row below the array.
    fn strip(schedule: &Schedule, (width, height): (f32, f32), most: Detail, share: f32) -> Self {
        let run = schedule.run();
        let inner = width - 2.0 * SIGN - 2.0 * AIR;
        let [k, n] = [run.k(), run.n()].map(px);
        // Fields have a third of the width each. Matrices of elements share the width by their columns.
        let unit = inner / (k + n + n * RESULT_WIDTH);
        let down = height * share;
        let by_number = Room { a: unit * k, b: (unit * n, down), c: unit * n * RESULT_WIDTH, down };
        let form = Form::fitting(run, &by_number);
        let third = inner / 3.0;
        let room = if form == Form::Field { Room { a: third, b: (third, down), c: third, down } } else { by_number };
        let lengths = form.lengths(run, &room);
        let tall = lengths.m.max(lengths.k_down);
        let top = height - tall - LINE - 4.0;
        let layout = Layout::within(schedule, Rect::new(0.0, 0.0, width, top - AIR / 2.0), most);
        let total = lengths.k_across + lengths.n + lengths.n_result + 2.0 * SIGN;
        let mut x = (width - total) / 2.0;
        let mut next = |w: f32, h: f32| {
            let rect = Rect::new(x, top + (tall - h) / 2.0, w, h);
            x += w + SIGN;
            // The name is below its matrix.
            Place { rect, name: (rect.x + w / 2.0, top + tall + LINE / 2.0 + 3.0), is_beside: false }
        };
        let (a, b, c) =
            (next(lengths.k_across, lengths.m), next(lengths.n, lengths.k_down), next(lengths.n_result, lengths.m));
        Self { layout, form, is_strip: true, a: Some(a), b: Some(b), c: Some(c) }
    }

    /// Returns the position of a matrix, if the view has it.
    #[must_use]
    pub const fn place(&self, operand: Operand) -> Option<Place> {
        match operand {
            Operand::A => self.a,
            Operand::B => self.b,
            Operand::C => self.c,
        }
    }

    /// Returns the rectangle of an element, in any form of the matrix.
    #[must_use]
    pub fn element(&self, run: Gemm, operand: Operand, row: u64, col: u64) -> Option<Rect> {
        let rect = self.place(operand)?.rect;
        let (rows, cols) = extent(run, operand);
        let (w, h) = (rect.w / px(cols), rect.h / px(rows));
        Some(Rect::new(rect.x + px(col) * w, rect.y + px(row) * h, w, h))
    }

    /// Returns the element at a point of the view, if elements are large enough to point at.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to lie inside the matrix")]
    pub fn hit(&self, run: Gemm, x: f32, y: f32) -> Option<(Operand, u64, u64)> {
        if self.form == Form::Field {
            return None;
        }
        [Operand::A, Operand::B, Operand::C].into_iter().find_map(|operand| {
            let rect = self.place(operand)?.rect;
            let (rows, cols) = extent(run, operand);
            let (across, down) = ((x - rect.x) / rect.w, (y - rect.y) / rect.h);
            let is_inside = (0.0..1.0).contains(&across) && (0.0..1.0).contains(&down);
            let index = |share: f32, all: u64| ((share * px(all)) as u64).min(all - 1);
            is_inside.then(|| (operand, index(down, rows), index(across, cols)))
        })
    }

    /// Returns the axes of a matrix: down, then across.
    #[must_use]
    pub const fn axes(operand: Operand) -> (Axis, Axis) {
        studio::progress_blocks::axes(operand)
    }
}
