//! What a hall reads: three numbers, and what a speaker presses.

use display::number::grouped;
use studio::Plan;
use studio::kiosk::Idle;
use systolic::Cycle;

use crate::busy as accounts;

/// Begins.
pub const OPEN: &str = "Present";
/// What the keys do.
pub const HELP: &str = "Full screen. PageDown and PageUp step, B blanks, Esc ends";
/// Ends.
pub const END: &str = "End (Esc)";

/// Leads to the slide before.
pub const PREVIOUS: &str = "previous slide";
/// Leads to the slide after.
pub const NEXT: &str = "next slide";

/// The keys, for the one who has the clicker.
#[must_use]
pub const fn keys(has_slides: bool) -> &'static str {
    if has_slides {
        "PageDown, PageUp: slides · ← →: cycles · B: blank · L: pointer · Esc: end"
    } else {
        "PageDown, PageUp: cycles · B: blank · L: pointer · Esc: end"
    }
}

/// Said where a link asks for a page that begins again after a time that cannot be.
#[must_use]
pub fn no_kiosk(text: &str) -> String {
    let given = plain::cut(text);
    format!("The link asks for kiosk = {given}: use a whole number of seconds from {} to {}.", Idle::MIN, Idle::MAX)
}

/// Said where a link asks for a slide by what is no number.
#[must_use]
pub fn no_slide(text: &str, n_slides: usize) -> String {
    format!("The link asks for slide = {}: use a whole number from 1 to {n_slides}.", plain::cut(text))
}

/// Said before a page that nobody minds begins again.
#[must_use]
pub fn begins_again(seconds: u32) -> String {
    format!("Restarting in {seconds} s. Touch to continue.")
}

/// Which of the slides is shown, counted from 0.
#[must_use]
pub fn slide(at: usize, n_slides: usize) -> String {
    format!("slide {} of {n_slides}", at + 1)
}

/// The cycle, and the last one.
#[must_use]
pub fn cycle(plan: &Plan, cycle: Cycle) -> (String, String) {
    (grouped(cycle.get()), format!("cycle, of 0–{}", grouped(plan.last().get())))
}

/// The cycle in one line.
#[must_use]
pub fn moment(plan: &Plan, cycle: Cycle) -> String {
    format!("cycle {} of 0–{}", grouped(cycle.get()), grouped(plan.last().get()))
}

/// The PEs that multiply elements of the matrices at a cycle.
#[must_use]
pub fn at_work(plan: &Plan, cycle: Cycle) -> (String, String) {
    let schedule = plan.schedule();
    let (useful, pes) = (schedule.census(cycle).useful, schedule.array().pes());
    (grouped(useful), format!("of {} {} active", grouped(pes), if pes == 1 { "PE" } else { "PEs" }))
}

/// How busy the array is.
#[must_use]
pub fn busy(plan: &Plan, _: Cycle) -> (String, String) {
    (accounts::share(&plan.schedule().tally()), "utilization, whole run".to_owned())
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
        assert_eq!(busy(&plan, Cycle(7)).0, "28.1 %");
    }
}
