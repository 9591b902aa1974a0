//! Register model of the array: planes of registers that change at each clock edge.
//!
//! The model has no formula for the arrival of a wave. At each clock edge, streaming values move to the next register,
//! and each PE multiplies the operands in its registers. The sequencers only count. [`Prober`](crate::Prober) and
//! [`Snapshot`](crate::Snapshot) compute the same values in closed form. Tests compare the values from the registers
//! with the values from the closed forms at every PE and every cycle.

mod bits;
mod collector;
mod held_operands;
mod multiply;
mod outlet;
mod plane;
mod ring;
mod skew;
mod starts;
mod supply;

use crate::{Cycle, Drain, Edge, Fold, Hold, Lane, Load, Overlap, PeId, Registers, Schedule, Vectors};
use bits::BitRow;
use collector::Collector;
use held_operands::HeldOperands;
use outlet::Outlet;
use ring::{BitRing, Delays, RowRing, ShiftPlane};
use skew::Skew;
use starts::Starts;
use supply::Supply;

/// A fault that is injected on purpose. Tests must notice the fault, and users see why the affected mechanism is
/// needed.
///
/// ```
/// use systolic::prelude::*;
/// use systolic::{Machine, Vectors, lane::Int8};
///
/// let schedule = Schedule::builder([4, 4, 4], [4, 4]).build()?;
/// let vectors = Vectors::new(Int8(Dtype::Int8), &schedule, &Operands::filled(schedule.gemm(), Fill::Small { seed: 7 }, Dtype::Int8));
/// let result = |fault| {
///     let mut machine = Machine::new(&schedule, &vectors, fault);
///     machine.finish();
///     machine.result()
/// };
/// assert_ne!(result(Some(Fault::NoSkew)), result(None));
/// # Ok::<(), RangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Late lane: one row of the west edge is skewed by one cycle too many.
    LateLane {
        /// Row of the late lane.
        row: u32,
    },
    /// No skew: all elements of a vector enter at the same clock edge.
    NoSkew,
    /// Custom skew: the first rows of the west edge have chosen delays.
    OwnSkew {
        /// Skew of each of the first rows, in clock edges. Later rows have the correct skew.
        edges: [u8; Self::OWN_ROWS_MAX],
    },
    /// Stuck sum: the sum register of one PE is stuck at zero.
    StuckSum {
        /// PE with the stuck register.
        pe: PeId,
    },
}

impl Fault {
    /// Number of rows whose skew [`Fault::OwnSkew`] sets.
    pub const OWN_ROWS_MAX: usize = 16;

    /// Number of skew registers between the west port and the array in row `lane`, with or without a fault.
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

/// State of the sequencer at one edge: its fold, and its progress in the fold.
#[derive(Clone, Debug)]
struct Sequence {
    fold: Fold,
    n_done: u64,
    supply: Supply,
    /// True if a vector enters at this clock edge. `is_last` is true if the vector is the last of its fold.
    comes: bool,
    is_last: bool,
}

/// Marks of the beginning and end of a fold, which move through the array with the stream.
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
    /// Elements of B on their way south (OS). With two registers per hop, every other row of this plane contains second
    /// registers.
    south: RowRing<L::Operand>,
    products: RowRing<L::Sum>,
    /// Sums of the PEs. With two registers per hop, every other row of this plane contains second registers (WS, IS).
    sums: RowRing<L::Sum>,
    marks: Option<Marks>,
    /// Marks of the last product of each sum (OS), if PEs add blocks of products.
    closing: Option<BitRing>,
    /// Counters of the sums that begin; `None` if all sums begin from zero.
    starts: Option<Starts>,
    outlet: Outlet<L::Sum>,
    collector: Collector<L>,
    stuck: Option<PeId>,
}

impl<L: Lane> Machine<L> {
    /// A machine before its first clock edge. `vectors` has all operands of the run. The machine stores all of C.
    #[must_use]
    pub fn new(schedule: &Schedule, vectors: &Vectors<L>, fault: Option<Fault>) -> Self {
        let lane = vectors.lane();
        let (rows, cols) = (schedule.array().rows() as usize, schedule.array().cols() as usize);
        let (design, hold) = (schedule.design(), schedule.dataflow().hold());
        let overlapped = design.overlap == Overlap::DoubleBuffered;
        let row_hop = 1 + usize::from(design.pipeline.two_registers_south);
        let has_skew = fault != Some(Fault::NoSkew);
        let skew: Vec<usize> = (0..rows).map(|lane| Fault::west_skew(fault, lane, row_hop)).collect();
        // The marks pass as many registers as the data that they mark: operands (WS, IS) or sums (OS).
        let behind = usize::from(hold == Hold::Result && design.pipeline.product_register);
        let on_time: Vec<usize> = (0..rows).map(|lane| row_hop * lane + behind).collect();
        let marks =
            overlapped.then(|| Marks { begin: BitRing::new(&on_time, cols), last: BitRing::new(&on_time, cols) });
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
            closing: (L::IN_BLOCKS && !flows).then(|| BitRing::new(&on_time, cols)),
            starts: Starts::new(schedule, vectors),
            outlet: Outlet::new(rows, cols, through(Edge::South), overlapped && !flows && design.drain == Drain::South),
            collector: Collector::new(lane, schedule),
            stuck: match fault {
                Some(Fault::StuckSum { pe }) => Some(pe),
                _ => None,
            },
        }
    }

    /// This machine with accumulators that only count sums. The machine then stores no C and needs less memory. If sums
    /// go on from fold to fold, the machine stores C nevertheless.
    #[must_use]
    pub fn without_results(self) -> Self {
        Self { collector: self.collector.counting(), ..self }
    }

    /// Progress of a column's accumulator (WS, IS): the index of its current fold, and the number of sums of that fold
    /// so far.
    ///
    /// After the last sum of a fold, the current fold is the next fold that uses the column. If no later fold uses the
    /// column, the current fold does not change.
    #[must_use]
    pub fn collected(&self, col: u32) -> (u64, u64) {
        self.collector.collected(col as usize)
    }

    /// Schedule of the run.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The latest clock edge; `None` before the first clock edge.
    #[must_use]
    pub fn cycle(&self) -> Option<Cycle> {
        self.next.checked_sub(1).map(Cycle)
    }

    /// True if the run is over.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.next >= self.schedule.cycles().0
    }

    /// Advances the machine by one clock edge. Does nothing if the run is over.
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
                if L::IN_BLOCKS {
                    self.close_last_row();
                }
                self.apply_stuck_fault();
                self.collect_south();
            }
            Hold::Result => {
                self.clear_sums_at_fold_start(cycle);
                self.stream_from_west(cycle);
                self.stream_from_north();
                self.latch_drain_buffer();
                self.multiply_in_place();
                if L::IN_BLOCKS {
                    self.close_finished();
                }
                self.apply_stuck_fault();
                self.collect_in_place(cycle);
            }
        }
    }

    /// Ticks `cycles` times, or until the run is over.
    pub fn advance(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.tick();
        }
    }

    /// Ticks until the run is over.
    pub fn finish(&mut self) {
        while !self.finished() {
            self.tick();
        }
    }

    /// C, row by row, from the sums that have arrived so far. The list is empty for a machine
    /// [`without_results`](Self::without_results).
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

    /// Contents of the sum register and the output buffer of one PE, as sums of the lane's type.
    #[must_use]
    pub fn sums(&self, pe: PeId) -> (Option<L::Sum>, Option<L::Sum>) {
        let (i, j) = (pe.row as usize, pe.col as usize);
        let has_two = self.sums.len() > self.schedule.array().rows() as usize;
        (self.sums.get(if has_two { 2 * i } else { i }, j), self.outlet.get(i, j))
    }

    /// Moves all operands one PE east and takes in the next vector at the west edge.
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
        if let Some(closing) = &mut self.closing {
            closing.shift_in(if self.streaming.is_last { array.rows() as usize } else { 0 });
        }
        if let Some(marks) = &mut self.marks {
            for (ring, mark) in [(&mut marks.begin, began), (&mut marks.last, self.streaming.is_last)] {
                ring.shift_in(if mark { array.rows() as usize } else { 0 });
            }
        }
    }

    /// Copies shadow registers to held registers in the PEs that the mark of a fold's beginning has just reached (WS,
    /// IS, double-buffered).
    fn swap_shadows(&mut self) {
        if let Some(marks) = &self.marks {
            for row in 0..self.schedule.array().rows() as usize {
                self.held.swap(row, &marks.begin.row(row));
            }
        }
    }

    /// Shifts in the next row of the stationary operand, the last row first (WS, IS).
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

    /// Takes in the next vector of B at the north edge, at the same clock edge as the vector of A (OS).
    fn stream_from_north(&mut self) {
        let at = self.streaming.n_done;
        let vector =
            self.streaming.comes.then(|| self.vectors.north_vector(&self.streaming.fold, Hold::Result, at - 1));
        self.north.push(vector, false);
        let row = self.north.row();
        self.south.shift_south(&row.values, row.valid);
    }

    /// Sets the stuck sum register to zero.
    fn apply_stuck_fault(&mut self) {
        if let Some(PeId { row, col }) = self.stuck {
            let hop = if self.sums.len() > self.schedule.array().rows() as usize { 2 } else { 1 };
            self.sums.row_mut(hop * row as usize)[col as usize] = L::Sum::default();
        }
    }

    /// Collects the sums that have reached the last row (WS, IS).
    fn collect_south(&mut self) {
        let last = self.sums.len() - 1;
        for run in self.sums.valid(last).runs() {
            self.collector.take_streamed(run.start, &self.sums.row(last)[run]);
        }
    }

    /// Clears the sums of the previous fold when a fold begins, without overlap (OS).
    fn clear_sums_at_fold_start(&mut self, cycle: u64) {
        let overlapped = self.marks.is_some();
        if !overlapped && cycle.is_multiple_of(self.schedule.period().0) {
            let none = BitRow::new(self.schedule.array().cols() as usize);
            (0..self.schedule.array().rows() as usize).for_each(|row| self.sums.set_valid(row, none));
        }
    }
}

impl Sequence {
    /// Starts the next fold if a new period begins `since` cycles after the start of the sequence. Returns true if a
    /// fold started.
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
