//! Elements of C that the accumulators of an array with a fault have collected. Flowing sums may leave the array at
//! other times than in the fault-free array.

use super::BrokenMachine;
use crate::Plan;
use crate::whereabouts::ResultProgress;
use core::cmp::Ordering;
use systolic::{Axis, Hold, Lane, Machine, Mkn};

/// Progress of the accumulators, column by column: the current fold, and the number of sums collected in this fold.
pub(super) type Sums = Vec<(u64, u64)>;

/// Returns the progress of the accumulators; empty if sums stay in the PEs.
pub(super) fn sums<L: Lane>(machine: &Machine<L>) -> Sums {
    let schedule = machine.schedule();
    match schedule.dataflow().hold() {
        Hold::Operand => (0..schedule.array().cols()).map(|col| machine.collected(col)).collect(),
        Hold::Result => Vec::new(),
    }
}

/// True if the accumulators have collected the last sum of an element of C.
fn has(plan: &Plan, sums: &Sums, m: u64, n: u64) -> bool {
    let schedule = plan.schedule();
    let (fold, pe, wave) = schedule.place_of(Mkn { m, k: schedule.last_k(), n });
    sums.get(pe.col as usize).is_some_and(|&collected| collected > (fold.index, wave))
}

/// Maximum number of elements of C whose progress is recorded, because no view shows more elements one by one.
const ELEMENTS_MAX: u64 = 4096;

/// Progress of C in an array with a fault and flowing sums.
#[derive(Clone, Debug, PartialEq)]
pub struct Collected {
    /// Progress of each element of the run's C, row by row; empty if C has thousands of elements. An element is
    /// complete when it has its final value, right or wrong. `terms` is always 0, because the fault may change which
    /// terms an incomplete element has.
    pub growth: Vec<ResultProgress>,
    /// Number of complete elements.
    pub n_complete: u64,
}

impl Collected {
    /// Computes the progress from the accumulators at the previous clock edge and at this clock edge. `None` if sums
    /// stay in the PEs: such sums are read in the same cycles as in the fault-free array.
    pub(super) fn of(plan: &Plan, [before, now]: &[Sums; 2]) -> Option<Self> {
        let schedule = plan.schedule();
        let run = schedule.run();
        if schedule.dataflow().hold() == Hold::Result {
            return None;
        }
        let places = (0..run.m()).flat_map(|m| (0..run.n()).map(move |n| (m, n)));
        let growth = places.map(|(m, n)| {
            let is_complete = has(plan, now, m, n);
            ResultProgress { terms: 0, is_complete, is_new: is_complete && !has(plan, before, m, n) }
        });
        let is_told = run.m() * run.n() <= ELEMENTS_MAX;
        let growth = if is_told { growth.collect() } else { Vec::new() };
        Some(Self { growth, n_complete: n_complete(plan, now) })
    }
}

fn n_complete(plan: &Plan, sums: &Sums) -> u64 {
    let schedule = plan.schedule();
    let (gemm, mapping) = (schedule.gemm(), schedule.mapping());
    let waves = gemm.extent(mapping.time);
    let of_lane = |nth: u64| {
        // This is the first element of a lane. The other elements reach the same column after it.
        let (m, n) = if mapping.cols == Axis::M { (nth, 0) } else { (0, nth) };
        let (fold, pe, _) = schedule.place_of(Mkn { m, k: schedule.last_k(), n });
        let Some(&(at, n_collected)) = sums.get(pe.col as usize) else { return 0 };
        match at.cmp(&fold.index) {
            Ordering::Less => 0,
            Ordering::Equal => n_collected.min(waves),
            Ordering::Greater => waves,
        }
    };
    (0..gemm.extent(mapping.cols)).map(of_lane).sum()
}

impl BrokenMachine {
    /// Returns the progress of C. `None` if sums stay in the PEs: such sums are read in the same cycles as in the
    /// fault-free array.
    #[must_use]
    pub fn collected(&self) -> Option<&Collected> {
        self.collected.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defect::{Defect, DefectName, outcomes};
    use crate::{Link, whereabouts};
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
                let Some(collected) = broken.collected() else {
                    assert_eq!(plan.schedule().dataflow().hold(), Hold::Result, "{query}");
                    continue;
                };
                let is_there = |growth: &ResultProgress| (growth.is_complete, growth.is_new);
                let now: Vec<_> = collected.growth.iter().map(is_there).collect();
                let said: Vec<_> = whereabouts::results(&plan, cycle).iter().map(is_there).collect();
                assert_eq!(now, said, "{query} {cycle:?}");
                assert_eq!(collected.n_complete, whereabouts::n_complete(&plan, cycle).0, "{query} {cycle:?}");
            }
        }
    }

    #[test]
    fn what_is_new_in_c_is_what_stands_in_the_last_row() {
        // The run has one fold, so each sum that leaves is a complete element.
        let plan = plan("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8");
        for text in ["no-skew", "late-3", "skew-2.0.1.5", "stuck-3.1"] {
            let defect = DefectName::parse(text).and_then(|name| name.on(&plan).ok()).expect("a defect of this run");
            let values = outcomes(&plan, defect);
            let mut n_new = 0;
            for cycle in (0..=plan.last().get()).map(Cycle) {
                let broken = BrokenMachine::at(&plan, defect, cycle);
                let Collected { growth, n_complete } = broken.collected().expect("sums that flow");
                let n = growth.iter().filter(|growth| growth.is_complete).count() as u64;
                assert_eq!(*n_complete, n, "{text} {cycle:?}");
                for (index, _) in growth.iter().enumerate().filter(|(_, growth)| growth.is_new) {
                    let south = PeId::new(3, u32::try_from(index % 4).expect("a column"));
                    let leaves = broken.cell(south).expect("a cell").sum;
                    assert_eq!(leaves, Some(values[index].value), "{text} {cycle:?}: element {index}");
                    n_new += 1;
                }
            }
            assert_eq!(n_new, 24, "{text}");
        }
    }

    #[test]
    fn a_sum_that_lacks_terms_is_wrong_and_says_how_many_it_has() {
        // Without skew, the last row has the first product of its column before a sum arrives from the north.
        let plan = plan("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8");
        let broken = BrokenMachine::at(&plan, Defect::NoSkew, Cycle(4));
        for row in 0..4 {
            let cell = broken.cell(PeId::new(row, 0)).expect("a cell");
            assert_eq!(cell.lacks, (row > 0).then_some((1, u64::from(row) + 1)), "row {row}");
            assert_eq!((cell.is_wrong, cell.is_mix), (row > 0, false), "row {row}");
        }
    }
}
