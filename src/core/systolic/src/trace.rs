//! Elements that cross the ports of the array, cycle by cycle.

use crate::{Cycle, Fold, Hold, Operand, PeId, Schedule};

/// An edge of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edge {
    /// West edge, with one port per row. Operands enter and go east.
    West,
    /// North edge, with one port per column. Stationary operands (WS, IS) or elements of B (OS) enter and go south.
    North,
    /// South edge, with one port per column. Sums leave.
    South,
}

crate::named! {
    Edge {
        West => "west",
        North => "north",
        South => "south",
    }
}

/// An element that crosses a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortEvent {
    /// Clock edge that latches the element.
    pub cycle: Cycle,
    /// Matrix of the element; C for a sum.
    pub operand: Operand,
    /// Edge of the array that the port belongs to.
    pub edge: Edge,
    /// Row (west) or column (north, south) of the port.
    pub port: u32,
    /// Row of the element in its matrix.
    pub i: u64,
    /// Column of the element in its matrix.
    pub j: u64,
}

impl Schedule {
    /// Calls `each` for every port event of a cycle: first at the north edge, then west, then south. At each edge, the
    /// calls are in the order of the ports.
    ///
    /// A sum of an output-stationary run passes a port only if the design drains sums south.
    ///
    /// ```
    /// use systolic::prelude::*;
    ///
    /// // The last row of B enters first, because it has the longest way.
    /// let mut entering = Vec::new();
    /// Schedule::builder([6, 4, 3], [4, 4]).build()?.port_events(Cycle(0), |port| entering.push((port.edge, port.i, port.j)));
    /// assert_eq!(entering, [(Edge::North, 3, 0), (Edge::North, 3, 1), (Edge::North, 3, 2)]);
    /// # Ok::<(), RangeError>(())
    /// ```
    pub fn port_events(&self, cycle: Cycle, mut each: impl FnMut(PortEvent)) {
        let (array, timing) = (self.array(), self.timing());
        let mut emit = |operand: Operand, edge: Edge, port: u32, fold: &Fold, (row, col, time): (u64, u64, u64)| {
            let at = self.mapping().mkn(self.row_index(fold.row_origin + row), fold.col_origin + col, time);
            let (i, j) = at.of(operand);
            each(PortEvent { cycle, operand, edge, port, i, j });
        };
        for col in 0..array.cols() {
            match self.dataflow().hold() {
                Hold::Operand => {
                    if let Some((fold, line)) = self.line_at(cycle, col) {
                        emit(self.dataflow().stationary(), Edge::North, col, &fold, (line, col.into(), 0));
                    }
                }
                Hold::Result => {
                    if let Some((fold, time)) = self.vector_at(cycle, col.into())
                        && col < fold.mapped.cols
                    {
                        emit(Operand::B, Edge::North, col, &fold, (0, col.into(), time));
                    }
                }
            }
        }
        for row in 0..array.rows() {
            if let Some((fold, time)) = self.vector_at(cycle, timing.row_hop * u64::from(row))
                && row < fold.mapped.rows
            {
                emit(self.dataflow().from_west(), Edge::West, row, &fold, (row.into(), 0, time));
            }
        }
        for col in 0..array.cols() {
            match self.dataflow().hold() {
                Hold::Operand => {
                    let last = PeId { row: array.rows() - 1, col };
                    if let Some((fold, time)) = self.vector_at(cycle, self.hops(last) + timing.product_delay)
                        && col < fold.mapped.cols
                    {
                        emit(Operand::C, Edge::South, col, &fold, (0, col.into(), time));
                    }
                }
                Hold::Result => {
                    if let Some((fold, row)) = self.leaving(cycle, col)
                        && fold.mapped.contains(PeId { row, col })
                    {
                        emit(Operand::C, Edge::South, col, &fold, (row.into(), col.into(), 0));
                    }
                }
            }
        }
    }

    /// Fold and row of the stationary operand that enters a column at a clock edge; `None` if no row enters.
    fn line_at(&self, cycle: Cycle, col: u32) -> Option<(Fold, u64)> {
        let (fold, rows_in) = self.rows_loaded(cycle, col)?;
        let before = cycle.0.checked_sub(1).and_then(|before| self.rows_loaded(Cycle(before), col));
        let is_new = before != Some((fold, rows_in));
        let line = u64::from(self.array().rows()) - rows_in;
        (is_new && line < u64::from(fold.mapped.rows) && col < fold.mapped.cols).then_some((fold, line))
    }
}
