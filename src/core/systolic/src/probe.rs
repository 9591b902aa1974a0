//! State of one PE at one cycle in closed form: the registers, the meaning of their contents, and the
//! multiply-accumulate.
//!
//! Let `s` be the number of cycles since the earliest possible arrival of a fold's stream at PE (i,j). The content of a
//! register depends only on the fold and `s`. The streamed element in the PE is element number `s` of the stream. A
//! partial sum that flows south has the terms of rows 0 to i.

use crate::lane::{Aligned, Grouped};
use crate::partial_sum::PartialSum;
use crate::reference::start;
use crate::{
    Activity, Axis, BlockView, Cycle, Fold, Hold, Lane, MacUnit, Mkn, Operand, Operands, Overlap, PeId, Registers,
    Schedule, Value, dispatch_small_lane,
};

/// Content of a register that holds an element of A or B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// Matrix of the element.
    pub operand: Operand,
    /// Row of the element; rows beyond the matrix are padding.
    pub row: u64,
    /// Column of the element; columns beyond the matrix are padding.
    pub col: u64,
    /// Value of the element in the operand format.
    pub value: Value,
}

/// Content of a register that holds a partial or finished sum of an element of C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    /// Row of the element of C.
    pub row: u64,
    /// Column of the element of C.
    pub col: u64,
    /// Index k of the first term.
    pub k_from: u64,
    /// Number of terms so far, out of `terms_max`.
    pub terms: u64,
    /// Number of terms at the end of the fold.
    pub terms_max: u64,
    /// Value of the sum before its latest term; `None` if the sum has only one term and starts from zero.
    pub before: Option<Value>,
    /// Value of the sum.
    pub value: Value,
}

/// State of one PE at one cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Position of the PE.
    pub pe: PeId,
    /// Activity of the PE.
    pub activity: Activity,
    /// Multiply-accumulate that the PE begins at this clock edge.
    pub mac: Option<Mkn>,
    /// Stationary operand (WS, IS).
    pub held: Option<Element>,
    /// Stationary operand of the next fold, in the shadow register (WS, IS, double-buffered).
    pub shadow: Option<Element>,
    /// Operand that moves east.
    pub east: Option<Element>,
    /// Operand that moves south (OS).
    pub south: Option<Element>,
    /// Content of the sum register.
    pub sum: Option<Sum>,
    /// Finished sum in the output buffer, on its way out while the next fold runs (OS, double-buffered and drained
    /// south).
    pub drained: Option<Sum>,
    /// Exact product of the two operands. The PE adds the product rounded to f32 if the operands are f32.
    pub product: Option<f64>,
}

impl Probe {
    /// Element of A or B in the held, east or south register of this PE.
    #[must_use]
    pub fn operand(&self, operand: Operand) -> Option<Element> {
        [self.held, self.east, self.south].into_iter().flatten().find(|element| element.operand == operand)
    }
}

/// A schedule with its operands and format, which together determine the content of every register.
#[derive(Clone, Copy, Debug)]
pub struct Prober<'a> {
    schedule: &'a Schedule,
    operands: &'a Operands,
    unit: MacUnit,
}

impl<'a> Prober<'a> {
    /// A prober of one run.
    #[must_use]
    pub const fn new(schedule: &'a Schedule, operands: &'a Operands, unit: MacUnit) -> Self {
        Self { schedule, operands, unit }
    }

    /// State of one PE just after a clock edge. The cost is one multiply-accumulate for each term of the PE's sum.
    #[must_use]
    pub fn at(&self, cycle: Cycle, pe: PeId) -> Probe {
        let sum = |partial: Option<PartialSum>| dispatch_small_lane!(self.unit, lane => partial.map(|partial| self.sum_of(lane, partial)));
        Probe {
            sum: sum(self.schedule.partial_sum(cycle, pe)),
            drained: sum(self.schedule.drained_partial_sum(cycle, pe)),
            ..self.without_sum(cycle, pe)
        }
    }

    /// States of one PE just after consecutive clock edges. Each state is equal to the result of [`Prober::at`].
    ///
    /// The prober keeps a running sum from cycle to cycle, so all states together cost little more than the first one.
    #[must_use]
    pub fn during(&self, cycles: core::ops::RangeInclusive<u64>, pe: PeId) -> Vec<Probe> {
        dispatch_small_lane!(self.unit, lane => {
            let mut reached = None;
            let probe = |cycle| Probe {
                sum: self.schedule.partial_sum(cycle, pe).map(|partial| self.carried_on(lane, partial, &mut reached)),
                drained: self.schedule.drained_partial_sum(cycle, pe).map(|partial| self.sum_of(lane, partial)),
                ..self.without_sum(cycle, pe)
            };
            cycles.map(Cycle).map(probe).collect()
        })
    }

    /// State of one PE without its sums, in constant time. A [`Snapshot`](crate::Snapshot) has the sums of all PEs at
    /// once.
    #[must_use]
    pub fn without_sum(&self, cycle: Cycle, pe: PeId) -> Probe {
        let mac = self.schedule.mac(cycle, pe);
        let [a, b] = [Operand::A, Operand::B].map(|operand| mac.map(|mkn| self.factor(operand, mkn)));
        let product = a.zip(b).map(|(a, b)| {
            let product = a.as_f64() * b.as_f64();
            // Whole numbers have no negative zero.
            if matches!((a, b), (Value::Int(_), Value::Int(_))) { product + 0.0 } else { product }
        });
        Probe {
            pe,
            activity: self.schedule.activity(cycle, pe),
            mac,
            held: self.held_at(cycle, pe),
            shadow: self.shadow(cycle, pe),
            east: self.east(cycle, pe),
            south: self.south(cycle, pe),
            sum: None,
            drained: None,
            product,
        }
    }

    /// All registers of one PE just after a clock edge, including registers that only some designs have.
    #[must_use]
    pub fn registers(&self, cycle: Cycle, pe: PeId) -> Registers {
        let probe = self.at(cycle, pe);
        let pipeline = self.schedule.design().pipeline;
        let value = |element: Option<Element>| element.map(|element| element.value);
        let product = probe.mac.filter(|_| pipeline.product_register).map(|mkn| {
            dispatch_small_lane!(self.unit, lane => lane.sum(lane.product(
                self.raw(lane, Operand::A, mkn.of(Operand::A)),
                self.raw(lane, Operand::B, mkn.of(Operand::B)),
            )))
        });
        // The second register of a hop has the content that the first register had one cycle before.
        let has_second = pipeline.two_registers_south && pe.row + 1 < self.schedule.array().rows();
        let passing = cycle.0.checked_sub(1).filter(|_| has_second).map(Cycle).and_then(|before| {
            match self.schedule.dataflow().hold() {
                Hold::Operand => self.at(before, pe).sum.map(|sum| sum.value),
                Hold::Result => value(self.south(before, pe)),
            }
        });
        Registers {
            held: value(probe.held),
            shadow: value(probe.shadow),
            east: value(probe.east),
            south: value(probe.south),
            product,
            sum: probe.sum.map(|sum| sum.value),
            passing,
            drained: probe.drained.map(|sum| sum.value),
        }
    }

    /// Stationary operand in a PE just after a clock edge (WS, IS).
    #[must_use]
    pub fn held_at(&self, cycle: Cycle, pe: PeId) -> Option<Element> {
        let schedule = self.schedule;
        if schedule.dataflow().hold() == Hold::Result {
            return None;
        }
        match schedule.design().overlap {
            Overlap::None => self.shifted_in(cycle, pe, true),
            Overlap::DoubleBuffered => {
                let fold = schedule.fold(schedule.wave_at(cycle, schedule.hops(pe))?.fold);
                self.stationary(&fold, pe.row.into(), pe.col)
            }
        }
    }

    /// Element of A or B, rounded to the operand format.
    #[must_use]
    pub fn element(&self, operand: Operand, row: u64, col: u64) -> Element {
        Element { operand, row, col, value: self.unit.operand(self.operands.at(operand, (row, col))) }
    }

    fn factor(&self, operand: Operand, mkn: Mkn) -> Value {
        self.unit.operand(self.operands.at(operand, mkn.of(operand)))
    }

    fn raw<L: Lane>(&self, lane: L, operand: Operand, place: (u64, u64)) -> L::Operand {
        lane.encode(self.operands.at(operand, place))
    }

    fn element_at(&self, operand: Operand, mkn: Mkn) -> Element {
        let (row, col) = mkn.of(operand);
        self.element(operand, row, col)
    }

    /// Content of the shadow register of a PE. A shadow register shifts only after a row of the new fold has reached
    /// the register.
    fn shadow(&self, cycle: Cycle, pe: PeId) -> Option<Element> {
        let design = self.schedule.design();
        let has_shadow = design.overlap == Overlap::DoubleBuffered && self.schedule.dataflow().hold() == Hold::Operand;
        if has_shadow { self.shifted_in(cycle, pe, false) } else { None }
    }

    /// Stationary operand that has been shifted into a PE. The last row is shifted in first.
    ///
    /// PEs that the new rows have not reached still have rows of the previous fold. If `pushed` is true, the new rows
    /// push the old rows south; else the old rows stay.
    fn shifted_in(&self, cycle: Cycle, pe: PeId, pushed: bool) -> Option<Element> {
        let schedule = self.schedule;
        let (fold, rows_in) = schedule.rows_loaded(cycle, pe.col)?;
        let row = u64::from(pe.row);
        if row < rows_in {
            return self.stationary(&fold, u64::from(schedule.array().rows()) - rows_in + row, pe.col);
        }
        let before = schedule.fold(fold.index.checked_sub(1)?);
        self.stationary(&before, if pushed { row - rows_in } else { row }, pe.col)
    }

    fn stationary(&self, fold: &Fold, line: u64, col: u32) -> Option<Element> {
        let source = PeId { row: u32::try_from(line).ok()?, col };
        fold.mapped.contains(source).then(|| {
            let mapping = self.schedule.mapping();
            let row = self.schedule.row_index(fold.row_origin + line);
            let mkn = mapping.mkn(row, fold.col_origin + u64::from(col), 0);
            self.element_at(self.schedule.dataflow().stationary(), mkn)
        })
    }

    /// Element that moves east. The element passes every column, even a column that the fold does not use.
    fn east(&self, cycle: Cycle, pe: PeId) -> Option<Element> {
        let schedule = self.schedule;
        let (fold, wave) = schedule.vector_at(cycle, schedule.hops(pe))?;
        let row = schedule.row_index(fold.row_origin + u64::from(pe.row));
        let mkn = schedule.mapping().mkn(row, 0, wave);
        (pe.row < fold.mapped.rows).then(|| self.element_at(schedule.dataflow().from_west(), mkn))
    }

    /// Element of B that moves south. The element passes every row, even a row that the fold does not use.
    fn south(&self, cycle: Cycle, pe: PeId) -> Option<Element> {
        let schedule = self.schedule;
        if schedule.dataflow().hold() == Hold::Operand {
            return None;
        }
        let (fold, wave) = schedule.vector_at(cycle, schedule.hops(pe))?;
        let mkn = schedule.mapping().mkn(0, fold.col_origin + u64::from(pe.col), wave);
        (pe.col < fold.mapped.cols).then(|| self.element_at(Operand::B, mkn))
    }

    fn start<L: Lane>(&self, lane: L, row_fold: u64, first: Mkn) -> Option<L::Sum> {
        start(lane, self.schedule, self.operands, row_fold, (first.m, first.n))
    }

    /// True if the sums of a fold start from c or from the sums of the fold before.
    fn has_start<L: Lane>(&self, lane: L, row_fold: u64) -> bool {
        let goes_on = row_fold > 0 && self.schedule.mapping().rows == Axis::K;
        if goes_on { lane.continues() } else { self.operands.c.is_some() }
    }

    /// Block of products that the latest term of a PE's sum belongs to, just after a clock edge. `None` if the PE has no
    /// sum, or if the adder has no blocks. If the block is closed, the sum in the PE is the result of the block.
    #[must_use]
    pub fn block(&self, cycle: Cycle, pe: PeId) -> Option<BlockView> {
        let partial = self.schedule.partial_sum(cycle, pe)?;
        let (grouped, aligned) = (Grouped::new(self.unit)?, Aligned::new(self.unit)?);
        let block = u64::from(self.unit.rule()?.block());
        let n_closed = (partial.terms - 1) / block * block;
        let c = if n_closed == 0 {
            self.start(grouped, partial.fold.row_fold, partial.first).map(|start| grouped.sum(start))
        } else {
            Some(self.sum_of(grouped, PartialSum { terms: n_closed, ..partial }).value)
        };
        let start = aligned.start(c.map_or(0.0, Value::as_f64));
        let sum = (n_closed..partial.terms).fold(start, |sum, step| {
            let mkn = self.schedule.term_of(partial.first, step);
            let [x, w] = [Operand::A, Operand::B].map(|operand| self.raw(aligned, operand, mkn.of(operand)));
            aligned.opened(sum, x, w)
        });
        let view = aligned.view(&sum);
        Some(BlockView { is_open: view.is_open && partial.terms < partial.terms_max, ..view })
    }

    fn sum_of<L: Lane>(&self, lane: L, partial: PartialSum) -> Sum {
        self.carried_on(lane, partial, &mut None)
    }

    /// Computes a sum, and starts from `reached` if `reached` is an earlier state of the sum. Updates `reached`.
    fn carried_on<L: Lane>(&self, lane: L, partial: PartialSum, reached: &mut Option<Reached<L>>) -> Sum {
        let PartialSum { first, terms, terms_max, fold } = partial;
        let add = |sum: L::Sum, step: u64| {
            let mkn = self.schedule.term_of(first, step);
            lane.mac(
                sum,
                self.raw(lane, Operand::A, mkn.of(Operand::A)),
                self.raw(lane, Operand::B, mkn.of(Operand::B)),
            )
        };
        let (before, sum) = match reached.take().filter(|last| last.first == first && last.terms <= terms) {
            Some(last) if last.terms == terms => (last.before, last.sum),
            last => {
                let (from, n_from) = last.map_or_else(
                    || (self.start(lane, fold.row_fold, first).unwrap_or_default(), 0),
                    |last| (last.sum, last.terms),
                );
                let before = (n_from..terms - 1).fold(from, add);
                let sum = add(before, terms - 1);
                (before, if terms == terms_max { lane.closed(sum) } else { sum })
            }
        };
        *reached = Some(Reached { first, terms, before, sum });
        Sum {
            row: first.m,
            col: first.n,
            k_from: first.k,
            terms,
            terms_max,
            before: (terms > 1 || self.has_start(lane, fold.row_fold)).then(|| lane.sum(before)),
            value: lane.sum(sum),
        }
    }
}

/// State of a sum, from which later cycles continue.
struct Reached<L: Lane> {
    first: Mkn,
    terms: u64,
    before: L::Sum,
    sum: L::Sum,
}
