//! Simulation that returns the state of an array with a fault at any clock edge. The array has no closed form. So the
//! simulation saves its state at regular intervals and continues from the nearest earlier state.

use super::cells::{self, RightSums, cells};
use super::collected::{self, Collected};
use super::judged::Judged;
use super::outcome::{outcomes, unit};
use super::places::{Tag, places};
use super::streams::{Places, Watched};
use super::waiting::{Edges, waiting};
use super::{BrokenMachine, Cell, Defect, Outcome};
use crate::Plan;
use std::sync::Arc;
use systolic::{Cycle, Lane, Machine, Operand, Vectors, dispatch_lane};

/// Number of saved states of each simulation.
const N_MARKS: u64 = 16;

/// A simulation that advances by clock edges.
pub(super) trait Ticks: Clone {
    /// Advances by this number of clock edges.
    fn advance(&mut self, edges: u64);
}

impl<L: Lane> Ticks for Machine<L> {
    fn advance(&mut self, edges: u64) {
        self.advance(edges);
    }
}

/// Saved states of a simulation. The state at index i is `i * every` clock edges after the first state.
struct Marks<S> {
    every: u64,
    states: Vec<S>,
}

impl<S: Ticks> Marks<S> {
    /// Starts from a simulation before its first clock edge.
    fn new(every: u64, first: S) -> Self {
        Self { every, states: vec![first] }
    }

    /// Returns the state after this number of clock edges.
    fn after(&mut self, edges: u64) -> S {
        let place = usize::try_from(edges / self.every).unwrap_or(usize::MAX);
        while self.states.len() <= place
            && let Some(mut state) = self.states.last().cloned()
        {
            state.advance(self.every);
            self.states.push(state);
        }
        let mut state = self.states[place].clone();
        state.advance(edges % self.every);
        state
    }
}

/// A simulation with the values of the run, in some number type.
trait Numbers {
    /// Returns the PEs, the elements that wait at the edges, and the sums that the accumulators have collected.
    fn shown(&mut self, of: &Shown<'_>, tags: Machine<Tag>) -> (Vec<Cell>, Edges, Option<Collected>);
    /// Returns the sums of the PEs after this number of clock edges.
    fn sums(&mut self, edges: u64) -> RightSums;
}

/// A request for the state at one clock edge.
struct Shown<'a> {
    plan: &'a Plan,
    defect: Defect,
    cycle: Cycle,
    edges: u64,
    right: Option<RightSums>,
}

impl<L: Lane> Numbers for Marks<Machine<L>> {
    fn shown(&mut self, of: &Shown<'_>, tags: Machine<Tag>) -> (Vec<Cell>, Edges, Option<Collected>) {
        let mut values = self.after(of.edges - 1);
        let before = collected::sums(&values);
        values.tick();
        let collected = Collected::of(of.plan, &[before, collected::sums(&values)]);
        let cells = cells(of.plan, of.cycle, (&values, &tags), of.right.as_ref());
        (cells, waiting(of.plan, of.defect, (values, tags)), collected)
    }

    fn sums(&mut self, edges: u64) -> RightSums {
        cells::sums(&self.after(edges))
    }
}

/// A run on an array with a fault.
pub struct BrokenRun {
    plan: Arc<Plan>,
    defect: Defect,
    tags: Marks<Watched>,
    values: Box<dyn Numbers>,
    /// Simulation of the fault-free array, if wrong sums are found by comparing values.
    sound: Option<Box<dyn Numbers>>,
    outcomes: Arc<[Outcome]>,
}

impl BrokenRun {
    /// Creates the run, and computes the final values of C.
    #[must_use]
    pub fn new(plan: &Arc<Plan>, defect: Defect) -> Self {
        let every = plan.schedule().cycles().get().div_ceil(N_MARKS).max(1);
        Self { outcomes: outcomes(plan, defect), ..Self::marked(Arc::clone(plan), defect, every) }
    }

    /// Creates the run with a saved state at every multiple of `every` clock edges, without the final values of C.
    pub(super) fn marked(plan: Arc<Plan>, defect: Defect, every: u64) -> Self {
        let schedule = plan.schedule();
        let tag = Tag { west_is_a: schedule.dataflow().from_west() == Operand::A };
        let vectors = Vectors::new(tag, schedule, &places(&plan));
        let tags = Machine::new(schedule, &vectors, defect.fault()).without_results();
        let machine = |unit, fault| {
            dispatch_lane!(unit, lane => {
                let vectors = Vectors::new(lane, schedule, plan.operands());
                let machine = Machine::new(schedule, &vectors, fault).without_results();
                Box::new(Marks::new(every, machine)) as Box<dyn Numbers>
            })
        };
        let values = machine(unit(&plan, defect), defect.fault());
        // If a fault makes elements meet at other times, the mismatches in a sum show that it is wrong. Other faults
        // need a fault-free machine for comparison.
        let sound = (!defect.moves()).then(|| machine(plan.unit(), None));
        let tags = Marks::new(every, Watched::new(&plan, tags));
        Self { plan, defect, tags, values, sound, outcomes: Arc::from([]) }
    }

    /// True if this run has this plan and this fault.
    #[must_use]
    pub fn is_of(&self, plan: &Arc<Plan>, defect: Defect) -> bool {
        Arc::ptr_eq(&self.plan, plan) && self.defect == defect
    }

    /// Returns the state of the array just after a clock edge.
    #[must_use]
    pub fn at(&mut self, cycle: Cycle) -> BrokenMachine {
        let (plan, defect) = (&*self.plan, self.defect);
        let schedule = plan.schedule();
        let edges = cycle.min(schedule.last_cycle()).get() + 1;
        let Watched { machine: tags, entered, .. } = self.tags.after(edges);
        let right = self.sound.as_mut().map(|sound| sound.sums(edges));
        let (cells, edges, collected) = self.values.shown(&Shown { plan, defect, cycle, edges, right }, tags);
        let places = Places::of(plan, cycle, &cells, &edges, &entered);
        let (west, north) = edges;
        let judged = if defect.is_sound(plan) { Judged::Sound } else { Judged::Wrong };
        let outcomes = Arc::clone(&self.outcomes);
        BrokenMachine { cols: schedule.array().cols(), cells, west, north, cycle, places, collected, outcomes, judged }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Link;
    use crate::defect::DefectName;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn in_whatever_order_it_is_asked_it_is_the_machine_that_ran_there() {
        for (query, defect) in [
            ("rows=4&cols=4&m=16&k=9&n=6&df=ws&dt=int8", "no-skew"),
            ("rows=4&cols=3&m=9&k=20&n=7&df=os&dt=bf16&overlap=double-buffered&drain=south", "late-1"),
            ("rows=4&cols=4&m=50&k=4&n=4&df=is&dt=f32", "stuck-1.2"),
            ("rows=4&cols=4&m=6&k=64&n=3&df=os&dt=bf16&fill=uniform", "sum-f16"),
        ] {
            let plan = Arc::new(Plan::new(&Link::parse(query, "").scenario).expect("a run"));
            let defect = DefectName::parse(defect).expect("a name").on(&plan).expect("a defect");
            let mut run = BrokenRun::new(&plan, defect);
            let cycles = plan.schedule().cycles().get();
            assert!(cycles > 2 * N_MARKS, "{query}: marks lie apart");
            // The loop visits every cycle, forward and backward in large steps.
            for cycle in (0..=cycles).map(|nth| Cycle(nth * 7 % (cycles + 1))) {
                let straight = BrokenMachine::at(&plan, defect, cycle).with_outcomes(outcomes(&plan, defect));
                assert_eq!(run.at(cycle), straight, "{query} {cycle:?}");
            }
        }
    }
}
