//! Removal of finished sums from an output-stationary array.
//!
//! Sums are read in place or shifted south at the end of a fold. With double buffering, an output buffer shifts the
//! sums south while the next fold runs.

use super::Machine;
use super::bits::BitRow;
use super::ring::RowRing;
use super::supply::Supply;
use crate::{Drain, Lane};

/// Output buffer for finished sums: one chain of registers down each column.
#[derive(Clone, Debug)]
pub(super) struct Outlet<S: Copy + Default> {
    /// Rate at which rows of sums pass the south edge.
    supply: Supply,
    drained: Option<DrainedSums<S>>,
}

#[derive(Clone, Debug)]
struct DrainedSums<S: Copy + Default> {
    plane: RowRing<S>,
    /// Registers whose sums wait until the last row of the column has buffered a sum.
    waiting: Vec<BitRow>,
    columns: Vec<Column>,
    /// PEs whose sums are buffered at the next clock edge, because the last vector of the fold has reached these PEs.
    captured_next: Vec<BitRow>,
}

/// Shift state of one column.
#[derive(Clone, Debug)]
struct Column {
    supply: Supply,
    shifts_left: usize,
}

impl<S: Copy + Default> Outlet<S> {
    pub(super) fn new(rows: usize, cols: usize, supply: Supply, sets_aside: bool) -> Self {
        let bits = || vec![BitRow::new(cols); rows];
        let drained = sets_aside.then(|| DrainedSums {
            plane: RowRing::new(rows, cols),
            waiting: bits(),
            columns: vec![Column { supply, shifts_left: 0 }; cols],
            captured_next: bits(),
        });
        Self { supply, drained }
    }

    pub(super) fn get(&self, row: usize, col: usize) -> Option<S> {
        self.drained.as_ref().and_then(|drained| drained.plane.get(row, col))
    }
}

impl<L: Lane> Machine<L> {
    /// Shifts the output buffer south, then latches the sums that became complete one cycle ago (OS, double-buffered,
    /// drained south).
    pub(super) fn latch_drain_buffer(&mut self) {
        let rows = self.schedule.array().rows() as usize;
        let cols = self.schedule.array().cols() as usize;
        let (Some(drained), Some(marks)) = (&mut self.outlet.drained, &self.marks) else { return };
        let mut shifting = BitRow::new(cols);
        for (col, column) in drained.columns.iter_mut().enumerate() {
            if column.shifts_left > 0 && column.supply.tick() {
                column.shifts_left -= 1;
                shifting.set(col);
                let bottom = if drained.waiting[rows - 1].get(col) { None } else { drained.plane.get(rows - 1, col) };
                self.collector.take_from_south(col, bottom);
            }
        }
        if !shifting.is_empty() {
            for row in (0..rows).rev() {
                // A waiting register keeps its sum. Any other register passes its sum on and becomes empty.
                let moving = shifting.and_not(&drained.waiting[row]);
                drained.plane.set_valid(row, drained.plane.valid(row).and_not(&moving));
                if row > 0 {
                    drained.plane.take_from_north(row, &moving.and_not(&drained.waiting[row - 1]));
                }
            }
        }
        for row in 0..rows {
            let captured = drained.captured_next[row];
            drained.captured_next[row] = marks.last.row(row);
            if captured.is_empty() {
                continue;
            }
            drained.plane.put(row, self.sums.row(row), self.sums.valid(row), &captured);
            self.sums.set_valid(row, self.sums.valid(row).and_not(&captured));
            drained.waiting[row] = drained.waiting[row].or(&captured);
            if row + 1 == rows {
                for col in captured.runs().flatten() {
                    drained.columns[col].supply.reset();
                    drained.columns[col].shifts_left = rows;
                }
                for waiting in &mut drained.waiting {
                    *waiting = waiting.and_not(&captured);
                }
            }
        }
    }

    /// Collects the sums that leave the PEs at this clock edge, after the add (OS).
    pub(super) fn collect_in_place(&mut self, cycle: u64) {
        let schedule = self.schedule;
        let rows = schedule.array().rows() as usize;
        let since = cycle % schedule.period().0;
        match (&self.marks, schedule.design().drain) {
            (None, Drain::InPlace) if since + 1 == schedule.cycles_per_fold().0 => {
                for row in 0..rows {
                    for col in 0..schedule.array().cols() as usize {
                        self.collector.take_in_place(row, col, self.sums.get(row, col));
                    }
                }
            }
            (None, Drain::South) => {
                let begin = schedule.cycles_per_fold().0 - schedule.drain_cycles().0;
                if since == begin {
                    self.outlet.supply.reset();
                }
                if since >= begin && self.outlet.supply.tick() {
                    for col in 0..schedule.array().cols() as usize {
                        self.collector.take_from_south(col, self.sums.get(rows - 1, col));
                    }
                    let none = BitRow::new(schedule.array().cols() as usize);
                    self.sums.shift_south(&[], none);
                }
            }
            (Some(marks), Drain::InPlace) => {
                for row in 0..rows {
                    for col in marks.last.row(row).runs().flatten() {
                        self.collector.take_in_place(row, col, self.sums.get(row, col));
                    }
                }
            }
            (None, Drain::InPlace) | (Some(_), Drain::South) => {}
        }
    }
}
