//! Run of a chosen flow: a simulation, register by register, with whole numbers and their labels.
//!
//! Each PE has a register for each matrix that stays or moves by one PE per cycle. An element enters at the edge of the
//! array, moves through the whole array and leaves at the other edge. A broadcast element is on the wire of its row or
//! column for one cycle. In each cycle, a PE with an element of each of the three matrices adds a product to its sum,
//! even if the elements do not belong together.

mod fault;
mod figures;

use crate::flow::{Along, Flow, Move};
use crate::units::len_usize;
use crate::{ArrayShape, Gemm, Mkn, Operand, Operands, PeId, RangeError};
pub use fault::{Fault, FaultKind};

/// Name of an element: its matrix, its row and its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// Matrix of the element; C for a sum.
    pub operand: Operand,
    /// Row of the element.
    pub row: u64,
    /// Column of the element.
    pub col: u64,
}

impl Label {
    /// Element of a matrix that a product needs.
    #[must_use]
    pub const fn of(operand: Operand, product: Mkn) -> Self {
        let (row, col) = product.of(operand);
        Self { operand, row, col }
    }

    /// Product of this element with a free index.
    #[must_use]
    pub const fn product(self, free: u64) -> Mkn {
        match self.operand {
            Operand::A => Mkn { m: self.row, k: self.col, n: free },
            Operand::B => Mkn { m: free, k: self.row, n: self.col },
            Operand::C => Mkn { m: self.row, k: free, n: self.col },
        }
    }
}

/// Content of a register or a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Name of the element.
    pub label: Label,
    /// Value of the element; for a sum, its value after this cycle.
    pub value: i64,
}

/// Elements that meet in a PE in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Meeting {
    /// No element that moves is in the PE.
    #[default]
    Idle,
    /// An element that moves is in the PE, but not an element of each of the three matrices.
    Alone,
    /// The PE adds a product to the sum that needs it.
    Right,
    /// The PE adds a product to a sum, but the elements do not belong together.
    Wrong,
}

/// State of one PE in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeState {
    tokens: [Option<Token>; 3],
    /// Meeting in this cycle.
    pub meeting: Meeting,
}

impl PeState {
    /// Element of a matrix in the PE. A sum has its value after the addition of this cycle.
    #[must_use]
    pub const fn token(&self, operand: Operand) -> Option<Token> {
        self.tokens[operand as usize]
    }

    /// True if this element is in the PE.
    #[must_use]
    pub fn has(&self, label: Label) -> bool {
        self.token(label.operand).is_some_and(|token| token.label == label)
    }
}

/// Element that waits at an edge of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The element.
    pub token: Token,
    /// Cycles until the element is in a PE, at least 1.
    pub cycles: u64,
}

/// Place and cycle of an element at its product with the free index 0.
#[derive(Clone, Copy, Debug)]
struct Start {
    label: Label,
    place: [i64; 2],
    cycle: i64,
}

/// Entry of an element into a row or column of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    token: Token,
    line: u32,
    cycle: u64,
}

/// Run of a flow for one matmul, with every cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowRun {
    flow: Flow,
    gemm: Gemm,
    array: ArrayShape,
    /// Row and column of the first PE, relative to the PE of product (0,0,0).
    origin: [i64; 2],
    /// Elements of A and B, row by row.
    factors: [Vec<i64>; 2],
    entries: Vec<Entry>,
    /// Cycle of product (0,0,0).
    first_product: u64,
    /// PEs of each cycle, row by row.
    cycles: Vec<Vec<PeState>>,
    collisions: Vec<Fault>,
    c: Vec<Option<i64>>,
}

impl FlowRun {
    /// Largest M, K or N of a run.
    pub const SIDE_MAX: u64 = 8;

    /// Runs a flow for a matmul. The elements are the whole parts of the operands. Sums start from 0.
    ///
    /// # Errors
    /// [`RangeError`] if M, K or N is above [`FlowRun::SIDE_MAX`], or a delay is above [`Flow::DELAY_MAX`].
    pub fn new(flow: Flow, gemm: Gemm, operands: &Operands) -> Result<Self, RangeError> {
        for (name, side) in [("m", gemm.m()), ("k", gemm.k()), ("n", gemm.n())] {
            RangeError::check(name, side, 1, Self::SIDE_MAX)?;
        }
        for (name, delay) in [("row_delay", flow.row_delay), ("col_delay", flow.col_delay)] {
            RangeError::check(name, delay.into(), 0, Flow::DELAY_MAX.into())?;
        }
        Self::from_starts(flow, gemm, operands, &starts(flow, gemm))
    }

    fn from_starts(flow: Flow, gemm: Gemm, operands: &Operands, starts: &[Start]) -> Result<Self, RangeError> {
        let sides = [gemm.m(), gemm.k(), gemm.n()];
        let ends = [0, 1].map(|axis| {
            let steps = [flow.b, flow.sums, flow.a].map(|motion| motion.step()[axis]);
            let parts = steps.into_iter().zip(sides).map(|(step, side)| step * (signed(side) - 1));
            parts.fold([0, 0], |[least, most], part| [least + part.min(0), most + part.max(0)])
        });
        let [rows, cols] = ends.map(|[least, most]| least.abs_diff(most) + 1);
        let elements = |operand: Operand, rows: u64, cols: u64| {
            let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
            places.map(|place| whole(operands.at(operand, place))).collect()
        };
        let mut run = Self {
            flow,
            gemm,
            array: ArrayShape::new(rows, cols)?,
            origin: ends.map(|[least, _]| least),
            factors: [elements(Operand::A, gemm.m(), gemm.k()), elements(Operand::B, gemm.k(), gemm.n())],
            entries: Vec::new(),
            first_product: 0,
            cycles: Vec::new(),
            collisions: Vec::new(),
            c: vec![None; len_usize(gemm.m() * gemm.n())],
        };
        run.enter(starts);
        run.simulate(starts);
        Ok(run)
    }

    /// Lists the entries of all elements that move, so that the first element is in a PE in cycle 0.
    fn enter(&mut self, starts: &[Start]) {
        let entry = |start: &Start| {
            let [row, col] = self.relative(start.place);
            let (line, hops) = match self.flow.of(start.label.operand) {
                Move::Stays => return None,
                Move::AlongRow => (row, 0),
                Move::AlongCol => (col, 0),
                Move::East => (row, col),
                Move::West => (row, self.array.cols() - 1 - col),
                Move::South => (col, row),
                Move::North => (col, self.array.rows() - 1 - row),
            };
            Some((start.label, line, start.cycle - i64::from(hops)))
        };
        let entries: Vec<_> = starts.iter().filter_map(entry).collect();
        let first = entries.iter().map(|&(.., cycle)| cycle).min().unwrap_or_default();
        self.first_product = first.unsigned_abs();
        let token = |label: Label| Token { label, value: self.value(label) };
        let entries = entries.into_iter().map(|(label, line, cycle)| Entry {
            token: token(label),
            line,
            cycle: cycle.abs_diff(first),
        });
        self.entries = entries.collect();
        self.entries.sort_by_key(|entry| entry.cycle);
    }

    fn simulate(&mut self, starts: &[Start]) {
        let mut pes = vec![PeState::default(); len_usize(self.array.pes())];
        let flow = self.flow;
        for start in starts.iter().filter(|start| flow.of(start.label.operand) == Move::Stays) {
            let [row, col] = self.relative(start.place);
            let token = Token { label: start.label, value: self.value(start.label) };
            self.put(&mut pes, 0, &[PeId::new(row, col)], token);
        }
        // If nothing moves, one cycle has all products.
        let n_hops = u64::from(self.array.rows().max(self.array.cols()));
        let last = self.entries.last().map_or(0, |entry| entry.cycle + n_hops);
        for cycle in 0..=last {
            self.shift(&mut pes);
            let entering: Vec<Entry> = self.entries.iter().filter(|entry| entry.cycle == cycle).copied().collect();
            for Entry { token, line, .. } in entering {
                let places = self.entrance(self.flow.of(token.label.operand), line);
                self.put(&mut pes, cycle, &places, token);
            }
            self.multiply(&mut pes);
            self.collect(&pes);
            self.cycles.push(pes.clone());
        }
        let is_wrong = self.n_wrong_sums() > 0;
        let is_at_work = |pe: &PeState| match pe.meeting {
            Meeting::Idle => false,
            Meeting::Alone => is_wrong || self.flow.sums != Move::Stays && pe.token(Operand::C).is_some(),
            Meeting::Right | Meeting::Wrong => true,
        };
        let last = self.cycles.iter().rposition(|pes| pes.iter().any(is_at_work)).unwrap_or(0);
        self.cycles.truncate(last + 1);
    }

    /// PEs in which an element of a row or column is in its first cycle.
    fn entrance(&self, motion: Move, line: u32) -> Vec<PeId> {
        let (rows, cols) = (self.array.rows(), self.array.cols());
        match motion {
            Move::Stays => Vec::new(),
            Move::East => vec![PeId::new(line, 0)],
            Move::West => vec![PeId::new(line, cols - 1)],
            Move::South => vec![PeId::new(0, line)],
            Move::North => vec![PeId::new(rows - 1, line)],
            Move::AlongRow => (0..cols).map(|col| PeId::new(line, col)).collect(),
            Move::AlongCol => (0..rows).map(|row| PeId::new(row, line)).collect(),
        }
    }

    /// Puts an element into a register, or on all PEs of a wire. If the register or wire is occupied, the new element
    /// is lost.
    fn put(&mut self, pes: &mut [PeState], cycle: u64, places: &[PeId], token: Token) {
        let kept = places.first().and_then(|&pe| Some((pe, pes[self.index(pe)].token(token.label.operand)?)));
        if let Some((pe, kept)) = kept {
            let kind = FaultKind::Collision { kept: kept.label, lost: token.label };
            self.collisions.push(Fault { cycle, pe, counted: self.counted(pe), kind });
            return;
        }
        for &pe in places {
            pes[self.index(pe)].tokens[token.label.operand as usize] = Some(token);
        }
    }

    /// Moves all elements by one clock edge, and clears the wires.
    fn shift(&self, pes: &mut [PeState]) {
        for operand in Flow::OPERANDS.into_iter().filter(|&operand| self.flow.of(operand) != Move::Stays) {
            let motion = self.flow.of(operand);
            let before: Vec<Option<Token>> = pes.iter_mut().map(|pe| pe.tokens[operand as usize].take()).collect();
            for (pe, token) in self.array.iter().zip(before).filter(|_| motion.is_unit()) {
                let [row, col] = motion.step();
                let next = [i64::from(pe.row) + row, i64::from(pe.col) + col].map(u32::try_from);
                if let [Ok(row), Ok(col)] = next
                    && self.array.contains(PeId::new(row, col))
                {
                    pes[self.index(PeId::new(row, col))].tokens[operand as usize] = token;
                }
            }
        }
    }

    /// Adds the products of one cycle.
    fn multiply(&self, pes: &mut [PeState]) {
        for pe in &mut *pes {
            let moves = |operand: Operand| self.flow.of(operand) != Move::Stays && pe.token(operand).is_some();
            pe.meeting = if Flow::OPERANDS.into_iter().any(moves) { Meeting::Alone } else { Meeting::Idle };
            if let [Some(a), Some(b), Some(sum)] = &mut pe.tokens {
                sum.value += a.value * b.value;
                let product = Mkn { m: a.label.row, k: a.label.col, n: b.label.col };
                let is_right = [b.label, sum.label].iter().all(|label| *label == Label::of(label.operand, product));
                pe.meeting = if is_right { Meeting::Right } else { Meeting::Wrong };
            }
        }
        let n_wires = if self.flow.sums.is_broadcast() { self.lanes(Operand::C)[0] } else { 0 };
        for wire in (0..n_wires).map(|line| self.entrance(self.flow.sums, line)) {
            let sums = wire.iter().filter_map(|&pe| pes[self.index(pe)].token(Operand::C));
            let total = sums.map(|sum| sum.value).sum();
            for pe in wire {
                if let Some(sum) = &mut pes[self.index(pe)].tokens[Operand::C as usize] {
                    sum.value = total;
                }
            }
        }
    }

    /// Stores sums in C. A sum that moves is stored when it leaves the array, from its last PE.
    fn collect(&mut self, pes: &[PeState]) {
        for (pe, state) in self.array.iter().zip(pes) {
            if let Some(sum) = state.token(Operand::C).filter(|_| self.leaves(Operand::C, pe)) {
                self.c[len_usize(sum.label.row * self.gemm.n() + sum.label.col)] = Some(sum.value);
            }
        }
    }

    /// True if an element of a matrix leaves the array after it was in this PE. An element that stays can be read in
    /// each cycle.
    #[must_use]
    pub fn leaves(&self, operand: Operand, pe: PeId) -> bool {
        match self.flow.of(operand) {
            Move::Stays | Move::AlongRow | Move::AlongCol => true,
            Move::East => pe.col + 1 == self.array.cols(),
            Move::West => pe.col == 0,
            Move::South => pe.row + 1 == self.array.rows(),
            Move::North => pe.row == 0,
        }
    }

    /// Row and column of a place, counted from the first PE.
    fn relative(&self, place: [i64; 2]) -> [u32; 2] {
        [0, 1].map(|axis| u32::try_from(place[axis] - self.origin[axis]).unwrap_or(0))
    }

    fn index(&self, pe: PeId) -> usize {
        len_usize(u64::from(pe.row) * u64::from(self.array.cols()) + u64::from(pe.col))
    }

    /// Flow of the run.
    #[must_use]
    pub const fn flow(&self) -> Flow {
        self.flow
    }

    /// Matmul of the run.
    #[must_use]
    pub const fn gemm(&self) -> Gemm {
        self.gemm
    }

    /// Smallest array that contains the PEs of all products.
    #[must_use]
    pub const fn array(&self) -> ArrayShape {
        self.array
    }

    /// Row and column of a PE as the delays count them: row 0 and column 0 never wait. A mirror image counts its rows
    /// from the south or its columns from the east. Applying this function twice returns the original PE.
    #[must_use]
    pub fn counted(&self, pe: PeId) -> PeId {
        let [from_north, from_west] = self.flow.numbering().map(|direction| direction > 0);
        let row = if from_north { pe.row } else { self.array.rows().saturating_sub(pe.row + 1) };
        let col = if from_west { pe.col } else { self.array.cols().saturating_sub(pe.col + 1) };
        PeId::new(row, col)
    }

    /// PE of a product.
    #[must_use]
    pub fn pe_of(&self, product: Mkn) -> PeId {
        let [row, col] = self.relative(self.flow.place(product));
        PeId::new(row, col)
    }

    /// Cycle of product (0,0,0) in a run of a right flow. The formulas of a [`Verdict`](crate::flow::Verdict) count from
    /// this cycle.
    #[must_use]
    pub const fn first_product(&self) -> u64 {
        self.first_product
    }

    /// Value of an element of A or B; 0 for a sum, which starts from 0.
    #[must_use]
    pub fn value(&self, label: Label) -> i64 {
        let (row, col) = (label.row, label.col);
        match label.operand {
            Operand::A => self.factors[0][len_usize(row * self.gemm.k() + col)],
            Operand::B => self.factors[1][len_usize(row * self.gemm.n() + col)],
            Operand::C => 0,
        }
    }

    /// Number of cycles from the first element in a PE to the last product or the last sum in a PE. If a sum is wrong,
    /// the run goes on until the last element has left.
    #[must_use]
    pub const fn n_cycles(&self) -> u64 {
        self.cycles.len() as u64
    }

    /// State of a PE in a cycle; `None` outside the array or after the run.
    #[must_use]
    pub fn at(&self, cycle: u64, pe: PeId) -> Option<&PeState> {
        let pes = self.cycles.get(len_usize(cycle))?;
        self.array.contains(pe).then(|| &pes[self.index(pe)])
    }

    /// All PEs in a cycle with their states, row by row.
    pub fn pes(&self, cycle: u64) -> impl Iterator<Item = (PeId, &PeState)> {
        self.array.iter().zip(self.cycles.get(len_usize(cycle)).into_iter().flatten())
    }

    /// Elements of a matrix that still wait in a cycle to enter a row or column, in the order of their entries.
    pub fn waiting(&self, operand: Operand, line: u32, cycle: u64) -> impl Iterator<Item = Waiting> {
        let here = self.entries.iter().filter(move |entry| entry.token.label.operand == operand && entry.line == line);
        let later = here.filter(move |entry| entry.cycle > cycle);
        later.map(move |entry| Waiting { token: entry.token, cycles: entry.cycle - cycle })
    }

    /// C, row by row. `None` for a sum that was lost in a collision.
    #[must_use]
    pub fn c(&self) -> &[Option<i64>] {
        &self.c
    }

    /// Collisions, in the order of their cycles.
    #[must_use]
    pub fn collisions(&self) -> &[Fault] {
        &self.collisions
    }
}

/// Starts of all elements of A, of B and of the sums.
fn starts(flow: Flow, gemm: Gemm) -> Vec<Start> {
    let sides = [(gemm.m(), gemm.k()), (gemm.k(), gemm.n()), (gemm.m(), gemm.n())];
    let labels = Flow::OPERANDS.into_iter().zip(sides).flat_map(|(operand, (rows, cols))| {
        (0..rows).flat_map(move |row| (0..cols).map(move |col| Label { operand, row, col }))
    });
    let numbering = flow.numbering();
    let start = |label: Label| {
        let place = flow.place(label.product(0));
        let lane = match flow.of(label.operand).along() {
            None => 0,
            Some(Along::Row) => numbering[0] * place[0],
            Some(Along::Col) => numbering[1] * place[1],
        };
        let delay = i64::from(flow.delay(label.operand).unwrap_or(1));
        Start { label, place, cycle: signed(label.row + label.col) + (delay - 1) * lane }
    };
    labels.map(start).collect()
}

fn signed(index: u64) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

#[expect(clippy::cast_possible_truncation, reason = "the documented rule, and saturating for huge elements")]
const fn whole(value: f64) -> i64 {
    value as i64
}

#[cfg(test)]
mod tests;
