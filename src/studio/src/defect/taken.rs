//! What of C the accumulators of a machine with a defect have taken: sums that flow may leave the array at other times
//! than those of the sound machine.

use super::BrokenMachine;
use crate::Plan;
use crate::whereabouts::{self, Growth};
use core::cmp::Ordering;
use systolic::{Axis, Hold, Lane, Machine, Mkn};

/// Of each column: the fold whose sums its accumulator takes, and how many of them it has.
type Sums = Vec<(u64, u64)>;

/// At a clock edge and at the one before; empty where sums stay, for they are read when the sound machine's are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Taken {
    pub(super) before: Sums,
    pub(super) now: Sums,
}

/// What a machine has taken.
pub(super) fn sums<L: Lane>(machine: &Machine<L>) -> Sums {
    let schedule = machine.schedule();
    match schedule.dataflow().hold() {
        Hold::Operand => (0..schedule.array().cols()).map(|col| machine.taken(col)).collect(),
        Hold::Result => Vec::new(),
    }
}

/// Whether the last sum of an element of C is among those taken.
fn has(plan: &Plan, sums: &Sums, m: u64, n: u64) -> bool {
    let schedule = plan.schedule();
    let (fold, pe, wave) = schedule.place_of(Mkn { m, k: schedule.run().k() - 1, n });
    sums.get(pe.col as usize).is_some_and(|&taken| taken > (fold.index, wave))
}

impl BrokenMachine {
    /// Whether an element of C is there: with its value in the end, right or wrong.
    #[must_use]
    pub fn is_complete(&self, plan: &Plan, m: u64, n: u64) -> bool {
        if self.taken.now.is_empty() {
            return whereabouts::is_complete(plan, self.cycle, m, n);
        }
        has(plan, &self.taken.now, m, n)
    }

    /// How far every element of C has come, row by row. Of sums that flow no terms are told: which of them belong to an
    /// element that is not there yet, a machine with a defect does not settle.
    #[must_use]
    pub fn results(&self, plan: &Plan) -> Vec<Growth> {
        if self.taken.now.is_empty() {
            return whereabouts::results(plan, self.cycle);
        }
        let run = plan.schedule().run();
        let places = (0..run.m()).flat_map(|m| (0..run.n()).map(move |n| (m, n)));
        let growth = |(m, n)| {
            let is_complete = has(plan, &self.taken.now, m, n);
            Growth { terms: 0, is_complete, is_new: is_complete && !has(plan, &self.taken.before, m, n) }
        };
        places.map(growth).collect()
    }

    /// Elements of C that are there, and all of them.
    #[must_use]
    pub fn n_complete(&self, plan: &Plan) -> (u64, u64) {
        if self.taken.now.is_empty() {
            return whereabouts::n_complete(plan, self.cycle);
        }
        let schedule = plan.schedule();
        let (gemm, mapping) = (schedule.gemm(), schedule.mapping());
        let (lanes, waves) = (gemm.extent(mapping.cols), gemm.extent(mapping.time));
        let of_lane = |nth: u64| {
            // The first of a lane; the others come to the same column after it.
            let (m, n) = if mapping.cols == Axis::M { (nth, 0) } else { (0, nth) };
            let (fold, pe, _) = schedule.place_of(Mkn { m, k: schedule.run().k() - 1, n });
            let Some(&(at, n_taken)) = self.taken.now.get(pe.col as usize) else { return 0 };
            match at.cmp(&fold.index) {
                Ordering::Less => 0,
                Ordering::Equal => n_taken.min(waves),
                Ordering::Greater => waves,
            }
        };
        ((0..lanes).map(of_lane).sum(), gemm.m() * gemm.n())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Link;
    use crate::defect::{Defect, DefectName, outcomes};
    use systolic::{Cycle, PeId};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&Link::parse(query, "").scenario).expect("a run")
    }

    const QUERIES: [&str; 6] = [
        "rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8",
        "rows=3&cols=4&m=5&k=7&n=9&df=is&dt=int8",
        "rows=4&cols=3&m=6&k=9&n=5&df=ws&dt=int8&overlap=double-buffered",
        "rows=4&cols=4&m=5&k=6&n=3&df=ws&dt=int8&pad=zero",
        "rows=6&cols=2&m=3&k=2&n=5&df=ws&dt=int8&load=diagonal",
        "rows=4&cols=3&m=4&k=7&n=5&df=os&dt=int8",
    ];

    #[test]
    fn of_a_machine_that_works_it_is_what_the_schedule_says() {
        // A row that does not exist cannot be late.
        let sound = Defect::LateLane(u32::MAX);
        for query in QUERIES {
            let plan = plan(query);
            for cycle in (0..=plan.last().get()).map(Cycle) {
                let broken = BrokenMachine::at(&plan, sound, cycle);
                let come = |growth: &Growth| (growth.is_complete, growth.is_new);
                let now: Vec<_> = broken.results(&plan).iter().map(come).collect();
                let said: Vec<_> = whereabouts::results(&plan, cycle).iter().map(come).collect();
                assert_eq!(now, said, "{query} {cycle:?}");
                assert_eq!(broken.n_complete(&plan), whereabouts::n_complete(&plan, cycle), "{query} {cycle:?}");
            }
        }
    }

    #[test]
    fn what_is_new_in_c_is_what_stands_in_the_last_row() {
        // One fold: what leaves is all that there is to an element.
        let plan = plan("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8");
        for text in ["no-skew", "late-3", "skew-2.0.1.5", "stuck-3.1"] {
            let defect = DefectName::parse(text).and_then(|name| name.on(&plan).ok()).expect("a defect of this run");
            let values = outcomes(&plan, defect);
            let mut n_new = 0;
            for cycle in (0..=plan.last().get()).map(Cycle) {
                let broken = BrokenMachine::at(&plan, defect, cycle);
                let results = broken.results(&plan);
                let n = results.iter().filter(|growth| growth.is_complete).count() as u64;
                assert_eq!(broken.n_complete(&plan), (n, 24), "{text} {cycle:?}");
                for (index, _) in results.iter().enumerate().filter(|(_, growth)| growth.is_new) {
                    let south = PeId::new(3, u32::try_from(index % 4).expect("a column"));
                    let leaves = broken.cell(south).expect("a cell").sum;
                    assert_eq!(leaves, Some(values[index].value), "{text} {cycle:?}: element {index}");
                    n_new += 1;
                }
            }
            // What a schedule of one's own delays too long does not leave before the run is over.
            assert!(n_new == 24 || text.starts_with("skew"), "{text}: {n_new} of 24 elements");
        }
    }

    #[test]
    fn a_sum_that_lacks_terms_is_wrong_and_says_how_many_it_has() {
        // Without skew the last row has the first product of its column before anything comes from the north.
        let plan = plan("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8");
        let broken = BrokenMachine::at(&plan, Defect::NoSkew, Cycle(4));
        for row in 0..4 {
            let cell = broken.cell(PeId::new(row, 0)).expect("a cell");
            assert_eq!(cell.lacks, (row > 0).then_some((1, u64::from(row) + 1)), "row {row}");
            assert_eq!((cell.is_wrong, cell.is_mix), (row > 0, false), "row {row}");
        }
    }
}
