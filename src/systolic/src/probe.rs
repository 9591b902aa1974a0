//! One PE at one cycle by closed form: its registers, what each of them is, and the multiply-accumulate it did.
//!
//! With `s = since − load − i − j` the wave at PE (i,j), the value that a register holds depends on `s` alone: the
//! streamed element is number `s`, and a partial sum that flows south has gathered the rows 0 to i.

use crate::{
    Activity, Cycle, Hold, Lane, MacUnit, Mkn, Moment, Operand, Operands, PeId, Registers, Schedule, Value, with_lane,
};

/// A register that holds an element of A or B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// The matrix.
    pub operand: Operand,
    /// Its row; rows beyond the matrix are padding.
    pub row: u64,
    /// Its column.
    pub col: u64,
    /// The value in the operand format.
    pub value: Value,
}

/// A register that holds a sum on its way to an element of C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    /// Row of C.
    pub row: u64,
    /// Column of C.
    pub col: u64,
    /// First k of the sum.
    pub k_from: u64,
    /// Terms gathered so far, of `terms_max`.
    pub terms: u64,
    /// Terms that the sum will have when the fold is done with it.
    pub terms_max: u64,
    /// The sum before this cycle's term; `None` when the sum starts here.
    pub before: Option<Value>,
    /// The sum.
    pub value: Value,
}

/// One PE at one cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The PE.
    pub pe: PeId,
    /// What it does.
    pub activity: Activity,
    /// The multiply-accumulate that this clock edge latched.
    pub mac: Option<Mkn>,
    /// The operand that stays (WS, IS).
    pub held: Option<Element>,
    /// The operand going east.
    pub east: Option<Element>,
    /// The operand going south (OS).
    pub south: Option<Element>,
    /// The sum.
    pub sum: Option<Sum>,
    /// The product of the two operands; what is added is this, rounded to f32 where operands are f32.
    pub product: Option<f64>,
}

impl Probe {
    /// The bare contents.
    #[must_use]
    pub fn registers(&self) -> Registers {
        Registers {
            held: self.held.map(|element| element.value),
            east: self.east.map(|element| element.value),
            south: self.south.map(|element| element.value),
            sum: self.sum.map(|sum| sum.value),
        }
    }

    /// The element of A or B in this PE, whichever register it is in.
    #[must_use]
    pub fn operand(&self, operand: Operand) -> Option<Element> {
        [self.held, self.east, self.south].into_iter().flatten().find(|element| element.operand == operand)
    }
}

/// A schedule with its operands and format: everything a register can be asked about.
#[derive(Clone, Copy, Debug)]
pub struct Prober<'a> {
    schedule: &'a Schedule,
    operands: &'a Operands,
    unit: MacUnit,
}

impl<'a> Prober<'a> {
    /// Asks about runs of these operands.
    #[must_use]
    pub const fn new(schedule: &'a Schedule, operands: &'a Operands, unit: MacUnit) -> Self {
        Self { schedule, operands, unit }
    }

    /// One PE just after a clock edge. Costs as many multiply-accumulates as its sum has terms.
    #[must_use]
    pub fn at(&self, cycle: Cycle, pe: PeId) -> Probe {
        let moment = self.schedule.locate(cycle);
        let sum = with_lane!(self.unit, lane => self.sum(lane, &moment, pe));
        Probe { sum, ..self.probe(&moment, pe) }
    }

    /// The same without the sum, in constant time; a [`Snapshot`](crate::Snapshot) has the sums of all PEs at once.
    #[must_use]
    pub fn without_sum(&self, cycle: Cycle, pe: PeId) -> Probe {
        self.probe(&self.schedule.locate(cycle), pe)
    }

    /// The operand that a PE holds just after a clock edge (WS, IS).
    #[must_use]
    pub fn held_at(&self, cycle: Cycle, pe: PeId) -> Option<Element> {
        let moment = self.schedule.locate(cycle);
        match self.schedule.dataflow().hold() {
            Hold::Operand => self.held(&moment, pe),
            Hold::Result => None,
        }
    }

    /// The element of A or B as the array's input port sees it.
    #[must_use]
    pub fn element(&self, operand: Operand, row: u64, col: u64) -> Element {
        self.element_at(operand, (row, col))
    }

    fn raw<L: Lane>(&self, lane: L, operand: Operand, place: (u64, u64)) -> L::Operand {
        lane.encode(self.operands.at(operand, place))
    }

    fn element_at(&self, operand: Operand, (row, col): (u64, u64)) -> Element {
        Element { operand, row, col, value: self.unit.operand(self.operands.at(operand, (row, col))) }
    }

    fn probe(&self, moment: &Moment, pe: PeId) -> Probe {
        let schedule = self.schedule;
        let activity = schedule.activity(moment, pe);
        let mac = matches!(activity, Activity::Useful | Activity::OnPadding)
            .then(|| schedule.wave(moment.since, pe).and_then(|wave| schedule.mkn(&moment.fold, pe, wave)))
            .flatten();
        let (east, south) = (self.east(moment, pe), self.south(moment, pe));
        let held = match schedule.dataflow().hold() {
            Hold::Operand => self.held(moment, pe),
            Hold::Result => None,
        };
        let product = mac.map(|mkn| {
            let factor = |operand: Operand| self.unit.operand(self.operands.at(operand, mkn.of(operand))).as_f64();
            factor(Operand::A) * factor(Operand::B)
        });
        Probe { pe, activity, mac, held, east, south, sum: None, product }
    }

    /// The stationary element: shifted in from the north, the last row first, pushing the previous fold's rows out.
    fn held(&self, moment: &Moment, pe: PeId) -> Option<Element> {
        let schedule = self.schedule;
        let (rows, since, row) = (u64::from(schedule.array().rows()), moment.since.0, u64::from(pe.row));
        let (fold, line) = if since >= rows {
            (moment.fold, row)
        } else if row <= since {
            (moment.fold, rows - 1 - since + row)
        } else {
            (schedule.fold(moment.fold.index.checked_sub(1)?), row - since - 1)
        };
        let source = PeId { row: u32::try_from(line).ok()?, col: pe.col };
        fold.mapped.contains(source).then(|| {
            let place = schedule.mapping().mkn(fold.row_origin + line, fold.col_origin + u64::from(pe.col), 0);
            let operand = schedule.dataflow().stationary();
            self.element_at(operand, place.of(operand))
        })
    }

    /// The element going east: it passes every column, mapped or not.
    fn east(&self, moment: &Moment, pe: PeId) -> Option<Element> {
        let schedule = self.schedule;
        let wave = schedule.wave(moment.since, pe).filter(|&wave| wave < schedule.stream_len())?;
        (pe.row < moment.fold.mapped.rows).then(|| {
            let place = schedule.mapping().mkn(moment.fold.row_origin + u64::from(pe.row), 0, wave);
            let operand = schedule.dataflow().from_west();
            self.element_at(operand, place.of(operand))
        })
    }

    /// The element going south: it passes every row, mapped or not.
    fn south(&self, moment: &Moment, pe: PeId) -> Option<Element> {
        let schedule = self.schedule;
        if schedule.dataflow().hold() == Hold::Operand || pe.col >= moment.fold.mapped.cols {
            return None;
        }
        let wave = schedule.wave(moment.since, pe).filter(|&wave| wave < schedule.stream_len())?;
        let place = schedule.mapping().mkn(0, moment.fold.col_origin + u64::from(pe.col), wave);
        Some(self.element_at(Operand::B, place.of(Operand::B)))
    }

    fn sum<L: Lane>(&self, lane: L, moment: &Moment, pe: PeId) -> Option<Sum> {
        let schedule = self.schedule;
        let (fold, mapped) = (&moment.fold, moment.fold.mapped);
        let wave = schedule.wave(moment.since, pe)?;
        // The chain of terms: down the rows of one column, or along the stream of one PE.
        let (first, terms, terms_max) = match schedule.dataflow().hold() {
            Hold::Operand => {
                if pe.col >= mapped.cols || wave >= schedule.stream_len() {
                    return None;
                }
                let top = PeId { row: 0, col: pe.col };
                (schedule.mkn(fold, top, wave)?, u64::from(pe.row + 1).min(mapped.rows.into()), mapped.rows.into())
            }
            Hold::Result => (schedule.mkn(fold, pe, 0)?, (wave + 1).min(schedule.stream_len()), schedule.stream_len()),
        };
        let term = |step: u64| Mkn { k: first.k + step, ..first };
        let add = |sum: L::Sum, step: u64| {
            let mkn = term(step);
            lane.mac(
                sum,
                self.raw(lane, Operand::A, mkn.of(Operand::A)),
                self.raw(lane, Operand::B, mkn.of(Operand::B)),
            )
        };
        let before = (0..terms - 1).fold(L::Sum::default(), add);
        Some(Sum {
            row: first.m,
            col: first.n,
            k_from: first.k,
            terms,
            terms_max,
            before: (terms > 1).then(|| lane.sum(before)),
            value: lane.sum(add(before, terms - 1)),
        })
    }
}
