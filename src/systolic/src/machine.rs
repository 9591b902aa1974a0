//! The register description of the machine: planes of registers and a clock edge.
//!
//! It knows nothing of wave times. Each clock edge moves every register by one place, a PE multiplies what it finds
//! there, and the sequencer only counts. [`Snapshot`](crate::Snapshot) says the same by closed form; the tests hold the
//! two against each other at every PE and every cycle.
//!
//! Microarchitecture: one register per hop, multiply and add in the cycle in which the operand is latched.

mod bits;
mod collector;
mod feeder;
mod ring;

use crate::{Cycle, Fold, Hold, Lane, Operand, Operands, PeId, Registers, Schedule};
use bits::BitRow;
use collector::Collector;
use feeder::Feeder;
use ring::{RowRing, ShiftRing};

/// A defect put into the machine on purpose, to see that the tests notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// One lane of the west edge is skewed by one cycle too many.
    LateLane {
        /// The row.
        row: u32,
    },
}

/// A systolic array with its feeders and its accumulators, stepped one clock edge at a time.
#[derive(Clone, Debug)]
pub struct Machine<'a, L: Lane> {
    lane: L,
    schedule: &'a Schedule,
    operands: &'a Operands,
    fold: Fold,
    next: u64,
    west: Feeder<L::Operand>,
    north: Feeder<L::Operand>,
    held: RowRing<L::Operand>,
    held_valid: Vec<BitRow>,
    east: ShiftRing<L::Operand>,
    east_valid: Vec<BitRow>,
    south: RowRing<L::Operand>,
    south_valid: Vec<BitRow>,
    sums: Vec<L::Sum>,
    sum_valid: Vec<BitRow>,
    collector: Collector<L>,
}

impl<'a, L: Lane> Machine<'a, L> {
    /// A machine before its first clock edge. Holds all of C: M·N sums.
    #[must_use]
    pub fn new(lane: L, schedule: &'a Schedule, operands: &'a Operands, fault: Option<Fault>) -> Self {
        let (rows, cols) = (schedule.array().rows() as usize, schedule.array().cols() as usize);
        let bits = || vec![BitRow::new(cols); rows];
        let late = |lane: usize| match fault {
            Some(Fault::LateLane { row }) => usize::from(lane == row as usize),
            None => 0,
        };
        Self {
            lane,
            schedule,
            operands,
            fold: schedule.fold(0),
            next: 0,
            west: Feeder::new((0..rows).map(|lane| lane + late(lane))),
            north: Feeder::new(0..cols),
            held: RowRing::new(rows, cols),
            held_valid: bits(),
            east: ShiftRing::new(rows, cols),
            east_valid: bits(),
            south: RowRing::new(rows, cols),
            south_valid: bits(),
            sums: vec![L::Sum::default(); rows * cols],
            sum_valid: bits(),
            collector: Collector::new(lane, schedule),
        }
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
        let length = self.schedule.cycles_per_fold().0;
        let since = self.next % length;
        if since == 0 {
            self.begin_fold(self.next / length);
        }
        self.next += 1;
        match self.schedule.dataflow().hold() {
            Hold::Operand => {
                if since < self.schedule.load_cycles().0 {
                    self.shift_held(since);
                }
                self.feed_west(since.checked_sub(self.schedule.load_cycles().0));
                self.multiply_and_pass_sums();
                self.collect_south();
            }
            Hold::Result => {
                self.feed_west(Some(since));
                self.feed_north(since);
                self.multiply_in_place();
                if since + 1 == length {
                    self.collect_in_place();
                }
            }
        }
    }

    /// Runs to the end.
    pub fn finish(&mut self) {
        while !self.finished() {
            self.tick();
        }
    }

    /// C, row by row, as far as results have arrived.
    #[must_use]
    pub fn result(&self) -> &[L::Sum] {
        self.collector.result()
    }

    /// The registers of one PE.
    #[must_use]
    pub fn registers(&self, pe: PeId) -> Registers {
        let (i, j) = (pe.row as usize, pe.col as usize);
        let cols = self.schedule.array().cols() as usize;
        Registers {
            held: self.held_valid[i].get(j).then(|| self.lane.operand(self.held.row(i)[j])),
            east: self.east_valid[i].get(j).then(|| self.lane.operand(self.east.row(i)[j])),
            south: self.south_valid[i].get(j).then(|| self.lane.operand(self.south.row(i)[j])),
            sum: self.sum_valid[i].get(j).then(|| self.lane.sum(self.sums[i * cols + j])),
        }
    }

    fn begin_fold(&mut self, index: u64) {
        self.fold = self.schedule.fold(index);
        self.collector.begin_fold(&self.fold);
        if self.schedule.dataflow().hold() == Hold::Result {
            self.sum_valid.iter_mut().for_each(BitRow::clear);
        }
    }

    fn raw(&self, operand: Operand, row: u64, col: u64, time: u64) -> L::Operand {
        self.lane.encode(self.operands.at(operand, self.schedule.mapping().mkn(row, col, time).of(operand)))
    }

    /// Shifts the stationary plane south by one row and puts the next row, last row first, in the north.
    fn shift_held(&mut self, since: u64) {
        let line = u64::from(self.schedule.array().rows()) - 1 - since;
        let (fold, stationary) = (self.fold, self.schedule.dataflow().stationary());
        let given = if line < u64::from(fold.mapped.rows) { fold.mapped.cols as usize } else { 0 };
        let row: Vec<L::Operand> =
            (0..given).map(|j| self.raw(stationary, fold.row_origin + line, fold.col_origin + j as u64, 0)).collect();
        self.held.shift_south()[..given].copy_from_slice(&row);
        self.held_valid.rotate_right(1);
        self.held_valid[0].fill_first(given);
    }

    /// Gives each lane of the west edge its next element through its skew registers.
    fn feed_west(&mut self, time: Option<u64>) {
        let fold = self.fold;
        let operand = self.schedule.dataflow().from_west();
        let time = time.filter(|&time| time < self.schedule.stream_len());
        self.east.shift_east();
        for i in 0..self.east_valid.len() {
            let given = time
                .filter(|_| i < fold.mapped.rows as usize)
                .map(|time| self.raw(operand, fold.row_origin + i as u64, 0, time));
            let out = self.west.push(i, given);
            self.east_valid[i].shift_in(out.is_some());
            self.east.set_first(i, out.unwrap_or_default());
        }
    }

    /// Gives each lane of the north edge its next element through its skew registers.
    fn feed_north(&mut self, time: u64) {
        let fold = self.fold;
        let cols = self.schedule.array().cols() as usize;
        let mut row = vec![L::Operand::default(); cols];
        self.south_valid.rotate_right(1);
        self.south_valid[0].clear();
        for (j, place) in row.iter_mut().enumerate() {
            let given = (j < fold.mapped.cols as usize && time < self.schedule.stream_len())
                .then(|| self.raw(Operand::B, 0, fold.col_origin + j as u64, time));
            if let Some(value) = self.north.push(j, given) {
                *place = value;
                self.south_valid[0].set(j);
            }
        }
        self.south.shift_south().copy_from_slice(&row);
    }

    /// WS, IS: each PE adds its product to the sum from the north; sums move south, the last row first.
    fn multiply_and_pass_sums(&mut self) {
        let lane = self.lane;
        let cols = self.schedule.array().cols() as usize;
        for i in (0..self.sum_valid.len()).rev() {
            let (above, row) = self.sums.split_at_mut(i * cols);
            let row = &mut row[..cols];
            let zeros = vec![L::Sum::default(); if i == 0 { cols } else { 0 }];
            let above = if i == 0 { &zeros[..] } else { &above[(i - 1) * cols..] };
            let (x, w) = (self.east.row(i), self.held.row(i));
            let none = BitRow::new(cols);
            let arriving = if i == 0 { &none } else { &self.sum_valid[i - 1] };
            let multiplying = self.east_valid[i].and(&self.held_valid[i]);
            for run in multiplying.runs() {
                if i == 0 || arriving.covers(run.clone()) {
                    let from_north = &above[run.clone()];
                    for (((sum, &north), &x), &w) in
                        row[run.clone()].iter_mut().zip(from_north).zip(&x[run.clone()]).zip(&w[run])
                    {
                        *sum = lane.mac(north, x, w);
                    }
                } else {
                    for j in run {
                        let north = if arriving.get(j) { above[j] } else { L::Sum::default() };
                        row[j] = lane.mac(north, x[j], w[j]);
                    }
                }
            }
            for run in arriving.and_not(&multiplying).runs() {
                row[run.clone()].copy_from_slice(&above[run]);
            }
            self.sum_valid[i] = arriving.or(&multiplying);
        }
    }

    /// OS: each PE adds its product to its own sum.
    fn multiply_in_place(&mut self) {
        let lane = self.lane;
        let cols = self.schedule.array().cols() as usize;
        for i in 0..self.sum_valid.len() {
            let (x, w) = (self.east.row(i), self.south.row(i));
            let multiplying = self.east_valid[i].and(&self.south_valid[i]);
            let row = &mut self.sums[i * cols..(i + 1) * cols];
            for j in multiplying.and_not(&self.sum_valid[i]).runs().flatten() {
                row[j] = L::Sum::default();
            }
            for run in multiplying.runs() {
                for ((sum, &x), &w) in row[run.clone()].iter_mut().zip(&x[run.clone()]).zip(&w[run]) {
                    *sum = lane.mac(*sum, x, w);
                }
            }
            self.sum_valid[i] = self.sum_valid[i].or(&multiplying);
        }
    }

    fn collect_south(&mut self) {
        let cols = self.schedule.array().cols() as usize;
        let last = self.sum_valid.len() - 1;
        let row = &self.sums[last * cols..];
        for j in self.sum_valid[last].runs().flatten() {
            self.collector.take_streamed(j, row[j]);
        }
    }

    fn collect_in_place(&mut self) {
        let cols = self.schedule.array().cols() as usize;
        for (i, valid) in self.sum_valid.iter().enumerate() {
            for j in valid.runs().flatten() {
                self.collector.take_in_place(i, j, self.sums[i * cols + j]);
            }
        }
    }
}
