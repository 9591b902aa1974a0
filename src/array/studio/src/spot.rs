//! A value that a person points at, and the products that form or use this value.

use crate::{Plan, whereabouts};
use systolic::{
    Cycle, Cycles, Element, Hold, Lane, Mkn, Operand, PeId, Rule, Schedule, SumOf, Term, Value, dispatch_lane,
    reference,
};

/// A value of the run that a person can point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointedValue {
    /// The partial sum in a PE.
    Sum(PeId),
    /// The product that a PE computes.
    Product(PeId),
    /// An element of A, B or C by its row and column, wherever the element is.
    Element(Operand, u64, u64),
}

impl PointedValue {
    /// Returns the values of a PE that a person can point at: its sum, its operands, their product, and their element
    /// of C.
    #[must_use]
    pub fn all_of(plan: &Plan, cycle: Cycle, pe: PeId) -> Vec<Self> {
        let probe = plan.prober().without_sum(cycle, pe);
        let of = |element: Element| Self::Element(element.operand, element.row, element.col);
        let place = plan.schedule().sum_place(SumOf::Register, cycle, pe);
        let sum = place.map(|_| Self::Sum(pe));
        let operands = [probe.east, probe.south, probe.held, probe.shadow].map(|element| element.map(of));
        let product = probe.mac.map(|_| Self::Product(pe));
        let result = place.map(|(row, col)| Self::Element(Operand::C, row, col));
        [sum].into_iter().chain(operands).chain([product, result]).flatten().collect()
    }
}

/// One product that forms a value or uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// PE and clock edge at which the operands of the product meet.
    pub term: Term,
    /// Index of the fold.
    pub fold: u64,
    /// The element of A.
    pub a: Element,
    /// The element of B.
    pub b: Element,
    /// True if the product has been added by now.
    pub is_done: bool,
}

/// A value, and the products that form it or use it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The value at this cycle. `None` for a product, and for a sum without a term.
    pub value: Option<Value>,
    /// Value to which the first product of a sum was added: an element of c, or the sum of the fold before. `None` if
    /// the sum starts from zero, and for other values.
    pub start: Option<Value>,
    /// Products that form the value or use it, in the order of the run, up to the requested number.
    pub steps: Vec<Step>,
    /// Number of all products that form the value or use it.
    pub n_steps: u64,
    /// Number of products that have been computed.
    pub n_done: u64,
    /// PE that has the value now, if there is one.
    pub now: Option<PeId>,
}

fn step(plan: &Plan, cycle: Cycle, mkn: Mkn) -> Step {
    let term = plan.schedule().term(mkn);
    let prober = plan.prober();
    let [a, b] = [Operand::A, Operand::B].map(|operand| {
        let (row, col) = mkn.of(operand);
        prober.element(operand, row, col)
    });
    let added = term.cycle.get() + whereabouts::product_delay(plan);
    Step { term, fold: plan.schedule().place_of(mkn).0.index, a, b, is_done: added <= cycle.get() }
}

/// Returns a value with its first products, at most `steps_max`. `None` if the value does not exist at the cycle. Costs
/// one multiply-accumulate for each term of the value.
#[must_use]
pub fn trace(plan: &Plan, cycle: Cycle, spot: PointedValue, steps_max: usize) -> Option<Trace> {
    let run = plan.schedule().run();
    match spot {
        PointedValue::Sum(pe) => {
            let sum = plan.prober().at(cycle, pe).sum?;
            let k = |nth: u64| plan.schedule().row_index(sum.k_from + nth);
            let all = (0..sum.terms).map(|nth| Mkn { m: sum.row, k: k(nth), n: sum.col });
            let steps = all.take(steps_max).map(|mkn| step(plan, cycle, mkn)).collect();
            let (value, start) = (Some(sum.value), start(plan, Mkn { m: sum.row, k: k(0), n: sum.col }));
            Some(Trace { value, start, steps, n_steps: sum.terms, n_done: sum.terms, now: Some(pe) })
        }
        PointedValue::Product(pe) => {
            let step = step(plan, cycle, plan.prober().without_sum(cycle, pe).mac?);
            Some(Trace { value: None, start: None, steps: vec![step], n_steps: 1, n_done: 1, now: Some(pe) })
        }
        PointedValue::Element(Operand::C, m, n) => {
            let place = |nth| Mkn { m, k: nth_k(plan.schedule(), nth), n };
            if m >= run.m() || n >= run.n() {
                return None;
            }
            let is_done = |nth: &u64| step(plan, cycle, place(*nth)).is_done;
            let n_done = whereabouts::partition(run.k(), is_done);
            let value = dispatch_lane!(plan.unit(), lane => {
                lane.sum(reference::element(lane, plan.schedule(), plan.operands(), (m, n), n_done))
            });
            let steps = (0..run.k()).take(steps_max).map(|nth| step(plan, cycle, place(nth))).collect();
            let now = (n_done > 0).then(|| holder(plan, cycle, place(n_done - 1))).flatten();
            let (value, start) = ((n_done > 0).then_some(value), start(plan, place(0)));
            Some(Trace { value, start, steps, n_steps: run.k(), n_done, now })
        }
        PointedValue::Element(operand, row, col) => {
            let (place, n_steps): (&dyn Fn(u64) -> Mkn, u64) = if operand == Operand::A {
                (&|n| Mkn { m: row, k: col, n }, run.n())
            } else {
                (&|m| Mkn { m, k: row, n: col }, run.m())
            };
            if place(0).k >= run.k() || place(0).m >= run.m() || place(0).n >= run.n() {
                return None;
            }
            // An operand's products are computed in order, too.
            let n_done = whereabouts::partition(n_steps, |nth| plan.schedule().term(place(*nth)).cycle <= cycle);
            let steps = (0..n_steps).take(steps_max).map(|nth| step(plan, cycle, place(nth))).collect();
            let value = Some(plan.prober().element(operand, row, col).value);
            Some(Trace { value, start: None, steps, n_steps, n_done, now: carrier(plan, cycle, operand, (row, col)) })
        }
    }
}

/// Returns the value to which the first product of a sum is added; `None` for zero.
fn start(plan: &Plan, first: Mkn) -> Option<Value> {
    let has_start = plan.operands().c.is_some() || plan.unit().rule().is_some_and(Rule::continues);
    let Term { pe, cycle, .. } = plan.schedule().term(first);
    let added = cycle.after(Cycles(whereabouts::product_delay(plan)));
    has_start.then(|| plan.prober().at(added, pe).sum?.before).flatten()
}

/// Returns the k of the term that is number `nth` in the order in which the terms of an element of C are added. Tiles of
/// k may run in another order, and an adder may have another order within a tile.
pub(crate) fn nth_k(schedule: &Schedule, nth: u64) -> u64 {
    let rows = u64::from(schedule.array().rows());
    schedule.row_index(schedule.row_tile(nth / rows) * rows + nth % rows)
}

/// Returns the PE that has the sum to which the product `last` was added.
fn holder(plan: &Plan, cycle: Cycle, last: Mkn) -> Option<PeId> {
    let schedule = plan.schedule();
    let term = schedule.term(last);
    let holds = |pe: &PeId| {
        [SumOf::Register, SumOf::Drained]
            .into_iter()
            .any(|of| schedule.sum_place(of, cycle, *pe) == Some((last.m, last.n)))
    };
    (term.pe.row..schedule.array().rows()).map(|row| PeId { row, ..term.pe }).find(holds)
}

/// Returns the PE that has an element of A or B. If a moving element is in several PEs, returns the PE that the element
/// reached last.
fn carrier(plan: &Plan, cycle: Cycle, operand: Operand, place: (u64, u64)) -> Option<PeId> {
    let (schedule, prober) = (plan.schedule(), plan.prober());
    let mkn = match operand {
        Operand::A => Mkn { m: place.0, k: place.1, n: 0 },
        Operand::B | Operand::C => Mkn { m: 0, k: place.0, n: place.1 },
    };
    let (_, pe, _) = schedule.place_of(mkn);
    let array = schedule.array();
    let is_here = |pe: &PeId| {
        let probe = prober.without_sum(cycle, *pe);
        let found = [probe.east, probe.south, probe.held, probe.shadow].into_iter().flatten();
        found.into_iter().any(|one| one.operand == operand && (one.row, one.col) == place)
    };
    if schedule.dataflow().from_west() == operand {
        (0..array.cols()).rev().map(|col| PeId { col, ..pe }).find(is_here)
    } else {
        (0..array.rows()).rev().map(|row| PeId { row, ..pe }).find(is_here)
    }
}

/// Returns the cycle in which an element of C becomes complete. If sums flow, the sum is then at the south edge.
#[must_use]
pub fn complete_at(plan: &Plan, m: u64, n: u64) -> Cycle {
    completed(plan, m, n).0
}

/// Returns the cycle in which an element of C becomes complete, and the PE that has its sum then. If sums flow, this PE
/// is in the last row.
#[must_use]
pub fn completed(plan: &Plan, m: u64, n: u64) -> (Cycle, PeId) {
    let schedule = plan.schedule();
    let term = schedule.term(Mkn { m, k: schedule.last_k(), n });
    let (way, pe) = match schedule.dataflow().hold() {
        Hold::Result => (0, term.pe),
        Hold::Operand => {
            let south = PeId { row: schedule.array().rows() - 1, ..term.pe };
            (schedule.hops(south) - schedule.hops(term.pe), south)
        }
    };
    (Cycle(term.cycle.get() + way + whereabouts::product_delay(plan)), pe)
}

#[cfg(test)]
mod tests;
