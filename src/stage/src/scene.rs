//! Division of the array view into the array and the matrices A, B and C.
//!
//! The operand that enters from the west is west of the array. The other operand is east of the array, and C is below
//! this operand. In a narrow view, the matrices are in a strip below the array.
//!
//! The scene tries every arrangement with every size of a cell, and uses the arrangement with the largest cells. The
//! space that an arrangement needs depends on the run and on the cell, never on the view. Therefore the array never
//! becomes smaller when the view becomes larger.
//!
//! `Scene::beside` gives the views of two runs the same arrangement. Both views have an equal level of detail: the
//! lower level of the two runs.

mod places;

use super::cells::GLYPH;
use super::form::{FIELD_MIN, Form, Lengths};
use super::layout::CELL_MAX;
use super::margins::{Around, Margins, operand_width};
use super::matrices::NAME;
use super::{Detail, Layout};
use display::picture::{Rect, between, px};
use studio::Plan;
use studio::progress_blocks::extent;
use systolic::{Axis, Gemm, Operand};

/// Position of a matrix and of its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Rectangle around the elements.
    pub rect: Rect,
    /// Point at which the name begins (above the matrix), or is centered (below the matrix, in a strip).
    pub name: (f32, f32),
}

/// Arrangement of the matrices. If two arrangements have equally large cells, the earlier arrangement is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Arrangement {
    /// Matrices with numbers: one operand in the west, and the other operand and C in the east.
    Numbers,
    /// Matrices without numbers, at the places of [`Self::Numbers`].
    Pictures,
    /// All three matrices in a strip below the array.
    Strip,
    /// No matrices.
    Bare,
    /// No matrices, and an array as large as the view: what people read on a wall. No other view has it.
    Wall,
    /// No matrices, and an array as large as a view that is higher than wide.
    TallWall,
}

impl Arrangement {
    const ALL: [Self; 4] = [Self::Numbers, Self::Pictures, Self::Strip, Self::Bare];
}

/// Division of an array view into the array and the matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// Layout of the array.
    pub layout: Layout,
    /// Form of A and C. B may have numbers next to pictures of A and C.
    form: Form,
    form_of_b: Form,
    /// True if the matrices are in a row, as an equation.
    pub is_strip: bool,
    margins: Margins,
    a: Option<Place>,
    b: Option<Place>,
    c: Option<Place>,
}

/// Largest M, K or N for which the matrices show numbers.
const NUMBERS_MAX: u64 = 16;
/// Largest total width of the matrices with numbers, next to the array or in a strip.
const NUMBERS_WIDTH_MAX: f32 = 325.0;
/// Largest sides of a matrix without numbers: next to the array, and in a strip.
const PICTURE_MAX: (f32, f32) = (96.0, 72.0);
/// Height of a number of B next to pictures of A and C.
const NUMBER_OF_B: f32 = 22.0;
/// Largest width and height of B with numbers next to pictures of A and C.
const NUMBERS_OF_B_MAX: (f32, f32) = (116.0, 176.0);
/// Largest height of a matrix in a strip. `STRIP_NUMBER` is the smallest and largest height of a number in such a
/// matrix.
const STRIP_HEIGHT: f32 = 104.0;
const STRIP_NUMBER: (f32, f32) = (13.0, 20.0);
/// Largest cells next to matrices without numbers: first for runs whose matrices could show numbers, then for all other
/// runs. `BARE_MAX` is the largest cell in a view without matrices.
const NEXT_TO_PICTURES_MAX: (f32, f32) = (64.0, 104.0);
/// Largest cells above a strip without numbers, for runs whose matrices could show numbers.
const ABOVE_PICTURES_MAX: f32 = 76.0;
const BARE_MAX: f32 = 44.0;
/// Step between cell sizes in views without matrices. With this step, a view keeps the matrices if they cost only a few
/// pixels.
const BARE_STEP: f32 = 4.0;
/// Smallest cell with an operand and a sum on a wall. Its sums have at most four glyphs.
const COMPACT_ON_WALL: f32 = 26.0;
/// Step between cell sizes on a wall, where a pixel of the picture is several pixels of the screen.
const WALL_STEP: f32 = 0.25;
/// Step between the lengths of an array's longer side, in a view without matrices and with cells smaller than
/// [`Detail::Block`].
const BARE_SIDE_STEP: f32 = 32.0;
/// Largest cell of an array if another run limits the level of detail.
const COARSE_MAX: f32 = 51.0;
/// Smallest length of an array's longer side.
const ARRAY_MIN: f32 = 24.0;
/// Distance between a matrix and its neighbors, for brackets and a margin.
const AIR: f32 = 11.0;
/// Height of a line of text.
const LINE: f32 = 16.0;

/// The run of a scene, and lengths that depend only on the run.
struct Case<'a> {
    plan: &'a Plan,
    run: Gemm,
    /// Largest level of detail.
    most: Detail,
    /// Operands in the west and in the east.
    sides: (Operand, Operand),
    /// Width of an element of A or B with its number.
    width: f32,
    /// Widths of the names of A, B and C.
    names: [f32; 3],
    /// Arrangements to choose from.
    arrangements: &'static [Arrangement],
}

/// Matrices of an arrangement next to cells of one size, and the space that they need.
struct Matrices {
    form: Form,
    form_of_b: Form,
    lengths: Lengths,
    /// Space for matrices west, east and south of the array and its margins.
    west: f32,
    east: f32,
    south: f32,
    /// Smallest width and height of the view.
    least: (f32, f32),
}

/// Space that an arrangement needs.
struct Needed {
    /// Width and height of the array with its margins, and of the matrices next to it.
    size: (f32, f32),
    /// Smallest width and height of the view for the matrices.
    least: (f32, f32),
}

impl Needed {
    fn is_within(&self, (width, height): (f32, f32)) -> bool {
        self.size.0.max(self.least.0) <= width && self.size.1.max(self.least.1) <= height
    }
}

impl<'a> Case<'a> {
    fn new(plan: &'a Plan, most: Detail, arrangements: &'static [Arrangement]) -> Self {
        let schedule = plan.schedule();
        let (run, west) = (schedule.run(), schedule.dataflow().from_west());
        let names = [Operand::A, Operand::B, Operand::C].map(|operand| {
            let (rows, cols) = extent(schedule.gemm(), operand);
            let glyphs = |text: String| px(text.chars().count() as u64);
            (glyphs(words::picture::sides(rows, cols)) + 2.0) * GLYPH * NAME
        });
        let east = if west == Operand::A { Operand::B } else { Operand::A };
        // The registers of floats are wide already.
        let width = operand_width(plan) + if plan.dtype().is_integer() { 8.0 } else { 2.0 };
        Self { plan, run, most, sides: (west, east), width, names, arrangements }
    }

    /// Returns the matrices with numbers of this width and height.
    fn numbers(&self, width: f32, height: f32) -> (Form, Lengths) {
        let form = Form::Numbers(width, height);
        (form, form.lengths(self.run, 0.0))
    }

    /// Returns the matrices without numbers, with sides up to `side`.
    fn pictures(&self, side: f32) -> (Form, Lengths) {
        let form = Form::picture(self.run, side);
        (form, form.lengths(self.run, side))
    }

    /// Returns the matrices with numbers of this height; `None` if the matrices are too large for a place next to the
    /// array.
    fn numbers_around(&self, height: f32) -> Option<(Form, Lengths)> {
        let (form, lengths) = self.numbers(self.width, height);
        let wide = |operand| lengths.of(operand).0;
        let width = wide(self.sides.0) + wide(self.sides.1).max(wide(Operand::C));
        (self.has_few_elements() && width <= NUMBERS_WIDTH_MAX).then_some((form, lengths))
    }

    /// True if the matrices have few enough rows and columns to show numbers.
    fn has_few_elements(&self) -> bool {
        self.run.m().max(self.run.k()).max(self.run.n()) <= NUMBERS_MAX
    }

    /// Returns the matrices in a strip: numbers if they fit, otherwise pictures.
    fn strip(&self) -> (Form, Lengths) {
        let height = (STRIP_HEIGHT / px(self.run.m().max(self.run.k()))).min(STRIP_NUMBER.1);
        let (form, lengths) = self.numbers(self.width - 3.0, height);
        let fits = self.has_few_elements() && height >= STRIP_NUMBER.0 && lengths.in_a_row() <= NUMBERS_WIDTH_MAX;
        if fits { (form, lengths) } else { self.pictures(PICTURE_MAX.1) }
    }

    /// Returns the matrices of an arrangement. Returns `None` if the arrangement is not possible with this cell or with
    /// these matrices.
    fn matrices(&self, arrangement: Arrangement, cell: f32) -> Option<Matrices> {
        let around = |(form, lengths): (Form, Lengths)| {
            let wide = |operand: Operand| lengths.of(operand).0.max(self.names[operand as usize]) + AIR;
            let high = |operand: Operand| lengths.of(operand).1 + 2.0 * LINE + AIR;
            Matrices {
                form,
                form_of_b: form,
                lengths,
                west: wide(self.sides.0) + AIR,
                east: wide(self.sides.1).max(wide(Operand::C)) + AIR,
                south: 0.0,
                least: (0.0, high(self.sides.0).max(high(self.sides.1) + high(Operand::C))),
            }
        };
        let numbers = self.numbers_around(between(cell * 0.24, 20.0, 25.0));
        let most_next_to_pictures = if numbers.is_some() { NEXT_TO_PICTURES_MAX.0 } else { NEXT_TO_PICTURES_MAX.1 };
        match arrangement {
            Arrangement::Numbers => numbers.map(around),
            Arrangement::Pictures => (cell <= most_next_to_pictures).then(|| {
                let (form, lengths) = self.pictures(PICTURE_MAX.0);
                // A small B keeps its numbers while A and C grow.
                let numbers = self.numbers(self.width, NUMBER_OF_B);
                let (w, h) = numbers.1.of(Operand::B);
                let keeps_b = !self.has_few_elements() && w <= NUMBERS_OF_B_MAX.0 && h <= NUMBERS_OF_B_MAX.1;
                let (form_of_b, of_b) = if keeps_b { numbers } else { (form, lengths) };
                let lengths = Lengths { k_down: of_b.k_down, n: of_b.n, ..lengths };
                Matrices { form_of_b, ..around((form, lengths)) }
            }),
            Arrangement::Strip => {
                let (form, lengths) = self.strip();
                // Numbers next to smaller cells tell more than squares below larger ones.
                if numbers.is_some() && !form.has_numbers() && cell > ABOVE_PICTURES_MAX {
                    return None;
                }
                let south = lengths.m.max(lengths.k_down) + LINE + AIR;
                let least = (lengths.in_a_row() + AIR, 0.0);
                Some(Matrices { form, form_of_b: form, lengths, west: 2.0, east: 0.0, south, least })
            }
            Arrangement::Bare if cell > BARE_MAX => None,
            Arrangement::Bare | Arrangement::Wall | Arrangement::TallWall => Some({
                let (form, lengths) = (Form::Field, Form::Field.lengths(self.run, FIELD_MIN));
                Matrices { form, form_of_b: form, lengths, west: 4.0, east: 0.0, south: 0.0, least: (0.0, 0.0) }
            }),
        }
    }

    fn detail(&self, cell: f32) -> Detail {
        let is_wall = self.arrangements != Arrangement::ALL;
        let detail =
            if is_wall && cell >= COMPACT_ON_WALL { Detail::of(cell).max(Detail::Compact) } else { Detail::of(cell) };
        detail.min(self.most)
    }

    fn margins(&self, arrangement: Arrangement, cell: f32) -> Margins {
        let around = match arrangement {
            Arrangement::Strip => Around::Strip,
            Arrangement::Wall => Around::Wall,
            Arrangement::TallWall => Around::TallWall,
            _ => Around::Matrices,
        };
        Margins::new(self.plan, (cell, self.detail(cell)), around)
    }

    /// Returns the space that an arrangement needs with this cell; `None` if the arrangement is not possible with this
    /// cell.
    fn needed(&self, arrangement: Arrangement, cell: f32) -> Option<Needed> {
        let matrices = self.matrices(arrangement, cell)?;
        let margins = self.margins(arrangement, cell);
        let (w, h) = margins.around(self.plan.schedule().array(), cell);
        let size = (matrices.west + w + matrices.east, h + matrices.south);
        Some(Needed { size, least: matrices.least })
    }

    /// Returns the largest cell with which an arrangement fits a view; `None` if no cell above `more_than` fits.
    fn largest(&self, arrangement: Arrangement, size: (f32, f32), more_than: f32) -> Option<f32> {
        let most = if self.most < Detail::Registers { COARSE_MAX } else { CELL_MAX };
        let fits = |cell: &f32| self.needed(arrangement, *cell).is_some_and(|needed| needed.is_within(size));
        let least = Detail::Pixel.largest_cell() + 1.0;
        let step = match arrangement {
            Arrangement::Bare => BARE_STEP,
            Arrangement::Wall | Arrangement::TallWall => WALL_STEP,
            _ => 1.0,
        };
        let whole = core::iter::successors(Some((most / step).floor() * step), |cell| Some(cell - step));
        let whole = whole.take_while(|cell| *cell >= least && *cell > more_than).find(fits);
        whole.or_else(|| {
            // Smaller cells have no space between them, so that their size follows from the array's sides.
            let needed = self.needed(arrangement, 0.0).filter(|needed| needed.is_within(size))?;
            let (w, h) = needed.size;
            let array = self.plan.schedule().array();
            let (rows, cols) = (px(array.rows()), px(array.cols()));
            let exact = ((size.0 - w) / cols).min((size.1 - h) / rows).min(most);
            // The picture ends at a whole pixel.
            let longest = rows.max(cols);
            let pixels = (exact.min(least) * longest).ceil() - 1.0;
            let is_bare = arrangement == Arrangement::Bare;
            let side = if is_bare { (pixels / BARE_SIDE_STEP).floor() * BARE_SIDE_STEP } else { pixels };
            (side > more_than * longest && pixels >= ARRAY_MIN).then_some(side / longest)
        })
    }

    /// Returns the best arrangement, and its cell.
    fn best(&self, size: (f32, f32)) -> (Arrangement, f32) {
        let best = self.arrangements.iter().fold((Arrangement::Bare, 0.0), |best, one| {
            self.largest(*one, size, best.1).map_or(best, |cell| (*one, cell))
        });
        if best.1 > 0.0 { best } else { (Arrangement::Bare, self.smallest(size)) }
    }

    /// Returns the cell for a view that is too small for the margins.
    fn smallest(&self, (width, height): (f32, f32)) -> f32 {
        let array = self.plan.schedule().array();
        width.min(height).min(ARRAY_MIN) / px(array.cols().max(array.rows()))
    }

    /// Divides a view into the array and the matrices, with this arrangement and this cell.
    fn arranged(&self, arrangement: Arrangement, cell: f32, size: (f32, f32)) -> Scene {
        let margins = self.margins(arrangement, cell);
        let (w, h) = margins.around(self.plan.schedule().array(), cell);
        let matrices = self.matrices(arrangement, cell);
        let (west, east, south) = matrices.as_ref().map_or((0.0, 0.0, 0.0), |one| (one.west, one.east, one.south));
        // A view too small for the margins keeps the array.
        let before = |side: f32, needed: f32, array: f32, margin: f32| {
            let free = (side - needed) / 2.0;
            if free >= 0.0 { free + margin } else { (free + margin).min(side - array).max(0.0) }
        };
        let array = (px(self.plan.schedule().array().cols()), px(self.plan.schedule().array().rows()));
        let side = |n: f32| n * cell + (n - 1.0) * margins.gap;
        let left = before(size.0, west + w + east, side(array.0), west + margins.west);
        let top = before(size.1, h + south, side(array.1), margins.north);
        let layout = Layout::at(self.plan, (cell, self.detail(cell)), &margins, (left, top));
        let [a, b, c] = match (arrangement, &matrices) {
            (Arrangement::Bare | Arrangement::Wall | Arrangement::TallWall, _) | (_, None) => [None; 3],
            (Arrangement::Strip, Some(matrices)) => places::strip(&matrices.lengths, size).map(Some),
            (_, Some(matrices)) => self.places_around(matrices, &layout, &margins, size).map(Some),
        };
        let (form, form_of_b) = matrices.map_or((Form::Field, Form::Field), |one| (one.form, one.form_of_b));
        Scene { layout, form, form_of_b, is_strip: arrangement == Arrangement::Strip, margins, a, b, c }
    }
}

impl Scene {
    /// Divides a view of this size into the array and the matrices.
    #[must_use]
    pub fn new(plan: &Plan, width: f32, height: f32) -> Self {
        Self::beside(plan, None, width, height)
    }

    /// Divides a view that can be next to a view of the same size for another run. Both views have the same
    /// arrangement, and an equal level of detail: the lower level of the two runs.
    #[must_use]
    pub fn beside(plan: &Plan, other: Option<&Plan>, width: f32, height: f32) -> Self {
        Self::view(plan, other, (width, height), false)
    }

    /// Divides a view as [`Self::beside`] does, or gives all of it to the array, if it is on a wall.
    #[must_use]
    pub fn view(plan: &Plan, other: Option<&Plan>, size: (f32, f32), is_wall: bool) -> Self {
        let arrangements = match is_wall {
            true if size.0 < size.1 => &[Arrangement::TallWall],
            true => &[Arrangement::Wall],
            false => &Arrangement::ALL[..],
        };
        let case = Case::new(plan, Detail::Tagged, arrangements);
        let (best, cell) = case.best(size);
        let Some(other) = other else { return case.arranged(best, cell, size) };
        let (best_other, cell_other) = Case::new(other, Detail::Tagged, arrangements).best(size);
        let (mut most, later) = (case.detail(cell).min(case.detail(cell_other)), best.max(best_other));
        // The first arrangement that both runs can have; a smaller cell of one run can lower the detail of both.
        loop {
            let cases = [plan, other].map(|plan| Case::new(plan, most, arrangements));
            let both = |arrangement: Arrangement| {
                let [cell, other] = [0, 1].map(|nth| cases[nth].largest(arrangement, size, 0.0));
                Some((arrangement, cell?, other?))
            };
            let candidates = case.arrangements.iter().copied().filter(|one| *one >= later);
            let (arrangement, cell, other) =
                candidates.filter_map(both).next().unwrap_or((Arrangement::Bare, cell, cell_other));
            let detail = cases[0].detail(cell).min(cases[1].detail(other));
            if detail >= most {
                return cases[0].arranged(arrangement, cell, size);
            }
            most = detail;
        }
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

    /// Returns the form of a matrix.
    #[must_use]
    pub const fn form_of(&self, operand: Operand) -> Form {
        if matches!(operand, Operand::B) { self.form_of_b } else { self.form }
    }

    /// Returns the space around the array.
    pub(super) const fn margins(&self) -> Margins {
        self.margins
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
        [Operand::A, Operand::B, Operand::C].into_iter().find_map(|operand| {
            let rect = self.place(operand).filter(|_| self.form_of(operand) != Form::Field)?.rect;
            let (rows, cols) = extent(run, operand);
            let (across, down) = ((x - rect.x) / rect.w, (y - rect.y) / rect.h);
            let is_inside = (0.0..1.0).contains(&across) && (0.0..1.0).contains(&down);
            let index = |share: f32, all: u64| ((share * px(all)) as u64).min(all - 1);
            is_inside.then(|| (operand, index(down, rows), index(across, cols)))
        })
    }

    /// Returns the axes of a matrix: the axis of its rows, then the axis of its columns.
    #[must_use]
    pub const fn axes(operand: Operand) -> (Axis, Axis) {
        studio::progress_blocks::axes(operand)
    }
}
