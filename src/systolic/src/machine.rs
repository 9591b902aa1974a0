//! The register description of the machine: planes of registers and a clock edge.
//!
//! It knows nothing of wave times. Each clock edge moves every register by one place, a PE multiplies what it finds
//! there, and the sequencer only counts. [`Prober`](crate::Prober) and [`Snapshot`](crate::Snapshot) say the same by
//! closed form; the tests hold the two against each other at every PE and every cycle.

mod bits;
mod collector;
mod held_operands;
mod multiply;
mod outlet;
mod plane;
mod ring;
mod skew;
mod supply;

use crate::{Cycle, Drain, Edge, Fold, Hold, Lane, Load, Overlap, PeId, Registers, Schedule, Vectors};
use bits::BitRow;
use collector::Collector;
use held_operands::HeldOperands;
use outlet::Outlet;
use ring::{BitRing, Delays, RowRing, ShiftPlane};
use skew::Skew;
use supply::Supply;

/// A defect put into the machine on purpose: to see that the tests notice, and to see what a mechanism is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// One lane of the west edge is skewed by one cycle too many.
    LateLane {
        /// The row.
        row: u32,
    },
    /// No lane is skewed: all elements of a vector enter at the same clock edge.
    NoSkew,
    /// The first lanes of the west edge are skewed by chosen numbers of cycles.
    OwnSkew {
        /// Clock edges by which each row's elements enter late; rows after these are skewed as they must be.
        edges: [u8; Self::OWN_ROWS_MAX],
    },
    /// The sum register of one PE is stuck at zero.
    StuckSum {
        /// The PE.
        pe: PeId,
    },
}

impl Fault {
    /// Rows whose skew can be chosen.
    pub const OWN_ROWS_MAX: usize = 16;

    /// Clock edges from the port to the array in a lane of the west edge, with or without a defect.
    fn west_skew(fault: Option<Self>, lane: usize, row_hop: usize) -> usize {
        let right = row_hop * lane;
        match fault {
            Some(Self::NoSkew) => 0,
            Some(Self::LateLane { row }) if lane == row as usize => right + 1,
            Some(Self::OwnSkew { edges }) => edges.get(lane).map_or(right, |&edges| edges.into()),
            _ => right,
        }
    }
}

/// The state of a sequencer at an edge: its fold, and how much of that has gone in.
#[derive(Clone, Debug)]
struct Sequence {
    fold: Fold,
    n_done: u64,
    supply: Supply,
    /// Whether a vector comes at this clock edge, and whether it is the last of its fold.
    comes: bool,
    is_last: bool,
}

/// The signal that one fold ends and the next begins, on its way through the array with the stream.
#[derive(Clone, Debug)]
struct Marks {
    begin: BitRing,
    last: BitRing,
}

/// A systolic array with its feeders and its accumulators, stepped one clock edge at a time.
#[derive(Clone, Debug)]
pub struct Machine<L: Lane> {
    lane: L,
    schedule: Schedule,
    vectors: Vectors<L>,
    next: u64,
    loading: Sequence,
    streaming: Sequence,
    north: Skew<L::Operand>,
    held: HeldOperands<L::Operand>,
    west: Delays<L::Operand>,
    east: ShiftPlane<L::Operand>,
    east_valid: BitRing,
    /// B of an output-stationary run; with two registers per hop the rows between are the second ones.
    south: RowRing<L::Operand>,
    products: RowRing<L::Sum>,
    /// With two registers per hop the rows between are the second ones (WS, IS).
    sums: RowRing<L::Sum>,
    marks: Option<Marks>,
    outlet: Outlet<L::Sum>,
    collector: Collector<L>,
    stuck: Option<PeId>,
}

impl<L: Lane> Machine<L> {
    /// A machine before its first clock edge. `vectors` holds all operands of the run; the machine holds all of C.
    #[must_use]
    pub fn new(schedule: &Schedule, vectors: &Vectors<L>, fault: Option<Fault>) -> Self {
        let lane = vectors.lane();
        let (rows, cols) = (schedule.array().rows() as usize, schedule.array().cols() as usize);
        let (design, hold) = (schedule.design(), schedule.dataflow().hold());
        let overlapped = design.overlap == Overlap::DoubleBuffered;
        let row_hop = 1 + usize::from(design.pipeline.two_registers_south);
        let has_skew = fault != Some(Fault::NoSkew);
        let skew: Vec<usize> = (0..rows).map(|lane| Fault::west_skew(fault, lane, row_hop)).collect();
        // The marks go through as many registers as what they are for: operands here, sums in an output-stationary array.
        let behind = usize::from(hold == Hold::Result && design.pipeline.product_register);
        let marks = overlapped.then(|| {
            let on_time: Vec<usize> = (0..rows).map(|lane| row_hop * lane + behind).collect();
            Marks { begin: BitRing::new(&on_time, cols), last: BitRing::new(&on_time, cols) }
        });
        let is_skewed = hold == Hold::Result || design.load() == Load::Diagonal;
        let (mapping, run) = (schedule.mapping(), schedule.run());
        let widest = |extent: u64, side: u32| u32::try_from(extent).unwrap_or(u32::MAX).min(side);
        let through = |edge: Edge| {
            let lanes = match edge {
                Edge::West => widest(run.extent(mapping.rows), schedule.array().rows()),
                Edge::North | Edge::South => widest(run.extent(mapping.cols), schedule.array().cols()),
            };
            Supply::new(lanes, design.ports.rate(edge))
        };
        let second = if hold == Hold::Operand { Edge::South } else { Edge::North };
        let sequence =
            |supply: Supply| Sequence { fold: schedule.fold(0), n_done: 0, supply, comes: false, is_last: false };
        let plane_if = |exists: bool| if exists { (rows, cols) } else { (1, 0) };
        let sums_in = |(rows, cols)| RowRing::new(rows, cols);
        let flows = hold == Hold::Operand;
        Self {
            lane,
            schedule: *schedule,
            vectors: vectors.clone(),
            next: 0,
            loading: sequence(through(Edge::North)),
            streaming: sequence(through(Edge::West).slower(through(second))),
            north: Skew::new(cols, is_skewed && has_skew),
            held: HeldOperands::new(rows, cols, overlapped && flows),
            west: Delays::new(&skew),
            east: ShiftPlane::new(rows, cols),
            east_valid: BitRing::new(&skew, cols),
            south: if flows { RowRing::new(1, 0) } else { RowRing::new(row_hop * (rows - 1) + 1, cols) },
            products: sums_in(plane_if(design.pipeline.product_register)),
            sums: sums_in((if flows { row_hop * (rows - 1) + 1 } else { rows }, cols)),
            marks,
            outlet: Outlet::new(rows, cols, through(Edge::South), overlapped && !flows && design.drain == Drain::South),
            collector: Collector::new(lane, schedule),
            stuck: match fault {
                Some(Fault::StuckSum { pe }) => Some(pe),
                _ => None,
            },
        }
    }

    /// The machine with accumulators that count and keep nothing: it has no C, and is smaller to keep.
    #[must_use]
    pub fn without_results(self) -> Self {
        Self { collector: self.collector.counting(), ..self }
    }

    /// WS, IS: the fold whose sums the accumulator of a column collects, and how many of that fold it has. After the
    /// last sum of a fold it is the next fold that uses the column, or, where there is none, still the same one.
    #[must_use]
    pub fn collected(&self, col: u32) -> (u64, u64) {
        self.collector.collected(col as usize)
    }

    /// The schedule that it follows.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The last clock edge taken, if any.
    #[must_use]
    pub fn cycle(&self) -> Option<Cycle> {
        self.next.checked_sub(1).map(Cycle)
    }

    /// Whether the run is over.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.next >= self.schedule.cycles().0
    }

    /// One clock edge; nothing happens once the run is over.
    pub fn tick(&mut self) {
        if self.finished() {
            return;
        }
        let cycle = self.next;
        self.next += 1;
        match self.schedule.dataflow().hold() {
            Hold::Operand => {
                self.stream_from_west(cycle);
                self.swap_shadows();
                self.load(cycle);
                self.multiply_and_pass_sums();
                self.apply_stuck_fault();
                self.collect_south();
            }
            Hold::Result => {
                self.clear_sums_at_fold_start(cycle);
                self.stream_from_west(cycle);
                self.stream_from_north();
                self.latch_drain_buffer();
                self.multiply_in_place();
                self.apply_stuck_fault();
                self.collect_in_place(cycle);
            }
        }
    }

    /// Ticks this number of times, or until the run is finished.
    pub fn advance(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.tick();
        }
    }

    /// Runs to the end.
    pub fn finish(&mut self) {
        while !self.finished() {
            self.tick();
        }
    }

    /// C, row by row, as far as results have arrived; empty for a machine [`without_results`](Self::without_results).
    #[must_use]
    pub fn result(&self) -> Vec<L::Sum> {
        self.collector.result()
    }

    /// The registers of one PE.
    #[must_use]
    pub fn registers(&self, pe: PeId) -> Registers {
        let (i, j) = (pe.row as usize, pe.col as usize);
        let design = self.schedule.design();
        let (flows, two) = (self.schedule.dataflow().hold() == Hold::Operand, design.pipeline.two_registers_south);
        let operand = |value: Option<L::Operand>| value.map(|value| self.lane.operand(value));
        let sum = |value: Option<L::Sum>| value.map(|value| self.lane.sum(value));
        let hop = 1 + usize::from(two);
        let (own, drained) = self.sums(pe);
        let has_second = two && i + 1 < self.schedule.array().rows() as usize;
        Registers {
            held: operand(self.held.get(i, j)),
            shadow: operand(self.held.shadow(i, j)),
            east: self.east_valid.row(i).get(j).then(|| self.lane.operand(self.east.row(i)[j])),
            south: operand(if flows { None } else { self.south.get(hop * i, j) }),
            product: sum(if design.pipeline.product_register { self.products.get(i, j) } else { None }),
            sum: sum(own),
            passing: match flows {
                _ if !has_second => None,
                true => sum(self.sums.get(hop * i + 1, j)),
                false => operand(self.south.get(hop * i + 1, j)),
            },
            drained: sum(drained),
        }
    }

    /// The sum of one PE and the one on its way out, as the arithmetic holds them.
    #[must_use]
    pub fn sums(&self, pe: PeId) -> (Option<L::Sum>, Option<L::Sum>) {
        let (i, j) = (pe.row as usize, pe.col as usize);
        let has_two = self.sums.len() > self.schedule.array().rows() as usize;
        (self.sums.get(if has_two { 2 * i } else { i }, j), self.outlet.get(i, j))
    }

    /// Takes the next vector in at the west edge and moves everything one place east.
    fn stream_from_west(&mut self, cycle: u64) {
        let (schedule, array) = (&self.schedule, self.schedule.array());
        let since = cycle.checked_sub(schedule.load_cycles().0);
        let began = self.streaming.begin_if_due(schedule, since);
        let has_more = since.is_some() && self.streaming.n_done < schedule.stream_len();
        let comes = has_more && self.streaming.supply.tick();
        let vector = if comes { self.vectors.west_vector(&self.streaming.fold, self.streaming.n_done) } else { &[] };
        self.west.push(vector);
        self.east.shift_east();
        self.east.set_first(self.west.out());
        self.east_valid.shift_in(vector.len());
        self.streaming.n_done += u64::from(comes);
        self.streaming.comes = comes;
        self.streaming.is_last = comes && self.streaming.n_done == schedule.stream_len();
        if let Some(marks) = &mut self.marks {
            for (ring, mark) in [(&mut marks.begin, began), (&mut marks.last, self.streaming.is_last)] {
                ring.shift_in(if mark { array.rows() as usize } else { 0 });
            }
        }
    }

    /// WS, IS, double-buffered: where the mark of a new fold arrives, what the shadow register holds is taken over.
    fn swap_shadows(&mut self) {
        if let Some(marks) = &self.marks {
            for row in 0..self.schedule.array().rows() as usize {
                self.held.swap(row, &marks.begin.row(row));
            }
        }
    }

    /// WS, IS: shifts the next row of the stationary operand in, the last one first.
    fn load(&mut self, cycle: u64) {
        let rows = u64::from(self.schedule.array().rows());
        let began = self.loading.begin_if_due(&self.schedule, Some(cycle));
        let comes = self.loading.n_done < rows && self.loading.supply.tick();
        let (fold, line) = (self.loading.fold, rows - 1 - self.loading.n_done.min(rows - 1));
        let vector: Option<&[L::Operand]> = comes.then(|| {
            if line < u64::from(fold.mapped.rows) { self.vectors.north_vector(&fold, Hold::Operand, line) } else { &[] }
        });
        let diagonal = self.schedule.design().load() == Load::Diagonal;
        if diagonal || comes || began {
            self.north.push(vector, began);
            self.held.shift_in(&self.north.row());
        }
        self.loading.n_done += u64::from(comes);
    }

    /// OS: takes the next vector of B in at the north edge; it comes with that of A.
    fn stream_from_north(&mut self) {
        let at = self.streaming.n_done;
        let vector =
            self.streaming.comes.then(|| self.vectors.north_vector(&self.streaming.fold, Hold::Result, at - 1));
        self.north.push(vector, false);
        let row = self.north.row();
        self.south.shift_south(&row.values, row.valid);
    }

    /// The defect of a sum register that is stuck at zero.
    fn apply_stuck_fault(&mut self) {
        if let Some(PeId { row, col }) = self.stuck {
            let hop = if self.sums.len() > self.schedule.array().rows() as usize { 2 } else { 1 };
            self.sums.row_mut(hop * row as usize)[col as usize] = L::Sum::default();
        }
    }

    /// WS, IS: takes what has come to the last row.
    fn collect_south(&mut self) {
        let last = self.sums.len() - 1;
        for run in self.sums.valid(last).runs() {
            self.collector.take_streamed(run.start, &self.sums.row(last)[run]);
        }
    }

    /// OS: clears the sums of the fold before.
    fn clear_sums_at_fold_start(&mut self, cycle: u64) {
        let overlapped = self.marks.is_some();
        if !overlapped && cycle.is_multiple_of(self.schedule.period().0) {
            let none = BitRow::new(self.schedule.array().cols() as usize);
            (0..self.schedule.array().rows() as usize).for_each(|row| self.sums.set_valid(row, none));
        }
    }
}

impl Sequence {
    /// Turns to the next fold when that is due; answers whether it did.
    fn begin_if_due(&mut self, schedule: &Schedule, since: Option<u64>) -> bool {
        let period = schedule.period().0;
        let Some(index) = since.filter(|since| since.is_multiple_of(period)).map(|since| since / period) else {
            return false;
        };
        if index >= schedule.folds() {
            return false;
        }
        self.fold = schedule.fold(index);
        self.n_done = 0;
        self.supply.reset();
        true
    }
}
