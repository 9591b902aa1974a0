//! What a hall reads: three numbers, and what a speaker presses.

use display::number::grouped;
use studio::Plan;
use systolic::Cycle;

use crate::busy as accounts;

/// Begins.
pub const OPEN: &str = "Present";
/// What the keys do.
pub const HELP: &str = "Full screen: PageDown and PageUp step, B blanks, Escape ends";
/// Ends.
pub const END: &str = "End (Esc)";

/// The cycle, and the last one.
#[must_use]
pub fn cycle(plan: &Plan, cycle: Cycle) -> (String, String) {
    (grouped(cycle.get()), format!("cycle, of 0–{}", grouped(plan.last().get())))
}

/// The PEs that multiply elements of the matrices at a cycle.
#[must_use]
pub fn at_work(plan: &Plan, cycle: Cycle) -> (String, String) {
    let schedule = plan.schedule();
    let (useful, pes) = (schedule.census(cycle).useful, schedule.array().pes());
    (grouped(useful), format!("of {} {} busy", grouped(pes), if pes == 1 { "PE is" } else { "PEs are" }))
}

/// How busy the array is.
#[must_use]
pub fn busy(plan: &Plan, _: Cycle) -> (String, String) {
    (accounts::share(&plan.schedule().tally()), "busy over the whole run".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Scenario;

    #[test]
    fn the_busy_pes_of_all_cycles_are_the_products_of_the_matrices() {
        let plan = Plan::new(&Scenario::default()).expect("a run");
        let at = |cycle: u64| at_work(&plan, Cycle(cycle)).0.parse::<u64>().expect("a number");
        assert_eq!((0..16).map(at).sum::<u64>(), 6 * 4 * 3);
        assert_eq!(cycle(&plan, Cycle(7)), ("7".to_owned(), "cycle, of 0–15".to_owned()));
        assert_eq!(busy(&plan, Cycle(7)).0, "28 %");
    }
}
