//! Suggestions at the end of a run: changes of settings, each with the utilization of the changed run.

use crate::Plan;
use crate::busy::{Remedy, best_dataflow, best_remedy};

/// Returns at most two suggestions that raise utilization: the change that raises it most, which the panel names too, and
/// another dataflow.
#[must_use]
pub fn suggestions(plan: &Plan) -> Vec<Remedy> {
    let best = best_remedy(plan);
    let another = best_dataflow(plan).filter(|another| best.as_ref() != Some(another));
    best.into_iter().chain(another).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Field, FieldValue, Link};

    #[test]
    fn the_first_screen_suggests_more_rows_and_another_dataflow_only_where_that_is_better() {
        let all = suggestions(&Plan::default());
        let sets: Vec<_> = all.iter().map(|one| one.set.as_slice()).collect();
        // Utilization is 22.5% and 17.3% in the other dataflows, and 28.1% in this one, so only more rows are
        // suggested.
        assert_eq!(sets, [[(Field::M, FieldValue::Count(64))]]);
        // 16 PEs compute 64 · 4 · 3 products in 74 cycles.
        assert!((all[0].share - 768.0 / (16.0 * 74.0)).abs() < 1e-12);
        let worse = Plan::new(&Link::parse("df=is", "").scenario).expect("a run");
        assert_eq!(
            suggestions(&worse)[1].set,
            [(Field::Dataflow, FieldValue::Dataflow(systolic::Dataflow::WeightStationary))]
        );
        // 16 PEs compute 72 products in 16 cycles.
        assert!((suggestions(&worse)[1].share - 72.0 / (16.0 * 16.0)).abs() < 1e-12);
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
        let sides = vec![(Field::Rows, FieldValue::Count(3)), (Field::Cols, FieldValue::Count(2))];
        // 6 PEs compute 12 products in R + C + K − 2 = 5 cycles.
        assert_eq!(all[0], Remedy { set: sides, share: 12.0 / 30.0 });
        assert_eq!(all.len(), 1, "no dataflow is better than output-stationary here");
    }
}
