//! What crosses each port of the array, cycle by cycle.

use crate::{Cycle, Hold, Mkn, Operand, Schedule};

/// An edge of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edge {
    /// One port per row; operands go east.
    West,
    /// One port per column; stationary operands, or B of an output-stationary run, go south.
    North,
    /// One port per column; sums leave.
    South,
}

impl Edge {
    /// The name in a trace.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::West => "west",
            Self::North => "north",
            Self::South => "south",
        }
    }
}

/// An element at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortEvent {
    /// The clock edge that latches it.
    pub cycle: Cycle,
    /// Its matrix; C for a sum.
    pub operand: Operand,
    /// The edge.
    pub edge: Edge,
    /// The row (west) or column (north, south).
    pub port: u32,
    /// Its row in its matrix.
    pub i: u64,
    /// Its column in its matrix.
    pub j: u64,
}

impl Schedule {
    /// Calls `each` for every port event of a cycle: north, west, south, each by port.
    ///
    /// A result of an output-stationary run is read in place at the end of its fold and passes no port.
    pub fn port_events(&self, cycle: Cycle, mut each: impl FnMut(PortEvent)) {
        let moment = self.locate(cycle);
        let (fold, since, load) = (moment.fold, moment.since.get(), self.load_cycles().get());
        let mut emit = |operand: Operand, edge: Edge, port: u32, at: Mkn| {
            let (i, j) = at.of(operand);
            each(PortEvent { cycle, operand, edge, port, i, j });
        };
        let along =
            |row: u64, col: u64, time: u64| self.mapping().mkn(fold.row_origin + row, fold.col_origin + col, time);
        let time_at = |hops: u64| since.checked_sub(load + hops).filter(|&time| time < self.stream_len());
        for col in 0..fold.mapped.cols {
            match self.dataflow().hold() {
                Hold::Operand => {
                    let line = (load - 1).checked_sub(since).filter(|&line| line < u64::from(fold.mapped.rows));
                    if let Some(line) = line {
                        emit(self.dataflow().stationary(), Edge::North, col, along(line, col.into(), 0));
                    }
                }
                Hold::Result => {
                    if let Some(time) = time_at(col.into()) {
                        emit(Operand::B, Edge::North, col, along(0, col.into(), time));
                    }
                }
            }
        }
        for row in 0..fold.mapped.rows {
            if let Some(time) = time_at(row.into()) {
                emit(self.dataflow().from_west(), Edge::West, row, along(row.into(), 0, time));
            }
        }
        if self.dataflow().hold() == Hold::Operand {
            let last = u64::from(self.array().rows()) - 1;
            for col in 0..fold.mapped.cols {
                if let Some(time) = time_at(last + u64::from(col)) {
                    emit(Operand::C, Edge::South, col, along(0, col.into(), time));
                }
            }
        }
    }
}
