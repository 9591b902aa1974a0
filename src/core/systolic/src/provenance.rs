//! Origin and next place of the content of a register.

use crate::{Cycle, Edge, Fold, FoldOrder, Hold, Mkn, Overlap, PeId, Schedule};

/// A register of a PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// Held register: the stationary operand (WS, IS).
    Held,
    /// Shadow register: the stationary operand of the next fold (WS, IS, double-buffered).
    Shadow,
    /// East register: the operand that moves east.
    East,
    /// South register: the operand that moves south (OS).
    South,
    /// Sum register.
    Sum,
}

/// One term of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Multiply-accumulate of the term.
    pub mkn: Mkn,
    /// PE that computed the term.
    pub pe: PeId,
    /// Clock edge at which the operands of the term met in the PE.
    pub cycle: Cycle,
}

/// Entry point of an element into the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Edge of the array.
    pub edge: Edge,
    /// Row (west) or column (north) of the port.
    pub port: u32,
    /// Clock edge at which the first PE of the row or column latched the element.
    pub cycle: Cycle,
}

/// Next place of the content of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Unchanged place: the content stays.
    Stays,
    /// Register of the same kind in another PE.
    Moves {
        /// PE that latches the content.
        to: PeId,
        /// Clock edge at which that PE latches the content.
        at: Cycle,
    },
    /// Held register of the same PE: the content of the shadow register is copied to the held register.
    IsTakenOver {
        /// Clock edge of the copy.
        at: Cycle,
    },
    /// Exit of a sum from its PE: through the south edge, by a read in place, or to the output buffer.
    Leaves {
        /// South edge; `None` if the sum is read in place or buffered.
        through: Option<Edge>,
        /// First clock edge at which the sum is no longer in the register.
        at: Cycle,
    },
    /// End of the path: the operand has passed the last PE.
    IsDropped,
}

impl Schedule {
    /// Place of a multiply-accumulate of the run: its fold, its PE, and the number of its vector in the fold's stream.
    #[must_use]
    pub fn place_of(&self, mkn: Mkn) -> (Fold, PeId, u64) {
        let mapping = self.mapping();
        let (row, col) = (self.row_of_index(mkn.along(mapping.rows)), mkn.along(mapping.cols));
        let (rows, cols) = (u64::from(self.array().rows()), u64::from(self.array().cols()));
        let (row_fold, col_fold) = (self.row_fold_of(row / rows), col / cols);
        let index = match self.design().order {
            FoldOrder::Rows => col_fold * self.row_folds() + row_fold,
            FoldOrder::Cols => row_fold * self.col_folds() + col_fold,
        };
        (self.fold(index), PeId::new(place(row % rows), place(col % cols)), mkn.along(mapping.time))
    }

    /// Term that belongs to a multiply-accumulate of the run. The term has the PE in which the operands meet, and the
    /// clock edge.
    #[must_use]
    pub fn term(&self, mkn: Mkn) -> Term {
        let (fold, pe, wave) = self.place_of(mkn);
        let timing = self.timing();
        let begun = self.fold_start(fold.index).0 + timing.load + self.hops(pe);
        Term { mkn, pe, cycle: Cycle(begun + timing.pace.arrival(wave)) }
    }

    /// Terms of the sum in a PE just after a clock edge, in the order of adding; empty if the PE has no sum.
    #[must_use]
    pub fn terms(&self, cycle: Cycle, pe: PeId) -> Vec<Term> {
        let cycle = cycle.min(self.last_cycle());
        let Some(partial) = self.partial_sum(cycle, pe) else { return vec![] };
        let timing = self.timing();
        (0..partial.terms)
            .map(|step| {
                let mkn = self.term_of(partial.first, step);
                let row = partial.first.along(self.mapping().rows) - partial.fold.row_origin;
                let (pe, cycle) = match self.dataflow().hold() {
                    Hold::Operand => {
                        // A row that is n rows farther north added its term n hops ago.
                        let ago = timing.product_delay + timing.row_hop * (u64::from(pe.row) - step);
                        (PeId { row: place(step), ..pe }, Cycle(cycle.0 - ago))
                    }
                    Hold::Result => {
                        let pe = PeId { row: place(row), ..pe };
                        let begun = self.fold_start(partial.fold.index).0 + timing.load + self.hops(pe);
                        (pe, Cycle(begun + timing.pace.arrival(step)))
                    }
                };
                Term { mkn, pe, cycle }
            })
            .collect()
    }

    /// Entry point of the operand in a register; `None` if the register is empty.
    ///
    /// Returns `None` for a sum, whose terms [`Schedule::terms`] lists.
    #[must_use]
    pub fn origin(&self, cycle: Cycle, pe: PeId, register: Register) -> Option<Origin> {
        let cycle = cycle.min(self.last_cycle());
        let timing = self.timing();
        match register {
            Register::East => {
                let (fold, _) = self.vector_at(cycle, self.hops(pe))?;
                let cycle = Cycle(cycle.0 - u64::from(pe.col));
                (pe.row < fold.mapped.rows).then_some(Origin { edge: Edge::West, port: pe.row, cycle })
            }
            Register::South if self.dataflow().hold() == Hold::Result => {
                let (fold, _) = self.vector_at(cycle, self.hops(pe))?;
                let cycle = Cycle(cycle.0 - timing.row_hop * u64::from(pe.row));
                (pe.col < fold.mapped.cols).then_some(Origin { edge: Edge::North, port: pe.col, cycle })
            }
            Register::Held | Register::Shadow => {
                let (fold, line) = self.line_in(cycle, pe, register)?;
                // The last row is loaded first.
                let nth = u64::from(self.array().rows()) - 1 - line;
                let since = timing.load_pace.arrival(nth) + self.load_delay(pe.col.into());
                let cycle = Cycle(self.fold_start(fold).0 + since);
                Some(Origin { edge: Edge::North, port: pe.col, cycle })
            }
            Register::South | Register::Sum => None,
        }
    }

    /// Next place of the content of a register; `None` if the register is empty.
    #[must_use]
    pub fn next(&self, cycle: Cycle, pe: PeId, register: Register) -> Option<Next> {
        let cycle = cycle.min(self.last_cycle());
        let timing = self.timing();
        let south = PeId { row: pe.row + 1, ..pe };
        let after = |cycles: u64| Cycle(cycle.0 + cycles);
        match register {
            Register::East => {
                self.origin(cycle, pe, register)?;
                let to = PeId { col: pe.col + 1, ..pe };
                Some(if self.array().contains(to) { Next::Moves { to, at: after(1) } } else { Next::IsDropped })
            }
            Register::South => {
                self.origin(cycle, pe, register)?;
                let moves = Next::Moves { to: south, at: after(timing.row_hop) };
                Some(if self.array().contains(south) { moves } else { Next::IsDropped })
            }
            Register::Held => self.line_in(cycle, pe, register).map(|(_, line)| self.next_held(cycle, pe, line)),
            Register::Shadow => {
                let (fold, line) = self.line_in(cycle, pe, register)?;
                if line != u64::from(pe.row) {
                    return Some(self.next_row_in(cycle, pe, fold));
                }
                let at = Cycle(self.fold_start(fold).0 + timing.load + self.hops(pe));
                Some(if at > cycle { Next::IsTakenOver { at } } else { Next::Stays })
            }
            Register::Sum => {
                let partial = self.partial_sum(cycle, pe)?;
                Some(match self.dataflow().hold() {
                    Hold::Operand if self.array().contains(south) => {
                        Next::Moves { to: south, at: after(timing.row_hop) }
                    }
                    Hold::Operand => Next::Leaves { through: Some(Edge::South), at: after(1) },
                    Hold::Result => self.next_of_sum_in_place(cycle, pe, partial.fold.index),
                })
            }
        }
    }

    /// Fold index and row of the stationary operand in a held or shadow register.
    fn line_in(&self, cycle: Cycle, pe: PeId, register: Register) -> Option<(u64, u64)> {
        let overlapped = self.design().overlap == Overlap::DoubleBuffered;
        if self.dataflow().hold() == Hold::Result || (register == Register::Shadow && !overlapped) {
            return None;
        }
        let row = u64::from(pe.row);
        let (fold, line) = if overlapped && register == Register::Held {
            (self.fold(self.wave_at(cycle, self.hops(pe))?.fold), row)
        } else {
            let (fold, rows_in) = self.rows_loaded(cycle, pe.col)?;
            if row < rows_in {
                (fold, u64::from(self.array().rows()) - rows_in + row)
            } else {
                let before = self.fold(fold.index.checked_sub(1)?);
                (before, if register == Register::Held { row - rows_in } else { row })
            }
        };
        let source = PeId { row: u32::try_from(line).ok()?, ..pe };
        fold.mapped.contains(source).then_some((fold.index, line))
    }

    fn next_held(&self, cycle: Cycle, pe: PeId, line: u64) -> Next {
        let overlapped = self.design().overlap == Overlap::DoubleBuffered;
        if overlapped {
            return Next::Stays;
        }
        match self.rows_loaded(cycle, pe.col) {
            // The row is in place until the next fold pushes it out.
            Some((fold, rows_in)) if line == u64::from(pe.row) && rows_in == u64::from(self.array().rows()) => {
                if fold.index + 1 < self.folds() { self.next_row_in(cycle, pe, fold.index + 1) } else { Next::Stays }
            }
            Some((fold, _)) => self.next_row_in(cycle, pe, fold.index),
            None => Next::Stays,
        }
    }

    /// Next place of a row of the stationary operand: the next PE in the south, when the next row of `fold` enters the
    /// column.
    fn next_row_in(&self, cycle: Cycle, pe: PeId, fold: u64) -> Next {
        let rows = u64::from(self.array().rows());
        let start = self.fold_start(fold).0 + self.load_delay(pe.col.into());
        let n_in = (cycle.0 + 1).checked_sub(start).map_or(0, |cycles| self.timing().load_pace.delivered(cycles, rows));
        let at = Cycle(start + self.timing().load_pace.arrival(n_in));
        let to = PeId { row: pe.row + 1, ..pe };
        if self.array().contains(to) { Next::Moves { to, at } } else { Next::IsDropped }
    }

    /// Next place of an output-stationary sum. The sum stays until it is complete, and then is read, buffered or
    /// shifted out.
    fn next_of_sum_in_place(&self, cycle: Cycle, pe: PeId, fold: u64) -> Next {
        let timing = self.timing();
        let start = self.fold_start(fold).0;
        if self.shifts_sums() {
            let first_shift = start + timing.fold - timing.drain;
            let shifts = self.shifts(cycle);
            let at = Cycle(first_shift + timing.drain_pace.arrival(shifts));
            let to = PeId { row: pe.row + 1, ..pe };
            return match (at.0 > cycle.0 + 1, self.array().contains(to)) {
                (true, _) => Next::Stays,
                (false, true) => Next::Moves { to, at },
                (false, false) => Next::Leaves { through: Some(Edge::South), at },
            };
        }
        let complete = Cycle(start + timing.load + self.hops(pe) + timing.product_delay + timing.stream - 1);
        if cycle < complete { Next::Stays } else { Next::Leaves { through: None, at: Cycle(complete.0 + 1) } }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a row of the array")]
const fn place(row: u64) -> u32 {
    row as u32
}
