//! Picture of a dataflow that a person builds. The picture shows the array at a cycle with all registers, the elements
//! that wait at its edges, and the sums that leave. A timeline shows right and wrong meetings.
//!
//! Rows and columns have their names at a free edge. A mirror image counts them from the south or from the east.
//!
//! A black frame marks a PE that multiplies the right pair. A double frame in the tone of wrong numbers marks a wrong
//! pair. A dashed frame marks a PE with a moving element, but without an element of each of the three matrices.

use crate::Frame;
use crate::cells::{TEXT_MIN, fitted, ink_of, text_width};
use display::Tone;
use display::picture::{Anchor, Dash, Identity, Mark, Outline, Picture, Rect, Stroke, between, px};
use systolic::flow::{Along, FaultKind, Flow, FlowRun, Label, Meeting, Move, PeState};
use systolic::{Operand, PeId, Value};
use words::flow as text;

/// Edge of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    West,
    East,
    North,
    South,
}

impl Side {
    const ALL: [Self; 4] = [Self::West, Self::East, Self::North, Self::South];

    /// Edge at which the elements of a move enter.
    const fn entry(motion: Move) -> Option<Self> {
        match motion {
            Move::Stays => None,
            Move::East | Move::AlongRow => Some(Self::West),
            Move::West => Some(Self::East),
            Move::South | Move::AlongCol => Some(Self::North),
            Move::North => Some(Self::South),
        }
    }

    const fn opposite(self) -> Self {
        match self {
            Self::West => Self::East,
            Self::East => Self::West,
            Self::North => Self::South,
            Self::South => Self::North,
        }
    }

    /// True for an edge with one lane for each row.
    const fn is_of_rows(self) -> bool {
        matches!(self, Self::West | Self::East)
    }

    /// Direction away from the array: 1 to the east or south.
    const fn away(self) -> f32 {
        match self {
            Self::West | Self::North => -1.0,
            Self::East | Self::South => 1.0,
        }
    }
}

/// First matrix whose elements enter at an edge. Two matrices at one edge make the same step, so the array is wrong.
fn entering(run: &FlowRun, side: Side) -> Option<Operand> {
    Flow::OPERANDS.into_iter().find(|&operand| Side::entry(run.flow().of(operand)) == Some(side))
}

/// True if sums leave at an edge.
fn has_exit(run: &FlowRun, side: Side) -> bool {
    Side::entry(run.flow().sums).map(Side::opposite) == Some(side)
}

/// Edge with the names of the rows or of the columns. An edge at which nothing enters comes first, then an edge at
/// which nothing leaves. Between equal edges, the east or south edge comes first.
fn named(run: &FlowRun, along: Along) -> Side {
    let usual = if along == Along::Row { Side::East } else { Side::South };
    let order = |side: Side| (entering(run, side).is_some(), has_exit(run, side));
    if order(usual) <= order(usual.opposite()) { usual } else { usual.opposite() }
}

/// Largest width or height of a cell, and largest quotient of the two.
const CELL_MAX: f32 = 92.0;
const OBLONG_MAX: f32 = 1.35;
/// Width and height of the smallest cell with names of elements.
const NAMES_MIN: (f32, f32) = (80.0, 60.0);
/// Distance from the array to the first token at an edge.
const LEAD: f32 = 8.0;
/// Space for a label or a ring at an edge without tokens.
const MARGIN: f32 = 18.0;
/// Height of a token at an edge, and distance from one to the next in a column.
const TALL: f32 = 16.0;
const TALL_PITCH: f32 = 20.0;
/// Width of a finished sum at the west or east edge.
const SUM_WIDE: f32 = 40.0;
/// Width of the name of a row, and height of the name of a column.
const NAME: (f32, f32) = (40.0, 11.0);
/// Largest numbers of tokens in a lane, each with the smallest cell that leaves space for them. Without tokens, the edges
/// also have no finished sums.
const TOKENS: [(u32, f32); 4] = [(3, 60.0), (2, 46.0), (1, 34.0), (0, 0.0)];

/// True if the names of rows are above the elements at their edge. The lanes are tall enough for this, and the cells
/// can then be wider.
fn has_names_above(tokens: u32, used: f32) -> bool {
    used > 0.0 && tokens == TOKENS[0].0
}

/// Places and sizes of the array and its edges.
#[derive(Clone, Copy, Debug)]
struct Places {
    left: f32,
    top: f32,
    /// Width and height of a cell.
    cell: (f32, f32),
    gap: f32,
    rows: u32,
    cols: u32,
    /// Tokens in a lane, and distance from one to the next in a row.
    tokens: u32,
    wide: f32,
    /// Width of the space west of the waiting elements.
    free_west: f32,
    /// Width or height of the elements that wait or leave at each edge.
    used: [f32; 4],
}

impl Places {
    fn new(run: &FlowRun, width: f32, height: f32) -> Self {
        let of_tokens = TOKENS.map(|(tokens, least)| (Self::with_tokens(run, width, height, tokens), least));
        let [.., (fewest, _)] = of_tokens;
        of_tokens
            .into_iter()
            .find(|(places, least)| places.cell.0.min(places.cell.1) >= *least)
            .map_or(fewest, |(places, _)| places)
    }

    fn with_tokens(run: &FlowRun, width: f32, height: f32, tokens: u32) -> Self {
        let (rows, cols) = (run.array().rows(), run.array().cols());
        let wide = token_width(run) + 6.0;
        let used = Side::ALL.map(|side| {
            let queue = entering(run, side).map_or(0.0, |_| px(tokens));
            let exit = f32::from(u8::from(has_exit(run, side) && tokens > 0));
            if side.is_of_rows() { (queue * wide).max(exit * SUM_WIDE) } else { (queue + exit) * TALL_PITCH }
        });
        let margin = |side: Side| {
            let name = match side {
                _ if side == named(run, Along::Row) && has_names_above(tokens, used[side as usize]) => 0.0,
                _ if side == named(run, Along::Row) => NAME.0,
                _ if side == named(run, Along::Col) => NAME.1,
                _ => 0.0,
            };
            (LEAD + used[side as usize] + name).max(MARGIN)
        };
        let [west, east, north, south] = Side::ALL.map(margin);
        let across = (width - west - east) / px(cols);
        let down = (height - north - south) / px(rows);
        let gap = between(across.min(down) * 0.11, 2.0, 10.0);
        let (w, h) = ((across - gap).min(CELL_MAX), (down - gap).min(CELL_MAX));
        let cell = (w.min(h * OBLONG_MAX), h.min(w * OBLONG_MAX));
        let free = |size: f32, cell: f32, n: u32| size - px(n) * (cell + gap) + gap;
        let left = west + (free(width, cell.0, cols) - west - east) / 2.0;
        let top = north + (free(height, cell.1, rows) - north - south) / 2.0;
        Self { left, top, cell, gap, rows, cols, tokens, wide, free_west: left - west, used }
    }

    fn cell_of(&self, pe: PeId) -> Rect {
        let (w, h) = self.cell;
        Rect::new(self.left + px(pe.col) * (w + self.gap), self.top + px(pe.row) * (h + self.gap), w, h)
    }

    /// True if tokens in cells have the names of their elements.
    fn has_names(&self) -> bool {
        self.cell.0 >= NAMES_MIN.0 && self.cell.1 >= NAMES_MIN.1
    }

    fn array(&self) -> Rect {
        let last = self.cell_of(PeId::new(self.rows - 1, self.cols - 1));
        Rect::new(self.left, self.top, last.x + last.w - self.left, last.y + last.h - self.top)
    }

    /// First PE of a lane, counted from its edge.
    const fn first(&self, side: Side, line: u32) -> PeId {
        match side {
            Side::West => PeId::new(line, 0),
            Side::East => PeId::new(line, self.cols - 1),
            Side::North => PeId::new(0, line),
            Side::South => PeId::new(self.rows - 1, line),
        }
    }

    const fn n_lines(&self, side: Side) -> u32 {
        if side.is_of_rows() { self.rows } else { self.cols }
    }

    /// Place of a token in a lane. Place 1 is next to the array. If sums leave at the same edge, they share the lane.
    /// In a column, the sums have the place next to the array. In a row, they have the lower half of the lane.
    fn waiting(&self, run: &FlowRun, side: Side, line: u32, ahead: u32) -> Rect {
        let cell = self.cell_of(self.first(side, line));
        let (x, y) = cell.center();
        let shares = has_exit(run, side);
        if side.is_of_rows() {
            let off = cell.w / 2.0 + LEAD + (px(ahead) - 0.5) * self.wide;
            let (y, h) = if shares { (y - cell.h * 0.25, TALL.min(cell.h / 2.0 - 2.0)) } else { (y, TALL + 4.0) };
            let w = self.wide - 6.0;
            Rect::new(x + side.away() * off - w / 2.0, y - h / 2.0, w, h)
        } else {
            let before = px(ahead - 1 + u32::from(shares));
            let off = cell.h / 2.0 + LEAD + before * TALL_PITCH + TALL / 2.0;
            let w = (cell.w * 0.62).max(24.0);
            Rect::new(x - w / 2.0, y + side.away() * off - TALL / 2.0, w, TALL)
        }
    }

    /// Place of a sum that leaves.
    fn leaving(&self, run: &FlowRun, side: Side, line: u32) -> Rect {
        let cell = self.cell_of(self.first(side, line));
        let (x, y) = cell.center();
        if side.is_of_rows() {
            let off = cell.w / 2.0 + LEAD + SUM_WIDE / 2.0 - 2.0;
            let shares = entering(run, side).is_some();
            let (y, h) = if shares { (y + cell.h * 0.25, TALL.min(cell.h / 2.0 - 2.0)) } else { (y, TALL + 2.0) };
            Rect::new(x + side.away() * off - SUM_WIDE / 2.0, y - h / 2.0, SUM_WIDE, h)
        } else {
            let w = if self.has_names() { 52.0 } else { (cell.w * 0.98).min(48.0) };
            let off = cell.h / 2.0 + LEAD + TALL / 2.0;
            Rect::new(x - w / 2.0, y + side.away() * off - TALL / 2.0, w, TALL)
        }
    }

    /// Place of a register in a cell: B above A above the sum.
    fn register(&self, rect: &Rect, operand: Operand, has_name: bool) -> Rect {
        let (y, h) = match (operand, self.has_names()) {
            (Operand::B, true) => (0.075, 0.24),
            (Operand::A, true) => (0.375, 0.25),
            (Operand::C, true) => (0.685, 0.25),
            (Operand::B, false) => (0.035, 0.295),
            (Operand::A, false) => (0.35, 0.295),
            (Operand::C, false) => (0.665, 0.295),
        };
        let (x, w) = match (has_name, self.has_names()) {
            (true, _) => (0.06, 0.43),
            (false, true) => (0.2, 0.6),
            (false, false) => (0.06, 0.88),
        };
        Rect::new(rect.x + rect.w * x, rect.y + rect.h * y, rect.w * w, rect.h * h)
    }
}

/// Width of a token that can show any element of A or B.
fn token_width(run: &FlowRun) -> f32 {
    let gemm = run.gemm();
    let sides = [(Operand::A, gemm.m(), gemm.k()), (Operand::B, gemm.k(), gemm.n())];
    let labels = sides.into_iter().flat_map(|(operand, rows, cols)| {
        (0..rows).flat_map(move |row| (0..cols).map(move |col| Label { operand, row, col }))
    });
    let widths = labels.map(|label| text_width(&text::number(run.value(label)), TEXT_MIN));
    between(widths.fold(0.0, f32::max) + 11.0, 22.0, 40.0)
}

/// Draws a run at a cycle into a picture of this size.
pub fn draw(run: &FlowRun, cycle: u64, width: f32, height: f32, picture: &mut Picture) {
    draw_run(run, cycle, (width, height), true, picture);
}

/// Draws a run at a cycle. The names of the delays would give away the answer to a card, so they are drawn only if
/// `judges` is true.
fn draw_run(run: &FlowRun, cycle: u64, (width, height): (f32, f32), judges: bool, picture: &mut Picture) {
    picture.clear(width, height);
    let places = Places::new(run, width, height);
    for (pe, state) in run.pes(cycle) {
        draw_links(run, &places, pe, state, picture);
    }
    for (pe, state) in run.pes(cycle) {
        draw_pe(run, &places, pe, state, picture);
    }
    for side in Side::ALL {
        if let Some(operand) = entering(run, side) {
            draw_queue(run, cycle, &places, side, operand, picture);
        }
        if has_exit(run, side) && places.tokens > 0 {
            draw_exit(run, cycle, &places, side, picture);
        }
    }
    draw_names(run, &places, picture);
    draw_labels(run, &places, width, judges, picture);
    draw_matrix(run, cycle, &places, picture);
}

/// Draws, in place of the array, the dataflow that a person builds.
pub(crate) fn instead(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    let Some(built) = frame.built else { return };
    if let Some(run) = built.run(frame.plan.scenario().seed) {
        draw_run(&run, built.cycle_of(&run), (width, height), frame.filter.judges(), picture);
        if frame.filter.judges() {
            draw_results(&run, &Places::new(&run, width, height), height, picture);
        }
        // A lesson card can mark one PE.
        if let Some(pe) = frame.filter.highlighted_pe().filter(|pe| run.array().contains(*pe)) {
            let places = Places::new(&run, width, height);
            let (rect, off) = (places.cell_of(pe), places.gap / 2.0);
            let ring = Rect::new(rect.x - off, rect.y - off, rect.w + 2.0 * off, rect.h + 2.0 * off);
            picture.shape(ring, Outline::Box(8), Tone::Clear, Stroke::solid(Tone::Chosen, 3.0));
        }
    }
}

/// Draws the links into a PE from the PEs before it. A link that carried an element is dark. If this link is part of a
/// wire, it is also thicker.
fn draw_links(run: &FlowRun, places: &Places, pe: PeId, state: &PeState, picture: &mut Picture) {
    let rect = places.cell_of(pe);
    for operand in Flow::OPERANDS {
        let motion = run.flow().of(operand);
        let Some(side) = Side::entry(motion) else { continue };
        let is_first = places.first(side, if side.is_of_rows() { pe.row } else { pe.col }) == pe;
        let (tone, wide) = match (state.token(operand).is_some(), motion.is_broadcast()) {
            (true, false) => (Tone::Ink, 1.6),
            (true, true) => (look(operand).0, 3.0),
            (false, _) => (Tone::Ghost, 1.6),
        };
        let place = places.register(&rect, operand, false).center();
        let long = if is_first { LEAD - 1.0 } else { places.gap };
        let to = match side {
            Side::West => (rect.x, place.1),
            Side::East => (rect.x + rect.w, place.1),
            Side::North => (column_of(run, &rect, operand), rect.y),
            Side::South => (column_of(run, &rect, operand), rect.y + rect.h),
        };
        let away = side.away() * long;
        let from = if side.is_of_rows() { (to.0 + away, to.1) } else { (to.0, to.1 + away) };
        let arrow = is_first && state.token(operand).is_some();
        picture.marks.push(Mark::Line { from, to, stroke: Stroke::solid(tone, wide), arrow });
    }
}

/// Position of the link of a matrix that moves along a column. Links of several matrices are next to each other.
fn column_of(run: &FlowRun, rect: &Rect, operand: Operand) -> f32 {
    let along = |operand: Operand| run.flow().of(operand).along() == Some(Along::Col);
    let is_alone = Flow::OPERANDS.into_iter().filter(|&other| along(other)).count() == 1;
    let off = match operand {
        _ if is_alone => 0.0,
        Operand::A => -0.12,
        Operand::B => 0.0,
        Operand::C => 0.12,
    };
    rect.x + rect.w * (0.5 + off)
}

/// Returns border, fill and outline of the tokens of a matrix. A sum in the array looks different from a result.
fn look(operand: Operand) -> (Tone, Tone, Outline) {
    match operand {
        Operand::C => (Tone::Sum, Tone::SumTint, Outline::Chevron),
        Operand::A | Operand::B => ink_of(operand),
    }
}

/// Draws a PE with its registers.
fn draw_pe(run: &FlowRun, places: &Places, pe: PeId, state: &PeState, picture: &mut Picture) {
    let rect = places.cell_of(pe);
    let radius = if places.has_names() { 8 } else { 5 };
    let (fill, stroke) = match state.meeting {
        Meeting::Idle => (Tone::Ground, Stroke { tone: Tone::Faint, width: 1.2, dash: Dash::Dotted }),
        Meeting::Alone => (Tone::Ground, Stroke { tone: Tone::Quiet, width: 1.2, dash: Dash::Dashed }),
        Meeting::Right => (Tone::Active, Stroke::solid(Tone::Ink, 2.0)),
        Meeting::Wrong => (Tone::Ground, Stroke::solid(Tone::Wrong, 2.0)),
    };
    if state.meeting == Meeting::Wrong {
        let off = (places.gap / 2.0).min(4.0);
        let ring = Rect::new(rect.x - off, rect.y - off, rect.w + 2.0 * off, rect.h + 2.0 * off);
        picture.shape(ring, Outline::Box(radius + 3), Tone::Ground, Stroke::solid(Tone::Wrong, 1.5));
    }
    picture.shape(rect, Outline::Box(radius), fill, stroke);
    let nth = u64::from(pe.row) * u64::from(places.cols) + u64::from(pe.col) + 1;
    for operand in Flow::OPERANDS {
        let motion = run.flow().of(operand);
        let Some(token) = state.token(operand) else { continue };
        let has_name = places.has_names() && motion != Move::Stays;
        let place = places.register(&rect, operand, has_name);
        let copy = if motion.is_broadcast() { nth } else { 0 };
        draw_token(picture, place, token.label, token.value, copy, Dash::Solid);
        if has_name {
            let is_odd = state.meeting == Meeting::Wrong;
            let at = (rect.x + rect.w * 0.745, place.center().1);
            let tone = if is_odd { Tone::Wrong } else { Tone::Quiet };
            picture.write(at, text::name(token.label), TEXT_MIN, Anchor::Middle, (tone, is_odd));
        }
    }
    let has = |operand| state.token(operand).is_some();
    let is_missed = state.meeting == Meeting::Alone && has(Operand::A) && !has(Operand::C);
    if places.has_names() && is_missed {
        let (x, y) = places.register(&rect, Operand::C, false).center();
        picture.text((x, y), text::NO_SUM, TEXT_MIN, Anchor::Middle, Tone::Quiet);
    }
}

/// Draws an element or a sum. An element on a wire is in several places at once, and `copy` distinguishes these places.
fn draw_token(picture: &mut Picture, place: Rect, label: Label, value: i64, copy: u64, dash: Dash) {
    let first_mark = picture.marks.len();
    let (tone, tint, outline) = look(label.operand);
    picture.shape(place, outline, tint, Stroke { tone, width: 1.4, dash });
    let (x, y) = place.center();
    let off = match outline {
        Outline::Notch => place.h * 0.07,
        Outline::Chevron => -place.h * 0.06,
        _ => 0.5,
    };
    let (digits, size) = shown(value, place);
    picture.write((x, y + off), digits, size, Anchor::Middle, (Tone::Ink, label.operand == Operand::C));
    let id = Identity { kind: label.operand as u8, nth: copy, row: label.row, col: label.col };
    picture.token(id, place, first_mark, (0.0, 0.0));
}

/// Returns a value as text that fits into a token, and the size of this text.
fn shown(value: i64, place: Rect) -> (String, f32) {
    let clamped = value.clamp(i32::MIN.into(), i32::MAX.into());
    fitted(Value::Int(i32::try_from(clamped).unwrap_or(i32::MAX)), place.w, (place.h * 0.7).min(14.0))
}

/// Draws the skew registers of an edge, and the elements that wait. An element beyond the registers is dashed.
fn draw_queue(run: &FlowRun, cycle: u64, places: &Places, side: Side, operand: Operand, picture: &mut Picture) {
    for line in 0..places.n_lines(side) {
        let n_registers = run.skew(operand, line);
        for ahead in (1..=places.tokens).filter(|&ahead| u64::from(ahead) <= n_registers) {
            let place = places.waiting(run, side, line, ahead);
            let around = Rect::new(place.x - 2.0, place.y - 1.5, place.w + 4.0, place.h + 3.0);
            picture.shape(around, Outline::Box(5), Tone::Sunken, Stroke::solid(Tone::Faint, 1.0));
        }
        let mut last = 0;
        for waiting in run.waiting(operand, line, cycle).filter(|waiting| waiting.cycles <= places.tokens.into()) {
            let ahead = u32::try_from(waiting.cycles).unwrap_or(u32::MAX);
            // Elements that collide wait in one place.
            if ahead > last {
                let dash = if waiting.cycles <= n_registers { Dash::Solid } else { Dash::Dashed };
                let place = places.waiting(run, side, line, ahead);
                draw_token(picture, place, waiting.token.label, waiting.token.value, 0, dash);
            }
            last = ahead;
        }
    }
}

/// Draws the sums that leave in this cycle, and empty places for the others.
fn draw_exit(run: &FlowRun, cycle: u64, places: &Places, side: Side, picture: &mut Picture) {
    for line in 0..places.n_lines(side) {
        let place = places.leaving(run, side, line);
        let state = run.at(cycle, places.first(side, line));
        let Some(sum) = state.and_then(|state| state.token(Operand::C)) else {
            let stroke = Stroke { tone: Tone::Faint, width: 1.0, dash: Dash::Dotted };
            picture.shape(place, Outline::Hexagon, Tone::Clear, stroke);
            continue;
        };
        let is_right = run.is_sum_right(sum.label.row, sum.label.col);
        let (stroke, ink) = result_look(is_right);
        picture.shape(place, Outline::Hexagon, Tone::CTint, stroke);
        let (digits, size) = shown(sum.value, place);
        picture.bold(place.center(), digits, size, Anchor::Middle, ink);
        if places.has_names() && !side.is_of_rows() {
            let at = (place.x + place.w + 8.0, place.center().1);
            let (sign, tone) = if is_right { ("✓", Tone::Useful) } else { ("×", Tone::Wrong) };
            picture.bold(at, sign, 13.0, Anchor::Middle, tone);
        }
    }
}

/// Draws the names of the rows and of the columns. Only the first name of narrow columns has its full text.
fn draw_names(run: &FlowRun, places: &Places, picture: &mut Picture) {
    for along in [Along::Row, Along::Col] {
        let side = named(run, along);
        let used = places.used[side as usize];
        let is_above = along == Along::Row && has_names_above(places.tokens, used);
        let off = side.away() * (LEAD + if is_above { 0.0 } else { used } + 2.0);
        for line in 0..places.n_lines(side) {
            let pe = places.first(side, line);
            let (rect, counted) = (places.cell_of(pe), run.counted(pe));
            let (x, y) = rect.center();
            if along == Along::Row {
                let anchor = if side == Side::East { Anchor::Start } else { Anchor::End };
                let up = if is_above { TALL + 4.0 } else { 0.0 };
                let at = (x + side.away() * rect.w / 2.0 + off, y - up);
                picture.text(at, words::picture::row(counted.row), TEXT_MIN, anchor, Tone::Quiet);
            } else {
                let name = words::picture::col(counted.col);
                let is_long = text_width(&name, TEXT_MIN) > rect.w + places.gap - 4.0;
                let name = if is_long && counted.col > 0 { counted.col.to_string() } else { name };
                let at = (x, y + side.away() * (rect.h / 2.0 + NAME.1 / 2.0 - 2.0) + off);
                picture.text(at, name, TEXT_MIN, Anchor::Middle, Tone::Quiet);
            }
        }
    }
}

/// Draws the names of the delays and of the zeros from which sums start, where they fit.
fn draw_labels(run: &FlowRun, places: &Places, width: f32, judges: bool, picture: &mut Picture) {
    let (array, flow) = (places.array(), run.flow());
    let (above, below) = (array.y - 12.0, array.y + array.h + 12.0);
    let moves = |along: Along| Flow::OPERANDS.iter().any(|&operand| flow.of(operand).along() == Some(along));
    let mut label = |is_west: bool, y: f32, label: &str| {
        let (room, x, anchor) = match is_west {
            true => (array.x - LEAD - 2.0, array.x - LEAD, Anchor::End),
            false => (width - array.x - array.w - LEAD - 2.0, array.x + array.w + LEAD, Anchor::Start),
        };
        if text_width(label, TEXT_MIN) <= room {
            picture.text((x, y), label, TEXT_MIN, anchor, Tone::Quiet);
        }
    };
    if entering(run, Side::North) == Some(Operand::C) {
        label(true, above, text::SUMS_BEGIN);
    }
    if judges && moves(Along::Row) {
        label(true, below, &text::delay(Along::Row, flow.row_delay));
    }
    if judges && moves(Along::Col) {
        label(false, above, &text::delay(Along::Col, flow.col_delay));
    }
}

/// Height of a row of a matrix, and distance to its bracket.
const ROW: f32 = 23.0;
const BRACKET: f32 = 5.0;

/// If the space west of the array is free, draws the matrix in which the first fault occurs. Without such a fault,
/// draws a matrix that moves. Elements in the array are filled. In the cycle of the fault, the element that was needed
/// and the element that came are marked.
fn draw_matrix(run: &FlowRun, cycle: u64, places: &Places, picture: &mut Picture) {
    let mismatch = run.first_fault().and_then(|fault| match fault.kind {
        FaultKind::Mismatch { needed, came, .. } if needed.operand != Operand::C => Some((fault.cycle, needed, came)),
        FaultKind::Mismatch { .. } | FaultKind::Collision { .. } => None,
    });
    let moves = |operand: &Operand| run.flow().of(*operand) != Move::Stays;
    let first = [Operand::A, Operand::B].into_iter().find(moves).unwrap_or(Operand::A);
    let operand = mismatch.map_or(first, |(_, needed, _)| needed.operand);
    let gemm = run.gemm();
    let (rows, cols) = if operand == Operand::A { (gemm.m(), gemm.k()) } else { (gemm.k(), gemm.n()) };
    let (array, wide) = (places.array(), token_width(run) + 4.0);
    let (w, h) = (px(cols) * wide, px(rows) * ROW);
    let x = (places.free_west - w) / 2.0;
    let y = array.center().1 - h / 2.0;
    // The height must also suffice for the name above the matrix and for two labels below it.
    if x < BRACKET + 4.0 || h + 60.0 > array.h {
        return;
    }
    let (tone, tint, _) = ink_of(operand);
    picture.bold(
        (x, y - 13.0),
        words::picture::matrix(words::picture::letter(operand), rows, cols),
        12.0,
        Anchor::Start,
        tone,
    );
    for (side, inward) in [(x - BRACKET, 4.0), (x + w + BRACKET, -4.0)] {
        let (top, bottom) = (y - 2.0, y + h + 2.0);
        let stroke = Stroke::solid(Tone::Quiet, 1.0);
        picture.line((side, top), (side, bottom), stroke);
        for end in [top, bottom] {
            picture.line((side, end), (side + inward, end), stroke);
        }
    }
    let mismatch = mismatch.filter(|(at, ..)| *at == cycle);
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        let label = Label { operand, row, col };
        let rect = Rect::new(x + px(col) * wide + 1.0, y + px(row) * ROW + 1.0, wide - 2.0, ROW - 2.0);
        let marked = mismatch.and_then(|(_, needed, came)| match label {
            _ if label == needed => Some((Tone::SumTint, Tone::Sum)),
            _ if Some(label) == came => Some((Tone::Ground, Tone::Wrong)),
            _ => None,
        });
        let is_used = run.pes(cycle).any(|(_, state)| state.has(label));
        if let Some((fill, edge)) = marked.or_else(|| is_used.then_some((tint, tone))) {
            let width = if marked.is_some() { 2.2 } else { 1.2 };
            picture.shape(rect, Outline::Box(4), fill, Stroke::solid(edge, width));
        }
        let (digits, size) = shown(run.value(label), rect);
        let ink = if is_used { Tone::Ink } else { Tone::Quiet };
        picture.write(rect.center(), digits, size, Anchor::Middle, (ink, marked.is_some()));
    }
    if let Some((_, needed, came)) = mismatch {
        let labels = text::needed_and_came(needed, came).into_iter().zip([Tone::Sum, Tone::Wrong]);
        for ((label, tone), below) in labels.zip([15.0, 30.0]) {
            picture.bold((x, y + h + below), label, TEXT_MIN, Anchor::Start, tone);
        }
    }
}

/// Draws C at the end of the run, if sums are wrong and the space below the array is free. The border of a wrong sum is
/// dashed. A sum that was lost in a collision has a dash.
fn draw_results(run: &FlowRun, places: &Places, height: f32, picture: &mut Picture) {
    let (gemm, array) = (run.gemm(), places.array());
    let south = named(run, Along::Col) == Side::South;
    let below = LEAD + places.used[Side::South as usize] + if south { NAME.1 } else { 0.0 } + ROW;
    let (top, wide) = (array.y + array.h + below + ROW, SUM_WIDE + 4.0);
    if run.n_wrong_sums() == 0 || top + px(gemm.m()) * ROW > height {
        return;
    }
    let x = array.center().0 - px(gemm.n()) * wide / 2.0;
    picture.bold((x, top - 13.0), text::results(run), 12.0, Anchor::Start, Tone::C);
    for (nth, sum) in (0..).zip(run.c()) {
        let (row, col) = (nth / gemm.n(), nth % gemm.n());
        let place = Rect::new(x + px(col) * wide, top + px(row) * ROW, SUM_WIDE, ROW - 4.0);
        let (stroke, ink) = result_look(run.is_sum_right(row, col));
        picture.shape(place, Outline::Hexagon, Tone::CTint, stroke);
        let (digits, size) = sum.map_or_else(|| ("–".to_owned(), TEXT_MIN), |sum| shown(sum, place));
        picture.bold(place.center(), digits, size, Anchor::Middle, ink);
    }
}

/// Returns the border and the ink of a result. The border of a wrong sum is dashed, so that color is not the only
/// difference.
const fn result_look(is_right: bool) -> (Stroke, Tone) {
    if is_right {
        (Stroke::solid(Tone::C, 1.5), Tone::Ink)
    } else {
        (Stroke { tone: Tone::Wrong, width: 2.0, dash: Dash::Dashed }, Tone::Wrong)
    }
}

/// Height of a line of texts on the timeline, and smallest height of a timeline with names.
const LINE: f32 = 14.0;
const NAMED_MIN: f32 = 56.0;

/// Draws the numbers of right and wrong meetings in each cycle, with the current cycle in a frame.
pub fn draw_timeline(run: &FlowRun, cycle: u64, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    let names = if height >= NAMED_MIN { LINE } else { 0.0 };
    let chart = Rect::new(1.0, 1.0 + names, width - 2.0, height - names - LINE - 2.0);
    picture.shape(chart, Outline::Box(5), Tone::Sunken, Stroke::solid(Tone::Clear, 0.0));
    let step = chart.w / px(run.n_cycles());
    let unit = (chart.h - 3.0) / px(run.array().pes());
    // The axis has every number of a cycle, or every second, fifth and so on.
    let widest = text_width(&run.n_cycles().to_string(), TEXT_MIN) + 6.0;
    let every = [1, 2, 5, 10, 20, 50].into_iter().find(|&every| px(every) * step >= widest).unwrap_or(100);
    for at in 0..run.n_cycles() {
        let x = chart.x + px(at) * step;
        let [right, wrong] = [Meeting::Right, Meeting::Wrong].map(|meeting| px(run.n_meetings(at, meeting)) * unit);
        let bottom = chart.y + chart.h;
        let bar = |below: f32, h: f32| Rect::new(x + 1.0, bottom - below - h, (step - 2.0).max(1.0), h);
        // Bars of later cycles are outlines. The bars of wrong meetings have lines across them, so that they differ
        // even without color.
        let fill = |tone: Tone| if at <= cycle { tone } else { Tone::Ground };
        let mut draw =
            |rect: Rect, tone: Tone| picture.shape(rect, Outline::Box(0), fill(tone), Stroke::solid(tone, 1.0));
        if right > 0.0 {
            draw(bar(0.0, right), Tone::Useful);
        }
        if wrong > 0.0 {
            let rect = bar(right, wrong);
            draw(rect, Tone::Wrong);
            let tone = if at <= cycle { Tone::Ground } else { Tone::Wrong };
            picture.marks.push(Mark::Hatch { rect, tone, rising: true });
        }
        if at.is_multiple_of(every) {
            let (tone, bold) = if at == cycle { (Tone::Ink, true) } else { (Tone::Quiet, false) };
            let at_text = (between(x + step / 2.0, 8.0, width - 8.0), height - LINE / 2.0);
            picture.write(at_text, at.to_string(), TEXT_MIN, Anchor::Middle, (tone, bold));
        }
    }
    let now = Rect::new(chart.x + px(cycle) * step, chart.y, step, chart.h);
    picture.shape(now, Outline::Box(4), Tone::Clear, Stroke::solid(Tone::Ink, 2.0));
    if names > 0.0 {
        let y = LINE / 2.0;
        picture.bold((1.0, y), text::RIGHT_MEETINGS, TEXT_MIN, Anchor::Start, Tone::Useful);
        if run.n_wrong_sums() > 0 {
            let x = 1.0 + text_width(text::RIGHT_MEETINGS, TEXT_MIN) + 12.0;
            picture.bold((x, y), text::WRONG_MEETINGS, TEXT_MIN, Anchor::Start, Tone::Wrong);
        }
    }
}
