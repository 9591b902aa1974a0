//! What to try next when a run is over: changes of one setting, with the busy share that each was counted to give.

use crate::busy::{Remedy, tried};
use crate::{Field, FillKind, Plan};
use systolic::Dataflow;

/// How many times M is raised, up to the next power of two.
const LONGER: u64 = 8;

/// A longer stream, and another dataflow; what would not run is left out.
#[must_use]
pub fn suggestions(plan: &Plan) -> Vec<Remedy> {
    let scenario = plan.scenario();
    // One's own numbers decide their sizes.
    let longer = (scenario.fill != FillKind::Custom)
        .then(|| tried(scenario, Field::M, &(scenario.m * LONGER).next_power_of_two().to_string()));
    let other = match scenario.dataflow {
        Dataflow::OutputStationary => Dataflow::WeightStationary,
        Dataflow::WeightStationary | Dataflow::InputStationary => Dataflow::OutputStationary,
    };
    let another = tried(scenario, Field::Dataflow, other.id());
    longer.flatten().into_iter().chain(another).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Link;

    #[test]
    fn the_first_screen_suggests_more_rows_and_outputs_that_stay() {
        let all = suggestions(&Plan::default());
        let texts: Vec<_> = all.iter().map(|one| (one.field, one.text.as_str())).collect();
        assert_eq!(texts, [(Field::M, "64"), (Field::Dataflow, "os")]);
        // 64 · 4 · 3 products in 16 PEs and 74 cycles; 72 in 20.
        assert!((all[0].share - 768.0 / (16.0 * 74.0)).abs() < 1e-12);
        assert!((all[1].share - 72.0 / (16.0 * 20.0)).abs() < 1e-12);
    }

    #[test]
    fn what_would_not_run_is_not_suggested() {
        let plan = Plan::new(&Link::parse("m=65536", "").scenario).expect("a run");
        assert!(suggestions(&plan).iter().all(|one| one.field != Field::M));
    }
}
