//! Custom skew: a person chooses when the elements of each row enter.

use super::Defect;
use crate::Plan;
use systolic::Fault;

/// Maximum number of clock edges by which a person can delay a row of the array.
#[must_use]
pub fn edges_max(plan: &Plan) -> u8 {
    u8::try_from(2 * own_rows(plan)).unwrap_or(u8::MAX)
}

/// Number of rows whose skew a person can choose.
#[must_use]
pub fn own_rows(plan: &Plan) -> usize {
    Fault::OWN_ROWS_MAX.min(plan.schedule().array().rows() as usize)
}

/// Delays of the first rows in a fault-free array, in clock edges.
pub(super) fn right_edges(plan: &Plan) -> [u8; Fault::OWN_ROWS_MAX] {
    let hop = 1 + u8::from(plan.schedule().design().pipeline.two_registers_south);
    let mut edges = [0; Fault::OWN_ROWS_MAX];
    for (edges, row) in edges.iter_mut().zip(0u8..) {
        *edges = hop * row;
    }
    edges
}

impl Defect {
    /// True if the fault is a custom skew that equals the correct skew. Such a fault has no effect.
    #[must_use]
    pub fn is_sound(self, plan: &Plan) -> bool {
        matches!(self, Self::OwnSkew(edges) if edges == right_edges(plan))
    }
}

/// Returns the delays of all rows whose skew a person can choose. The first rows have the delays in `first`, and the
/// other rows have the correct delays. `None` if `first` has too many delays, or a delay longer than [`edges_max`].
pub(super) fn all_edges(first: &[u8], plan: &Plan) -> Option<[u8; Fault::OWN_ROWS_MAX]> {
    let most = edges_max(plan);
    let is_possible = first.len() <= own_rows(plan) && first.iter().all(|&edge| edge <= most);
    let mut edges = right_edges(plan);
    edges.iter_mut().zip(first).for_each(|(edge, &own)| *edge = own);
    is_possible.then_some(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defect::{BrokenMachine, DefectName, wrong_results};
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&crate::Link::parse(query, "").scenario).expect("a run")
    }

    fn defect(text: &str, plan: &Plan) -> Option<Defect> {
        DefectName::parse(text)?.on(plan).ok()
    }

    const QUERIES: [&str; 2] =
        ["rows=4&cols=3&m=6&k=7&n=4&df=ws&dt=int8", "rows=4&cols=3&m=6&k=7&n=4&df=os&dt=int8&fill=counting"];

    #[test]
    fn the_right_schedule_gives_the_right_results_and_any_other_does_not() {
        for query in QUERIES {
            let plan = plan(query);
            let wrong = |text: &str| wrong_results(&plan, defect(text, &plan).expect("a schedule")).len();
            assert_eq!(wrong("skew-0.1.2.3"), 0, "{query}");
            let is_sound = |text: &str| defect(text, &plan).expect("a schedule").is_sound(&plan);
            assert!(is_sound("skew-0.1.2.3") && is_sound("skew-0.1") && !is_sound("skew-0.1.2.4"));
            for text in ["skew-0.0.0.0", "skew-0.1.2.4", "skew-1.1.2.3", "skew-0.1.3.2", "skew-3.2.1.0", "skew-8.8.8.8"]
            {
                assert!(wrong(text) > 0, "{query}: {text}");
            }
        }
    }

    #[test]
    fn rows_that_are_all_late_are_wrong_where_the_other_edge_is_on_time() {
        // Stationary weights wait for their elements. B of an output-stationary array does not wait.
        let plan = plan(QUERIES[1]);
        let all = defect("skew-1.2.3.4", &plan).expect("a schedule");
        let clashes =
            |cycle| BrokenMachine::at(&plan, all, Cycle(cycle)).cells().iter().any(|cell| cell.clash.is_some());
        assert!((0..plan.schedule().cycles().get()).any(clashes));
    }

    #[test]
    fn a_schedule_is_read_as_it_is_written() {
        let plan = plan(QUERIES[0]);
        let Some(Defect::OwnSkew(edges)) = defect("skew-4.0.8", &plan) else { panic!("three rows of four") };
        assert_eq!(DefectName::own_skew(edges, &plan).to_text(), "skew-4.0.8.3");
        assert_eq!(DefectName::right_skew(&plan).to_text(), "skew-0.1.2.3");
        for text in ["", ".", "9", "0.1.2.3.4", "0.0.0.0.0.0.0.0.0", "-1", "x", "0..1", "256"] {
            assert_eq!(defect(&format!("skew-{text}"), &plan), None, "{text}");
        }
    }
}
