//! Explanation of the cycle in which a PE multiplies two numbers.

use display::number::grouped;
use studio::Plan;
use systolic::{Axis, Cycle, PeId};

/// Returns the cycle of a multiplication as a sum: start of the fold, loading, number of the vector, skew and hops.
/// `None` if the PE does not multiply, or if this sum differs from the cycle because of the array design.
///
/// ```
/// use systolic::{Cycle, PeId};
///
/// let plan = studio::Plan::default();
/// let when = words::when::cycle_as_sum(&plan, Cycle(7), PeId::new(2, 1));
/// assert_eq!(when.as_deref(), Some("Cycle 7 = 4 load + 0 (m = 0) + 2 skew + 1 hop."));
/// ```
#[must_use]
pub fn cycle_as_sum(plan: &Plan, cycle: Cycle, pe: PeId) -> Option<String> {
    let schedule = plan.schedule();
    schedule.mac(cycle, pe)?;
    let (fold, vector) = schedule.vector_at(cycle, schedule.hops(pe))?;
    let start = schedule.fold_start(fold.index).get();
    let load = schedule.load_cycles().get();
    let skew = schedule.hops(PeId::new(pe.row, 0));
    let hops = u64::from(pe.col);
    if start + load + vector + skew + hops != cycle.get() {
        return None;
    }
    let axis = match schedule.mapping().time {
        Axis::M => "m",
        Axis::K => "k",
        Axis::N => "n",
    };
    let mut terms = Vec::new();
    if start > 0 {
        terms.push(format!("{} start of fold {}", grouped(start), grouped(fold.index + 1)));
    }
    if load > 0 {
        terms.push(format!("{} load", grouped(load)));
    }
    terms.push(format!("{} ({axis} = {})", grouped(vector), grouped(vector)));
    terms.push(format!("{} skew", grouped(skew)));
    terms.push(format!("{} {}", grouped(hops), if hops == 1 { "hop" } else { "hops" }));
    Some(format!("Cycle {} = {}.", grouped(cycle.get()), terms.join(" + ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;

    /// Computes the right side of the sum.
    fn total(text: &str) -> u64 {
        let right = text.split_once('=').expect("a sum").1.trim_end_matches('.');
        let first = |term: &str| term.trim().split(' ').next().and_then(|n| n.parse::<u64>().ok()).expect("a number");
        right.split(" + ").map(first).sum()
    }

    #[test]
    fn every_multiplication_happens_in_the_cycle_that_its_terms_add_up_to() {
        for query in ["", "df=os", "df=is", "rows=3&cols=2&m=5&k=7&n=6&df=ws", "rows=2&cols=2&m=5&k=4&n=3&df=os"] {
            let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
            let mut n_sums = 0;
            for cycle in 0..plan.schedule().cycles().get() {
                for pe in plan.schedule().array().iter() {
                    let text = cycle_as_sum(&plan, Cycle(cycle), pe);
                    assert_eq!(
                        text.is_some(),
                        plan.schedule().mac(Cycle(cycle), pe).is_some(),
                        "{query} {cycle} {pe:?}"
                    );
                    if let Some(text) = text {
                        assert_eq!(total(&text), cycle, "{text}");
                        n_sums += 1;
                    }
                }
            }
            assert_eq!(n_sums, plan.schedule().gemm().macs().get(), "{query}");
        }
    }
}
