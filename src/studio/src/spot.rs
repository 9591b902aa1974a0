//! A value that a person points at, and the products that form or use this value.

use crate::{Plan, whereabouts};
use systolic::{Cycle, Element, Hold, Lane, Mkn, Operand, PeId, SumOf, Term, Value, dispatch_lane, reference};

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
            let from = Mkn { m: sum.row, k: sum.k_from, n: sum.col };
            let all = (0..sum.terms).map(|nth| Mkn { k: from.k + nth, ..from });
            let steps = all.take(steps_max).map(|mkn| step(plan, cycle, mkn)).collect();
            Some(Trace { value: Some(sum.value), steps, n_steps: sum.terms, n_done: sum.terms, now: Some(pe) })
        }
        PointedValue::Product(pe) => {
            let step = step(plan, cycle, plan.prober().without_sum(cycle, pe).mac?);
            Some(Trace { value: None, steps: vec![step], n_steps: 1, n_done: 1, now: Some(pe) })
        }
        PointedValue::Element(Operand::C, m, n) => {
            let place = |k| Mkn { m, k, n };
            if m >= run.m() || n >= run.n() {
                return None;
            }
            // Terms are made in the order of k.
            let is_done = |k: &u64| step(plan, cycle, place(*k)).is_done;
            let n_done = partition(run.k(), is_done);
            let value = dispatch_lane!(plan.unit(), lane => {
                lane.sum(reference::element(lane, plan.schedule(), plan.operands(), (m, n), n_done))
            });
            let steps = (0..run.k()).take(steps_max).map(|k| step(plan, cycle, place(k))).collect();
            let now = (n_done > 0).then(|| holder(plan, cycle, place(n_done - 1))).flatten();
            Some(Trace { value: (n_done > 0).then_some(value), steps, n_steps: run.k(), n_done, now })
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
            // The products of an operand are made in order, too.
            let n_done = partition(n_steps, |nth| plan.schedule().term(place(*nth)).cycle <= cycle);
            let steps = (0..n_steps).take(steps_max).map(|nth| step(plan, cycle, place(nth))).collect();
            let value = Some(plan.prober().element(operand, row, col).value);
            Some(Trace { value, steps, n_steps, n_done, now: carrier(plan, cycle, operand, (row, col)) })
        }
    }
}

/// Returns the number of integers below `all` that have a property. These integers must come before all integers
/// without the property.
pub(crate) fn partition(all: u64, has: impl Fn(&u64) -> bool) -> u64 {
    let (mut least, mut most) = (0, all);
    while least < most {
        let middle = least + (most - least) / 2;
        if has(&middle) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    least
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
    let schedule = plan.schedule();
    let term = schedule.term(Mkn { m, k: schedule.last_k(), n });
    let way = match schedule.dataflow().hold() {
        Hold::Result => 0,
        Hold::Operand => {
            let south = PeId { row: schedule.array().rows() - 1, ..term.pe };
            schedule.hops(south) - schedule.hops(term.pe)
        }
    };
    Cycle(term.cycle.get() + way + whereabouts::product_delay(plan))
}

#[cfg(test)]
mod tests;
