//! Space around an array with cells of one size, for skew registers, waiting operands, results and labels.
//!
//! The margins depend only on the run and on the cell, never on the view. So a cell that fits a view also fits every
//! larger view.

use super::layout::{Detail, Edge};
use display::picture::{between, px};
use studio::{FillKind, MatrixText, Plan};
use systolic::{ArrayShape, Drain, Hold};

/// Space around an array, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Margins {
    /// Space between two PEs.
    pub gap: f32,
    /// Space west of the array.
    pub west: f32,
    /// Space north of the array.
    pub north: f32,
    /// Space south of the array.
    pub south: f32,
    /// Space east of the array.
    pub east: f32,
    /// Skew registers in the west.
    pub west_edge: Edge,
    /// Skew registers in the north.
    pub north_edge: Edge,
}

/// Marks around the array and its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// Names, wires and matrices.
    Matrices,
    /// Names, in a narrow view with a strip of matrices.
    Strip,
    /// Nothing: the array is on a wall.
    Wall,
    /// Nothing: the array is on a wall that is higher than wide.
    TallWall,
}

/// Space at the edges of an array on a wall, for the rings of PEs.
const WALL_EDGE: f32 = 4.0;
/// Largest number of lanes for which the registers show values.
const LANES_MAX: u32 = 8;
/// Largest space for registers that show no values. The first number is for the west edge. The second number is for the
/// north edge, and also for the west edge if the matrices are in a strip.
const WEDGE_MAX: (f32, f32) = (72.0, 48.0);
/// Largest space for west registers on a wall: with values, without values, and on a wall that is higher than wide.
const TOKENS_ON_WALL: f32 = 152.0;
const WEDGE_ON_WALL: f32 = 140.0;
const WEDGE_ON_TALL_WALL: f32 = 36.0;
/// Largest distance between two registers of a west lane.
pub(super) const WEST_PITCH_MAX: f32 = 44.0;
/// Smallest distance between two registers of a west lane in a magnified array.
pub(super) const MAGNIFIED_PITCH: f32 = 36.0;
/// Height of a line of text.
const LINE: f32 = 14.0;
/// Height of the names of the columns above tokens.
const NAMES: f32 = 12.0;
/// Heights of the space above and below an array whose cells show no values. The space is for the names of rows and
/// columns, and for padding labels.
const LABELS: (f32, f32) = (30.0, 20.0);

/// Returns the space between two PEs.
pub(super) fn gap(cell: f32, detail: Detail) -> f32 {
    if detail < Detail::Glyph { 0.0 } else { between((cell / 8.0).round(), 1.0, 12.0) }
}

/// Returns the space between two PEs on a wall.
fn gap_on_wall(cell: f32, detail: Detail) -> f32 {
    if detail < Detail::Glyph { 0.0 } else { between(cell / 13.0, 0.5, 5.0) }
}

/// Returns the distance from the array to the nearest register.
pub(super) fn lead(cell: f32, detail: Detail) -> f32 {
    gap(cell, detail) + 4.0
}

/// Returns the distance from one register of a north lane to the next register.
pub(super) fn north_pitch(cell: f32) -> f32 {
    between(cell * 0.27 + 8.0, 20.0, 34.0)
}

/// Returns the distance from the array to a token that waits above the array to be loaded, and the height of the token.
pub(super) fn load(cell: f32) -> (f32, f32) {
    (between(cell / 12.0, 3.0, 5.0), between(cell * 0.155, 13.5, 18.0))
}

/// Returns the width of a token that waits above the array to be loaded.
pub(super) fn load_width(plan: &Plan, cell: f32) -> f32 {
    (cell * 0.46).max(operand_width(plan) + 4.0)
}

/// Returns the distance from the array to a result that leaves, and the height of the result.
pub(super) fn result(cell: f32, is_wall: bool) -> (f32, f32) {
    let least = if is_wall { (3.0, 13.5) } else { (6.0, 15.0) };
    (between(cell / 10.0, least.0, 8.0), between(cell * 0.22, least.1, 28.0))
}

/// Returns the width of a register that shows an element of A or B.
pub(super) fn operand_width(plan: &Plan) -> f32 {
    let scenario = plan.scenario();
    let is_short = |matrix: &Option<MatrixText>| matrix.as_ref().is_some_and(has_short_numbers);
    match plan.dtype().is_integer() {
        true if scenario.fill == FillKind::Uniform => 28.0,
        true if scenario.fill == FillKind::Custom && !(is_short(&scenario.a) && is_short(&scenario.b)) => 28.0,
        true => 20.0,
        false => 36.0,
    }
}

/// True if a typed matrix is small and its numbers have at most two glyphs, so that a typed number of two glyphs changes
/// no width.
fn has_short_numbers(matrix: &MatrixText) -> bool {
    matrix.values.len() <= 256 && matrix.values.iter().all(|value| (-9.0..100.0).contains(value))
}

impl Margins {
    /// Returns the margins around an array with cells of this size. If the matrices are in a strip, the view is narrow
    /// and shows no waiting operands. On a wall, operands enter from the north unseen.
    pub(super) fn new(plan: &Plan, (cell, detail): (f32, Detail), around: Around) -> Self {
        let (is_strip, is_wall) = (around == Around::Strip, matches!(around, Around::Wall | Around::TallWall));
        let schedule = plan.schedule();
        let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
        let flows = schedule.dataflow().hold() == Hold::Operand;
        let gap = if is_wall { gap_on_wall(cell, detail) } else { gap(cell, detail) };
        let has_values = detail >= Detail::Compact;
        let lead = if is_wall && !has_values { 3.0 } else { gap + 4.0 };
        let n_waiting = u32::from(!is_strip);
        let edge = |lanes: u32, pitch: f32, wedge: f32| {
            let others = px(lanes.saturating_sub(1));
            let has_room = !is_wall || (around == Around::Wall && px(lanes) * pitch <= TOKENS_ON_WALL);
            if has_values && lanes <= LANES_MAX && has_room {
                return (Edge { tokens: lanes - 1 + n_waiting, pitch, lead }, (others + px(n_waiting)) * pitch + lead);
            }
            let width = (cell.max(Detail::Pixel.largest_cell() + 1.0) * 0.45 * others).min(wedge);
            (Edge { tokens: 0, pitch: width / others.max(1.0), lead }, width + lead)
        };
        // Two glyphs fit into the narrowest register of a wall.
        let widest = operand_width(plan) + if is_wall { -1.5 } else { 5.0 };
        let west_pitch = between(cell * 0.45, widest, WEST_PITCH_MAX.max(widest));
        // An array of more rows than columns leaves a wall of 16:9 room for its registers.
        let wedge_max = match around {
            Around::Strip => WEDGE_MAX.1,
            Around::Wall if rows >= cols => WEDGE_ON_WALL,
            Around::Matrices | Around::Wall => WEDGE_MAX.0,
            Around::TallWall => WEDGE_ON_TALL_WALL,
        };
        let (west_edge, west) = edge(rows, west_pitch, wedge_max);
        let (load_gap, load_height) = load(cell);
        let (north_edge, north) = match flows {
            // On a wall, the height is for the array.
            false if is_wall => {
                let pitch = if cols > 4 { 2.2 } else { 5.0 };
                (Edge { tokens: 0, pitch, lead }, pitch * px(cols - 1) + lead)
            }
            true if is_wall => (Edge { tokens: 0, pitch: 0.0, lead: load_gap }, WALL_EDGE),
            true => (Edge { tokens: u32::from(has_values), pitch: 0.0, lead: load_gap }, load_gap + load_height),
            false => edge(cols, north_pitch(cell), WEDGE_MAX.1),
        };
        let leaves = flows || schedule.design().drain == Drain::South;
        let (result_gap, result_height) = result(cell, is_wall);
        let (north, south) = match (has_values, flows) {
            (true, _) if is_wall => (north, if leaves { result_gap + result_height + 0.5 } else { WALL_EDGE }),
            (false, _) if is_wall => (north.max(WALL_EDGE), if leaves { cell * 0.5 + 3.0 } else { WALL_EDGE }),
            (true, _) => (north + NAMES, if leaves { result_gap + result_height + 0.5 } else { 6.0 }),
            (false, true) => LABELS,
            // Registers are above the array, so that both labels are below it.
            (false, false) => (north + LINE, LABELS.1 + LINE),
        };
        Self {
            gap,
            west: west + if west_edge.tokens > 0 || is_wall { 0.0 } else { super::edges::row_names(schedule, detail) },
            north,
            south,
            east: 6.0,
            west_edge,
            north_edge,
        }
    }

    /// Returns the width and height of an array with its margins.
    pub(super) fn around(&self, array: ArrayShape, cell: f32) -> (f32, f32) {
        let side = |n: u32| px(n) * cell + px(n - 1) * self.gap;
        (self.west + side(array.cols()) + self.east, self.north + side(array.rows()) + self.south)
    }
}
