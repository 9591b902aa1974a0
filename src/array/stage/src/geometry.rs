//! Geometry of the array view: the places and sizes of the array, of its registers, and of the matrices A, B and C.
//!
//! [`draw`](crate::draw) computes the [`Scene`] once for a frame. Painters and layers get it, and compute only offsets
//! from its rectangles.
//!
//! The operand that enters from the west is west of the array. The other operand is east of it, and C is below that. In
//! a narrow view, the matrices are in a strip below the array.
//!
//! The scene tries every arrangement with every size of a cell, and uses the one with the largest cells. The space that
//! an arrangement needs depends on the run and the cell alone, so the array never becomes smaller in a larger view.

use crate::PeBlock;
use crate::cells::GLYPH;
use crate::detail::{BLOCK_MIN, CELL_MAX, Detail};
use core::ops::Range;
use display::picture::{Rect, between, px};
use studio::progress_blocks::extent;
use studio::{FillKind, MatrixText, Plan};
use systolic::{ArrayShape, Block, Drain, Gemm, Hold, Operand, PeId};

/// Positions and sizes of the array, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// Level of detail of a cell.
    pub detail: Detail,
    /// Rows of the array.
    pub rows: u32,
    /// Columns of the array.
    pub cols: u32,
    /// Left edge of column 0.
    pub left: f32,
    /// Top edge of row 0.
    pub top: f32,
    /// Side of a cell.
    pub cell: f32,
    /// Distance from the start of a cell to the start of the next cell.
    pub pitch: f32,
    /// Skew registers and waiting operands of the west edge.
    pub west: Edge,
    /// Skew registers and waiting operands of the north edge.
    pub north: Edge,
    /// The first visible PE, and the row and column after the last visible PE.
    pub seen: (PeId, PeId),
    /// Sizes of what surrounds the array.
    pub(crate) sizes: Sizes,
}

/// Skew registers at an edge of the array, and operands that wait in front of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Largest number of tokens drawn in front of a lane; 0 if registers have no space for a value.
    pub tokens: u32,
    /// Distance from one register of a lane to the next register, in pixels.
    pub pitch: f32,
    /// Distance from the array to the nearest register, in pixels.
    pub lead: f32,
}

/// Edge of the array at which operands enter. Each row has a lane in the west, and each column has a lane in the north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    West,
    North,
}

impl Side {
    /// Returns the PE at which a lane ends.
    pub(crate) const fn pe(self, lane: u32) -> PeId {
        match self {
            Self::West => PeId::new(lane, 0),
            Self::North => PeId::new(0, lane),
        }
    }

    /// Returns the number of lanes of a block of PEs.
    pub(crate) const fn lanes(self, block: Block) -> u32 {
        match self {
            Self::West => block.rows,
            Self::North => block.cols,
        }
    }
}

impl Layout {
    /// Lays out the array in a view of this size, next to the matrices that fit.
    #[must_use]
    pub fn new(plan: &Plan, width: f32, height: f32) -> Self {
        Scene::new(plan, width, height).layout
    }

    /// Returns the least height of a view of this width in which every PE shows as many registers as it can at this
    /// width. `None` if the width leaves no room for a value in a PE.
    ///
    /// ```
    /// let plan = studio::Plan::default();
    /// let least = stage::Layout::least_height(&plan, 600.0).unwrap();
    /// assert!(stage::Layout::new(&plan, 600.0, least).detail >= stage::Detail::Registers);
    /// assert_eq!(stage::Layout::least_height(&plan, 60.0), None);
    /// ```
    #[must_use]
    pub fn least_height(plan: &Plan, width: f32) -> Option<f32> {
        const STEP: u16 = 10;
        const MOST: u16 = 1000;
        let detail = |height: u16| Self::new(plan, width, f32::from(height)).detail;
        let wanted = detail(MOST).min(Detail::Registers);
        let heights = (STEP..=MOST).step_by(STEP.into());
        heights.filter(|_| wanted >= Detail::Value).find(|height| detail(*height) >= wanted).map(f32::from)
    }

    /// Returns the visible rows.
    #[must_use]
    pub const fn rows_seen(&self) -> Range<u32> {
        self.seen.0.row..self.seen.1.row
    }

    /// Returns the visible columns.
    #[must_use]
    pub const fn cols_seen(&self) -> Range<u32> {
        self.seen.0.col..self.seen.1.col
    }

    /// Returns the visible rows and columns.
    pub(crate) const fn block_seen(&self) -> PeBlock {
        (self.rows_seen(), self.cols_seen())
    }

    /// Iterates over the visible PEs, row by row.
    pub fn pes(&self) -> impl Iterator<Item = PeId> + use<> {
        let cols = self.cols_seen();
        self.rows_seen().flat_map(move |row| cols.clone().map(move |col| PeId::new(row, col)))
    }

    /// Returns the registers and waiting operands of an edge.
    pub(crate) const fn edge(&self, side: Side) -> Edge {
        match side {
            Side::West => self.west,
            Side::North => self.north,
        }
    }

    /// Returns the visible lanes of an edge.
    pub(crate) const fn lanes_seen(&self, side: Side) -> Range<u32> {
        match side {
            Side::West => self.rows_seen(),
            Side::North => self.cols_seen(),
        }
    }

    /// Returns the width and height of a token in a lane.
    pub(crate) fn token_size(&self, side: Side) -> (f32, f32) {
        match side {
            // On a wall, a minus and a digit fit between the ends of a token.
            Side::West => {
                (self.west.pitch - if self.sizes.is_wall { 1.5 } else { 5.0 }, (self.cell * 0.235).max(TOKEN_MIN))
            }
            Side::North => ((self.cell * 0.5).max(24.0), self.north.pitch - 6.0),
        }
    }

    /// Returns the place of a token of this size in a lane. Place 1 is next to the array.
    pub(crate) fn lane_place(&self, side: Side, lane: u32, ahead: u32, (w, h): (f32, f32)) -> Rect {
        let (cell, Edge { pitch, lead, .. }) = (self.cell_of(side.pe(lane)), self.edge(side));
        let ((x, y), off) = (cell.center(), px(ahead - 1) * pitch);
        match side {
            Side::West => Rect::new(cell.x - lead - w - off, y - h / 2.0, w, h),
            Side::North => Rect::new(x - w / 2.0, cell.y - lead - h - off, w, h),
        }
    }

    /// Returns the rectangle of a PE.
    #[must_use]
    pub fn cell_of(&self, pe: PeId) -> Rect {
        let x = self.left + px(pe.col) * self.pitch;
        let y = self.top + px(pe.row) * self.pitch;
        Rect::new(x, y, self.cell, self.cell)
    }

    /// Returns the rectangle around a block of PEs; the ends of both ranges are exclusive.
    #[must_use]
    pub fn block_of(&self, rows: Range<u32>, cols: Range<u32>) -> Rect {
        let first = self.cell_of(PeId::new(rows.start, cols.start));
        let span = |n: u32| px(n.saturating_sub(1)) * self.pitch + self.cell;
        Rect::new(first.x, first.y, span(cols.end - cols.start), span(rows.end - rows.start))
    }

    /// Returns the rectangle around the whole array.
    #[must_use]
    pub fn array(&self) -> Rect {
        self.block_of(0..self.rows, 0..self.cols)
    }

    /// Returns the PE at a point; a gap belongs to the PE west or north of the gap.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to lie inside the array")]
    pub fn hit(&self, x: f32, y: f32) -> Option<PeId> {
        let (col, row) = ((x - self.left) / self.pitch, (y - self.top) / self.pitch);
        let inside = |place: f32, n: u32| place >= 0.0 && place < px(n);
        (inside(col, self.cols) && inside(row, self.rows)).then(|| PeId::new(row as u32, col as u32))
    }
}

/// Space around an array, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Margins {
    /// Space between two PEs.
    pub gap: f32,
    /// Space next to the array, by side.
    pub west: f32,
    pub north: f32,
    pub south: f32,
    pub east: f32,
    /// The array, without its place in the view.
    layout: Layout,
}

/// Smallest height of a token with a number in a lane.
pub(crate) const TOKEN_MIN: f32 = 13.5;
/// Space at the edges of an array on a wall, for the rings of PEs.
const WALL_EDGE: f32 = 4.0;
/// Largest number of lanes for which the registers show values.
const LANES_MAX: u32 = 8;
/// Largest space for registers that show no values. The first number is for the west edge. The second number is for the
/// north edge, and also for the west edge if the matrices are in a strip.
const WEDGE_MAX: (f32, f32) = (72.0, 48.0);
/// Largest space for west registers on a wall: with values, without values, and on a wall that is taller than wide.
const TOKENS_ON_WALL: f32 = 152.0;
const WEDGE_ON_WALL: f32 = 140.0;
const WEDGE_ON_TALL_WALL: f32 = 36.0;
/// Largest distance between two registers of a west lane.
pub(crate) const WEST_PITCH_MAX: f32 = 44.0;
/// Smallest distance between two registers of a west lane in a magnified array.
pub(crate) const MAGNIFIED_PITCH: f32 = 36.0;
/// Height of a line of text.
const LINE: f32 = 14.0;
/// Height of the names of the columns above tokens.
const NAMES: f32 = 12.0;
/// Heights of the space above and below an array whose cells show no values. The space is for the names of rows and
/// columns, and for padding labels.
const LABELS: (f32, f32) = (30.0, 20.0);

/// Returns the space between two PEs.
pub(crate) fn gap(cell: f32, detail: Detail) -> f32 {
    if detail < Detail::Glyph { 0.0 } else { between((cell / 8.0).round(), 1.0, 12.0) }
}

/// Returns the distance from one register of a north lane to the next register.
pub(crate) fn north_pitch(cell: f32) -> f32 {
    between(cell * 0.27 + 8.0, 20.0, 34.0)
}

/// Returns the width of a register that shows an element of A or B.
fn operand_width(plan: &Plan) -> f32 {
    let scenario = plan.scenario();
    // In a small matrix, typed numbers of at most two glyphs do not change the width of the registers.
    let is_short = |matrix: &Option<MatrixText>| {
        let values = matrix.as_ref().map(|matrix| &matrix.values).filter(|values| values.len() <= 256);
        values.is_some_and(|values| values.iter().all(|value| (-9.0..100.0).contains(value)))
    };
    match plan.dtype().is_integer() {
        true if scenario.fill == FillKind::Uniform => 28.0,
        true if scenario.fill == FillKind::Custom && !(is_short(&scenario.a) && is_short(&scenario.b)) => 28.0,
        true => 20.0,
        false => 36.0,
    }
}

/// Text size of the names of matrices.
pub(crate) const NAME_SIZE: f32 = 12.0;

/// Sizes of what surrounds an array with cells of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sizes {
    is_wall: bool,
    /// Width of a register that shows an element of A or B.
    operand: f32,
    /// Numbers of glyphs in the longest names of a row and of a column, such as `k=255`.
    glyphs: (u32, u32),
    /// Distance from the array to a token that waits above it to be loaded.
    pub load_gap: f32,
    /// Width and height of such a token.
    pub load: (f32, f32),
    /// Distance from the array to a result that leaves.
    pub result_gap: f32,
    /// Height of such a result.
    pub result: f32,
    /// Text size of the names of rows and columns.
    pub name: f32,
    /// Widths for the names of rows and of columns.
    pub names: (f32, f32),
}

impl Sizes {
    fn new(plan: &Plan, cell: f32, detail: Detail, is_wall: bool) -> Self {
        let (schedule, array) = (plan.schedule(), plan.schedule().array());
        let glyphs = |folds: u64, side: u32| (folds * u64::from(side) - 1).checked_ilog10().unwrap_or(0) + 3;
        let glyphs = (glyphs(schedule.row_folds(), array.rows()), glyphs(schedule.col_folds(), array.cols()));
        Self::of_cells(cell, detail, is_wall, operand_width(plan), glyphs)
    }

    /// Returns the sizes around larger cells of the same array.
    pub(crate) fn magnified(&self, cell: f32, detail: Detail) -> Self {
        Self::of_cells(cell, detail, self.is_wall, self.operand, self.glyphs)
    }

    fn of_cells(cell: f32, detail: Detail, is_wall: bool, operand: f32, glyphs: (u32, u32)) -> Self {
        let (result_gap, result) = if is_wall { (3.0, 13.5) } else { (6.0, 15.0) };
        let name = if detail >= Detail::Registers { 13.0 } else { 11.0 };
        let width = |glyphs: u32| px(glyphs) * GLYPH * name + 8.0;
        Self {
            is_wall,
            operand,
            glyphs,
            load_gap: between(cell / 12.0, 3.0, 5.0),
            load: ((cell * 0.46).max(operand + 4.0), between(cell * 0.155, 13.5, 18.0)),
            result_gap: between(cell / 10.0, result_gap, 8.0),
            result: between(cell * 0.22, result, 28.0),
            name,
            names: (width(glyphs.0), width(glyphs.1)),
        }
    }
}

impl Margins {
    /// Returns the margins around an array with cells of this size. A narrow view, with a strip, has no waiting operands.
    fn new(plan: &Plan, (cell, detail): (f32, Detail), arrangement: Arrangement) -> Self {
        let is_wall = matches!(arrangement, Arrangement::Wall | Arrangement::TallWall);
        let schedule = plan.schedule();
        let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
        let flows = schedule.dataflow().hold() == Hold::Operand;
        let gap = match is_wall && detail >= Detail::Glyph {
            true => between(cell / 13.0, 0.5, 5.0),
            false => gap(cell, detail),
        };
        let has_values = detail >= Detail::Compact;
        let lead = if is_wall && !has_values { 3.0 } else { gap + 4.0 };
        let n_waiting = u32::from(arrangement != Arrangement::Strip);
        let edge = |lanes: u32, pitch: f32, wedge: f32| {
            let others = px(lanes.saturating_sub(1));
            let has_room = !is_wall || (arrangement == Arrangement::Wall && px(lanes) * pitch <= TOKENS_ON_WALL);
            if has_values && lanes <= LANES_MAX && has_room {
                return (Edge { tokens: lanes - 1 + n_waiting, pitch, lead }, (others + px(n_waiting)) * pitch + lead);
            }
            let width = (cell.max(BLOCK_MIN) * 0.45 * others).min(wedge);
            (Edge { tokens: 0, pitch: width / others.max(1.0), lead }, width + lead)
        };
        // Two glyphs fit into the narrowest register of a wall.
        let sizes = Sizes::new(plan, cell, detail, is_wall);
        let widest = sizes.operand + if is_wall { -1.5 } else { 5.0 };
        let west_pitch = between(cell * 0.45, widest, WEST_PITCH_MAX.max(widest));
        // On a wall of 16:9, an array with at least as many rows as columns leaves space for its registers.
        let wedge_max = match arrangement {
            Arrangement::Strip => WEDGE_MAX.1,
            Arrangement::Wall if rows >= cols => WEDGE_ON_WALL,
            Arrangement::TallWall => WEDGE_ON_TALL_WALL,
            _ => WEDGE_MAX.0,
        };
        let (west_edge, west) = edge(rows, west_pitch, wedge_max);
        let (north_edge, north) = match flows {
            // On a wall, the array gets the height. Only the next element of each column is above, if there is space.
            false if is_wall => {
                let tokens = u32::from(detail >= Detail::Registers && arrangement == Arrangement::Wall);
                let skew = if cols > 4 { 2.2_f32.min(WEDGE_MAX.1 / px(cols)) } else { 5.0 };
                let (pitch, n) = if tokens > 0 { (TOKEN_MIN + 6.0, 1) } else { (skew, cols - 1) };
                (Edge { tokens, pitch, lead }, pitch * px(n) + lead)
            }
            true if is_wall => (Edge { tokens: 0, pitch: 0.0, lead: sizes.load_gap }, WALL_EDGE),
            true => (
                Edge { tokens: u32::from(has_values), pitch: 0.0, lead: sizes.load_gap },
                sizes.load_gap + sizes.load.1,
            ),
            false => edge(cols, north_pitch(cell), WEDGE_MAX.1),
        };
        let leaves = flows || schedule.design().drain == Drain::South;
        let below = leaves.then_some(sizes.result_gap + sizes.result + 0.5);
        let (north, south) = match (has_values, flows) {
            (true, _) if is_wall => (north, below.unwrap_or(WALL_EDGE)),
            (false, _) if is_wall => (north.max(WALL_EDGE), if leaves { cell * 0.5 + 3.0 } else { WALL_EDGE }),
            (true, _) => (north + NAMES, below.unwrap_or(6.0)),
            (false, true) => LABELS,
            // Registers are above the array, so that both labels are below it.
            (false, false) => (north + LINE, LABELS.1 + LINE),
        };
        Self {
            gap,
            west: west + if west_edge.tokens > 0 || is_wall { 0.0 } else { sizes.names.0 },
            north,
            south,
            east: 6.0,
            layout: Layout {
                detail,
                rows,
                cols,
                left: 0.0,
                top: 0.0,
                cell,
                pitch: cell + gap,
                west: west_edge,
                north: north_edge,
                seen: (PeId::new(0, 0), PeId::new(rows, cols)),
                sizes,
            },
        }
    }

    /// Returns the width and height of an array with its margins.
    fn around(&self, array: ArrayShape, cell: f32) -> (f32, f32) {
        let side = |n: u32| px(n) * cell + px(n - 1) * self.gap;
        (self.west + side(array.cols()) + self.east, self.north + side(array.rows()) + self.south)
    }
}

/// Form of a drawn matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A cell with a number for each element. Cells of A and B have this width and height; cells of C are wider.
    Numbers(f32, f32),
    /// A square for each element, with this side.
    Squares(f32),
    /// A single rectangle, called a field, that shows the blocks in use.
    Field,
}

/// Width of an element of C ÷ width of an element of A or B. Elements of C are wider, because sums have more digits.
const RESULT_WIDTH: f32 = 1.2;
/// Smallest and largest side of an element without a number.
const SQUARE: (f32, f32) = (4.0, 6.0);
/// Smallest side of a field.
const FIELD_MIN: f32 = 10.0;
/// Space for the signs between the matrices of a strip.
pub(crate) const SIGN: f32 = 30.0;

/// Lengths of the axes on the screen. K is horizontal in A and vertical in B.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lengths {
    pub m: f32,
    pub k_across: f32,
    pub k_down: f32,
    pub n: f32,
    /// Length of N in C.
    pub n_result: f32,
}

impl Lengths {
    /// Returns the width and the height of a matrix.
    const fn size(&self, operand: Operand) -> (f32, f32) {
        match operand {
            Operand::A => (self.k_across, self.m),
            Operand::B => (self.n, self.k_down),
            Operand::C => (self.n_result, self.m),
        }
    }

    /// Returns the width of all three matrices with the signs between them.
    const fn in_a_row(&self) -> f32 {
        self.k_across + self.n + self.n_result + 2.0 * SIGN
    }
}

impl Form {
    /// True if each element is drawn with its number.
    #[must_use]
    pub const fn has_numbers(self) -> bool {
        matches!(self, Self::Numbers(..))
    }

    /// Returns the form and lengths of matrices without numbers, whose sides are at most `side` long.
    fn picture(run: Gemm, side: f32) -> (Self, Lengths) {
        let each = side / px(run.m().max(run.k()).max(run.n()));
        let form = if each >= SQUARE.0 { Self::Squares(each.min(SQUARE.1)) } else { Self::Field };
        form.with_lengths(run, side)
    }

    /// Returns the form with the lengths of M, K and N on the screen. Sides of fields grow with the square roots of M, K and N, up to
    /// `side`. Otherwise a long side would leave no space for a short side.
    fn with_lengths(self, run: Gemm, side: f32) -> (Self, Lengths) {
        let [m, k, n] = [run.m(), run.k(), run.n()].map(px);
        let by = |w: f32, h: f32| Lengths { m: m * h, k_across: k * w, k_down: k * h, n: n * w, n_result: n * w };
        let lengths = match self {
            Self::Numbers(w, h) => Lengths { n_result: n * w * RESULT_WIDTH, ..by(w, h) },
            Self::Squares(each) => by(each, each),
            Self::Field => {
                let [m, k, n] = [m, k, n].map(f32::sqrt);
                let scale = side / m.max(k).max(n);
                let [m, k, n] = [m, k, n].map(|root| (root * scale).max(FIELD_MIN));
                Lengths { m, k_across: k, k_down: k, n, n_result: n }
            }
        };
        (self, lengths)
    }
}

/// A matrix in the view: its form, and the places of its elements and of its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The matrix.
    pub operand: Operand,
    /// Form of the matrix. B can have numbers next to pictures of A and C.
    pub form: Form,
    /// Number of rows and columns, with padding.
    pub extent: (u64, u64),
    /// Rectangle around the elements.
    pub rect: Rect,
    /// Point at which the name begins (above the matrix), or is centered (below the matrix, in a strip).
    pub name: (f32, f32),
}

impl Place {
    /// Returns the rectangle of an element, in any form of the matrix.
    #[must_use]
    pub fn element(&self, row: u64, col: u64) -> Rect {
        let Rect { x, y, w, h } = self.rect;
        let (w, h) = (w / px(self.extent.1), h / px(self.extent.0));
        Rect::new(x + px(col) * w, y + px(row) * h, w, h)
    }

    /// Returns the row and column of the element at a point, if elements are large enough to point at.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to lie inside the matrix")]
    pub fn hit(&self, x: f32, y: f32) -> Option<(u64, u64)> {
        let (across, down) = ((x - self.rect.x) / self.rect.w, (y - self.rect.y) / self.rect.h);
        let is_inside = (0.0..1.0).contains(&across) && (0.0..1.0).contains(&down) && self.form != Form::Field;
        let index = |share: f32, all: u64| ((share * px(all)) as u64).min(all - 1);
        is_inside.then(|| (index(down, self.extent.0), index(across, self.extent.1)))
    }
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
    /// No matrices, and an array as large as the view. Only a view on a wall has this arrangement.
    Wall,
    /// No matrices, and an array as large as a view that is taller than wide.
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
    /// True if the matrices are in a row, as an equation.
    pub is_strip: bool,
    /// Space around the array.
    pub(crate) margins: Margins,
    /// Places of A, B and C, if the view has them.
    pub(crate) places: [Option<Place>; 3],
}

/// Largest M, K or N for which the matrices show numbers.
const NUMBERS_MAX: u64 = 16;
/// Largest total width of the matrices with numbers, next to the array or in a strip.
const NUMBERS_WIDTH_MAX: f32 = 325.0;
/// Largest sides of a matrix without numbers: next to the array, and in a strip.
const PICTURE_MAX: (f32, f32) = (96.0, 72.0);
/// Height of an element of B next to pictures of A and C.
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
/// Step between cell sizes in views without matrices. Because of this step, a view keeps its matrices if its cells
/// would be only a few pixels larger without them.
const BARE_STEP: f32 = 4.0;
/// Smallest cell with an operand and a sum on a wall. Its sums have at most four glyphs.
const COMPACT_ON_WALL: f32 = 26.0;
/// Step between cell sizes on a wall, less than a pixel, which is several pixels of the screen.
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
const TEXT_LINE: f32 = 16.0;

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

impl<'a> Case<'a> {
    fn new(plan: &'a Plan, most: Detail, arrangements: &'static [Arrangement]) -> Self {
        let schedule = plan.schedule();
        let (run, west) = (schedule.run(), schedule.dataflow().from_west());
        let names = [Operand::A, Operand::B, Operand::C].map(|operand| {
            let (rows, cols) = extent(schedule.gemm(), operand);
            let glyphs = |text: String| px(text.chars().count() as u64);
            (glyphs(words::picture::sides(rows, cols)) + 2.0) * GLYPH * NAME_SIZE
        });
        let east = if west == Operand::A { Operand::B } else { Operand::A };
        // The registers of floats are wide already.
        let width = operand_width(plan) + if plan.dtype().is_integer() { 8.0 } else { 2.0 };
        Self { plan, run, most, sides: (west, east), width, names, arrangements }
    }

    /// Returns the matrices with numbers of this height; `None` if the matrices are too large for a place next to the
    /// array.
    fn numbers_around(&self, height: f32) -> Option<(Form, Lengths)> {
        let (form, lengths) = Form::Numbers(self.width, height).with_lengths(self.run, 0.0);
        let wide = |operand| lengths.size(operand).0;
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
        let (form, lengths) = Form::Numbers(self.width - 3.0, height).with_lengths(self.run, 0.0);
        let fits = self.has_few_elements() && height >= STRIP_NUMBER.0 && lengths.in_a_row() <= NUMBERS_WIDTH_MAX;
        if fits { (form, lengths) } else { Form::picture(self.run, PICTURE_MAX.1) }
    }

    /// Returns the matrices of an arrangement. Returns `None` if the arrangement is not possible with this cell or with
    /// these matrices.
    fn matrices(&self, arrangement: Arrangement, cell: f32) -> Option<Matrices> {
        let around = |(form, lengths): (Form, Lengths)| {
            let wide = |operand: Operand| lengths.size(operand).0.max(self.names[operand as usize]) + AIR;
            let high = |operand: Operand| lengths.size(operand).1 + 2.0 * TEXT_LINE + AIR;
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
                let (form, lengths) = Form::picture(self.run, PICTURE_MAX.0);
                // A small B keeps its numbers while A and C grow.
                let numbers = Form::Numbers(self.width, NUMBER_OF_B).with_lengths(self.run, 0.0);
                let (w, h) = numbers.1.size(Operand::B);
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
                let south = lengths.m.max(lengths.k_down) + TEXT_LINE + AIR;
                let least = (lengths.in_a_row() + AIR, 0.0);
                Some(Matrices { form, form_of_b: form, lengths, west: 2.0, east: 0.0, south, least })
            }
            Arrangement::Bare if cell > BARE_MAX => None,
            Arrangement::Bare | Arrangement::Wall | Arrangement::TallWall => Some({
                let (form, lengths) = Form::Field.with_lengths(self.run, FIELD_MIN);
                Matrices { form, form_of_b: form, lengths, west: 4.0, east: 0.0, south: 0.0, least: (0.0, 0.0) }
            }),
        }
    }

    fn detail(&self, cell: f32) -> Detail {
        let is_wall = self.arrangements != Arrangement::ALL;
        let detail = if is_wall && cell >= COMPACT_ON_WALL {
            Detail::for_cell(cell).max(Detail::Compact)
        } else {
            Detail::for_cell(cell)
        };
        detail.min(self.most)
    }

    /// Returns the width and height of the array with its margins and with the matrices next to it, for this cell.
    /// `None` if they are larger than the view, or if the arrangement is not possible with this cell.
    fn fitting(&self, arrangement: Arrangement, cell: f32, (width, height): (f32, f32)) -> Option<(f32, f32)> {
        let matrices = self.matrices(arrangement, cell)?;
        let (w, h) =
            Margins::new(self.plan, (cell, self.detail(cell)), arrangement).around(self.plan.schedule().array(), cell);
        let (w, h) = (matrices.west + w + matrices.east, h + matrices.south);
        (w.max(matrices.least.0) <= width && h.max(matrices.least.1) <= height).then_some((w, h))
    }

    /// Returns the largest cell with which an arrangement fits a view; `None` if no cell above `more_than` fits.
    fn largest(&self, arrangement: Arrangement, size: (f32, f32), more_than: f32) -> Option<f32> {
        let most = if self.most < Detail::Registers { COARSE_MAX } else { CELL_MAX };
        let fits = |cell: &f32| self.fitting(arrangement, *cell, size).is_some();
        let step = match arrangement {
            Arrangement::Bare => BARE_STEP,
            Arrangement::Wall | Arrangement::TallWall => WALL_STEP,
            _ => 1.0,
        };
        let whole = core::iter::successors(Some((most / step).floor() * step), |cell| Some(cell - step));
        let whole = whole.take_while(|cell| *cell >= BLOCK_MIN && *cell > more_than).find(fits);
        whole.or_else(|| {
            // Smaller cells have no space between them, so that their size follows from the array's sides.
            let (w, h) = self.fitting(arrangement, 0.0, size)?;
            let array = self.plan.schedule().array();
            let (rows, cols) = (px(array.rows()), px(array.cols()));
            let exact = ((size.0 - w) / cols).min((size.1 - h) / rows).min(most);
            // The picture ends at a whole pixel.
            let longest = rows.max(cols);
            let pixels = (exact.min(BLOCK_MIN) * longest).ceil() - 1.0;
            let is_bare = arrangement == Arrangement::Bare;
            let side = if is_bare { (pixels / BARE_SIDE_STEP).floor() * BARE_SIDE_STEP } else { pixels };
            (side > more_than * longest && pixels >= ARRAY_MIN).then_some(side / longest)
        })
    }

    /// Returns the best arrangement, and its cell.
    fn best(&self, size: (f32, f32)) -> (Arrangement, f32) {
        let best = self.arrangements.iter().fold((Arrangement::Bare, 0.0), |best, arrangement| {
            self.largest(*arrangement, size, best.1).map_or(best, |cell| (*arrangement, cell))
        });
        if best.1 > 0.0 {
            return best;
        }
        // The view is too small for the margins.
        let array = self.plan.schedule().array();
        (Arrangement::Bare, size.0.min(size.1).min(ARRAY_MIN) / px(array.cols().max(array.rows())))
    }

    /// Divides a view into the array and the matrices, with this arrangement and this cell.
    fn arranged(&self, arrangement: Arrangement, cell: f32, size: (f32, f32)) -> Scene {
        let margins = Margins::new(self.plan, (cell, self.detail(cell)), arrangement);
        let (w, h) = margins.around(self.plan.schedule().array(), cell);
        let matrices = self.matrices(arrangement, cell);
        let (west, east, south) =
            matrices.as_ref().map_or((0.0, 0.0, 0.0), |around| (around.west, around.east, around.south));
        // A view too small for the margins keeps the array.
        let before = |side: f32, needed: f32, array: f32, margin: f32| {
            let free = (side - needed) / 2.0;
            if free >= 0.0 { free + margin } else { (free + margin).min(side - array).max(0.0) }
        };
        let array = (px(self.plan.schedule().array().cols()), px(self.plan.schedule().array().rows()));
        let side = |n: f32| n * cell + (n - 1.0) * margins.gap;
        let left = before(size.0, west + w + east, side(array.0), west + margins.west);
        let top = before(size.1, h + south, side(array.1), margins.north);
        let layout = Layout { left: left.round(), top: top.round(), ..margins.layout };
        let is_strip = arrangement == Arrangement::Strip;
        let rects = matrices.as_ref().and_then(|matrices| match arrangement {
            Arrangement::Bare | Arrangement::Wall | Arrangement::TallWall => None,
            Arrangement::Strip => Some(rects_in_strip(&matrices.lengths, size)),
            Arrangement::Numbers | Arrangement::Pictures => Some(self.rects_around(matrices, &layout, &margins, size)),
        });
        let place = |operand: Operand| {
            let ((rect, name), matrices) = (rects?[operand as usize], matrices.as_ref()?);
            let form = if operand == Operand::B { matrices.form_of_b } else { matrices.form };
            Some(Place { operand, form, extent: extent(self.run, operand), rect, name })
        };
        let places = [Operand::A, Operand::B, Operand::C].map(place);
        Scene { layout, is_strip, margins, places }
    }

    /// Returns the rectangles of A, B and C next to an array, and the places of their names.
    fn rects_around(&self, matrices: &Matrices, layout: &Layout, margins: &Margins, size: (f32, f32)) -> [Placed; 3] {
        let (block, lengths) = (layout.array(), &matrices.lengths);
        let middle = block.center().1;
        let within = |y: f32, h: f32| between(y, TEXT_LINE + 6.0, (size.1 - h - TEXT_LINE - 6.0).max(TEXT_LINE + 6.0));
        let (west, east) = self.sides;
        let (w, h) = lengths.size(west);
        let end = block.x - margins.west - AIR;
        // The matrix begins with its name, which can be wider.
        let x = end - w.max(self.names[west as usize]);
        let named = |x: f32, y: f32, (w, h): (f32, f32)| (Rect::new(x, y, w, h), (x - 2.0, y - 11.0));
        let west_place = named(x, within(middle - h / 2.0, h), (w, h));
        // The east has the other operand at the top of the array, and C at its bottom, where results leave.
        let start = block.x + block.w + margins.east + AIR;
        let (east_size, c_size) = (lengths.size(east), lengths.size(Operand::C));
        let between_both = 3.0 * TEXT_LINE;
        let both = east_size.1 + between_both + c_size.1;
        let apart = block.y + block.h + margins.south - TEXT_LINE - c_size.1;
        let (first, second) = if apart - (block.y + TEXT_LINE) >= east_size.1 + between_both {
            (block.y + TEXT_LINE, apart)
        } else {
            (middle - both / 2.0, middle - both / 2.0 + east_size.1 + between_both)
        };
        let first = within(first, both);
        let second = within(second.max(first + east_size.1 + between_both), c_size.1);
        let (east_place, c_place) = (named(start, first, east_size), named(start, second, c_size));
        if west == Operand::A { [west_place, east_place, c_place] } else { [east_place, west_place, c_place] }
    }
}

impl Scene {
    /// Divides a view of this size into the array and the matrices.
    #[must_use]
    pub fn new(plan: &Plan, width: f32, height: f32) -> Self {
        Self::view(plan, None, (width, height), false)
    }

    /// Divides a view that can be next to a view of the same size for another run. Both views have the same
    /// arrangement, and an equal level of detail: the lower level of the two runs. On a wall, the array has all of the
    /// view.
    #[must_use]
    pub fn view(plan: &Plan, other: Option<&Plan>, size: (f32, f32), is_wall: bool) -> Self {
        let arrangements = match is_wall {
            true if size.0 * (if other.is_some() { 1.5 } else { 1.0 }) < size.1 => &[Arrangement::TallWall],
            true => &[Arrangement::Wall],
            false => &Arrangement::ALL[..],
        };
        let case = Case::new(plan, Detail::Tagged, arrangements);
        let (best, cell) = case.best(size);
        let Some(other) = other else { return case.arranged(best, cell, size) };
        let (best_other, cell_other) = Case::new(other, Detail::Tagged, arrangements).best(size);
        let (mut most, later) = (case.detail(cell).min(case.detail(cell_other)), best.max(best_other));
        // Finds the first arrangement that fits both runs. A smaller cell of one run can lower the detail of both.
        loop {
            let cases = [plan, other].map(|plan| Case::new(plan, most, arrangements));
            let both = |arrangement: Arrangement| {
                let [cell, other] = [0, 1].map(|nth| cases[nth].largest(arrangement, size, 0.0));
                Some((arrangement, cell?, other?))
            };
            let candidates = case.arrangements.iter().copied().filter(|arrangement| *arrangement >= later);
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
        self.places[operand as usize]
    }
}

/// Rectangle of a matrix, and the place of its name.
type Placed = (Rect, (f32, f32));

/// Returns the rectangles of A, B and C in a strip at the bottom of a view, and the places of their names.
fn rects_in_strip(lengths: &Lengths, (width, height): (f32, f32)) -> [Placed; 3] {
    let tall = lengths.m.max(lengths.k_down);
    let top = height - tall - TEXT_LINE - 4.0;
    let mut x = (width - lengths.in_a_row()) / 2.0;
    [Operand::A, Operand::B, Operand::C].map(|operand| {
        let (w, h) = lengths.size(operand);
        let rect = Rect::new(x, top + (tall - h) / 2.0, w, h);
        x += w + SIGN;
        // The name is below its matrix.
        (rect, (rect.x + w / 2.0, top + tall + TEXT_LINE / 2.0 + 3.0))
    })
}

#[cfg(test)]
mod tests;
