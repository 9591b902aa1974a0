//! Suggestions at the end of a run: changes of one setting, each with the utilization of the changed run.

use crate::busy::{Remedy, array_of_product, tried};
use crate::{Field, FillKind, Plan};
use systolic::Dataflow;

/// Factor by which M grows, before M is rounded up to a power of two.
const LONGER: u64 = 8;

/// Returns two suggestions, a longer stream and another dataflow. A change that cannot run is omitted. Custom matrices
/// keep their sizes. For custom matrices, the first suggestion is an array as large as the GEMM, if this array raises
/// utilization.
#[must_use]
pub fn suggestions(plan: &Plan) -> Vec<Remedy> {
    let scenario = plan.scenario();
    let longer = if scenario.fill == FillKind::Custom {
        let now = plan.schedule().tally().utilization();
        tried(scenario, array_of_product(plan)).filter(|one| one.share > now)
    } else {
        tried(scenario, vec![(Field::M, (scenario.m * LONGER).next_power_of_two().to_string())])
    };
    let other = match scenario.dataflow {
        Dataflow::OutputStationary => Dataflow::WeightStationary,
        Dataflow::WeightStationary | Dataflow::InputStationary => Dataflow::OutputStationary,
    };
    let another = tried(scenario, vec![(Field::Dataflow, other.id().to_owned())]);
    longer.into_iter().chain(another).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Link;

    #[test]
    fn the_first_screen_suggests_more_rows_and_outputs_that_stay() {
        let all = suggestions(&Plan::default());
        let sets: Vec<_> = all.iter().map(|one| one.set.as_slice()).collect();
        assert_eq!(sets, [[(Field::M, "64".to_owned())], [(Field::Dataflow, "os".to_owned())]]);
        // 64 · 4 · 3 products in 16 PEs and 74 cycles; 72 in 20.
        assert!((all[0].share - 768.0 / (16.0 * 74.0)).abs() < 1e-12);
        assert!((all[1].share - 72.0 / (16.0 * 20.0)).abs() < 1e-12);
    }

    #[test]
    fn what_would_not_run_is_not_suggested() {
        let plan = Plan::new(&Link::parse("m=65536", "").scenario).expect("a run");
        assert!(suggestions(&plan).iter().all(|one| one.set[0].0 != Field::M));
    }

    #[test]
    fn matrices_of_ones_own_suggest_an_array_of_their_size() {
        let link = Link::parse("rows=4&cols=4&df=os&fill=custom", "a=1,2;3,4;5,6&b=5,6;7,8");
        let all = suggestions(&Plan::new(&link.scenario).expect("a run"));
        let sides = vec![(Field::Rows, "3".to_owned()), (Field::Cols, "2".to_owned())];
        // 12 products in 6 PEs and R + C + K − 2 = 5 cycles.
        assert_eq!(all[0], Remedy { set: sides, share: 12.0 / 30.0 });
        assert_eq!(all[1].set, [(Field::Dataflow, "ws".to_owned())]);
    }
}
